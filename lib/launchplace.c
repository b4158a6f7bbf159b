#include <string.h>

#include "launchin.h"
#include "mem.h"

/* A spot in one of the texts that lead to a launch. */
struct spot {
	const struct launch_text *text; /* NULL: the script's walk */
	const struct shval_source *source;
	const struct shval_call *call; /* whose command the spot is in */
	uint32_t off;
};

static int spot_climb(struct launches *, const struct launch *, struct spot,
    struct launch_place *);

static int
spot_level(struct launch_place *p, enum shquote_place level)
{
	if (p->nlevel == LAUNCH_LEVELS)
		return -1;
	p->level[p->nlevel++] = level;
	p->inline_only = 1;
	return 0;
}

static uint8_t
spot_opens(const struct shtok *t)
{
	switch (t->kind) {
	case TOK_DQ:
	case TOK_BRACE:
	case TOK_SUB:
	case TOK_CMD:
	case TOK_BQ:
	case TOK_ARITH:
	case TOK_PROC:
	case TOK_ARRAY:
	case TOK_GROUP: return t->kind;
	default: return TOK_KINDS;
	}
}

/* The pairs that are open at an offset, outermost first. */
static int
spot_stack(const struct shcmd *cmd, uint32_t off, uint8_t *stack, int max)
{
	uint32_t own = shcmd_own(cmd, off);
	uint32_t i = own == SH_NONE ? 0 : shcmd_token(cmd, cmd->node[own].off);
	int n = 0;

	for (; i < cmd->ntok && cmd->tok[i].off < off; i++) {
		const struct shtok *t = &cmd->tok[i];
		if (shtok_end(t) > off || spot_opens(t) == TOK_KINDS)
			continue;
		if (t->flags & SHTOK_CLOSE)
			n -= n > 0;
		else if (n == max)
			return -1;
		else
			stack[n++] = t->kind;
	}
	return n;
}

/* The token that holds the byte before an offset. */
static const struct shtok *
spot_token(const struct shcmd *cmd, uint32_t off)
{
	uint32_t i = shcmd_token(cmd, off);

	return cmd->ntok == 0 ? NULL : &cmd->tok[i - (i > 0)];
}

static int
spot_body_quoted(const struct shcmd *cmd, uint32_t off)
{
	for (size_t i = 0; i < cmd->nredir; i++) {
		const struct shredir *r = &cmd->redir[i];
		if ((r->op == OP_DLESS || r->op == OP_DLESSDASH) &&
		    r->body <= off && off <= r->bodyend)
			return r->bodyquoted;
	}
	return 0;
}

/* Adds the quotes around an offset to the place; -1: no safe place. */
static int
spot_quotes(const struct shcmd *cmd, uint32_t off, struct launch_place *p)
{
	uint8_t stack[64];
	int n = spot_stack(cmd, off, stack, 64), bad = 0;
	const struct shtok *t = spot_token(cmd, off);

	if (n < 0 || t == NULL)
		return -1;
	int within = off > t->off && off < shtok_end(t);
	if (n == 0 && (t->kind == TOK_HDBODY || (t->flags & SHTOK_QUOTED))) {
		p->inline_only = 1;
		if (!spot_body_quoted(cmd, off))
			return spot_level(p, SHQUOTE_HD);
	}
	if (within && t->kind == TOK_SQ)
		bad |= spot_level(p, SHQUOTE_SQ);
	else if (within && t->kind == TOK_DSQ)
		bad |= spot_level(p, SHQUOTE_DSQ);
	else if (n > 0 && stack[n - 1] == TOK_DQ)
		bad |= spot_level(p, SHQUOTE_DQ);
	else if (n > 0 && stack[n - 1] == TOK_ARRAY)
		p->inline_only = 1;
	else if (n > 0 && stack[n - 1] != TOK_CMD && stack[n - 1] != TOK_PROC &&
	    stack[n - 1] != TOK_BQ)
		return -1;
	while (n-- > 0)
		if (stack[n] == TOK_BQ)
			bad |= spot_level(p, SHQUOTE_BQ);
	return bad;
}

/* --- which commands lead only to launches --- */

const struct shval_call *
launch_above(const struct shval_call *c, const struct launch_text **t)
{
	if (c->caller != NULL)
		return c->caller;
	if (c->source->call != NULL)
		return c->source->call;
	if (*t == NULL)
		return NULL;
	const struct launch_text *text = *t;
	*t = text->parent;
	return text->call;
}

/* Calls, each once: an open hash with room. */
struct calls {
	const struct shval_call **slot;
	size_t n, size; /* a power of two */
};

static void
calls_put(struct calls *s, const struct shval_call *c)
{
	size_t i = (size_t)((uintptr_t)c / sizeof *c) & (s->size - 1);

	while (s->slot[i] != NULL)
		i = (i + 1) & (s->size - 1);
	s->slot[i] = c;
}

static void
calls_grow(struct calls *s)
{
	struct calls more = { .size = s->size == 0 ? 64 : s->size * 4 };

	more.slot = mem_zero(more.size, sizeof *more.slot);
	for (size_t i = 0; i < s->size; i++)
		if (s->slot[i] != NULL)
			calls_put(&more, s->slot[i]);
	mem_free(s->slot);
	s->slot = more.slot;
	s->size = more.size;
}

/* 0 when it was there before. */
static int
calls_add(struct calls *s, const struct shval_call *c)
{
	if (2 * s->n >= s->size)
		calls_grow(s);
	for (size_t i = (size_t)((uintptr_t)c / sizeof *c) & (s->size - 1);
	     s->slot[i] != NULL; i = (i + 1) & (s->size - 1))
		if (s->slot[i] == c)
			return 0;
	calls_put(s, c);
	s->n++;
	return 1;
}

/* Counts for each command how many of its calls lead to launches. */
static void
call_count(struct launches *l)
{
	struct calls seen = { 0 };

	for (size_t i = 0; i < l->n; i++) {
		const struct launch_text *t = l->launch[i].text;
		const struct shval_call *p = l->launch[i].call;
		for (; p != NULL && calls_add(&seen, p);
		     p = launch_above(p, &t))
			launch_seen(l, p->source->cmd)->leads[p->node]++;
	}
	mem_free(seen.slot);
}

static int
call_only_launches(struct launches *l, const struct shval_call *c)
{
	const struct launch_seen *s = launch_seen(l, c->source->cmd);

	return s->leads[c->node] >= s->calls[c->node];
}

/* Does it stand in a file that is sourced? */
static int
call_foreign(const struct launches *l, const struct launch_text *t,
    const struct shval_call *c)
{
	return c->source->made == NULL &&
	    c->source->cmd != (t == NULL ? l->cmd : &t->cmd);
}

/* Does the command's last argument stand for the function's arguments? */
static int
call_passes_on(const struct shval_call *c)
{
	const struct shcmd *cmd = c->source->cmd;
	const struct shnode *n = &cmd->node[c->node];

	if (n->nword == 0)
		return 0;
	const struct shword *w = &cmd->word[n->word + n->nword - 1];
	for (uint32_t i = 0; i < w->ntok; i++) {
		const struct shtok *t = &cmd->tok[w->tok + i];
		if (t->kind == TOK_PARAM && shtok_len(t) == 2 &&
		    (cmd->text[t->off + 1] == '@' ||
			cmd->text[t->off + 1] == '*'))
			return 1;
	}
	return 0;
}

/* --- upwards to the script --- */

static int
spot_blank_behind(const struct shcmd *cmd, uint32_t off)
{
	for (; off < cmd->len; off++)
		if (cmd->text[off] != ' ' && cmd->text[off] != '\t')
			return 0;
	return 1;
}

/* Behind the words of a command, where that changes no other command. */
static int
spot_behind(struct launches *l, const struct launch *x,
    const struct launch_text *t, const struct shval_call *c,
    struct launch_place *p)
{
	while (!call_only_launches(l, c) || call_foreign(l, t, c)) {
		if (c->caller == NULL || !call_passes_on(c)) {
			l->foreign = call_foreign(l, t, c) ? c->source : NULL;
			return -1;
		}
		c = c->caller;
	}
	struct spot s = { t, c->source, c,
		shcmd_argsend(c->source->cmd, c->node) };
	return spot_climb(l, x, s, p);
}

/* Offsets that tell where the launch stands in the text: behind the first
 * byte of its program and of what is known of its entry, and where arguments
 * go. */
static void
spot_marks(const struct spot *s, const struct launch *x, uint32_t at[3])
{
	const struct shval_call *c = s->call;
	const struct shcmd *cmd = s->source->cmd;
	const struct shnode *n = &cmd->node[c->node];

	at[0] = at[1] = n->off + 1;
	if (n->nword > n->nassign)
		at[0] = at[1] = cmd->word[n->word + n->nassign].off + 1;
	const struct shval *e = &x->argv[x->entry];
	for (size_t i = 0; c == x->call && i < e->npiece; i++)
		if (e->piece[i].from.source == s->source) {
			at[1] = e->piece[i].from.off + 1;
			break;
		}
	at[2] = s->off;
}

static int
spot_climb(struct launches *l, const struct launch *x, struct spot s,
    struct launch_place *p)
{
	const struct launch_text *t = s.text;
	const struct shval_call *up = s.source->call;
	const struct shval *made = s.source->made;
	struct launch_place before = *p;
	int joined = 1;

	if (spot_quotes(s.source->cmd, s.off, p))
		return -1;
	if (made == NULL && t != NULL && s.source->cmd == &t->cmd) {
		made = t->made;
		up = t->call;
		joined = t->how == TEXT_JOINED;
		t = t->parent;
	}
	if (made == NULL) {
		p->off = s.off;
		l->foreign = s.source->cmd == l->cmd ? NULL : s.source;
		return l->foreign == NULL ? 0 : -1;
	}
	struct spot below = { .text = t, .call = up };
	uint32_t at[3];
	spot_marks(&s, x, at);
	int bare = p->nlevel == before.nlevel;
	struct launch_place call = *p;
	call.inline_only = before.inline_only;
	if (l->way != LAUNCH_INNER && joined && bare &&
	    spot_blank_behind(s.source->cmd, s.off) &&
	    (s.source->made != NULL ||
		launch_below(made, up, at, l->way, &below.source, &below.off) ||
		below.off == shcmd_argsend(up->source->cmd, up->node)) &&
	    spot_level(&call, SHQUOTE_WORD) == 0 &&
	    spot_behind(l, x, t, up, &call) == 0) {
		*p = call;
		return 0;
	}
	p->inline_only = 1;
	if (launch_below(made, up, at, l->way, &below.source, &below.off))
		return -1;
	return spot_climb(l, x, below, p);
}

/* --- all launches --- */

static void
place_one(struct launches *l, struct launch *x)
{
	struct launch_place *p = arena_alloc(&l->arena, sizeof *p);

	l->foreign = NULL;
	*p = (struct launch_place){ 0 };
	if (x->problem != LAUNCH_UNSURE &&
	    spot_behind(l, x, x->text, x->call, p) == 0) {
		x->place = p;
		x->nplace = 1;
		return;
	}
	if (x->problem != LAUNCH_FINE)
		return;
	x->problem = l->foreign != NULL ? LAUNCH_SOURCED : LAUNCH_NOT_SAFE;
	if (l->foreign != NULL)
		x->sourced = l->foreign->path;
}

static void
place_again(struct launches *l, struct launch *x, const struct launch *other)
{
	struct launch *again = arena_alloc(&l->arena, sizeof *again);

	*again = *other;
	again->again = x->again;
	x->again = again;
	x->dead &= other->dead;
}

/* Of several launches at one place the first is kept; it does not run when
 * none of them does. next chains the launches whose places share a slot. */
static void
place_merge(struct launches *l)
{
	enum { NONE = 0 };
	size_t slots = l->n | 1, kept = 0;
	size_t *slot = mem_zero(slots, sizeof *slot);
	size_t *next = mem_zero(slots, sizeof *next);

	for (size_t i = 0; i < l->n; i++) {
		struct launch x = l->launch[i];
		size_t *at = &slot[x.nplace == 1 ? x.place->off % slots : 0];
		size_t k = x.nplace == 1 ? *at : NONE;
		while (k != NONE &&
		    (l->launch[k - 1].nplace != 1 ||
			l->launch[k - 1].place->off != x.place->off))
			k = next[k - 1];
		if (k != NONE) {
			place_again(l, &l->launch[k - 1], &x);
			continue;
		}
		next[kept] = *at;
		l->launch[kept++] = x;
		*at = kept;
	}
	l->n = kept;
	mem_free(slot);
	mem_free(next);
}

void
launch_places(struct launches *l)
{
	size_t kept = 0;

	/* A function may be called like a launcher. */
	for (size_t i = 0; i < l->n; i++)
		if (l->launch[i].call->function == NULL)
			l->launch[kept++] = l->launch[i];
	l->n = kept;
	call_count(l);
	for (size_t i = 0; i < l->n; i++)
		place_one(l, &l->launch[i]);
	place_merge(l);
}
