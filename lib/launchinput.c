#include <string.h>

#include "launchin.h"
#include "mem.h"

/* What the script writes into a file, the last first. */
struct launch_file {
	struct launch_file *next;
	const char *name;
	const struct shval_call *call;
	const struct shval *body;
	int more; /* at the end of what is there */
	int maybe, dead; /* what was there before may be left */
};

int
walk_text(struct walk *w, const struct shval *made, enum launch_how how)
{
	size_t before = w->l->n;

	launch_text_run(w, w->text, w->call, made, how);
	return w->l->n != before;
}

/* A here-document or string of the command, or NULL; *file: of < instead. */
static const struct shval *
input_redirected(const struct shval_call *c, const struct shval **file)
{
	const struct shcmd *cmd = c->source->cmd;
	const struct shnode *n = &cmd->node[c->node];

	for (uint32_t i = n->nredir; i-- > 0;) {
		const struct shredir *r = &cmd->redir[n->redir + i];
		if (r->fd > 0)
			continue;
		if (r->op == OP_DLESS || r->op == OP_DLESSDASH ||
		    r->op == OP_TLESS)
			return &c->redir[i];
		if (r->op == OP_LESS) {
			*file = &c->redir[i];
			return NULL;
		}
	}
	return NULL;
}

static int
input_is(
    struct launches *l, const struct shval_call *c, size_t i, const char *s)
{
	const struct shval *v = &c->argv[i];

	if (i >= c->argc)
		return 0;
	if (v->npiece == 1) /* as nearly all are: no copy is needed */
		return v->piece[0].why == SHVAL_KNOWN &&
		    v->piece[0].len == strlen(s) &&
		    memcmp(v->piece[0].s, s, v->piece[0].len) == 0;
	const char *word = launch_word(l, v);
	return word != NULL && strcmp(word, s) == 0;
}

static const struct shval *input_piped(
    struct launches *, const struct shval_call *, const struct shval_call **);

/* What the command prints, or NULL, and the call whose bytes these are. */
static const struct shval *
input_printed(struct launches *l, const struct shval_call *c,
    const struct shval_call **by)
{
	const struct shval *file = NULL, *v;

	*by = c;
	if (input_is(l, c, 0, "echo")) {
		const char *s = c->argc > 1 ? launch_word(l, &c->argv[1]) : "-";
		if (s != NULL && s[0] == '-')
			return NULL;
		return launch_join(l, c->argv, 1, c->argc, " ");
	}
	if (input_is(l, c, 0, "printf"))
		return c->argc == 3 && input_is(l, c, 1, "%s\\n") ? &c->argv[2]
								  : NULL;
	if (!(input_is(l, c, 0, "cat") && c->argc == 1) &&
	    !input_is(l, c, 0, "tee"))
		return NULL;
	v = input_redirected(c, &file);
	return v == NULL && file == NULL ? input_piped(l, c, by) : v;
}

/* What the stage before the command puts into the pipe, or NULL. */
static const struct shval *
input_piped(struct launches *l, const struct shval_call *c,
    const struct shval_call **by)
{
	const struct shcmd *cmd = c->source->cmd;

	if (l->before_source != c->source ||
	    cmd->node[l->before_node].next != c->node ||
	    cmd->node[c->node].op != OP_PIPE)
		return NULL;
	return input_printed(l, l->before, by);
}

int
walk_input(struct walk *w)
{
	const struct launch_text *t = w->text;
	const struct shval_call *c = w->call;
	size_t before = w->l->n;

	for (;;) {
		const struct shval_call *by = c;
		const struct shval *file = NULL,
				   *v = input_redirected(c, &file);
		if (file != NULL) {
			w->inside = 1;
			return walk_script(w, file, w->n);
		}
		if (v == NULL)
			v = input_piped(w->l, c, &by);
		if (v != NULL) {
			launch_text_run(w, t, by, v, TEXT_INPUT);
			return w->l->n != before;
		}
		if (t == NULL || t->how == TEXT_INPUT)
			return 0;
		c = t->call;
		t = t->parent;
	}
}

/* --- files that the script writes --- */

/* A name to compare by: what is not known is named by where it was made.
 * NULL: none. */
static const char *
file_name(struct launches *l, const struct shval *v)
{
	struct buf b = { 0 };
	char *s = NULL;
	size_t i;

	for (i = 0; v->alt == NULL && i < v->npiece; i++) {
		const struct shpiece *p = &v->piece[i];
		if (p->why == SHVAL_KNOWN)
			buf_add(&b, p->s, p->len);
		else if (p->why == SHVAL_CHANGES && strcmp(p->s, "$") == 0)
			buf_adds(&b, "\001$");
		else if (p->from.source != NULL)
			buf_addf(&b, "\001%p:%lu", (const void *)p->from.source,
			    (unsigned long)p->from.off);
		else
			break;
	}
	if (b.len > 2 && memcmp(b.s, "./", 2) == 0)
		s = arena_dup(&l->arena, b.s + 2, b.len - 2);
	else if (b.len != 0 && i == v->npiece)
		s = arena_dup(&l->arena, b.s, b.len);
	buf_free(&b);
	return s;
}

/* Where the call writes to, or NULL; *more: at the end of what is there. */
static const struct shval *
file_target(struct launches *l, const struct shval_call *c, int *more)
{
	const struct shcmd *cmd = c->source->cmd;
	const struct shnode *n = &cmd->node[c->node];

	*more = 0;
	if (input_is(l, c, 0, "tee"))
		return c->argc == 2 ? &c->argv[1] : NULL;
	for (uint32_t i = n->nredir; i-- > 0;) {
		uint8_t op = cmd->redir[n->redir + i].op;
		*more = op == OP_DGREAT;
		if (op == OP_GREAT || op == OP_CLOBBER || op == OP_DGREAT)
			return &c->redir[i];
	}
	return NULL;
}

enum { FILES_MOST = 1000 };

void
launch_file(struct launches *l, const struct shval_call *c)
{
	const struct shnode *n = &c->source->cmd->node[c->node];
	const struct shval_call *by;
	int more;

	if (c->argc == 0 || l->nfile > FILES_MOST ||
	    (n->nredir == 0 && !input_is(l, c, 0, "tee")))
		return;
	const struct shval *to = file_target(l, c, &more);
	const struct shval *body = to == NULL ? NULL : input_printed(l, c, &by);
	const char *name = body == NULL ? NULL : file_name(l, to);
	if (name == NULL || strcmp(name, "/dev/null") == 0)
		return;
	if (++l->nfile > FILES_MOST) {
		l->files = NULL;
		return;
	}
	struct launch_file *f = arena_alloc(&l->arena, sizeof *f);
	*f = (struct launch_file){ l->files, name, by, body, more,
		c->maybe || c->dead, c->dead };
	l->files = f;
	shval_keep(c->run);
}

/* What is in parts[from..most), one below the other, is run. */
static void
file_run(struct walk *w, const struct launch_file *f, const struct shval *parts,
    size_t from, size_t most)
{
	struct launches *l = w->l;
	const struct shval *body = from + 1 == most
	    ? f->body
	    : launch_join(l, parts, from, most, "\n");
	size_t n = l->n;

	launch_text_run(w, NULL, f->call, body, TEXT_WORD);
	for (; n < l->n; n++)
		l->launch[n].dead |= f->dead || w->call->dead;
}

int
walk_written(struct walk *w, const struct shval *file)
{
	struct launches *l = w->l;
	const char *name = l->files == NULL ? NULL : file_name(l, file);
	const struct launch_file *f, *last = NULL;
	size_t before = l->n, n = 0, most;

	if (name == NULL)
		return 0;
	for (f = l->files; f != NULL; f = f->next)
		n += strcmp(f->name, name) == 0;
	most = n;
	struct shval *parts = arena_alloc(&l->arena, (n + 1) * sizeof *parts);
	for (f = l->files; f != NULL; f = f->next) {
		if (strcmp(f->name, name) != 0)
			continue;
		last = f;
		parts[--n] = *f->body;
		if (f->more)
			continue;
		file_run(w, f, parts, n, most);
		last = NULL;
		if (!f->maybe)
			break;
		n++;
	}
	if (last != NULL)
		file_run(w, last, parts, n, most);
	return l->n != before;
}

/* A script that is given a whole launch runs it. */
static int
walk_given(struct walk *w, size_t i)
{
	if (i < w->n && walk_program(w, i) != NULL && walk_command(w, i))
		return 1;
	for (; i < w->n; i++) {
		const struct launch_program *p = walk_program(w, i);
		if (p != NULL && p->kind >= KIND_TORCHRUN)
			return walk_command(w, i);
	}
	return 0;
}

int
walk_script(struct walk *w, const struct shval *file, size_t behind)
{
	struct launches *l = w->l;
	const struct shval_call *c = walk_own(w);

	w->args = behind;
	if (walk_written(w, file) || walk_given(w, behind))
		return 1;
	if (l->nscript > 0 && l->script[l->nscript - 1].call == c)
		return 0;
	l->script =
	    mem_more(l->script, l->nscript, &l->capscript, sizeof *l->script);
	struct launch_script *s = &l->script[l->nscript++];
	s->call = c;
	s->file = file;
	s->elsewhere = w->text != NULL || w->inside;
	s->line = shcmd_line(c->source->cmd, c->source->cmd->node[c->node].off);
	return 0;
}
