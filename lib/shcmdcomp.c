#include <string.h>

#include "shcmd.h"
#include "shcmdin.h"

static int
wrong(struct parser *p, uint32_t node)
{
	unexpected(p, node);
	return 0;
}

static int
want_op(struct parser *p, uint32_t node, unsigned ctx, enum shop op)
{
	if (!is_op(p, ctx, op))
		return wrong(p, node);
	take(p);
	return 1;
}

static int
want_kw(struct parser *p, uint32_t node, enum keyword kw)
{
	if (!is_kw(p, kw))
		return wrong(p, node);
	take_keyword(p);
	return 1;
}

static int
want_word(struct parser *p, uint32_t node)
{
	if (peek(p, 0) != LX_WORD)
		return wrong(p, node);
	take_word(p);
	return 1;
}

/* A list within node, at its first lexeme or before. */
static uint32_t
parse_inner(struct parser *p, uint32_t node)
{
	uint32_t list = node_new(p, SH_LIST, node, p->last);

	p->cur = SH_NONE;
	p->up = list;
	newlines(p, COMMAND);
	/* here-documents of the line before may come in between */
	if (!at_closer(p) &&
	    (p->c->nnode == list + 1 || p->c->node[list + 1].off >= p->lx.off))
		p->c->node[list].off = p->lx.off;
	parse_list(p, list);
	p->up = node;
	return list;
}

/* A list that must hold something. */
static int
parse_body(struct parser *p, uint32_t node)
{
	uint32_t list = parse_inner(p, node);

	if (list + 1 == p->c->nnode &&
	    (p->c->node[list].flags & SHN_BROKEN) == 0)
		return wrong(p, node);
	return 1;
}

/* --- simple commands and functions -------------------------------------- */

/* Builtins whose arguments are assignments. */
static int
is_declaration(const struct parser *p, const struct shword *w)
{
	static const char names[][9] = { "declare", "typeset", "local",
		"export", "readonly", "alias", "eval", "let" };
	const char *s = p->c->text + w->off;
	size_t i, n = w->end - w->off;

	if (n > 8)
		return 0;
	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (*s == *names[i] && names[i][n] == '\0' &&
		    memcmp(s, names[i], n) == 0)
			return 1;
	return 0;
}

/* shopt -s extglob changes how the rest is read. */
static void
watch_shopt(struct parser *p, const struct shword *w, size_t n)
{
	int on = 0, off = 0, extglob = 0;
	size_t i;

	if (!word_is(p, w, "shopt"))
		return;
	for (i = 1; i < n; i++) {
		on |= word_is(p, &w[i], "-s");
		off |= word_is(p, &w[i], "-u");
		extglob |= word_is(p, &w[i], "extglob");
	}
	if (extglob && (on || off)) {
		p->lx.extglob = on;
		p->c->extglob = 1;
	}
}

static int
is_compound(const struct parser *p)
{
	int kind = command_kind(p);

	return kind >= 0 && kind != SH_SIMPLE && kind != SH_FUNC &&
	    kind != SH_COPROC;
}

/* Whether ) comes next, behind blanks and continuations. */
static int
closes(const struct parser *p)
{
	const struct shlex *lx = &p->lx;
	uint32_t at = lx->pos, from;

	do {
		from = at;
		at = lex_skip(lx, lex_span(lx, from, BLANK));
	} while (at > from);
	return lex_at(lx, at) == ')';
}

/*
 * ( ) BODY or BODY: behind the name, which is the node's word. Behind the word
 * function the parenthesis may be that of a body.
 */
static int
parse_function(struct parser *p, uint32_t node, struct mark m, int word)
{
	p->c->node[node].kind = SH_FUNC;
	finish_words(p, node, m);
	p->cur = SH_NONE;
	p->up = node;
	if (is_op(p, COMMAND, OP_LPAREN) && (!word || closes(p))) {
		take(p);
		if (!want_op(p, node, 0, OP_RPAREN))
			return 0;
	}
	newlines(p, COMMAND);
	return is_compound(p) ? parse_command(p) != SH_NONE : wrong(p, node);
}

uint32_t
parse_simple(struct parser *p, uint32_t node, struct mark m, unsigned ctx)
{
	size_t nword = p->nw - m.w;
	uint32_t nassign = 0;
	enum shlex_lexeme k;

	while ((k = peek(p, ctx)) == LX_WORD || k == LX_REDIR) {
		if (k == LX_REDIR) {
			if (!parse_redir(p))
				return finish(p, node, m, 0);
			ctx &= ~(unsigned)CTX_COMMAND;
			continue;
		}
		take_word(p);
		if (nword == 0 && (p->lx.word.flags & SHW_ASSIGN) != 0) {
			nassign++;
			ctx = CTX_ASSIGN;
		} else if (nword++ == 0) {
			ctx = is_declaration(p, &p->lx.word) ? CTX_DECL : 0;
		}
	}
	if (at_op(p, OP_LPAREN) && nword == 1 && nassign == 0 && p->nr == m.r)
		return finish(p, node, m, parse_function(p, node, m, 0));
	if (nword > 2)
		watch_shopt(p, p->w + m.w, p->nw - m.w);
	p->c->node[node].nassign = nassign;
	return finish(p, node, m, 1);
}

/* --- compound commands -------------------------------------------------- */

static int
parse_paren(struct parser *p, uint32_t node)
{
	take(p);
	return parse_body(p, node) && want_op(p, node, COMMAND, OP_RPAREN);
}

static int
parse_group(struct parser *p, uint32_t node)
{
	take_keyword(p);
	return parse_body(p, node) && want_kw(p, node, KW_RBRACE);
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
	newlines(p, COMMAND);
	if (is_kw(p, KW_LBRACE))
		return parse_group(p, node);
	return want_kw(p, node, KW_DO) && parse_body(p, node) &&
	    want_kw(p, node, KW_DONE);
}

/* The head of for (( )) that was just read has three expressions. */
static int
check_head(struct parser *p, uint32_t node)
{
	const struct shtok *close = &p->lx.tok[p->lx.ntok - 1], *t = close;
	const char *s = p->c->text, *q, *end;
	int n = 0;

	if (close->kind != TOK_ARITH || (close->flags & SHTOK_CLOSE) == 0)
		return 1; /* cut off, as was said */
	if (close->depth >= 254)
		return 1; /* depths are no longer told apart */
	for (t--; t->off > p->lx.off; t--) {
		if (t->depth != close->depth + 1 || t->kind != TOK_LIT)
			continue;
		q = s + t->off;
		end = q + shtok_len(t);
		for (; (q = memchr(q, ';', (size_t)(end - q))) != NULL; q++)
			n++;
	}
	return n == 2 || wrong(p, node);
}

/* for and select */
static int
parse_for(struct parser *p, uint32_t node, struct mark m)
{
	int arith = p->kw == KW_FOR;

	take_keyword(p);
	if (arith && peek(p, CTX_COMMAND) == LX_ARITH) {
		p->c->node[node].kind = SH_ARITHFOR;
		if (!check_head(p, node))
			return 0;
		take(p);
		if (is_op(p, COMMAND, OP_SEMI))
			take(p);
		return parse_do(p, node);
	}
	if (!want_word(p, node))
		return 0;
	if (is_op(p, COMMAND, OP_SEMI)) {
		take(p);
	} else if (is_kw(p, KW_LBRACE)) {
		return wrong(p, node);
	} else {
		newlines(p, COMMAND);
		if (is_kw(p, KW_IN)) {
			p->c->node[node].flags |= SHN_IN;
			take_keyword(p);
			while (peek(p, 0) == LX_WORD)
				take_word(p);
			if (p->k != LX_NEWLINE && !at_op(p, OP_SEMI))
				return wrong(p, node);
			take(p);
		}
	}
	finish_words(p, node, m);
	return parse_do(p, node);
}

/* [(] pattern | pattern ) LIST */
static int
parse_patterns(struct parser *p, uint32_t node, uint32_t arm, struct mark m)
{
	if (is_op(p, 0, OP_LPAREN))
		take(p);
	if (!want_word(p, node))
		return 0;
	while (is_op(p, 0, OP_PIPE)) {
		take(p);
		if (!want_word(p, node))
			return 0;
	}
	if (!want_op(p, node, 0, OP_RPAREN))
		return 0;
	finish_words(p, arm, m);
	return 1;
}

/* An arm of case, at its first lexeme. */
static int
parse_arm(struct parser *p, uint32_t node)
{
	uint32_t arm = p->cur;
	struct mark m;
	int ok;

	if (arm == SH_NONE)
		arm = node_new(p, SH_ARM, node, p->lx.off);
	m = begin(p, arm);
	ok = parse_patterns(p, node, arm, m);
	if (ok) {
		parse_inner(p, arm);
		if (at_op(p, OP_DSEMI) || at_op(p, OP_SEMIAMP) ||
		    at_op(p, OP_DSEMIAMP)) {
			p->c->node[arm].op = p->lx.op;
			take(p);
		} else if (!is_kw(p, KW_ESAC)) {
			ok = wrong(p, node);
		}
	}
	return finish(p, arm, m, ok) != SH_NONE;
}

static int
parse_case(struct parser *p, uint32_t node, struct mark m)
{
	take_keyword(p);
	if (!want_word(p, node))
		return 0;
	newlines(p, COMMAND);
	if (!want_kw(p, node, KW_IN))
		return 0;
	finish_words(p, node, m);
	for (;;) {
		p->up = node;
		p->cur = SH_NONE;
		p->make = SH_ARM;
		newlines(p, 0);
		p->make = SH_SIMPLE;
		if (p->k == LX_WORD && keyword(p, &p->lx.word) == KW_ESAC) {
			take_keyword(p);
			return 1;
		}
		if (!parse_arm(p, node))
			return 0;
	}
}

/* Behind coproc: a compound command with or without a name, or a command. */
static int
parse_coproc(struct parser *p, uint32_t node, struct mark outer)
{
	uint32_t simple;
	struct mark m;
	int ok;

	take_keyword(p);
	p->up = node;
	p->cur = SH_NONE;
	if (peek(p, COMMAND) != LX_WORD || p->kw != KW_NONE)
		return is_compound(p) || p->k == LX_REDIR
		    ? parse_command(p) != SH_NONE
		    : wrong(p, node);
	simple = p->cur != SH_NONE ? p->cur
				   : node_new(p, SH_SIMPLE, node, p->lx.off);
	m = begin(p, simple);
	if ((p->lx.word.flags & SHW_ASSIGN) != 0)
		return parse_simple(p, simple, m, COMMAND) != SH_NONE;
	take_word(p);
	peek(p, COMMAND);
	if (!is_compound(p) || simple + 1 != p->c->nnode) {
		ok = p->kw == KW_NONE || p->kw == KW_TIME || wrong(p, node);
		return ok ? parse_simple(p, simple, m, 0) != SH_NONE
			  : finish(p, simple, m, 0) != SH_NONE;
	}
	p->c->nnode--;
	finish_words(p, node, outer);
	p->cur = SH_NONE;
	return parse_command(p) != SH_NONE;
}

static int
parse_funcword(struct parser *p, uint32_t node, struct mark m)
{
	take_keyword(p);
	return want_word(p, node) && parse_function(p, node, m, 1);
}

/* --- [[ ]] -------------------------------------------------------------- */

static int parse_or(struct parser *, uint32_t);

static int
at_text(const struct parser *p, const char *s)
{
	return p->k == LX_WORD && word_is(p, &p->lx.word, s);
}

static int
is_unary(const struct parser *p)
{
	const struct shword *w = &p->lx.word;
	const char *s = p->c->text + w->off;

	return p->k == LX_WORD && w->flags == 0 && w->end - w->off == 2 &&
	    s[0] == '-' && s[1] != '\0' &&
	    strchr("abcdefghknoprstuvwxzGLNORS", s[1]) != NULL;
}

static int
is_binary(const struct parser *p)
{
	static const char *const ops[] = { "=", "==", "!=", "=~", "-eq", "-ne",
		"-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef" };
	size_t i;

	if (p->k == LX_REDIR)
		return p->lx.op == OP_LESS || p->lx.op == OP_GREAT;
	for (i = 0; i < sizeof ops / sizeof *ops; i++)
		if (at_text(p, ops[i]))
			return 1;
	return 0;
}

/* A word, then what may stand on further lines. */
static int
parse_operand(struct parser *p, uint32_t node, unsigned ctx)
{
	if (peek(p, CTX_COND | ctx) != LX_WORD || at_text(p, "]]"))
		return wrong(p, node);
	take_word(p);
	newlines(p, CTX_COND);
	return 1;
}

static int
parse_nested(struct parser *p, uint32_t node)
{
	int ok;

	if (!shlex_deeper(&p->lx)) {
		error_at(p, SHLEX_DEEP, p->lx.off, 1);
		return 0;
	}
	take_word(p);
	ok = parse_or(p, node);
	shlex_higher(&p->lx);
	if (!ok)
		return 0;
	if (!is_op(p, CTX_COND, OP_RPAREN))
		return wrong(p, node);
	take_word(p);
	newlines(p, CTX_COND);
	return 1;
}

static int
parse_term(struct parser *p, uint32_t node)
{
	unsigned ctx;

	newlines(p, CTX_COND);
	while (at_text(p, "!")) {
		take_word(p);
		newlines(p, CTX_COND);
	}
	if (at_op(p, OP_LPAREN))
		return parse_nested(p, node);
	if (is_unary(p)) {
		take_word(p);
		return parse_operand(p, node, 0);
	}
	if (p->k != LX_WORD || at_text(p, "]]"))
		return wrong(p, node);
	take_word(p);
	peek(p, CTX_COND);
	if (!is_binary(p))
		return p->k != LX_NEWLINE || wrong(p, node);
	ctx = at_text(p, "=~") ? CTX_REGEX : 0;
	take_word(p);
	return parse_operand(p, node, ctx);
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
	if (!at_text(p, "]]"))
		return wrong(p, node);
	finish_words(p, node, m);
	take_keyword(p);
	return 1;
}

static int
parse_kind(struct parser *p, uint32_t node, struct mark m)
{
	switch (p->c->node[node].kind) {
	case SH_GROUP: return parse_group(p, node);
	case SH_SUBSHELL: return parse_paren(p, node);
	case SH_IF: return parse_if(p, node);
	case SH_WHILE:
	case SH_UNTIL: return parse_while(p, node);
	case SH_FOR:
	case SH_SELECT: return parse_for(p, node, m);
	case SH_CASE: return parse_case(p, node, m);
	case SH_FUNC: return parse_funcword(p, node, m);
	case SH_COND: return parse_cond(p, node, m);
	case SH_COPROC: return parse_coproc(p, node, m);
	}
	take(p); /* (( )) */
	return 1;
}

int
parse_compound(struct parser *p, uint32_t node, struct mark m)
{
	static const uint32_t ends[] = { [SH_GROUP] = 1 << KW_RBRACE,
		[SH_SUBSHELL] = 1 << KW_RPAREN,
		[SH_IF] =
		    1 << KW_THEN | 1 << KW_ELIF | 1 << KW_ELSE | 1 << KW_FI,
		[SH_WHILE] = 1 << KW_DO | 1 << KW_DONE,
		[SH_UNTIL] = 1 << KW_DO | 1 << KW_DONE,
		[SH_FOR] = 1 << KW_DO | 1 << KW_DONE | 1 << KW_RBRACE,
		[SH_SELECT] = 1 << KW_DO | 1 << KW_DONE | 1 << KW_RBRACE,
		[SH_CASE] = 1 << KW_ESAC | 1 << KW_DSEMI,
		[SH_SUBST] = 0 };
	uint32_t wanted = p->wanted;
	int ok;

	p->wanted |= ends[p->c->node[node].kind];
	ok = parse_kind(p, node, m);
	p->wanted = wanted;
	return ok;
}
