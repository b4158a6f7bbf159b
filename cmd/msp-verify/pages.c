/*
 * Which pages MindStudio Insight will show, and if not, why.
 */
#include <string.h>

#include "mem.h"
#include "verify.h"

const char *const page_names[PAGES] = {
	[PAGE_TIMELINE] = "Timeline",
	[PAGE_OPERATOR] = "Operator",
	[PAGE_MEMORY] = "Memory",
	[PAGE_SUMMARY] = "Summary",
	[PAGE_COMMUNICATION] = "Communication",
};

static int
broken(const struct rank *r, const char *name)
{
	for (size_t i = 0; i < r->finds.n; i++) {
		const struct find *f = &r->finds.v[i];

		if (f->sev == SEV_FAIL && f->arg[0] != NULL &&
		    strcmp(f->arg[0], name) == 0)
			return 1;
	}
	return 0;
}

/* Insight takes the database where there is one, good or not. */
static int
has(const struct rank *r, enum out_file file)
{
	if (r->out.has[OUT_DB])
		return r->out.db_good;
	return r->out.has[file] && r->out.size[file] > 0 &&
	    !broken(r, out_names[file]);
}

static const struct text *
timeline(const struct rank *r)
{
	if (r->out.has[OUT_DB])
		return r->out.db_good ? NULL : &T_PAGE_DB;
	if (!r->out.has[OUT_TRACE])
		return &T_PAGE_NO_TRACE;
	if (r->out.size[OUT_TRACE] > LIMIT_TRACE_MAX)
		return &T_PAGE_TRACE_SIZE;
	return r->out.trace_good && !broken(r, out_names[OUT_TRACE])
	    ? NULL
	    : &T_PAGE_TRACE;
}

static const struct text *
operators(const struct rank *r)
{
	if (r->info.npu == NO)
		return &T_PAGE_NO_NPU;
	if (r->info.level == PROFILE_LEVEL_NONE)
		return &T_PAGE_LEVEL_NONE;
	return has(r, OUT_KERNEL) ? NULL : &T_PAGE_NO_KERNEL;
}

static const struct text *
memory(const struct rank *r)
{
	if (r->info.memory == NO)
		return &T_PAGE_NO_MEMORY;
	if (r->info.cpu == NO)
		return &T_PAGE_MEMORY_CPU;
	return has(r, OUT_MEMORY_RECORD) && has(r, OUT_OPERATOR_MEMORY)
	    ? NULL
	    : &T_PAGE_MEMORY_PAIR;
}

static const struct text *
cluster(const struct verify *v, const struct rank *r)
{
	size_t n = 0;

	for (size_t i = 0; i < v->nrank; i++)
		n += !v->rank[i]->older;
	if (n < 2)
		return &T_PAGE_ONE_RANK;
	if (r->info.level >= 0 && r->info.level < PROFILE_LEVEL1)
		return &T_PAGE_LEVEL0;
	return r->info.file_rank < 0 ? &T_PAGE_NO_RANK : NULL;
}

static const struct text *
page_of(const struct verify *v, const struct rank *r, enum page page)
{
	const struct text *no;

	switch (page) {
	case PAGE_TIMELINE: return timeline(r);
	case PAGE_OPERATOR: return operators(r);
	case PAGE_MEMORY: return memory(r);
	case PAGE_SUMMARY:
		no = cluster(v, r);
		if (no == NULL && !has(r, OUT_STEP))
			no = &T_PAGE_NO_STEPS;
		return no;
	default:
		no = cluster(v, r);
		if (no != NULL)
			return no;
		if (r->out.has[OUT_DB])
			return r->out.has[OUT_ANALYSIS_DB]
			    ? NULL
			    : &T_PAGE_NO_COMMUNICATION;
		return has(r, OUT_COMMUNICATION) && has(r, OUT_MATRIX)
		    ? NULL
		    : &T_PAGE_NO_COMMUNICATION;
	}
}

/* The reason of the first rank that lacks it, and the ranks with it. */
int
page_usable(struct verify *v, enum page page, const char **why)
{
	const struct text *no, *first = NULL;
	long *rank = mem_zero(v->nrank + 1, sizeof *rank);
	size_t n = 0, bad = 0, all = 0;
	struct buf b = { 0 };

	for (size_t i = 0; i < v->nrank; i++) {
		if (v->rank[i]->older)
			continue;
		all++;
		no = page_of(v, v->rank[i], page);
		if (no == NULL)
			continue;
		bad++;
		if (first == NULL)
			first = no;
		if (v->rank[i]->number >= 0)
			rank[n++] = v->rank[i]->number;
	}
	*why = NULL;
	if (all == 0)
		first = &T_PAGE_NOTHING;
	if (first != NULL) {
		text_add_in(&b, say_lang(v), first);
		if (bad < all && n > 0)
			text_add_in(&b, say_lang(v), &T_PAGE_RANKS,
			    say_ranges(&v->arena, rank, n));
		*why = buf_keep(&b, &v->arena);
	}
	mem_free(rank);
	return first == NULL;
}
