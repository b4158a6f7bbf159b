#include <stdio.h>
#include <string.h>

#include "shwalk.h"

const struct shval_from shval_nowhere = { NULL, 0, 0 };
const struct shval shval_empty = { NULL, 0, NULL, 0, 0, NULL, 0 };
const struct shval shval_unset_value = { NULL, 0, NULL, 0, 1, NULL, 0 };

enum { VALUE_MAX = 64 << 20 };

void *
shwalk_alloc(struct shval_run *w, size_t n)
{
	if (n > w->room) {
		w->limited = 1;
		w->room = 0;
	} else {
		w->room -= n;
	}
	if (w->into == &w->passing)
		w->passed += n;
	return arena_alloc(w->into, n);
}

char *
shwalk_dup(struct shval_run *w, const char *s, size_t n)
{
	char *p = shwalk_alloc(w, n + 1);

	memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

int
shwalk_step(struct shval_run *w)
{
	if (w->steps > 0 && !w->limited) {
		w->steps--;
		return 1;
	}
	w->limited = 1;
	w->flow = FLOW_GONE;
	return 0;
}

size_t
shval_length(const struct shval *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->npiece; i++) {
		if (v->piece[i].why == SHVAL_KNOWN)
			n += v->piece[i].len;
	}
	return n;
}

/* Sets the value's pieces to a copy of these. */
void
shval_fill(
    struct shval_run *w, struct shval *v, const struct shpiece *p, size_t n)
{
	*v = shval_empty;
	if (n == 0)
		return;
	if (n > w->room / sizeof(*p)) {
		w->limited = 1;
		w->room = 0;
		n = 1;
	}
	v->piece = shwalk_alloc(w, n * sizeof(*p));
	memcpy(v->piece, p, n * sizeof(*p));
	v->npiece = n;
	if (w->limited || shval_length(v) > VALUE_MAX) {
		v->npiece = 1;
		v->piece[0].why = SHVAL_LIMIT;
		v->piece[0].s = "";
		v->piece[0].len = 0;
	}
}

struct shval *
shval_make(struct shval_run *w, const struct shpiece *p, size_t n)
{
	struct shval *v = shwalk_alloc(w, sizeof(*v));

	shval_fill(w, v, p, n);
	return v;
}

const struct shval *
shval_string(
    struct shval_run *w, const char *s, size_t len, struct shval_from from)
{
	struct shpiece p = { SHVAL_KNOWN, 0, s, len, from };

	return len > 0 ? shval_make(w, &p, 1) : &shval_empty;
}

const struct shval *
shval_number(struct shval_run *w, long long n, struct shval_from from)
{
	char s[32];
	int len = snprintf(s, sizeof(s), "%lld", n);

	return shval_string(
	    w, shwalk_dup(w, s, (size_t)len), (size_t)len, from);
}

const struct shval *
shval_vague(struct shval_run *w, enum shval_why why, const char *what)
{
	struct shpiece p = { why, 0, what, strlen(what), shval_nowhere };

	return shval_make(w, &p, 1);
}

const struct shpiece *
shval_unknown_one(const struct shval *v)
{
	static const struct shpiece many = { SHVAL_BRANCH, 0, "", 0,
		{ NULL, 0, 0 } };

	for (size_t i = 0; i < v->npiece; i++) {
		if (v->piece[i].why != SHVAL_KNOWN)
			return &v->piece[i];
	}
	return v->split && v->words == NULL && v->npiece > 0 ? &many : NULL;
}

const struct shpiece *
shval_unknown(const struct shval *v)
{
	static const struct shpiece many = { SHVAL_BRANCH, 0, "", 0,
		{ NULL, 0, 0 } };
	const struct shpiece *p = shval_unknown_one(v);

	if (p == NULL && (v->alt != NULL || v->split))
		return &many;
	return p;
}

static int
value_bytes(const struct shval *v, struct buf *b)
{
	for (size_t i = 0; i < v->npiece; i++) {
		if (v->piece[i].why != SHVAL_KNOWN)
			return 0;
	}
	buf_add(b, "", 0);
	for (size_t i = 0; i < v->npiece; i++)
		buf_add(b, v->piece[i].s, v->piece[i].len);
	return 1;
}

int
shval_one(const struct shval *v, struct buf *b)
{
	return shval_unknown_one(v) == NULL && value_bytes(v, b);
}

int
shval_known(const struct shval *v, struct buf *b)
{
	return shval_unknown(v) == NULL && value_bytes(v, b);
}

int
shval_isunset(const struct shval *v)
{
	return v->unset;
}

int
shval_isempty(const struct shval *v)
{
	int vague = 0;

	for (size_t i = 0; i < v->npiece; i++) {
		if (v->piece[i].why != SHVAL_KNOWN)
			vague = 1;
		else if (v->piece[i].len > 0)
			return 0;
	}
	return vague ? -1 : 1;
}

static int
same_piece(const struct shpiece *a, const struct shpiece *b)
{
	return a->why == b->why && a->len == b->len &&
	    (a->s == b->s || memcmp(a->s, b->s, a->len) == 0) &&
	    a->from.source == b->from.source && a->from.off == b->from.off;
}

int
shval_same(const struct shval *a, const struct shval *b)
{
	size_t i = 0, k = 0, ip = 0, kp = 0;

	if (a->unset != b->unset || a->split || b->split)
		return 0;
	if (a->piece == b->piece && a->npiece == b->npiece)
		return shval_unknown_one(a) == NULL;
	for (;;) {
		while (i < a->npiece && a->piece[i].why == SHVAL_KNOWN &&
		    ip == a->piece[i].len)
			i++, ip = 0;
		while (k < b->npiece && b->piece[k].why == SHVAL_KNOWN &&
		    kp == b->piece[k].len)
			k++, kp = 0;
		if (i == a->npiece || k == b->npiece)
			return i == a->npiece && k == b->npiece;
		const struct shpiece *p = &a->piece[i], *q = &b->piece[k];
		if (p->why != SHVAL_KNOWN || q->why != SHVAL_KNOWN)
			return 0;
		size_t n =
		    p->len - ip < q->len - kp ? p->len - ip : q->len - kp;
		if (memcmp(p->s + ip, q->s + kp, n) != 0)
			return 0;
		ip += n;
		kp += n;
	}
}

static int
same_alternative(const struct shval *a, const struct shval *b)
{
	if (a->unset != b->unset)
		return 0;
	if (a->piece == b->piece && a->npiece == b->npiece)
		return 1;
	if (shval_same(a, b))
		return 1;
	if (a->npiece != b->npiece)
		return 0;
	for (size_t i = 0; i < a->npiece; i++) {
		if (!same_piece(&a->piece[i], &b->piece[i]))
			return 0;
	}
	return 1;
}

static int
is_anything(const struct shval *v)
{
	return v->npiece == 1 && v->alt == NULL && !v->split &&
	    (v->piece[0].why == SHVAL_BRANCH || v->piece[0].why == SHVAL_LIMIT);
}

/* A piece that neither ends a command nor opens anything where it is
 * evaluated. */
static int
is_plain(const struct shpiece *p)
{
	for (size_t i = 0; i < p->len && p->why == SHVAL_KNOWN; i++)
		if (strchr("|&;<>()#`'\"\\\n", p->s[i]) != NULL)
			return 0;
	return 1;
}

/* How many pieces two values have in common, from the first or the last. */
static size_t
same_pieces(const struct shval *a, const struct shval *b, int last)
{
	size_t n = a->npiece < b->npiece ? a->npiece : b->npiece, k = 0;

	for (; k < n; k++) {
		size_t i = last ? a->npiece - 1 - k : k;
		size_t j = last ? b->npiece - 1 - k : k;
		if (!same_piece(&a->piece[i], &b->piece[j]))
			break;
	}
	return k;
}

const struct shval *
shval_shared(struct shval_run *w, const struct shval *v)
{
	size_t head = v->npiece, tail = v->npiece, min = v->npiece, k;
	const struct shval *vague = shval_vague(w, SHVAL_BRANCH, "");

	for (const struct shval *a = v; a != NULL; a = a->alt) {
		if (a->split)
			return vague;
		min = a->npiece < min ? a->npiece : min;
		k = same_pieces(v, a, 0);
		head = k < head ? k : head;
		k = same_pieces(v, a, 1);
		tail = k < tail ? k : tail;
	}
	tail = tail > min - head ? min - head : tail;
	if (head + tail == 0)
		return vague;
	for (const struct shval *a = v; a != NULL; a = a->alt)
		for (k = head; k < a->npiece - tail; k++)
			if (!is_plain(&a->piece[k]))
				return vague;
	struct shval *r = shwalk_alloc(w, sizeof(*r));
	*r = shval_empty;
	r->npiece = head + 1 + tail;
	r->piece = shwalk_alloc(w, r->npiece * sizeof(*r->piece));
	memcpy(r->piece, v->piece, head * sizeof(*r->piece));
	r->piece[head] = vague->piece[0];
	memcpy(r->piece + head + 1, v->piece + v->npiece - tail,
	    tail * sizeof(*r->piece));
	return r;
}

/* The same for two chains. */
static const struct shval *
shared_both(struct shval_run *w, const struct shval *a, const struct shval *b)
{
	struct shval x = *(a->alt == NULL ? a : shval_shared(w, a));
	struct shval y = *(b->alt == NULL ? b : shval_shared(w, b));

	x.alt = &y;
	return shval_shared(w, &x);
}

const struct shval *
shval_either(struct shval_run *w, const struct shval *a, const struct shval *b)
{
	struct shval *head = NULL, **end = &head;
	int n = 0, more = 0;

	if (is_anything(a))
		return a;
	if (is_anything(b))
		return b;
	for (int part = 0; part < 2 && a != b; part++) {
		for (const struct shval *v = part ? b : a; v; v = v->alt) {
			const struct shval *o = head;
			while (o != NULL && !same_alternative(o, v))
				o = o->alt;
			if (o != NULL)
				continue;
			if (++n > SHWALK_ALTS)
				return shared_both(w, a, b);
			more |= part;
			*end = shwalk_alloc(w, sizeof(**end));
			**end = *v;
			(*end)->alt = NULL;
			end = &(*end)->alt;
		}
	}
	return more ? head : a;
}

const char *
shval_cstr(struct shval_run *w, const struct shval *v, size_t *len)
{
	size_t n, at = 0;
	char *s;

	if (shval_unknown(v) != NULL)
		return NULL;
	if (v->npiece == 0) {
		*len = 0;
		return "";
	}
	n = shval_length(v);
	s = shwalk_alloc(w, n + 1);
	for (size_t i = 0; i < v->npiece; i++) {
		memcpy(s + at, v->piece[i].s, v->piece[i].len);
		at += v->piece[i].len;
	}
	s[at] = '\0';
	*len = at;
	return s;
}

/* The bytes from..to of a value whose pieces are all known. */
const struct shval *
shval_slice(struct shval_run *w, const struct shval *v, size_t from, size_t to)
{
	struct shval *r;
	size_t at = 0, n = 0;

	if (from >= to)
		return &shval_empty;
	r = shval_make(w, v->piece, v->npiece);
	if (w->limited)
		return r;
	for (size_t i = 0; i < v->npiece; i++) {
		struct shpiece p = v->piece[i];
		size_t a = at, b = at + p.len;

		at = b;
		if (b <= from || a >= to)
			continue;
		size_t cut = a < from ? from - a : 0;
		size_t end = b > to ? b - to : 0;
		if (p.from.end - p.from.off == p.len) {
			p.from.off += (uint32_t)cut;
			p.from.end -= (uint32_t)end;
		}
		p.s += cut;
		p.len -= cut + end;
		r->piece[n++] = p;
	}
	r->npiece = n;
	return r;
}

/* Without its first n bytes, which are known, in every alternative. */
const struct shval *
shval_drop(struct shval_run *w, const struct shval *v, size_t n)
{
	const struct shval *r = NULL;

	for (; v != NULL; v = v->alt) {
		struct shval *x = shval_make(w, v->piece, v->npiece);
		size_t left = n, i = 0;

		while (i < x->npiece && x->piece[i].why == SHVAL_KNOWN &&
		    left >= x->piece[i].len)
			left -= x->piece[i++].len;
		x->piece += i;
		x->npiece -= i;
		if (left > 0 && x->npiece > 0) {
			struct shpiece *p = x->piece;
			if (p->from.end - p->from.off == p->len)
				p->from.off += (uint32_t)left;
			p->s += left;
			p->len -= left;
		}
		r = r == NULL ? x : shval_either(w, r, x);
	}
	return r;
}

/* The known bytes before the first unknown piece. */
const char *
shval_head(struct shval_run *w, const struct shval *v, size_t *len)
{
	struct shval head = *v;

	head.alt = NULL;
	head.split = 0;
	head.npiece = 0;
	while (
	    head.npiece < v->npiece && v->piece[head.npiece].why == SHVAL_KNOWN)
		head.npiece++;
	return shval_cstr(w, &head, len);
}

size_t
shval_line(const struct shval *v)
{
	for (size_t i = 0; i < v->npiece; i++) {
		struct shval_from from = v->piece[i].from;

		if (from.source == NULL)
			continue;
		if (from.source->made != NULL &&
		    shval_origin(from.source, from.off, &from) != 0)
			continue;
		return shcmd_line(from.source->cmd, from.off);
	}
	return 0;
}

int
shval_origin(
    const struct shval_source *source, uint32_t off, struct shval_from *from)
{
	while (source->made != NULL) {
		const struct shval *v = source->made;
		size_t at = 0, i = 0;

		while (i < v->npiece && off >= at + v->piece[i].len)
			at += v->piece[i++].len;
		if (i == v->npiece || v->piece[i].from.source == NULL)
			return -1;
		const struct shpiece *p = &v->piece[i];
		uint32_t in = (uint32_t)(off - at);
		if (p->from.end - p->from.off != p->len)
			in = 0;
		source = p->from.source;
		off = p->from.off + in;
		if (source->made == NULL) {
			*from = (struct shval_from){ source, off, p->from.end };
			return 0;
		}
	}
	*from = (struct shval_from){ source, off, off };
	return 0;
}
