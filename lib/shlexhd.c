#include <string.h>

#include "mem.h"
#include "shlex.h"
#include "shread.h"

void
shlex_heredoc(struct shlex *lx, const struct shlex_heredoc *hd,
    const char *delim, size_t n)
{
	struct shlex_heredoc *h;

	if (lx->nhd == lx->caphd)
		lx->hd = mem_more(lx->hd, lx->nhd, &lx->caphd, sizeof *lx->hd);
	if (lx->nhd == 0)
		lx->ndelims = 0;
	while (lx->ndelims + n > lx->capdelims)
		lx->delims =
		    mem_more(lx->delims, lx->capdelims, &lx->capdelims, 1);
	h = &lx->hd[lx->nhd++];
	*h = *hd;
	h->delim = (uint32_t)lx->ndelims;
	h->ndelim = (uint32_t)n;
	if (n > 0)
		memcpy(lx->delims + lx->ndelims, delim, n);
	lx->ndelims += n;
}

/*
 * Whether the line at p is the delimiter; *next is where the text goes on.
 * Within $( ) the delimiter may be followed by its parenthesis, as in bash.
 * Tabs that the delimiter itself begins with are not stripped, as in bash.
 */
static int
body_ends(const struct shlex *lx, const struct shlex_heredoc *h, uint32_t p,
    uint32_t *next)
{
	const struct shlex_frame *f = lx->top;
	uint32_t i;

	if (h->dash && (h->ndelim == 0 || lx->delims[h->delim] != '\t'))
		while (lex_at(lx, p) == '\t')
			p++;
	for (i = 0; i < h->ndelim; i++, p++) {
		if (!h->quoted)
			p = lex_skip(lx, p);
		if (p >= lx->end ||
		    lx->s[p] != (unsigned char)lx->delims[h->delim + i])
			return 0;
	}
	*next = p;
	if (!h->quoted)
		p = lex_skip(lx, p);
	if (p == lx->end || lx->s[p] == '\n') {
		*next = p + (p < lx->end);
		return 1;
	}
	return f > lx->stack && f->kind != TOK_BQ && !f->brace &&
	    lex_at(lx, lex_run(lx, p, NL | PAREN)) == ')';
}

/* The start of the line behind the one at p. */
static uint32_t
body_line(const struct shlex *lx, uint32_t p, int joined)
{
	const unsigned char *q;
	uint32_t end, i;

	for (;; p = end + 1) {
		q = p < lx->end ? memchr(lx->s + p, '\n', lx->end - p) : NULL;
		if (q == NULL)
			return lx->end;
		end = (uint32_t)(q - lx->s);
		for (i = end; i > p && lx->s[i - 1] == '\\'; i--)
			;
		if (!joined || (end - i) % 2 == 0)
			return end + 1;
	}
}

static int
body_done(struct shlex *lx)
{
	struct shlex_heredoc *h = &lx->hd[lx->body];

	h->nbodytok = (uint32_t)lx->ntok - h->bodytok;
	if (h->next > lx->pos)
		lex_tok(lx, TOK_HDEND, h->next, lx->top->flags);
	return LX_BODY;
}

int
shlex_body(struct shlex *lx)
{
	struct shlex_frame *f = lx->top;
	uint32_t p = lx->pos, next = lx->end;
	struct shlex_heredoc *h;

	if (f->hd + f->n == lx->nhd) {
		lx->nhd = f->hd;
		f->n = 0;
		f->state = ST_TEXT;
		return LX_MORE;
	}
	lx->body = f->hd + f->n++;
	h = &lx->hd[lx->body];
	while (p < lx->end && !body_ends(lx, h, p, &next))
		p = body_line(lx, p, !h->quoted);
	if (p == lx->end) {
		h->eof = 1;
		next = p;
	}
	h->body = lx->pos;
	h->bodyend = p;
	h->bodytok = (uint32_t)lx->ntok;
	h->next = next;
	if (h->quoted || lx->soft >= SOFT_LIMIT) {
		if (p > lx->pos)
			lex_tok(lx, TOK_HDBODY, p, f->flags);
		return body_done(lx);
	}
	f = shlex_push(lx, M_BODY, lx->pos);
	f->n = (uint32_t)lx->body;
	lx->holder = (uint32_t)(f - lx->stack);
	lx->end = p;
	lx->soft++;
	return LX_MORE;
}

int
shlex_body_end(struct shlex *lx)
{
	lx->body = lx->top->n;
	lx->soft--;
	shlex_pop(lx);
	return body_done(lx);
}

int
shlex_bodies(struct shlex *lx)
{
	if (lx->nhd == lx->top->hd)
		return 0;
	lx->top->state = ST_BODIES;
	return 1;
}
