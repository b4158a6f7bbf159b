#include <string.h>

#include "shwalk.h"

enum { NUM_DEPTH = 16 };

/* The bytes, with a hole for each unknown piece; NULL when that fails. */
static const char *
with_holes(
    struct shval_run *w, const struct shval *v, struct shnum *hole, size_t *len)
{
	char *s = shwalk_alloc(w, shval_length(v) + v->npiece + 1);
	size_t n = 0;

	for (size_t i = 0; i < v->npiece; i++) {
		const struct shpiece *p = &v->piece[i];
		if (p->why != SHVAL_KNOWN) {
			s[n++] = SHARITH_HOLE;
			*hole = (struct shnum){ 0, p->why, p->s };
			continue;
		}
		memcpy(s + n, p->s, p->len);
		if (memchr(s + n, SHARITH_HOLE, p->len) != NULL)
			return NULL;
		n += p->len;
	}
	*len = n;
	return s;
}

struct shnum
sharith_deep(struct shval_run *w, const struct shval *v, int depth)
{
	const struct shnum beyond = { 0, SHVAL_LIMIT, "" };
	struct shnum x = { 0, SHVAL_KNOWN, "" }, hole = x;
	const char *s;
	size_t n;

	if (v->alt != NULL || v->split)
		return (struct shnum){ 0, SHVAL_BRANCH, "" };
	if (depth > NUM_DEPTH || !shwalk_step(w) ||
	    (s = with_holes(w, v, &hole, &n)) == NULL)
		return beyond;
	x = hole;
	if (sharith_text(w, s, n, depth, &x))
		return x;
	w->arithbad = hole.why == SHVAL_KNOWN;
	return hole.why != SHVAL_KNOWN ? hole : beyond;
}

struct shnum
sharith_value(struct shval_run *w, const struct shval *v)
{
	return sharith_deep(w, v, 0);
}

struct shnum
sharith_must(struct shval_run *w, const struct shval *v)
{
	struct shnum x;

	w->arithbad = 0;
	x = sharith_deep(w, v, 0);
	if (w->arithbad)
		shwalk_error(w);
	return x;
}

/* There is '...', which bash does not take in an expression. */
static int
quotes(const struct shcmd *c, uint32_t i, uint32_t end)
{
	for (; i < end; i++) {
		if (c->tok[i].kind == TOK_SQ)
			return 1;
		if (c->tok[i].kind == TOK_CMD || c->tok[i].kind == TOK_BRACE)
			i = shtok_close(c, i, end);
	}
	return 0;
}

struct shnum
sharith_tokens(struct shval_run *w, uint32_t tok, uint32_t end)
{
	if (quotes(w->src->cmd, tok, end)) {
		shwalk_error(w);
		return (struct shnum){ 0, SHVAL_LIMIT, "" };
	}
	return sharith_must(w, shword_value(w, tok, end, EXP_DQ | EXP_INSIDE));
}

int
sharith_subscript(struct shval_run *w, const struct shvar *var, uint32_t tok,
    uint32_t end, struct shelem *e)
{
	const struct shval *v =
	    shword_value(w, tok, end, EXP_INSIDE | EXP_ASSIGN);
	struct shnum n;

	*e = (struct shelem){ 0 };
	if (var->flags & VAR_ASSOC) {
		e->key = shval_cstr(w, v, &e->keylen);
		return e->key != NULL;
	}
	if (quotes(w->src->cmd, tok, end)) {
		shwalk_error(w);
		return 0;
	}
	n = sharith_must(w, v);
	e->index = n.n;
	return n.why == SHVAL_KNOWN;
}
