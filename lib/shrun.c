#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mem.h"
#include "shwalk.h"

enum {
	STEPS = 100000,
	ROOM = 64 << 20, /* bytes, and for each of the script: */
	ROOM_BYTE = 32
};

static int
same_place(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
	    x.st_ino == y.st_ino;
}

/* As bash does: $PWD when it is right, else what the system says. */
static const struct shval *
start_dir(struct shval_run *w)
{
	const char *s = w->env->cwd;
	char *given = NULL;
	const struct shval *v;

	for (char *const *e = w->env->environ; s == NULL && e && *e; e++) {
		if (strncmp(*e, "PWD=/", 5) == 0 && same_place(*e + 4, "."))
			s = *e + 4;
	}
	if (s == NULL) {
		size_t n = 256;
		given = mem_alloc(n);
		while (getcwd(given, n) == NULL && n < 65536) {
			n *= 2;
			given = mem_resize(given, n, 1);
		}
		s = n < 65536 ? given : NULL;
	}
	v = s != NULL ? shval_string(w, shwalk_dup(w, s, strlen(s)), strlen(s),
			    shval_nowhere)
		      : shval_vague(w, SHVAL_COMMAND, "pwd");
	mem_free(given);
	return v;
}

static const struct shargs *
start_args(struct shval_run *w)
{
	const struct shval_env *e = w->env;
	struct shargs *a = shwalk_alloc(w, sizeof(*a));
	struct shval *v = shwalk_alloc(w, (e->nargs + 1) * sizeof(*v));

	for (size_t i = 0; i < e->nargs; i++)
		v[i] = *shval_string(
		    w, e->args[i], strlen(e->args[i]), shval_nowhere);
	*a = (struct shargs){ v, e->nargs, e->args_unknown };
	return a;
}

struct shval_run *
shval_walk(const struct shcmd *cmd, const struct shval_env *env, shval_fn *fn,
    void *data)
{
	static const struct shopts none = { 0, 0 };
	struct shval_run *w = mem_zero(1, sizeof(*w));
	struct shval_source *src;

	w->env = env;
	w->fn = fn;
	w->data = data;
	w->steps = STEPS + (long)cmd->nnode * 8;
	w->room = ROOM + (size_t)cmd->len * ROOM_BYTE;
	w->ntable = 256;
	w->table = mem_zero(w->ntable, sizeof(struct shslot *));
	w->into = &w->mem;
	w->cwd.kind = LOC_CWD;
	w->args.kind = LOC_ARGS;
	w->opts.kind = LOC_OPTS;
	w->dirs.kind = LOC_DIRS;
	w->clob.kind = LOC_CLOB;
	w->opts.now = &none;
	w->sourcedp = &w->sourced;
	w->start = start_dir(w);
	w->cwd.now = w->start;
	w->args.now = start_args(w);
	src = shwalk_alloc(w, sizeof(*src));
	*src = (struct shval_source){ .path = env->script, .cmd = cmd };
	w->src = src;
	w->functions = shenv_function(w, "");
	shenv_start(w);
	shsource_start(w);
	w->into = &w->passing;
	shwalk_node(w, 0);
	if (w->limited) {
		w->room = (size_t)1 << 20;
		w->limited = 0;
		shwalk_clobber(w, SHVAL_LIMIT, "", 0, NULL);
		w->limited = 1;
	}
	return w;
}

void
shval_free(struct shval_run *w)
{
	if (w == NULL)
		return;
	for (struct shval_source *s = w->sources; s != NULL; s = s->next)
		shcmd_free((struct shcmd *)(uintptr_t)s->cmd);
	arena_free(&w->mem);
	arena_free(&w->passing);
	arena_free(&w->state);
	mem_free(w->fresh);
	mem_free(w->table);
	mem_free(w->trail);
	mem_free(w->item);
	mem_free(w->piece);
	mem_free(w->word);
	mem_free(w->wordof);
	mem_free(w->guard);
	buf_free(&w->looked);
	mem_free(w);
}

const struct shval *
shval_var(struct shval_run *w, const char *name)
{
	const struct shvar *v = shvar_find(w, name, strlen(name));
	const struct shval *s = shvar_scalar(w, v);

	return s->unset && s->alt == NULL ? NULL : s;
}

const struct shval_sourced *
shval_sourced(const struct shval_run *w)
{
	return w->sourced;
}

int
shval_limited(const struct shval_run *w)
{
	return w->limited;
}
