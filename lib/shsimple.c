#include <string.h>

#include "shwalk.h"

/* The value's text begins with that of the other, unknown pieces alike. */
static int
begins_with(const struct shval *v, const struct shval *head)
{
	struct buf a = { 0 }, b = { 0 };
	const struct shval *both[] = { v, head };
	struct buf *to[] = { &a, &b };
	int r;

	for (int i = 0; i < 2; i++) {
		for (size_t k = 0; k < both[i]->npiece; k++) {
			const struct shpiece *p = &both[i]->piece[k];
			if (p->why != SHVAL_KNOWN)
				buf_addc(to[i], (char)p->why);
			buf_add(to[i], p->s, p->len);
		}
	}
	r = b.len > 0 && a.len >= b.len && memcmp(a.s, b.s, b.len) == 0;
	buf_free(&a);
	buf_free(&b);
	return r;
}

static int
guarded(struct shval_run *w, const struct shval_call *call)
{
	for (size_t g = 0; g < w->nguard; g++) {
		for (size_t i = 0; i < call->argc; i++) {
			if (begins_with(&call->argv[i], w->guard[g]))
				return 1;
		}
	}
	return 0;
}

static struct shval
one_word(struct shval_run *w, uint32_t word)
{
	size_t base = w->nword;
	struct shval v = shval_empty;

	shword_fields(w, word);
	if (w->nword == base + 1)
		v = w->word[base];
	else if (w->nword > base)
		v = *shval_vague(w, SHVAL_GLOB, "");
	w->nword = base;
	return v;
}

static int
is_null(struct shval_run *w, const struct shval *v)
{
	size_t n;
	const char *s = shval_cstr(w, v, &n);

	return s != NULL &&
	    (strcmp(s, "/dev/null") == 0 || strcmp(s, "/dev/stderr") == 0);
}

struct shval *
shwalk_redirs(struct shval_run *w, const struct shnode *n)
{
	const struct shcmd *c = w->src->cmd;
	struct shval *v;

	if (n->nredir == 0)
		return NULL;
	v = shwalk_alloc(w, n->nredir * sizeof(*v));
	for (uint32_t i = 0; i < n->nredir; i++) {
		const struct shredir *r = &c->redir[n->redir + i];
		if (r->op == OP_DLESS || r->op == OP_DLESSDASH) {
			v[i] = *shword_value(w, r->bodytok,
			    r->bodytok + r->nbodytok, EXP_DQ | EXP_INSIDE);
		} else if (r->op == OP_TLESS) {
			const struct shword *x = &c->word[r->word];
			v[i] = *shword_value(w, x->tok, x->tok + x->ntok, 0);
		} else {
			v[i] = one_word(w, r->word);
		}
		if ((r->op == OP_GREAT || r->op == OP_DGREAT ||
			r->op == OP_CLOBBER || r->op == OP_AMPGREAT ||
			r->op == OP_AMPDGREAT) &&
		    !is_null(w, &v[i]))
			shfiles_touch(w, &v[i], FILES_MADE);
	}
	shwalk_descriptors(w, n);
	return v;
}

/* An argument like name=value of a declaration: not split. */
static const struct shval *
declared(struct shval_run *w, uint32_t word)
{
	const struct shcmd *c = w->src->cmd;
	const struct shword *x = &c->word[word];
	size_t base = w->nitem;
	struct shassign a;
	const struct shval *v;

	if (!shassign_read(w, word, &a))
		return shword_value(w, x->tok, x->tok + x->ntok, EXP_ASSIGN);
	shword_tokens(w, x->tok, a.value, EXP_INSIDE);
	shword_tokens(w, a.value, a.end, EXP_ASSIGN);
	v = shfield_join(w, base);
	w->nitem = base;
	return v;
}

void
shwalk_words(struct shval_run *w, const struct shnode *n)
{
	const struct shcmd *c = w->src->cmd;
	uint32_t first = n->word + n->nassign, end = n->word + n->nword;
	int declares = 0;

	for (uint32_t i = first; i < end && !w->limited; i++) {
		const struct shword *x = &c->word[i];
		if (i == first && !(x->flags & (SHW_QUOTED | SHW_EXPAND)))
			declares =
			    shdeclare_is(c->text + x->off, x->end - x->off);
		if (declares && (x->flags & SHW_ASSIGN)) {
			struct shval v = shval_empty;
			if (!(x->flags & SHW_ARRAY))
				v = *declared(w, i);
			else
				v = *shval_string(w, c->text + x->off,
				    x->end - x->off,
				    (struct shval_from){
					w->src, x->off, x->end });
			w->word = w->nword < w->capword
			    ? w->word
			    : mem_resize(w->word, 2 * w->capword + 64,
				  sizeof(*w->word));
			if (w->nword == w->capword) {
				w->capword = 2 * w->capword + 64;
				w->wordof = mem_resize(
				    w->wordof, w->capword, sizeof(*w->wordof));
			}
			w->word[w->nword] = v;
			w->wordof[w->nword++] = i;
		} else {
			shword_fields(w, i);
		}
	}
}

struct prior {
	struct shslot *slot;
	const struct shvar *var;
};

/* The assignments before a command: in force while it runs. */
static struct prior *
assign_before(
    struct shval_run *w, const struct shnode *n, struct shval_call *call)
{
	struct prior *p;
	struct shassign a;

	if (n->nassign == 0)
		return NULL;
	p = shwalk_alloc(w, n->nassign * sizeof(*p));
	call->assign = shwalk_alloc(w, n->nassign * sizeof(*call->assign));
	for (uint32_t i = 0; i < n->nassign; i++) {
		p[i].slot = NULL;
		call->assign[i] = shval_empty;
		if (!shassign_read(w, n->word + i, &a))
			continue;
		p[i].slot = shslot_get(w, a.name, a.len);
		p[i].var = shvar_get(w, p[i].slot);
		call->assign[i] = *shassign_run(w, n->word + i);
	}
	return p;
}

static void
assign_undo(struct shval_run *w, const struct shnode *n, const struct prior *p)
{
	for (uint32_t i = n->nassign; i > 0; i--) {
		if (p[i - 1].slot != NULL)
			shvar_put(w, p[i - 1].slot, p[i - 1].var);
	}
}

/* Functions that this name may be; an alternative gone: none. */
static int
run_function(struct shval_run *w, struct shval_call *call,
    const struct shfunc *f, int *found)
{
	struct shfork fork;

	*found = 1;
	if (f->alt == NULL) {
		*found = !f->gone;
		return f->gone ? ST_UNKNOWN : shcall_run(w, call, f);
	}
	shfork_open(w, &fork);
	w->maybe++;
	for (; f != NULL; f = f->alt) {
		w->status = f->gone ? ST_UNKNOWN : shcall_run(w, call, f);
		shfork_arm(w, &fork);
	}
	w->maybe--;
	shfork_close(w, &fork);
	return w->status;
}

static int
run_named(
    struct shval_run *w, struct shval_call *call, const char *name, size_t len)
{
	const struct shval *argv = call->argv;
	size_t argc = call->argc;
	int found, plain = 0, status;

	while (strcmp(name, "command") == 0 || strcmp(name, "builtin") == 0) {
		plain = 1;
		if (argc < 2 ||
		    (name = shval_cstr(w, &argv[1], &len)) == NULL ||
		    name[0] == '-')
			return ST_UNKNOWN;
		argv++;
		argc--;
	}
	if (!plain) {
		const struct shslot *slot = shslot_get(w, name, len);
		const struct shfunc *f = slot->func.now;
		if (slot->alias)
			shwalk_clobber(w, SHVAL_COMMAND, slot->name, 0, NULL);
		if (f != NULL) {
			status = run_function(w, call, f, &found);
			if (found)
				return status;
		} else if (w->functions && len > 0 && shenv_function(w, name)) {
			shwalk_clobber(w, SHVAL_COMMAND, slot->name, 0, NULL);
			if (w->out != NULL)
				shout_value(w,
				    shval_vague(w, SHVAL_COMMAND, slot->name));
			return ST_UNKNOWN;
		}
	}
	status = shbuiltin_run(w, call, argv, argc, name, &found);
	if (found)
		return status;
	if (!plain)
		shsource_program(w, name);
	return shsubst_program(w, call, argv, argc, name);
}

static int
run(struct shval_run *w, struct shval_call *call)
{
	size_t len;
	const char *name;

	if (call->argc == 0)
		return 0;
	name = call->argv[0].split ? NULL : shval_cstr(w, &call->argv[0], &len);
	if (name == NULL) {
		w->touches = FILES_MADE | FILES_REMOVED;
		if (w->out != NULL)
			shout_value(w, shval_vague(w, SHVAL_COMMAND, ""));
		return ST_UNKNOWN;
	}
	return run_named(w, call, name, len);
}

static struct shval_call *
make_call(struct shval_run *w, uint32_t node, size_t base)
{
	const struct shnode *n = &w->src->cmd->node[node];
	struct shval_call *call = shwalk_alloc(w, sizeof(*call));
	size_t argc = w->nword - base;

	*call = (struct shval_call){ .source = w->src,
		.node = node,
		.argc = argc,
		.cwd = w->cwd.now,
		.maybe = w->maybe > 0,
		.branch = w->branch,
		.caller = w->call,
		.dead = w->dead > 0,
		.run = w };
	call->argv = shwalk_alloc(w, argc * sizeof(*call->argv));
	call->argword = shwalk_alloc(w, argc * sizeof(uint32_t));
	if (argc > 0) {
		memcpy(call->argv, w->word + base, argc * sizeof(*call->argv));
		memcpy(
		    call->argword, w->wordof + base, argc * sizeof(uint32_t));
	}
	w->nword = base;
	call->redir = shwalk_redirs(w, n);
	call->guard = w->nguard > 0 && guarded(w, call);
	return call;
}

/* A command that bash does not accept: what it assigns is not known. */
static int
broken(struct shval_run *w, const struct shnode *n)
{
	struct shassign a;

	for (uint32_t i = 0; i < n->nassign; i++) {
		if (shassign_read(w, n->word + i, &a))
			shvar_vague(w, a.name, a.len, SHVAL_LIMIT, "");
	}
	return ST_UNKNOWN;
}

int
shwalk_simple(struct shval_run *w, uint32_t node)
{
	const struct shnode *n = &w->src->cmd->node[node];
	struct shout *out = w->out, none = { 0 };
	struct shval_call *call;
	struct prior *prior;
	int status;

	const struct shval *input = w->pipe;

	w->pipe = NULL;
	w->substat = 0;
	w->wish = NULL;
	if (n->flags & SHN_BROKEN)
		return broken(w, n);
	if (n->nword == n->nassign && n->nredir == 0) {
		for (uint32_t i = 0; i < n->nassign; i++)
			if (w->aborted != GAVE_UP_ALONE)
				shassign_run(w, n->word + i);
		return w->aborted == GAVE_UP_ALONE ? 1 : w->substat;
	}
	if (w->env->brief && shbrief_run(w, node, &status))
		return status;
	size_t base = w->nword;
	shwalk_words(w, n);
	if (w->limited || w->aborted == GAVE_UP_ALONE) {
		w->nword = base;
		return w->limited ? ST_UNKNOWN : 1;
	}
	call = make_call(w, node, base);
	if (call->argc == 0) {
		for (uint32_t i = 0; i < n->nassign; i++)
			shassign_run(w, n->word + i);
		if (out != NULL && n->nword == n->nassign)
			shout_value(w, shval_vague(w, SHVAL_COMMAND, "<"));
		prior = NULL;
	} else {
		prior = assign_before(w, n, call);
	}
	if (w->fn != NULL && w->quiet == 0)
		w->fn(call, w->data);
	if (out != NULL && shwalk_diverted(w, n))
		w->out = &none;
	w->input = input;
	status = call->argc > 0 ? run(w, call) : w->substat;
	w->input = NULL;
	w->out = out;
	if (prior != NULL)
		assign_undo(w, n, prior);
	return status;
}
