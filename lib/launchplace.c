#include <string.h>

#include "launchin.h"

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
	int n = 0;

	for (size_t i = 0; i < cmd->ntok && cmd->tok[i].off < off; i++) {
		const struct shtok *t = &cmd->tok[i];
		if (t->off + t->len > off || spot_opens(t) == TOK_KINDS)
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
	size_t a = 0, b = cmd->ntok;

	while (b - a > 1) {
		size_t m = a + (b - a) / 2;
		if (cmd->tok[m].off < off)
			a = m;
		else
			b = m;
	}
	return cmd->ntok == 0 ? NULL : &cmd->tok[a];
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
	if (off > t->off && off < t->off + t->len && t->kind == TOK_SQ)
		return spot_level(p, SHQUOTE_SQ);
	if (off > t->off && off < t->off + t->len && t->kind == TOK_DSQ)
		return spot_level(p, SHQUOTE_DSQ);
	if (n == 0 && (t->kind == TOK_HDBODY || (t->flags & SHTOK_QUOTED))) {
		p->inline_only = 1;
		if (!spot_body_quoted(cmd, off))
			return spot_level(p, SHQUOTE_HD);
	}
	if (n > 0 && stack[n - 1] == TOK_DQ)
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

/* --- from a string that is run to where its bytes were written --- */

struct span {
	const struct shpiece *p;
	uint32_t from, to; /* in the text */
};

static uint32_t
span_length(const struct shpiece *p, size_t i)
{
	uint32_t n = 3;

	if (p->why == SHVAL_KNOWN)
		return (uint32_t)p->len;
	for (; i >= 10; i /= 10)
		n++;
	return n;
}

/* The piece that holds the byte before k. */
static size_t
span_before(const struct shval *v, uint32_t k, struct span *s)
{
	uint32_t at = 0;

	for (size_t i = 0; i < v->npiece; i++) {
		uint32_t n = span_length(&v->piece[i], i);
		if (at < k && k <= at + n) {
			*s = (struct span){ &v->piece[i], at, at + n };
			return i;
		}
		at += n;
	}
	return SIZE_MAX;
}

static int
span_same(const struct shpiece *p)
{
	const struct shval_from *f = &p->from;

	return f->source != NULL && p->why == SHVAL_KNOWN &&
	    f->end - f->off == p->len &&
	    memcmp(f->source->cmd->text + f->off, p->s, p->len) == 0;
}

/* A range of a source in which text is put together: a word, or the body of
 * a here-document. */
struct range {
	const struct shval_source *source;
	uint32_t off, end;
	uint32_t inner; /* its end, within closing quotes */
	uint32_t word; /* SH_NONE: a body */
};

/* The end of a word, within its closing quote. */
static uint32_t
range_inner(const struct shcmd *cmd, const struct shword *w)
{
	const struct shtok *t = &cmd->tok[w->tok + w->ntok - 1];

	if ((t->kind == TOK_DQ || t->kind == TOK_ARRAY) &&
	    (t->flags & SHTOK_CLOSE))
		return t->off;
	if (t->kind == TOK_SQ || t->kind == TOK_DSQ)
		return t->off + t->len - 1;
	return w->end;
}

/* The innermost one around the place where a piece was written; 0, or -1. */
static int
range_around(const struct shpiece *p, struct range *r)
{
	const struct shval_source *src = p->from.source;
	uint32_t off = p->from.off;

	if (src == NULL)
		return -1;
	*r = (struct range){ src, 0, UINT32_MAX, 0, SH_NONE };
	for (size_t i = 0; i < src->cmd->nredir; i++) {
		const struct shredir *d = &src->cmd->redir[i];
		if (d->bodyend > d->body && d->body <= off && off < d->bodyend)
			*r = (struct range){ src, d->body, d->bodyend,
				d->bodyend, SH_NONE };
	}
	for (size_t i = 0; i < src->cmd->nword; i++) {
		const struct shword *w = &src->cmd->word[i];
		if (w->off <= off && off < w->end &&
		    w->end - w->off < r->end - r->off)
			*r = (struct range){ src, w->off, w->end,
				range_inner(src->cmd, w), (uint32_t)i };
	}
	return r->end == UINT32_MAX ? -1 : 0;
}

static int
range_has(const struct range *r, const struct shpiece *p)
{
	return p->from.source == r->source && r->off <= p->from.off &&
	    p->from.end <= r->end;
}

/* Does it belong to the words and here-documents of this command? */
static int
range_in_call(const struct range *r, const struct shval_call *c)
{
	const struct shcmd *cmd = c->source->cmd;
	const struct shnode *n = &cmd->node[c->node];

	if (r->source != c->source)
		return 0;
	for (uint32_t i = 0; i < n->nredir; i++)
		if (r->word == SH_NONE &&
		    cmd->redir[n->redir + i].body == r->off)
			return 1;
	return r->word != SH_NONE && r->word >= n->word &&
	    r->word < n->word + n->nword;
}

/* The variable's name that the word assigns to: its length, 0 none. */
static uint32_t
range_name(const struct range *r)
{
	const struct shcmd *cmd = r->source->cmd;
	uint32_t n = 0;

	if (r->word == SH_NONE || !(cmd->word[r->word].flags & SHW_ASSIGN))
		return 0;
	while (
	    r->off + n < r->end && strchr("=+[", cmd->text[r->off + n]) == NULL)
		n++;
	return n;
}

/*
 * The range in which the text was put together: the argument of the call when
 * bytes of the command stand there; else the one in which the command's name
 * or its entry stands, or which adds to the same variable at its end.
 */
static int
range_composing(const struct shval *made, const struct shval_call *call,
    const uint32_t at[3], struct range *out)
{
	struct range r[3];
	int have[3];

	for (int i = 2; i >= 0; i--) {
		struct span s;
		have[i] = span_before(made, at[i], &s) != SIZE_MAX &&
		    range_around(s.p, &r[i]) == 0;
		if (have[i] && range_in_call(&r[i], call)) {
			*out = r[i];
			return 0;
		}
	}
	if (!have[0] && !have[1])
		return -1;
	*out = r[have[0] ? 0 : 1];
	uint32_t n = range_name(out);
	if (have[2] && n != 0 && r[2].source == out->source &&
	    range_name(&r[2]) == n &&
	    memcmp(out->source->cmd->text + out->off,
		out->source->cmd->text + r[2].off, n) == 0)
		*out = r[2];
	return 0;
}

/* Where the place behind byte k of a text is in the range that made it. */
static int
spot_below(const struct shval *made, const struct shval_call *call,
    const uint32_t at[3], struct spot *spot)
{
	struct range r;
	struct span s;

	if (range_composing(made, call, at, &r))
		return -1;
	size_t i = span_before(made, at[2], &s);
	spot->source = r.source;
	spot->call = call;
	if (i != SIZE_MAX && range_has(&r, s.p)) {
		if (span_same(s.p))
			spot->off = s.p->from.off + (at[2] - s.from);
		else if (at[2] == s.to)
			spot->off = s.p->from.end;
		else
			return -1;
		return 0;
	}
	if (i != SIZE_MAX && at[2] != s.to)
		return -1;
	for (i = i == SIZE_MAX ? 0 : i + 1; i < made->npiece; i++)
		if (range_has(&r, &made->piece[i])) {
			spot->off = made->piece[i].from.off;
			return 0;
		}
	spot->off = r.inner;
	return 0;
}

/* --- which commands lead only to launches --- */

static const struct shval_call *
call_above(const struct shval_call *c, const struct launch_text **t)
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

/* Is this one of the calls by which the launch is reached? */
static int
call_leads(const struct launch *x, const struct shval_call *c)
{
	const struct launch_text *t = x->text;
	const struct shval_call *p = x->call;

	for (; p != NULL; p = call_above(p, &t))
		if (p == c)
			return 1;
	return 0;
}

/* How many calls of the node lead to launches; each counts once. */
static size_t
call_launched(const struct launches *l, const struct shcmd *cmd, uint32_t node)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct launch_text *t = l->launch[i].text;
		const struct shval_call *p = l->launch[i].call;
		for (; p != NULL; p = call_above(p, &t)) {
			if (p->source->cmd != cmd || p->node != node)
				continue;
			size_t k = 0;
			while (k < i && !call_leads(&l->launch[k], p))
				k++;
			n += k == i;
		}
	}
	return n;
}

static int
call_only_launches(struct launches *l, const struct shval_call *c)
{
	size_t calls = launch_seen(l, c->source->cmd)->calls[c->node];

	return calls <= 1 || call_launched(l, c->source->cmd, c->node) >= calls;
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
		if (t->kind == TOK_PARAM && t->len == 2 &&
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
	while (!call_only_launches(l, c)) {
		if (c->caller == NULL || !call_passes_on(c))
			return -1;
		c = c->caller;
	}
	struct spot s = { t, c->source, c,
		shcmd_argsend(c->source->cmd, c->node) };
	return spot_climb(l, x, s, p);
}

/* Offsets that tell where the launch stands in the text: behind the first
 * byte of its program and of its entry, and where arguments go. */
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
	if (c == x->call && e->npiece > 0 &&
	    e->piece[0].from.source == s->source)
		at[1] = e->piece[0].from.off + 1;
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
		joined = t->joined;
		t = t->parent;
	}
	if (made == NULL) {
		p->off = s.off;
		return s.source->cmd == l->cmd ? 0 : -1;
	}
	struct spot below = { .text = t };
	uint32_t at[3];
	spot_marks(&s, x, at);
	int bare = p->nlevel == before.nlevel;
	struct launch_place call = *p;
	call.inline_only = before.inline_only;
	if (joined && bare && spot_blank_behind(s.source->cmd, s.off) &&
	    (s.source->made != NULL || spot_below(made, up, at, &below) ||
		below.off == shcmd_argsend(up->source->cmd, up->node)) &&
	    spot_level(&call, SHQUOTE_WORD) == 0 &&
	    spot_behind(l, x, t, up, &call) == 0) {
		*p = call;
		return 0;
	}
	p->inline_only = 1;
	if (spot_below(made, up, at, &below))
		return -1;
	return spot_climb(l, x, below, p);
}

/* --- all launches --- */

static int
place_same(const struct launch *a, const struct launch *b)
{
	return a->nplace == 1 && b->nplace == 1 &&
	    a->place->off == b->place->off;
}

static void
place_one(struct launches *l, struct launch *x)
{
	struct launch_place *p = arena_alloc(&l->arena, sizeof *p);
	const struct shval_source *s = x->call->source;

	*p = (struct launch_place){ 0 };
	if (x->problem != LAUNCH_NOT_SAFE &&
	    spot_behind(l, x, x->text, x->call, p) == 0) {
		x->place = p;
		x->nplace = 1;
		return;
	}
	if (x->problem != LAUNCH_FINE)
		return;
	int sourced = x->text == NULL && s->made == NULL && s->cmd != l->cmd;
	x->problem = sourced ? LAUNCH_SOURCED : LAUNCH_NOT_SAFE;
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
	kept = 0;
	for (size_t i = 0; i < l->n; i++)
		place_one(l, &l->launch[i]);
	for (size_t i = 0; i < l->n; i++) {
		size_t k = 0;
		while (k < kept && !place_same(&l->launch[k], &l->launch[i]))
			k++;
		if (k < kept)
			l->launch[k].dead &= l->launch[i].dead;
		else
			l->launch[kept++] = l->launch[i];
	}
	l->n = kept;
}
