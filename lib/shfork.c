#include <string.h>

#include "shwalk.h"

void
shloc_set(struct shval_run *w, struct shloc *loc, const void *now)
{
	if (w->marks > 0) {
		w->trail = mem_more(
		    w->trail, w->ntrail, &w->captrail, sizeof(*w->trail));
		w->trail[w->ntrail++] = (struct shtrail){ loc, loc->now };
	}
	if (!loc->fresh) {
		loc->fresh = 1;
		w->fresh = mem_more(
		    w->fresh, w->nfresh, &w->capfresh, sizeof(*w->fresh));
		w->fresh[w->nfresh++] = loc;
	}
	loc->now = now;
}

size_t
shmark_open(struct shval_run *w)
{
	w->marks++;
	return w->ntrail;
}

void
shmark_undo(struct shval_run *w, size_t mark)
{
	while (w->ntrail > mark) {
		w->ntrail--;
		w->trail[w->ntrail].loc->now = w->trail[w->ntrail].old;
	}
}

void
shmark_close(struct shval_run *w, size_t mark)
{
	w->marks--;
	if (w->marks == 0)
		w->ntrail = 0;
	(void)mark;
}

static struct shslot *
slot_of(struct shloc *loc)
{
	return (struct shslot *)((char *)loc - offsetof(struct shslot, var));
}

static const void *
effective(struct shval_run *w, const struct shclob *clob, struct shloc *loc,
    const void *now)
{
	if (loc->kind != LOC_VAR)
		return now;
	return shvar_effective(w, clob, slot_of(loc), now);
}

/* What changed since the mark, as it is now. */
static struct shdelta *
capture(struct shval_run *w, size_t mark)
{
	struct shdelta *d = shwalk_alloc(w, sizeof(*d));
	size_t n = 0;

	w->steps -= (long)((w->ntrail - mark) / 16);
	w->epoch++;
	for (size_t i = mark; i < w->ntrail; i++) {
		if (w->trail[i].loc->seen != w->epoch)
			n++;
		w->trail[i].loc->seen = w->epoch;
	}
	*d = (struct shdelta){ 0 };
	d->change = shwalk_alloc(w, n * sizeof(*d->change));
	d->clob = w->clob.now;
	d->status = w->status;
	w->epoch++;
	for (size_t i = mark; i < w->ntrail; i++) {
		struct shloc *loc = w->trail[i].loc;

		if (loc->seen == w->epoch)
			continue;
		loc->seen = w->epoch;
		d->change[d->n++] = (struct shchange){ loc,
			effective(w, d->clob, loc, loc->now) };
	}
	return d;
}

static const struct shval *
join_value(struct shval_run *w, const struct shval *a, const struct shval *b)
{
	if (a == NULL || b == NULL)
		return shval_vague(w, SHVAL_BRANCH, "");
	return shval_either(w, a, b);
}

static const struct shfunc *
join_func(struct shval_run *w, const struct shfunc *a, const struct shfunc *b)
{
	static const struct shfunc none = { NULL, 0, NULL, NULL, 1 };
	const struct shfunc *list = a ? a : &none, *f, *o;
	int n = 0;

	for (f = b ? b : &none; f != NULL; f = f->alt) {
		for (o = list; o != NULL; o = o->alt) {
			if (o->source == f->source && o->body == f->body &&
			    o->gone == f->gone)
				break;
		}
		if (o != NULL || ++n > SHWALK_ALTS)
			continue;
		struct shfunc *one = shwalk_alloc(w, sizeof(*one));
		*one = *f;
		one->alt = list;
		list = one;
	}
	return list;
}

static const struct shargs *
join_args(struct shval_run *w, const struct shargs *a, const struct shargs *b)
{
	struct shargs *r = shwalk_alloc(w, sizeof(*r));
	struct shval *v;
	size_t n = a->n < b->n ? a->n : b->n;

	v = shwalk_alloc(w, (n + 1) * sizeof(*v));
	for (size_t i = 0; i < n; i++)
		v[i] = *join_value(w, &a->v[i], &b->v[i]);
	*r = (struct shargs){ v, n, a->unknown || b->unknown || a->n != b->n };
	return r;
}

static const struct shopts *
join_opts(struct shval_run *w, const struct shopts *a, const struct shopts *b)
{
	struct shopts *r = shwalk_alloc(w, sizeof(*r));

	r->on = a->on & b->on;
	r->vague = a->vague | b->vague | (a->on ^ b->on);
	return r;
}

static const void *
join(struct shval_run *w, struct shloc *loc, const void *a, const void *b)
{
	if (a == b)
		return a;
	switch (loc->kind) {
	case LOC_VAR: {
		struct shslot *slot = slot_of(loc);
		if (a == NULL)
			a = shvar_import(w, slot);
		if (b == NULL)
			b = shvar_import(w, slot);
		return shvar_join(w, a, b);
	}
	case LOC_FUNC: return join_func(w, a, b);
	case LOC_CWD: return join_value(w, a, b);
	case LOC_ARGS: return join_args(w, a, b);
	case LOC_OPTS: return join_opts(w, a, b);
	case LOC_DIRS: return NULL;
	default: return a;
	}
}

/* All that may have been clobbered in an arm has been afterwards. */
static void
join_clobs(
    struct shval_run *w, const struct shdelta *d, const struct shclob *base)
{
	const struct shclob *list = base;
	uint32_t since = base != NULL ? base->stamp : 0;

	w->stamp++;
	for (; d != NULL; d = d->next) {
		for (const struct shclob *c = d->clob; c; c = c->next) {
			struct shclob one = *c;
			if (c->stamp <= since || d->clob == base)
				continue;
			one.stamp = w->stamp;
			list = shclob_add(w, list, &one);
		}
	}
	if (list != base)
		shloc_set(w, &w->clob, list);
}

/* The places that any of the deltas changed. */
static size_t
union_of(struct shval_run *w, const struct shdelta *d, struct shloc ***locs)
{
	size_t n = 0;

	for (const struct shdelta *e = d; e; e = e->next)
		n += e->n;
	*locs = shwalk_alloc(w, n * sizeof(**locs) + 1);
	n = 0;
	w->epoch++;
	for (; d != NULL; d = d->next) {
		for (size_t i = 0; i < d->n; i++) {
			struct shloc *loc = d->change[i].loc;
			if (loc->seen == w->epoch || loc->kind == LOC_CLOB)
				continue;
			loc->seen = w->epoch;
			loc->index = (uint32_t)n;
			(*locs)[n++] = loc;
		}
	}
	return n;
}

static int
join_status(int a, int b)
{
	if (a == b)
		return a;
	return a == 0 || b == 0 || a == ST_UNKNOWN || b == ST_UNKNOWN
	    ? ST_UNKNOWN
	    : ST_FAIL;
}

/* The state is that at the mark: makes it what the deltas leave together.
 * 1 when this is another. */
static int
join_all(struct shval_run *w, struct shdelta *d)
{
	struct shloc **locs;
	const struct shclob *base = w->clob.now;
	size_t n = union_of(w, d, &locs);
	const void **now = shwalk_alloc(w, (n + 1) * 3 * sizeof(*now));
	const void **one = now + n, **old = one + n;
	int status = d->status, changed = 0, first = 1;

	for (size_t i = 0; i < n; i++)
		old[i] = effective(w, base, locs[i], locs[i]->now);
	for (struct shdelta *e = d; e != NULL; e = e->next, first = 0) {
		status = join_status(status, e->status);
		w->steps -= (long)(n / 8);
		for (size_t i = 0; i < n; i++)
			one[i] = e->clob == base
			    ? old[i]
			    : effective(w, e->clob, locs[i], locs[i]->now);
		for (size_t i = 0; i < e->n; i++) {
			if (e->change[i].loc->kind != LOC_CLOB)
				one[e->change[i].loc->index] = e->change[i].now;
		}
		for (size_t i = 0; i < n; i++)
			now[i] =
			    first ? one[i] : join(w, locs[i], now[i], one[i]);
	}
	join_clobs(w, d, base);
	if (w->clob.now != base)
		changed = 1;
	for (size_t i = 0; i < n; i++) {
		const void *v = now[i];
		if (v == old[i])
			continue;
		changed = 1;
		if (locs[i]->kind == LOC_VAR && v != NULL &&
		    w->clob.now != base) {
			struct shvar *var = shwalk_alloc(w, sizeof(*var));
			*var = *(const struct shvar *)v;
			var->stamp = w->stamp;
			v = var;
		}
		shloc_set(w, locs[i], v);
	}
	w->status = status;
	return changed;
}

void
shfork_open(struct shval_run *w, struct shfork *f)
{
	*f = (struct shfork){ 0 };
	f->mark = shmark_open(w);
	f->out = w->out != NULL ? w->out->v : NULL;
	f->status = w->status;
}

static struct shtarget *
target_of(struct shval_run *w)
{
	struct shtarget *t = w->target;
	int levels = w->levels;

	for (; t != NULL && t->kind != TARGET_SHELL; t = t->up) {
		if (w->flow == FLOW_RETURN) {
			if (t->kind == TARGET_CALL)
				return t;
		} else if (t->kind == TARGET_LOOP) {
			if (--levels <= 0)
				return t;
		} else {
			return NULL;
		}
	}
	return NULL;
}

/* Keeps the state for the place to which it jumps. */
static void
divert(struct shval_run *w)
{
	struct shtarget *t = w->flow == FLOW_BREAK ||
		w->flow == FLOW_CONTINUE || w->flow == FLOW_RETURN
	    ? target_of(w)
	    : NULL;

	if (w->out != NULL)
		w->out->lost = 1;
	if (t == NULL)
		return;
	struct shdelta *d = capture(w, t->mark);
	struct shdelta **to = w->flow == FLOW_CONTINUE ? &t->again : &t->leave;
	d->next = *to;
	*to = d;
}

void
shfork_arm(struct shval_run *w, struct shfork *f)
{
	if (w->flow == FLOW_GO) {
		struct shdelta **end = &f->arms;
		while (*end != NULL)
			end = &(*end)->next;
		*end = capture(w, f->mark);
	} else {
		divert(w);
	}
	if (w->out != NULL && w->out->v != f->out) {
		f->printed = 1;
		w->out->v = f->out;
	}
	shmark_undo(w, f->mark);
	w->flow = FLOW_GO;
	w->status = f->status;
}

int
shfork_close(struct shval_run *w, struct shfork *f)
{
	int changed = 0;

	if (w->out != NULL && f->printed)
		shout_value(w, shval_vague(w, SHVAL_BRANCH, ""));
	if (f->arms == NULL)
		w->flow = FLOW_GONE;
	else
		changed = join_all(w, f->arms);
	shmark_close(w, f->mark);
	return changed;
}

void
shtarget_open(struct shval_run *w, struct shtarget *t, enum shtarget_kind kind)
{
	*t = (struct shtarget){ w->target, kind, shmark_open(w), NULL, NULL };
	w->target = t;
}

static void
target_join(struct shval_run *w, struct shtarget *t, struct shdelta *d)
{
	if (w->flow == FLOW_GO) {
		struct shdelta *now = capture(w, t->mark);
		now->next = d;
		d = now;
	} else if (w->flow != FLOW_GONE) {
		divert(w);
	}
	shmark_undo(w, t->mark);
	w->flow = FLOW_GO;
	join_all(w, d);
}

void
shtarget_again(struct shval_run *w, struct shtarget *t)
{
	struct shdelta *d = t->again;

	t->again = NULL;
	if (d != NULL)
		target_join(w, t, d);
}

void
shtarget_close(struct shval_run *w, struct shtarget *t)
{
	struct shdelta *d = t->leave;

	t->leave = NULL;
	w->target = t->up;
	if (d != NULL)
		target_join(w, t, d);
	shmark_close(w, t->mark);
}

static void
widen_var(struct shval_run *w, struct shslot *slot)
{
	const struct shvar *old = shvar_get(w, slot);
	struct shvar *var = shvar_scalar_new(
	    w, shval_vague(w, SHVAL_BRANCH, slot->name), old->flags);

	if (var->flags & (VAR_ARRAY | VAR_ASSOC))
		var->flags |= VAR_MAYBE;
	var->scope = old->scope;
	shvar_put(w, slot, var);
}

void
shfork_widen(struct shval_run *w, size_t mark)
{
	size_t end = w->ntrail;

	w->epoch++;
	for (size_t i = mark; i < end; i++) {
		struct shloc *loc = w->trail[i].loc;

		if (loc->seen == w->epoch)
			continue;
		loc->seen = w->epoch;
		if (loc->kind == LOC_VAR) {
			widen_var(w, slot_of(loc));
		} else if (loc->kind == LOC_CWD) {
			shloc_set(w, loc, shval_vague(w, SHVAL_BRANCH, "cd"));
		} else if (loc->kind == LOC_ARGS) {
			struct shargs *a = shwalk_alloc(w, sizeof(*a));
			*a = (struct shargs){ NULL, 0, 1 };
			shloc_set(w, loc, a);
		}
	}
}
