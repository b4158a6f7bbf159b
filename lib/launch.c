#include "launch.h"

#include <string.h>

#include "launchin.h"
#include "mem.h"
#include "opt.h"

static void
launch_callback(const struct shval_call *c, void *data)
{
	struct launches *l = data;

	if (l->fn != NULL && !c->dead)
		l->fn(c, l->fndata);
	launch_call(l, NULL, c);
}

void
launch_find(struct launches *l, const struct shcmd *cmd,
    const struct shval_env *env, const char *const *entries, shval_fn *fn,
    void *data)
{
	launch_find_way(l, cmd, env, entries, fn, data, LAUNCH_USUAL, 0);
}

void
launch_find_way(struct launches *l, const struct shcmd *cmd,
    const struct shval_env *env, const char *const *entries, shval_fn *fn,
    void *data, enum launch_way way, size_t line)
{
	*l = (struct launches){ .env = env,
		.way = way,
		.trains = line,
		.entries = entries,
		.fn = fn,
		.fndata = data,
		.cmd = cmd };
	l->run = shval_walk(cmd, env, launch_callback, l);
	for (size_t i = 0; i < l->n; i++)
		l->launch[i].launches = l;
	launch_places(l);
	launch_order(l);
}

void
launch_free(struct launches *l)
{
	launch_texts_free(l);
	if (l->run != NULL)
		shval_free(l->run);
	for (size_t i = 0; i < l->nseen; i++) {
		mem_free(l->seen[i].calls);
		mem_free(l->seen[i].leads);
	}
	mem_free(l->seen);
	mem_free(l->launch);
	mem_free(l->script);
	mem_free(l->other);
	arena_free(&l->arena);
	*l = (struct launches){ 0 };
}

/* The k-th byte of the word's known beginning; '\0' behind it. */
static char
option_byte(const struct shval *v, size_t k)
{
	for (size_t i = 0; i < v->npiece; i++) {
		if (v->piece[i].why != SHVAL_KNOWN)
			break;
		if (k < v->piece[i].len)
			return v->piece[i].s[k];
		k -= v->piece[i].len;
	}
	return '\0';
}

int
launch_is(const struct shval *v, const char *name)
{
	size_t k = 0;

	/* most words differ there, and each word is asked for each option */
	if (v->npiece > 0 && v->piece[0].why == SHVAL_KNOWN &&
	    v->piece[0].len > 2 &&
	    (v->piece[0].s[0] != '-' || v->piece[0].s[2] != name[2]))
		return 0;
	for (; name[k] != '\0'; k++) {
		char c = option_byte(v, k);
		int dash = (c == '-' || c == '_') &&
		    (name[k] == '-' || name[k] == '_');
		if (c != name[k] && !dash)
			return 0;
	}
	char end = option_byte(v, k);
	return end == '\0' ? 1 : end == '=' ? 2 : 0;
}

const struct shval *
launch_behind(struct launches *l, const struct shval *v)
{
	struct shval *out = arena_alloc(&l->arena, sizeof *out);
	int found = 0;

	*out = (struct shval){ 0 };
	out->piece =
	    arena_alloc(&l->arena, (v->npiece + 1) * sizeof *out->piece);
	for (size_t i = 0; i < v->npiece; i++) {
		struct shpiece p = v->piece[i];
		if (!found && p.why == SHVAL_KNOWN) {
			const char *s = memchr(p.s, '=', p.len);
			if (s == NULL)
				continue;
			found = 1;
			size_t n = (size_t)(s + 1 - p.s);
			if (p.from.end - p.from.off == p.len)
				p.from.off += (uint32_t)n;
			p.s += n;
			p.len -= n;
		}
		out->piece[out->npiece++] = p;
	}
	return out;
}

static int
option_next(const struct shval *v)
{
	char c = option_byte(v, 1);

	return option_byte(v, 0) == '-' && !(c >= '0' && c <= '9') &&
	    c != '\0' && c != '.';
}

static const struct shval *
option_find(const struct launch *x, size_t from, size_t to, const char *name,
    size_t *values)
{
	static const struct shval flag = { 0 };
	struct launches *l = x->launches;
	const struct shval *found = NULL;

	for (size_t i = from; i < to; i++) {
		int is = launch_is(&x->argv[i], name);
		if (is == 0)
			continue;
		size_t n = 0;
		while (i + 1 + n < to && !option_next(&x->argv[i + 1 + n]))
			n++;
		found = is == 2 ? launch_behind(l, &x->argv[i])
		    : n != 0    ? &x->argv[i + 1]
				: &flag;
		if (values != NULL)
			*values = is == 2 ? 1 : n;
	}
	return found;
}

const struct shval *
launch_option(const struct launch *x, const char *name, size_t *values)
{
	return option_find(x, x->entry + 1, x->argc, name, values);
}

const struct shval *
launch_launcher_option(const struct launch *x, const char *name)
{
	return option_find(x, 1, x->entry, name, NULL);
}

const struct shval *
launch_variant(const struct launch *x, size_t k, size_t *argc)
{
	struct shval *argv;

	if (k == 0) {
		*argc = x->argc;
		return x->argv;
	}
	if (x->call == NULL || k >= launch_alternatives(x->call))
		return NULL;
	*argc = launch_flat(x->launches, x->text, x->call, k, &argv);
	return argv;
}

static long
launch_number(const struct shval *v)
{
	struct buf b = { 0 };
	long n = 0;

	if (v != NULL && shval_known(v, &b) && b.len != 0 &&
	    opt_number(b.s, 0, 9999999, &n))
		n = 0;
	buf_free(&b);
	return n;
}

long
launch_npus(const struct launch *x)
{
	static const char *const names[] = { "--nproc_per_node",
		"--local_worker_num", "--num_processes", "--num_gpus",
		"--worker_num" };

	if (x->starter == LAUNCH_PYTHON)
		return 1;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		long n = launch_number(launch_launcher_option(x, names[i]));
		if (n != 0)
			return n;
	}
	return 0;
}

long
launch_world(const struct launch *x)
{
	if (x->starter == LAUNCH_PYTHON)
		return 0;
	if (x->starter == LAUNCH_MSRUN)
		return launch_number(launch_launcher_option(x, "--worker_num"));
	const struct shval *nodes = launch_launcher_option(x, "--nnodes");
	return nodes == NULL ? launch_npus(x)
			     : launch_npus(x) * launch_number(nodes);
}
