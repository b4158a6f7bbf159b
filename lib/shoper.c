#include <string.h>

#include "shwalk.h"

enum { TRY_MAX = 1 << 15 }; /* bytes of a value that patterns are tried on */

static void
vague(struct shoper *op, const struct shval *v)
{
	const struct shpiece *p = shval_unknown(v);

	op->why = p ? p->why : SHVAL_LIMIT;
	op->what = p ? p->s : "";
}

static void
read_pattern(struct shval_run *w, struct shoper *op, uint32_t tok, uint32_t end)
{
	const struct shval *v = shword_value(w, tok, end, EXP_INSIDE);
	struct buf b = { 0 };

	if (shval_unknown(v) != NULL || !shglob_pattern(v, &b)) {
		vague(op, v);
	} else {
		op->pattern = shwalk_dup(w, b.s ? b.s : "", b.len);
		op->len = b.len;
	}
	buf_free(&b);
}

/* The length of an arithmetic expression that ends at a colon. */
static size_t
expression(const char *s, size_t n)
{
	int depth = 0, asked = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		if (s[i] == '(' || s[i] == '[')
			depth++;
		else if (s[i] == ')' || s[i] == ']')
			depth--;
		else if (s[i] == '?' && depth == 0)
			asked++;
		else if (s[i] == ':' && depth == 0 && asked-- <= 0)
			break;
	}
	return i;
}

static long long
number(struct shval_run *w, struct shoper *op, const char *s, size_t n)
{
	struct shnum x = sharith_must(w, shval_string(w, s, n, shval_nowhere));

	if (x.why != SHVAL_KNOWN) {
		op->why = x.why;
		op->what = x.what;
	}
	return x.n;
}

static void
read_range(struct shval_run *w, struct shoper *op, uint32_t tok, uint32_t end)
{
	const struct shval *v = shword_value(w, tok, end, EXP_INSIDE | EXP_DQ);
	size_t n, k;
	const char *s = shval_cstr(w, v, &n);

	if (s == NULL) {
		vague(op, v);
		return;
	}
	k = expression(s, n);
	op->off = number(w, op, s, k);
	if (k < n) {
		op->counted = 1;
		op->count = number(w, op, s + k + 1, n - k - 1);
	}
}

static void
read_replace(struct shval_run *w, struct shoper *op, uint32_t tok, uint32_t end)
{
	const struct shcmd *c = w->src->cmd;
	uint32_t i = tok;

	while (i < end && c->tok[i].kind != TOK_POP) {
		uint8_t k = c->tok[i].kind;
		if (k == TOK_BRACE || k == TOK_CMD || k == TOK_BQ ||
		    k == TOK_PROC)
			i = shtok_close(c, i, end);
		i += i < end;
	}
	read_pattern(w, op, tok, i);
	op->with =
	    i < end ? shword_value(w, i + 1, end, EXP_INSIDE) : &shval_empty;
	if (shval_unknown(op->with) != NULL) {
		vague(op, op->with);
		return;
	}
	for (size_t k = 0; k < op->with->npiece; k++) {
		const struct shpiece *p = &op->with->piece[k];
		if (!p->quoted && memchr(p->s, '&', p->len) != NULL)
			op->why = SHVAL_LIMIT;
		if (!p->quoted && memchr(p->s, '\\', p->len) != NULL)
			op->why = SHVAL_LIMIT;
	}
}

void
shoper_read(struct shval_run *w, struct shoper *op, uint32_t pop, uint32_t end)
{
	const struct shcmd *c = w->src->cmd;
	const char *s = c->text + c->tok[pop].off;
	uint32_t n = shtok_len(&c->tok[pop]);

	*op = (struct shoper){ .kind = s[0], .why = SHVAL_KNOWN, .what = "" };
	op->twice = n > 1 && s[1] == s[0];
	if (s[0] == '@')
		op->where = n > 1 ? s[1] : '\0';
	else if (s[0] == '/' && n > 1)
		op->where = s[1];
	if (s[0] == ':')
		read_range(w, op, pop + 1, end);
	else if (s[0] == '/')
		read_replace(w, op, pop + 1, end);
	else if (s[0] != '@')
		read_pattern(w, op, pop + 1, end);
}

static int
flags_of(struct shval_run *w)
{
	const struct shopts *o = w->opts.now;

	return (o->on & OPT_EXTGLOB ? GLOB_EXT : 0) |
	    (o->on & OPT_NOCASEMATCH ? GLOB_NOCASE : 0);
}

static const struct shval *
strip(struct shval_run *w, const struct shoper *op, const struct shval *v,
    const char *s, size_t n)
{
	int front = op->kind == '#', m;

	if (n > TRY_MAX)
		return shval_vague(w, SHVAL_LIMIT, "");
	for (size_t i = 0; i <= n; i++) {
		size_t k = op->twice ? n - i : i;
		if (front)
			m = shglob_match(
			    op->pattern, op->len, s, k, flags_of(w));
		else
			m = shglob_match(
			    op->pattern, op->len, s + n - k, k, flags_of(w));
		if (m < 0)
			return shval_vague(w, SHVAL_LIMIT, "");
		if (m > 0)
			return front ? shval_slice(w, v, k, n)
				     : shval_slice(w, v, 0, n - k);
	}
	return v;
}

static const struct shval *
append(struct shval_run *w, const struct shval *a, const struct shval *b)
{
	return b->npiece > 0 ? shval_concat(w, a, b) : a;
}

/* The longest match at s[i]: its length; -1 none, -2 cannot tell. */
static long
longest(struct shval_run *w, const struct shoper *op, const char *s, size_t i,
    size_t n)
{
	size_t least = op->where == '%' ? n : i;

	if (op->len > 0 && !shglob_magic(op->pattern, op->len) &&
	    memchr("\\+@!(", op->pattern[0], 5) == NULL &&
	    op->pattern[0] != s[i] && !(flags_of(w) & GLOB_NOCASE))
		return -1;
	for (size_t k = n; k + 1 > least; k--) {
		int m = shglob_match(
		    op->pattern, op->len, s + i, k - i, flags_of(w));
		if (m < 0)
			return -2;
		if (m > 0)
			return (long)(k - i);
	}
	return -1;
}

static const struct shval *
replace(struct shval_run *w, const struct shoper *op, const struct shval *v,
    const char *s, size_t n)
{
	const struct shval *r = &shval_empty;
	size_t done = 0, i = 0;

	if (n > TRY_MAX / 8)
		return shval_vague(w, SHVAL_LIMIT, "");
	if (op->len == 0 && op->where != '#' && op->where != '%')
		return v;
	for (; i <= n && !w->limited; i++) {
		long m = i < n || op->where == '%' || op->where == '#'
		    ? longest(w, op, s, i, n)
		    : -1;
		if (m == -2 || !shwalk_step(w))
			return shval_vague(w, SHVAL_LIMIT, "");
		if (op->where == '%' && m >= 0 && i + (size_t)m != n)
			m = -1;
		if (m > 0 || (m == 0 && op->where != '/' && op->where)) {
			r = append(w, r, shval_slice(w, v, done, i));
			r = append(w, r, op->with);
			done = i + (size_t)m;
			if (!op->twice)
				break;
			i = done - 1;
		}
		if (op->where == '#')
			break;
	}
	return append(w, r, shval_slice(w, v, done, n));
}

static const struct shval *
change_case(struct shval_run *w, const struct shoper *op, const struct shval *v,
    const char *s, size_t n)
{
	char *t = shwalk_dup(w, s, n);

	for (size_t i = 0; i < n; i++) {
		int upper = op->kind == '^';
		int m = op->len == 0
		    ? 1
		    : shglob_match(op->pattern, op->len, s + i, 1, 0);
		if (m < 0 || (unsigned char)s[i] >= 0x80)
			return shval_vague(w, SHVAL_LIMIT, "");
		if (m && upper && t[i] >= 'a' && t[i] <= 'z')
			t[i] = (char)(t[i] - 32);
		if (m && !upper && t[i] >= 'A' && t[i] <= 'Z')
			t[i] = (char)(t[i] + 32);
		if (!op->twice)
			break;
	}
	return shval_string(
	    w, t, n, v->npiece > 0 ? v->piece[0].from : shval_nowhere);
}

static const struct shval *
quoted(struct shval_run *w, const char *s, size_t n)
{
	char *t = shwalk_alloc(w, n * 4 + 3);
	size_t k = 0;

	t[k++] = '\'';
	for (size_t i = 0; i < n; i++) {
		if (s[i] < ' ' || s[i] > '~')
			return shval_vague(w, SHVAL_LIMIT, "");
		if (s[i] == '\'') {
			memcpy(t + k, "'\\''", 4);
			k += 4;
		} else {
			t[k++] = s[i];
		}
	}
	t[k++] = '\'';
	return shval_string(w, t, k, shval_nowhere);
}

static const struct shval *
transform(struct shval_run *w, const struct shoper *op, const struct shval *v,
    const char *s, size_t n)
{
	struct shoper o = *op;

	o.twice = 1;
	switch (op->where) {
	case 'Q': return quoted(w, s, n);
	case 'U': o.kind = '^'; return change_case(w, &o, v, s, n);
	case 'L': o.kind = ','; return change_case(w, &o, v, s, n);
	case 'u':
		o.kind = '^';
		o.twice = 0;
		return change_case(w, &o, v, s, n);
	default: return shval_vague(w, SHVAL_LIMIT, "");
	}
}

int
shoper_range(const struct shoper *op, long long len, size_t *from, size_t *to)
{
	long long off = op->off, end = len;

	if (off < 0)
		off += len;
	if (off < 0 || off > len) {
		*from = *to = 0;
		return 1;
	}
	if (op->counted && op->count < 0)
		end = len + op->count;
	else if (op->counted && op->count < len - off)
		end = off + op->count;
	if (end < off)
		return 0;
	*from = (size_t)off;
	*to = (size_t)end;
	return 1;
}

static int
is_ascii(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if ((unsigned char)s[i] >= 0x80)
			return 0;
	}
	return 1;
}

static const struct shval *
apply_one(struct shval_run *w, const struct shoper *op, const struct shval *v)
{
	size_t n, from, to;
	const char *s;

	if (v->unset)
		return op->kind == '@' ? v : &shval_empty;
	if ((s = shval_cstr(w, v, &n)) == NULL) {
		const struct shpiece *p = shval_unknown(v);
		return shval_vague(w, p->why, p->s);
	}
	switch (op->kind) {
	case '#':
	case '%': return strip(w, op, v, s, n);
	case '/': return replace(w, op, v, s, n);
	case '^':
	case ',': return change_case(w, op, v, s, n);
	case '@': return transform(w, op, v, s, n);
	case ':':
		if (!is_ascii(s, n) ||
		    !shoper_range(op, (long long)n, &from, &to))
			return shval_vague(w, SHVAL_LIMIT, "");
		return shval_slice(w, v, from, to);
	default: return shval_vague(w, SHVAL_LIMIT, "");
	}
}

const struct shval *
shoper_apply(
    struct shval_run *w, const struct shoper *op, const struct shval *v)
{
	const struct shval *r = NULL;

	if (op->why != SHVAL_KNOWN)
		return shval_vague(w, op->why, op->what);
	for (; v != NULL; v = v->alt) {
		struct shval *one = shwalk_alloc(w, sizeof(*one));
		*one = *v;
		one->alt = NULL;
		const struct shval *x = apply_one(w, op, one);
		r = r == NULL ? x : shval_either(w, r, x);
	}
	return r;
}
