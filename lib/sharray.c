#include <string.h>

#include "shwalk.h"

const struct shval *
shvar_scalar(struct shval_run *w, const struct shvar *var)
{
	const struct shelem zero = { NULL, 0, 0, NULL };
	const struct shelem key = { "0", 1, 0, NULL };
	const struct shval *v;
	int known;

	if (!(var->flags & (VAR_ARRAY | VAR_ASSOC)))
		return var->v;
	v = shvar_elem(var, var->flags & VAR_ASSOC ? &key : &zero, &known);
	if (!known)
		return var->v ? var->v : shval_vague(w, SHVAL_BRANCH, "");
	return v != NULL ? v : &shval_unset_value;
}

static int
same_key(const struct shelem *a, const struct shelem *b)
{
	if (a->key != NULL)
		return b->key != NULL && a->keylen == b->keylen &&
		    memcmp(a->key, b->key, a->keylen) == 0;
	return a->index == b->index;
}

static const struct shval *
elem_from_end(const struct shvar *var, int64_t index, int *known)
{
	size_t n = var->nelem;
	int64_t want;

	*known = 1;
	if (n == 0)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (var->elem[i].v->split && i + 1 == n) {
			*known = 0;
			return NULL;
		}
		if (!var->elem[i].v->split)
			continue;
		for (size_t k = i; k < n; k++) {
			if (var->elem[k].v->split)
				i = k;
		}
		if ((int64_t)(n - i) > -index)
			return var->elem[n - (size_t)-index].v;
		*known = 0;
		return NULL;
	}
	want = var->elem[n - 1].index + 1 + index;
	for (size_t i = 0; i < n; i++) {
		if (var->elem[i].index == want)
			return var->elem[i].v;
	}
	return NULL;
}

const struct shval *
shvar_elem(const struct shvar *var, const struct shelem *key, int *known)
{
	*known = 1;
	if (var->flags & (VAR_MAYBE | VAR_LOOSE)) {
		*known = 0;
		return NULL;
	}
	if (!(var->flags & (VAR_ARRAY | VAR_ASSOC)))
		return key->index == 0 || key->index == -1 ? var->v : NULL;
	if (key->key == NULL && key->index < 0)
		return elem_from_end(var, key->index, known);
	for (size_t i = 0; i < var->nelem; i++) {
		if (var->elem[i].v->split) {
			*known = 0;
			return NULL;
		}
		if (same_key(&var->elem[i], key))
			return var->elem[i].v;
	}
	return NULL;
}

int
shvar_list(const struct shvar *var, const struct shelem **list, size_t *n,
    struct shelem *scratch)
{
	if (var->flags & (VAR_MAYBE | VAR_LOOSE))
		return 0;
	if (var->flags & (VAR_ARRAY | VAR_ASSOC)) {
		*list = var->elem;
		*n = var->nelem;
		return !(var->flags & VAR_ASSOC) || var->nelem < 2;
	}
	*scratch = (struct shelem){ NULL, 0, 0, var->v };
	*list = scratch;
	*n = 1;
	if (var->v->alt != NULL) {
		for (const struct shval *v = var->v; v; v = v->alt) {
			if (v->unset)
				return 0;
		}
	} else if (var->v->unset) {
		*n = 0;
	}
	return 1;
}

static struct shvar *
array_like(struct shval_run *w, const struct shvar *old, size_t n)
{
	struct shvar *var = shwalk_alloc(w, sizeof(*var));
	struct shelem *e;

	if (n > w->room / sizeof(*e)) {
		w->limited = 1;
		w->room = 0;
		n = 1;
	}
	e = shwalk_alloc(w, n * sizeof(*e));
	*var = (struct shvar){ NULL, e, 0, old->flags, w->stamp, old->scope };
	if (!(var->flags & VAR_ASSOC))
		var->flags |= VAR_ARRAY;
	var->flags &= ~(uint32_t)(VAR_MAYBE | VAR_LOOSE);
	return var;
}

static const struct shval *
elem_value(struct shval_run *w, const struct shvar *var,
    const struct shval *old, const struct shval *v, int append)
{
	if (var->flags & VAR_INTEGER) {
		struct shnum n = sharith_must(w, v);
		if (n.why != SHVAL_KNOWN || append)
			return shval_vague(w, SHVAL_LIMIT, "");
		return shval_number(w, n.n, shval_nowhere);
	}
	if (var->flags & (VAR_LOWER | VAR_UPPER))
		return shval_vague(w, SHVAL_LIMIT, "");
	if (append && old != NULL)
		v = shval_concat(w, old, v);
	return v->unset ? &shval_empty : v;
}

static int
array_vague(struct shval_run *w, struct shslot *slot, const struct shvar *old)
{
	if (!(old->flags & VAR_MAYBE) &&
	    ((old->flags & (VAR_ARRAY | VAR_ASSOC)) || shvar_isset(old) != -1))
		return 0;
	struct shvar *var = shwalk_alloc(w, sizeof(*var));
	*var = *old;
	var->flags |= VAR_MAYBE;
	if (!(var->flags & VAR_ASSOC))
		var->flags |= VAR_ARRAY;
	if (var->v == NULL)
		var->v = shval_vague(w, SHVAL_BRANCH, slot->name);
	var->stamp = w->stamp;
	shvar_put(w, slot, var);
	return 1;
}

void
shvar_set_elem(struct shval_run *w, const char *name, size_t len,
    const struct shelem *e, int append)
{
	struct shslot *slot = shslot_for(w, name, len);
	const struct shvar *old = shvar_get(w, slot);
	const struct shelem *list;
	struct shelem scratch, *to;
	size_t n, i, at;
	int known = 1;
	struct shvar *var;

	if (old->flags & (VAR_READONLY | VAR_DYNAMIC))
		return;
	if (array_vague(w, slot, old))
		return;
	shvar_list(old, &list, &n, &scratch);
	for (i = 0; i < n; i++)
		known &= !list[i].v->split;
	if (!known || (e->key == NULL && e->index < 0)) {
		shvar_vague(w, name, len, SHVAL_BRANCH, slot->name);
		return;
	}
	var = array_like(w, old, n + 1);
	to = (struct shelem *)(uintptr_t)var->elem;
	for (at = 0; at < n; at++) {
		if (same_key(&list[at], e) ||
		    (e->key == NULL && list[at].index > e->index))
			break;
	}
	int there = at < n && same_key(&list[at], e);
	if (!w->limited) {
		if (at > 0)
			memcpy(to, list, at * sizeof(*to));
		if (n > at + (size_t)there)
			memcpy(to + at + 1, list + at + there,
			    (n - at - (size_t)there) * sizeof(*to));
		to[at] = *e;
		to[at].v =
		    elem_value(w, old, there ? list[at].v : NULL, e->v, append);
		var->nelem = n + 1 - (size_t)there;
	}
	shvar_put(w, slot, var);
}

void
shvar_set_list(struct shval_run *w, const char *name, size_t len,
    const struct shelem *list, size_t n, int append)
{
	struct shslot *slot = shslot_for(w, name, len);
	const struct shvar *old = shvar_get(w, slot);
	const struct shelem *have = NULL;
	struct shelem scratch, *to;
	size_t m = 0;
	int64_t next = 0;
	struct shvar *var;

	if (old->flags & (VAR_READONLY | VAR_DYNAMIC))
		return;
	if (append) {
		if (array_vague(w, slot, old))
			return;
		shvar_list(old, &have, &m, &scratch);
		for (size_t i = 0; i < m && next >= 0; i++)
			next = have[i].v->split ? -1 : have[i].index + 1;
	}
	var = array_like(w, old, m + n);
	if (w->limited)
		return;
	to = (struct shelem *)(uintptr_t)var->elem;
	if (m > 0)
		memcpy(to, have, m * sizeof(*to));
	for (size_t i = 0; i < n; i++) {
		to[m + i] = list[i];
		to[m + i].v = elem_value(w, old, NULL, list[i].v, 0);
		if (next >= 0 && to[m + i].v->split)
			next = -1;
		to[m + i].index = next < 0 ? -1 : next++;
	}
	var->nelem = m + n;
	shvar_put(w, slot, var);
}

static int
same_elem(const struct shelem *a, const struct shelem *b)
{
	if (a->v == b->v)
		return 1;
	return a->v->alt == NULL && b->v->alt == NULL && !a->v->split &&
	    !b->v->split && shval_same(a->v, b->v);
}

/* The words of the part where two arrays differ, as one alternative. */
static struct shval *
middle(struct shval_run *w, const struct shelem *e, size_t n)
{
	struct shval *v = shwalk_alloc(w, sizeof(*v));
	struct shval *words = shwalk_alloc(w, (n + 1) * sizeof(*words));
	const struct shval *text = &shval_empty, *blank;

	blank = shval_string(w, " ", 1, shval_nowhere);
	for (size_t i = 0; i < n; i++) {
		if (e[i].v->alt != NULL || e[i].v->split)
			return NULL;
		words[i] = *e[i].v;
		if (i > 0)
			text = shval_concat(w, text, blank);
		text = shval_concat(w, text, e[i].v);
	}
	*v = *text;
	v->unset = 0;
	v->split = 1;
	v->words = words;
	v->nwords = n;
	return v;
}

static const struct shvar *
join_arrays(struct shval_run *w, const struct shvar *a, const struct shvar *b)
{
	static const struct shelem none[1];
	const struct shelem *x = a->elem != NULL ? a->elem : none;
	const struct shelem *y = b->elem != NULL ? b->elem : none;
	size_t head = 0, tail = 0;
	size_t min = a->nelem < b->nelem ? a->nelem : b->nelem;
	struct shvar *var;
	struct shelem *to;

	while (head < min && same_elem(&x[head], &y[head]) &&
	    x[head].index == y[head].index)
		head++;
	if (head == a->nelem && head == b->nelem)
		return a;
	while (tail < min - head &&
	    same_elem(&x[a->nelem - 1 - tail], &y[b->nelem - 1 - tail]))
		tail++;
	var = array_like(w, a, head + tail + 1);
	if (w->limited)
		return a;
	to = (struct shelem *)(uintptr_t)var->elem;
	memcpy(to, x, head * sizeof(*to));
	struct shval *v = middle(w, x + head, a->nelem - head - tail);
	struct shval *u = middle(w, y + head, b->nelem - head - tail);
	if (u == NULL || v == NULL) {
		v = shval_make(w, shval_vague(w, SHVAL_BRANCH, "")->piece, 1);
		v->split = 1;
	} else {
		v->alt = u;
	}
	to[head] = (struct shelem){ NULL, 0, -1, v };
	for (size_t i = 0; i < tail; i++) {
		to[head + 1 + i] = x[a->nelem - tail + i];
		to[head + 1 + i].index = -1;
	}
	var->nelem = head + tail + 1;
	return var;
}

/* A variable that is not set is an empty array to one that is an array. */
static const struct shvar *
as_array(struct shval_run *w, const struct shvar *a, const struct shvar *other)
{
	struct shvar *var;

	if (!(other->flags & VAR_ARRAY) ||
	    (a->flags & (VAR_ARRAY | VAR_ASSOC)) || shvar_isset(a) != 0)
		return a;
	var = array_like(w, a, 0);
	return var;
}

const struct shvar *
shvar_join(struct shval_run *w, const struct shvar *a, const struct shvar *b)
{
	uint32_t kind = VAR_ARRAY | VAR_ASSOC;
	const struct shvar *j = NULL;
	struct shvar *var;

	if (a == b)
		return a;
	if ((a->flags & VAR_MAYBE) && (b->flags | a->flags) == a->flags &&
	    a->scope == b->scope)
		return a;
	a = as_array(w, a, b);
	b = as_array(w, b, a);
	if (((a->flags | b->flags) & VAR_MAYBE) == 0 &&
	    (a->flags & kind) == (b->flags & kind)) {
		if (a->flags & VAR_ARRAY)
			j = join_arrays(w, a, b);
		else if (!(a->flags & VAR_ASSOC))
			j = a;
	}
	var = shwalk_alloc(w, sizeof(*var));
	*var = j != NULL ? *j : *a;
	if (j == NULL) {
		var->flags |= VAR_MAYBE | ((a->flags | b->flags) & kind);
		var->elem = NULL;
		var->nelem = 0;
		var->v = shval_vague(w, SHVAL_BRANCH, "");
	} else if (!(a->flags & kind)) {
		var->v = shval_either(w, a->v, b->v);
	}
	var->flags |= b->flags & (VAR_EXPORT | VAR_READONLY);
	var->stamp = w->stamp;
	if (a->scope != b->scope)
		var->scope = SCOPE_MIXED;
	if (var->v == a->v && var->elem == a->elem && var->flags == a->flags &&
	    var->scope == a->scope)
		return a;
	return var;
}
