#include <string.h>

#include "launchin.h"

/*
 * From a string that is run down to where its bytes were written.
 */

struct span {
	const struct shpiece *p;
	uint32_t from, to; /* in the text */
};

static uint32_t
span_length(const struct shpiece *p, size_t i)
{
	uint32_t n = 4; /* the marks and one digit */

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

/* From a byte of a text to where it was written; 0, or -1. */
static int
span_written(const struct shval *made, struct shval_from *f)
{
	struct span s;
	size_t i = span_before(made, f->off + 1, &s);

	if (i == SIZE_MAX || !span_same(s.p))
		return -1;
	uint32_t off = s.p->from.off + (f->off - s.from);
	for (size_t k = 0; k < made->npiece; k++) {
		const struct shval_from *p = &made->piece[k].from;
		if (k != i && p->source == s.p->from.source && p->off <= off &&
		    off < p->end)
			return -1;
	}
	*f = (struct shval_from){ s.p->from.source, off, off };
	return 0;
}

int
launch_origin(const struct launch *x, const struct shval *v, uint32_t *off)
{
	const struct launch_text *t = x->text;
	size_t i = 0;

	while (i < v->npiece && v->piece[i].len == 0)
		i++;
	if (i == v->npiece)
		return -1;
	struct shval_from f = v->piece[i].from;
	while (f.source != NULL && f.source->cmd != x->launches->cmd) {
		const struct shval *made = f.source->made;
		while (made == NULL && t != NULL) {
			if (f.source->cmd == &t->cmd)
				made = t->made;
			t = t->parent;
		}
		if (made == NULL || span_written(made, &f))
			return -1;
	}
	*off = f.off;
	return f.source == NULL ? -1 : 0;
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
		return shtok_end(t) - 1;
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

/* Is it made of other words, or added to one? */
static int
range_expands(const struct range *r)
{
	const struct shcmd *cmd = r->source->cmd;

	if (r->word == SH_NONE)
		return 1;
	const struct shword *w = &cmd->word[r->word];
	if (w->flags & SHW_ASSIGN) {
		const char *s =
		    memchr(cmd->text + w->off, '=', w->end - w->off);
		if (s != NULL && s > cmd->text + w->off && s[-1] == '+')
			return 1;
	}
	for (uint32_t i = 0; i < w->ntok; i++) {
		uint8_t kind = cmd->tok[w->tok + i].kind;
		if (kind == TOK_PARAM || kind == TOK_BRACE || kind == TOK_CMD ||
		    kind == TOK_BQ)
			return 1;
	}
	return 0;
}

/* The argument of the call in which bytes of the text stand from byte k on;
 * or, with outer, the one that is expanded to all of it. */
static int
range_of_call(const struct shval *made, const struct shval_call *call,
    uint32_t k, uint32_t end, int outer, struct range *out)
{
	const struct shcmd *cmd = call->source->cmd;
	const struct shnode *n = &cmd->node[call->node];
	uint32_t at = 0;
	struct range r;
	int found = 0;

	for (size_t i = 0; i < made->npiece && at < end; i++) {
		const struct shpiece *p = &made->piece[i];
		at += span_length(p, i);
		if (at >= k && range_around(p, &r) == 0 &&
		    range_in_call(&r, call)) {
			*out = r;
			found = 1;
		}
	}
	if (found)
		return 1;
	for (uint32_t i = n->nword; outer && i-- > n->nassign;) {
		const struct shword *w = &cmd->word[n->word + i];
		*out = (struct range){ call->source, w->off, w->end,
			range_inner(cmd, w), n->word + i };
		if (range_expands(out))
			return 1;
	}
	return 0;
}

/*
 * The range in which the text was put together: the argument of the call when
 * bytes of the command stand there; else, of those that bytes of the command
 * come from, the last one that is made of others.
 */
static int
range_composing(const struct shval *made, const struct shval_call *call,
    const uint32_t at[3], enum launch_way way, struct range *out)
{
	struct range r;
	struct span s;
	uint32_t k = 0;
	int have = 0, outer = way == LAUNCH_OUTER;

	if (way == LAUNCH_INNER && span_before(made, at[2], &s) != SIZE_MAX &&
	    range_around(s.p, out) == 0)
		return 0;
	if (range_of_call(made, call, outer ? 0 : at[0],
		outer ? UINT32_MAX : at[2], outer, out))
		return 0;
	for (size_t i = 0; i < made->npiece && k < at[2]; i++) {
		const struct shpiece *p = &made->piece[i];
		k += span_length(p, i);
		if (k < at[0] || range_around(p, &r))
			continue;
		int expands = 1 + range_expands(&r);
		if (expands > have ||
		    (expands == have && r.source == out->source &&
			r.off > out->off)) {
			*out = r;
			have = expands;
		}
	}
	return have != 0 ? 0 : -1;
}

/* Where the next byte that is no blank was written, from byte k of the text
 * on; in piece i or behind it. */
static uint32_t
range_next(const struct range *r, const struct shval_call *call,
    const struct shval *made, size_t i, uint32_t from, uint32_t k)
{
	struct range other;

	for (; i < made->npiece; i++) {
		const struct shpiece *p = &made->piece[i];
		uint32_t n = span_length(p, i), at = k > from ? k - from : 0;
		if (p->why == SHVAL_KNOWN)
			while (at < n && (p->s[at] == ' ' || p->s[at] == '\t'))
				at++;
		if (at < n && !range_has(r, p))
			return range_around(p, &other) == 0 &&
				range_in_call(&other, call) &&
				!range_in_call(r, call)
			    ? r->inner
			    : 0;
		if (at < n)
			return span_same(p) ? p->from.off + at : p->from.off;
		from += n;
	}
	return r->inner;
}

/*
 * Behind expansions that stand between an offset and the next byte of the
 * text: they give nothing here, but may give arguments where it runs.
 */
static uint32_t
range_past(const struct range *r, uint32_t off, uint32_t next)
{
	const struct shcmd *c = r->source->cmd;
	uint32_t past = off;

	for (size_t i = 0; i < c->ntok && c->tok[i].off < next; i++) {
		const struct shtok *t = &c->tok[i];
		uint32_t end = shtok_end(t);
		int closes = t->kind == TOK_PARAM ||
		    ((t->flags & SHTOK_CLOSE) &&
			(t->kind == TOK_BRACE || t->kind == TOK_CMD ||
			    t->kind == TOK_BQ || t->kind == TOK_ARITH));
		if (closes && t->off >= off && end <= next)
			past = end;
	}
	return past;
}

/* Quotes that open at an offset within a word: text goes into them. */
static uint32_t
range_into(const struct range *r, uint32_t off)
{
	const struct shcmd *cmd = r->source->cmd;
	uint32_t i = shcmd_token(cmd, off);

	if (r->word == SH_NONE || off <= r->off || off >= r->end ||
	    i == cmd->ntok || cmd->tok[i].off != off)
		return off;
	const struct shtok *t = &cmd->tok[i];
	if (t->kind == TOK_DQ && !(t->flags & SHTOK_CLOSE))
		return off + shtok_len(t);
	return off + (t->kind == TOK_SQ ? 1 : t->kind == TOK_DSQ ? 2 : 0);
}

static int
range_below(const struct shval *made, const struct shval_call *call,
    const uint32_t at[3], enum launch_way way, struct range *range,
    uint32_t *off)
{
	struct range r;
	struct span s;

	if (range_composing(made, call, at, way, &r))
		return -1;
	size_t i = span_before(made, at[2], &s);
	*range = r;
	if (i != SIZE_MAX && range_has(&r, s.p)) {
		if (span_same(s.p))
			*off = s.p->from.off + (at[2] - s.from);
		else if (at[2] == s.to)
			*off = s.p->from.end;
		else
			return -1;
		*off = range_past(
		    &r, *off, range_next(&r, call, made, i, s.from, at[2]));
		return 0;
	}
	for (uint32_t k = at[2]; i != SIZE_MAX && k < s.to; k++)
		if (s.p->why != SHVAL_KNOWN ||
		    strchr(" \t", s.p->s[k - s.from]) == NULL)
			return -1;
	uint32_t from = i == SIZE_MAX ? 0 : s.to;
	*off =
	    range_next(&r, call, made, i == SIZE_MAX ? 0 : i + 1, from, from);
	if (*off == 0)
		*off = r.inner;
	for (i = i == SIZE_MAX ? 0 : i + 1; i < made->npiece; i++)
		if (range_has(&r, &made->piece[i])) {
			*off = range_past(&r, made->piece[i].from.off, *off);
			return 0;
		}
	return 0;
}

int
launch_below(const struct shval *made, const struct shval_call *call,
    const uint32_t at[3], enum launch_way way,
    const struct shval_source **source, uint32_t *off)
{
	struct range r;

	if (range_below(made, call, at, way, &r, off))
		return -1;
	*source = r.source;
	*off = range_into(&r, *off);
	return 0;
}
