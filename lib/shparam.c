#include <string.h>

#include "shwalk.h"

/* What stands in ${ }: a parameter, or several (@, *, a[@]). */
struct subject {
	const char *name;
	size_t len;
	const struct shvar *var; /* NULL: positional or special */
	const struct shval *v; /* when it is one */
	const struct shval **list;
	size_t n;
	int many, star, vague;
	struct shval_from from;
	int dq;
};

static int
is_number_name(const char *s, size_t len)
{
	return len == 1 && memchr("#?$!", s[0], 4) != NULL;
}

/* One value takes its place in the word. */
static void
put_one(struct shval_run *w, const struct subject *s, const struct shval *v)
{
	const struct shopts *o = w->opts.now;

	if (!v->unset || v->alt != NULL) {
		shitem_value(w, v, s->dq);
	} else if (o->on & OPT_NOUNSET) {
		shitem_vague(w, SHVAL_UNSET_CLUSTER,
		    shwalk_dup(w, s->name, s->len), s->from, s->dq);
	} else {
		struct shpiece p = { SHVAL_KNOWN, s->dq,
			shwalk_dup(w, s->name, s->len), 0, s->from };
		shitem_piece(w, &p, s->dq ? 0 : IT_SPLIT);
	}
}

static void
put_list(struct shval_run *w, const struct subject *s,
    const struct shval **list, size_t n)
{
	const char *ifs = shwalk_ifs(w);
	struct shpiece sep = { SHVAL_KNOWN, s->dq, " ", 1, { NULL, 0, 0 } };

	if (s->star && ifs == NULL) {
		shitem_vague(w, SHVAL_SOURCED, "IFS", s->from, s->dq);
		return;
	}
	if (s->star) {
		sep.s = ifs;
		sep.len = ifs[0] != '\0';
	}
	for (size_t i = 0; i < n && !w->limited; i++) {
		if (i > 0)
			shitem_piece(w, &sep, s->dq && s->star ? 0 : IT_BREAK);
		if (s->dq && s->star && list[i]->split) {
			const struct shpiece *p = shval_unknown(list[i]);
			shitem_vague(w, p->why, p->s, s->from, 1);
			continue;
		}
		if (s->dq && !list[i]->split)
			shitem_mark(w, IT_FORCE);
		shitem_value(w, list[i], s->dq);
	}
}

static void
list_args(struct shval_run *w, struct subject *s)
{
	const struct shargs *a = w->args.now;

	s->list = shwalk_alloc(w, (a->n + 1) * sizeof(struct shval *));
	for (size_t i = 0; i < a->n; i++)
		s->list[i] = &a->v[i];
	s->n = a->n;
	if (a->unknown) {
		struct shval *v = shval_make(
		    w, shval_vague(w, SHVAL_ARGUMENT, "@")->piece, 1);
		v->split = 1;
		s->list[s->n++] = v;
	}
	s->many = 1;
}

static void
list_array(struct shval_run *w, struct subject *s)
{
	const struct shelem *e = NULL;
	struct shelem scratch;
	size_t n = 0;

	s->many = 1;
	if (!shvar_list(s->var, &e, &n, &scratch)) {
		const struct shval *v = s->var->v;
		const struct shpiece *p = v ? shval_unknown(v) : NULL;
		struct shval *all = shval_make(w,
		    shval_vague(w, p ? p->why : SHVAL_BRANCH, p ? p->s : "")
			->piece,
		    1);
		all->split = 1;
		s->list = shwalk_alloc(w, sizeof(struct shval *));
		s->list[0] = all;
		s->n = 1;
		s->vague = 1;
		return;
	}
	s->list = shwalk_alloc(w, (n + 1) * sizeof(struct shval *));
	for (size_t i = 0; i < n; i++)
		s->list[i] = e[i].v;
	s->n = n;
}

void
shparam_name(struct shval_run *w, const char *name, size_t len,
    struct shval_from from, int mode)
{
	struct subject s = { .from = from, .dq = (mode & EXP_DQ) != 0 };
	const struct shval *v;

	while (len > 2 && name[0] == '\\' && name[1] == '\n')
		name += 2, len -= 2;
	s.name = name;
	s.len = len;
	if (len == 1 && (name[0] == '@' || name[0] == '*')) {
		s.star = name[0] == '*';
		list_args(w, &s);
		put_list(w, &s, s.list, s.n);
		return;
	}
	v = shparam_special(w, name, len);
	if (v == NULL)
		v = shvar_scalar(w, shvar_find(w, name, len));
	else if (is_number_name(name, len) && shval_unknown(v) != NULL)
		s.dq = 1;
	put_one(w, &s, v);
}

/* --- ${ } --- */

struct brace {
	uint32_t sub, subend; /* of the subscript, its brackets */
	uint32_t pop, end; /* the operator; the closing brace */
	int length, indirect;
};

/* ${name[...]}: the subscript chooses. */
static void
subscript(struct shval_run *w, struct subject *s, const struct brace *b)
{
	const struct shcmd *c = w->src->cmd;
	uint32_t i = b->sub + 1;
	struct shelem key;
	int known;

	if (i + 1 == b->subend && shtok_len(&c->tok[i]) == 1 &&
	    (c->text[c->tok[i].off] == '@' || c->text[c->tok[i].off] == '*')) {
		s->star = c->text[c->tok[i].off] == '*';
		list_array(w, s);
		return;
	}
	if (!sharith_subscript(w, s->var, i, b->subend, &key)) {
		s->v = shval_vague(w, SHVAL_BRANCH, "");
		return;
	}
	s->v = shvar_elem(s->var, &key, &known);
	if (!known)
		s->v = s->var->v ? s->var->v : shval_vague(w, SHVAL_BRANCH, "");
	else if (s->v == NULL)
		s->v = &shval_unset_value;
}

/* 1 for a subscript that is not the number 0. */
static int
is_later(const struct shval_run *w, const struct brace *b)
{
	const struct shcmd *c = w->src->cmd;

	return b->sub != b->subend &&
	    (b->sub + 2 != b->subend || shtok_len(&c->tok[b->sub + 1]) != 1 ||
		c->text[c->tok[b->sub + 1].off] != '0');
}

static void
find_subject(struct shval_run *w, struct subject *s, const struct brace *b)
{
	if (s->len == 1 && (s->name[0] == '@' || s->name[0] == '*')) {
		s->star = s->name[0] == '*';
		list_args(w, s);
		return;
	}
	if (!shparam_issource(s->name, s->len) || !is_later(w, b))
		s->v = shparam_special(w, s->name, s->len);
	if (s->v != NULL)
		return;
	s->var = shvar_find(w, s->name, s->len);
	if (b->sub != b->subend)
		subscript(w, s, b);
	else
		s->v = shvar_scalar(w, s->var);
}

static void
put_number(struct shval_run *w, const struct subject *s, long long n)
{
	shitem_value(w, shval_number(w, n, s->from), 1);
}

static void
put_length(struct shval_run *w, const struct subject *s)
{
	size_t n;
	const char *t;

	if (s->var != NULL && s->many && (s->var->flags & VAR_ASSOC) &&
	    !(s->var->flags & VAR_MAYBE)) {
		put_number(w, s, (long long)s->var->nelem);
		return;
	}
	if (s->many) {
		for (size_t i = 0; i < s->n; i++) {
			if (s->list[i]->split) {
				const struct shpiece *p =
				    shval_unknown(s->list[i]);
				shitem_vague(w, p->why, p->s, s->from, 1);
				return;
			}
		}
		put_number(w, s, (long long)s->n);
		return;
	}
	if (s->v->unset && s->v->alt == NULL) {
		put_number(w, s, 0);
		return;
	}
	t = shval_cstr(w, s->v, &n);
	for (size_t i = 0; t != NULL && i < n; i++) {
		if ((unsigned char)t[i] >= 0x80) {
			shitem_vague(w, SHVAL_LIMIT, "", s->from, 1);
			return;
		}
	}
	if (t != NULL) {
		put_number(w, s, (long long)n);
	} else {
		const struct shpiece *p = shval_unknown(s->v);
		shitem_vague(w, p->why, p->s, s->from, 1);
	}
}

static void
put_keys(struct shval_run *w, const struct subject *s)
{
	const struct shelem *e = NULL;
	struct shelem scratch;
	size_t n = 0;
	int ok = shvar_list(s->var, &e, &n, &scratch);
	const struct shval **list =
	    shwalk_alloc(w, (n + 1) * sizeof(struct shval *));

	for (size_t i = 0; i < n && ok; i++) {
		if (e[i].v->split || (e[i].key == NULL && e[i].index < 0))
			ok = 0;
		else if (e[i].key != NULL)
			list[i] = shval_string(
			    w, e[i].key, e[i].keylen, shval_nowhere);
		else
			list[i] = shval_number(w, e[i].index, shval_nowhere);
	}
	if (!ok) {
		shitem_vague(w, SHVAL_BRANCH, "", s->from, s->dq);
		w->item[w->nitem - 1].flag |= IT_SPLIT;
		return;
	}
	put_list(w, s, list, n);
}

/* name[@], name[*] or name[NUMBER] as the value of another variable. */
static int
follow_element(struct shval_run *w, struct subject *s, const char *name,
    size_t n, size_t len)
{
	struct shelem key = { 0 };
	const char *sub = name + len + 1;
	size_t k = n - len - 2;
	int known;

	s->name = name;
	s->len = len;
	s->var = shvar_find(w, name, len);
	if (k == 1 && (sub[0] == '@' || sub[0] == '*')) {
		s->star = sub[0] == '*';
		list_array(w, s);
		return 1;
	}
	if (k > 6 || !shparam_isdigits(sub, k) || (s->var->flags & VAR_ASSOC))
		return 0;
	for (size_t i = 0; i < k; i++)
		key.index = key.index * 10 + (sub[i] - '0');
	s->v = shvar_elem(s->var, &key, &known);
	if (s->v == NULL)
		s->v = &shval_unset_value;
	return known;
}

/* The variable that the value of another names. 0: not known which. */
static int
follow(struct shval_run *w, struct subject *s, struct brace *b)
{
	size_t n;
	const char *name;

	find_subject(w, s, b);
	if (s->many || (s->var && (s->var->flags & VAR_NAMEREF)))
		return 0;
	name = shval_cstr(w, s->v, &n);
	if (name == NULL)
		return 0;
	size_t len = strcspn(name, "[");
	if (n > len + 2 && name[n - 1] == ']' && shname_valid(name, len))
		return follow_element(w, s, name, n, len);
	if (!shname_valid(name, n) && !shparam_isdigits(name, n)) {
		shwalk_error(w);
		return 0;
	}
	s->name = name;
	s->len = n;
	s->var = NULL;
	b->sub = b->subend = 0;
	find_subject(w, s, b);
	return 1;
}

/* Whether the word behind - = + ? is used: -1 cannot tell. */
static int
use_word(const struct shval *v, int colon)
{
	if (v->unset)
		return 1;
	return colon ? shval_isempty(v) : 0;
}

static const struct shval *
operand(struct shval_run *w, const struct brace *b, int dq)
{
	return shword_value(w, b->pop + 1, b->end, dq ? EXP_DQ : 0);
}

static void
put_operand(struct shval_run *w, const struct subject *s, const struct brace *b)
{
	size_t base = w->nitem;

	shword_tokens(w, b->pop + 1, b->end, s->dq ? EXP_DQ : 0);
	for (size_t i = base; i < w->nitem; i++) {
		struct shitem *it = &w->item[i];
		if (!s->dq && !it->p.quoted &&
		    !(it->flag & (IT_FORCE | IT_BREAK)))
			it->flag |= IT_SPLIT;
	}
}

/* Some alternatives of the value use the word, others do not. */
static void
put_either(struct shval_run *w, const struct subject *s, const struct brace *b,
    char op, int colon)
{
	const struct shval *r = NULL, *word = operand(w, b, s->dq);

	for (const struct shval *v = s->v; v != NULL; v = v->alt) {
		struct shval *one = shwalk_alloc(w, sizeof(*one));
		int use = use_word(v, colon);
		*one = *v;
		one->alt = NULL;
		one->unset = 0;
		if (op == '+')
			use = use < 0 ? use : !use;
		if (use != 1) {
			const struct shval *x = op == '+' ? &shval_empty : one;
			r = r ? shval_either(w, r, x) : x;
		}
		if (use != 0)
			r = r ? shval_either(w, r, word) : word;
	}
	for (size_t i = 0; i < word->npiece && !s->dq; i++) {
		if (word->piece[i].quoted) {
			r = shval_vague(w, SHVAL_BRANCH, "");
			break;
		}
	}
	if (op == '=')
		shvar_set(w, s->name, s->len, r, 0);
	shitem_value(w, r, s->dq);
}

static void
put_default(struct shval_run *w, const struct subject *s, const struct brace *b,
    char op, int colon)
{
	int use = use_word(s->v, colon);

	if (s->v->alt != NULL || use < 0) {
		if (op == '?')
			put_one(w, s, s->v);
		else
			put_either(w, s, b, op, colon);
		return;
	}
	if (op == '+') {
		if (!use)
			put_operand(w, s, b);
	} else if (!use) {
		put_one(w, s, s->v);
	} else if (op == '?') {
		shitem_vague(w, SHVAL_ARGUMENT, shwalk_dup(w, s->name, s->len),
		    s->from, s->dq);
	} else if (op == '=' && s->var != NULL && b->sub == b->subend) {
		const struct shval *v = operand(w, b, s->dq);
		shvar_set(w, s->name, s->len, v, 0);
		shitem_value(w, v, s->dq);
	} else {
		if (op == '=' && s->var != NULL)
			shvar_vague(w, s->name, s->len, SHVAL_LIMIT, "");
		put_operand(w, s, b);
	}
}

/* The same for $@ and a[@], which count as set when there is an element. */
static void
put_default_list(struct shval_run *w, const struct subject *s,
    const struct brace *b, char op, int colon)
{
	int use = s->n == 0;

	if (s->n == 1 &&
	    (s->vague || s->list[0]->split ||
		(colon && shval_isempty(s->list[0]) != 0))) {
		operand(w, b, s->dq);
		shitem_vague(w, SHVAL_BRANCH, "", s->from, s->dq);
		w->item[w->nitem - 1].flag |= IT_SPLIT;
		return;
	}
	if (op == '+') {
		if (!use)
			put_operand(w, s, b);
	} else if (use) {
		put_operand(w, s, b);
	} else {
		put_list(w, s, s->list, s->n);
	}
}

static void
slice_list(struct shval_run *w, struct subject *s, const struct shoper *op)
{
	size_t from, to, n = s->n, plus = s->var == NULL;
	const struct shval **list =
	    shwalk_alloc(w, (n + 2) * sizeof(struct shval *));
	struct shoper o = *op;
	int ok = op->why == SHVAL_KNOWN;

	list[0] = shparam_positional(w, "0", 1);
	for (size_t i = 0; i < n; i++) {
		list[i + plus] = s->list[i];
		if (s->list[i]->split &&
		    (o.off < 0 || i + plus < (size_t)o.off || o.counted))
			ok = 0;
		if (s->var != NULL && !s->list[i]->split &&
		    (s->var->flags & VAR_ARRAY) &&
		    s->var->elem[i].index != (int64_t)i)
			ok = 0;
	}
	if (!ok || !shoper_range(&o, (long long)(n + plus), &from, &to)) {
		shitem_vague(w, SHVAL_BRANCH, "", s->from, s->dq);
		w->item[w->nitem - 1].flag |= IT_SPLIT;
		return;
	}
	put_list(w, s, list + from, to - from);
}

static void
put_operator(struct shval_run *w, struct subject *s, const struct brace *b)
{
	struct shoper op;

	shoper_read(w, &op, b->pop, b->end);
	if (!s->many) {
		const struct shval *v = shoper_apply(w, &op, s->v);
		shitem_value(w, v, s->dq);
		return;
	}
	if (op.kind == ':') {
		slice_list(w, s, &op);
		return;
	}
	const struct shval **list =
	    shwalk_alloc(w, (s->n + 1) * sizeof(struct shval *));
	for (size_t i = 0; i < s->n; i++)
		list[i] = s->list[i]->split ? s->list[i]
					    : shoper_apply(w, &op, s->list[i]);
	for (size_t i = 0; i < s->n; i++) {
		if (s->list[i]->split) {
			struct shval *v = shval_make(
			    w, shval_vague(w, SHVAL_BRANCH, "")->piece, 1);
			v->split = 1;
			list[i] = v;
		}
	}
	put_list(w, s, list, s->n);
}

static void
expand(struct shval_run *w, struct subject *s, struct brace *b)
{
	const struct shcmd *c = w->src->cmd;
	const char *op = b->pop < b->end ? c->text + c->tok[b->pop].off : "";
	uint32_t n = b->pop < b->end ? shtok_len(&c->tok[b->pop]) : 0;
	int colon = n == 2 && op[0] == ':';

	if (b->indirect) {
		if (n > 0 && (op[0] == '*' || (op[0] == '@' && n == 1))) {
			shitem_vague(w, SHVAL_COMMAND, "", s->from, s->dq);
			w->item[w->nitem - 1].flag |= IT_SPLIT;
			return;
		}
		find_subject(w, s, b);
		if (s->many && s->var != NULL && n == 0) {
			put_keys(w, s);
			return;
		}
		s->many = 0;
		if (!follow(w, s, b)) {
			if (n > 0 && op[colon] == '=')
				shwalk_error(w);
			shitem_vague(w, SHVAL_BRANCH, "", s->from, s->dq);
			return;
		}
	} else {
		find_subject(w, s, b);
	}
	if (b->length)
		put_length(w, s);
	else if (n == 0)
		s->many ? put_list(w, s, s->list, s->n) : put_one(w, s, s->v);
	else if (memchr("-=?+", op[colon], 4) == NULL)
		put_operator(w, s, b);
	else if (s->many)
		put_default_list(w, s, b, op[colon], colon);
	else
		put_default(w, s, b, op[colon], colon);
}

uint32_t
shparam_brace(struct shval_run *w, uint32_t tok, uint32_t end, int mode)
{
	const struct shcmd *c = w->src->cmd;
	uint32_t close = shtok_close(c, tok, end), i = tok + 1;
	struct subject s = { .dq = (mode & EXP_DQ) != 0 };
	struct brace b = { .end = close };

	s.from = (struct shval_from){ w->src, c->tok[tok].off,
		close < end ? c->tok[close].off + 1 : c->tok[tok].off };
	if (i < close && c->tok[i].kind == TOK_PNAME) {
		s.name = c->text + c->tok[i].off;
		s.len = shtok_len(&c->tok[i]);
		i++;
	}
	if (s.len > 1 && s.name[0] == '#')
		b.length = 1, s.name++, s.len--;
	else if (s.len > 1 && s.name[0] == '!')
		b.indirect = 1, s.name++, s.len--;
	if (i < close && c->tok[i].kind == TOK_SUB) {
		b.sub = i;
		b.subend = shtok_close(c, i, close);
		i = b.subend + 1;
	}
	while (i < close && c->tok[i].kind == TOK_CONT)
		i++;
	b.pop = i < close ? i : close;
	if (s.len == 0 || (b.pop < close && c->tok[b.pop].kind != TOK_POP) ||
	    w->depth >= SHWALK_DEPTH) {
		shitem_vague(w, SHVAL_LIMIT, "", s.from, s.dq);
	} else {
		w->depth++;
		expand(w, &s, &b);
		w->depth--;
	}
	return close < end ? close + 1 : end;
}
