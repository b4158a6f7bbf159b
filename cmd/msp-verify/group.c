/*
 * Findings that say the same of several ranks become one.
 */
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "path.h"
#include "verify.h"

static void
add_rank(struct group *g, long rank)
{
	if (g->nrank > 0 && g->rank[g->nrank - 1] == rank)
		return;
	g->rank = mem_more(g->rank, g->nrank, &g->rank_cap, sizeof *g->rank);
	g->rank[g->nrank++] = rank;
}

static const char *
render(struct verify *v, const struct text *text, const struct find *f)
{
	const char *arg[3];
	struct buf b = { 0 };

	if (text == NULL || text_raw(text)[0] == 0)
		return NULL;
	for (int i = 0; i < 3; i++)
		arg[i] = f->arg[i] != NULL ? f->arg[i] : "";
	text_add_in(&b, say_lang(v), text, arg[0], arg[1], arg[2]);
	return buf_keep(&b, &v->arena);
}

/* Where the message names the file of the path, and nothing else. */
static const char *
named(const struct find *f)
{
	if (f->path == NULL || f->arg[0] == NULL || f->arg[1] != NULL ||
	    strcmp(path_base(f->path), f->arg[0]) != 0)
		return NULL;
	return f->arg[0];
}

static struct group *
group_of(struct verify *v, struct groups *all, const struct rank *r,
    const struct find *f)
{
	int numbered = r != NULL && r->number >= 0;
	const char *message = render(v, f->text, f);
	struct group *g;

	for (size_t i = all->n; i-- > 0;) {
		g = &all->v[i];
		if (g->id == f->id && g->sev == f->sev &&
		    (g->nrank > 0) == numbered &&
		    strcmp(g->message, message) == 0)
			return g;
	}
	all->v = mem_more(all->v, all->n, &all->cap, sizeof *all->v);
	g = &all->v[all->n++];
	*g = (struct group){ .id = f->id,
		.sev = f->sev,
		.text = f->text,
		.name = named(f),
		.message = message,
		.remedy = render(v, f->remedy, f),
		.path = f->path,
		.observed = f->observed,
		.expected = f->expected };
	return g;
}

static void
add(struct verify *v, struct groups *all, struct rank *r, const struct find *f)
{
	struct group *g = group_of(v, all, r, f);

	g->count += f->count;
	if (r == NULL)
		g->where = f->ranks;
	else if (r->number >= 0)
		add_rank(g, r->number);
	else if (g->where == NULL)
		g->where = r->name;
}

static int
group_order(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->sev != y->sev)
		return x->sev > y->sev ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return strcmp(x->message, y->message);
}

static int
joins(const struct group *a, const struct group *b)
{
	return a->id == b->id && a->sev == b->sev && a->text == b->text &&
	    a->name != NULL && b->name != NULL && a->where != NULL &&
	    b->where != NULL && strcmp(a->where, b->where) == 0;
}

/* One finding about the files of n: their names for that of the first. */
static void
join(struct verify *v, struct group *g, size_t n)
{
	struct find f = { .arg = { NULL } };
	struct buf names = { 0 }, dir = { 0 };

	for (size_t i = 0; i < n; i++)
		buf_addf(&names, i > 0 ? ", %s" : "%s", g[i].name);
	path_dir(&dir, g->path);
	f.arg[0] = names.s;
	g->message = render(v, g->text, &f);
	g->path = buf_keep(&dir, &v->arena);
	g->observed = g->expected = NULL;
	g->count = g->nrank;
	for (size_t i = 1; i < n; i++)
		mem_free(g[i].rank);
	buf_free(&names);
}

static void
join_all(struct verify *v, struct groups *all)
{
	size_t kept = 0, j;

	for (size_t i = 0; i < all->n; i = j) {
		for (j = i + 1; j < all->n && joins(&all->v[i], &all->v[j]);)
			j++;
		if (j > i + 1)
			join(v, &all->v[i], j - i);
		all->v[kept++] = all->v[i];
	}
	all->n = kept;
}

void
group_all(struct verify *v, struct groups *all)
{
	*all = (struct groups){ 0 };
	for (size_t i = 0; i < v->finds.n; i++)
		add(v, all, NULL, &v->finds.v[i]);
	for (size_t i = 0; i < v->nrank; i++) {
		struct rank *r = v->rank[i];

		for (size_t k = 0; !r->older && k < r->finds.n; k++)
			add(v, all, r, &r->finds.v[k]);
	}
	if (all->n > 1)
		qsort(all->v, all->n, sizeof *all->v, group_order);
	for (size_t i = 0; i < all->n; i++) {
		struct group *g = &all->v[i];

		if (g->nrank > 0)
			g->where = say_ranges(&v->arena, g->rank, g->nrank);
		all->fail += g->sev == SEV_FAIL;
		all->warn += g->sev == SEV_WARN;
		all->info += g->sev == SEV_INFO;
		all->ignored += g->sev == SEV_IGNORED;
	}
	if (v->format == REC_TEXT)
		join_all(v, all);
}

void
group_free(struct groups *all)
{
	for (size_t i = 0; i < all->n; i++)
		mem_free(all->v[i].rank);
	mem_free(all->v);
	*all = (struct groups){ 0 };
}
