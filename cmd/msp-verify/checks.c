/*
 * The table of checks, what keeps one from being asked, and the verdicts.
 */
#include "checks.h"

#include <fnmatch.h>
#include <string.h>

#define UNLESS(name, ...) \
	static const enum check_id name[] = { __VA_ARGS__, CHECKS }

static const enum check_id nothing[] = { CHECKS };
UNLESS(no_info, CHECK_D02);
UNLESS(no_prof, CHECK_P01);
UNLESS(no_raw, CHECK_D02, CHECK_P01);
UNLESS(no_device, CHECK_P01, CHECK_P05, CHECK_P06);
UNLESS(no_data, CHECK_P01, CHECK_P05, CHECK_P07);
UNLESS(not_stopped, CHECK_D02, CHECK_P01, CHECK_P05, CHECK_P07);
UNLESS(not_collected, CHECK_D02, CHECK_D04, CHECK_P01, CHECK_P05, CHECK_P06,
    CHECK_P07, CHECK_P10);
UNLESS(no_parse, CHECK_D02, CHECK_O01, CHECK_O02);
UNLESS(no_output, CHECK_D02, CHECK_O01, CHECK_O02, CHECK_O06);
UNLESS(
    bad_tail, CHECK_D02, CHECK_O01, CHECK_O02, CHECK_O06, CHECK_O07, CHECK_O15);
UNLESS(bad_trace, CHECK_D02, CHECK_O01, CHECK_O02, CHECK_O06, CHECK_O07,
    CHECK_O08, CHECK_O10, CHECK_O15);
UNLESS(no_framework, CHECK_D02, CHECK_F01);
UNLESS(no_path, CHECK_R01, CHECK_R02, CHECK_R03, CHECK_R09);
UNLESS(no_ranks, CHECK_R01, CHECK_R02, CHECK_R03, CHECK_R07, CHECK_R09);

enum { RANK, RUN };

const struct check checks[CHECKS] = {
#define CHECK(id, sev, verdict, scope, unless, decide)                        \
	[CHECK_##id] = { &T_##id, &T_##id##_DO, SEV_##sev, VERDICT_##verdict, \
		scope, unless, decide },
#include "checks.def"
#undef CHECK
};

const char *
verdict_name(enum verdict v)
{
	static const char *const names[] = {
		[VERDICT_COMPLETE] = "complete",
		[VERDICT_DEGRADED] = "degraded",
		[VERDICT_NOTHING] = "nothing-expected",
		[VERDICT_UNPARSED] = "unparsed",
		[VERDICT_RUNNING] = "running",
		[VERDICT_INCOMPLETE] = "incomplete",
		[VERDICT_MISSING] = "missing",
		[VERDICT_UNREADABLE] = "unreadable",
	};

	return names[v];
}

static int
ignored(const struct verify *v, const struct find *f)
{
	for (size_t i = 0; i < v->nignore; i++) {
		const char *p = v->ignore[i];

		if (fnmatch(p, checks[f->id].text->id, 0) == 0 ||
		    (f->path != NULL && fnmatch(p, f->path, 0) == 0) ||
		    (f->arg[0] != NULL && fnmatch(p, f->arg[0], 0) == 0))
			return 1;
	}
	return 0;
}

/* What is in a directory that cannot be read is not missing. */
static int
blind(const struct verify *v, const struct rank *r)
{
	const struct find x01 = { .id = CHECK_X01 };

	return r != NULL && r->blind && !ignored(v, &x01);
}

/* Found by what is there, or about the directory itself. */
static int
by_sight(const struct check *c)
{
	return c->decide == check_noticed || c->decide == check_seen ||
	    c == &checks[CHECK_R05] || c == &checks[CHECK_R06] ||
	    c == &checks[CHECK_D01];
}

static void
ask(struct verify *v, struct rank *r, const struct check *c)
{
	const struct finds *f = r != NULL ? &r->finds : &v->finds;

	if (c->decide == NULL || (blind(v, r) && !by_sight(c)))
		return;
	if (c->unless == no_output && r->out.files == 0)
		return;
	for (const enum check_id *u = c->unless; *u != CHECKS; u++)
		if (find_failed(f, *u))
			return;
	c->decide(v, r, c);
}

void
checks_rank(struct verify *v, struct rank *r)
{
	for (size_t i = 0; i < CHECKS; i++)
		if (!checks[i].run)
			ask(v, r, &checks[i]);
}

static void
ignore(const struct verify *v, struct finds *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (ignored(v, &f->v[i]))
			f->v[i].sev = SEV_IGNORED;
}

/* What a directory that is still written may yet mend. */
static int
mendable(enum check_id id)
{
	const char *s = checks[id].text->id;

	return s[0] == 'P' || s[0] == 'O' || s[0] == 'F' || id == CHECK_D02 ||
	    id == CHECK_D04;
}

static enum verdict
worst(const struct finds *f, int *mend)
{
	enum verdict v = VERDICT_COMPLETE, w;

	for (size_t i = 0; i < f->n; i++) {
		if (f->v[i].sev == SEV_WARN && v < VERDICT_DEGRADED)
			v = VERDICT_DEGRADED;
		if (f->v[i].sev != SEV_FAIL)
			continue;
		w = checks[f->v[i].id].verdict;
		v = w > v ? w : v;
		*mend &= mendable(f->v[i].id);
	}
	return v;
}

/* Of what parsing makes, or what it is made from. */
static int
is_parsing(enum check_id id)
{
	const char *s = checks[id].text->id;

	return (s[0] == 'O' && id != CHECK_O28 && id != CHECK_O29) ||
	    s[0] == 'F' || id == CHECK_P04 || id == CHECK_R17 ||
	    id == CHECK_X04;
}

/* Touched just now. A clock that is a little ahead is common on shared disks;
 * what is of another day was not written now. */
static int
fresh(const struct verify *v, const struct rank *r)
{
	return r->newest + LIMIT_QUIET > v->now &&
	    r->newest < v->now + LIMIT_DAY;
}

int
verify_unsettled(const struct verify *v)
{
	for (size_t i = 0; i < v->nrank; i++) {
		const struct rank *r = v->rank[i];

		for (size_t k = 0; k < r->finds.n && !r->older; k++)
			if (r->finds.v[k].sev == SEV_WARN &&
			    is_parsing(r->finds.v[k].id) && fresh(v, r))
				return 1;
	}
	return 0;
}

static void
drop_mendable(struct finds *f)
{
	for (int i = 0; i < CHECKS; i++)
		if (mendable((enum check_id)i))
			find_drop(f, (enum check_id)i);
}

static void
judge_rank(struct verify *v, struct rank *r)
{
	int mend = 1;

	ignore(v, &r->finds);
	r->verdict = worst(&r->finds, &mend);
	if ((r->verdict == VERDICT_UNPARSED ||
		r->verdict == VERDICT_INCOMPLETE) &&
	    mend && !v->expect->record && fresh(v, r)) {
		r->verdict = VERDICT_RUNNING;
		drop_mendable(&r->finds);
	}
}

/* Whether what a finding asks for is of no use before what the verdict asks
 * for is done. */
static int
moot(const struct verify *v, enum check_id id)
{
	switch (v->verdict) {
	case VERDICT_COMPLETE:
	case VERDICT_DEGRADED: return 0;
	case VERDICT_UNPARSED: return is_parsing(id) && !verify_has_raw(v);
	case VERDICT_UNREADABLE:
		return checks[id].text->id[0] != 'X' && id != CHECK_R02;
	default: return is_parsing(id);
	}
}

static void
drop_remedies(const struct verify *v, struct finds *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (moot(v, f->v[i].id))
			f->v[i].remedy = NULL;
}

void
checks_run(struct verify *v)
{
	enum verdict rank = VERDICT_COMPLETE;
	int mend = 1;

	for (size_t i = 0; i < CHECKS; i++)
		if (checks[i].run)
			ask(v, NULL, &checks[i]);
	for (size_t i = 0; i < v->nrank; i++)
		if (!v->rank[i]->older)
			judge_rank(v, v->rank[i]);
	ignore(v, &v->finds);
	v->verdict = worst(&v->finds, &mend);
	for (size_t i = 0; i < v->nrank; i++)
		if (!v->rank[i]->older && v->rank[i]->verdict > rank)
			rank = v->rank[i]->verdict;
	/* While one is written the others may still come. */
	if (rank == VERDICT_RUNNING && v->verdict == VERDICT_INCOMPLETE) {
		find_drop(&v->finds, CHECK_R11);
		v->verdict = worst(&v->finds, &mend);
	}
	v->verdict = rank > v->verdict ? rank : v->verdict;
	drop_remedies(v, &v->finds);
	for (size_t i = 0; i < v->nrank; i++)
		drop_remedies(v, &v->rank[i]->finds);
}
