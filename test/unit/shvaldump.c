/*
 * Walks a script and prints what is known about it.
 *
 *	shvaldump [-c | -s] SCRIPT [ARG ...]
 *
 * One line for each variable at the end: V NAME VALUE, U NAME REASON WHAT for
 * what is not known, A NAME [INDEX]=VALUE ... for arrays that are known; with
 * -c also C LINE WORD ... for each command that is reached.
 *
 * With -s bash functions that test/soundness defines are called for what is
 * known, in __msp_end() for the end of the script and in __msp_at_LINE_K() for
 * the K-th time that a program is reached on a line.
 */
#include <stdio.h>
#include <string.h>

#include "err.h"
#include "io.h"
#include "mem.h"
#include "shquote.h"
#include "shwalk.h"

extern char **environ;

static void
put(const struct shval *v)
{
	struct buf b = { 0 }, e = { 0 };

	for (; v != NULL; v = v->alt) {
		buf_reset(&b);
		if (v->unset)
			buf_adds(&b, "<unset>");
		for (size_t i = 0; i < v->npiece; i++) {
			const struct shpiece *p = &v->piece[i];
			if (p->why != SHVAL_KNOWN)
				buf_addf(&b, "<%d:", (int)p->why);
			buf_add(&b, p->s, p->len);
			if (p->why != SHVAL_KNOWN)
				buf_addc(&b, '>');
		}
		if (v->split)
			buf_adds(&b, "<split>");
		if (v->alt != NULL)
			buf_adds(&b, "<or>");
		esc_add(&e, b.s ? b.s : "", b.len);
	}
	fputs(e.s ? e.s : "", stdout);
	buf_free(&b);
	buf_free(&e);
}

static void
show_call(const struct shval_call *c, void *data)
{
	(void)data;
	printf("C %zu%s%s",
	    shcmd_line(c->source->cmd, c->source->cmd->node[c->node].off),
	    c->maybe ? " maybe" : "", c->guard ? " guard" : "");
	for (size_t i = 0; i < c->argc; i++) {
		printf("\t");
		put(&c->argv[i]);
	}
	printf("\n");
}

static int array_known(const struct shvar *);

static void
put_word(const char *s, size_t n)
{
	struct buf b = { 0 };

	buf_addc(&b, ' ');
	shquote_word(&b, s, n);
	fwrite(b.s, 1, b.len, stdout);
	buf_free(&b);
}

static void
put_known(const struct shval *v)
{
	struct buf b = { 0 };

	shval_known(v, &b);
	put_word(b.s ? b.s : "", b.len);
	buf_free(&b);
}

static void
check_var(struct shval_run *w, struct shslot *s)
{
	const struct shvar *var = shvar_get(w, s);

	if (!shname_valid(s->name, s->len) || strcmp(s->name, "_") == 0 ||
	    strncmp(s->name, "BASH", 4) == 0 ||
	    strncmp(s->name, "__msp", 5) == 0 || (var->flags & VAR_NAMEREF))
		return;
	if (var->flags & (VAR_ARRAY | VAR_ASSOC)) {
		if (!array_known(var))
			return;
		printf("\t__msp_a %s", s->name);
		for (size_t i = 0; i < var->nelem; i++) {
			const struct shelem *e = &var->elem[i];
			if (e->key != NULL)
				put_word(e->key, e->keylen);
			else
				printf(" %lld", (long long)e->index);
			put_known(e->v);
		}
		printf("\n");
	} else if (shval_unknown(var->v) == NULL) {
		printf("\t__msp_%s %s", var->v->unset ? "n" : "v", s->name);
		put_known(var->v);
		printf("\n");
	}
}

static void
check_all(struct shval_run *w)
{
	for (size_t i = 0; i < w->ntable; i++) {
		for (struct shslot *s = w->table[i]; s != NULL; s = s->next)
			check_var(w, s);
	}
}

/* Programs that test/soundness records. */
static int
recorded(const char *name)
{
	static const char *const names[] = { "torchrun", "msrun", "python",
		"python3", "accelerate", "deepspeed" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], name) == 0)
			return 1;
	}
	return 0;
}

/* data: how often each line was reached so far. */
static void
check_call(const struct shval_call *c, void *data)
{
	unsigned *count = data;
	struct buf b = { 0 };
	size_t line =
	    shcmd_line(c->source->cmd, c->source->cmd->node[c->node].off);
	int ok = 1;

	if (c->argc == 0 || c->source->call != NULL ||
	    !shval_known(&c->argv[0], &b) || !recorded(b.s ? b.s : "")) {
		buf_free(&b);
		return;
	}
	if (c->maybe) {
		printf("__msp_maybe_%zu=1\n", line);
	} else {
		printf("__msp_at_%zu_%u() {\n\t:\n", line, ++count[line]);
		for (size_t i = 0; i < c->argc; i++)
			ok &= shval_known(&c->argv[i], &b);
		if (ok) {
			printf("\t__msp_args");
			for (size_t i = 0; i < c->argc; i++)
				put_known(&c->argv[i]);
			printf("\n");
		}
		check_all(c->run);
		printf("}\n");
	}
	buf_free(&b);
}

static int
array_known(const struct shvar *var)
{
	struct buf b = { 0 };
	int ok = !(var->flags & VAR_MAYBE);

	for (size_t i = 0; i < var->nelem; i++)
		ok &= shval_known(var->elem[i].v, &b) &&
		    (var->elem[i].key != NULL || var->elem[i].index >= 0);
	buf_free(&b);
	return ok;
}

static void
show_var(struct shval_run *w, struct shslot *s)
{
	const struct shvar *var = shvar_get(w, s);

	if (var->flags & (VAR_ARRAY | VAR_ASSOC)) {
		printf("%s %s", array_known(var) ? "A" : "U", s->name);
		for (size_t i = 0; i < var->nelem; i++) {
			const struct shelem *e = &var->elem[i];
			if (e->key != NULL)
				printf("\t%.*s\t", (int)e->keylen, e->key);
			else
				printf("\t%lld\t", (long long)e->index);
			put(e->v);
		}
	} else if (shval_unknown(var->v) == NULL) {
		printf("%s %s\t", var->v->unset ? "N" : "V", s->name);
		put(var->v);
	} else {
		printf("U %s\t", s->name);
		put(var->v);
	}
	printf("\n");
}

int
main(int argc, char **argv)
{
	struct buf text = { 0 };
	struct shcmd cmd;
	int calls = argc > 1 && strcmp(argv[1], "-c") == 0;
	int check = argc > 1 && strcmp(argv[1], "-s") == 0;
	struct shval_run *w;

	err_init("shvaldump", 2);
	argv += calls | check;
	argc -= calls | check;
	if (argc < 2 || io_slurp_file(argv[1], &text, 1 << 24) != 0)
		return 2;
	struct shval_env env = { .script = argv[1],
		.args = argv + 2,
		.nargs = (size_t)argc - 2,
		.environ = environ };
	shcmd_parse(&cmd, text.s ? text.s : "", text.len);
	unsigned *count = mem_zero(text.len + 2, sizeof(*count));
	w = shval_walk(&cmd, &env,
	    calls       ? show_call
		: check ? check_call
			: NULL,
	    count);
	if (check) {
		printf("__msp_end() {\n\t:\n");
		check_all(w);
		printf("}\n");
	} else {
		for (size_t i = 0; i < w->ntable; i++) {
			for (struct shslot *s = w->table[i]; s; s = s->next)
				show_var(w, s);
		}
		printf("limited %d\n", shval_limited(w));
	}
	mem_free(count);
	shval_free(w);
	shcmd_free(&cmd);
	buf_free(&text);
	return 0;
}
