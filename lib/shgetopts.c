#include <stdlib.h>
#include <string.h>

#include "shwalk.h"

/* getopts, when the arguments are known. Where it is within an argument it
 * keeps in a variable, as it is part of the state. */
static const char at_name[] = "__msp_getopts";

struct getopts {
	struct shval_run *w;
	const char *set, *name, *arg;
	size_t name_len;
	const struct shval *v;
	size_t n;
	long index, at;
};

static long
value(struct shval_run *w, const char *name)
{
	const struct shvar *var = shvar_find(w, name, strlen(name));
	size_t n;
	const char *s = shval_cstr(w, shvar_scalar(w, var), &n);

	return s == NULL || n > 6 ? -1 : strtol(s, NULL, 10);
}

static void
set(struct getopts *g, const char *name, const char *s, size_t n)
{
	shvar_set(g->w, name, strlen(name),
	    shval_string(g->w, shwalk_dup(g->w, s, n), n, shval_nowhere), 0);
}

static int
finish(struct getopts *g, const char *option, const char *arg, size_t n)
{
	struct shval_run *w = g->w;

	shvar_set(w, "OPTIND", 6, shval_number(w, g->index, shval_nowhere), 0);
	shvar_set(w, at_name, sizeof(at_name) - 1,
	    shval_number(w, g->at + g->index * 1000, shval_nowhere), 0);
	set(g, g->name, option, 1);
	if (arg != NULL)
		set(g, "OPTARG", arg, n);
	else
		shvar_unset(w, "OPTARG", 6);
	return 0;
}

static int
end(struct getopts *g)
{
	g->at = 0;
	finish(g, "?", NULL, 0);
	return 1;
}

/* The text of an argument, NULL when there is none; *bad: not known. */
static const char *
argument(struct getopts *g, long i, size_t *len, int *bad)
{
	const char *s;

	*len = 0;
	if (i < 1 || (size_t)i > g->n)
		return NULL;
	s = shval_cstr(g->w, &g->v[i - 1], len);
	*bad |= s == NULL;
	return s;
}

static int
step(struct getopts *g)
{
	size_t len, next_len;
	int bad = 0, silent = g->set[0] == ':';
	const char *arg = argument(g, g->index, &len, &bad);
	const char *next = argument(g, g->index + 1, &next_len, &bad), *o;
	char c;

	if (bad)
		return ST_UNKNOWN;
	if (g->at == 0) {
		if (arg == NULL || arg[0] != '-' || len < 2)
			return end(g);
		if (strcmp(arg, "--") == 0) {
			g->index++;
			return end(g);
		}
		g->at = 1;
	}
	if (arg == NULL || (size_t)g->at >= len)
		return ST_UNKNOWN;
	c = arg[g->at++];
	o = c == ':' ? NULL : strchr(g->set + silent, c);
	if (o != NULL && o[1] == ':') {
		const char *rest = arg + g->at;
		size_t rest_len = len - (size_t)g->at;
		g->index++;
		g->at = 0;
		if (rest_len > 0)
			return finish(g, &c, rest, rest_len);
		if (next == NULL)
			return finish(
			    g, silent ? ":" : "?", silent ? &c : NULL, 1);
		g->index++;
		return finish(g, &c, next, next_len);
	}
	if ((size_t)g->at >= len) {
		g->index++;
		g->at = 0;
	}
	if (o == NULL)
		return finish(g, "?", silent ? &c : NULL, 1);
	return finish(g, &c, NULL, 0);
}

int
shgetopts_run(struct shval_run *w, const struct shval *argv, size_t argc)
{
	const struct shargs *a = w->args.now;
	struct getopts g = { .w = w, .v = a->v, .n = a->n };
	size_t n;
	long at;

	if (argc < 3 || a->unknown)
		return ST_UNKNOWN;
	for (size_t i = 1; i < argc; i++) {
		if (argv[i].split)
			return ST_UNKNOWN;
	}
	if (argc > 3) {
		g.v = argv + 3;
		g.n = argc - 3;
	}
	g.set = shval_cstr(w, &argv[1], &n);
	g.name = shval_cstr(w, &argv[2], &g.name_len);
	g.index = value(w, "OPTIND");
	if (g.set == NULL || g.name == NULL || g.index < 1 ||
	    !shname_valid(g.name, g.name_len))
		return ST_UNKNOWN;
	at = value(w, at_name);
	if ((size_t)g.index > g.n + 1)
		g.index = (long)g.n + 1;
	if (at >= 0 && at / 1000 == g.index)
		g.at = at % 1000;
	return step(&g);
}
