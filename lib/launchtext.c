#include <string.h>

#include "launchin.h"
#include "mem.h"

static void
text_fill(struct launch_text *t)
{
	const struct shval *v = t->made;

	for (size_t i = 0; i < v->npiece; i++) {
		const struct shpiece *p = &v->piece[i];
		if (p->why == SHVAL_KNOWN)
			buf_add(&t->text, p->s, p->len);
		else
			buf_addf(
			    &t->text, LAUNCH_MARK "%zu%c", i, LAUNCH_MARK_END);
	}
	buf_add(&t->text, "", 0);
}

/* A piece of another place: its bytes, or a mark. */
static void
text_mark(struct buf *b, const struct shpiece *p)
{
	if (p != NULL && p->why == SHVAL_KNOWN)
		buf_add(b, p->s, p->len);
	else
		buf_addf(b, LAUNCH_MARK "%c", LAUNCH_MARK_END);
}

/* A variable that the text refers to, as it is where the text is run. */
static void
text_import(
    struct launch_text *t, struct shval_run *outer, const char *s, size_t len)
{
	char name[256];

	if (len == 0 || len >= sizeof name)
		return;
	memcpy(name, s, len);
	name[len] = '\0';
	const struct shval *v = outer == NULL ? NULL : shval_var(outer, name);
	if (v == NULL && !t->bare)
		return;
	buf_addf(&t->environ, "%s=", name);
	if (t->bare || v == NULL || v->alt != NULL || v->split) {
		text_mark(&t->environ, NULL);
	} else {
		for (size_t i = 0; i < v->npiece; i++)
			text_mark(&t->environ, &v->piece[i]);
	}
	buf_addc(&t->environ, '\0');
}

static void
text_environment(struct launch_text *t, struct shval_run *outer)
{
	size_t n = 0;

	for (size_t i = 0; i < t->cmd.ntok; i++) {
		const struct shtok *k = &t->cmd.tok[i];
		const char *s = t->cmd.text + k->off;
		size_t len = shtok_len(k);
		if (k->kind == TOK_PARAM) {
			s++;
			len--;
		} else if (k->kind != TOK_PNAME) {
			continue;
		}
		if (len != 0 && (*s == '!' || *s == '#')) {
			s++;
			len--;
		}
		size_t was = t->environ.len;
		if (len != 0 &&
		    ((*s >= 'A' && *s <= 'Z') || (*s >= 'a' && *s <= 'z') ||
			*s == '_'))
			text_import(t, outer, s, len);
		n += t->environ.len != was;
	}
	t->environp = mem_zero(n + 1, sizeof *t->environp);
	const char *s = t->environ.s;
	for (size_t i = 0; i < n; i++, s += strlen(s) + 1)
		t->environp[i] = s;
}

static void
text_call(const struct shval_call *c, void *data)
{
	struct launch_text *t = data;

	launch_call(t->launches, t, c);
}

/* The arguments with which a shell runs the text, when all are known. */
static void
text_args(struct walk *w, struct launch_text *t)
{
	struct launches *l = w->l;
	size_t n = w->n - w->args;

	t->env.args = NULL;
	t->env.nargs = 0;
	t->env.args_unknown = 1;
	if (w->args == 0)
		return;
	char **args = arena_alloc(&l->arena, (n + 1) * sizeof *args);
	for (size_t i = 0; i < n; i++) {
		const struct shval *v = &w->argv[w->args + i];
		const char *s = v->alt == NULL ? launch_word(l, v) : NULL;
		if (s == NULL || v->split)
			return;
		args[i] = arena_dup(&l->arena, s, strlen(s));
	}
	t->env.args = args;
	t->env.nargs = n;
	t->env.args_unknown = 0;
}

void
launch_text_run(struct walk *w, const struct launch_text *parent,
    const struct shval_call *call, const struct shval *made,
    enum launch_how how)
{
	enum { DEEPEST = 6 };
	struct launches *l = w->l;
	struct launch_text *t = mem_zero(1, sizeof *t);

	t->next = l->texts;
	l->texts = t;
	t->parent = parent;
	t->call = call;
	t->made = made;
	t->how = how;
	t->where = w->where;
	t->bare = w->bare;
	t->launches = l;
	text_fill(t);
	shcmd_parse(&t->cmd, t->text.s, t->text.len);
	if (l->depth >= DEEPEST)
		return;
	l->depth++;
	text_environment(t, w->call->run);
	t->env = *l->env;
	t->env.environ = (char *const *)t->environp;
	text_args(w, t);
	t->run = shval_walk(&t->cmd, &t->env, text_call, t);
	l->depth--;
}

void
launch_texts_free(struct launches *l)
{
	struct launch_text *next;

	for (struct launch_text *t = l->texts; t != NULL; t = next) {
		next = t->next;
		if (t->run != NULL)
			shval_free(t->run);
		shcmd_free(&t->cmd);
		buf_free(&t->text);
		buf_free(&t->environ);
		mem_free(t->environp);
		mem_free(t);
	}
	l->texts = NULL;
}
