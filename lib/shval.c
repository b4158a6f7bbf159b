#include "shval.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shwalk.h"

enum { NEST_MAX = 1500 };

uint32_t
shnode_next(const struct shcmd *c, uint32_t node)
{
	do
		node = c->node[node].next;
	while (node != SH_NONE && c->node[node].kind == SH_SUBST);
	return node;
}

uint32_t
shnode_child(const struct shcmd *c, uint32_t node)
{
	uint32_t child = c->node[node].child;

	if (child != SH_NONE && c->node[child].kind == SH_SUBST)
		return shnode_next(c, child);
	return child;
}

/* Where >&word leads: 1 away, 0 to where it goes now. */
static int
duplicated(struct shval_run *w, const struct shredir *r)
{
	const struct shcmd *c = w->src->cmd;
	const struct shword *x = &c->word[r->word];
	char t = c->text[x->off];

	if (x->end - x->off == 1 && t == '1')
		return 0;
	/* a copy of standard output may be there under another number */
	if (w->out != NULL && (x->end - x->off != 1 || (t != '2' && t != '-')))
		w->out->lost = 1;
	return 1;
}

int
shwalk_diverted(struct shval_run *w, const struct shnode *n)
{
	const struct shcmd *c = w->src->cmd;
	int away = 0;

	for (uint32_t i = 0; i < n->nredir; i++) {
		const struct shredir *r = &c->redir[n->redir + i];
		int out = r->fd == 1 || r->fd == SH_FD_DEFAULT;
		if (r->op == OP_GREATAMP && out)
			away |= duplicated(w, r);
		else if (r->op == OP_AMPGREAT || r->op == OP_AMPDGREAT)
			away = 1;
		else if ((r->op == OP_GREAT || r->op == OP_DGREAT ||
			     r->op == OP_CLOBBER) &&
		    out)
			away = 1;
	}
	return away;
}

/* {name}>file: the variable becomes the descriptor. */
void
shwalk_descriptors(struct shval_run *w, const struct shnode *n)
{
	const struct shcmd *c = w->src->cmd;

	for (uint32_t i = 0; i < n->nredir; i++) {
		const struct shredir *r = &c->redir[n->redir + i];
		const char *s = c->text + r->off + 1, *e;
		if (r->fd != SH_FD_VAR)
			continue;
		e = memchr(s, '}', r->end - r->off - 1);
		if (e != NULL && shname_valid(s, (size_t)(e - s)))
			shvar_vague(w, s, (size_t)(e - s), SHVAL_CHANGES, "fd");
	}
}

int
shwalk_subshell(struct shval_run *w, uint32_t node)
{
	struct shtarget t;
	int status;

	if (w->depth >= SHWALK_DEPTH) {
		if (w->out != NULL)
			shout_value(w, shval_vague(w, SHVAL_LIMIT, ""));
		return ST_UNKNOWN;
	}
	w->depth++;
	shtarget_open(w, &t, TARGET_SHELL);
	status = shwalk_node(w, node);
	if (w->flow == FLOW_EXIT)
		status = w->status;
	else if (w->flow != FLOW_GO)
		status = ST_UNKNOWN;
	w->flow = w->limited ? FLOW_GONE : FLOW_GO;
	shmark_undo(w, t.mark);
	t.leave = t.again = NULL;
	shtarget_close(w, &t);
	w->depth--;
	w->wish = NULL;
	return status;
}

void
shwalk_dead(struct shval_run *w, uint32_t node)
{
	int status = w->status;

	if (!w->env->dead || node == SH_NONE || w->limited)
		return;
	struct shout *out = w->out;
	w->out = NULL;
	w->dead++;
	shwalk_subshell(w, node);
	w->dead--;
	w->out = out;
	w->status = status;
}

/* Whether a cd worked is open: the directory is one of two. */
static void
settle(struct shval_run *w)
{
	if (w->wish == NULL)
		return;
	shloc_set(w, &w->cwd, shval_either(w, w->cwd.now, w->wish));
	w->wish = NULL;
	shvar_set(w, "PWD", 3, w->cwd.now, 0);
	shvar_vague(w, "OLDPWD", 6, SHVAL_BRANCH, "OLDPWD");
}

static void
grant(struct shval_run *w, int worked)
{
	if (w->wish != NULL && worked)
		shcd_go(w, w->wish);
	w->wish = NULL;
}

/* What an exit or return leaves behind in its list. */
static void
rest_dead(struct shval_run *w, uint32_t i)
{
	enum shflow flow = w->flow;
	struct shout *out = w->out;
	int levels = w->levels, status = w->status;
	struct shtarget t;

	if (!w->env->dead || i == SH_NONE || w->limited ||
	    w->depth >= SHWALK_DEPTH || flow == FLOW_BREAK ||
	    flow == FLOW_CONTINUE)
		return;
	w->out = NULL;
	w->dead++;
	w->depth++;
	shtarget_open(w, &t, TARGET_SHELL);
	for (; i != SH_NONE && !w->limited; i = shnode_next(w->src->cmd, i)) {
		w->flow = FLOW_GO;
		w->status = shwalk_node(w, i);
		settle(w);
	}
	shmark_undo(w, t.mark);
	t.leave = t.again = NULL;
	shtarget_close(w, &t);
	w->depth--;
	w->dead--;
	w->wish = NULL;
	w->out = out;
	w->levels = levels;
	w->status = status;
	w->flow = w->limited ? FLOW_GONE : flow;
}

int
shwalk_list(struct shval_run *w, uint32_t node)
{
	const struct shcmd *c = w->src->cmd;
	uint32_t i = shnode_child(c, node);
	int status = 0;

	for (; i != SH_NONE; i = shnode_next(c, i)) {
		if (node == 0 && w->depth == 0)
			w->own = i;
		if (c->node[i].flags & SHN_BACKGROUND) {
			struct shout *out = w->out;
			shwalk_subshell(w, i);
			w->out = out;
			status = 0;
		} else {
			status = shwalk_node(w, i);
		}
		settle(w);
		if (node == 0 && w->depth == 0) {
			if (w->aborted == GAVE_UP)
				shwalk_clobber(w, SHVAL_LIMIT, "", 0, NULL);
			w->aborted = 0;
			shlast_settle(w);
		}
		if (w->flow != FLOW_GO) {
			rest_dead(w, shnode_next(c, i));
			break;
		}
		w->status = status;
	}
	return status;
}

static int chain(struct shval_run *, uint32_t, int);

/* The status is not known: what follows is walked for both. */
static int
chain_both(struct shval_run *w, uint32_t node)
{
	const struct shval *wish = w->wish;
	size_t guards = w->nguard;
	struct shfork f;

	shfork_open(w, &f);
	w->maybe++;
	grant(w, 1);
	w->status = chain(w, node, 0);
	settle(w);
	shfork_arm(w, &f);
	w->nguard = guards;
	w->wish = NULL;
	w->status = ST_FAIL;
	(void)wish;
	w->status = chain(w, node, ST_FAIL);
	settle(w);
	shfork_arm(w, &f);
	w->maybe--;
	shfork_close(w, &f);
	return w->status;
}

/* An and-or list from node on, whose status so far is known. */
static int
chain(struct shval_run *w, uint32_t node, int status)
{
	const struct shcmd *c = w->src->cmd;

	while (node != SH_NONE && w->flow == FLOW_GO) {
		const struct shnode *n = &c->node[node];
		uint32_t next = shnode_next(c, node);
		if (n->op != OP_NONE && (n->op == OP_ANDIF) != (status == 0)) {
			shwalk_dead(w, node);
			node = next;
			continue;
		}
		grant(w, status == 0);
		w->status = status;
		w->cond += next != SH_NONE;
		status = shwalk_node(w, node);
		w->cond -= next != SH_NONE;
		node = next;
		if (status == ST_UNKNOWN && node != SH_NONE &&
		    w->flow == FLOW_GO)
			return chain_both(w, node);
	}
	return status;
}

static int
andor(struct shval_run *w, uint32_t node)
{
	const struct shcmd *c = w->src->cmd;
	uint32_t first = shnode_child(c, node);
	size_t guards = w->nguard;
	int status;

	if (first == SH_NONE)
		return ST_UNKNOWN;
	status = chain(w, first, 0);
	w->nguard = guards;
	return status;
}

static const char *
first_word(struct shval_run *w, uint32_t node)
{
	const struct shcmd *c = w->src->cmd;
	const struct shnode *n = &c->node[node];
	const struct shword *x;

	if (n->kind != SH_SIMPLE || n->nword <= n->nassign)
		return NULL;
	x = &c->word[n->word + n->nassign];
	return shwalk_dup(w, c->text + x->off, x->end - x->off);
}

static int
pipeline(struct shval_run *w, uint32_t node)
{
	const struct shcmd *c = w->src->cmd;
	uint32_t i = shnode_child(c, node), first = i;
	const struct shopts *o = w->opts.now;
	struct shout *out = w->out, none = { 0 };
	int status = 0, stages = 0, fails = 0;
	int negated = (c->node[node].flags & SHN_NEGATED) != 0;
	size_t guards = w->nguard;

	w->cond += negated;
	for (; i != SH_NONE && !w->limited; i = shnode_next(c, i)) {
		uint32_t next = shnode_next(c, i);
		w->out = next == SH_NONE || out == NULL ? out : &none;
		if (stages > 0 && out != NULL && !none.lost &&
		    c->node[i].kind == SH_SIMPLE)
			w->pipe = none.v ? none.v : &shval_empty;
		none = (struct shout){ 0 };
		if (next == SH_NONE && (stages == 0 || (o->on & OPT_LASTPIPE)))
			status = shwalk_node(w, i);
		else
			status = shwalk_subshell(w, i);
		w->pipe = NULL;
		fails |= status != 0;
		stages++;
	}
	w->cond -= negated;
	w->out = out;
	if (stages > 1 && out != NULL && out->v != NULL &&
	    out->v->npiece == 1 && out->v->piece[0].why == SHVAL_COMMAND) {
		const char *name = first_word(w, first);
		if (name != NULL)
			out->v = shval_vague(w, SHVAL_COMMAND, name);
	}
	if (stages > 1 && fails && ((o->on | o->vague) & OPT_PIPEFAIL))
		status = ST_UNKNOWN;
	if (negated) {
		w->nguard = guards;
		if (status != ST_UNKNOWN)
			status = status == 0;
	}
	return status;
}

static int
define(struct shval_run *w, uint32_t node)
{
	const struct shcmd *c = w->src->cmd;
	const struct shnode *n = &c->node[node];
	struct arena *was = shlast_begin(w);
	struct shfunc *f = shwalk_alloc(w, sizeof(*f));
	struct buf name = { 0 };

	shlast_end(w, was);
	*f = (struct shfunc){ w->src, shnode_child(c, node), NULL, NULL, 0 };
	if (n->nword > 0 && shcmd_literal(c, n->word, &name) == 0 &&
	    f->body != SH_NONE) {
		struct shslot *slot =
		    shslot_get(w, name.s ? name.s : "", name.len);
		f->name = slot->name;
		shloc_set(w, &slot->func, f);
		if (slot->handles)
			shtrap_function(w, f);
	}
	buf_free(&name);
	return 0;
}

static int
arithmetic(struct shval_run *w, uint32_t node)
{
	const struct shcmd *c = w->src->cmd;
	const struct shnode *n = &c->node[node];
	uint32_t i = shcmd_token(c, n->off), end = shcmd_token(c, n->end);
	struct shnum x;

	while (i < end && c->tok[i].kind != TOK_ARITH)
		i++;
	if (i == end)
		return ST_UNKNOWN;
	x = sharith_tokens(w, i + 1, shtok_close(c, i, end));
	return x.why == SHVAL_KNOWN ? x.n == 0 : ST_UNKNOWN;
}

static int
coproc(struct shval_run *w, uint32_t node)
{
	const struct shcmd *c = w->src->cmd;
	const struct shnode *n = &c->node[node];
	uint32_t child = shnode_child(c, node);

	if (child != SH_NONE)
		shwalk_subshell(w, child);
	if (n->nword > 0) {
		const struct shword *x = &c->word[n->word];
		shvar_vague(w, c->text + x->off, x->end - x->off, SHVAL_CHANGES,
		    "coproc");
	} else {
		shvar_vague(w, "COPROC", 6, SHVAL_CHANGES, "coproc");
	}
	return 0;
}

static int
by_kind(struct shval_run *w, uint32_t node)
{
	const struct shcmd *c = w->src->cmd;
	uint32_t child = shnode_child(c, node);

	switch (c->node[node].kind) {
	case SH_LIST: return shwalk_list(w, node);
	case SH_ANDOR: return andor(w, node);
	case SH_PIPE: return pipeline(w, node);
	case SH_GROUP: return child != SH_NONE ? shwalk_list(w, child) : 0;
	case SH_SUBSHELL:
		return child != SH_NONE ? shwalk_subshell(w, child) : 0;
	case SH_IF: return shbranch_if(w, node);
	case SH_WHILE:
	case SH_UNTIL:
	case SH_FOR:
	case SH_SELECT:
	case SH_ARITHFOR: return shloop_run(w, node);
	case SH_CASE: return shbranch_case(w, node);
	case SH_FUNC: return define(w, node);
	case SH_ARITH: return arithmetic(w, node);
	case SH_COND: return shcond_run(w, node);
	case SH_COPROC: return coproc(w, node);
	default: return ST_UNKNOWN;
	}
}

/* set -e: a command that fails for sure ends the script. */
static void
fail_fast(struct shval_run *w, int kind, int status)
{
	const struct shopts *o = w->opts.now;

	if (status != 0 && w->cond == 0)
		w->unsure++;
	if (status == 0 || status == ST_UNKNOWN || w->cond > 0 ||
	    !(o->on & OPT_ERREXIT) || w->flow != FLOW_GO)
		return;
	if (kind == SH_SIMPLE || kind == SH_ARITH || kind == SH_COND) {
		w->status = status;
		w->flow = FLOW_EXIT;
	}
}

int
shwalk_node(struct shval_run *w, uint32_t node)
{
	const struct shnode *n = &w->src->cmd->node[node];
	struct shout *out = w->out, none = { 0 };
	int status;

	if (!shwalk_step(w) || w->nest >= NEST_MAX) {
		w->limited = 1;
		w->flow = FLOW_GONE;
		return ST_UNKNOWN;
	}
	w->nest++;
	if (n->kind == SH_SIMPLE) {
		status = shwalk_simple(w, node);
	} else {
		if (out != NULL && shwalk_diverted(w, n))
			w->out = &none;
		if (n->nredir > 0)
			shwalk_redirs(w, n);
		status = by_kind(w, node);
		w->out = out;
	}
	w->nest--;
	fail_fast(w, n->kind, status);
	return status;
}
