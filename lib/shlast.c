/*
 * What lasts. A command makes values that nobody needs when it has run, and
 * of which the state (shloc) keeps a few. So commands take their memory in an
 * arena that is emptied when it holds enough: what the places that were set
 * since point to is copied before. That points to nothing newer, so no more
 * has to be looked at. Values of the state that were replaced take memory
 * until they are as many as those in use; then these are copied. When
 * something else may point to them (a call that is kept, a list of the
 * state's), all of it lasts.
 */
#include <string.h>

#include "shwalk.h"

/* Bytes that commands make before they are settled: few enough to stay in the
 * processor's cache. None where sanitizers are to see what was forgotten. */
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define LAST_NOTHING
#endif
#endif
#if defined LAST_NOTHING || defined __SANITIZE_ADDRESS__
enum { LAST_ROOM = 0, LAST_STATE = 0 };
#else
enum { LAST_ROOM = 192 << 10, LAST_STATE = 1 << 20 };
#endif

/* Values on their way out of an arena. */
struct last {
	struct shval_run *w;
	const struct arena *from;
};

struct arena *
shlast_begin(struct shval_run *w)
{
	struct arena *was = w->into;

	w->into = &w->mem;
	return was;
}

void
shlast_end(struct shval_run *w, struct arena *was)
{
	w->into = was;
}

void
shval_keep(struct shval_run *w)
{
	w->kept = 1;
}

static int
leaves(const struct last *l, const void *p)
{
	return p != NULL && arena_has(l->from, p);
}

static void *
last_copy(const struct last *l, const void *p, size_t n)
{
	return memcpy(shwalk_alloc(l->w, n), p, n);
}

static void
last_pieces(const struct last *l, struct shval *v)
{
	if (v->npiece == 0 || !leaves(l, v->piece))
		return;
	v->piece = last_copy(l, v->piece, v->npiece * sizeof(*v->piece));
	for (size_t i = 0; i < v->npiece; i++) {
		struct shpiece *p = &v->piece[i];
		if (!leaves(l, p->s))
			continue;
		/* without bytes it may be a name, a string */
		size_t n =
		    p->why == SHVAL_KNOWN && p->len > 0 ? p->len : strlen(p->s);
		p->s = shwalk_dup(l->w, p->s, n);
	}
}

static const struct shval *
last_value(const struct last *l, const struct shval *v)
{
	struct shval *head = NULL, **to = &head;

	for (; leaves(l, v); v = v->alt) {
		struct shval *one = last_copy(l, v, sizeof(*v));
		last_pieces(l, one);
		if (leaves(l, v->words)) {
			struct shval *words =
			    last_copy(l, v->words, v->nwords * sizeof(*words));
			for (size_t i = 0; i < v->nwords; i++)
				last_pieces(l, &words[i]);
			one->words = words;
		}
		*to = one;
		to = &one->alt;
	}
	*to = (struct shval *)(uintptr_t)v;
	return head;
}

static const struct shvar *
last_var(const struct last *l, const struct shvar *var)
{
	if (!leaves(l, var))
		return var;
	struct shvar *r = last_copy(l, var, sizeof(*r));
	r->v = last_value(l, var->v);
	r->elem = NULL;
	if (var->elem == NULL)
		return r;
	struct shelem *e = last_copy(l, var->elem, var->nelem * sizeof(*e));
	for (size_t i = 0; i < var->nelem; i++) {
		e[i].v = last_value(l, e[i].v);
		if (leaves(l, e[i].key))
			e[i].key = shwalk_dup(l->w, e[i].key, e[i].keylen);
	}
	r->elem = e;
	return r;
}

static const struct shfunc *
last_func(const struct last *l, const struct shfunc *f)
{
	if (!leaves(l, f))
		return f;
	struct shfunc *r = last_copy(l, f, sizeof(*r));
	r->alt = last_func(l, f->alt);
	return r;
}

/* 0 when what it has cannot be copied alone. */
static int
last_loc(const struct last *l, struct shloc *loc)
{
	switch (loc->kind) {
	case LOC_VAR: loc->now = last_var(l, loc->now); break;
	case LOC_FUNC: loc->now = last_func(l, loc->now); break;
	case LOC_CWD: loc->now = last_value(l, loc->now); break;
	case LOC_OPTS:
		if (leaves(l, loc->now))
			loc->now =
			    last_copy(l, loc->now, sizeof(struct shopts));
		break;
	default: return !leaves(l, loc->now);
	}
	return 1;
}

/* What was set since goes to the state's arena. 0 when all has to last. */
static int
last_fresh(struct shval_run *w)
{
	const struct last l = { w, &w->passing };
	size_t room = w->room;
	int alone = !w->kept && w->nguard == w->guards;

	w->into = &w->state;
	for (size_t i = 0; i < w->nfresh && alone; i++) {
		size_t before = w->room;
		alone =
		    room - w->room <= w->passed && last_loc(&l, w->fresh[i]);
		if (w->fresh[i]->stated)
			w->replaced += before - w->room;
		w->fresh[i]->stated = 1;
	}
	w->stated += room - w->room;
	for (size_t i = 0; i < w->nfresh; i++)
		w->fresh[i]->fresh = 0;
	w->nfresh = 0;
	return alone;
}

/* The state's arena holds much that was replaced. */
static void
last_state(struct shval_run *w)
{
	struct arena old = w->state;
	const struct last l = { w, &old };
	size_t room = w->room, had = w->stated;

	w->state.top = NULL;
	w->into = &w->state;
	for (size_t i = 0; i < w->ntable; i++) {
		for (struct shslot *s = w->table[i]; s != NULL; s = s->next) {
			last_loc(&l, &s->var);
			last_loc(&l, &s->func);
		}
	}
	last_loc(&l, &w->cwd);
	last_loc(&l, &w->opts);
	arena_free(&old);
	w->stated = room - w->room;
	w->replaced = 0;
	w->room += had;
}

void
shlast_settle(struct shval_run *w)
{
	if (w->passed <= LAST_ROOM)
		return;
	if (last_fresh(w)) {
		arena_clear(&w->passing);
		w->room += w->passed;
	} else {
		arena_join(&w->mem, &w->passing);
		arena_join(&w->mem, &w->state);
		w->stated = w->replaced = 0;
	}
	if (w->replaced > w->stated / 2 + LAST_STATE)
		last_state(w);
	w->into = &w->passing;
	w->passed = 0;
	w->kept = 0;
	w->guards = w->nguard;
	w->ifsvar = NULL;
}
