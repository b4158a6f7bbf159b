#include <string.h>

#include "shwalk.h"

/* Answers are 1 yes, 0 no, -1 cannot tell. */

static int
file_test(struct shval_run *w, char op, const struct shval *v)
{
	struct buf b = { 0 };
	struct shval *guard = shwalk_alloc(w, sizeof(*guard));
	int r = -1;

	*guard = *v;
	w->guard =
	    mem_more(w->guard, w->nguard, &w->capguard, sizeof(*w->guard));
	w->guard[w->nguard++] = guard;
	if (shval_isempty(v) == 1 && v->alt == NULL)
		return 0;
	if (shwalk_path(w, v, &b))
		r = shtest_file(w, op, b.s);
	buf_free(&b);
	return r;
}

static int
is_set(struct shval_run *w, const struct shval *v)
{
	size_t n;
	const char *s = shval_cstr(w, v, &n);

	if (s == NULL || !shname_valid(s, n))
		return -1;
	const struct shvar *var = shvar_find(w, s, n);
	if (var->flags & (VAR_ARRAY | VAR_ASSOC))
		return shvar_isset(var) == 0 ? 0 : -1;
	return shvar_isset(var);
}

int
shtest_unary(struct shval_run *w, const char *op, const struct shval *v)
{
	int r = -2;

	if (op[1] == 'z' || op[1] == 'n') {
		for (; v != NULL; v = v->alt) {
			int e = shval_isempty(v);
			if (e >= 0 && op[1] == 'n')
				e = !e;
			r = r == -2 || r == e ? e : -1;
		}
		return r;
	}
	if (op[1] == 'v')
		return is_set(w, v);
	if (op[1] == 'a')
		return file_test(w, 'e', v);
	if (memchr("efdsrwxhLpSbc", op[1], 13) != NULL)
		return file_test(w, op[1], v);
	return -1;
}

static int
is_unary(const char *s, size_t n)
{
	return n == 2 && s[0] == '-' &&
	    memchr("abcdefghknoprstuvwxzGLNORS", s[1], 26) != NULL;
}

static int
is_binary(const char *s, size_t n)
{
	static const char ops[][4] = { "=", "==", "!=", "<", ">", "-eq", "-ne",
		"-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef" };

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (strlen(ops[i]) == n && memcmp(ops[i], s, n) == 0)
			return 1;
	}
	return 0;
}

/* A decimal number as test(1) takes it. */
static int
decimal(const char *s, size_t n, long long *out)
{
	size_t i = 0;
	int minus = 0, any = 0;

	while (i < n && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n'))
		i++;
	if (i < n && (s[i] == '-' || s[i] == '+'))
		minus = s[i++] == '-';
	for (*out = 0; i < n && s[i] >= '0' && s[i] <= '9'; i++, any = 1) {
		if (*out > 99999999999999999)
			return 0;
		*out = *out * 10 + (s[i] - '0');
	}
	while (i < n && (s[i] == ' ' || s[i] == '\t'))
		i++;
	if (minus)
		*out = -*out;
	return any && i == n;
}

static int
compare_numbers(const char *op, long long a, long long b)
{
	switch (op[1] << 8 | op[2]) {
	case 'e' << 8 | 'q': return a == b;
	case 'n' << 8 | 'e': return a != b;
	case 'l' << 8 | 't': return a < b;
	case 'l' << 8 | 'e': return a <= b;
	case 'g' << 8 | 't': return a > b;
	default: return a >= b;
	}
}

static int
matches(struct shval_run *w, const char *s, size_t n, const struct shval *b)
{
	const struct shopts *o = w->opts.now;
	struct buf p = { 0 };
	int r = -1;

	if (shglob_pattern(b, &p))
		r = shglob_match(p.s ? p.s : "", p.len, s, n,
		    GLOB_EXT | (o->on & OPT_NOCASEMATCH ? GLOB_NOCASE : 0));
	buf_free(&p);
	return r;
}

static int
compare_strings(
    const char *op, const char *s, size_t n, const char *t, size_t m, int cond)
{
	if (op[0] == '=')
		return n == m && memcmp(s, t, n) == 0;
	if (op[0] == '!')
		return n != m || memcmp(s, t, n) != 0;
	for (size_t i = 0; cond && i < n + m; i++) {
		char c = i < n ? s[i] : t[i - n];
		if (!(c >= '0' && c <= '9'))
			return -1; /* the locale's order */
	}
	int c = memcmp(s, t, n < m ? n : m);
	if (c == 0)
		c = n < m ? -1 : n > m;
	return op[0] == '<' ? c < 0 : c > 0;
}

static int
binary_one(struct shval_run *w, const char *op, const struct shval *a,
    const struct shval *b, int cond)
{
	size_t n, m;
	long long x, y;
	const char *s, *t;

	if (op[0] == '-' && cond && op[2] != 't' && op[2] != 'f') {
		struct shnum p = sharith_value(w, a), q = sharith_value(w, b);
		if (p.why != SHVAL_KNOWN || q.why != SHVAL_KNOWN)
			return -1;
		return compare_numbers(op, p.n, q.n);
	}
	s = shval_cstr(w, a, &n);
	t = shval_cstr(w, b, &m);
	if (s == NULL || t == NULL)
		return -1;
	if (strcmp(op, "-nt") == 0 || strcmp(op, "-ot") == 0 ||
	    strcmp(op, "-ef") == 0)
		return -1;
	if (op[0] == '-') {
		if (!decimal(s, n, &x) || !decimal(t, m, &y))
			return cond ? -1 : 0;
		return compare_numbers(op, x, y);
	}
	if (cond && op[0] != '<' && op[0] != '>') {
		int r = matches(w, s, n, b);
		return r < 0 || op[0] == '=' ? r : !r;
	}
	return compare_strings(op, s, n, t, m, cond || 1);
}

int
shtest_binary(struct shval_run *w, const char *op, const struct shval *a,
    const struct shval *b, int cond)
{
	int r = -2;

	for (const struct shval *x = a; x != NULL; x = x->alt) {
		for (const struct shval *y = b; y != NULL; y = y->alt) {
			struct shval u = *x, v = *y;
			u.alt = v.alt = NULL;
			int e = binary_one(w, op, &u, &v, cond);
			r = r == -2 || r == e ? e : -1;
		}
	}
	return r;
}

/* --- test and [ --- */

struct test {
	struct shval_run *w;
	const struct shval *v;
	size_t n, at;
	int bad; /* an operator is not known */
};

static const char *
text(struct test *t, size_t i, size_t *n)
{
	const char *s = shval_cstr(t->w, &t->v[i], n);

	if (s == NULL) {
		t->bad = 1;
		*n = 0;
	}
	return s ? s : "";
}

static int
text_is(struct test *t, size_t i, const char *want)
{
	size_t n;
	const char *s = text(t, i, &n);

	return n == strlen(want) && memcmp(s, want, n) == 0;
}

static int
negate(int r)
{
	return r < 0 ? r : !r;
}

static int or_test(struct test *);

static int
primary_test(struct test *t)
{
	size_t n, left = t->n - t->at, i = t->at;
	const char *op;
	int r;

	if (left == 0) {
		t->bad = 1;
		return -1;
	}
	if (left > 1 && text_is(t, i, "!")) {
		size_t guards = t->w->nguard;
		t->at++;
		r = negate(primary_test(t));
		t->w->nguard = guards;
		return r;
	}
	if (left > 2) {
		op = text(t, i + 1, &n);
		if (is_binary(op, n)) {
			t->at += 3;
			return shtest_binary(
			    t->w, op, &t->v[i], &t->v[i + 2], 0);
		}
	}
	if (left > 2 && text_is(t, i, "(")) {
		t->at++;
		r = or_test(t);
		if (t->at < t->n && text_is(t, t->at, ")"))
			t->at++;
		else
			t->bad = 1;
		return r;
	}
	op = text(t, i, &n);
	if (left > 1 && is_unary(op, n)) {
		t->at += 2;
		return shtest_unary(t->w, op, &t->v[i + 1]);
	}
	t->at++;
	return shtest_unary(t->w, "-n", &t->v[i]);
}

static int
and_test(struct test *t)
{
	int r = primary_test(t), s;

	while (t->at < t->n && text_is(t, t->at, "-a")) {
		t->at++;
		s = primary_test(t);
		r = r == 0 || s == 0 ? 0 : r < 0 || s < 0 ? -1 : 1;
	}
	return r;
}

static int
or_test(struct test *t)
{
	int r = and_test(t), s;

	while (t->at < t->n && text_is(t, t->at, "-o")) {
		t->at++;
		s = and_test(t);
		r = r == 1 || s == 1 ? 1 : r < 0 || s < 0 ? -1 : 0;
	}
	return r;
}

/* Three words: the middle one decides before ! and ( do. */
static int
short_test(struct test *t)
{
	size_t n;
	const char *op;

	if (t->n == 1)
		return shtest_unary(t->w, "-n", t->v);
	if (t->n == 3) {
		op = shval_cstr(t->w, &t->v[1], &n);
		if (op != NULL && is_binary(op, n))
			return shtest_binary(t->w, op, t->v, t->v + 2, 0);
	}
	if (t->n == 2 && !text_is(t, 0, "!")) {
		op = text(t, 0, &n);
		return is_unary(op, n) ? shtest_unary(t->w, op, t->v + 1) : -1;
	}
	t->bad = 0;
	return or_test(t);
}

int
shtest_run(struct shval_run *w, const struct shval *v, size_t n)
{
	struct test t = { w, v, n, 0, 0 };
	int r;

	for (size_t i = 0; i < n; i++) {
		if (v[i].split)
			return ST_UNKNOWN;
	}
	if (n == 0)
		return 1;
	r = n <= 3 ? short_test(&t) : or_test(&t);
	if (t.bad || (n > 3 && t.at != n))
		return ST_UNKNOWN;
	return r < 0 ? ST_UNKNOWN : !r;
}
