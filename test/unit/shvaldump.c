/*
 * Walks a script and prints what is known about it.
 *
 *	shvaldump [-c] SCRIPT [ARG ...]
 *
 * One line for each variable at the end: V NAME VALUE, U NAME REASON WHAT for
 * what is not known, A NAME [INDEX]=VALUE ... for arrays that are known; with
 * -c also C LINE WORD ... for each command that is reached.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "io.h"
#include "shwalk.h"

extern char **environ;

static void
put(const struct shval *v)
{
	struct buf b = {0}, e = {0};

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
	printf("C %zu%s%s", shcmd_line(c->source->cmd,
	                        c->source->cmd->node[c->node].off),
	    c->maybe ? " maybe" : "", c->guard ? " guard" : "");
	for (size_t i = 0; i < c->argc; i++) {
		printf("\t");
		put(&c->argv[i]);
	}
	printf("\n");
}

static int
array_known(const struct shvar *var)
{
	struct buf b = {0};
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
	struct buf text = {0};
	struct shcmd cmd;
	int calls = argc > 1 && strcmp(argv[1], "-c") == 0;

	err_init("shvaldump", 2);
	argv += calls;
	argc -= calls;
	if (argc < 2 || io_slurp_file(argv[1], &text, 1 << 24) != 0)
		return 2;
	struct shval_env env = {.script = argv[1],
	    .args = argv + 2,
	    .nargs = (size_t)argc - 2,
	    .environ = environ};
	shcmd_parse(&cmd, text.s ? text.s : "", text.len);
	struct shval_run *w =
	    shval_walk(&cmd, &env, calls ? show_call : NULL, NULL);
	for (size_t i = 0; i < w->ntable; i++) {
		for (struct shslot *s = w->table[i]; s != NULL; s = s->next)
			show_var(w, s);
	}
	printf("limited %d\n", shval_limited(w));
	shval_free(w);
	shcmd_free(&cmd);
	buf_free(&text);
	return 0;
}
