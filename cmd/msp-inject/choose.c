#include <stdio.h>
#include <string.h>

#include "inject.h"
#include "mem.h"

int
choose_dotted(const struct inject *in, const struct launch *x)
{
	if (in->profile.backend == PROFILE_FSDP2)
		return 1;
	if (in->profile.backend != PROFILE_BACKENDS)
		return 0;
	return x != NULL && x->dialect == LAUNCH_FSDP2;
}

void
choose_words(const struct inject *in, struct buf *b)
{
	struct buf words = { 0 };
	const struct launch *x = in->nchosen ? in->chosen[0] : NULL;

	profile_args(&in->profile, choose_dotted(in, x), &words);
	for (const char *s = words.s; s < words.s + words.len;
	     s += strlen(s) + 1) {
		if (b->len != 0)
			buf_addc(b, ' ');
		shquote_word(b, s, strlen(s));
	}
	buf_free(&words);
}

/* What a launch is called in a message: its first words. */
static void
choose_name(const struct inject *in, const struct launch *x, struct buf *b)
{
	for (size_t i = 0; i < x->argc && i <= x->entry; i++) {
		if (i != 0 && i != x->entry)
			continue;
		size_t from = b->len;
		buf_adds(b, i == 0 ? "" : " ");
		if (!shval_one(&x->argv[i], b)) {
			b->len = from;
			buf_adds(b, i == 0 ? "..." : " ...");
		}
	}
	if (b->len == 0)
		buf_adds(b, in->script.name);
}

/* Each line once. */
static void
choose_lines(const struct inject *in, size_t i, struct buf *b)
{
	size_t line = in->chosen[i]->line;

	for (size_t k = 0; k < i; k++)
		if (in->chosen[k]->line == line)
			return;
	buf_addf(b, "%s%zu", b->len == 0 ? "" : ", ", line);
}

/* What is started and trains nothing, each once; and the first file's name,
 * nothing when it is not known. */
static void
choose_others(const struct inject *in, struct buf *names, struct buf *file)
{
	enum { SOME = 4 };
	struct buf name = { 0 }, last = { 0 };
	int n = 0;

	for (size_t i = 0; i < in->found.nother && n <= SOME; i++) {
		const struct launch_other *o = &in->found.other[i];
		struct buf path = { 0 };
		buf_reset(&name);
		buf_addf(&name, "%zu: ", o->line);
		if (shval_one(o->argv, &name))
			buf_addc(&name, ' ');
		if (shval_one(o->file, &path) && i == 0) {
			const char *slash = strrchr(path.s, '/');
			buf_adds(file, slash == NULL ? path.s : slash + 1);
		}
		buf_adds(&name, path.len == 0 ? "..." : path.s);
		buf_free(&path);
		if (last.len != 0 && strcmp(last.s, name.s) == 0)
			continue;
		buf_reset(&last);
		buf_adds(&last, n++ == SOME ? "..." : name.s);
		buf_addf(names, "%s%s", n == 1 ? "" : "; ", last.s);
	}
	buf_free(&name);
	buf_free(&last);
}

/* The other scripts that are called, each once. */
static void
choose_scripts(const struct inject *in, struct buf *names)
{
	struct buf name = { 0 }, last = { 0 };

	for (size_t i = 0; i < in->found.nscript; i++) {
		const struct launch_script *s = &in->found.script[i];
		buf_reset(&name);
		if (!shval_known(s->file, &name) || name.len == 0)
			buf_adds(&name, "?");
		buf_addf(&name, " (%zu)", s->line);
		if (last.len != 0 && strcmp(last.s, name.s) == 0)
			continue;
		buf_addf(names, "%s%s", i == 0 ? "" : ", ", name.s);
		buf_reset(&last);
		buf_adds(&last, name.s);
	}
	buf_free(&name);
	buf_free(&last);
}

/* There is no launch: is it in other scripts, or nowhere? */
static void
choose_none(struct inject *in)
{
	struct buf words = { 0 }, name = { 0 }, names = { 0 };

	choose_words(in, &words);
	choose_scripts(in, &names);
	if (in->found.nscript != 0)
		find_error(in, EXIT_NO, in->found.script[0].line,
		    &T_ONLY_SCRIPTS, &T_ONLY_SCRIPTS_DO, names.s);
	else if (in->cmd.nerror != 0)
		find_error(in, EXIT_REFUSED, 0, &T_NOT_UNDERSTOOD,
		    &T_NO_LAUNCH_DO, words.s);
	else if (in->found.nother != 0) {
		buf_reset(&name);
		choose_others(in, &names, &name);
		int known = name.len != 0;
		find_error(in, EXIT_NO, in->found.other[0].line,
		    known ? &T_NO_TRAINING : &T_NO_ENTRY,
		    known ? &T_NO_TRAINING_DO : &T_NO_ENTRY_DO, names.s,
		    known ? name.s : "", words.s);
	} else
		find_error(
		    in, EXIT_NO, 0, &T_NO_LAUNCH, &T_NO_LAUNCH_DO, words.s);
	buf_free(&words);
	buf_free(&name);
	buf_free(&names);
}

static void
choose_add(struct inject *in, struct launch *x)
{
	in->chosen =
	    mem_resize(in->chosen, in->nchosen + 1, sizeof *in->chosen);
	in->chosen[in->nchosen++] = x;
}

/* The lines of a command, from its first word to its last. */
static int
choose_spans(const struct inject *in, uint32_t node, size_t line)
{
	const struct shnode *n = &in->cmd.node[node];
	size_t from = shcmd_line(&in->cmd, n->off);
	size_t to = shcmd_line(&in->cmd, n->end > n->off ? n->end - 1 : n->off);

	return from <= line && line <= to;
}

/* 1, and said, when the command is one of the shell's own. */
static int
choose_no_program(struct inject *in, uint32_t node, size_t line)
{
	static const char *const own[] = { "export", "declare", "typeset",
		"local", "readonly", "set", "unset", "shopt", "cd", "pushd",
		"popd", "echo", "printf", "test", "[", "read", "shift", "trap",
		"alias", "return", "exit", "break", "continue", "wait", "true",
		"false", ":", ".", "source", "ulimit", "umask", "mkdir", "tee",
		"rm", "cp", "mv", "cat", "sleep" };
	const struct shnode *n = &in->cmd.node[node];
	struct buf name = { 0 };
	int found = 0;

	if (shcmd_literal(&in->cmd, n->word + n->nassign, &name) == 0)
		for (size_t i = 0; i < sizeof own / sizeof *own && !found; i++)
			found = name.s != NULL && strcmp(name.s, own[i]) == 0;
	if (found)
		find_error(in, EXIT_REFUSED, line, &T_NO_PROGRAM, NULL, name.s);
	buf_free(&name);
	return found;
}

/* 1, and said, when words behind the command would be no arguments of what it
 * has another shell run: bash -c STRING, ssh HOST, sh <<END. */
static int
choose_string(struct inject *in, uint32_t node, size_t line)
{
	static const char *const shells[] = { "bash", "sh", "zsh", "dash",
		"ksh", "ssh", "pdsh", "su", "runuser", "tmux" };
	enum { SHELLS = sizeof shells / sizeof *shells, TAKE_C = 5 };
	const struct shnode *n = &in->cmd.node[node];
	struct buf word = { 0 }, words = { 0 };
	size_t shell = SHELLS;
	int found = 0;

	for (uint32_t i = n->nassign; i < n->nword && !found; i++) {
		buf_reset(&word);
		if (shcmd_literal(&in->cmd, n->word + i, &word) != 0 ||
		    word.len == 0)
			continue;
		if (shell < TAKE_C)
			found = word.s[0] == '-' && word.s[1] != '-' &&
			    word.s[word.len - 1] == 'c';
		for (size_t k = 0; k < SHELLS && shell == SHELLS; k++)
			if (strcmp(word.s, shells[k]) == 0)
				shell = k;
	}
	found |= shell >= TAKE_C && shell < SHELLS;
	for (uint32_t i = 0; i < n->nredir && shell < SHELLS; i++)
		found |= in->cmd.redir[n->redir + i].bodyend != 0;
	if (found) {
		choose_words(in, &words);
		find_error(in, EXIT_REFUSED, line, &T_RUNS_STRING,
		    &T_RUNS_STRING_DO, shells[shell], words.s);
	}
	buf_free(&word);
	buf_free(&words);
	return found;
}

/* The command on the line that -L names, whatever it is. */
static void
choose_manual(struct inject *in)
{
	uint32_t best = SH_NONE;
	size_t line = (size_t)in->line;

	for (size_t i = 0; i < in->cmd.nnode; i++) {
		const struct shnode *n = &in->cmd.node[i];
		if (n->kind != SH_SIMPLE || n->nword <= n->nassign ||
		    !choose_spans(in, (uint32_t)i, line))
			continue;
		if (best == SH_NONE ||
		    shcmd_line(&in->cmd, in->cmd.node[best].off) < line)
			best = (uint32_t)i;
	}
	if (best == SH_NONE) {
		find_error(in, EXIT_REFUSED, line, &T_NO_COMMAND, NULL);
		return;
	}
	if (choose_no_program(in, best, line) || choose_string(in, best, line))
		return;
	static struct launch_place place;
	place = (struct launch_place){ .off = shcmd_argsend(&in->cmd, best) };
	in->manual = (struct launch){ .node = best,
		.line = shcmd_line(&in->cmd, in->cmd.node[best].off),
		.place = &place,
		.nplace = 1,
		.broken = SH_NONE,
		.launches = &in->found };
	choose_add(in, &in->manual);
}

static void
choose_line(struct inject *in)
{
	for (size_t i = 0; i < in->found.n; i++) {
		struct launch *x = &in->found.launch[i];
		if (choose_spans(in, x->node, (size_t)in->line))
			choose_add(in, x);
	}
	if (in->nchosen == 0)
		choose_manual(in);
}

/* Launches of other frameworks count only when there is nothing else. */
static size_t
choose_ours(const struct inject *in)
{
	size_t n = 0;

	for (size_t i = 0; i < in->found.n; i++)
		n += in->found.launch[i].dialect != LAUNCH_OTHER;
	return n;
}

static int
choose_several(const struct inject *in)
{
	uint32_t group = 0;
	size_t n = 0;

	for (size_t i = 0; i < in->nchosen; i++) {
		const struct launch *x = in->chosen[i];
		if (x->excludes != 0 && x->excludes == group)
			continue;
		group = x->excludes;
		n++;
	}
	return n > 1;
}

static void
choose_list(struct inject *in)
{
	enum { MOST = 20 };
	struct buf lines = { 0 }, names = { 0 };

	for (size_t i = 0; i < in->nchosen; i++) {
		if (i == MOST) {
			buf_adds(&lines, ", ...");
			buf_adds(&names, "; ...");
			break;
		}
		choose_lines(in, i, &lines);
		buf_addf(
		    &names, "%s%zu: ", i == 0 ? "" : "; ", in->chosen[i]->line);
		struct buf name = { 0 };
		choose_name(in, in->chosen[i], &name);
		buf_adds(&names, name.s);
		buf_free(&name);
	}
	char n[24];
	snprintf(n, sizeof n, "%zu", in->nchosen);
	find_error(in, EXIT_REFUSED, in->chosen[0]->line, &T_SEVERAL,
	    strchr(lines.s, ',') == NULL ? &T_SEVERAL_ALL : &T_SEVERAL_DO, n,
	    names.s, lines.s);
	buf_free(&lines);
	buf_free(&names);
}

/* Can this launch be given arguments at all? */
static void
choose_fit(struct inject *in, const struct launch *x)
{
	struct buf name = { 0 }, words = { 0 };
	int dashes = x->problem == LAUNCH_DASHDASH;

	choose_name(in, x, &name);
	choose_words(in, &words);
	if (x->dialect == LAUNCH_OTHER)
		find_error(
		    in, EXIT_REFUSED, x->line, &T_OTHER, &T_OTHER_DO, name.s);
	else if (dashes && (x->nplace != 0 || !in->force))
		find_refuse(in, x->line, &T_DASHDASH, &T_DASHDASH_DO, name.s);
	else if (x->problem == LAUNCH_SOURCED) {
		in->unplaced = 1;
		find_error(in, EXIT_REFUSED, x->line, &T_SOURCED, &T_SOURCED_DO,
		    x->sourced ? x->sourced : "?");
	} else if (x->problem == LAUNCH_UNSURE)
		find_error(in, EXIT_REFUSED, x->line, &T_UNSURE, &T_UNSURE_DO,
		    name.s, in->script.path ? in->script.path : "-");
	else if (x->nplace == 0) {
		in->unplaced = 1;
		find_error(in, EXIT_REFUSED, x->line, &T_NOT_SAFE,
		    &T_NOT_SAFE_DO, name.s, words.s);
	}
	if (x->broken != SH_NONE) {
		char line[24];
		snprintf(line, sizeof line, "%zu",
		    shcmd_line(&in->cmd, in->cmd.node[x->broken].off));
		find_warn(in, x->line, &T_ENDS_EARLY, &T_ENDS_EARLY_DO, line);
	}
	buf_free(&name);
	buf_free(&words);
}

void
choose_launches(struct inject *in)
{
	size_t ours = choose_ours(in);

	in->nchosen = 0;
	if (in->line != 0) {
		choose_line(in);
	} else {
		for (size_t i = 0; i < in->found.n; i++)
			if (ours == 0 ||
			    in->found.launch[i].dialect != LAUNCH_OTHER)
				choose_add(in, &in->found.launch[i]);
		if (in->nchosen == 0)
			choose_none(in);
	}
	if (in->nchosen > 1 && !in->all && choose_several(in) && ours != 0)
		choose_list(in);
	for (size_t i = 0; i < in->nchosen; i++)
		choose_fit(in, in->chosen[i]);
}
