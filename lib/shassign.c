#include <string.h>

#include "mem.h"
#include "shwalk.h"

/* The name may be split by continuations. */
static void
read_name(struct shval_run *w, struct shassign *a, uint32_t tok, uint32_t end)
{
	const struct shcmd *c = w->src->cmd;
	struct buf b = { 0 };

	for (uint32_t i = tok; i < end; i++) {
		if (c->tok[i].kind == TOK_LIT)
			buf_add(
			    &b, c->text + c->tok[i].off, shtok_len(&c->tok[i]));
	}
	a->len = b.len;
	a->name = shwalk_dup(w, b.s ? b.s : "", b.len);
	buf_free(&b);
}

/* Whether + is before the = that ends the token; not only continuations. */
static int
appends(const struct shcmd *c, const struct shtok *t)
{
	const char *s = c->text + shtok_end(t) - 1;

	while (s[-1] == '\n')
		s -= 2;
	return s[-1] == '+';
}

int
shassign_read(struct shval_run *w, uint32_t word, struct shassign *a)
{
	const struct shcmd *c = w->src->cmd;
	const struct shword *x = &c->word[word];
	uint32_t i = x->tok, end = x->tok + x->ntok;

	*a = (struct shassign){ .end = end };
	for (; i < end && !(c->tok[i].flags & SHTOK_ASSIGN); i++) {
		if (c->tok[i].kind == TOK_SUB && a->sub == 0) {
			a->sub = i;
			a->subend = i = shtok_close(c, i, end);
		}
	}
	if (i >= end)
		return 0;
	const struct shtok *t = &c->tok[i];
	const char *s = c->text + t->off;
	for (a->value = i + 1;
	     a->value < end && c->tok[a->value].kind == TOK_CONT;)
		a->value++;
	a->append = appends(c, t);
	if (a->sub == a->subend && i == x->tok) {
		a->name = s;
		a->len = shtok_len(t) - 1 - (uint32_t)a->append;
	} else if (a->sub == a->subend) {
		read_name(w, a, x->tok, i + 1);
		a->len -= 1 + (size_t)a->append;
	} else {
		read_name(w, a, x->tok, a->sub);
	}
	a->array = a->value < end && c->tok[a->value].kind == TOK_ARRAY;
	return a->len > 0;
}

/* The tokens of one element of an array from i on; gives where it ends. */
static uint32_t
element_end(const struct shcmd *c, uint32_t i, uint32_t end)
{
	while (i < end) {
		uint8_t k = c->tok[i].kind;
		if (k == TOK_BLANK || k == TOK_NEWLINE || k == TOK_COMMENT ||
		    k == TOK_LONEBS)
			return i;
		if (k == TOK_CMD || k == TOK_BQ || k == TOK_BRACE ||
		    k == TOK_ARITH || k == TOK_PROC || k == TOK_DQ ||
		    k == TOK_GROUP || k == TOK_SUB)
			i = shtok_close(c, i, end);
		i += i < end;
	}
	return end;
}

struct list {
	struct shelem *e;
	size_t n, cap;
	int keyed; /* some element names its place */
	int bad; /* in a way that is not followed */
};

static void
list_add(struct list *l, const struct shelem *e)
{
	l->e = mem_more(l->e, l->n, &l->cap, sizeof(*l->e));
	l->e[l->n++] = *e;
}

/* Tokens with one of these bytes. */
static int
with_any(const struct shcmd *c, uint32_t i, uint32_t end, const char *bytes)
{
	for (; i < end; i++) {
		for (uint32_t k = 0; k < shtok_len(&c->tok[i]); k++) {
			if (strchr(bytes, c->text[c->tok[i].off + k]) != NULL)
				return 1;
		}
	}
	return 0;
}

/* [index]=value; 0 when the word is no such thing. */
static int
keyed(struct shval_run *w, const struct shassign *a, struct list *l, uint32_t i,
    uint32_t end)
{
	const struct shcmd *c = w->src->cmd;
	uint32_t close;
	struct shelem e;
	size_t base = w->nitem;

	if (c->tok[i].kind != TOK_SUB)
		return 0;
	close = shtok_close(c, i, end);
	if (close + 1 >= end || c->tok[close + 1].kind != TOK_LIT)
		return 0;
	const struct shtok *t = &c->tok[close + 1];
	if (c->text[t->off] != '=')
		return 0;
	if (!sharith_subscript(
		w, shvar_find(w, a->name, a->len), i + 1, close, &e)) {
		l->bad = 1;
	}
	/* when subscripts are evaluated, and braces, is not followed */
	l->bad |= with_any(c, i + 1, close, "[=+-");
	l->bad |= with_any(c, close + 1, end, "{");
	if (shtok_len(t) > 1)
		shword_literal(
		    w, t->off + 1, shtok_end(t), EXP_ASSIGN, close + 2 == end);
	shword_tokens(w, close + 2, end,
	    EXP_ASSIGN | (shtok_len(t) > 1 ? EXP_INSIDE : 0));
	e.v = shfield_join(w, base);
	w->nitem = base;
	l->keyed = 1;
	if (e.key == NULL)
		e.keylen = 1;
	else if (shtok_len(t) > 1 && c->text[t->off + 1] == '~')
		l->bad = 1;
	list_add(l, &e);
	return 1;
}

static void
read_elements(struct shval_run *w, const struct shassign *a, uint32_t word,
    struct list *l)
{
	const struct shcmd *c = w->src->cmd;
	uint32_t i = a->value + 1, close = shtok_close(c, a->value, a->end);

	while (i < close && !w->limited) {
		uint32_t to = element_end(c, i, close);
		while (i < to && c->tok[i].kind == TOK_CONT)
			i++;
		if (to == i) {
			i++;
			continue;
		}
		if (!keyed(w, a, l, i, to)) {
			size_t base = w->nword;
			shword_range(w, i, to, word);
			for (size_t k = base; k < w->nword; k++) {
				struct shval *v = shwalk_alloc(w, sizeof(*v));
				*v = w->word[k];
				struct shelem e = { NULL, 0, 0, v };
				list_add(l, &e);
			}
			w->nword = base;
		}
		i = to;
	}
}

/* Elements with places of their own, one after the other. */
static void
assign_keyed(struct shval_run *w, const struct shassign *a, struct list *l)
{
	int64_t next = 0;
	int assoc = (shvar_find(w, a->name, a->len)->flags & VAR_ASSOC) != 0;
	int bad = l->bad;

	for (size_t i = 0; i < l->n; i++) {
		struct shelem *e = &l->e[i];
		int keyed = e->key != NULL || e->keylen > 0;
		if (!keyed && i == 0)
			bad |= a->append;
		if (!keyed)
			e->index = next;
		if (e->key == NULL)
			e->keylen = 0;
		next = e->index + 1;
		bad |= e->index < 0 || e->v->split || (assoc && !keyed);
	}
	shvar_set_list(w, a->name, a->len, NULL, 0, a->append);
	for (size_t i = 0; i < l->n && !bad; i++)
		shvar_set_elem(w, a->name, a->len, &l->e[i], 0);
	if (bad)
		shvar_vague(w, a->name, a->len, SHVAL_BRANCH,
		    shwalk_dup(w, a->name, a->len));
}

static const struct shval *
assign_array(struct shval_run *w, const struct shassign *a, uint32_t word)
{
	struct list l = { 0 };
	const struct shval *v = &shval_empty;

	read_elements(w, a, word, &l);
	if (w->aborted == GAVE_UP_ALONE)
		shvar_vague(w, a->name, a->len, SHVAL_LIMIT, "");
	else if (l.keyed)
		assign_keyed(w, a, &l);
	else if (shvar_find(w, a->name, a->len)->flags & VAR_ASSOC)
		shvar_vague(w, a->name, a->len, SHVAL_LIMIT, "");
	else
		shvar_set_list(w, a->name, a->len, l.e, l.n, a->append);
	if (l.n > 0)
		v = l.e[0].v;
	mem_free(l.e);
	return v;
}

const struct shval *
shassign_run(struct shval_run *w, uint32_t word)
{
	struct shassign a;
	const struct shval *v;
	struct shelem e;

	if (!shassign_read(w, word, &a))
		return &shval_empty;
	if (a.array && a.sub == a.subend)
		return assign_array(w, &a, word);
	if (a.array)
		return &shval_empty;
	v = shword_value(w, a.value, a.end, EXP_ASSIGN);
	if (w->aborted == GAVE_UP_ALONE)
		return v;
	if (a.sub == a.subend) {
		shvar_set(w, a.name, a.len, v, a.append);
		return v;
	}
	if (a.sub + 1 == a.subend)
		return v;
	if (sharith_subscript(
		w, shvar_find(w, a.name, a.len), a.sub + 1, a.subend, &e)) {
		e.v = v;
		shvar_set_elem(w, a.name, a.len, &e, a.append);
	} else {
		shvar_vague(w, a.name, a.len, SHVAL_BRANCH,
		    shwalk_dup(w, a.name, a.len));
	}
	return v;
}

const char *
shassign_text(struct shval_run *w, const struct shval *v, size_t *len,
    const struct shval **value, int *append)
{
	size_t n, k = 0;
	const char *s = shval_head(w, v, &n), *t;

	*len = 0;
	*value = NULL;
	*append = 0;
	if (s != NULL)
		k = shname_len(s, n);
	if (k == 0 || v->split)
		return "";
	*append = k + 1 < n && s[k] == '+' && s[k + 1] == '=';
	if (k < n && s[k + (size_t)*append] != '=')
		return "";
	for (const struct shval *a = v->alt; a != NULL; a = a->alt) {
		size_t m;
		t = shval_head(w, a, &m);
		if (t == NULL || m < k || memcmp(s, t, k) != 0)
			return "";
	}
	*len = k;
	if (k < n)
		*value = shval_drop(w, v, k + 1 + (size_t)*append);
	return s;
}
