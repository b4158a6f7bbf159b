#include <limits.h>
#include <string.h>

#include "shwalk.h"

enum { ARITH_DEPTH = 64, HOLE = SHARITH_HOLE };

struct arith {
	struct shval_run *w;
	const char *s, *end;
	enum shval_why why; /* of the hole */
	const char *what;
	int skip; /* not evaluated */
	int maybe; /* may not be evaluated */
	int failed, depth;
};

/* An operand: a number, and where it came from when it can be assigned to. */
struct term {
	struct shnum n;
	const char *name;
	size_t len;
	struct shelem sub;
	int has_sub;
};

static struct term comma(struct arith *);
static struct term assignment(struct arith *);

static struct shnum
known(long long n)
{
	return (struct shnum){ n, SHVAL_KNOWN, "" };
}

static void
blanks(struct arith *a)
{
	while (
	    a->s < a->end && (*a->s == ' ' || *a->s == '\t' || *a->s == '\n'))
		a->s++;
}

static int
fail(struct arith *a)
{
	a->failed = 1;
	a->s = a->end;
	return 0;
}

static int
digit_of(int c, int base)
{
	int d = 99;

	if (c >= '0' && c <= '9')
		d = c - '0';
	else if (c >= 'a' && c <= 'z')
		d = c - 'a' + 10;
	else if (c >= 'A' && c <= 'Z')
		d = base <= 36 ? c - 'A' + 10 : c - 'A' + 36;
	else if (c == '@')
		d = 62;
	else if (c == '_')
		d = 63;
	return d;
}

static struct term
number(struct arith *a)
{
	unsigned long long n = 0;
	int base = 10;
	const char *from = a->s;

	if (*a->s == '0' && a->s + 1 < a->end) {
		base = (a->s[1] | 32) == 'x' ? 16 : 8;
		a->s += base == 16 ? 2 : 1;
	}
	for (; a->s < a->end; a->s++) {
		int d;
		if (*a->s == '#' && base == 10 && a->s > from && n >= 2 &&
		    n <= 64) {
			base = (int)n;
			n = 0;
			continue;
		}
		d = digit_of((unsigned char)*a->s, base);
		if (d == 99)
			break;
		if (d >= base) {
			fail(a);
			break;
		}
		n = n * (unsigned)base + (unsigned)d;
	}
	return (struct term){ .n = known((long long)n) };
}

static struct shnum
fetch(struct arith *a, const struct term *t)
{
	struct shval_run *w = a->w;
	const struct shvar *var = shvar_find(w, t->name, t->len);
	const struct shval *v;
	int ok = 1;

	if (a->skip)
		return known(0);
	if (t->has_sub)
		v = shvar_elem(var, &t->sub, &ok);
	else
		v = shvar_scalar(w, var);
	if (!ok)
		return (struct shnum){ 0, SHVAL_BRANCH, "" };
	if (v == NULL || (v->unset && v->alt == NULL)) {
		const struct shopts *o = w->opts.now;
		if (o->on & OPT_NOUNSET)
			return (struct shnum){ 0, SHVAL_UNSET_CLUSTER,
				shwalk_dup(w, t->name, t->len) };
		return known(0);
	}
	return sharith_deep(w, v, a->depth + 1);
}

static void
store(struct arith *a, const struct term *t, struct shnum n)
{
	struct shval_run *w = a->w;
	const struct shval *v = n.why == SHVAL_KNOWN
	    ? shval_number(w, n.n, shval_nowhere)
	    : shval_vague(w, n.why, n.what);

	if (a->skip)
		return;
	if (a->maybe)
		v = shval_vague(w, SHVAL_BRANCH, "");
	if (t->has_sub) {
		struct shelem e = t->sub;
		e.v = v;
		shvar_set_elem(w, t->name, t->len, &e, 0);
	} else {
		shvar_set(w, t->name, t->len, v, 0);
	}
}

static void
subscript(struct arith *a, struct term *t)
{
	const char *from = ++a->s, *end;
	const struct shvar *var = shvar_find(a->w, t->name, t->len);
	int depth = 1;
	struct arith in = *a;

	for (; a->s < a->end; a->s++) {
		if (*a->s == '[')
			depth++;
		else if (*a->s == ']' && --depth == 0)
			break;
	}
	end = a->s;
	if (a->s == a->end) {
		fail(a);
		return;
	}
	a->s++;
	t->has_sub = 1;
	if (var->flags & VAR_ASSOC) {
		t->sub.key = from;
		t->sub.keylen = (size_t)(end - from);
		if (memchr(from, HOLE, t->sub.keylen) != NULL)
			fail(a);
		return;
	}
	in.s = from;
	in.end = end;
	in.depth++;
	struct shnum n = comma(&in).n;
	if (n.why != SHVAL_KNOWN || in.failed)
		fail(a);
	t->sub.index = n.n;
}

static struct term
name(struct arith *a)
{
	struct term t = { .name = a->s };

	a->s += shname_len(a->s, (size_t)(a->end - a->s));
	t.len = (size_t)(a->s - t.name);
	if (a->s < a->end && *a->s == '[')
		subscript(a, &t);
	if (a->failed)
		return t;
	t.n = fetch(a, &t);
	blanks(a);
	if (a->end - a->s >= 2 && (a->s[0] == '+' || a->s[0] == '-') &&
	    a->s[1] == a->s[0]) {
		struct shnum m = t.n;
		m.n = (long long)((unsigned long long)m.n +
		    (a->s[0] == '+' ? 1ull : ~0ull));
		store(a, &t, m);
		a->s += 2;
		t.name = NULL;
	}
	return t;
}

static struct term
primary(struct arith *a)
{
	struct term t = { .n = known(0) };

	blanks(a);
	if (a->s == a->end || a->depth > ARITH_DEPTH) {
		fail(a);
		return t;
	}
	if (*a->s == HOLE) {
		t.n = (struct shnum){ 0, a->why, a->what };
		while (a->s < a->end &&
		    (*a->s == HOLE || shname_valid(a->s, 1) ||
			(*a->s >= '0' && *a->s <= '9')))
			a->s++;
	} else if (*a->s == '(') {
		a->s++;
		a->depth++;
		t = comma(a);
		a->depth--;
		t.name = NULL;
		blanks(a);
		if (a->s < a->end && *a->s == ')')
			a->s++;
		else
			fail(a);
	} else if (*a->s >= '0' && *a->s <= '9') {
		t = number(a);
		if (a->s < a->end && *a->s == HOLE)
			t = primary(a);
	} else if (shname_valid(a->s, 1)) {
		t = name(a);
	} else {
		fail(a);
	}
	return t;
}

static struct term
unary(struct arith *a)
{
	struct term t;
	char c;

	blanks(a);
	c = a->s < a->end ? *a->s : '\0';
	if ((c == '+' || c == '-') && a->end - a->s > 2 && a->s[1] == c &&
	    (shname_valid(a->s + 2, 1) || a->s[2] == ' ')) {
		a->s += 2;
		t = primary(a);
		if (t.name != NULL && !a->failed) {
			t.n.n = (long long)((unsigned long long)t.n.n +
			    (c == '+' ? 1ull : ~0ull));
			store(a, &t, t.n);
		}
		t.name = NULL;
		return t;
	}
	if (c == '!' || c == '~' || c == '+' || c == '-') {
		a->s++;
		if (++a->depth > ARITH_DEPTH)
			fail(a);
		t = unary(a);
		a->depth--;
		t.name = NULL;
		if (c == '!')
			t.n.n = !t.n.n;
		else if (c == '~')
			t.n.n = ~t.n.n;
		else if (c == '-')
			t.n.n = (long long)(0 - (unsigned long long)t.n.n);
		return t;
	}
	return primary(a);
}

static const struct operator
{
	char text[4];
	int level;
}
operators[] = { { "**", 12 }, { "*", 11 }, { "/", 11 }, { "%", 11 },
	{ "+", 10 }, { "-", 10 }, { "<<", 9 }, { ">>", 9 }, { "<=", 8 },
	{ ">=", 8 }, { "<", 8 }, { ">", 8 }, { "==", 7 }, { "!=", 7 },
	{ "&&", 3 }, { "||", 2 }, { "&", 6 }, { "^", 5 }, { "|", 4 } };

static const struct operator* operator_at(struct arith *a)
{
	size_t left;

	blanks(a);
	left = (size_t)(a->end - a->s);
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		size_t n = strlen(operators[i].text);
		if (n > left || memcmp(operators[i].text, a->s, n) != 0)
			continue;
		if (left > n && a->s[n] == '=' && operators[i].level != 8 &&
		    operators[i].level != 7 && operators[i].level > 3 &&
		    operators[i].level < 12)
			return NULL;
		return &operators[i];
	}
	return NULL;
}

static long long
power(long long b, long long e)
{
	unsigned long long r = 1, x = (unsigned long long)b;

	for (; e > 0; e >>= 1) {
		if (e & 1)
			r *= x;
		x *= x;
	}
	return (long long)r;
}

static long long
compute(struct arith *a, const char *op, long long x, long long y)
{
	unsigned long long u = (unsigned long long)x;
	unsigned long long v = (unsigned long long)y;

	switch (op[0]) {
	case '*':
		if (op[1] != '*')
			return (long long)(u * v);
		return y < 0 ? fail(a) : power(x, y);
	case '/':
	case '%':
		if (y == 0)
			return fail(a);
		if (x == LLONG_MIN && y == -1)
			return op[0] == '/' ? x : 0;
		return op[0] == '/' ? x / y : x % y;
	case '+': return (long long)(u + v);
	case '-': return (long long)(u - v);
	case '<':
		if (op[1] == '<')
			return (long long)(u << (v & 63));
		return op[1] == '=' ? x <= y : x < y;
	case '>':
		if (op[1] == '>')
			return x >> (v & 63);
		return op[1] == '=' ? x >= y : x > y;
	case '=': return x == y;
	case '!': return x != y;
	case '&': return op[1] == '&' ? x && y : x & y;
	case '|': return op[1] == '|' ? x || y : x | y;
	default: return x ^ y;
	}
}

static struct shnum
combine(struct arith *a, const char *op, struct shnum x, struct shnum y)
{
	if (x.why != SHVAL_KNOWN)
		return x;
	if (y.why != SHVAL_KNOWN)
		return y;
	if (a->skip)
		return known(0);
	return known(compute(a, op, x.n, y.n));
}

static struct term binary(struct arith *, int);

/* && and ||: the right side may not be evaluated. */
static struct shnum
logical(struct arith *a, char op, struct shnum x, int level)
{
	int decided = x.why == SHVAL_KNOWN && (op == '&') == (x.n == 0);
	int maybe = x.why != SHVAL_KNOWN;
	struct shnum y;

	a->skip += decided;
	a->maybe += maybe;
	y = binary(a, level).n;
	a->skip -= decided;
	a->maybe -= maybe;
	if (decided)
		return known(op == '|');
	if (y.why == SHVAL_KNOWN && (!maybe || (op == '&') == (y.n == 0)))
		return known(y.n != 0);
	return maybe ? x : y;
}

static struct term
binary(struct arith *a, int level)
{
	struct term t;
	const struct operator* op;

	if (++a->depth > ARITH_DEPTH * 4)
		fail(a);
	t = unary(a);
	while (
	    !a->failed && (op = operator_at(a)) != NULL && op->level >= level) {
		a->s += strlen(op->text);
		if (op->level <= 3) {
			t.n = logical(a, op->text[0], t.n, op->level + 1);
		} else {
			struct term r =
			    binary(a, op->level == 12 ? 12 : op->level + 1);
			t.n = combine(a, op->text, t.n, r.n);
		}
		t.name = NULL;
	}
	a->depth--;
	return t;
}

static struct term
ternary(struct arith *a)
{
	struct term t = binary(a, 1), x, y;

	blanks(a);
	if (a->failed || a->s == a->end || *a->s != '?')
		return t;
	int unsure = t.n.why != SHVAL_KNOWN, yes = t.n.n != 0;
	a->s++;
	a->maybe += unsure;
	a->skip += !unsure && !yes;
	x = comma(a);
	a->skip -= !unsure && !yes;
	blanks(a);
	if (a->s < a->end && *a->s == ':')
		a->s++;
	else
		fail(a);
	a->skip += !unsure && yes;
	y = assignment(a);
	a->skip -= !unsure && yes;
	a->maybe -= unsure;
	if (!unsure)
		t.n = yes ? x.n : y.n;
	else if (x.n.why == SHVAL_KNOWN && y.n.why == SHVAL_KNOWN &&
	    x.n.n == y.n.n)
		t.n = x.n;
	t.name = NULL;
	return t;
}

/* The length of an assignment operator, 0 none. */
static size_t
assigns(struct arith *a)
{
	static const char ops[][4] = {
		"<<=", ">>=", "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|="
	};
	size_t left;

	blanks(a);
	left = (size_t)(a->end - a->s);
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		size_t n = strlen(ops[i]);
		if (n <= left && memcmp(ops[i], a->s, n) == 0)
			return n;
	}
	return left > 0 && a->s[0] == '=' && (left < 2 || a->s[1] != '=');
}

static struct term
assignment(struct arith *a)
{
	struct term t, r;
	char op[4] = "";
	size_t n;

	if (++a->depth > ARITH_DEPTH * 4)
		fail(a);
	t = ternary(a);
	if (!a->failed && t.name != NULL && (n = assigns(a)) > 0) {
		memcpy(op, a->s, n - 1);
		a->s += n;
		r = assignment(a);
		t.n = n > 1 ? combine(a, op, t.n, r.n) : r.n;
		if (!a->failed)
			store(a, &t, t.n);
		t.name = NULL;
	}
	a->depth--;
	return t;
}

static struct term
comma(struct arith *a)
{
	struct term t = assignment(a);

	blanks(a);
	while (!a->failed && a->s < a->end && *a->s == ',') {
		a->s++;
		t = assignment(a);
		blanks(a);
	}
	return t;
}

int
sharith_text(struct shval_run *w, const char *text, size_t n, int depth,
    struct shnum *value)
{
	struct arith a = { .w = w,
		.s = text,
		.end = text + n,
		.why = value->why,
		.what = value->what,
		.depth = depth };

	blanks(&a);
	if (a.s == a.end) {
		*value = known(0);
		return 1;
	}
	*value = comma(&a).n;
	blanks(&a);
	return !a.failed && a.s == a.end;
}
