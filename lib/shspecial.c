#include <string.h>

#include "shwalk.h"

int
shparam_isdigits(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] < '0' || s[i] > '9')
			return 0;
	}
	return n > 0;
}

const struct shval *
shparam_positional(struct shval_run *w, const char *s, size_t len)
{
	const struct shargs *a = w->args.now;
	size_t n = 0;

	for (size_t i = 0; i < len && n < 1000000; i++)
		n = n * 10 + (size_t)(s[i] - '0');
	if (n == 0)
		return w->env->script != NULL
		    ? shval_string(w, w->env->script, strlen(w->env->script),
			  shval_nowhere)
		    : shval_vague(w, SHVAL_ARGUMENT, "0");
	if (n <= a->n)
		return &a->v[n - 1];
	return a->unknown
	    ? shval_vague(w, SHVAL_ARGUMENT, shwalk_dup(w, s, len))
	    : &shval_unset_value;
}

/* The first of BASH_SOURCE: the file in which the words stand. */
static const struct shval *
source_path(struct shval_run *w)
{
	const struct shval_source *s = w->src;

	while (s->made != NULL && s->call != NULL)
		s = s->call->source;
	if (s->path != NULL && s->made == NULL &&
	    (s->call == NULL || strchr(s->path, '/') != NULL))
		return shval_string(w, s->path, strlen(s->path), shval_nowhere);
	return s->call == NULL ? shval_vague(w, SHVAL_ARGUMENT, "0")
			       : shval_vague(w, SHVAL_COMMAND, "BASH_SOURCE");
}

int
shparam_issource(const char *s, size_t len)
{
	static const char name[] = "BASH_SOURCE";

	return len == sizeof(name) - 1 && memcmp(s, name, len) == 0;
}

const struct shval *
shparam_special(struct shval_run *w, const char *s, size_t len)
{
	const struct shargs *a = w->args.now;

	if (shparam_isdigits(s, len))
		return shparam_positional(w, s, len);
	if (shparam_issource(s, len))
		return source_path(w);
	if (len != 1)
		return NULL;
	switch (s[0]) {
	case '#':
		return a->unknown
		    ? shval_vague(w, SHVAL_ARGUMENT, "#")
		    : shval_number(w, (long long)a->n, shval_nowhere);
	case '?':
		return w->status >= 0
		    ? shval_number(w, w->status, shval_nowhere)
		    : shval_vague(w, SHVAL_COMMAND, "?");
	case '$':
	case '!': return shval_vague(w, SHVAL_CHANGES, s[0] == '$' ? "$" : "!");
	case '-': return shval_vague(w, SHVAL_COMMAND, "-");
	default: return NULL;
	}
}
