#include <stdlib.h>
#include <string.h>

#include "launchin.h"

const char *
launch_word(struct launches *l, const struct shval *v)
{
	struct buf b = { 0 };
	char *s = NULL;

	if (v->npiece == 1 && !v->split) /* as nearly all are */
		return v->piece[0].why != SHVAL_KNOWN
		    ? NULL
		    : arena_dup(&l->arena, v->piece[0].s, v->piece[0].len);
	if (shval_one(v, &b))
		s = arena_dup(&l->arena, b.s == NULL ? "" : b.s, b.len);
	buf_free(&b);
	return s;
}

const char *
launch_tail(struct launches *l, const struct shval *v)
{
	struct buf b = { 0 };
	char *s = NULL;
	size_t i = v->npiece;

	while (i > 0 && v->piece[i - 1].why == SHVAL_KNOWN)
		i--;
	for (; i < v->npiece; i++)
		buf_add(&b, v->piece[i].s, v->piece[i].len);
	if (b.len != 0 && strchr(b.s, '/') != NULL)
		s = arena_dup(&l->arena, b.s, b.len);
	buf_free(&b);
	return s == NULL ? NULL : strrchr(s, '/') + 1;
}

size_t
launch_alternatives(const struct shval_call *c)
{
	enum { MOST = 8 };
	size_t most = 1;

	for (size_t i = 0; i < c->argc; i++) {
		size_t n = 0;
		const struct shval *v = &c->argv[i];
		for (; v != NULL; v = v->alt)
			n++;
		if (n > most)
			most = n;
	}
	return most > MOST ? MOST : most;
}

const char *
launch_mark(const char *s, const char *end)
{
	for (; s < end; s++) {
		s = memchr(s, LAUNCH_MARK[0], (size_t)(end - s));
		if (s == NULL)
			return NULL;
		if (end - s > 1 && s[1] == LAUNCH_MARK[1])
			return s;
	}
	return NULL;
}

/* Known bytes of a text with its marks: they become what they stand for. */
static void
launch_unmark(const struct launch_text *t, const struct shpiece *p,
    struct shpiece *out, size_t *n)
{
	const char *s = p->s, *end = p->s + p->len;

	while (s < end) {
		const char *mark = launch_mark(s, end);
		size_t len = (size_t)((mark == NULL ? end : mark) - s);
		if (len != 0) {
			out[*n] = *p;
			out[*n].s = s;
			out[*n].len = len;
			if (p->from.end - p->from.off == p->len) {
				out[*n].from.off += (uint32_t)(s - p->s);
				out[*n].from.end =
				    out[*n].from.off + (uint32_t)len;
			}
			++*n;
		}
		if (mark == NULL)
			return;
		char *behind;
		unsigned long k = strtoul(mark + 2, &behind, 10);
		if (behind == mark + 2 || k >= t->made->npiece)
			out[(*n)++] =
			    (struct shpiece){ .why = SHVAL_LIMIT, .s = "" };
		else
			out[(*n)++] = t->made->piece[k];
		s = behind < end ? behind + 1 : end;
	}
}

/* A word of a text: what is not known there is not known again. */
static void
launch_restore(struct launches *l, const struct launch_text *t, struct shval *v)
{
	size_t marks = 0, n = 0;

	for (size_t i = 0; i < v->npiece; i++) {
		const struct shpiece *p = &v->piece[i];
		const char *m = p->why == SHVAL_KNOWN ? p->s : NULL;
		while (
		    m != NULL && (m = launch_mark(m, p->s + p->len)) != NULL) {
			marks++;
			m++;
		}
	}
	if (marks == 0)
		return;
	struct shpiece *out =
	    arena_alloc(&l->arena, (v->npiece + 2 * marks + 1) * sizeof *out);
	for (size_t i = 0; i < v->npiece; i++) {
		if (v->piece[i].why == SHVAL_KNOWN)
			launch_unmark(t, &v->piece[i], out, &n);
		else
			out[n++] = v->piece[i];
	}
	v->piece = out;
	v->npiece = n;
	v->alt = NULL;
	v->split |= n == 1 && out[0].why != SHVAL_KNOWN;
}

static const struct shval *
launch_alternative(const struct shval *v, size_t a)
{
	while (a-- > 0 && v->alt != NULL)
		v = v->alt;
	return v;
}

size_t
launch_flat(struct launches *l, const struct launch_text *t,
    const struct shval_call *c, size_t alternative, struct shval **argv)
{
	size_t n = 0, most = 0;

	for (size_t i = 0; i < c->argc; i++) {
		const struct shval *v =
		    launch_alternative(&c->argv[i], alternative);
		most += v->split && v->words != NULL ? v->nwords : 1;
	}
	struct shval *out = arena_alloc(&l->arena, (most + 1) * sizeof *out);
	for (size_t i = 0; i < c->argc; i++) {
		const struct shval *v =
		    launch_alternative(&c->argv[i], alternative);
		if (v->split && v->words != NULL) {
			for (size_t k = 0; k < v->nwords; k++)
				out[n++] = v->words[k];
		} else {
			out[n++] = *v;
		}
	}
	for (size_t i = 0; t != NULL && i < n; i++)
		launch_restore(l, t, &out[i]);
	*argv = out;
	return n;
}

struct shval *
launch_join(struct launches *l, const struct shval *argv, size_t from, size_t n,
    const char *s)
{
	const struct shpiece blank = {
		.why = SHVAL_KNOWN, .s = s, .len = strlen(s)
	};
	size_t pieces = 0, k = 0;

	for (size_t i = from; i < n; i++)
		pieces += argv[i].npiece + 1;
	struct shval *v = arena_alloc(&l->arena, sizeof *v);
	*v = (struct shval){ 0 };
	v->piece = arena_alloc(&l->arena, (pieces + 1) * sizeof *v->piece);
	for (size_t i = from; i < n; i++) {
		if (i != from)
			v->piece[k++] = blank;
		for (size_t p = 0; p < argv[i].npiece; p++)
			v->piece[k++] = argv[i].piece[p];
	}
	v->npiece = k;
	return v;
}

int
launch_has_blank(const struct shval *v)
{
	for (size_t i = 0; i < v->npiece; i++)
		if (v->piece[i].why == SHVAL_KNOWN && v->piece[i].len != 0 &&
		    memchr(v->piece[i].s, ' ', v->piece[i].len) != NULL)
			return 1;
	return 0;
}
