#include <string.h>

#include "buf.h"
#include "mem.h"
#include "shcmd.h"
#include "shcmdin.h"

enum { MAX_ERRORS = 1000 }; /* more are not worth keeping */

/* --- errors ------------------------------------------------------------- */

static void
error_add(struct parser *p, enum shlex_error what, uint32_t off, uint32_t len)
{
	struct shcmd *c = p->c;
	struct sherror *e;

	if (c->nerror == MAX_ERRORS)
		return;
	if (c->nerror == c->caperror)
		c->error =
		    mem_more(c->error, c->nerror, &c->caperror, sizeof *e);
	e = &c->error[c->nerror++];
	e->what = what;
	e->off = off;
	e->len = len;
}

/* Of what is open at the end only the innermost is reported. */
static void
error_note(struct parser *p, enum shlex_error what, uint32_t off, uint32_t len)
{
	size_t i;

	if (what <= SHLEX_OPEN_COMPOUND) {
		if (p->ended)
			return;
		p->ended = 1;
		if (p->hdeof != 0) {
			what = SHLEX_OPEN_HEREDOC;
			off = p->hdeof - 1;
			len = 2;
		}
	}
	if (what == SHLEX_DEEP)
		for (i = 0; i < p->c->nerror; i++)
			if (p->c->error[i].what == what)
				return;
	error_add(p, what, off, len);
}

uint32_t
error_at(struct parser *p, enum shlex_error what, uint32_t off, uint32_t len)
{
	uint32_t node = p->cur != SH_NONE ? p->cur : p->up;

	p->c->node[node].flags |= SHN_BROKEN;
	if (p->lx.soft == 0)
		error_note(p, what, off, len);
	return SH_NONE;
}

uint32_t
unexpected(struct parser *p, uint32_t node)
{
	if (p->k == LX_END)
		return error_at(
		    p, SHLEX_OPEN_COMPOUND, p->c->node[node].off, 1);
	return error_at(
	    p, SHLEX_UNEXPECTED, p->lx.off, p->lx.lexend - p->lx.off);
}

/* --- lexemes ------------------------------------------------------------ */

/* By length, from[n] is the first one of n bytes. */
static const struct {
	char name[9];
	uint8_t kw;
} keywords[] = { { "!", KW_BANG }, { "{", KW_LBRACE }, { "}", KW_RBRACE },
	{ "[[", KW_LCOND }, { "]]", KW_RCOND }, { "do", KW_DO },
	{ "fi", KW_FI }, { "if", KW_IF }, { "in", KW_IN }, { "for", KW_FOR },
	{ "case", KW_CASE }, { "done", KW_DONE }, { "elif", KW_ELIF },
	{ "else", KW_ELSE }, { "esac", KW_ESAC }, { "then", KW_THEN },
	{ "time", KW_TIME }, { "until", KW_UNTIL }, { "while", KW_WHILE },
	{ "coproc", KW_COPROC }, { "select", KW_SELECT },
	{ "function", KW_FUNCTION } };
static const uint8_t from[] = { 0, 0, 3, 9, 10, 17, 19, 21, 21, 22 };

/* The text of a word that has continuations within; 0 bytes: it is longer. */
static size_t
join(const struct parser *p, const struct shword *w, char *to, size_t max)
{
	const struct shtok *t = &p->lx.tok[w->tok];
	uint32_t i;
	size_t n = 0;

	for (i = 0; i < w->ntok; i++, t++) {
		if (t->kind == TOK_CONT)
			continue;
		if (shtok_len(t) > max - n)
			return 0;
		memcpy(to + n, p->c->text + t->off, shtok_len(t));
		n += shtok_len(t);
	}
	return n;
}

enum keyword
keyword(const struct parser *p, const struct shword *w)
{
	const char *s = p->c->text + w->off;
	size_t i, n = w->end - w->off;
	char joined[8];

	if (w->flags != 0)
		return KW_NONE;
	if (w->ntok > 1) {
		n = join(p, w, joined, sizeof joined);
		s = joined;
	}
	if (n > 8)
		return KW_NONE;
	for (i = from[n]; i < from[n + 1]; i++)
		if (keywords[i].name[0] == *s &&
		    memcmp(keywords[i].name, s, n) == 0)
			return (enum keyword)keywords[i].kw;
	return KW_NONE;
}

/* A here-document's body was read. */
static void
take_body(struct parser *p)
{
	const struct shlex_heredoc *h = &p->lx.hd[p->lx.body];
	struct shredir *r;

	if (h->eof && p->lx.soft == 0) {
		shlex_warn(&p->lx, SHWARN_HDEOF, h->off);
		p->hdeof = h->off + 1;
	}
	if (h->redir == SH_NONE)
		return;
	r = &p->c->redir[h->redir];
	r->body = h->body;
	r->bodyend = h->bodyend;
	r->bodytok = h->bodytok;
	r->nbodytok = h->nbodytok;
	r->bodyquoted = h->quoted;
}

uint32_t
holder(struct parser *p)
{
	const struct shlex_frame *f = &p->lx.stack[p->lx.holder];

	if (p->k == LX_BODY)
		return p->lx.hd[p->lx.body].node;
	if (p->k == LX_SUBST && f->mode == M_BODY)
		return p->lx.hd[f->n].node;
	if (p->cur != SH_NONE)
		return p->cur;
	if (p->k == LX_SUBST)
		p->cur = node_new(
		    p, f->mode == M_ARITH ? SH_ARITH : p->make, p->up, f->off);
	else if (p->k == LX_WORD)
		p->cur = node_new(p, p->make, p->up, p->lx.off);
	else
		return p->up;
	return p->cur;
}

static void
rewind_to(struct parser *p, uint32_t off)
{
	struct shcmd *c = p->c;

	node_forget(p, off);
	while (c->nerror > 0 && c->error[c->nerror - 1].off > off)
		c->nerror--;
}

/* Whether the text ends in a line without a newline: bash adds one, which a
 * lone backslash takes with it. */
static int
lacks_newline(struct parser *p)
{
	const struct shlex *lx = &p->lx;

	if (p->k != LX_END || p->newline || lx->soft != 0 || lx->len == 0)
		return 0;
	p->newline = 1;
	return lx->s[lx->len - 1] != '\n' &&
	    lx->tok[lx->ntok - 1].kind != TOK_LONEBS;
}

/* Reads the next lexeme that is for the grammar. */
void
next(struct parser *p, unsigned ctx)
{
	struct shlex *lx = &p->lx;
	uint32_t node;

	for (;;) {
		p->k = shlex_next(lx, ctx);
		if (lx->broken) {
			node = holder(p);
			p->c->node[node].flags |= SHN_BROKEN;
		}
		if (lx->error.what != SHLEX_OK)
			error_note(
			    p, lx->error.what, lx->error.off, lx->error.len);
		if (p->k == LX_SUBST)
			parse_subst(p);
		else if (p->k == LX_BODY)
			take_body(p);
		else if (p->k == LX_REWIND)
			rewind_to(p, lx->off);
		else
			break;
	}
	if (lacks_newline(p))
		p->k = LX_NEWLINE;
	p->kw = p->k == LX_WORD && (ctx & CTX_COMMAND) != 0
	    ? keyword(p, &lx->word)
	    : KW_NONE;
	p->have = 1;
}

void
take_keyword(struct parser *p)
{
	const struct shword *w = &p->lx.word;
	uint32_t i;

	for (i = w->tok; i < w->tok + w->ntok; i++)
		p->lx.tok[i].flags |= SHTOK_KEYWORD;
	take(p);
}

/* --- words -------------------------------------------------------------- */

int
word_is(const struct parser *p, const struct shword *w, const char *s)
{
	size_t n = strlen(s);

	return w->end - w->off == n && memcmp(p->c->text + w->off, s, n) == 0;
}

void
take_word(struct parser *p)
{
	struct shword *w = &p->lx.word;

	if (p->k != LX_WORD) {
		w->off = p->lx.off;
		w->end = p->lx.lexend;
		w->tok = (uint32_t)p->lx.ntok - 1;
		w->ntok = 1;
		w->flags = 0;
		p->lx.tok[w->tok].kind = TOK_OP;
	}
	if (p->nw == p->capw)
		p->w = mem_more(p->w, p->nw, &p->capw, sizeof *p->w);
	p->w[p->nw++] = *w;
	take(p);
}

struct mark
begin(struct parser *p, uint32_t node)
{
	struct mark m = { p->nw, p->nr, p->up };

	p->cur = node;
	return m;
}

/* Appends n words to those that are read; gives the first one's number. */
static uint32_t
add_words(struct shcmd *c, const struct shword *w, size_t n)
{
	size_t first = c->nword;

	while (c->capword - first < n)
		c->word =
		    mem_more(c->word, c->capword, &c->capword, sizeof *c->word);
	memcpy(c->word + first, w, n * sizeof *w);
	c->nword += n;
	return (uint32_t)first;
}

void
finish_words(struct parser *p, uint32_t node, struct mark m)
{
	struct shnode *n = &p->c->node[node];

	n->nword = (uint32_t)(p->nw - m.w);
	if (n->nword > 0)
		n->word = add_words(p->c, p->w + m.w, n->nword);
	p->nw = m.w;
}

static void
finish_redirs(struct parser *p, uint32_t node, struct mark m)
{
	struct shcmd *c = p->c;
	struct shredir *r;
	size_t i;

	c->node[node].redir = (uint32_t)c->nredir;
	c->node[node].nredir = (uint32_t)(p->nr - m.r);
	for (i = m.r; i < p->nr; i++) {
		if (c->nredir == c->capredir)
			c->redir = mem_more(
			    c->redir, c->nredir, &c->capredir, sizeof *r);
		r = &c->redir[c->nredir];
		*r = p->r[i];
		if (r->op == OP_DLESS || r->op == OP_DLESSDASH) {
			p->lx.hd[r->body].redir = (uint32_t)c->nredir;
			r->body = r->bodyend = r->end;
		}
		c->nredir++;
	}
	p->nr = m.r;
}

uint32_t
finish(struct parser *p, uint32_t node, struct mark m, int ok)
{
	struct shnode *n = &p->c->node[node];

	if (p->nw > m.w)
		finish_words(p, node, m);
	if (p->nr > m.r)
		finish_redirs(p, node, m);
	n->end = p->last > n->off ? p->last : n->off;
	p->cur = SH_NONE;
	p->up = m.up;
	if (ok)
		return node;
	n->flags |= SHN_BROKEN;
	return SH_NONE;
}

/* --- redirections ------------------------------------------------------- */

/* The delimiter that a word stands for: quotes removed, nothing expanded. */
static void
delimiter(const struct parser *p, const struct shword *w, struct buf *b)
{
	const struct shtok *t = p->lx.tok + w->tok, *end = t + w->ntok;
	const char *s;

	for (; t < end; t++) {
		s = p->c->text + t->off;
		if (token_literal(t, s, b) != 0)
			buf_add(b, s, shtok_len(t));
	}
}

/* r->body counts it among those that are pending until its node is read. */
static void
heredoc(struct parser *p, struct shredir *r)
{
	struct shlex_heredoc h;
	struct buf b = { 0 };

	memset(&h, 0, sizeof h);
	h.off = r->off;
	h.redir = SH_NONE;
	h.node = p->cur;
	h.dash = r->op == OP_DLESSDASH;
	h.quoted = (p->lx.word.flags & SHW_QUOTED) != 0;
	delimiter(p, &p->lx.word, &b);
	r->body = (uint32_t)p->lx.nhd;
	shlex_heredoc(&p->lx, &h, b.s, b.len);
	buf_free(&b);
}

int
parse_redir(struct parser *p)
{
	struct shredir r;
	unsigned ctx;

	memset(&r, 0, sizeof r);
	r.off = p->lx.off;
	r.op = p->lx.op;
	r.fd = p->lx.fd;
	ctx = r.op == OP_LESSAMP || r.op == OP_GREATAMP ? CTX_DASH : 0;
	take(p);
	if (peek(p, ctx) != LX_WORD) {
		unexpected(p, p->cur);
		return 0;
	}
	r.end = p->lx.word.end;
	if (r.op == OP_DLESS || r.op == OP_DLESSDASH) {
		node_forget(p, r.off); /* what is in a delimiter is not run */
		heredoc(p, &r);
	}
	r.word = add_words(p->c, &p->lx.word, 1);
	if (p->nr == p->capr)
		p->r = mem_more(p->r, p->nr, &p->capr, sizeof *p->r);
	p->r[p->nr++] = r;
	take(p);
	return 1;
}

int
parse_redirs(struct parser *p, uint32_t node)
{
	unsigned ctx = COMMAND;

	p->cur = node;
	while (peek(p, ctx) == LX_REDIR) {
		if (!parse_redir(p))
			return 0;
		ctx = 0;
	}
	return 1;
}
