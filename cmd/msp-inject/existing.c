#include <stdlib.h>
#include <string.h>

#include "edit.h"
#include "inject.h"
#include "mem.h"
#include "opt.h"

/* One profiling argument that is there, with its values. */
struct old {
	const struct shval *word[1 + 64]; /* the option, its values */
	size_t n;
	size_t line;
	int stop; /* what -x added behind them */
	int empty; /* its value is an empty word */
};
struct olds {
	struct old *old;
	size_t n, cap;
};

static int
old_known(const struct olds *o, const struct shval *v)
{
	for (size_t i = 0; i < o->n; i++) {
		const struct shval *w = o->old[i].word[0];
		if (w == v ||
		    (w->npiece > 0 && v->npiece > 0 &&
			w->piece[0].from.source != NULL &&
			w->piece[0].from.source == v->piece[0].from.source &&
			w->piece[0].from.off == v->piece[0].from.off))
			return 1;
	}
	return 0;
}

/* How many words behind an option are its values. */
static size_t
old_values(const struct profile_option *o, int dotted, const char *value,
    const struct shval *argv, size_t n)
{
	size_t most = o->takes == PROFILE_MANY ? 64 : 1, k = 0;

	if (value != NULL || (o->takes == PROFILE_FLAG && !dotted))
		return 0;
	for (; k < n && k < most; k++) {
		struct buf b = { 0 };
		int known = shval_one(&argv[k], &b);
		const char *s = b.s == NULL ? "" : b.s;
		int option =
		    known && s[0] == '-' && !(s[1] >= '0' && s[1] <= '9');
		int stop = option || (!known && o->takes == PROFILE_FLAG);
		buf_free(&b);
		if (stop)
			break;
	}
	return k;
}

static struct old *
old_add(
    struct olds *o, const struct launch *x, const struct shval *argv, size_t n)
{
	o->old = mem_more(o->old, o->n, &o->cap, sizeof *o->old);
	struct old *k = &o->old[o->n++];
	*k = (struct old){ .n = n, .line = shval_line(argv) };
	for (size_t j = 0; j < n; j++)
		k->word[j] = &argv[j];
	if (k->line == 0)
		k->line = x->line;
	return k;
}

static int
old_word(const struct shval *v, const char *s)
{
	struct buf b = { 0 };

	int same = shval_one(v, &b) && strcmp(b.s == NULL ? "" : b.s, s) == 0;
	buf_free(&b);
	return same;
}

/* Behind the profile's arguments: those of an earlier -x. */
static void
old_stop(
    struct olds *o, const struct launch *x, const struct shval *argv, size_t n)
{
	static const struct {
		const char *option, *value; /* NULL: any */
	} added[] = { { "--exit-interval", NULL }, { "--eval-iters", "0" },
		{ "--save", "" }, { "--training.max_steps", NULL },
		{ "--training.save_steps", "0" },
		{ "--training.save_epochs", "0" },
		{ "--training.save_hf_weights", "false" } };
	size_t i = 0;

	if (n < 2 ||
	    (!old_word(&argv[0], "--exit-interval") &&
		!old_word(&argv[0], "--training.max_steps") &&
		!old_word(&argv[0], "--training.save_steps")))
		return;
	for (size_t k = 0; k < sizeof added / sizeof *added; k++) {
		const char *value = added[k].value;
		if (i + 1 >= n || !old_word(&argv[i], added[k].option) ||
		    (value != NULL && !old_word(&argv[i + 1], value)))
			continue;
		int empty = value != NULL && *value == '\0';
		if (!old_known(o, &argv[i])) {
			struct old *old =
			    old_add(o, x, &argv[i], empty ? 1 : 2);
			old->stop = 1;
			old->empty = empty;
		}
		i += 2;
	}
}

static void
old_collect(
    struct olds *o, const struct launch *x, const struct shval *argv, size_t n)
{
	const char *value;
	size_t end = n;
	int dotted;

	for (size_t i = 0; i < n; i++) {
		struct buf b = { 0 };
		const struct profile_option *p = NULL;
		if (shval_one(&argv[i], &b) && b.len != 0)
			p = profile_option(b.s, &dotted, &value);
		buf_free(&b);
		if (p == NULL)
			continue;
		end = i + 1 +
		    old_values(p, dotted, value, argv + i + 1, n - i - 1);
		if (!old_known(o, &argv[i]))
			old_add(o, x, &argv[i], end - i);
	}
	if (end < n)
		old_stop(o, x, argv + end, n - end);
}

/* "12: --profile-step-start 9; 13: ..." */
static void
old_list(const struct olds *o, struct buf *b)
{
	for (size_t i = 0; i < o->n; i++) {
		if (o->old[i].stop && o->n > 1)
			continue;
		buf_addf(b, "%s%zu:", i == 0 ? "" : "; ", o->old[i].line);
		for (size_t k = 0; k < o->old[i].n; k++) {
			buf_addc(b, ' ');
			size_t from = b->len;
			if (!shval_one(o->old[i].word[k], b)) {
				b->len = from;
				buf_adds(b, "...");
			}
		}
	}
}

/* The range of the script in which the word was written; 0, or -1. */
static int
old_range(const struct inject *in, const struct shval *v, uint32_t *off,
    uint32_t *end)
{
	if (v->npiece == 0)
		return -1;
	for (size_t i = 0; i < v->npiece; i++) {
		const struct shval_from *f = &v->piece[i].from;
		if (f->source == NULL || f->source->cmd != &in->cmd ||
		    (i > 0 && f->off < *end))
			return -1;
		if (i == 0)
			*off = f->off;
		*end = f->end;
	}
	/* Quotes around it go, too. */
	const char *s = in->cmd.text;
	while (*off > 0 && *end < in->cmd.len && s[*off - 1] == s[*end] &&
	    (s[*end] == '\'' || s[*end] == '"') && v->piece[0].quoted &&
	    (*off < 2 || strchr(" \t\n=", s[*off - 2]) != NULL)) {
		--*off;
		++*end;
	}
	return *off < *end ? 0 : -1;
}

/* Blanks and continuations before an offset belong to what follows. */
static uint32_t
old_joint(const char *s, uint32_t off)
{
	for (;;) {
		uint32_t at = off;
		while (at > 0 && (s[at - 1] == ' ' || s[at - 1] == '\t'))
			at--;
		if (at < 2 || s[at - 1] != '\n' || s[at - 2] != '\\')
			return at;
		off = at - 2;
	}
}

static int
old_delete(struct inject *in, const struct old *o, struct edit *e)
{
	const char *s = in->cmd.text;

	for (size_t i = 0; i < o->n; i++) {
		uint32_t off = 0, end = 0;
		if (old_range(in, o->word[i], &off, &end))
			return -1;
		uint32_t at = old_joint(s, off);
		if (o->empty && in->cmd.len - end > 2 &&
		    memcmp(s + end, " ''", 3) == 0)
			end += 3;
		else if (o->empty)
			return -1;
		int stands = (off > 0 && strchr(" \t\n\"'(", s[off - 1])) &&
		    (end == in->cmd.len || strchr(" \t\n\"')\\;|&<>", s[end]));
		if (!stands)
			return -1;
		for (size_t k = 0; k < e->n; k++)
			if (e->item[k].off == at)
				return -1;
		edit_delete(e, at, end - at);
	}
	return 0;
}

/* Removes them all, or says why not. */
static void
old_remove(struct inject *in, const struct olds *o, struct edit *e)
{
	for (size_t i = 0; i < o->n; i++) {
		if (old_delete(in, &o->old[i], e) == 0)
			continue;
		struct buf b = { 0 };
		const struct olds one = { &o->old[i], 1, 1 };
		old_list(&one, &b);
		find_error(in, EXIT_REFUSED, o->old[i].line, &T_CANNOT_REMOVE,
		    &T_CANNOT_REMOVE_DO, b.s);
		buf_free(&b);
		return;
	}
}

/* Does the YAML of the launch switch profiling on? "x.yaml:12: ..." */
static int
yaml_profiles(const struct launch *x, struct buf *list)
{
	struct buf v = { 0 };
	size_t line = 0;
	int on = 0;

	if (x->yaml != 0 &&
	    launch_option(x, "--training.profile", NULL) == NULL &&
	    training_field(x, "training.profile", &v, &line) == 0 &&
	    opt_bool(v.s == NULL ? "" : v.s, &on) == 0 && on) {
		buf_adds(list, list->len == 0 ? "" : "; ");
		(void)shval_one(&x->argv[x->yaml], list);
		buf_addf(list, ":%zu: profile: %s", line, v.s);
	}
	buf_free(&v);
	return on;
}

void
existing_undo(struct inject *in, const struct launch *x, struct buf *added)
{
	static const struct {
		const char *key, *plain;
	} undo[] = { { "memory", "false" }, { "stack", "false" },
		{ "shapes", "false" }, { "export-type", "text" },
		{ "data-simplification", "false" } };
	const struct profile_option *o = profile_options;
	struct buf v = { 0 }, name = { 0 }, ours = { 0 };

	for (; x->yaml != 0 && o->key != NULL; o++)
		for (size_t i = 0; i < sizeof undo / sizeof *undo; i++) {
			if (strcmp(o->key, undo[i].key) != 0)
				continue;
			buf_reset(&name);
			buf_reset(&ours);
			buf_addf(&name, "training.%s", o->fsdp2);
			buf_reset(&v);
			int passed =
			    profile_get(&in->profile, o->key, &ours) == 0 &&
			    strcmp(ours.s, "off") != 0;
			int on;
			if (passed || training_field(x, name.s, &v, NULL) ||
			    strcmp(v.s, undo[i].plain) == 0 ||
			    (opt_bool(v.s, &on) == 0 && !on))
				continue;
			buf_addf(added, "--%s", name.s);
			buf_addc(added, '\0');
			buf_add(
			    added, undo[i].plain, strlen(undo[i].plain) + 1);
		}
	buf_free(&v);
	buf_free(&name);
	buf_free(&ours);
}

/* What is kept cannot be asked for otherwise, nor does -x know its window. */
static int
old_keep(
    struct inject *in, const struct olds *o, const struct buf *list, int keep)
{
	if (!keep)
		return 0;
	buf_add(&in->kept, list->s, list->len);
	if (in->asked || in->stop)
		find_error(in, EXIT_REFUSED, o->n ? o->old[0].line : 0,
		    &T_KEPT_ASKED, &T_KEPT_ASKED_DO, list->s,
		    in->stop ? "-x" : "-s, -r, -l, -m, -o ...");
	return 1;
}

int
existing_check(struct inject *in, struct edit *e)
{
	struct olds o = { 0 };
	struct buf list = { 0 };
	int keep = 0, yaml = 0;

	for (size_t i = 0; i < in->nchosen; i++) {
		const struct launch *x = in->chosen[i];
		const struct shval *argv;
		size_t n;
		for (size_t k = 0; x->call != NULL &&
		     (argv = launch_variant(x, k, &n)) != NULL;
		     k++)
			old_collect(&o, x, argv, n);
	}
	old_list(&o, &list);
	for (size_t i = 0; i < in->nchosen; i++)
		yaml |= yaml_profiles(in->chosen[i], &list);
	if (list.len != 0 && in->mode == INJECT_ASK)
		find_error(in, EXIT_REFUSED, o.n ? o.old[0].line : 0,
		    &T_PROFILED, &T_PROFILED_DO, list.s);
	else if (in->mode == INJECT_OVERRIDE)
		old_remove(in, &o, e);
	else if (in->mode == INJECT_KEEP)
		keep = old_keep(in, &o, &list, o.n != 0 || yaml);
	buf_free(&list);
	mem_free(o.old);
	return keep;
}
