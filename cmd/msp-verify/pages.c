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

/* Why not; text NULL: it is. */
struct reason {
	const struct text *text;
	const char *arg;
};

static const struct reason good = { NULL, NULL };

static struct reason
because(const struct text *text)
{
	return (struct reason){ text, "" };
}

static int
broken(const struct rank *r, const char *name)
{
	for (size_t i = 0; i < r->finds.n; i++) {
		const struct find *f = &r->finds.v[i];

		if ((f->sev == SEV_FAIL || f->id == CHECK_O16 ||
			f->id == CHECK_O24) &&
		    f->arg[0] != NULL && strcmp(f->arg[0], name) == 0)
			return 1;
	}
	return 0;
}

/* Insight takes the database where there is one, good or not. */
static struct reason
lacks(const struct rank *r, enum out_file file)
{
	const char *name = out_names[file];

	if (r->out.has[OUT_DB])
		return r->out.db_good ? good : because(&T_PAGE_DB);
	if (!r->out.has[file])
		return (struct reason){ &T_PAGE_NO_FILE, name };
	if (r->out.size[file] == 0 || broken(r, name))
		return (struct reason){ &T_PAGE_BROKEN, name };
	return good;
}

static struct reason
lacks_pair(const struct rank *r, enum out_file a, enum out_file b,
    const struct text *both)
{
	struct reason no = lacks(r, a);

	if (!r->out.has[OUT_DB] && !r->out.has[a] && !r->out.has[b])
		return because(both);
	return no.text != NULL ? no : lacks(r, b);
}

static struct reason
timeline(const struct rank *r)
{
	struct reason no = lacks(r, OUT_TRACE);

	if (r->out.has[OUT_DB])
		return no;
	if (r->out.size[OUT_TRACE] > LIMIT_TRACE_MAX)
		return because(&T_PAGE_TRACE_SIZE);
	if (no.text == NULL && !r->out.trace_good)
		no = (struct reason){ &T_PAGE_BROKEN, out_names[OUT_TRACE] };
	return no;
}

static struct reason
operators(const struct rank *r)
{
	if (r->info.npu == NO)
		return because(&T_PAGE_NO_NPU);
	if (r->info.level == PROFILE_LEVEL_NONE)
		return because(&T_PAGE_LEVEL_NONE);
	return lacks(r, OUT_KERNEL);
}

static struct reason
memory(const struct rank *r)
{
	if (r->info.memory == NO)
		return because(&T_PAGE_NO_MEMORY);
	if (r->info.cpu == NO)
		return because(&T_PAGE_MEMORY_CPU);
	return lacks_pair(
	    r, OUT_MEMORY_RECORD, OUT_OPERATOR_MEMORY, &T_PAGE_MEMORY_PAIR);
}

static struct reason
cluster(const struct rank *r, size_t ranks)
{
	if (ranks < 2)
		return because(&T_PAGE_ONE_RANK);
	if (r->info.level >= 0 && r->info.level < PROFILE_LEVEL1)
		return because(&T_PAGE_LEVEL0);
	return r->info.file_rank < 0 ? because(&T_PAGE_NO_RANK) : good;
}

static struct reason
communication(const struct rank *r)
{
	if (r->out.has[OUT_DB])
		return r->out.has[OUT_ANALYSIS_DB]
		    ? good
		    : because(&T_PAGE_NO_COMMUNICATION);
	return lacks_pair(
	    r, OUT_COMMUNICATION, OUT_MATRIX, &T_PAGE_NO_COMMUNICATION);
}

static struct reason
page_of(const struct rank *r, enum page page, size_t ranks)
{
	struct reason no;

	switch (page) {
	case PAGE_TIMELINE: return timeline(r);
	case PAGE_OPERATOR: return operators(r);
	case PAGE_MEMORY: return memory(r);
	default: break;
	}
	no = cluster(r, ranks);
	if (no.text != NULL)
		return no;
	return page == PAGE_SUMMARY ? lacks(r, OUT_STEP) : communication(r);
}

/* The reason of the first rank that lacks it, and the ranks with it. */
int
page_usable(struct verify *v, enum page page, const char **why)
{
	struct reason no, first = good;
	long *rank = mem_zero(v->nrank + 1, sizeof *rank);
	size_t n = 0, bad = 0, all = 0;
	struct buf b = { 0 };

	for (size_t i = 0; i < v->nrank; i++)
		all += !v->rank[i]->older;
	for (size_t i = 0; i < v->nrank; i++) {
		if (v->rank[i]->older)
			continue;
		no = page_of(v->rank[i], page, all);
		if (no.text == NULL)
			continue;
		bad++;
		if (first.text == NULL)
			first = no;
		if (v->rank[i]->number >= 0)
			rank[n++] = v->rank[i]->number;
	}
	*why = NULL;
	if (all == 0)
		first = because(&T_PAGE_NOTHING);
	if (first.text != NULL) {
		text_add_in(&b, say_lang(v), first.text, first.arg);
		if (bad < all && n > 0)
			text_add_in(&b, say_lang(v),
			    n > 1 ? &T_PAGE_RANKS : &T_PAGE_RANK,
			    say_ranges(&v->arena, rank, n));
		*why = buf_keep(&b, &v->arena);
	}
	mem_free(rank);
	return first.text == NULL;
}
