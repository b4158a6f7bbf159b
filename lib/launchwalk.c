#include <stdlib.h>
#include <string.h>

#include "launchin.h"

/* The command that is looked at: its words, and where it stands. */
struct walk {
	struct launches *l;
	const struct launch_text *text;
	const struct shval_call *call;
	struct shval *argv;
	size_t n;
	enum launch_where where;
};

static int walk_command(struct walk *, size_t);

struct launch_seen *
launch_seen(struct launches *l, const struct shcmd *cmd)
{
	for (size_t i = l->nseen; i-- > 0;)
		if (l->seen[i].cmd == cmd)
			return &l->seen[i];
	l->seen = mem_more(l->seen, l->nseen, &l->capseen, sizeof *l->seen);
	l->seen[l->nseen] = (struct launch_seen){ cmd,
		mem_zero(cmd->nnode + 1, sizeof(uint32_t)),
		mem_zero(cmd->nnode + 1, sizeof(uint32_t)) };
	return &l->seen[l->nseen++];
}

static const char *
walk_word(struct walk *w, size_t i)
{
	return i < w->n ? launch_word(w->l, &w->argv[i]) : NULL;
}

static int
walk_ends(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && strcmp(s + n - m, end) == 0;
}

/* The program that a word names, by what is known of it. */
static const struct launch_program *
walk_program(struct walk *w, size_t i)
{
	const char *s = walk_word(w, i);

	if (s == NULL && i < w->n)
		s = launch_tail(w->l, &w->argv[i]);
	return s == NULL ? NULL : launch_program(s);
}

/* What an option takes along: 2 with its value, 1 alone. */
static size_t
walk_option(
    struct walk *w, const struct launch_program *p, const char *s, size_t i)
{
	if (launch_listed(p->valued, s))
		return 2;
	if (!(p->flags & PROGRAM_LENIENT) || s[1] != '-' ||
	    strchr(s, '=') != NULL)
		return 1;
	const char *next = walk_word(w, i + 1);
	if (next == NULL || next[0] == '-' || launch_program(next) != NULL)
		return 1;
	return 2;
}

/* Behind the options of the program at i (and NAME=value words). */
static size_t
walk_options(struct walk *w, const struct launch_program *p, size_t i)
{
	for (i++; i < w->n;) {
		const char *s = walk_word(w, i);
		if (s == NULL && (p->flags & PROGRAM_LENIENT) &&
		    walk_program(w, i) == NULL) {
			i++;
			continue;
		}
		if (s == NULL)
			break;
		if (strcmp(s, "--") == 0)
			return i + 1;
		if (s[0] == '-' && s[1] != '\0')
			i += walk_option(w, p, s, i);
		else if ((p->flags & PROGRAM_ASSIGN) && strchr(s, '='))
			i++;
		else
			break;
	}
	return i;
}

/* The first word from i on that names a program; i itself if none does. */
static size_t
walk_seek(struct walk *w, size_t i)
{
	for (size_t k = i; k < w->n; k++) {
		const char *s = walk_word(w, k);
		if (walk_program(w, k) != NULL ||
		    (s != NULL && (walk_ends(s, ".sh") || walk_ends(s, ".py"))))
			return k;
	}
	return i;
}

static int
walk_prefix(struct walk *w, const struct launch_program *p, size_t i)
{
	size_t next = walk_options(w, p, i);

	if (p->flags & PROGRAM_LENIENT)
		next = walk_seek(w, next);

	if (p->flags & PROGRAM_QUERY)
		for (size_t k = i + 1; k < next; k++) {
			const char *s = walk_word(w, k);
			if (s &&
			    (strcmp(s, "-v") == 0 || strcmp(s, "-V") == 0 ||
				(p->operands == 1 && strchr(s, 'p') != NULL)))
				return 0;
		}
	if (p->flags & PROGRAM_REMOTE)
		w->where = LAUNCH_REMOTE;
	return walk_command(w, next + (size_t)p->operands);
}

static int
walk_text(struct walk *w, const struct shval *made, int joined)
{
	size_t before = w->l->n;

	launch_text_run(w->l, w->text, w->call, made, joined, w->where);
	return w->l->n != before;
}

/* A script that this one writes itself. */
static int
walk_written(struct walk *w, size_t i)
{
	const char *s = walk_word(w, i);
	const struct launch_file *f = w->l->files;

	while (f != NULL && s != NULL && strcmp(f->name, s) != 0)
		f = f->next;
	if (s == NULL || f == NULL || w->text != NULL)
		return 0;
	size_t before = w->l->n;
	launch_text_run(w->l, NULL, f->call, f->body, 0, w->where);
	return w->l->n != before;
}

/* Another script is called: 1 when it is one that leads to a launch. */
static int
walk_script(struct walk *w, size_t i)
{
	struct launches *l = w->l;

	if (walk_written(w, i))
		return 1;
	if (w->text != NULL || i >= w->n ||
	    (l->nscript > 0 && l->script[l->nscript - 1].call == w->call))
		return 0;
	l->script =
	    mem_more(l->script, l->nscript, &l->capscript, sizeof *l->script);
	struct launch_script *s = &l->script[l->nscript++];
	s->call = w->call;
	s->file = &w->argv[i];
	s->line = shcmd_line(w->call->source->cmd,
	    w->call->source->cmd->node[w->call->node].off);
	return 0;
}

/* A here-document that the command reads. */
static int
walk_heredoc(struct walk *w)
{
	const struct shcmd *cmd = w->call->source->cmd;
	const struct shnode *node = &cmd->node[w->call->node];

	for (uint32_t i = 0; i < node->nredir; i++) {
		const struct shredir *r = &cmd->redir[node->redir + i];
		if (r->op == OP_DLESS || r->op == OP_DLESSDASH)
			return walk_text(w, &w->call->redir[i], 0);
	}
	return 0;
}

/* bash [options] -c STRING | FILE | <<END */
static int
walk_shell(struct walk *w, size_t i)
{
	int string = 0, stdin_too = 0;

	for (i++; i < w->n; i++) {
		const char *s = walk_word(w, i);
		if (s == NULL || (s[0] != '-' && s[0] != '+'))
			break;
		if (s[1] == '\0' || strcmp(s, "--") == 0) {
			i++;
			break;
		}
		if (s[1] != '-' && s[0] == '-') {
			string |= strchr(s, 'c') != NULL;
			stdin_too |= strchr(s, 's') != NULL;
		}
		if (launch_listed("-o +o -O +O --rcfile --init-file -eo -euo "
				  "-xeo -exo -euxo",
			s))
			i++;
	}
	if (string)
		return i < w->n && walk_text(w, &w->argv[i], 0);
	if (i >= w->n || stdin_too)
		return walk_heredoc(w);
	return walk_script(w, i);
}

/* The string behind -c, joined to it or not, or --command=. */
static int
walk_su(struct walk *w, size_t i)
{
	for (size_t k = i + 1; k < w->n; k++) {
		const char *s = walk_word(w, k);
		if (s == NULL)
			continue;
		if (strcmp(s, "--") == 0)
			return walk_command(w, k + 1);
		if ((strcmp(s, "-c") == 0 || strcmp(s, "--command") == 0) &&
		    k + 1 < w->n)
			return walk_text(w, &w->argv[k + 1], 0);
	}
	return walk_heredoc(w);
}

static int
walk_ssh(struct walk *w, const struct launch_program *p, size_t i)
{
	size_t next = walk_options(w, p, i) + (size_t)p->operands;

	w->where = LAUNCH_REMOTE;
	/* The host may be in a variable that is not set here. */
	if (next == w->n && launch_has_blank(&w->argv[next - 1]))
		return walk_text(w, &w->argv[next - 1], 0);
	if (next >= w->n)
		return walk_heredoc(w);
	/* A remote shell that reads its commands from here. */
	const struct launch_program *q = walk_program(w, next);
	if (q != NULL && q->kind == KIND_SHELL && walk_shell(w, next))
		return 1;
	return walk_text(w, launch_join(w->l, w->argv, next, w->n), 1);
}

/* docker exec [options] NAME command; kubectl exec NAME [options] -- ... */
static int
walk_exec(struct walk *w, const struct launch_program *p, size_t i)
{
	static const struct launch_program run = { "run", KIND_PREFIX,
		"-e -w -u -v -h -m -p --env --workdir --user --volume "
		"--name --network --device --shm-size --hostname --mount "
		"--entrypoint --ipc --pid",
		1, PROGRAM_LENIENT };
	size_t next = walk_options(w, p, i);
	const char *s = walk_word(w, next);
	int running = s != NULL && strcmp(s, "run") == 0;

	if (s == NULL || (strcmp(s, "exec") != 0 && !running))
		return 0;
	w->where = p->flags & PROGRAM_REMOTE ? LAUNCH_REMOTE : LAUNCH_CONTAINER;
	next = walk_options(w, running ? &run : p, next);
	for (size_t k = next; k < w->n && p->flags & PROGRAM_REMOTE; k++) {
		s = walk_word(w, k);
		if (s != NULL && strcmp(s, "--") == 0)
			return walk_command(w, k + 1);
	}
	return walk_command(w, next + 1);
}

/* tmux new-session -d "command", tmux send-keys "command" C-m */
static int
walk_strings(struct walk *w, size_t i)
{
	for (i++; i < w->n; i++) {
		if (launch_has_blank(&w->argv[i]) &&
		    walk_text(w, &w->argv[i], 0))
			return 1;
	}
	return 0;
}

static int
walk_submit(struct walk *w, size_t i)
{
	for (size_t k = i + 1; k < w->n; k++) {
		const char *s = walk_word(w, k);
		w->where = LAUNCH_REMOTE;
		if (s != NULL && strcmp(s, "--wrap") == 0 && k + 1 < w->n)
			return walk_text(w, &w->argv[k + 1], 0);
		if (s != NULL && s[0] == '-')
			continue;
		return walk_script(w, k);
	}
	return walk_heredoc(w);
}

/* The class of a word as an entry; by its tail when that is all there is. */
static enum launch_class
walk_class(struct walk *w, size_t i, int *unsure)
{
	const struct shval *v = &w->argv[i];
	const char *s = launch_word(w->l, v);
	enum launch_class c;

	if (s == NULL)
		s = launch_tail(w->l, v);
	c = s == NULL ? CLASS_NONE : launch_entry_class(s, w->l->entries);
	for (v = v->alt; v != NULL; v = v->alt) {
		s = launch_word(w->l, v);
		if (s == NULL)
			s = launch_tail(w->l, v);
		enum launch_class other = s == NULL
		    ? CLASS_NONE
		    : launch_entry_class(s, w->l->entries);
		*unsure |= other != c;
		if (c == CLASS_NONE)
			c = other;
	}
	return c;
}

static int
walk_is_yaml(const char *s)
{
	return s != NULL && (walk_ends(s, ".yaml") || walk_ends(s, ".yml"));
}

/* Which way of writing options the entry takes (FSDP2 reads a YAML that
 * stands right behind it; without one, dotted options tell). */
static enum launch_dialect
walk_dialect(struct walk *w, size_t entry, size_t *yaml)
{
	static const char *const groups[] = { "--training.", "--model.",
		"--data.", "--parallel.", "--optimization." };
	const char *s = walk_word(w, entry);
	int plain = 0;

	*yaml = 0;
	if (s == NULL)
		s = launch_tail(w->l, &w->argv[entry]);
	if (s == NULL || strstr(s, "train_fsdp2") == NULL)
		return LAUNCH_MCORE;
	s = walk_word(w, entry + 1);
	if (s == NULL && entry + 1 < w->n)
		s = launch_tail(w->l, &w->argv[entry + 1]);
	if (walk_is_yaml(s)) {
		*yaml = entry + 1;
		return LAUNCH_FSDP2;
	}
	for (size_t i = entry + 1; i < w->n; i++) {
		s = walk_word(w, i);
		for (size_t k = 0; s != NULL && k < 5; k++)
			if (strncmp(s, groups[k], strlen(groups[k])) == 0)
				return LAUNCH_FSDP2;
		plain |= s != NULL && s[0] == '-' && s[1] == '-';
	}
	/* Nothing known behind it: most likely the YAML's name. */
	return entry + 1 < w->n && !plain ? LAUNCH_FSDP2 : LAUNCH_MCORE;
}

static void
walk_launch(struct walk *w, size_t first, size_t entry,
    enum launch_starter starter, enum launch_class class, int unsure)
{
	struct launches *l = w->l;

	l->launch = mem_more(l->launch, l->n, &l->cap, sizeof *l->launch);
	struct launch *x = &l->launch[l->n++];
	*x = (struct launch){ .call = w->call,
		.starter = starter,
		.where = w->where,
		.argv = w->argv + first,
		.argc = w->n - first,
		.entry = entry - first,
		.broken = SH_NONE,
		.dead = w->call->dead,
		.text = w->text,
		.launches = l };
	x->dialect = walk_dialect(w, entry, &x->yaml);
	if (x->yaml != 0)
		x->yaml -= first;
	if (class == CLASS_OTHER)
		x->dialect = LAUNCH_OTHER;
	if (unsure)
		x->problem = LAUNCH_NOT_SAFE;
	for (size_t i = entry + 1; i < w->n; i++) {
		const char *s = walk_word(w, i);
		if (s != NULL && strcmp(s, "--") == 0)
			x->problem = LAUNCH_DASHDASH;
	}
}

/* The Python file that word i names starts no training. */
static void
walk_other(struct walk *w, size_t first, size_t i)
{
	struct launches *l = w->l;
	const struct shval_call *c = w->call;

	if (c->source->cmd != l->cmd || c->dead)
		return;
	l->other =
	    mem_more(l->other, l->nother, &l->capother, sizeof *l->other);
	l->other[l->nother++] = (struct launch_other){ &w->argv[first],
		&w->argv[i], shcmd_line(l->cmd, l->cmd->node[c->node].off) };
}

/* The entry behind a launcher: the first word that names a Python file. */
static int
walk_entry(struct walk *w, size_t first, size_t i, enum launch_starter starter)
{
	for (; i < w->n; i++) {
		int unsure = 0;
		const char *s = walk_word(w, i);
		enum launch_class class = walk_class(w, i, &unsure);
		if (s != NULL && strcmp(s, "-m") == 0 && i + 1 < w->n &&
		    (s = walk_word(w, i + 1)) != NULL &&
		    launch_module_class(s) == CLASS_OTHER) {
			walk_launch(w, first, i + 1, starter, CLASS_OTHER, 0);
			return 1;
		}
		if (class != CLASS_NONE) {
			walk_launch(w, first, i, starter, class, unsure);
			return 1;
		}
		if (s == NULL)
			s = launch_tail(w->l, &w->argv[i]);
		if (s != NULL && walk_ends(s, ".py")) {
			walk_other(w, first, i);
			return 0;
		}
		if (s != NULL && walk_ends(s, ".sh") &&
		    starter == LAUNCH_TORCHRUN)
			return walk_script(w, i);
	}
	return 0;
}

static int
walk_module(struct walk *w, size_t first, size_t i)
{
	static const char *const starters[] = { "torch.distributed.launch",
		"torch.distributed.run", "torch.distributed.elastic",
		"accelerate.commands.launch", "deepspeed.launcher.runner" };
	const char *s = walk_word(w, i);

	for (size_t k = 0; s != NULL && k < 5; k++)
		if (strcmp(s, starters[k]) == 0)
			return walk_entry(w, first, i + 1, LAUNCH_MODULE);
	if (s == NULL || launch_module_class(s) != CLASS_OTHER)
		return 0;
	walk_launch(w, first, i, LAUNCH_PYTHON, CLASS_OTHER, 0);
	return 1;
}

static int
walk_python(struct walk *w, const struct launch_program *p, size_t first)
{
	size_t i = first + 1;

	for (; i < w->n; i++) {
		const char *s = walk_word(w, i);
		if (s == NULL || s[0] != '-')
			break;
		if (s[1] == '\0' || strcmp(s, "-c") == 0)
			return 0;
		if (strcmp(s, "-m") == 0)
			return walk_module(w, first, i + 1);
		if (launch_listed(p->valued, s))
			i++;
	}
	return walk_entry(w, first, i, LAUNCH_PYTHON);
}

/* A program that is not known, or a Python file that is started itself. */
static int
walk_unknown(struct walk *w, size_t i)
{
	const char *s = walk_word(w, i);
	int unsure = 0;

	if (s == NULL) {
		if (i + 2 < w->n)
			return walk_entry(w, i, i + 1, LAUNCH_TORCHRUN);
		return 0;
	}
	if (launch_entry_class(s, w->l->entries) != CLASS_NONE) {
		walk_launch(
		    w, i, i, LAUNCH_PYTHON, walk_class(w, i, &unsure), unsure);
		return 1;
	}
	if (strcmp(s, "-m") == 0)
		return walk_module(w, i, i + 1);
	return walk_ends(s, ".sh") ? walk_script(w, i) : 0;
}

static int
walk_command(struct walk *w, size_t i)
{
	if (i >= w->n)
		return 0;
	const struct launch_program *p = walk_program(w, i);
	switch (p == NULL ? KIND_NONE : p->kind) {
	case KIND_NONE: return walk_unknown(w, i);
	case KIND_PREFIX: return walk_prefix(w, p, i);
	case KIND_SHELL: return walk_shell(w, i);
	case KIND_SU: return walk_su(w, i);
	case KIND_SSH: return walk_ssh(w, p, i);
	case KIND_EXEC: return walk_exec(w, p, i);
	case KIND_SUBMIT: return walk_submit(w, i);
	case KIND_STRINGS: return walk_strings(w, i);
	case KIND_TORCHRUN: return walk_entry(w, i, i + 1, LAUNCH_TORCHRUN);
	case KIND_MSRUN: return walk_entry(w, i, i + 1, LAUNCH_MSRUN);
	case KIND_DEEPSPEED: return walk_entry(w, i, i + 1, LAUNCH_DEEPSPEED);
	case KIND_PYTHON: return walk_python(w, p, i);
	case KIND_ACCELERATE:
		return walk_word(w, i + 1) == NULL ||
			strcmp(walk_word(w, i + 1), "launch") != 0
		    ? 0
		    : walk_entry(w, i, i + 2, LAUNCH_ACCELERATE);
	}
	return 0;
}

/* A program that is known, and that starts nothing. */
static int
walk_boring(const struct shval_call *c)
{
	const struct shval *v = c->argv;
	char name[32];

	if (c->argc == 0 || c->function != NULL)
		return 1;
	if (v->alt != NULL || v->split || v->npiece != 1 ||
	    v->piece[0].why != SHVAL_KNOWN)
		return 0;
	const char *s = v->piece[0].s;
	size_t n = v->piece[0].len;
	for (size_t i = n; i-- > 0;)
		if (s[i] == '/' || s[i] == '.' || s[0] == '-' ||
		    s[i] == LAUNCH_MARK[0])
			return 0;
	if (n >= sizeof name)
		return 1;
	memcpy(name, s, n);
	name[n] = '\0';
	return launch_program(name) == NULL;
}

void
launch_call(
    struct launches *l, const struct launch_text *t, const struct shval_call *c)
{
	launch_seen(l, c->source->cmd)->calls[c->node]++;
	if (t == NULL)
		launch_file(l, c);
	if (walk_boring(c))
		return;
	size_t had = l->n + l->nscript + l->nother;
	const struct launch_text *texts = l->texts;
	size_t alternatives = launch_alternatives(c);
	for (size_t a = 0; a < alternatives; a++) {
		struct walk w = { .l = l,
			.text = t,
			.call = c,
			.where = t == NULL ? LAUNCH_HERE : t->where };
		w.n = launch_flat(l, t, c, a, &w.argv);
		if (walk_command(&w, 0))
			break;
	}
	if (l->n + l->nscript + l->nother != had || l->texts != texts)
		shval_keep(c->run);
}
