/*
 * What earlier commands of the script may make: a path that is not there yet
 * is not missing when one of them names it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gather.h"
#include "path.h"

/* Commands that make no files of those that they name. */
static const char *const made_harmless[] = { "echo", "printf", "cd", "pushd",
	"popd", "source", ".", "export", "unset", "declare", "typeset",
	"readonly", "local", "test", "[", "set", "shift", "trap", "exit",
	"return", "true", "false", ":", "ls", "cat", "head", "tail", "grep",
	"wc", "sort", "cut", "tr", "date", "hostname", "which", "type",
	"command", "hash", "sleep", "wait", "kill", "pkill", "ps", "chmod",
	"chown", "rm", "rmdir", "ulimit", "umask", "basename", "dirname",
	"realpath", "readlink", "nproc", "npu-smi", "stat", "du", "df", "let",
	"read", "break", "continue", "env", "alias", "shopt" };

/* Commands that make names in their directory that they do not name. */
static const char *const made_anything[] = { "git", "tar", "unzip", "7z",
	"gunzip", "wget", "curl", "huggingface-cli", "hf", "modelscope",
	"make" };

static int
made_in(const char *const *table, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(name, table[i]) == 0)
			return 1;
	return 0;
}
#define MADE_IN(table, name) \
	made_in((table), sizeof(table) / sizeof *(table), (name))

/* Options whose value is read, by what their names say. */
static int
made_reads(const char *option)
{
	static const char *const word[] = { "load", "input", "tokenizer",
		"vocab", "model-name", "config" };

	if (option[0] != '-' || strstr(option, "save") != NULL ||
	    strstr(option, "out") != NULL)
		return 0;
	for (size_t i = 0; i < sizeof word / sizeof *word; i++)
		if (strstr(option, word[i]) != NULL)
			return 1;
	return 0;
}

/* 1 when making this could make path: it is that, above it, below it, or the
 * beginning of its name. */
static int
made_covers(const char *made, const char *path, int mkdir)
{
	size_t n = strlen(made), m = strlen(path);

	while (n > 1 && made[n - 1] == '/')
		n--;
	if (n < 2)
		return 0;
	if (m < n)
		return strncmp(made, path, m) == 0 && made[m] == '/';
	if (strncmp(made, path, n) != 0)
		return 0;
	return !mkdir || strspn(path + n, "/") == m - n;
}

static int
made_by_value(struct gather *g, const struct shval_call *call,
    const struct shval *v, const char *path, int mkdir)
{
	struct buf b = { 0 };
	int r = 0;

	if (shval_known(v, &b) && b.len > 0 && b.s[0] != '-') {
		const char *made = gather_path(g, call, b.s);
		r = made != NULL && made_covers(made, path, mkdir);
	}
	buf_free(&b);
	return r;
}

static int
made_by_redirection(
    struct gather *g, const struct shval_call *call, const char *path)
{
	const struct shcmd *cmd = call->source->cmd;
	const struct shnode *node = &cmd->node[call->node];

	for (uint32_t i = 0; i < node->nredir; i++)
		if (cmd->redir[node->redir + i].op != OP_LESS &&
		    made_by_value(g, call, &call->redir[i], path, 0))
			return 1;
	return 0;
}

static int
made_by_operand(struct gather *g, const struct shval_call *call,
    const char *path, int mkdir)
{
	struct buf last = { 0 };
	int r = 0;

	for (size_t i = 1; i < call->argc && !r; i++) {
		if (last.s == NULL || !made_reads(last.s))
			r = made_by_value(g, call, &call->argv[i], path, mkdir);
		buf_reset(&last);
		(void)shval_known(&call->argv[i], &last);
	}
	buf_free(&last);
	return r;
}

static int
made_by_call(struct gather *g, const struct shval_call *call, const char *path)
{
	struct buf b = { 0 };
	int r = made_by_redirection(g, call, path);

	if (!r && call->argc > 0 && call->function == NULL &&
	    shval_known(&call->argv[0], &b) &&
	    !MADE_IN(made_harmless, path_base(b.s))) {
		const char *name = path_base(b.s);
		const char *here = gather_path(g, call, ".");
		r = made_by_operand(
			g, call, path, strcmp(name, "mkdir") == 0) ||
		    (MADE_IN(made_anything, name) && here != NULL &&
			made_covers(here, path, 0));
	}
	buf_free(&b);
	return r;
}

/* The launches by their calls, and what each writes: path, or NULL. */
struct made_output {
	const struct shval_call *call;
	const char *path;
};
struct made_outputs {
	struct made_output *of;
	size_t n, cap;
};

static void
made_add(
    struct made_outputs *o, const struct shval_call *call, const char *path)
{
	o->of = mem_more(o->of, o->n, &o->cap, sizeof *o->of);
	o->of[o->n++] = (struct made_output){ call, path };
}

static int
made_order(const void *x, const void *y)
{
	const struct made_output *a = x, *b = y;
	uintptr_t p = (uintptr_t)a->call, q = (uintptr_t)b->call;

	return (p > q) - (p < q);
}

static void
made_collect(struct gather *g, struct made_outputs *o)
{
	*o = (struct made_outputs){ 0 };
	for (size_t i = 0; i < g->launches.n; i++)
		for (const struct launch *l = &g->launches.launch[i]; l != NULL;
		     l = l->again)
			made_add(o, l->call, NULL);
	for (size_t i = 0; i < g->scan->n; i++) {
		const struct scan_item *item = &g->scan->item[i];
		if (item->launch != 0 && item->kind == SCAN_OUTPUT)
			made_add(o, item->call, item->path);
	}
	if (o->n > 0)
		qsort(o->of, o->n, sizeof *o->of, made_order);
}

/* The first of a call's, or NULL: it is no launch. */
static const struct made_output *
made_first(const struct made_outputs *o, const struct shval_call *call)
{
	size_t low = 0, high = o->n;
	struct made_output want = { call, NULL };

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (made_order(&o->of[mid], &want) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < o->n && o->of[low].call == call ? &o->of[low] : NULL;
}

/* Of a launch only what it writes counts. */
static int
made_before(struct gather *g, const struct made_outputs *o,
    const struct scan_item *item)
{
	for (size_t i = 0; i < g->ncall && g->call[i] != item->call; i++) {
		const struct made_output *m = made_first(o, g->call[i]);
		if (m == NULL && made_by_call(g, g->call[i], item->path))
			return 1;
		for (; m != NULL && m < o->of + o->n && m->call == g->call[i];
		     m++)
			if (m->path != NULL &&
			    made_covers(m->path, item->path, 0))
				return 1;
	}
	return 0;
}

void
made_excuse(struct gather *g)
{
	struct made_outputs o;

	made_collect(g, &o);
	for (size_t i = 0; i < g->scan->n; i++) {
		struct scan_item *item = &g->scan->item[i];
		if (item->found.status == SCAN_MISSING && item->path != NULL &&
		    made_before(g, &o, item))
			found_set(&item->found, SCAN_UNKNOWN, &T_MADE,
			    item->path, NULL, NULL);
	}
	mem_free(o.of);
}
