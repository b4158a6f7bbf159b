#include <string.h>

#include "shwalk.h"

/*
 * A handler may run between any two commands: what it assigns is not known
 * from then on. One for EXIT alone runs when all is over.
 */

static void scan(
    struct shval_run *, const struct shcmd *, uint32_t, uint32_t, int);

static void catch (struct shval_run *w, const char *s, size_t n)
{
	size_t len = shname_len(s, n);

	if (len > 0)
		shslot_get(w, s, len)->caught = 1;
}

/* What a command of a handler assigns, and what functions it calls do. */
static void
scan_simple(struct shval_run *w, const struct shcmd *c, const struct shnode *n,
    int depth)
{
	struct buf name = { 0 };

	for (uint32_t i = 0; i < n->nassign && n->nword == n->nassign; i++) {
		const struct shword *x = &c->word[n->word + i];
		catch (w, c->text + x->off, x->end - x->off);
	}
	if (n->nword > n->nassign &&
	    shcmd_literal(c, n->word + n->nassign, &name) == 0 && name.s) {
		struct shslot *slot = shslot_get(w, name.s, name.len);
		const struct shfunc *f = slot->func.now;
		int exports = strcmp(name.s, "export") == 0 ||
		    strcmp(name.s, "readonly") == 0 ||
		    strcmp(name.s, "read") == 0;
		for (uint32_t i = n->nassign + 1; exports && i < n->nword;
		     i++) {
			const struct shword *x = &c->word[n->word + i];
			catch (w, c->text + x->off, x->end - x->off);
		}
		for (; f != NULL; f = f->alt) {
			if (f->source == NULL)
				continue;
			const struct shnode *b = &f->source->cmd->node[f->body];
			scan(w, f->source->cmd, b->off, b->end, depth + 1);
		}
	}
	buf_free(&name);
}

static void
scan(struct shval_run *w, const struct shcmd *c, uint32_t off, uint32_t end,
    int depth)
{
	if (depth > 4)
		return;
	for (size_t i = 0; i < c->nnode && shwalk_step(w); i++) {
		const struct shnode *n = &c->node[i];
		if (n->off < off || n->end > end || n->kind != SH_SIMPLE)
			continue;
		scan_simple(w, c, n, depth);
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
		others |= sig == NULL ||
		    (strcmp(sig, "EXIT") != 0 && strcmp(sig, "0") != 0);
	}
	if (others) {
		shcmd_parse(&c, s, n);
		scan(w, &c, 0, (uint32_t)n, 0);
		shcmd_free(&c);
	}
	return 0;
}
