#include <string.h>

#include "shwalk.h"

/* The command's literal name may be a function, or an alias. */
static int
redefined(struct shval_run *w, const struct shnode *n)
{
	const struct shcmd *c = w->src->cmd;
	const struct shword *x = &c->word[n->word];
	const struct shslot *slot =
	    shslot_get(w, c->text + x->off, x->end - x->off);

	return w->functions || slot->alias || slot->func.now != NULL;
}

/* export NAME=bytes ...: done without making a call of it. 0: it is not that
 * plain. */
static int
export_plain(struct shval_run *w, const struct shnode *n)
{
	const struct shcmd *c = w->src->cmd;
	const struct shword *x;
	struct shassign a;

	if (n->nassign > 0 || n->nredir > 0 || w->out != NULL || n->nword < 2)
		return 0;
	x = &c->word[n->word];
	if (x->flags != 0 || x->end - x->off != 6 ||
	    memcmp(c->text + x->off, "export", 6) != 0)
		return 0;
	for (uint32_t i = 1; i < n->nword; i++) {
		if ((x[i].flags & (SHW_EXPAND | SHW_ARRAY)) ||
		    !(x[i].flags & SHW_ASSIGN))
			return 0;
	}
	if (redefined(w, n))
		return 0;
	for (uint32_t i = 1; i < n->nword; i++) {
		if (!shassign_read(w, n->word + i, &a))
			continue;
		shassign_run(w, n->word + i);
		shvar_flag(w, a.name, a.len, VAR_EXPORT, 0);
	}
	return 1;
}

/* Commands that keep nothing of their words: LOOKS, they look at them. */
enum { LASTS, LOOKS, PRINTS };

static int
passes(const struct shcmd *c, const struct shnode *n)
{
	static const struct {
		const char *name;
		int how;
	} names[] = { { "echo", PRINTS }, { ":", PRINTS }, { "true", PRINTS },
		{ "[", LOOKS }, { "test", LOOKS }, { "false", LOOKS } };
	const struct shword *x = &c->word[n->word];
	size_t len = x->end - x->off;

	if (n->nassign > 0 || n->nredir > 0 || x->flags != 0 ||
	    c->node[n->parent].kind == SH_PIPE)
		return LASTS;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i].name) == len &&
		    memcmp(names[i].name, c->text + x->off, len) == 0)
			return names[i].how;
	}
	return LASTS;
}

/* Nothing comes of expanding these words, whatever they hold. */
static int
inert(struct shval_run *w, const struct shnode *n)
{
	const struct shcmd *c = w->src->cmd;
	const struct shopts *o = w->opts.now;
	const struct shword *x = &c->word[n->word];
	const struct shword *last = x + n->nword - 1;

	if ((o->on | o->vague) & OPT_NOUNSET)
		return 0;
	for (uint32_t i = x->tok; i < last->tok + last->ntok; i++) {
		switch (c->tok[i].kind) {
		case TOK_BLANK:
		case TOK_CONT:
		case TOK_LIT:
		case TOK_ESC:
		case TOK_SQ:
		case TOK_DSQ:
		case TOK_DQ:
		case TOK_PARAM: break;
		default: return 0;
		}
	}
	return 1;
}

/* Runs one of them without making a call of it that lasts. */
static int
pass(struct shval_run *w, uint32_t node, int how)
{
	const struct shnode *n = &w->src->cmd->node[node];
	size_t base = w->nword, len;
	int status, found;

	if (how == PRINTS && inert(w, n))
		return 0;
	shwalk_words(w, n);
	if (w->limited) {
		w->nword = base;
		return ST_UNKNOWN;
	}
	struct shval_call call = { .source = w->src,
		.node = node,
		.argc = w->nword - base,
		.argv = w->word + base,
		.argword = w->wordof + base,
		.cwd = w->cwd.now,
		.caller = w->call,
		.run = w };
	const char *name = shval_cstr(w, &call.argv[0], &len);
	status = shbuiltin_run(w, &call, call.argv, call.argc, name, &found);
	w->nword = base;
	return status;
}

int
shbrief_run(struct shval_run *w, uint32_t node, int *status)
{
	const struct shcmd *c = w->src->cmd;
	const struct shnode *n = &c->node[node];

	*status = 0;
	if (export_plain(w, n))
		return 1;
	int how = w->out == NULL ? passes(c, n) : LASTS;
	if (how == LASTS || redefined(w, n))
		return 0;
	*status = pass(w, node, how);
	return 1;
}
