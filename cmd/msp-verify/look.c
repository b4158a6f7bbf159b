/*
 * One look at everything: find, read, choose, check.
 */
#include <time.h>
#include <unistd.h>

#include "mem.h"
#include "runs.h"
#include "verify.h"

void
verify_forget(struct verify *v)
{
	for (size_t i = 0; i < v->nrank; i++)
		rank_free(v->rank[i]);
	mem_free(v->rank);
	mem_free(v->finds.v);
	arena_free(&v->arena);
	v->rank = NULL;
	v->bare = v->ms = v->around = NULL;
	v->nrank = v->rank_cap = v->nms = v->nbare = 0;
	v->finds = (struct finds){ 0 };
	v->arena = (struct arena){ 0 };
	v->capped = 0;
}

void
verify_look(struct verify *v)
{
	const struct expect *e = v->expect;

	verify_forget(v);
	v->finds.arena = &v->arena;
	v->now = time(NULL);
	v->euid = geteuid();
	tree_find(v);
	runs_choose(v);
	if (v->nrank == 0 && e->record && e->here_known && e->nhere == 0) {
		v->finds.n = 0;
		v->verdict = VERDICT_NOTHING;
		return;
	}
	for (size_t i = 0; i < v->nrank; i++)
		if (!v->rank[i]->older)
			checks_rank(v, v->rank[i]);
	if (v->capped)
		find_add(&v->finds,
		    (struct find){ .id = CHECK_X07, .path = v->operand[0] });
	checks_run(v);
}

int
verify_has_raw(const struct verify *v)
{
	for (size_t i = 0; i < v->nrank; i++) {
		const struct rank *r = v->rank[i];

		if (!r->older && r->verdict == VERDICT_UNPARSED &&
		    (r->nprof > 0 || r->framework))
			return 1;
	}
	return 0;
}
