#include <string.h>

#include "shlex.h"
#include "shread.h"

/* The length of the operator in ${x...} at p. */
static uint32_t
lex_operator_length(const struct shlex *lx, uint32_t p)
{
	int c = lex_at(lx, p), d = lex_at(lx, p + 1);

	switch (c) {
	case ':': return d == '-' || d == '=' || d == '?' || d == '+' ? 2 : 1;
	case '/': return d == '/' || d == '#' || d == '%' ? 2 : 1;
	case '#':
	case '%':
	case '^':
	case ',':
	case '~': return d == c ? 2 : 1;
	case '@': return (lex_class(lx, p + 1) & ALPHA) != 0 ? 2 : 1;
	case '-':
	case '=':
	case '?':
	case '+':
	case '*': return 1;
	}
	return 0;
}

/* The end of the name at p; p: there is none. */
static uint32_t
lex_name(const struct shlex *lx, uint32_t p)
{
	int c = lex_at(lx, p);

	if ((lex_class(lx, p) & ALPHA) != 0)
		return lex_span(lx, p, NAME);
	if ((lex_class(lx, p) & DIGIT) != 0)
		return lex_span(lx, p, DIGIT);
	if (c == '$') {
		c = lex_at(lx, p + 1);
		return p + (c == '}' || lex_operator_length(lx, p + 1) != 0);
	}
	return p + (c != 0 && strchr("@*#?-!", c) != NULL);
}

/* ! and # before a name, and the name, behind ${. */
int
shlex_brace_name(struct shlex *lx)
{
	uint32_t p = lx->pos, q = lex_name(lx, p), r;
	int c = lex_at(lx, p);

	if (c == '\\' && lex_at(lx, p + 1) == '\n')
		return shlex_bs(lx);
	if (c == '#' || c == '!') {
		r = lex_name(lx, p + 1);
		if (r > p + 1 &&
		    ((lex_class(lx, p + 1) & NAME) != 0 ||
			lex_at(lx, r) == '}'))
			q = r;
	}
	if (q > p)
		lex_tok(lx, TOK_PNAME, q, lx->top->flags);
	lx->top->state = ST_SUBSCRIPT;
	return LX_MORE;
}

/*
 * Behind the name or subscript in ${ }. Text behind an operator that takes a
 * pattern is not quoted, whatever is around.
 */
int
shlex_brace_operator(struct shlex *lx)
{
	struct shlex_frame *f = lx->top;
	int c = lex_at(lx, lx->pos);
	uint32_t n;

	if (c == '\\' && lex_at(lx, lx->pos + 1) == '\n')
		return shlex_bs(lx);
	if (c == '[' && f->state == ST_SUBSCRIPT) {
		f->state = ST_OPERATOR;
		f = shlex_open(lx, M_SUB, TOK_SUB, lx->pos + 1);
		if (f != NULL)
			f->stop |= RBRACE;
		return LX_MORE;
	}
	f->state = ST_TEXT;
	if ((n = lex_operator_length(lx, lx->pos)) == 0)
		return LX_MORE;
	if (strchr("#%/^,~", c) != NULL) {
		f->flags &= (uint8_t)~SHTOK_QUOTED;
		f->stop = STOP_BRACE;
	}
	if (c == '/') {
		f->state = ST_REPLACE;
		f->stop |= SLASH;
	}
	lex_tok(lx, TOK_POP, lx->pos + n, f->flags);
	return LX_MORE;
}

/* ${ whose brace is at p. */
static int
lex_brace(struct shlex *lx, uint32_t p)
{
	uint32_t q = lex_span(lx, p + 1, NAME);
	int c = lex_at(lx, p + 1);
	struct shlex_frame *f;

	if (c == ' ' || c == '\t' || c == '\n' || c == '|') {
		f = shlex_open(lx, M_CMD, TOK_CMD, p + 1 + (c == '|'));
		if (f != NULL)
			f->brace = 1;
		return shlex_enter(lx, f);
	}
	if (lex_at(lx, q) == '}' && (lex_class(lx, p + 1) & ALPHA) != 0 &&
	    lx->depth < SHLEX_DEPTH) {
		/* most are just ${name} */
		lex_tok(lx, TOK_BRACE, p + 1, lx->top->flags);
		lx->depth++;
		lex_tok(lx, TOK_PNAME, q, lx->top->flags);
		lx->depth--;
		lex_tok(lx, TOK_BRACE, q + 1, lx->top->flags | SHTOK_CLOSE);
		return LX_MORE;
	}
	f = shlex_open(lx, M_BRACE, TOK_BRACE, p + 1);
	if (f != NULL) {
		f->state = ST_NAME;
		if ((f->flags & SHTOK_QUOTED) != 0)
			f->stop = STOP_QUOTED;
	}
	return LX_MORE;
}

int
shlex_is_arith(const struct shlex *lx, uint32_t p)
{
	return lx->notarith == NULL || (lx->notarith[p / 8] >> p % 8 & 1) == 0;
}

/* $( whose parenthesis is at p. */
static int
lex_paren(struct shlex *lx, uint32_t p)
{
	uint32_t q = lex_skip(lx, p + 1);

	if (lex_at(lx, q) == '(' && shlex_is_arith(lx, lx->pos)) {
		shlex_open(lx, M_ARITH, TOK_ARITH, q + 1);
		return LX_MORE;
	}
	return shlex_enter(lx, shlex_open(lx, M_CMD, TOK_CMD, p + 1));
}

/* A dollar before something that is no expansion. */
static int
lex_dollar_quote(struct shlex *lx, uint32_t p)
{
	unsigned mode = lx->top->mode;
	int c = lex_at(lx, p);

	if (mode != M_DQ && mode != M_BODY && mode != M_PAIR) {
		if (c == '\'')
			return shlex_quoted(lx, TOK_DSQ, p, 1);
		if (c == '"')
			return shlex_dq(lx, p + 1);
	}
	lex_lit(lx, lx->pos + 1);
	return LX_MORE;
}

int
shlex_dollar(struct shlex *lx)
{
	uint32_t p = lex_skip(lx, lx->pos + 1);
	uint8_t wflags = lx->wflags;
	int c = lex_at(lx, p);

	lx->wflags |= SHW_EXPAND;
	if (c == '{')
		return lex_brace(lx, p);
	if ((lex_class(lx, p) & ALPHA) != 0) {
		lex_tok(lx, TOK_PARAM, lex_name_end(lx, p), lx->top->flags);
		return LX_MORE;
	}
	if (c == '(')
		return lex_paren(lx, p);
	if (c == '[') {
		shlex_open(lx, M_BRACKET, TOK_ARITH, p + 1);
		return LX_MORE;
	}
	if ((lex_class(lx, p) & DIGIT) != 0 ||
	    (c != 0 && strchr("@*#?-$!", c) != NULL)) {
		lex_tok(lx, TOK_PARAM, p + 1, lx->top->flags);
		return LX_MORE;
	}
	lx->wflags = wflags;
	return lex_dollar_quote(lx, p);
}

/* < or >: a process substitution, or literal. */
int
shlex_angle(struct shlex *lx)
{
	uint32_t p = lex_skip(lx, lx->pos + 1);

	if (lex_at(lx, p) != '(') {
		lex_lit(lx, lx->pos + 1);
		return LX_MORE;
	}
	lx->wflags |= SHW_EXPAND;
	return shlex_enter(lx, shlex_open(lx, M_CMD, TOK_PROC, p + 1));
}

/* A byte in ${ } that is special there. */
int
shlex_brace_byte(struct shlex *lx, int c)
{
	struct shlex_frame *f = lx->top;
	uint32_t p = lx->pos;

	if (c == '}')
		return shlex_close(lx, p + 1);
	if (c != '/')
		return shlex_angle(lx);
	f->state = ST_TEXT;
	f->stop &= (uint16_t)~SLASH;
	lex_tok(lx, TOK_POP, p + 1, f->flags);
	return LX_MORE;
}
