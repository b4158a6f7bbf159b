#include "shcmd.h"

#include <string.h>

#include "mem.h"
#include "shcmdin.h"

/* What begins at the lexeme read; -1: nothing can. */
int
command_kind(const struct parser *p)
{
	static const uint8_t kinds[] = { /* one more, 0 is none */
		[KW_LCOND] = SH_COND + 1,
		[KW_LBRACE] = SH_GROUP + 1,
		[KW_CASE] = SH_CASE + 1,
		[KW_COPROC] = SH_COPROC + 1,
		[KW_FOR] = SH_FOR + 1,
		[KW_FUNCTION] = SH_FUNC + 1,
		[KW_IF] = SH_IF + 1,
		[KW_SELECT] = SH_SELECT + 1,
		[KW_UNTIL] = SH_UNTIL + 1,
		[KW_WHILE] = SH_WHILE + 1
	};

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

uint32_t
parse_command(struct parser *p)
{
	uint32_t node = p->cur;
	struct mark m;
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
	if (!shlex_deeper(&p->lx)) {
		error_at(p, SHLEX_DEEP, p->lx.off, 1);
		return finish(p, node, m, 0);
	}
	ok = parse_compound(p, node, m);
	if (ok && kind != SH_FUNC && kind != SH_COPROC)
		ok = parse_redirs(p, node);
	shlex_higher(&p->lx);
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
at_terminator(const struct parser *p)
{
	return p->k == LX_NEWLINE || p->k == LX_END || at_op(p, OP_SEMI) ||
	    at_op(p, OP_AMP);
}

/*
 * What inner reads, joined by one of two operators: the one child, or a node
 * of that kind around several. node, unless SH_NONE, is there already.
 */
static uint32_t
parse_joined(struct parser *p, enum sh_kind kind, uint32_t node,
    uint32_t (*inner)(struct parser *), enum shop one, enum shop other)
{
	enum shop op = OP_NONE;
	uint32_t child;

	while ((child = inner(p)) != SH_NONE) {
		p->c->node[child].op = (uint8_t)op;
		if (!at_op(p, one) && !at_op(p, other))
			break;
		op = (enum shop)p->lx.op;
		if (node == SH_NONE)
			node = node_wrap(p, kind, child);
		take(p);
		p->up = node;
		newlines(p, COMMAND);
	}
	if (node == SH_NONE)
		return child;
	p->c->node[node].end = p->last;
	return child == SH_NONE ? SH_NONE : node;
}

static uint32_t
parse_pipe(struct parser *p)
{
	uint32_t up = p->up, node = SH_NONE;

	peek(p, COMMAND);
	if (p->kw == KW_BANG || p->kw == KW_TIME)
		node = parse_prefix(p);
	if (node == SH_NONE || !at_terminator(p))
		node = parse_joined(
		    p, SH_PIPE, node, parse_command, OP_PIPE, OP_PIPEAMP);
	p->up = up;
	return node;
}

/* A list's item: pipelines joined by && and || */
static uint32_t
parse_item(struct parser *p)
{
	uint32_t up = p->up, node;

	node =
	    parse_joined(p, SH_ANDOR, SH_NONE, parse_pipe, OP_ANDIF, OP_ORIF);
	p->up = up;
	return node;
}

int
at_closer(const struct parser *p)
{
	enum keyword kw = p->kw;

	if (at_op(p, OP_RPAREN))
		kw = KW_RPAREN;
	else if (at_op(p, OP_DSEMI) || at_op(p, OP_SEMIAMP) ||
	    at_op(p, OP_DSEMIAMP))
		kw = KW_DSEMI;
	return p->k == LX_END || (p->wanted >> kw & 1) != 0;
}

/* Reads on after an error, up to the end of the line. */
static void
recover(struct parser *p, uint32_t list)
{
	size_t nr = p->nr;
	int open = 0;

	p->cur = list;
	while (peek(p, 0) != LX_NEWLINE && p->k != LX_END) {
		if (at_op(p, OP_LPAREN))
			open++;
		else if (at_op(p, OP_RPAREN))
			open--;
		if (p->k == LX_OP && open <= 0 && at_closer(p))
			break;
		if (p->k != LX_REDIR)
			take(p);
		else
			parse_redir(p); /* a here-document has a body */
	}
	p->nr = nr;
	p->cur = SH_NONE;
}

/* Commands up to what ends a construct around: the lexeme read. */
void
parse_list(struct parser *p, uint32_t list)
{
	enum shop op = OP_NONE;
	struct shnode *n;
	uint32_t child;

	p->up = list;
	for (;;) {
		newlines(p, COMMAND);
		if (at_closer(p))
			break;
		child = parse_item(p);
		p->up = list;
		if (child != SH_NONE) {
			n = &p->c->node[child];
			n->op = (uint8_t)op;
			op = OP_SEMI;
			if (at_op(p, OP_AMP))
				n->flags |= SHN_BACKGROUND;
			if (at_op(p, OP_AMP) || at_op(p, OP_SEMI)) {
				take(p);
				continue;
			}
			if (p->k == LX_NEWLINE || at_closer(p))
				continue;
			unexpected(p, list);
		}
		p->c->node[list].flags |= SHN_BROKEN;
		if (!p->have || !at_closer(p))
			recover(p, list);
	}
	n = &p->c->node[list];
	n->end = p->last > n->off ? p->last : n->off;
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

void
parse_subst(struct parser *p)
{
	uint32_t off = p->lx.off, cur, up = p->up, last = p->last;
	enum shtok_kind kind = p->lx.top->kind;
	enum sh_kind make = p->make;
	uint32_t wanted = p->wanted;
	int closed, brace;
	uint32_t node, list;

	node = node_new(p, SH_SUBST, holder(p), off);
	cur = p->cur;
	brace = p->lx.top->brace;
	list = node_new(p, SH_LIST, node, p->lx.lexend);
	p->wanted = kind == TOK_BQ ? 0 : 1U << (brace ? KW_RBRACE : KW_RPAREN);
	p->make = SH_SIMPLE;
	p->cur = SH_NONE;
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
	p->wanted = wanted;
}

static enum sh_verdict
verdict(const struct shcmd *c)
{
	if (c->nerror == 0)
		return SH_COMPLETE;
	return c->error[0].what <= SHLEX_OPEN_COMPOUND ? SH_INCOMPLETE
						       : SH_INVALID;
}

/* What most scripts need is there from the beginning: bytes per element. */
enum { PER_TOKEN = 5, PER_NODE = 40, PER_WORD = 16, SOME = 16 };

static void
reserve(struct parser *p, size_t len)
{
	struct shcmd *c = p->c;

	p->lx.captok = len / PER_TOKEN + SOME;
	p->lx.tok = mem_resize(NULL, p->lx.captok, sizeof *p->lx.tok);
	p->lx.tok[0].off = 0;
	c->capnode = len / PER_NODE + SOME;
	c->node = mem_resize(NULL, c->capnode, sizeof *c->node);
	c->capword = len / PER_WORD + SOME;
	c->word = mem_resize(NULL, c->capword, sizeof *c->word);
}

void
shcmd_parse(struct shcmd *c, const char *text, size_t len)
{
	struct parser p;

	memset(c, 0, sizeof *c);
	memset(&p, 0, sizeof p);
	c->text = text;
	c->len = len;
	p.c = c;
	p.cur = SH_NONE;
	p.make = SH_SIMPLE;
	shlex_init(&p.lx, text, len);
	reserve(&p, len);
	node_new(&p, SH_LIST, SH_NONE, 0);
	c->line = mem_zero(len / SH_BLOCK + 1, sizeof *c->line);
	shtree_scan(&p);
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
	shtree_finish(&p);
	shlex_end(&p.lx);
	c->tok = p.lx.tok;
	c->ntok = p.lx.ntok;
	c->captok = p.lx.captok;
	c->warning = p.lx.warning;
	c->nwarning = p.lx.nwarning;
	c->capwarning = p.lx.capwarning;
	mem_free(p.w);
	mem_free(p.r);
	c->verdict = verdict(c);
}
