#include "shcmd.h"

#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "mem.h"
#include "shread.h"

enum keyword {
	KW_NONE,
	KW_BANG,
	KW_LCOND,
	KW_RCOND,
	KW_LBRACE,
	KW_RBRACE,
	KW_CASE,
	KW_COPROC,
	KW_DO,
	KW_DONE,
	KW_ELIF,
	KW_ELSE,
	KW_ESAC,
	KW_FI,
	KW_FOR,
	KW_FUNCTION,
	KW_IF,
	KW_IN,
	KW_SELECT,
	KW_THEN,
	KW_TIME,
	KW_UNTIL,
	KW_WHILE
};

enum {
	MAX_ERRORS = 1000, /* more are not worth keeping */
	COMMAND = CTX_COMMAND | CTX_ASSIGN
};

struct parser {
	struct shlex lx;
	struct shcmd *c;
	int have; /* k is read but not taken */
	enum shlex_lexeme k;
	enum keyword kw;
	uint32_t last; /* the end of what was taken last */
	uint32_t up; /* the node in which a command would begin */
	uint32_t cur; /* the node whose words are read, SH_NONE: none yet */
	int ended; /* the end was reported as an error */
	enum sh_kind make; /* the kind of a node whose first word is read */
	int paren; /* a ) ends something around */
	uint32_t hdeof; /* a here-document that the end cut off */
	/* words and redirections of unfinished nodes */
	struct shword *w;
	struct shredir *r;
	size_t nw, capw, nr, capr;
	size_t nwrap;
};

/* How much of the unfinished belongs to nodes around. */
struct mark {
	size_t w, r;
	uint32_t cur, up;
};

static uint32_t parse_item(struct parser *);
static void parse_list(struct parser *, uint32_t);
static uint32_t parse_command(struct parser *);

static uint32_t
node_new(struct parser *p, enum sh_kind kind, uint32_t up, uint32_t off)
{
	struct shcmd *c = p->c;
	struct shnode *n;

	if (c->nnode == c->capnode)
		c->node = mem_more(c->node, c->nnode, &c->capnode, sizeof *n);
	n = &c->node[c->nnode];
	memset(n, 0, sizeof *n);
	n->kind = (uint8_t)kind;
	n->off = n->end = off;
	n->parent = up;
	n->child = n->next = SH_NONE;
	return (uint32_t)c->nnode++;
}

/*
 * Puts a node around child, which is the last one of its parent. It stands
 * behind child until shtree_finish; its child is the node it goes before.
 */
static uint32_t
node_wrap(struct parser *p, enum sh_kind kind, uint32_t child)
{
	struct shnode *n = &p->c->node[child];
	uint32_t i = node_new(p, kind, n->parent, n->off);
	struct shnode *w = &p->c->node[i];

	n = &p->c->node[child];
	w->op = n->op;
	w->child = n->child != SH_NONE ? n->child : child;
	n->op = OP_NONE;
	n->parent = i;
	p->nwrap++;
	return i;
}

static void
error_add(struct parser *p, enum shlex_error what, uint32_t off, uint32_t len)
{
	struct shcmd *c = p->c;
	struct sherror *e;

	if (c->nerror == MAX_ERRORS)
		return;
	if (what == SHLEX_DEEP)
		for (e = c->error; e < c->error + c->nerror; e++)
			if (e->what == SHLEX_DEEP)
				return;
	if (c->nerror == c->caperror)
		c->error =
		    mem_more(c->error, c->nerror, &c->caperror, sizeof *e);
	e = &c->error[c->nerror++];
	e->what = what;
	e->off = off;
	e->len = len;
}

static int
at_end(const struct parser *p)
{
	return p->have && p->k == LX_END;
}

/* Notes an error in the node that is being read. */
static void
error_note(struct parser *p, enum shlex_error what, uint32_t off, uint32_t len)
{
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
	error_add(p, what, off, len);
}

static void
broken(struct parser *p)
{
	p->c->node[p->cur != SH_NONE ? p->cur : p->up].flags |= SHN_BROKEN;
}

/* An error of the grammar. Gives SH_NONE. */
static uint32_t
error_at(struct parser *p, enum shlex_error what, uint32_t off, uint32_t len)
{
	broken(p);
	if (p->lx.soft == 0)
		error_note(p, what, off, len);
	return SH_NONE;
}

/* The lexeme just read cannot stand here. */
static uint32_t
unexpected(struct parser *p, uint32_t node)
{
	if (at_end(p))
		return error_at(
		    p, SHLEX_OPEN_COMPOUND, p->c->node[node].off, 1);
	return error_at(
	    p, SHLEX_UNEXPECTED, p->lx.off, p->lx.lexend - p->lx.off);
}

/* Forgets what was made from off on: it will be read again. */
static void
forget(struct parser *p, uint32_t off)
{
	struct shcmd *c = p->c;

	while (c->nnode > 0 && c->node[c->nnode - 1].off >= off) {
		if (c->node[c->nnode - 1].child != SH_NONE)
			p->nwrap--;
		c->nnode--;
	}
	while (c->nword > 0 && c->word[c->nword - 1].off >= off)
		c->nword--;
	while (c->nredir > 0 && c->redir[c->nredir - 1].off >= off)
		c->nredir--;
	while (c->nerror > 0 && c->error[c->nerror - 1].off >= off)
		c->nerror--;
	if (p->cur != SH_NONE && p->cur >= c->nnode)
		p->cur = SH_NONE;
}

/* What a word is as a reserved word. */
static enum keyword
keyword(const struct parser *p, const struct shword *w)
{
	static const struct {
		char name[9];
		uint8_t len, kw;
	} words[] = { { "!", 1, KW_BANG }, { "[[", 2, KW_LCOND },
		{ "]]", 2, KW_RCOND }, { "{", 1, KW_LBRACE },
		{ "}", 1, KW_RBRACE }, { "case", 4, KW_CASE },
		{ "coproc", 6, KW_COPROC }, { "do", 2, KW_DO },
		{ "done", 4, KW_DONE }, { "elif", 4, KW_ELIF },
		{ "else", 4, KW_ELSE }, { "esac", 4, KW_ESAC },
		{ "fi", 2, KW_FI }, { "for", 3, KW_FOR },
		{ "function", 8, KW_FUNCTION }, { "if", 2, KW_IF },
		{ "in", 2, KW_IN }, { "select", 6, KW_SELECT },
		{ "then", 4, KW_THEN }, { "time", 4, KW_TIME },
		{ "until", 5, KW_UNTIL }, { "while", 5, KW_WHILE } };
	const char *s = p->c->text + w->off;
	char joined[16];
	size_t i, n = w->end - w->off;

	if (w->flags != 0 || n > 64 || strchr("![]{}cdefistuw", *s) == NULL)
		return KW_NONE;
	if (w->ntok > 1) {
		for (i = n = 0; i < w->ntok; i++) {
			const struct shtok *t = &p->lx.tok[w->tok + i];

			if (t->kind == TOK_CONT)
				continue;
			if (n + t->len > sizeof joined)
				return KW_NONE;
			memcpy(joined + n, p->c->text + t->off, t->len);
			n += t->len;
		}
		s = joined;
	}
	for (i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].len == n && memcmp(words[i].name, s, n) == 0)
			return (enum keyword)words[i].kw;
	return KW_NONE;
}

static void parse_subst(struct parser *);

static void
read_body(struct parser *p)
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

/* Reads the next lexeme that is for the grammar. */
static void
next(struct parser *p, unsigned ctx)
{
	struct shlex *lx = &p->lx;

	for (;;) {
		p->k = shlex_next(lx, ctx);
		if (lx->error.what != SHLEX_OK) {
			broken(p);
			error_note(
			    p, lx->error.what, lx->error.off, lx->error.len);
		}
		if (p->k == LX_SUBST)
			parse_subst(p);
		else if (p->k == LX_BODY)
			read_body(p);
		else if (p->k == LX_REWIND)
			forget(p, lx->off);
		else
			break;
	}
	p->kw = p->k == LX_WORD && (ctx & CTX_COMMAND) != 0
	    ? keyword(p, &lx->word)
	    : KW_NONE;
	p->have = 1;
}

static inline enum shlex_lexeme
peek(struct parser *p, unsigned ctx)
{
	if (!p->have)
		next(p, ctx);
	return p->k;
}

static inline void
take(struct parser *p)
{
	p->last = p->lx.lexend;
	p->have = 0;
}

static void
take_keyword(struct parser *p)
{
	uint32_t i;

	for (i = 0; i < p->lx.word.ntok; i++)
		p->lx.tok[p->lx.word.tok + i].flags |= SHTOK_KEYWORD;
	take(p);
}

static int
is_op(struct parser *p, unsigned ctx, enum shop op)
{
	return peek(p, ctx) == LX_OP && p->lx.op == op;
}

static int
is_kw(struct parser *p, enum keyword kw)
{
	return peek(p, COMMAND) == LX_WORD && p->kw == kw;
}

static int
want_kw(struct parser *p, uint32_t node, enum keyword kw)
{
	if (!is_kw(p, kw)) {
		unexpected(p, node);
		return 0;
	}
	take_keyword(p);
	return 1;
}

static void
newlines(struct parser *p, unsigned ctx)
{
	while (peek(p, ctx) == LX_NEWLINE)
		take(p);
}

static void
push_word(struct parser *p)
{
	if (p->nw == p->capw)
		p->w = mem_more(p->w, p->nw, &p->capw, sizeof *p->w);
	p->w[p->nw++] = p->lx.word;
}

/* Takes the lexeme, word or operator, as a word of the node. */
static void
take_word(struct parser *p)
{
	if (p->k != LX_WORD) {
		p->lx.word.off = p->lx.off;
		p->lx.word.end = p->lx.lexend;
		p->lx.word.tok = (uint32_t)p->lx.ntok - 1;
		p->lx.word.ntok = 1;
		p->lx.word.flags = 0;
		p->lx.tok[p->lx.ntok - 1].kind = TOK_OP;
	}
	push_word(p);
	take(p);
}

/* Begins the words of a node. */
static struct mark
begin(struct parser *p, uint32_t node)
{
	struct mark m;

	m.w = p->nw;
	m.r = p->nr;
	m.cur = SH_NONE;
	m.up = p->up;
	p->cur = node;
	return m;
}

static void
finish_words(struct parser *p, uint32_t node, struct mark m)
{
	struct shcmd *c = p->c;
	struct shnode *n = &c->node[node];
	size_t i, nw = p->nw - m.w;

	n->word = (uint32_t)c->nword;
	n->nword = (uint32_t)nw;
	for (i = 0; i < nw; i++) {
		if (c->nword == c->capword)
			c->word = mem_more(
			    c->word, c->nword, &c->capword, sizeof *c->word);
		c->word[c->nword++] = p->w[m.w + i];
	}
	p->nw = m.w;
}

static void
finish_redirs(struct parser *p, uint32_t node, struct mark m)
{
	struct shcmd *c = p->c;
	struct shnode *n = &c->node[node];
	size_t i, nr = p->nr - m.r;
	struct shredir *r;

	n->redir = (uint32_t)c->nredir;
	n->nredir = (uint32_t)nr;
	for (i = 0; i < nr; i++) {
		if (c->nredir == c->capredir)
			c->redir = mem_more(c->redir, c->nredir, &c->capredir,
			    sizeof *c->redir);
		r = &c->redir[c->nredir];
		*r = p->r[m.r + i];
		if (r->op == OP_DLESS || r->op == OP_DLESSDASH) {
			p->lx.hd[r->body].redir = (uint32_t)c->nredir;
			r->body = r->bodyend = r->end;
		}
		c->nredir++;
	}
	p->nr = m.r;
}

/* Ends a node: what was collected since begin becomes its own. */
static uint32_t
finish(struct parser *p, uint32_t node, struct mark m, int ok)
{
	if (p->nw > m.w)
		finish_words(p, node, m);
	if (p->nr > m.r)
		finish_redirs(p, node, m);
	p->c->node[node].end = p->last;
	p->cur = SH_NONE;
	p->up = m.up;
	if (ok)
		return node;
	p->c->node[node].flags |= SHN_BROKEN;
	return SH_NONE;
}

/* The delimiter that a word stands for. */
static void
delimiter(const struct parser *p, const struct shword *w, struct buf *b)
{
	const struct shtok *t = p->lx.tok + w->tok;
	const char *s;
	uint32_t i;
	size_t n;

	for (i = 0; i < w->ntok; i++, t++) {
		s = p->c->text + t->off;
		n = t->len;
		switch (t->kind) {
		case TOK_CONT:
		case TOK_DQ: break;
		case TOK_ESC: buf_add(b, s + 1, n - 1); break;
		case TOK_SQ:
			n = shlex_inner(&s, n);
			buf_add(b, s, n);
			break;
		case TOK_DSQ:
			n = shlex_inner(&s, n);
			shlex_dsq(b, s, n);
			break;
		default: buf_add(b, s, n);
		}
	}
}

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

/* A redirection, for the node p->cur. */
static int
parse_redir(struct parser *p)
{
	struct shcmd *c = p->c;
	struct shredir r;

	memset(&r, 0, sizeof r);
	r.off = p->lx.off;
	r.op = p->lx.op;
	r.fd = p->lx.fd;
	take(p);
	if (peek(p, r.op == OP_LESSAMP || r.op == OP_GREATAMP ? CTX_DASH : 0) !=
	    LX_WORD) {
		unexpected(p, p->cur);
		return 0;
	}
	r.end = p->lx.word.end;
	r.word = (uint32_t)c->nword;
	if (c->nword == c->capword)
		c->word =
		    mem_more(c->word, c->nword, &c->capword, sizeof *c->word);
	c->word[c->nword++] = p->lx.word;
	if (r.op == OP_DLESS || r.op == OP_DLESSDASH)
		heredoc(p, &r);
	if (p->nr == p->capr)
		p->r = mem_more(p->r, p->nr, &p->capr, sizeof *p->r);
	p->r[p->nr++] = r;
	take(p);
	return 1;
}

/* The redirections behind a compound command. */
static int
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

static int
word_is(const struct parser *p, const struct shword *w, const char *s)
{
	size_t n = strlen(s);

	return w->end - w->off == n && memcmp(p->c->text + w->off, s, n) == 0;
}

/* Builtins whose arguments are assignments. */
static int
is_declaration(const struct parser *p, const struct shword *w)
{
	static const char *const names[] = { "declare", "typeset", "local",
		"export", "readonly", "alias", "eval", "let" };
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (word_is(p, w, names[i]))
			return 1;
	return 0;
}

/* shopt -s extglob changes how the rest is read. */
static void
watch_shopt(struct parser *p, const struct shword *w, size_t n)
{
	size_t i, on = 0, off = 0, ext = 0;

	if (n < 3 || !word_is(p, w, "shopt"))
		return;
	for (i = 1; i < n; i++) {
		on |= (size_t)word_is(p, &w[i], "-s");
		off |= (size_t)word_is(p, &w[i], "-u");
		ext |= (size_t)word_is(p, &w[i], "extglob");
	}
	if (ext && (on || off))
		p->lx.extglob = (int)on;
}

/* name ( ) BODY, at the first parenthesis, or behind function NAME. */
static uint32_t
parse_function(struct parser *p, uint32_t node, struct mark m)
{
	int ok;

	p->c->node[node].kind = SH_FUNC;
	if (is_op(p, COMMAND, OP_LPAREN)) {
		take(p);
		if (!is_op(p, 0, OP_RPAREN)) {
			unexpected(p, node);
			return finish(p, node, m, 0);
		}
		take(p);
	}
	finish_words(p, node, m);
	p->cur = SH_NONE;
	p->up = node;
	newlines(p, COMMAND);
	if (peek(p, COMMAND) == LX_ARITH || is_op(p, COMMAND, OP_LPAREN) ||
	    p->kw != KW_NONE) {
		ok = parse_command(p) != SH_NONE;
	} else {
		unexpected(p, node);
		ok = 0;
	}
	return finish(p, node, m, ok);
}

static uint32_t
parse_simple(struct parser *p, uint32_t node, struct mark m, unsigned ctx)
{
	struct shnode *n;
	uint32_t nassign = 0;
	size_t nword = p->nw - m.w;
	enum shlex_lexeme k;

	while ((k = peek(p, ctx)) == LX_WORD || k == LX_REDIR) {
		if (k == LX_REDIR) {
			if (!parse_redir(p))
				return finish(p, node, m, 0);
			ctx &= ~(unsigned)CTX_COMMAND;
			continue;
		}
		push_word(p);
		take(p);
		if (nword == 0 && (p->lx.word.flags & SHW_ASSIGN) != 0) {
			nassign++;
			ctx = CTX_ASSIGN;
			continue;
		}
		if (nword++ == 0)
			ctx = is_declaration(p, &p->lx.word) ? CTX_DECL : 0;
	}
	if (k == LX_OP && p->lx.op == OP_LPAREN && nword == 1 && nassign == 0 &&
	    p->nr == m.r)
		return parse_function(p, node, m);
	watch_shopt(p, p->w + m.w, p->nw - m.w);
	n = &p->c->node[node];
	n->nassign = nassign;
	return finish(p, node, m, 1);
}

/* A list that must hold something. */
static int
parse_body(struct parser *p, uint32_t node)
{
	uint32_t list;
	size_t n;

	p->up = node;
	newlines(p, COMMAND);
	list = node_new(p, SH_LIST, node, p->lx.off);
	n = p->c->nnode;
	parse_list(p, list);
	p->up = node;
	if (p->c->nnode == n && !(p->c->node[list].flags & SHN_BROKEN)) {
		unexpected(p, node);
		return 0;
	}
	return 1;
}

static int
parse_if(struct parser *p, uint32_t node)
{
	do {
		take_keyword(p);
		if (!parse_body(p, node) || !want_kw(p, node, KW_THEN) ||
		    !parse_body(p, node))
			return 0;
	} while (is_kw(p, KW_ELIF));
	if (is_kw(p, KW_ELSE)) {
		take_keyword(p);
		if (!parse_body(p, node))
			return 0;
	}
	return want_kw(p, node, KW_FI);
}

static int
parse_while(struct parser *p, uint32_t node)
{
	take_keyword(p);
	return parse_body(p, node) && want_kw(p, node, KW_DO) &&
	    parse_body(p, node) && want_kw(p, node, KW_DONE);
}

/* do LIST done, or { LIST } */
static int
parse_do(struct parser *p, uint32_t node)
{
	enum keyword end = KW_DONE;

	p->up = node;
	p->cur = SH_NONE;
	newlines(p, COMMAND);
	if (is_kw(p, KW_LBRACE)) {
		take_keyword(p);
		end = KW_RBRACE;
	} else if (!want_kw(p, node, KW_DO)) {
		return 0;
	}
	return parse_body(p, node) && want_kw(p, node, end);
}

static int
parse_for(struct parser *p, uint32_t node, struct mark m)
{
	take_keyword(p);
	if (peek(p, CTX_COMMAND) == LX_ARITH) {
		p->c->node[node].kind = SH_ARITHFOR;
		take(p);
		if (is_op(p, COMMAND, OP_SEMI))
			take(p);
		return parse_do(p, node);
	}
	if (p->k != LX_WORD) {
		unexpected(p, node);
		return 0;
	}
	take_word(p);
	newlines(p, COMMAND);
	if (is_op(p, COMMAND, OP_SEMI)) {
		take(p);
		newlines(p, COMMAND);
	} else if (is_kw(p, KW_IN)) {
		p->c->node[node].flags |= SHN_IN;
		take_keyword(p);
		while (peek(p, 0) == LX_WORD)
			take_word(p);
		if (p->k != LX_NEWLINE && !is_op(p, 0, OP_SEMI)) {
			unexpected(p, node);
			return 0;
		}
		take(p);
	}
	finish_words(p, node, m);
	return parse_do(p, node);
}

/* One arm of case, at its first pattern. */
static int
parse_arm(struct parser *p, uint32_t node)
{
	uint32_t arm = p->cur, list;
	struct mark m;
	int ok = 1;

	p->make = SH_SIMPLE;
	if (arm == SH_NONE)
		arm = node_new(p, SH_ARM, node, p->lx.off);
	m = begin(p, arm);
	if (is_op(p, 0, OP_LPAREN))
		take(p);
	for (;;) {
		if (peek(p, 0) != LX_WORD)
			break;
		take_word(p);
		if (!is_op(p, 0, OP_PIPE))
			break;
		take(p);
	}
	if (!is_op(p, 0, OP_RPAREN) || p->nw == m.w) {
		unexpected(p, node);
		return finish(p, arm, m, 0) != SH_NONE;
	}
	take(p);
	finish_words(p, arm, m);
	p->cur = SH_NONE;
	p->up = arm;
	newlines(p, COMMAND);
	list = node_new(p, SH_LIST, arm, p->lx.off);
	parse_list(p, list);
	p->up = arm;
	if (p->k == LX_OP &&
	    (p->lx.op == OP_DSEMI || p->lx.op == OP_SEMIAMP ||
		p->lx.op == OP_DSEMIAMP)) {
		p->c->node[arm].op = p->lx.op;
		take(p);
	} else if (!is_kw(p, KW_ESAC)) {
		unexpected(p, node);
		ok = 0;
	}
	return finish(p, arm, m, ok) != SH_NONE;
}

static int
parse_case(struct parser *p, uint32_t node, struct mark m)
{
	take_keyword(p);
	if (peek(p, 0) != LX_WORD) {
		unexpected(p, node);
		return 0;
	}
	take_word(p);
	newlines(p, COMMAND);
	if (!want_kw(p, node, KW_IN))
		return 0;
	finish_words(p, node, m);
	for (;;) {
		p->up = node;
		p->cur = SH_NONE;
		p->make = SH_ARM;
		newlines(p, CTX_COMMAND);
		if (is_kw(p, KW_ESAC)) {
			p->make = SH_SIMPLE;
			take_keyword(p);
			return 1;
		}
		if (!parse_arm(p, node))
			return 0;
	}
}

static int
parse_coproc(struct parser *p, uint32_t node, struct mark outer)
{
	struct mark m;
	uint32_t simple;
	int compound;

	take_keyword(p);
	p->up = node;
	p->cur = SH_NONE;
	if (peek(p, COMMAND) != LX_WORD || p->kw != KW_NONE)
		return parse_command(p) != SH_NONE;
	simple = p->cur != SH_NONE ? p->cur
				   : node_new(p, SH_SIMPLE, node, p->lx.off);
	m = begin(p, simple);
	if ((p->lx.word.flags & SHW_ASSIGN) != 0)
		return parse_simple(p, simple, m, COMMAND) != SH_NONE;
	take_word(p);
	peek(p, COMMAND);
	compound = p->k == LX_ARITH ||
	    (p->k == LX_OP && p->lx.op == OP_LPAREN) || p->kw != KW_NONE;
	if (!compound || simple + 1 != p->c->nnode)
		return parse_simple(p, simple, m, 0) != SH_NONE;
	p->c->nnode--;
	finish_words(p, node, outer);
	p->cur = SH_NONE;
	return parse_command(p) != SH_NONE;
}

static int parse_or(struct parser *, uint32_t);

static int
cond_unary(const struct parser *p)
{
	const struct shword *w = &p->lx.word;
	const char *s = p->c->text + w->off;

	return w->flags == 0 && w->end - w->off == 2 && s[0] == '-' &&
	    strchr("abcdefghknoprstuvwxzGLNORS", s[1]) != NULL;
}

static int
cond_binary(const struct parser *p)
{
	static const char *const ops[] = { "=", "==", "!=", "=~", "-eq", "-ne",
		"-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef" };
	size_t i;

	if (p->k == LX_REDIR)
		return p->lx.op == OP_LESS || p->lx.op == OP_GREAT;
	if (p->k != LX_WORD)
		return 0;
	for (i = 0; i < sizeof ops / sizeof *ops; i++)
		if (word_is(p, &p->lx.word, ops[i]))
			return 1;
	return 0;
}

static int
cond_end(const struct parser *p)
{
	return p->k == LX_WORD && word_is(p, &p->lx.word, "]]");
}

static int
cond_word(struct parser *p, uint32_t node, unsigned ctx)
{
	if (peek(p, CTX_COND | ctx) != LX_WORD || cond_end(p)) {
		unexpected(p, node);
		return 0;
	}
	take_word(p);
	return 1;
}

static int
parse_term(struct parser *p, uint32_t node)
{
	unsigned ctx;
	int ok;

	for (;;) {
		newlines(p, CTX_COND);
		if (p->k != LX_WORD || !word_is(p, &p->lx.word, "!"))
			break;
		take_word(p);
	}
	if (p->k == LX_OP && p->lx.op == OP_LPAREN) {
		if (!shlex_nest(&p->lx, 1))
			return error_at(p, SHLEX_DEEP, p->lx.off, 1), 0;
		take_word(p);
		ok = parse_or(p, node);
		shlex_nest(&p->lx, -1);
		if (!ok)
			return 0;
		if (!is_op(p, CTX_COND, OP_RPAREN)) {
			unexpected(p, node);
			return 0;
		}
		take_word(p);
		newlines(p, CTX_COND);
		return 1;
	}
	if (p->k == LX_WORD && cond_unary(p)) {
		take_word(p);
		ok = cond_word(p, node, 0);
		newlines(p, CTX_COND);
		return ok;
	}
	if (!cond_word(p, node, 0))
		return 0;
	peek(p, CTX_COND);
	if (!cond_binary(p))
		return 1;
	ctx = p->k == LX_WORD && word_is(p, &p->lx.word, "=~") ? CTX_REGEX : 0;
	take_word(p);
	ok = cond_word(p, node, ctx);
	newlines(p, CTX_COND);
	return ok;
}

static int
parse_and(struct parser *p, uint32_t node)
{
	while (parse_term(p, node)) {
		if (!is_op(p, CTX_COND, OP_ANDIF))
			return 1;
		take_word(p);
	}
	return 0;
}

static int
parse_or(struct parser *p, uint32_t node)
{
	while (parse_and(p, node)) {
		if (!is_op(p, CTX_COND, OP_ORIF))
			return 1;
		take_word(p);
	}
	return 0;
}

static int
parse_cond(struct parser *p, uint32_t node, struct mark m)
{
	take_keyword(p);
	if (!parse_or(p, node))
		return 0;
	if (!cond_end(p)) {
		unexpected(p, node);
		return 0;
	}
	finish_words(p, node, m);
	take_keyword(p);
	return 1;
}

static int
parse_funcword(struct parser *p, uint32_t node, struct mark m)
{
	take_keyword(p);
	if (peek(p, 0) != LX_WORD) {
		unexpected(p, node);
		return 0;
	}
	take_word(p);
	return parse_function(p, node, m) != SH_NONE;
}

static int
parse_paren(struct parser *p, uint32_t node)
{
	int ok, paren = p->paren;

	take(p);
	p->paren = 1;
	ok = parse_body(p, node);
	p->paren = paren;
	if (!ok)
		return 0;
	if (!is_op(p, COMMAND, OP_RPAREN)) {
		unexpected(p, node);
		return 0;
	}
	take(p);
	return 1;
}

static int
parse_group(struct parser *p, uint32_t node)
{
	take_keyword(p);
	return parse_body(p, node) && want_kw(p, node, KW_RBRACE);
}

/* A compound command whose node is there and on whose first lexeme we are. */
static int
parse_compound(struct parser *p, uint32_t node, struct mark m)
{
	switch (p->c->node[node].kind) {
	case SH_SUBSHELL: return parse_paren(p, node);
	case SH_GROUP: return parse_group(p, node);
	case SH_IF: return parse_if(p, node);
	case SH_WHILE:
	case SH_UNTIL: return parse_while(p, node);
	case SH_FOR:
	case SH_SELECT: return parse_for(p, node, m);
	case SH_CASE: return parse_case(p, node, m);
	case SH_COND: return parse_cond(p, node, m);
	case SH_ARITH: take(p); return 1;
	}
	return 0;
}

/* What begins at the lexeme read; SH_KINDS: nothing can. */
static int
command_kind(const struct parser *p)
{
	static const uint8_t kinds[] = { [KW_LCOND] = SH_COND + 1,
		[KW_LBRACE] = SH_GROUP + 1,
		[KW_CASE] = SH_CASE + 1,
		[KW_COPROC] = SH_COPROC + 1,
		[KW_FOR] = SH_FOR + 1,
		[KW_FUNCTION] = SH_FUNC + 1,
		[KW_IF] = SH_IF + 1,
		[KW_SELECT] = SH_SELECT + 1,
		[KW_UNTIL] = SH_UNTIL + 1,
		[KW_WHILE] = SH_WHILE + 1 };

	switch (p->k) {
	case LX_ARITH: return SH_ARITH;
	case LX_REDIR: return SH_SIMPLE;
	case LX_OP: return p->lx.op == OP_LPAREN ? SH_SUBSHELL : -1;
	case LX_WORD:
		if (p->kw == KW_NONE || p->kw == KW_TIME)
			return SH_SIMPLE;
		return kinds[p->kw] - 1;
	default: return -1;
	}
}

/* A command, at its first lexeme. Its node, SH_NONE after an error. */
static uint32_t
parse_command(struct parser *p)
{
	struct mark m;
	uint32_t node = p->cur;
	int kind, ok;

	peek(p, COMMAND);
	kind = command_kind(p);
	if (kind < 0)
		return unexpected(p, p->up);
	if (node == SH_NONE)
		node = node_new(p, (enum sh_kind)kind, p->up, p->lx.off);
	m = begin(p, node);
	if (kind == SH_SIMPLE)
		return parse_simple(p, node, m, COMMAND);
	if (!shlex_nest(&p->lx, 1)) {
		error_at(p, SHLEX_DEEP, p->lx.off, 1);
		return finish(p, node, m, 0);
	}
	if (kind == SH_COPROC)
		ok = parse_coproc(p, node, m);
	else if (kind == SH_FUNC)
		ok = parse_funcword(p, node, m);
	else
		ok = parse_compound(p, node, m) && parse_redirs(p, node);
	shlex_nest(&p->lx, -1);
	return finish(p, node, m, ok);
}

static int
is_text(struct parser *p, const char *s)
{
	return peek(p, COMMAND) == LX_WORD && word_is(p, &p->lx.word, s);
}

/* ! and time before a pipeline. */
static uint32_t
parse_prefix(struct parser *p)
{
	uint32_t node = node_new(p, SH_PIPE, p->up, p->lx.off);
	struct shnode *n = &p->c->node[node];

	p->up = node;
	while (p->kw == KW_BANG || p->kw == KW_TIME) {
		if (p->kw == KW_BANG) {
			n->flags ^= SHN_NEGATED;
			take_keyword(p);
		} else {
			n->flags |= SHN_TIME;
			take_keyword(p);
			if (is_text(p, "-p"))
				take(p);
			if (is_text(p, "--"))
				take(p);
		}
		peek(p, COMMAND);
		n = &p->c->node[node];
	}
	n->end = p->last;
	return node;
}

static int
is_terminator(const struct parser *p)
{
	return p->k == LX_NEWLINE || p->k == LX_END ||
	    (p->k == LX_OP && (p->lx.op == OP_SEMI || p->lx.op == OP_AMP));
}

static uint32_t
parse_pipe(struct parser *p)
{
	uint32_t up = p->up, node = SH_NONE, child;
	enum shop op;

	peek(p, COMMAND);
	if (p->k == LX_WORD && (p->kw == KW_BANG || p->kw == KW_TIME)) {
		node = parse_prefix(p);
		if (is_terminator(p)) {
			p->up = up;
			return node;
		}
	}
	for (op = OP_NONE;;) {
		child = parse_command(p);
		if (child == SH_NONE)
			break;
		p->c->node[child].op = op;
		if (p->k != LX_OP ||
		    (p->lx.op != OP_PIPE && p->lx.op != OP_PIPEAMP))
			break;
		op = p->lx.op;
		if (node == SH_NONE)
			node = node_wrap(p, SH_PIPE, child);
		take(p);
		p->up = node;
		newlines(p, COMMAND);
	}
	p->up = up;
	if (node == SH_NONE)
		return child;
	p->c->node[node].end = p->last;
	return child == SH_NONE ? SH_NONE : node;
}

/* A list's item: pipelines joined by && and || */
static uint32_t
parse_item(struct parser *p)
{
	uint32_t up = p->up, node = SH_NONE, child;
	enum shop op = OP_NONE;

	for (;;) {
		child = parse_pipe(p);
		if (child == SH_NONE)
			break;
		p->c->node[child].op = op;
		if (p->k != LX_OP ||
		    (p->lx.op != OP_ANDIF && p->lx.op != OP_ORIF))
			break;
		op = p->lx.op;
		if (node == SH_NONE)
			node = node_wrap(p, SH_ANDOR, child);
		take(p);
		p->up = node;
		newlines(p, COMMAND);
	}
	p->up = up;
	if (node == SH_NONE)
		return child;
	p->c->node[node].end = p->last;
	return child == SH_NONE ? SH_NONE : node;
}

/* Whether the lexeme read ends a list. */
static int
is_closer(const struct parser *p)
{
	switch (p->k) {
	case LX_END: return 1;
	case LX_OP:
		return p->lx.op == OP_RPAREN || p->lx.op == OP_DSEMI ||
		    p->lx.op == OP_SEMIAMP || p->lx.op == OP_DSEMIAMP;
	case LX_WORD:
		return p->kw == KW_THEN || p->kw == KW_ELSE ||
		    p->kw == KW_ELIF || p->kw == KW_FI || p->kw == KW_DO ||
		    p->kw == KW_DONE || p->kw == KW_ESAC || p->kw == KW_RBRACE;
	default: return 0;
	}
}

/* Reads on after an error, up to the end of the line. */
static void
recover(struct parser *p, uint32_t list)
{
	int open = 0;

	p->cur = list;
	for (;; take(p)) {
		peek(p, 0);
		if (p->k == LX_NEWLINE || p->k == LX_END)
			break;
		if (p->k != LX_OP)
			continue;
		if (p->lx.op == OP_LPAREN)
			open++;
		else if (p->lx.op == OP_RPAREN && open-- == 0 && p->paren)
			break;
	}
	p->cur = SH_NONE;
}

/* Commands up to what cannot be one: the lexeme read. */
static void
parse_list(struct parser *p, uint32_t list)
{
	uint32_t child;
	enum shop op = OP_NONE;

	p->cur = SH_NONE;
	p->up = list;
	for (;;) {
		newlines(p, COMMAND);
		if (is_closer(p))
			break;
		child = parse_item(p);
		p->up = list;
		if (child != SH_NONE)
			p->c->node[child].op = op;
		op = OP_SEMI;
		if (child != SH_NONE && p->k == LX_OP && p->lx.op == OP_AMP) {
			p->c->node[child].flags |= SHN_BACKGROUND;
			take(p);
		} else if (child != SH_NONE && p->k == LX_OP &&
		    p->lx.op == OP_SEMI) {
			take(p);
		} else if (child != SH_NONE &&
		    (p->k == LX_NEWLINE || is_closer(p))) {
			continue;
		} else {
			if (child != SH_NONE)
				unexpected(p, list);
			p->c->node[list].flags |= SHN_BROKEN;
			recover(p, list);
		}
	}
	p->c->node[list].end = p->last;
	if (p->c->node[list].end < p->c->node[list].off)
		p->c->node[list].end = p->c->node[list].off;
}

/* Whether the lexeme read closes the nested command. */
static int
is_closed(const struct parser *p, enum shtok_kind kind, int brace)
{
	if (kind == TOK_BQ)
		return p->k == LX_END;
	if (brace)
		return p->k == LX_WORD && p->kw == KW_RBRACE;
	return p->k == LX_OP && p->lx.op == OP_RPAREN;
}

/* The node that holds the nested command that just opened. */
static uint32_t
subst_parent(struct parser *p)
{
	const struct shlex_frame *f = &p->lx.stack[p->lx.holder];

	if (f->mode == M_BODY)
		return p->lx.hd[f->n].node;
	if (p->cur == SH_NONE)
		p->cur = node_new(
		    p, f->mode == M_ARITH ? SH_ARITH : p->make, p->up, f->off);
	return p->cur;
}

static void
parse_subst(struct parser *p)
{
	uint32_t off = p->lx.off, cur, up = p->up, last = p->last;
	enum shtok_kind kind = p->lx.top->kind;
	enum sh_kind make = p->make;
	int closed, paren = p->paren, brace;
	uint32_t node, list;

	node = node_new(p, SH_SUBST, subst_parent(p), off);
	cur = p->cur;
	brace = kind == TOK_CMD && p->c->text[p->lx.lexend - 1] != '(';
	list = node_new(p, SH_LIST, node, p->lx.lexend);
	p->paren = kind != TOK_BQ && !brace;
	p->make = SH_SIMPLE;
	p->have = 0;
	p->last = p->lx.lexend;
	for (;;) {
		parse_list(p, list);
		closed = is_closed(p, kind, brace);
		if (closed || p->k == LX_END)
			break;
		unexpected(p, list);
		recover(p, list);
	}
	if (kind == TOK_BQ && shlex_bodies(&p->lx))
		next(p, 0);
	p->cur = node;
	if (!closed)
		error_at(p, SHLEX_OPEN_CMD, off, 2);
	p->c->node[node].end = p->lx.lexend;
	shlex_leave(&p->lx, closed);
	if (kind == TOK_BQ)
		p->c->node[node].end = p->lx.pos;
	p->have = 0;
	p->cur = cur;
	p->up = up;
	p->last = last;
	p->make = make;
	p->paren = paren;
}

static enum sh_verdict
verdict(const struct shcmd *c)
{
	if (c->nerror == 0)
		return SH_COMPLETE;
	return c->error[0].what <= SHLEX_OPEN_COMPOUND ? SH_INCOMPLETE
						       : SH_INVALID;
}

void
shcmd_parse(struct shcmd *c, const char *text, size_t len)
{
	struct parser p;
	const char *nul;

	memset(c, 0, sizeof *c);
	memset(&p, 0, sizeof p);
	c->text = text;
	c->len = len;
	p.c = c;
	p.cur = SH_NONE;
	p.make = SH_SIMPLE;
	shlex_init(&p.lx, text, len);
	node_new(&p, SH_LIST, SH_NONE, 0);
	nul = len > 0 ? memchr(text, '\0', len) : NULL;
	if (nul != NULL)
		error_add(&p, SHLEX_NUL, (uint32_t)(nul - text), 1);
	for (;;) {
		parse_list(&p, 0);
		if (p.k == LX_END)
			break;
		unexpected(&p, 0);
		recover(&p, 0);
	}
	if (shlex_bodies(&p.lx))
		next(&p, 0);
	c->node[0].end = (uint32_t)len;
	shlex_end(&p.lx);
	c->tok = p.lx.tok;
	c->ntok = p.lx.ntok;
	c->captok = p.lx.captok;
	c->warning = p.lx.warning;
	c->nwarning = p.lx.nwarning;
	c->capwarning = p.lx.capwarning;
	free(p.w);
	free(p.r);
	shtree_finish(c, p.nwrap);
	c->verdict = verdict(c);
}
