#include <string.h>

#include "report.h"

/* Each line of what was seen, indented. */
static void
lines(struct buf *b, const char *s)
{
	const char *end;

	for (; *s != 0; s = *end != 0 ? end + 1 : end) {
		end = strchr(s, '\n');
		if (end == NULL)
			end = s + strlen(s);
		buf_adds(b, "      ");
		esc_add(b, s, (size_t)(end - s));
		buf_addc(b, '\n');
	}
}

static void
where(struct verify *v, const struct group *g, struct buf *b)
{
	size_t n = 0, from = b->len;

	if (g->where == NULL || g->id == CHECK_R11)
		return;
	for (size_t i = 0; i < v->nrank; i++)
		n += !v->rank[i]->older;
	if (g->nrank == 0 && g->where[strspn(g->where, "0123456789")] == 0)
		text_add(b, &T_SAY_RANK, g->where);
	else if (g->nrank == 0)
		esc_add(b, g->where, strlen(g->where));
	else if (g->nrank == 1)
		text_add(b, &T_SAY_RANK, g->where);
	else
		text_add(b, &T_SAY_OF_RANKS, g->where,
		    say_number(&v->arena, (long long)g->nrank),
		    say_number(&v->arena, (long long)n));
	if (b->len > from)
		buf_adds(b, g->sev == SEV_FAIL ? "   " : ": ");
}

/* The path, with what is there and what should be. */
static void
place(struct verify *v, const struct group *g, struct buf *b)
{
	int many = g->observed != NULL && strchr(g->observed, '\n') != NULL;

	if (g->path != NULL &&
	    (g->observed != NULL || strstr(g->message, g->path) == NULL)) {
		buf_adds(b, "      ");
		esc_add(b, g->path, strlen(g->path));
		if (g->count > g->nrank && g->count > 1) {
			buf_adds(b, report_comma());
			text_add(b, &T_SAY_TIMES,
			    say_number(&v->arena, (long long)g->count));
		}
		if (g->observed != NULL && !many) {
			buf_adds(b, ": ");
			if (g->expected != NULL)
				text_add(
				    b, &T_SAY_SEEN, g->observed, g->expected);
			else
				esc_add(b, g->observed, strlen(g->observed));
		}
		buf_addc(b, '\n');
	}
	if (many || (g->path == NULL && g->observed != NULL))
		lines(b, g->observed);
}

void
report_finds(struct verify *v, const struct groups *all, struct buf *b)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct group *g = &all->v[i];
		const struct group *next = i + 1 < all->n ? g + 1 : NULL;

		if (g->sev < SEV_WARN && !v->verbose &&
		    (g->sev == SEV_IGNORED || g->id != CHECK_R21))
			continue;
		buf_adds(b, "  ");
		if (g->sev == SEV_WARN)
			text_add(b, &T_SAY_WARNING);
		else if (g->sev == SEV_INFO)
			text_add(b, &T_SAY_INFO);
		else if (g->sev == SEV_IGNORED)
			text_add(b, &T_SAY_IGNORED);
		where(v, g, b);
		buf_addf(b, "%s [%s]\n", g->message, checks[g->id].text->id);
		place(v, g, b);
		/* The same remedy once for several; none beside the cause. */
		if (g->remedy == NULL ||
		    (v->expect->failed && v->noperand == 0 &&
			(g->id == CHECK_R01 || g->id == CHECK_R07)) ||
		    (next != NULL && next->sev == g->sev &&
			next->remedy != NULL &&
			strcmp(next->remedy, g->remedy) == 0))
			continue;
		lines(b, g->remedy);
	}
}
