#include <string.h>

#include "shwalk.h"

/*
 * A handler may run between any two commands: what it assigns is not known
 * from then on. One for EXIT alone runs when all is over.
 */

static void scan(struct shval_run *, const struct shcmd *, uint32_t, uint32_t);

static void
assigned(struct shval_run *w, const struct shcmd *c, uint32_t word)
{
	const struct shword *x = &c->word[word];
	size_t len = shname_len(c->text + x->off, x->end - x->off);

	if (len > 0)
		shslot_get(w, c->text + x->off, len)->caught = 1;
}

/* A function that a handler calls, now or when it will be defined. */
static void
called(struct shval_run *w, const char *name, size_t len)
{
	struct shslot *slot = shslot_get(w, name, len);

	if (slot->handles)
		return;
	slot->handles = 1;
	for (const struct shfunc *f = slot->func.now; f != NULL; f = f->alt)
		shtrap_function(w, f);
}

void
shtrap_function(struct shval_run *w, const struct shfunc *f)
{
	const struct shnode *n;

	if (f->source == NULL)
		return;
	n = &f->source->cmd->node[f->body];
	scan(w, f->source->cmd, n->off, n->end);
}

static void
scan_simple(struct shval_run *w, const struct shcmd *c, const struct shnode *n)
{
	static const char *const setters[] = { "export", "readonly", "read",
		"declare", "typeset" };
	uint32_t first = n->word + n->nassign;
	struct buf name = { 0 };
	int sets = 0;

	for (uint32_t i = n->word; i < first && n->nword == n->nassign; i++)
		assigned(w, c, i);
	if (n->nword > n->nassign && shcmd_literal(c, first, &name) == 0 &&
	    name.s != NULL) {
		for (size_t i = 0; i < sizeof(setters) / sizeof(*setters); i++)
			sets |= strcmp(name.s, setters[i]) == 0;
		for (uint32_t i = 1; sets && i < n->nword - n->nassign; i++)
			assigned(w, c, first + i);
		called(w, name.s, name.len);
	}
	buf_free(&name);
}

/* What the commands there assign, and the functions that they call. */
static void
scan(struct shval_run *w, const struct shcmd *c, uint32_t off, uint32_t end)
{
	for (uint32_t i = shcmd_node(c, off);
	     i < c->nnode && c->node[i].off < end; i++) {
		if (c->node[i].kind == SH_SIMPLE)
			scan_simple(w, c, &c->node[i]);
	}
}

int
shtrap_run(struct shval_run *w, const struct shval *argv, size_t argc)
{
	size_t n, i = 1;
	const char *s = argc > 1 ? shval_cstr(w, &argv[1], &n) : NULL;
	struct shcmd c;
	int others = 0;

	if (s != NULL && strcmp(s, "--") == 0)
		s = argc > ++i ? shval_cstr(w, &argv[i], &n) : NULL;
	if (w->out != NULL && (s == NULL || s[0] == '-'))
		shout_value(w, shval_vague(w, SHVAL_COMMAND, "trap"));
	if (s == NULL || n == 0 || s[0] == '-')
		return 0;
	while (++i < argc) {
		size_t k;
		const char *sig = shval_cstr(w, &argv[i], &k);
		if (sig != NULL && strcmp(sig, "ERR") == 0)
			w->noisy |= 1;
		if (sig != NULL && strcmp(sig, "DEBUG") == 0)
			w->noisy |= 2;
		others |= sig == NULL ||
		    (strcmp(sig, "EXIT") != 0 && strcmp(sig, "0") != 0);
	}
	if (others) {
		shcmd_parse(&c, s, n);
		scan(w, &c, 0, (uint32_t)n);
		shcmd_free(&c);
	}
	return 0;
}
