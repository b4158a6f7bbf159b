#include <string.h>

#include "mem.h"
#include "shwalk.h"

size_t
shname_len(const char *s, size_t len)
{
	size_t i = 0;

	for (; i < len; i++) {
		char c = s[i];
		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			c == '_' || (c >= '0' && c <= '9' && i > 0)))
			break;
	}
	return i;
}

int
shname_valid(const char *s, size_t len)
{
	return len > 0 && shname_len(s, len) == len;
}

/* The first and the last of at most eight bytes, which may overlap. */
static uint64_t
hash_ends(const char *s, size_t len)
{
	uint32_t a, b;

	if (len < 4)
		return len == 0 ? 0
				: (uint64_t)(unsigned char)s[0] << 16 |
			(uint64_t)(unsigned char)s[len / 2] << 8 |
			(unsigned char)s[len - 1];
	memcpy(&a, s, 4);
	memcpy(&b, s + len - 4, 4);
	return (uint64_t)a << 32 | b;
}

/* Eight bytes at a time: names are looked up for each expansion. */
uint32_t
shname_hash(const char *s, size_t len)
{
	uint64_t h = len * 0x9e3779b97f4a7c15u, x;

	for (; len > 8; s += 8, len -= 8) {
		memcpy(&x, s, 8);
		h = (h ^ x) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	h = (h ^ hash_ends(s, len)) * 0xff51afd7ed558ccdu;
	return (uint32_t)(h ^ h >> 32);
}

static void
table_grow(struct shval_run *w)
{
	size_t n = w->ntable * 4;
	struct shslot **t = mem_zero(n, sizeof(struct shslot *));

	for (size_t i = 0; i < w->ntable; i++) {
		for (struct shslot *s = w->table[i], *next; s; s = next) {
			next = s->next;
			s->next = t[s->hash & (n - 1)];
			t[s->hash & (n - 1)] = s;
		}
	}
	mem_free(w->table);
	w->table = t;
	w->ntable = n;
}

struct shslot *
shslot_get(struct shval_run *w, const char *name, size_t len)
{
	uint32_t h = shname_hash(name, len);
	struct shslot *s = w->table[h & (w->ntable - 1)];

	for (; s != NULL; s = s->next) {
		if (s->hash == h && s->len == len &&
		    memcmp(s->name, name, len) == 0)
			return s;
	}
	if (w->nslot++ >= w->ntable)
		table_grow(w);
	struct arena *was = shlast_begin(w);
	s = shwalk_alloc(w, sizeof(*s));
	*s = (struct shslot){ .name = shwalk_dup(w, name, len),
		.len = len,
		.hash = h,
		.var = { .kind = LOC_VAR },
		.func = { .kind = LOC_FUNC },
		.lasting = len == 3 && memcmp(name, "IFS", 3) == 0,
		.next = w->table[h & (w->ntable - 1)] };
	shlast_end(w, was);
	w->table[h & (w->ntable - 1)] = s;
	return s;
}

const struct shvar *
shvar_import(struct shval_run *w, struct shslot *slot)
{
	struct arena *was = shlast_begin(w);

	if (slot->env == NULL)
		slot->env = shenv_import(w, slot);
	shlast_end(w, was);
	return slot->env;
}

struct shvar *
shvar_scalar_new(struct shval_run *w, const struct shval *v, uint32_t flags)
{
	struct shvar *var = shwalk_alloc(w, sizeof(*var));

	*var = (struct shvar){ v, NULL, 0, flags, w->stamp, 0 };
	return var;
}

static int
any_unset(const struct shval *v)
{
	for (; v != NULL; v = v->alt) {
		if (v->unset)
			return 1;
	}
	return 0;
}

static int
clobbers(
    const struct shclob *c, const struct shslot *slot, const struct shvar *var)
{
	if (c->soft && (var->v == NULL || !any_unset(var->v)))
		return 0;
	if (c->names == NULL)
		return !slot->lasting;
	for (const char *const *p = c->names; *p != NULL; p++) {
		size_t n = strlen(*p);
		if ((*p)[n - 1] == '*' ? strncmp(slot->name, *p, n - 1) == 0
				       : strcmp(slot->name, *p) == 0)
			return 1;
	}
	return 0;
}

const struct shvar *
shvar_effective(struct shval_run *w, const struct shclob *c,
    struct shslot *slot, const struct shvar *var)
{
	if (var == NULL)
		var = shvar_import(w, slot);
	for (; c != NULL && c->stamp > var->stamp; c = c->next) {
		if ((var->flags & VAR_DYNAMIC) || !clobbers(c, slot, var))
			continue;
		struct shvar *r = shvar_scalar_new(w,
		    shval_vague(w, c->why, c->what[0] ? c->what : slot->name),
		    var->flags);
		if (c->soft && !shval_isunset(var->v))
			r->v = shval_either(w, var->v, r->v);
		if (c->names == NULL && !c->soft)
			r->flags |= VAR_LOOSE;
		if (r->flags & (VAR_ARRAY | VAR_ASSOC))
			r->flags |= VAR_MAYBE;
		r->scope = var->scope;
		return r;
	}
	return var;
}

const struct shvar *
shvar_get(struct shval_run *w, struct shslot *slot)
{
	const struct shvar *var = slot->var.now;
	const struct shclob *c = w->clob.now;

	if (slot->caught)
		return shvar_scalar_new(
		    w, shval_vague(w, SHVAL_COMMAND, "trap"), VAR_LOOSE);
	if (var != NULL && (c == NULL || c->stamp <= var->stamp))
		return var;
	const struct shvar *r = shvar_effective(w, c, slot, var);
	if (r != var && var != NULL)
		shloc_set(w, &slot->var, r);
	else if (var == NULL && r == slot->env)
		slot->var.now = r;
	return r;
}

/* Follows namerefs. */
struct shslot *
shslot_for(struct shval_run *w, const char *name, size_t len)
{
	struct shslot *slot = shslot_get(w, name, len);

	for (int i = 0; i < 8; i++) {
		const struct shvar *var = shvar_get(w, slot);
		const char *to;
		size_t n;
		if (!(var->flags & VAR_NAMEREF) || var->v == NULL ||
		    (to = shval_cstr(w, var->v, &n)) == NULL ||
		    !shname_valid(to, n))
			break;
		slot = shslot_get(w, to, n);
	}
	return slot;
}

const struct shvar *
shvar_find(struct shval_run *w, const char *name, size_t len)
{
	const struct shvar *var = shvar_get(w, shslot_for(w, name, len));

	if (var->flags & VAR_NAMEREF)
		var = shvar_scalar_new(
		    w, shval_vague(w, SHVAL_BRANCH, "declare -n"), 0);
	return var;
}

void
shvar_put(struct shval_run *w, struct shslot *slot, const struct shvar *var)
{
	shloc_set(w, &slot->var, var);
}

int
shvar_isset(const struct shvar *var)
{
	int set = 0, unset = 0;

	if (var->flags & (VAR_MAYBE | VAR_LOOSE))
		return -1;
	if (var->flags & (VAR_ARRAY | VAR_ASSOC)) {
		for (size_t i = 0; i < var->nelem; i++) {
			if (!var->elem[i].v->split)
				return 1;
		}
		return var->nelem > 0 ? -1 : 0;
	}
	for (const struct shval *v = var->v; v != NULL; v = v->alt) {
		if (v->unset)
			unset = 1;
		else
			set = 1;
	}
	return set && unset ? -1 : set;
}

static const struct shval *
map_case(struct shval_run *w, const struct shval *v, int upper)
{
	size_t len;
	const char *s = shval_cstr(w, v, &len);
	char *r;

	if (s == NULL)
		return shval_vague(w, SHVAL_BRANCH, "");
	r = shwalk_dup(w, s, len);
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)r[i] >= 0x80)
			return shval_vague(w, SHVAL_LIMIT, "");
		if (upper && r[i] >= 'a' && r[i] <= 'z')
			r[i] = (char)(r[i] - 32);
		if (!upper && r[i] >= 'A' && r[i] <= 'Z')
			r[i] = (char)(r[i] + 32);
	}
	return shval_string(
	    w, r, len, v->npiece > 0 ? v->piece[0].from : shval_nowhere);
}

/* What a value becomes when a variable with these attributes takes it. */
static const struct shval *
with_attributes(struct shval_run *w, const struct shvar *var,
    const struct shval *old, const struct shval *v, int append)
{
	if (var->flags & VAR_INTEGER) {
		struct shnum n = sharith_must(w, v);
		struct shnum m = { 0, SHVAL_KNOWN, "" };
		if (append)
			m = sharith_must(w, old);
		if (n.why == SHVAL_KNOWN && m.why == SHVAL_KNOWN)
			return shval_number(w,
			    (long long)((unsigned long long)n.n +
				(unsigned long long)m.n),
			    shval_nowhere);
		if (n.why == SHVAL_KNOWN)
			n = m;
		return shval_vague(w, n.why, n.what);
	}
	if (append)
		v = shval_concat(w, old, v);
	if (var->flags & (VAR_LOWER | VAR_UPPER))
		v = map_case(w, v, (var->flags & VAR_UPPER) != 0);
	return v;
}

const struct shval *
shval_concat(struct shval_run *w, const struct shval *a, const struct shval *b)
{
	const struct shval *r = NULL, *x, *y;

	for (x = a; x != NULL; x = x->alt) {
		for (y = b; y != NULL; y = y->alt) {
			struct shval *v;
			if (x->npiece == 0 || y->npiece == 0) {
				v = shwalk_alloc(w, sizeof(*v));
				*v = x->npiece == 0 ? *y : *x;
				v->alt = NULL;
				v->unset = 0;
			} else {
				size_t n = x->npiece + y->npiece;
				if (n > w->room / 64)
					return shval_vague(w, SHVAL_LIMIT, "");
				struct shpiece *p =
				    shwalk_alloc(w, n * sizeof(*p));
				memcpy(p, x->piece, x->npiece * sizeof(*p));
				memcpy(p + x->npiece, y->piece,
				    y->npiece * sizeof(*p));
				v = shwalk_alloc(w, sizeof(*v));
				*v = shval_empty;
				v->piece = p;
				v->npiece = n;
			}
			r = r == NULL ? v : shval_either(w, r, v);
		}
	}
	return r;
}

/* old: what the slot has now. */
static void
set_slot(struct shval_run *w, struct shslot *slot, const struct shvar *old,
    const struct shval *v, int append)
{
	struct shvar *var;

	if (old->flags & (VAR_READONLY | VAR_DYNAMIC))
		return;
	if ((old->flags & VAR_NAMEREF) && shvar_isset(old) == 1) {
		shwalk_clobber(w, SHVAL_BRANCH, "declare -n", 0, NULL);
		return;
	}
	if (old->flags & (VAR_ARRAY | VAR_ASSOC)) {
		struct shelem e = { NULL, 0, 0, v };
		if (old->flags & VAR_ASSOC)
			e.key = "0", e.keylen = 1;
		shvar_set_elem(w, slot->name, slot->len, &e, append);
		return;
	}
	if (append || (old->flags & VAR_ATTRS))
		v = with_attributes(w, old, old->v, v, append);
	if (v->unset)
		v = &shval_empty;
	var = shvar_scalar_new(
	    w, v, old->flags & ~(uint32_t)(VAR_MAYBE | VAR_LOOSE));
	var->scope = old->scope;
	if (((const struct shopts *)w->opts.now)->on & OPT_ALLEXPORT)
		var->flags |= VAR_EXPORT;
	shvar_put(w, slot, var);
}

void
shvar_set(struct shval_run *w, const char *name, size_t len,
    const struct shval *v, int append)
{
	struct shslot *slot = shslot_for(w, name, len);

	set_slot(w, slot, shvar_get(w, slot), v, append);
}

void
shvar_flag(struct shval_run *w, const char *name, size_t len, uint32_t on,
    uint32_t off)
{
	struct shslot *slot = shslot_get(w, name, len);
	const struct shvar *old = shvar_get(w, slot);
	struct shvar *var;

	if ((old->flags | on) == old->flags && (old->flags & off) == 0)
		return;
	var = shwalk_alloc(w, sizeof(*var));
	*var = *old;
	var->flags = (old->flags | on) & ~off;
	if ((on & (VAR_ARRAY | VAR_ASSOC)) &&
	    !(old->flags & (VAR_ARRAY | VAR_ASSOC))) {
		if (shvar_isset(old) == 1) {
			struct shelem *e = shwalk_alloc(w, sizeof(*e));
			*e = (struct shelem){ NULL, 0, 0, old->v };
			if (on & VAR_ASSOC)
				e->key = "0", e->keylen = 1;
			var->elem = e;
			var->nelem = 1;
			var->v = NULL;
		} else if (shvar_isset(old) == 0) {
			var->v = NULL;
		} else {
			var->flags |= VAR_MAYBE;
		}
	}
	shvar_put(w, slot, var);
}

/* That of local variables here, 0 outside of functions. */
static uint32_t
scope_now(const struct shval_run *w)
{
	const struct shframe *f = w->frame;

	while (f != NULL && f->name == NULL)
		f = f->up;
	return f != NULL ? f->depth : 0;
}

void
shvar_unset(struct shval_run *w, const char *name, size_t len)
{
	struct shslot *slot = shslot_for(w, name, len);
	const struct shvar *old = shvar_get(w, slot);
	struct shvar *var;

	if (old->flags & (VAR_READONLY | VAR_DYNAMIC))
		return;
	/* what a caller's local variable hid comes out again */
	if (old->scope != 0 && old->scope != scope_now(w)) {
		shvar_vague(w, name, len, SHVAL_LIMIT, slot->name);
		return;
	}
	var = shvar_scalar_new(w, &shval_unset_value, 0);
	var->scope = old->scope;
	shvar_put(w, slot, var);
}

void
shvar_vague(struct shval_run *w, const char *name, size_t len,
    enum shval_why why, const char *what)
{
	struct shslot *slot = shslot_for(w, name, len);
	const struct shvar *old = shvar_get(w, slot);
	struct shvar *var;

	if (old->flags & (VAR_READONLY | VAR_DYNAMIC))
		return;
	var = shvar_scalar_new(w, shval_vague(w, why, what), old->flags);
	if (var->flags & (VAR_ARRAY | VAR_ASSOC))
		var->flags |= VAR_MAYBE;
	var->scope = old->scope;
	shvar_put(w, slot, var);
}

void
shvar_local(struct shval_run *w, const char *name, size_t len)
{
	struct shframe *f = w->frame;
	struct shslot *slot = shslot_get(w, name, len);
	const struct shvar *old = shvar_get(w, slot);
	struct shvar *var;
	struct shlocal *l;

	while (f != NULL && f->name == NULL)
		f = f->up;
	if (f == NULL || old->scope == f->depth)
		return;
	l = shwalk_alloc(w, sizeof(*l));
	*l = (struct shlocal){ f->locals, slot, old };
	f->locals = l;
	var = shvar_scalar_new(w, &shval_unset_value, old->flags & VAR_EXPORT);
	var->scope = f->depth;
	shvar_put(w, slot, var);
}

/*
 * The list with one more. Those of before that this one covers go, so that
 * the list stays as short as there are kinds.
 */
const struct shclob *
shclob_add(
    struct shval_run *w, const struct shclob *list, const struct shclob *one)
{
	struct shclob *c = shwalk_alloc(w, sizeof(*c));
	struct shclob *head = c;

	*c = *one;
	c->next = NULL;
	for (; list != NULL; list = list->next) {
		if ((one->names == NULL || one->names == list->names) &&
		    (!one->soft || list->soft))
			continue;
		c->next = shwalk_alloc(w, sizeof(*c));
		c = (struct shclob *)(uintptr_t)c->next;
		*c = *list;
		c->next = NULL;
	}
	return head;
}

/* Does the script's own command just set variables, and is its line's last? */
static int
is_alone(const struct shval_run *w)
{
	if (w->depth > 0 || w->marks > 0)
		return 0;
	const struct shcmd *c = w->src->cmd;
	const struct shnode *n = &c->node[w->own];
	const struct shword *x = &c->word[n->word + n->nassign];
	if (n->kind != SH_SIMPLE || n->nredir > 0)
		return 0;
	if (n->nword > n->nassign &&
	    ((x->flags & (SHW_QUOTED | SHW_EXPAND)) || n->nassign > 0 ||
		!shdeclare_is(c->text + x->off, x->end - x->off)))
		return 0;
	return n->next == SH_NONE ||
	    memchr(c->text + n->end, '\n', c->node[n->next].off - n->end) !=
	    NULL;
}

void
shwalk_error(struct shval_run *w)
{
	if (is_alone(w)) {
		w->aborted = GAVE_UP_ALONE;
		return;
	}
	shwalk_clobber(w, SHVAL_LIMIT, "", 0, NULL);
	w->aborted = GAVE_UP;
}

void
shwalk_clobber(struct shval_run *w, enum shval_why why, const char *what,
    int soft, const char *const *names)
{
	const struct shclob one = { ++w->stamp, why, what, soft, names, NULL };

	shloc_set(w, &w->clob, shclob_add(w, w->clob.now, &one));
}
