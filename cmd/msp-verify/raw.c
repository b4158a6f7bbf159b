/*
 * A data directory of the collector: slices X.slice_K, each with its
 * X.slice_K.done once it is finished, whose first line is "filesize:BYTES".
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "list.h"
#include "verify.h"

struct slices {
	struct rank *r;
	struct side *s;
	const char *prof;
	const struct listing *l;
	size_t base_len; /* of the slices now looked at: up to "slice_" */
	const char *base;
	unsigned long min, max, count;
};

static const char *
raw_path(struct slices *g, const char *name)
{
	return arena_printf(&g->r->arena, "%s/%s/%s/data/%s", g->r->path,
	    g->prof, g->s->name, name);
}

/* The length of "X.slice_" where the name is X.slice_K, else 0. */
static size_t
slice_base(const char *name, unsigned long *k)
{
	const char *s = NULL, *p = name;
	size_t n;

	while ((p = strstr(p, ".slice_")) != NULL)
		s = p++;
	if (s == NULL)
		return 0;
	s += strlen(".slice_");
	n = strspn(s, "0123456789");
	if (n == 0 || n > 9 || s[n] != 0)
		return 0;
	*k = strtoul(s, NULL, 10);
	return (size_t)(s - name);
}

/* The bytes of a slice as its .done has them: 0, or -1 when it has none. */
static int
done_size(struct slices *g, const char *name, unsigned long long *size)
{
	static const char key[] = "filesize:";
	char text[64], *s = text, *end;
	int fd = list_file(g->l->fd, name);
	ssize_t n;

	n = fd >= 0 ? list_read(fd, text, sizeof text - 1) : -1;
	if (n < 0)
		notice_unreadable(g->r, raw_path(g, name));
	if (fd >= 0)
		close(fd);
	if (n < (ssize_t)sizeof key)
		return -1;
	text[n] = 0;
	if (!str_begins(s, key))
		return -1;
	s += sizeof key - 1;
	while (*s == ' ')
		s++;
	if (*s < '0' || *s > '9')
		return -1;
	*size = strtoull(s, &end, 10);
	return *end == '\n' || *end == '\r' || *end == 0 ? 0 : -1;
}

static void
see_done(struct slices *g, const struct entry *e, const char *done)
{
	unsigned long long size;

	g->s->done++;
	if (g->r->seen[CHECK_P14] >= LIMIT_NOTICED ||
	    g->r->done_read++ >= LIMIT_DONE)
		return;
	if (done_size(g, done, &size) < 0 || size == e->size)
		return;
	notice(g->r,
	    (struct find){ .id = CHECK_P14,
		.path = raw_path(g, e->name),
		.observed = say_number(&g->r->arena, (long long)e->size),
		.expected = say_number(&g->r->arena, (long long)size) });
}

static void
end_base(struct slices *g)
{
	struct buf b = { 0 };

	if (g->base_len == 0)
		return;
	if (g->min > 0 || g->max - g->min + 1 != g->count) {
		buf_addf(&b, "%.*s*", (int)g->base_len, g->base);
		notice(g->r,
		    (struct find){ .id = CHECK_P15,
			.path = raw_path(g, b.s),
			.observed =
			    say_number(&g->r->arena, (long long)g->count),
			.expected =
			    say_number(&g->r->arena, (long long)g->max + 1) });
		buf_free(&b);
	}
	g->base_len = 0;
}

static void
see_slice(struct slices *g, size_t i, size_t base_len, unsigned long k)
{
	const struct entry *e = &g->l->v[i], *next = e + 1;
	size_t n = strlen(e->name);

	if (g->base_len != base_len ||
	    strncmp(g->base, e->name, base_len) != 0) {
		end_base(g);
		g->base = e->name;
		g->base_len = base_len;
		g->min = g->max = k;
		g->count = 0;
	}
	g->min = k < g->min ? k : g->min;
	g->max = k > g->max ? k : g->max;
	g->count++;
	if (i + 1 < g->l->n && strncmp(next->name, e->name, n) == 0 &&
	    strcmp(next->name + n, ".done") == 0) {
		see_done(g, e, next->name);
	} else if (e->size > 0) {
		if (g->s->unfinished++ == 0)
			g->s->unfinished_name = raw_path(g, e->name);
		g->s->unfinished_bytes += e->size;
	}
}

void
raw_data(struct rank *r, struct side *s, const struct listing *l)
{
	struct slices g = {
		.r = r, .s = s, .prof = r->prof[s->prof].name, .l = l
	};
	unsigned long k;

	for (size_t i = 0; i < l->n; i++) {
		const struct entry *e = &l->v[i];
		size_t base;

		if (!S_ISREG(e->mode))
			continue;
		if (strcmp(e->name, "all_file.complete") == 0)
			s->parsed = 1;
		if (str_ends(e->name, ".done") ||
		    str_ends(e->name, ".complete") || str_ends(e->name, ".zip"))
			continue;
		if (e->size > 0) {
			s->files++;
			s->bytes += e->size;
		}
		base = slice_base(e->name, &k);
		if (base > 0)
			see_slice(&g, i, base, k);
	}
	end_base(&g);
}
