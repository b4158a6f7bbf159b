#include <string.h>

#include "shlex.h"
#include "shread.h"

/* The end of = or += at p; 0: there is none. */
static uint32_t
assign_end(const struct shlex *lx, uint32_t p)
{
	p = lex_skip(lx, p);
	if (lex_at(lx, p) == '+')
		p = lex_skip(lx, p + 1);
	return lex_at(lx, p) == '=' ? p + 1 : 0;
}

/* Up to the last continuation before end. */
static void
add_joined(struct shlex *lx, uint32_t end)
{
	const unsigned char *q;
	uint32_t p;

	while ((q = memchr(lx->s + lx->pos, '\\', end - lx->pos)) != NULL) {
		p = (uint32_t)(q - lx->s);
		lex_lit(lx, p);
		lex_tok(lx, TOK_CONT, p + 2, lx->top->flags);
	}
}

/* = or += that ends at end, the name before it, the array behind it. */
static int
add_assign(struct shlex *lx, uint32_t end, int array)
{
	unsigned flags = lx->top->flags;
	uint32_t p = lex_skip(lx, end);

	lx->wflags |= SHW_ASSIGN;
	add_joined(lx, end);
	lex_tok(lx, TOK_LIT, end, flags | SHTOK_ASSIGN);
	if (array && lex_at(lx, p) == '(') {
		lx->wflags |= SHW_ARRAY;
		add_joined(lx, p);
		shlex_open(lx, M_ARRAY, TOK_ARRAY, p + 1);
	}
	return 1;
}

int
shlex_assign(struct shlex *lx)
{
	uint32_t p = lex_name_end(lx, lx->pos), end = assign_end(lx, p);

	if (end != 0) {
		shlex_word_begin(lx);
		return add_assign(
		    lx, end, (lx->ctx & (CTX_ASSIGN | CTX_DECL)) != 0);
	}
	p = lex_skip(lx, p);
	if (lex_at(lx, p) != '[' || (lx->ctx & CTX_ASSIGN) == 0)
		return 0;
	shlex_word_begin(lx);
	add_joined(lx, p);
	lex_lit(lx, p);
	lx->top->state = ST_INDEX;
	shlex_open(lx, M_SUB, TOK_SUB, p + 1);
	return 1;
}

int
shlex_index(struct shlex *lx)
{
	uint32_t end = assign_end(lx, lx->pos);

	lx->top->state = ST_TEXT;
	if (end != 0)
		add_assign(lx, end, 1);
	return LX_MORE;
}

/* Whether an element of the array on top begins at pos. */
static int
is_element(const struct shlex *lx)
{
	const struct shtok *t = &lx->tok[lx->ntok];

	while (t > lx->tok + lx->top->tok)
		if ((--t)->kind != TOK_CONT)
			return t->kind == TOK_BLANK || t->kind == TOK_NEWLINE;
	return 1;
}

/* A byte in an array that is special there. */
int
shlex_array(struct shlex *lx, int c)
{
	uint32_t p = lx->pos;

	switch (c) {
	case ' ':
	case '\t':
		lex_tok(lx, TOK_BLANK, lex_span(lx, p, BLANK), 0);
		return LX_MORE;
	case '\n': lex_tok(lx, TOK_NEWLINE, p + 1, 0); return LX_MORE;
	case ')': return shlex_close(lx, p + 1);
	case '#':
		if (is_element(lx))
			return shlex_comment(lx);
		break;
	case '[':
		if (is_element(lx)) {
			shlex_open(lx, M_SUB, TOK_SUB, p + 1);
			return LX_MORE;
		}
		break;
	case ']': break;
	default: shlex_error(lx, SHLEX_UNEXPECTED, p, 1);
	}
	lex_lit(lx, p + 1);
	return LX_MORE;
}
