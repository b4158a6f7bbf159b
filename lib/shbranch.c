#include "shwalk.h"

static int
arm(struct shval_run *w, struct shfork *f, uint32_t list)
{
	uint32_t branch = w->branch;

	w->maybe++;
	w->branch = list;
	w->status = shwalk_list(w, list);
	w->maybe--;
	w->branch = branch;
	shfork_arm(w, f);
	return 0;
}

static int
if_from(struct shval_run *w, uint32_t cond)
{
	const struct shcmd *c = w->src->cmd;
	uint32_t then = shnode_next(c, cond), rest;
	size_t guards = w->nguard;
	struct shfork f;
	int status;

	if (then == SH_NONE)
		return shwalk_list(w, cond);
	rest = shnode_next(c, then);
	w->cond++;
	status = shwalk_list(w, cond);
	w->cond--;
	if (w->flow != FLOW_GO)
		return status;
	if (status == 0) {
		status = shwalk_list(w, then);
		w->nguard = guards;
		for (; rest != SH_NONE; rest = shnode_next(c, rest))
			shwalk_dead(w, rest);
		return status;
	}
	if (status != ST_UNKNOWN) {
		shwalk_dead(w, then);
		w->nguard = guards;
		w->status = rest != SH_NONE ? status : 0;
		return rest != SH_NONE ? if_from(w, rest) : 0;
	}
	shfork_open(w, &f);
	w->status = 0;
	arm(w, &f, then);
	w->nguard = guards;
	uint32_t branch = w->branch;
	w->maybe++;
	w->branch = rest != SH_NONE ? rest : branch;
	w->status = ST_FAIL;
	w->status = rest != SH_NONE ? if_from(w, rest) : 0;
	w->maybe--;
	w->branch = branch;
	shfork_arm(w, &f);
	shfork_close(w, &f);
	return w->status;
}

int
shbranch_if(struct shval_run *w, uint32_t node)
{
	uint32_t cond = shnode_child(w->src->cmd, node);

	return cond != SH_NONE ? if_from(w, cond) : 0;
}

static int
pattern_fits(struct shval_run *w, const struct shval *v, const struct shval *p)
{
	int r = -2, e;

	for (; v != NULL; v = v->alt) {
		struct shval one = *v;
		one.alt = NULL;
		e = shtest_binary(w, "=", &one, p, 1);
		r = r == -2 || r == e ? e : -1;
	}
	return r;
}

/* Whether the subject fits one of an arm's patterns. */
static int
arm_fits(struct shval_run *w, uint32_t node, const struct shval *v)
{
	const struct shcmd *c = w->src->cmd;
	const struct shnode *n = &c->node[node];
	int r = 0;

	for (uint32_t i = 0; i < n->nword; i++) {
		const struct shword *x = &c->word[n->word + i];
		int e = pattern_fits(
		    w, v, shword_value(w, x->tok, x->tok + x->ntok, 0));
		if (e == 1)
			return r < 0 ? -1 : 1;
		if (e < 0)
			r = -1;
	}
	return r;
}

static int
case_from(struct shval_run *w, uint32_t node, const struct shval *v, int fits)
{
	const struct shcmd *c = w->src->cmd;
	int status = 0;

	for (; node != SH_NONE; node = shnode_next(c, node), fits = 0) {
		uint32_t list = shnode_child(c, node), branch = w->branch;
		struct shfork f;
		int r = fits ? 1 : arm_fits(w, node, v);
		if (r == 0 || list == SH_NONE) {
			shwalk_dead(w, list);
			continue;
		}
		uint8_t op = c->node[node].op;
		if (r < 0) {
			shfork_open(w, &f);
			w->maybe++;
			w->branch = list;
		}
		w->status = status = shwalk_list(w, list);
		if (w->flow == FLOW_GO && op != OP_DSEMI && op != OP_NONE)
			w->status = status = case_from(
			    w, shnode_next(c, node), v, op == OP_SEMIAMP);
		else
			op = OP_DSEMI;
		if (r > 0) {
			for (node = shnode_next(c, node);
			     op == OP_DSEMI && node != SH_NONE;
			     node = shnode_next(c, node))
				shwalk_dead(w, shnode_child(c, node));
			return status;
		}
		shfork_arm(w, &f);
		w->branch = branch;
		w->status = case_from(w, shnode_next(c, node), v, 0);
		w->maybe--;
		shfork_arm(w, &f);
		shfork_close(w, &f);
		return w->status;
	}
	return status;
}

int
shbranch_case(struct shval_run *w, uint32_t node)
{
	const struct shcmd *c = w->src->cmd;
	const struct shnode *n = &c->node[node];
	const struct shword *x;
	const struct shval *v;

	if (n->nword == 0)
		return ST_UNKNOWN;
	x = &c->word[n->word];
	v = shword_value(w, x->tok, x->tok + x->ntok, 0);
	w->status = 0;
	return case_from(w, shnode_child(c, node), v, 0);
}
