#include <stdlib.h>
#include <string.h>

#include "edit.h"
#include "inject.h"
#include "mem.h"
#include "opt.h"

/* The option that a word is, also when its value behind = is not known. */
static const struct profile_option *
old_option(const struct shval *v, struct buf *b, int *dotted, int *value)
{
	const char *is = NULL;
	size_t i = 0;

	buf_reset(b);
	for (; i < v->npiece && v->piece[i].why == SHVAL_KNOWN; i++)
		buf_add(b, v->piece[i].s, v->piece[i].len);
	if (b->len == 0 || (i < v->npiece && strchr(b->s, '=') == NULL))
		return NULL;
	const struct profile_option *o = profile_option(b->s, dotted, &is);
	*value = is != NULL;
	b->len = strcspn(b->s, "=");
	return o;
}

/* How many words behind an option are its values. What is not known and may
 * be several words can be no more than the first of them. */
static size_t
old_values(const struct profile_option *o, int dotted, const struct shval *argv,
    size_t n)
{
	size_t most = o->takes == PROFILE_MANY ? n : 1, k = 0;
	int more = 1;

	if (o->takes == PROFILE_FLAG && !dotted)
		return 0;
	for (; k < n && k < most && more; k++) {
		struct buf b = { 0 };
		int known = shval_one(&argv[k], &b);
		const char *s = b.s == NULL ? "" : b.s;
		int option =
		    known && s[0] == '-' && !(s[1] >= '0' && s[1] <= '9');
		int stop = option ||
		    (!known &&
			(o->takes == PROFILE_FLAG || (k > 0 && argv[k].split)));
		more = known || !argv[k].split;
		buf_free(&b);
		if (stop)
			break;
	}
	return k;
}

static int
old_known(const struct olds *o, const struct old *new)
{
	for (size_t i = 0; i < o->n; i++) {
		const struct shval *v = new->word, *w = o->old[i].word;
		if (new->off != OLD_NOWHERE ? new->off == o->old[i].off
					    : w == v ||
			    (w->npiece > 0 && v->npiece > 0 &&
				w->piece[0].from.source != NULL &&
				w->piece[0].from.source ==
				    v->piece[0].from.source &&
				w->piece[0].from.off == v->piece[0].from.off))
			return 1;
	}
	return 0;
}

static void
old_add(struct olds *o, const struct inject *in, const struct launch *x,
    struct old new)
{
	new.launch = x;
	new.line = shval_line(new.word);
	if (launch_origin(x, new.word, &new.off))
		new.off = OLD_NOWHERE;
	else
		new.line = shcmd_line(&in->cmd, new.off);
	if (new.line == 0)
		new.line = x->line;
	if (old_known(o, &new))
		return;
	o->old = mem_more(o->old, o->n, &o->cap, sizeof *o->old);
	o->old[o->n++] = new;
}

static int
old_word(const struct shval *v, const char *s)
{
	struct buf b = { 0 };

	int same = shval_one(v, &b) && strcmp(b.s == NULL ? "" : b.s, s) == 0;
	buf_free(&b);
	return same;
}

static long
old_number(const struct shval *v)
{
	struct buf b = { 0 };
	long n = 0;

	if (!shval_one(v, &b) || b.len == 0 ||
	    opt_number(b.s, 0, 999999999, &n))
		n = 0;
	buf_free(&b);
	return n;
}

/*
 * Behind the profile's arguments, at the end of the command: those of an
 * earlier -x. An --exit-interval alone is one only when it follows from the
 * step at which the profile ends. How many words they are.
 */
static size_t
old_stop(struct olds *o, const struct inject *in, const struct launch *x,
    const struct shval *argv, size_t n, long end)
{
	enum { MARGIN = 3 };
	static const struct {
		const char *option, *value; /* NULL: any */
	} added[] = { { "--exit-interval", NULL }, { "--eval-iters", "0" },
		{ "--save", "" }, { "--training.max_steps", NULL },
		{ "--training.save_steps", "0" },
		{ "--training.save_hf_weights", "false" },
		{ "--training.save_epochs", "0" } };
	size_t i = 0;

	size_t is[sizeof added / sizeof *added];
	for (size_t k = 0; k < sizeof added / sizeof *added && i + 1 < n; k++)
		if (old_word(&argv[i], added[k].option) &&
		    (added[k].value == NULL ||
			old_word(&argv[i + 1], added[k].value))) {
			is[i / 2] = k;
			i += 2;
		}
	if (i == 0 || i != n || old_word(&argv[0], "--eval-iters") ||
	    old_word(&argv[0], "--save") ||
	    (i == 2 && old_number(&argv[1]) != end + MARGIN))
		return 0;
	for (size_t k = 0; k < i; k += 2)
		old_add(o, in, x,
		    (struct old){ .word = &argv[k],
			.n = 2,
			.name = strlen(added[is[k / 2]].option),
			.takes = PROFILE_ONE,
			.stop = 1 });
	return i;
}

/* The old arguments among the words of a launch; the others go to rest. */
static void
old_collect(struct olds *o, const struct inject *in, const struct launch *x,
    const struct shval *argv, size_t n, struct buf *rest)
{
	struct buf b = { 0 };
	int dotted, value;
	long end = 0;

	for (size_t i = 0; i < n; i++) {
		const struct profile_option *p =
		    old_option(&argv[i], &b, &dotted, &value);
		if (p == NULL) {
			struct shval word = argv[i];
			word.alt = NULL;
			if (rest != NULL)
				remove_print(rest, &word);
			continue;
		}
		struct old new = { .word = &argv[i],
			.n = 1,
			.name = b.len,
			.takes = value ? PROFILE_FLAG : p->takes };
		if (!value)
			new.n += old_values(p, dotted, &argv[i + 1], n - i - 1);
		if (!value && p->takes == PROFILE_FLAG && new.n == 2)
			new.takes = PROFILE_ONE;
		old_add(o, in, x, new);
		if (strcmp(p->key, "step-end") == 0 && new.n == 2)
			end = old_number(&argv[i + 1]);
		i += new.n - 1;
		i += old_stop(o, in, x, &argv[i + 1], n - i - 1, end);
	}
	buf_free(&b);
}

/* The same for each way in which the words can turn out; what is left of
 * them, once where it is the same. */
static void
old_variants(struct olds *o, const struct inject *in, const struct launch *x,
    struct buf *rest)
{
	const struct shval *argv;
	struct buf text = { 0 };
	size_t n, from = rest == NULL ? 0 : rest->len;

	for (size_t k = 0; (argv = launch_variant(x, k, &n)) != NULL; k++) {
		buf_reset(&text);
		buf_addc(&text, '\2');
		old_collect(o, in, x, argv, n, rest == NULL ? NULL : &text);
		buf_addc(&text, '\n');
		if (rest != NULL &&
		    (rest->len == from ||
			strstr(rest->s + from, text.s) == NULL))
			buf_add(rest, text.s, text.len);
	}
	buf_free(&text);
}

void
existing_collect(const struct inject *in, struct olds *o, struct buf *rest)
{
	for (size_t i = 0; i < in->nchosen; i++) {
		const struct launch *x = in->chosen[i];
		for (size_t k = 0; x->call == NULL && k < in->ncall; k++)
			if (in->call[k]->source->cmd == &in->cmd &&
			    in->call[k]->node == x->node)
				old_collect(o, in, x, in->call[k]->argv,
				    in->call[k]->argc, rest);
		for (; x != NULL && x->call != NULL; x = x->again)
			old_variants(o, in, x, rest);
	}
}

/* "12: --profile-step-start 9; 13: ..." */
void
existing_list(const struct olds *o, struct buf *b)
{
	for (size_t i = 0; i < o->n; i++) {
		if (o->old[i].stop && o->n > 1)
			continue;
		buf_addf(b, "%s%zu:", i == 0 ? "" : "; ", o->old[i].line);
		for (size_t k = 0; k < o->old[i].n; k++) {
			buf_addc(b, ' ');
			size_t from = b->len;
			if (!shval_one(&o->old[i].word[k], b)) {
				b->len = from;
				buf_adds(b, "...");
			}
		}
	}
}

/* FSDP2 takes more words for true than options of ours do. */
static int
yaml_on(const char *s)
{
	int on = 0;

	return (opt_bool(s, &on) == 0 && on) ||
	    (*s != '\0' && strchr("tTyY", *s) != NULL && s[1] == '\0');
}

/* Does the YAML of the launch switch profiling on? "x.yaml:12: ..." */
static void
yaml_profiles(const struct launch *x, struct buf *list)
{
	struct buf v = { 0 };
	size_t line = 0;

	buf_add(&v, "", 0);
	if (x->yaml != 0 &&
	    launch_option(x, "--training.profile", NULL) == NULL &&
	    training_field(x, "training.profile", &v, &line) == 0 &&
	    yaml_on(v.s)) {
		buf_adds(list, list->len == 0 ? "" : "; ");
		(void)shval_one(&x->argv[x->yaml], list);
		buf_addf(list, ":%zu: profile: %s", line, v.s);
	}
	buf_free(&v);
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
			int how = training_field(x, name.s, &v, NULL), on;
			if (passed || how < 0 ||
			    (how == 0 &&
				(strcmp(v.s, undo[i].plain) == 0 ||
				    (opt_bool(v.s, &on) == 0 && !on))))
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

void
existing_keep(struct inject *in, size_t line, const struct buf *list)
{
	buf_add(&in->kept, list->s, list->len);
	if (in->asked || in->stop)
		find_error(in, EXIT_REFUSED, line, &T_KEPT_ASKED,
		    &T_KEPT_ASKED_DO, list->s,
		    in->stop ? "-x" : "-s, -r, -l, -m, -o ...");
}

int
existing_check(struct inject *in, struct edit *e)
{
	struct olds o = { 0 };
	struct buf list = { 0 };
	int keep = 0;

	existing_collect(in, &o, NULL);
	existing_list(&o, &list);
	for (size_t i = 0; i < in->nchosen; i++)
		yaml_profiles(in->chosen[i], &list);
	size_t line = o.n != 0 ? o.old[0].line : 0;
	if (list.len != 0 && in->mode == INJECT_ASK)
		find_error(in, EXIT_REFUSED, line, &T_PROFILED, &T_PROFILED_DO,
		    list.s);
	else if (in->mode == INJECT_OVERRIDE)
		remove_plan(in, &o, e);
	else if (in->mode == INJECT_KEEP)
		keep = list.len != 0;
	if (keep)
		existing_keep(in, line, &list);
	buf_free(&list);
	mem_free(o.old);
	return keep;
}
