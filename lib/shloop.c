#include <string.h>

#include "shwalk.h"

enum { PASSES = 4 };

/* A loop: what is tried before each turn, and what a turn does. */
struct loop {
	uint32_t node, cond, body;
	int until;
	const char *name; /* for, select: the variable */
	size_t len;
	uint32_t head, headend; /* for (( )): tokens of its expressions */
};

/* The variable named by the loop's first word. */
static int
loop_name(struct shval_run *w, const struct shnode *n, struct loop *l)
{
	struct buf b = { 0 };
	int ok = n->nword > 0 && shcmd_literal(w->src->cmd, n->word, &b) == 0 &&
	    shname_valid(b.s ? b.s : "", b.len);

	if (ok) {
		l->name = shwalk_dup(w, b.s, b.len);
		l->len = b.len;
	}
	buf_free(&b);
	return ok;
}

/* Ends a turn: 0 when the loop goes on. */
static int
turn_ends(struct shval_run *w, struct shtarget *t)
{
	if (w->flow == FLOW_CONTINUE && --w->levels <= 0)
		w->flow = FLOW_GO;
	shtarget_again(w, t);
	if (w->flow == FLOW_BREAK && --w->levels <= 0) {
		w->flow = FLOW_GO;
		return 1;
	}
	return w->flow != FLOW_GO;
}

/* One of the three expressions of for (( )); 1 when it is empty. */
static struct shnum
expression(struct shval_run *w, const struct loop *l, int which)
{
	const struct shval *v =
	    shword_value(w, l->head, l->headend, EXP_DQ | EXP_INSIDE);
	struct shpiece *p =
	    shwalk_alloc(w, (v->npiece + 1) * sizeof(struct shpiece));
	struct shval part = shval_empty;
	int at = 0;

	if (v->alt != NULL)
		return (struct shnum){ 0, SHVAL_BRANCH, "" };
	part.piece = p;
	for (size_t i = 0; i < v->npiece; i++) {
		struct shpiece q = v->piece[i];
		const char *semi;
		while (q.why == SHVAL_KNOWN &&
		    (semi = memchr(q.s, ';', q.len)) != NULL) {
			size_t n = (size_t)(semi - q.s);
			if (at++ == which) {
				p[part.npiece] = q;
				p[part.npiece++].len = n;
			}
			q.s += n + 1;
			q.len -= n + 1;
		}
		if (at == which)
			p[part.npiece++] = q;
	}
	size_t blank = 0;
	for (size_t i = 0; i < part.npiece; i++) {
		if (p[i].why == SHVAL_KNOWN)
			blank += strspn(p[i].s, " \t\n") >= p[i].len;
	}
	if (blank == part.npiece)
		return (struct shnum){ 1, SHVAL_KNOWN, "" };
	return sharith_must(w, &part);
}

/* Whether another turn begins: 1, 0, or -1 when that is not known. */
static int
condition(struct shval_run *w, const struct loop *l)
{
	int status;

	if (l->cond != SH_NONE) {
		w->cond++;
		status = shwalk_list(w, l->cond);
		w->cond--;
		if (status == ST_UNKNOWN)
			return -1;
		return (status == 0) != l->until;
	}
	if (l->head < l->headend) {
		struct shnum x = expression(w, l, 1);
		return x.why != SHVAL_KNOWN ? -1 : x.n != 0;
	}
	return l->name != NULL ? -1 : 1;
}

static void
turn(struct shval_run *w, const struct loop *l)
{
	w->status = shwalk_list(w, l->body);
}

static void
step(struct shval_run *w, const struct loop *l)
{
	if (l->head < l->headend && w->flow == FLOW_GO)
		expression(w, l, 2);
}

/* One turn that may or may not happen, from a state in which all that the
 * loop changes is unknown. */
static void
vague_turn(struct shval_run *w, const struct loop *l)
{
	struct shtarget t;
	int more;

	shtarget_open(w, &t, TARGET_LOOP);
	if (l->name != NULL)
		shvar_vague(w, l->name, l->len, SHVAL_BRANCH, l->name);
	more = l->name != NULL ? 1 : condition(w, l);
	if (more != 0 && w->flow == FLOW_GO)
		turn(w, l);
	turn_ends(w, &t);
	step(w, l);
	shtarget_close(w, &t);
}

/* How often it runs is not known: finds what it may change. */
static void
vague_loop(struct shval_run *w, const struct loop *l)
{
	struct shfork f;
	int changed = 1;
	size_t mark = shmark_open(w);

	w->maybe++;
	w->quiet++;
	for (int pass = 0; pass <= PASSES && changed && !w->limited; pass++) {
		if (pass == PASSES)
			shwalk_clobber(w, SHVAL_BRANCH, "", 0, NULL);
		size_t before = w->ntrail;
		shfork_open(w, &f);
		shfork_arm(w, &f);
		vague_turn(w, l);
		shfork_arm(w, &f);
		changed = shfork_close(w, &f);
		if (pass > 0 && changed)
			shfork_widen(w, before);
		if (pass == PASSES)
			changed = 0;
	}
	w->quiet--;
	shfork_open(w, &f);
	shfork_arm(w, &f);
	vague_turn(w, l);
	shfork_arm(w, &f);
	shfork_close(w, &f);
	w->maybe--;
	w->status = ST_UNKNOWN;
	shmark_close(w, mark);
}

static int
run_while(struct shval_run *w, const struct loop *l)
{
	struct shtarget t;
	int more = 1, turns = 0, status = 0, over = 0;

	shtarget_open(w, &t, TARGET_LOOP);
	while (!over && w->flow == FLOW_GO) {
		more =
		    turns++ < SHWALK_TURNS && t.leave == NULL && shwalk_step(w)
		    ? condition(w, l)
		    : -1;
		if (w->flow != FLOW_GO) {
			turn_ends(w, &t);
			break;
		}
		if (more <= 0)
			break;
		turn(w, l);
		status = w->status;
		over = turn_ends(w, &t);
		if (!over)
			step(w, l);
	}
	if (more < 0 && w->flow == FLOW_GO) {
		vague_loop(w, l);
		status = ST_UNKNOWN;
	}
	shtarget_close(w, &t);
	return status;
}

/* A loop over words that are known. */
static int
run_words(
    struct shval_run *w, const struct loop *l, const struct shval *v, size_t n)
{
	struct shtarget t;
	int maybe = w->maybe;

	shtarget_open(w, &t, TARGET_LOOP);
	w->status = 0;
	for (size_t i = 0; i < n && w->flow == FLOW_GO; i++) {
		w->maybe = maybe + (t.leave != NULL);
		shvar_set(w, l->name, l->len, &v[i], 0);
		turn(w, l);
		if (turn_ends(w, &t))
			break;
	}
	w->maybe = maybe;
	shtarget_close(w, &t);
	return w->status;
}

static int
run_for(struct shval_run *w, const struct shnode *n, struct loop *l)
{
	size_t base = w->nword, count;
	struct shval *v;
	int known = 1;

	if (!loop_name(w, n, l))
		return ST_UNKNOWN;
	if (n->flags & SHN_IN) {
		for (uint32_t i = 1; i < n->nword; i++)
			shword_fields(w, n->word + i);
		count = w->nword - base;
		v = shwalk_alloc(w, (count + 1) * sizeof(*v));
		if (count > 0)
			memcpy(v, w->word + base, count * sizeof(*v));
		w->nword = base;
	} else {
		const struct shargs *a = w->args.now;
		count = a->n;
		v = (struct shval *)(uintptr_t)a->v;
		known = !a->unknown;
	}
	for (size_t i = 0; i < count; i++)
		known &= !v[i].split;
	if (known && count <= SHWALK_TURNS && n->kind == SH_FOR)
		return run_words(w, l, v, count);
	vague_loop(w, l);
	return ST_UNKNOWN;
}

static int
run_arith(struct shval_run *w, const struct shnode *n, struct loop *l)
{
	const struct shcmd *c = w->src->cmd;
	uint32_t i = shcmd_token(c, n->off);
	uint32_t end = shcmd_token(c, c->node[l->body].off);

	while (i < end && c->tok[i].kind != TOK_ARITH)
		i++;
	if (i == end)
		return ST_UNKNOWN;
	l->head = i + 1;
	l->headend = shtok_close(c, i, end);
	expression(w, l, 0);
	return run_while(w, l);
}

int
shloop_run(struct shval_run *w, uint32_t node)
{
	const struct shcmd *c = w->src->cmd;
	const struct shnode *n = &c->node[node];
	struct loop l = { .node = node, .cond = SH_NONE, .body = SH_NONE };
	uint32_t child = shnode_child(c, node);

	if (child == SH_NONE)
		return ST_UNKNOWN;
	l.body = child;
	switch (n->kind) {
	case SH_WHILE:
	case SH_UNTIL:
		l.cond = child;
		l.body = shnode_next(c, child);
		l.until = n->kind == SH_UNTIL;
		if (l.body == SH_NONE)
			return ST_UNKNOWN;
		return run_while(w, &l);
	case SH_ARITHFOR: return run_arith(w, n, &l);
	default: return run_for(w, n, &l);
	}
}
