#include "shlex.h"
#include "shread.h"

/* What k backslashes before c come to when the backquotes around have eaten
 * theirs. */
static uint32_t
bq_left(const struct shlex *lx, uint32_t k, int c)
{
	unsigned i;

	for (i = 0; i < lx->bq; i++) {
		if (k % 2 != 0 && c != '$' && c != '`' &&
		    (c != '"' || (lx->bqdq >> i & 1) == 0))
			k++;
		k /= 2;
	}
	return k;
}

/* How many of k backslashes before a newline make a continuation: those of
 * the level at which one is left over. */
static uint32_t
bq_joins(const struct shlex *lx, uint32_t k)
{
	uint32_t n;

	for (n = 1; n <= 1U << lx->bq; n *= 2)
		if (k / n % 2 != 0)
			return n;
	return 0;
}

static uint32_t
backslashes(const struct shlex *lx, uint32_t p)
{
	uint32_t k = 0;

	while (lex_at(lx, p + k) == '\\')
		k++;
	return k;
}

uint32_t
shlex_joined(const struct shlex *lx)
{
	uint32_t k = backslashes(lx, lx->pos);

	if (lex_at(lx, lx->pos + k) != '\n' || bq_joins(lx, k) != k)
		return 0;
	return k + 1;
}

int
shlex_eaten(struct shlex *lx)
{
	uint32_t k = backslashes(lx, lx->pos), p = lx->pos + k, n, left;
	int c = lex_at(lx, p);

	if (c == '\n' && (n = bq_joins(lx, k)) != 0) {
		if (k > n)
			lex_tok(lx, TOK_ESC, p - n, lx->top->flags);
		lex_tok(lx, TOK_CONT, p + 1, lx->top->flags);
		return LX_MORE;
	}
	left = bq_left(lx, k, c);
	if (left == 0) {
		if (c == '`')
			return shlex_backquote(lx, p);
		lex_tok(lx, TOK_EATEN, p, lx->top->flags);
		return LX_MORE;
	}
	if (left % 2 != 0 && p < lx->end)
		p++;
	else
		c = '\\';
	if (shlex_quotes(lx, c)) {
		lex_tok(lx, TOK_ESC, p, lx->top->flags);
		lx->wflags |= SHW_QUOTED;
	} else {
		lex_lit(lx, p);
	}
	return LX_MORE;
}

/* Where the closing backquote is, from p on; *n is its length. */
static uint32_t
bq_end(const struct shlex *lx, uint32_t p, uint32_t *n)
{
	uint32_t k;

	for (;; p++) {
		p = lex_run(lx, p, BS | EXP);
		for (k = 0; lex_at(lx, p) == '\\'; k++)
			p++;
		if (p >= lx->end) {
			*n = 0;
			return lx->end;
		}
		if (lx->s[p] != '`' || bq_left(lx, k, '`') % 2 != 0)
			continue;
		while (bq_left(lx, k, '`') != 0)
			k--;
		*n = k + 1;
		return p - k;
	}
}

int
shlex_backquote(struct shlex *lx, uint32_t p)
{
	uint32_t n, end = bq_end(lx, p + 1, &n), off = lx->pos;
	unsigned flags = lx->top->flags;
	struct shlex_frame *f;

	lx->wflags |= SHW_EXPAND;
	if (n == 0)
		shlex_error(lx, SHLEX_OPEN_BQ, off, p + 1 - off);
	lex_tok(lx, TOK_BQ, p + 1, flags);
	if (lx->soft >= SOFT_LIMIT || lx->depth >= SHLEX_DEPTH || n > 255) {
		lx->depth++;
		if (end > lx->pos)
			lex_tok(lx, TOK_LIT, end, flags);
		lx->depth--;
		if (n != 0)
			lex_tok(lx, TOK_BQ, end + n, flags | SHTOK_CLOSE);
		return LX_MORE;
	}
	lx->bqdq &= ~(1U << lx->bq);
	if ((flags & SHTOK_QUOTED) != 0)
		lx->bqdq |= 1U << lx->bq;
	lx->bq++;
	lx->soft++;
	f = shlex_push(lx, M_CMD, off);
	f->kind = TOK_BQ;
	f->closing = (uint8_t)n;
	lx->end = end;
	return shlex_enter(lx, f);
}
