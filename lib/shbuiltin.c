#include <stdlib.h>
#include <string.h>

#include "shwalk.h"

struct args {
	const struct shval_call *call;
	const struct shval *argv;
	size_t argc;
	const char *name;
};

static int
do_nothing(struct shval_run *w, const struct args *a)
{
	(void)w;
	(void)a;
	return 0;
}

static int
do_false(struct shval_run *w, const struct args *a)
{
	(void)w;
	(void)a;
	return 1;
}

/* Its status and output, if any, are not known; it changes nothing else. */
static int
do_tell(struct shval_run *w, const struct args *a)
{
	if (w->out != NULL)
		shout_value(w,
		    shval_vague(w, SHVAL_COMMAND,
			shwalk_dup(w, a->name, strlen(a->name))));
	return ST_UNKNOWN;
}

static int
do_quiet(struct shval_run *w, const struct args *a)
{
	(void)w;
	(void)a;
	return ST_UNKNOWN;
}

/* In force only with expand_aliases: what such a command does is not seen. */
static int
do_alias(struct shval_run *w, const struct args *a)
{
	const struct shopts *o = w->opts.now;

	for (size_t i = 1; i < a->argc && (o->on & OPT_ALIASES); i++) {
		const struct shval *value;
		size_t n;
		int append;
		const char *s =
		    shassign_text(w, &a->argv[i], &n, &value, &append);
		if (n > 0)
			shslot_get(w, s, n)->alias = 1;
	}
	return do_tell(w, a);
}

static int
do_declare(struct shval_run *w, const struct args *a)
{
	return shdeclare_run(w, a->call, a->argv, a->argc, a->name);
}

static int
do_unset(struct shval_run *w, const struct args *a)
{
	return shunset_run(w, a->argv, a->argc);
}

static int
do_cd(struct shval_run *w, const struct args *a)
{
	return shcd_run(w, a->argv, a->argc, a->name);
}

static int
do_set(struct shval_run *w, const struct args *a)
{
	return shset_run(w, a->argv, a->argc);
}

static int
do_shopt(struct shval_run *w, const struct args *a)
{
	return shshopt_run(w, a->argv, a->argc);
}

static int
do_read(struct shval_run *w, const struct args *a)
{
	return shread_run(w, a->call, a->argv, a->argc, a->name);
}

static int
do_trap(struct shval_run *w, const struct args *a)
{
	return shtrap_run(w, a->argv, a->argc);
}

static int
do_source(struct shval_run *w, const struct args *a)
{
	return shsource_run(w, a->call, a->argv, a->argc);
}

static int
do_eval(struct shval_run *w, const struct args *a)
{
	return sheval_run(w, a->call, a->argv, a->argc);
}

static int
do_test(struct shval_run *w, const struct args *a)
{
	size_t n = a->argc - 1, len;
	const char *s;

	if (strcmp(a->name, "[") == 0) {
		s = n > 0 ? shval_cstr(w, &a->argv[n], &len) : NULL;
		if (s == NULL || strcmp(s, "]") != 0)
			return ST_UNKNOWN;
		n--;
	}
	return shtest_run(w, a->argv + 1, n);
}

static int
do_echo(struct shval_run *w, const struct args *a)
{
	if (w->out != NULL)
		shout_echo(w, a->argv + 1, a->argc - 1);
	return 0;
}

static int
do_printf(struct shval_run *w, const struct args *a)
{
	const struct shval *v;
	const char *s =
	    a->argc > 1 ? shval_cstr(w, &a->argv[1], &(size_t){ 0 }) : NULL;

	if (s != NULL && strcmp(s, "-v") == 0) {
		size_t n;
		const char *name =
		    a->argc > 3 ? shval_cstr(w, &a->argv[2], &n) : NULL;
		if (name == NULL || !shname_valid(name, n)) {
			shwalk_clobber(w, SHVAL_COMMAND, "printf", 0, NULL);
			return ST_UNKNOWN;
		}
		if (!shprintf_value(w, a->argv + 3, a->argc - 3, &v))
			v = shval_vague(w, SHVAL_LIMIT, "printf");
		shvar_set(w, name, n, v, 0);
		return 0;
	}
	if (w->out == NULL)
		return ST_UNKNOWN;
	if (!shprintf_value(w, a->argv + 1, a->argc - 1, &v)) {
		shout_value(w, shval_vague(w, SHVAL_LIMIT, "printf"));
		return ST_UNKNOWN;
	}
	shout_value(w, v);
	return 0;
}

static int
do_pwd(struct shval_run *w, const struct args *a)
{
	if (w->out == NULL)
		return 0;
	if (a->argc > 1)
		return do_tell(w, a);
	shout_value(w, w->cwd.now);
	shout_text(w, "\n", 1);
	return 0;
}

/* The number that an argument is; -1 when it is not known. */
static int
count_of(struct shval_run *w, const struct args *a, int none)
{
	size_t n;
	const char *s;
	char *end;
	long k;

	if (a->argc < 2)
		return none;
	s = a->argv[1].split ? NULL : shval_cstr(w, &a->argv[1], &n);
	if (s == NULL || n == 0 || n > 6)
		return -1;
	k = strtol(s, &end, 10);
	return *end != '\0' || k < 0 ? -1 : (int)k;
}

static int
do_exit(struct shval_run *w, const struct args *a)
{
	int n = count_of(w, a, w->status);

	w->status = a->argc < 2 ? n : n < 0 ? ST_UNKNOWN : n & 255;
	w->flow = FLOW_EXIT;
	return w->status;
}

static int
do_return(struct shval_run *w, const struct args *a)
{
	struct shtarget *t = w->target;
	int n = count_of(w, a, w->status);

	while (t != NULL && t->kind == TARGET_LOOP)
		t = t->up;
	if (t == NULL && w->frame == NULL)
		return 1;
	w->status = a->argc < 2 ? n : n < 0 ? ST_UNKNOWN : n & 255;
	w->flow = FLOW_RETURN;
	return w->status;
}

static int
do_break(struct shval_run *w, const struct args *a)
{
	int n = count_of(w, a, 1);

	if (w->target == NULL || w->target->kind != TARGET_LOOP)
		return 0;
	w->levels = n < 1 ? 1 : n;
	w->flow = a->name[0] == 'b' || a->argc > 2 ? FLOW_BREAK : FLOW_CONTINUE;
	return 0;
}

static int
do_shift(struct shval_run *w, const struct args *a)
{
	const struct shargs *old = w->args.now;
	struct shargs *now = shwalk_alloc(w, sizeof(*now));
	int n = count_of(w, a, 1);

	if (n == 0)
		return 0;
	if (n > 0 && (size_t)n > old->n && !old->unknown)
		return 1;
	if (n < 0 || (size_t)n > old->n)
		*now = (struct shargs){ NULL, 0, 1 };
	else
		*now = (struct shargs){ old->v + n, old->n - (size_t)n,
			old->unknown };
	shloc_set(w, &w->args, now);
	return n < 0 || old->unknown ? ST_UNKNOWN : 0;
}

static int
do_let(struct shval_run *w, const struct args *a)
{
	struct shnum x = { 0, SHVAL_LIMIT, "" };

	for (size_t i = 1; i < a->argc; i++) {
		if (a->argv[i].split)
			shwalk_clobber(w, SHVAL_BRANCH, "", 0, NULL);
		else
			x = sharith_must(w, &a->argv[i]);
	}
	return x.why == SHVAL_KNOWN ? x.n == 0 : ST_UNKNOWN;
}

static int
do_exec(struct shval_run *w, const struct args *a)
{
	if (a->argc > 1) {
		w->status = ST_UNKNOWN;
		w->flow = FLOW_EXIT;
	}
	return 0;
}

static int
do_wait(struct shval_run *w, const struct args *a)
{
	size_t n;

	for (size_t i = 1; i + 1 < a->argc; i++) {
		const char *s = shval_cstr(w, &a->argv[i], &n);
		if (s == NULL || strcmp(s, "-p") != 0)
			continue;
		s = shval_cstr(w, &a->argv[i + 1], &n);
		if (s != NULL && shname_valid(s, n))
			shvar_vague(w, s, n, SHVAL_CHANGES, "wait");
	}
	return ST_UNKNOWN;
}

typedef int builtin_fn(struct shval_run *, const struct args *);

static const struct {
	const char *name;
	builtin_fn *fn;
} builtins[] = { { ".", do_source }, { ":", do_nothing }, { "[", do_test },
	{ "alias", do_alias }, { "bg", do_quiet }, { "bind", do_quiet },
	{ "break", do_break }, { "caller", do_tell }, { "cd", do_cd },
	{ "compgen", do_tell }, { "complete", do_quiet },
	{ "compopt", do_quiet }, { "continue", do_break },
	{ "declare", do_declare }, { "dirs", do_tell }, { "disown", do_quiet },
	{ "echo", do_echo }, { "enable", do_quiet }, { "eval", do_eval },
	{ "exec", do_exec }, { "exit", do_exit }, { "export", do_declare },
	{ "false", do_false }, { "fc", do_tell }, { "fg", do_tell },
	{ "getopts", do_read }, { "hash", do_quiet }, { "help", do_tell },
	{ "history", do_tell }, { "jobs", do_tell }, { "kill", do_tell },
	{ "let", do_let }, { "local", do_declare }, { "logout", do_exit },
	{ "mapfile", do_read }, { "popd", do_cd }, { "printf", do_printf },
	{ "pushd", do_cd }, { "pwd", do_pwd }, { "read", do_read },
	{ "readarray", do_read }, { "readonly", do_declare },
	{ "return", do_return }, { "set", do_set }, { "shift", do_shift },
	{ "shopt", do_shopt }, { "source", do_source }, { "suspend", do_quiet },
	{ "test", do_test }, { "times", do_tell }, { "trap", do_trap },
	{ "true", do_nothing }, { "type", do_tell }, { "typeset", do_declare },
	{ "ulimit", do_tell }, { "umask", do_tell }, { "unalias", do_quiet },
	{ "unset", do_unset }, { "wait", do_wait } };

static int
by_name(const void *key, const void *elem)
{
	return strcmp(key, *(const char *const *)elem);
}

int
shbuiltin_run(struct shval_run *w, const struct shval_call *call,
    const struct shval *argv, size_t argc, const char *name, int *found)
{
	const struct args a = { call, argv, argc, name };
	const char *const *b =
	    bsearch(name, builtins, sizeof(builtins) / sizeof(builtins[0]),
		sizeof(builtins[0]), by_name);

	*found = b != NULL;
	if (b == NULL)
		return ST_UNKNOWN;
	size_t i = (size_t)((const char *)b - (const char *)builtins) /
	    sizeof(builtins[0]);
	return builtins[i].fn(w, &a);
}
