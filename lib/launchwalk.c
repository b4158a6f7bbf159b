#include <stdlib.h>
#include <string.h>

#include "launchin.h"

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

const char *
walk_word(struct walk *w, size_t i)
{
	return i < w->n ? launch_word(w->l, &w->argv[i]) : NULL;
}

int
walk_ends(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && strcmp(s + n - m, end) == 0;
}

const char *
walk_name(struct walk *w, size_t i)
{
	const char *s = walk_word(w, i);

	return s == NULL && i < w->n ? launch_tail(w->l, &w->argv[i]) : s;
}

const struct shval_call *
walk_own(const struct walk *w)
{
	const struct launch_text *t = w->text;
	const struct shval_call *c = w->call, *up;

	while (
	    c->source->cmd != w->l->cmd && (up = launch_above(c, &t)) != NULL)
		c = up;
	return c;
}

const struct launch_program *
walk_program(struct walk *w, size_t i)
{
	const char *s = walk_name(w, i);

	return s == NULL ? NULL : launch_program(s);
}

/* Does the option take the next word? */
static int
walk_takes(const struct launch_program *p, const char *option)
{
	return launch_listed(p->valued, option) !=
	    ((p->flags & PROGRAM_SWITCHES) != 0);
}

/* Is the last of several letters in one word an option with a value? */
static int
walk_cluster(const struct launch_program *p, const char *s)
{
	if (p->flags & PROGRAM_LENIENT)
		return 0;
	for (s++; *s != '\0'; s++) {
		const char option[] = { '-', *s, '\0' };
		if (walk_takes(p, option))
			return s[1] == '\0';
	}
	return 0;
}

/* What an option takes along: 2 with its value, 1 alone. */
static size_t
walk_option(
    struct walk *w, const struct launch_program *p, const char *s, size_t i)
{
	if (strchr(s, '=') != NULL)
		return 1;
	if (s[1] != '-' && s[2] != '\0' && !launch_listed(p->valued, s))
		return walk_cluster(p, s) ? 2 : 1;
	if (walk_takes(p, s))
		return 2;
	if (!(p->flags & PROGRAM_LENIENT) || s[1] != '-')
		return 1;
	const char *next = walk_word(w, i + 1);
	if (next == NULL || next[0] == '-' || launch_program(next) != NULL ||
	    walk_ends(next, ".sh") || walk_ends(next, ".py"))
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

/* A command that is the value of an option: -c STRING, --command=STRING, in
 * a cluster of options as well. */
static int
walk_string(struct walk *w, const struct launch_program *p, size_t i)
{
	char name[24];

	for (i++; i < w->n; i++) {
		const char *s = walk_word(w, i);
		const char *list = p->kind == KIND_SU
		    ? "-c --command --session-command"
		    : "--wrap --application";
		size_t n = s == NULL ? 0 : strlen(s);
		if (s != NULL && strcmp(s, "--") == 0)
			return 0;
		for (size_t len = 0; *list != '\0'; list += len) {
			list += *list == ' ';
			len = strcspn(list, " ");
			memcpy(name, list, len);
			name[len] = '\0';
			int is = launch_is(&w->argv[i], name);
			int cluster = len == 2 && n > 2 && s[0] == '-' &&
			    s[1] != '-' && s[n - 1] == name[1];
			if (is == 2)
				return walk_text(w,
				    launch_behind(w->l, &w->argv[i]),
				    TEXT_WORD);
			if ((is == 1 || cluster) && i + 1 < w->n)
				return walk_text(w, &w->argv[i + 1], TEXT_WORD);
		}
	}
	return 0;
}

static int
walk_prefix(struct walk *w, const struct launch_program *p, size_t i)
{
	size_t next = walk_options(w, p, i);

	if ((p->flags & PROGRAM_STRING) && walk_string(w, p, i))
		return 1;
	if (p->flags & PROGRAM_SUB)
		next = walk_options(w, p, next);
	if (p->flags & PROGRAM_LENIENT)
		next = walk_seek(w, next);

	if (p->flags & PROGRAM_QUERY)
		for (size_t k = i + 1; k < next; k++) {
			const char *s = walk_word(w, k);
			if (s &&
			    (strcmp(s, "-v") == 0 || strcmp(s, "-V") == 0 ||
				strcmp(s, "--pid") == 0 ||
				(p->operands == 1 && s[0] == '-' &&
				    s[1] != '-' && strchr(s, 'p') != NULL)))
				return 0;
		}
	if (p->flags & PROGRAM_REMOTE)
		w->where = LAUNCH_REMOTE;
	w->bare |= (p->flags & PROGRAM_BARE) != 0;
	return walk_command(w, next + (size_t)p->operands);
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
		char last = s[strlen(s) - 1];
		if (s[1] == '-' ? launch_listed("--rcfile --init-file", s)
				: last == 'o' || last == 'O')
			i++;
	}
	if (string) {
		w->args = i + 2 < w->n ? i + 2 : w->n; /* behind $0 */
		return i < w->n && walk_text(w, &w->argv[i], TEXT_WORD);
	}
	if (i >= w->n || stdin_too) {
		w->args = i;
		return walk_input(w);
	}
	return walk_script(w, &w->argv[i], i + 1);
}

static int
walk_su(struct walk *w, const struct launch_program *p, size_t i)
{
	if (walk_string(w, p, i))
		return 1;
	for (size_t k = i + 1; k < w->n; k++) {
		const char *s = walk_word(w, k);
		if (s != NULL && strcmp(s, "--") == 0)
			return walk_command(w, k + 1);
	}
	return walk_input(w);
}

static int
walk_ssh(struct walk *w, const struct launch_program *p, size_t i)
{
	size_t next = walk_options(w, p, i);

	w->where = LAUNCH_REMOTE;
	w->bare = 1;
	if (p->operands != 0) /* options may stand behind the host, too */
		next = walk_options(w, p, next);
	/* The host may be in a variable that is not set here. */
	if (p->operands != 0 && next == w->n && next > i + 1 &&
	    launch_has_blank(&w->argv[next - 1]))
		return walk_text(w, &w->argv[next - 1], TEXT_WORD);
	if (next >= w->n)
		return walk_input(w);
	/* A remote shell that reads its commands from here. */
	const struct launch_program *q = walk_program(w, next);
	if (q != NULL && q->kind == KIND_SHELL && walk_shell(w, next))
		return 1;
	return walk_text(
	    w, launch_join(w->l, w->argv, next, w->n, " "), TEXT_JOINED);
}

/* docker exec [options] NAME command; kubectl exec NAME [options] -- ... */
static int
walk_exec(struct walk *w, const struct launch_program *p, size_t i)
{
	static const struct launch_program run = { "run", KIND_PREFIX,
		"-d -i -t -q -P -T --detach --interactive --tty --rm "
		"--privileged --init --publish-all --read-only "
		"--no-healthcheck --oom-kill-disable --sig-proxy --quiet "
		"--disable-content-trust --no-deps --build --service-ports",
		1, PROGRAM_SWITCHES };
	size_t next = walk_options(w, p, i);
	const char *s = walk_word(w, next);

	if (s != NULL && strcmp(s, "compose") == 0) {
		next = walk_options(w, p, next);
		s = walk_word(w, next);
	}
	int running = s != NULL && strcmp(s, "run") == 0;
	if (s == NULL || (strcmp(s, "exec") != 0 && !running))
		return 0;
	w->where = p->flags & PROGRAM_REMOTE ? LAUNCH_REMOTE : LAUNCH_CONTAINER;
	w->inside = w->bare = 1;
	running &= !(p->flags & PROGRAM_LENIENT);
	next = walk_options(w, running ? &run : p, next);
	for (size_t k = next; k < w->n && p->flags & PROGRAM_REMOTE; k++) {
		s = walk_word(w, k);
		if (s != NULL && strcmp(s, "--") == 0)
			return walk_command(w, k + 1);
	}
	/* The name may be in a variable that is not set here. */
	if (walk_program(w, next) != NULL && walk_command(w, next))
		return 1;
	return walk_command(w, next + 1);
}

/* tmux new-session -d "command", tmux send-keys "command" C-m */
static int
walk_strings(struct walk *w, size_t i)
{
	for (i++; i < w->n; i++) {
		if (launch_has_blank(&w->argv[i]) &&
		    walk_text(w, &w->argv[i], TEXT_WORD))
			return 1;
	}
	return 0;
}

static int
walk_submit(struct walk *w, const struct launch_program *p, size_t i)
{
	size_t next = walk_options(w, p, i);

	w->where = LAUNCH_REMOTE;
	if ((p->flags & PROGRAM_STRING) && walk_string(w, p, i))
		return 1;
	return next < w->n ? walk_script(w, &w->argv[next], next + 1)
			   : walk_input(w);
}

/* A program that is not known, or a Python file that is started itself. */
static int
walk_unknown(struct walk *w, size_t i)
{
	const char *s = walk_word(w, i);
	int unsure = 0;

	if (s == NULL) {
		if (i + 2 < w->n && walk_entry(w, i, i + 1, LAUNCH_TORCHRUN))
			return 1;
		w->args = i + 1;
		return walk_written(w, &w->argv[i]);
	}
	if (launch_entry_class(s, w->l->entries) != CLASS_NONE) {
		walk_launch(
		    w, i, i, LAUNCH_PYTHON, walk_class(w, i, &unsure), unsure);
		return 1;
	}
	if (strcmp(s, "-m") == 0)
		return walk_module(w, i, i + 1);
	if (strcmp(s, "-c") == 0 && i + 1 < w->n) {
		w->args = i + 3 < w->n ? i + 3 : w->n;
		return walk_text(w, &w->argv[i + 1], TEXT_WORD);
	}
	w->args = i + 1;
	return walk_ends(s, ".sh") ? walk_script(w, &w->argv[i], i + 1)
				   : walk_written(w, &w->argv[i]);
}

int
walk_command(struct walk *w, size_t i)
{
	if (i >= w->n)
		return 0;
	w->args = 0;
	const struct launch_program *p = walk_program(w, i);
	switch (p == NULL ? KIND_NONE : p->kind) {
	case KIND_NONE: return walk_unknown(w, i);
	case KIND_PREFIX: return walk_prefix(w, p, i);
	case KIND_SHELL: return walk_shell(w, i);
	case KIND_SU: return walk_su(w, p, i);
	case KIND_SSH: return walk_ssh(w, p, i);
	case KIND_EXEC: return walk_exec(w, p, i);
	case KIND_SUBMIT: return walk_submit(w, p, i);
	case KIND_STRINGS: return walk_strings(w, i);
	case KIND_SOURCE:
		return i + 1 < w->n && walk_written(w, &w->argv[i + 1]);
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
walk_boring(const struct launches *l, const struct shval_call *c)
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
	const struct launch_program *p = launch_program(name);
	return p == NULL || (p->kind == KIND_SOURCE && l->files == NULL);
}

/* Does one of the ways in which the words can turn out start a Python file
 * that trains nothing? */
static int
words_other(struct launches *l, const struct launch_text *t,
    const struct shval_call *c, size_t alternatives)
{
	struct walk w = { .l = l, .text = t, .call = c };
	int unsure = 0;

	for (size_t a = 0; a < alternatives; a++) {
		w.n = launch_flat(l, t, c, a, &w.argv);
		for (size_t i = 0; i < w.n; i++) {
			const char *s = walk_word(&w, i);
			if (s == NULL || !walk_ends(s, ".py"))
				continue;
			if (walk_class(&w, i, &unsure) == CLASS_NONE)
				return 1;
			break;
		}
	}
	return 0;
}

static void
launch_words(
    struct launches *l, const struct launch_text *t, const struct shval_call *c)
{
	size_t alternatives = launch_alternatives(c);

	for (size_t a = 0; a < alternatives; a++) {
		struct walk w = { .l = l,
			.text = t,
			.call = c,
			.where = t == NULL ? LAUNCH_HERE : t->where,
			.bare = t != NULL && t->bare };
		w.n = launch_flat(l, t, c, a, &w.argv);
		size_t n = l->n;
		if (!walk_command(&w, 0))
			continue;
		if (l->trains == 0 && l->n == n + 1 && l->launch[n].call == c &&
		    alternatives > 1 && words_other(l, t, c, alternatives))
			l->launch[n].problem = LAUNCH_UNSURE;
		/* words are written once, strings each in its place */
		if (l->launch[l->n - 1].text == t)
			break;
	}
}

void
launch_call(
    struct launches *l, const struct launch_text *t, const struct shval_call *c)
{
	launch_seen(l, c->source->cmd)->calls[c->node]++;
	l->ncall++;
	if (t == NULL)
		launch_file(l, c);
	size_t had = l->n + l->nscript + l->nother;
	const struct launch_text *texts = l->texts;
	if (!walk_boring(l, c))
		launch_words(l, t, c);
	if (l->n + l->nscript + l->nother != had || l->texts != texts)
		shval_keep(c->run);
	l->before = c;
	l->before_source = c->source;
	l->before_node = c->node;
}
