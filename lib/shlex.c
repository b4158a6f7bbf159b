/*
 * The lexer is a stack of modes over one text. A mode is a set of byte
 * classes that are not ordinary in it; runs of ordinary bytes are skipped by
 * one loop over a table.
 *
 * mode       opens at            closes at       special in it
 * M_CMD      the text, $( ` <(   ) ` }           blanks, operators, #
 * M_WORD     a byte of a word    BLANK NL OPS    QUOTE EXP BS, ( after ?*+@!,
 *                                PAREN ANGLE     <( >(
 * M_DQ       " $"                "               EXP BS
 * M_BRACE    ${                  }               QUOTE EXP BS, <( >( ; / once
 * M_ARITH    $(( ((              ))              QUOTE EXP BS ( )
 * M_BRACKET  $[                  ]               QUOTE EXP BS [
 * M_SUB      name[ ${name[       ]               QUOTE EXP BS [
 * M_ARRAY    name=(              )               as M_WORD, BLANK NL #
 * M_GROUP    ?( *( +( @( !( and  )               QUOTE EXP BS (
 *            ( of a regex
 * M_BODY     a here-document     its end         EXP BS
 * M_PAIR     ' in "${x:- }"      '               EXP BS
 *
 * '...', $'...', comments and the bodies of quoted here-documents are one
 * token each and need no mode. In M_DQ, M_BODY, M_PAIR, M_ARITH, and in
 * M_BRACE within one of them, text is QUOTED: a backslash quotes only some
 * bytes.
 *
 * BLANK space tab · NL newline · OPS | & ; · PAREN ( ) · ANGLE < > ·
 * QUOTE ' " · EXP $ ` · BS backslash · all others are ordinary.
 *
 * Bodies of here-documents and text within backquotes end where their last
 * byte is, whatever is open then: they are read with end set to it, and what
 * is wrong within them is no error of the script (soft).
 *
 * (( is read as arithmetic; when its end is not )), everything since is
 * forgotten and it is read again as two parentheses. That is remembered for
 * the place, and all that is read twice is counted, so that no text makes it
 * worse than linear.
 */
#include "shlex.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "shread.h"

enum {
	BLANK = 1 << 0,
	NL = 1 << 1,
	OPS = 1 << 2,
	PAREN = 1 << 3,
	ANGLE = 1 << 4,
	BS = 1 << 5,
	SQ = 1 << 6,
	DQ = 1 << 7,
	EXP = 1 << 8,
	RBRACE = 1 << 9,
	BRACKET = 1 << 10,
	SLASH = 1 << 11,
	HASH = 1 << 12,
	ALPHA = 1 << 13,
	DIGIT = 1 << 14,

	META = BLANK | NL | OPS | PAREN | ANGLE,
	NAME = ALPHA | DIGIT,
	QUOTE = SQ | DQ,

	STOP_WORD = META | BS | QUOTE | EXP,
	STOP_DQ = BS | DQ | EXP,
	STOP_BRACE = BS | QUOTE | EXP | RBRACE | ANGLE,
	STOP_BRACEQ = BS | QUOTE | EXP | RBRACE,
	STOP_PAREN = BS | QUOTE | EXP | PAREN,
	STOP_BRACKET = BS | QUOTE | EXP | BRACKET,
	STOP_ARRAY = STOP_WORD | HASH | BRACKET,
	STOP_BODY = BS | EXP
};

#define A4 ALPHA, ALPHA, ALPHA, ALPHA
#define D5 DIGIT, DIGIT, DIGIT, DIGIT, DIGIT
#define O4 0, 0, 0, 0
static const uint16_t byte_class[256] = {
	O4, O4, 0, BLANK, NL, 0, O4, O4, O4, O4, O4, /* 00 */
	BLANK, 0, DQ, HASH, EXP, 0, OPS, SQ, /* 20   ! " # $ % & ' */
	PAREN, PAREN, O4, 0, SLASH, /* 28 ( ) * + , - . / */
	D5, D5, 0, OPS, ANGLE, 0, ANGLE, 0, /* 30 0-9 : ; < = > ? */
	0, ALPHA, ALPHA, ALPHA, A4, A4, A4, /* 40 @ A-O */
	A4, A4, ALPHA, ALPHA, ALPHA, /* 50 P-Z */
	BRACKET, BS, BRACKET, 0, ALPHA, /* 5b [ \ ] ^ _ */
	EXP, ALPHA, ALPHA, ALPHA, A4, A4, A4, /* 60 ` a-o */
	A4, A4, ALPHA, ALPHA, ALPHA, /* 70 p-z */
	0, OPS, RBRACE, 0, 0 /* 7b { | } ~ DEL */
};

/* States of M_BRACE, M_WORD and M_CMD frames. */
enum {
	ST_TEXT,
	ST_NAME, /* behind ${ */
	ST_OPER, /* behind the name */
	ST_OPER2, /* behind the subscript */
	ST_REPLACE, /* in the pattern of ${x/pattern/string} */
	ST_INDEX, /* M_WORD: behind name[...] */
	ST_COMMAND, /* M_ARITH: (( )) as a command */
	ST_BODIES /* M_CMD: here-documents come next */
};

enum {
	SOFT_LIMIT = 16, /* soft texts within each other; deeper is literal */
	REREAD_LIMIT = 16 /* times the length of the text */
};

void
shlex_init(struct shlex *lx, const char *s, size_t len)
{
	memset(lx, 0, sizeof *lx);
	lx->s = (const unsigned char *)s;
	lx->len = lx->end = (uint32_t)len;
	lx->stack = mem_alloc(
	    (3 * SHLEX_DEPTH + 2 * SOFT_LIMIT + 4) * sizeof *lx->stack);
	lx->top = lx->stack;
	memset(lx->top, 0, sizeof *lx->top);
	lx->top->mode = M_CMD;
	lx->top->end = lx->end;
	if (len >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0)
		shlex_warn(lx, SHWARN_BOM, 0);
}

void
shlex_end(struct shlex *lx)
{
	free(lx->stack);
	free(lx->hd);
	free(lx->delims);
	free(lx->notarith);
}

void
shlex_warn(struct shlex *lx, enum sh_warn what, uint32_t off)
{
	if (lx->nwarning == lx->capwarning)
		lx->warning = mem_more(lx->warning, lx->nwarning,
		    &lx->capwarning, sizeof *lx->warning);
	lx->warning[lx->nwarning].what = what;
	lx->warning[lx->nwarning++].off = off;
}

static void
lex_error(struct shlex *lx, enum shlex_error what, uint32_t off, uint32_t len)
{
	if (lx->soft != 0) {
		lx->broken = 1;
	} else if (lx->error.what == SHLEX_OK) {
		lx->error.what = what;
		lx->error.off = off;
		lx->error.len = len;
	}
}

static int
lex_bit(const unsigned char *map, uint32_t i)
{
	return map != NULL && (map[i / 8] >> (i % 8) & 1);
}

/* The first byte from p on that is of a class in stop, or the end. */
static inline uint32_t
lex_run(const struct shlex *lx, uint32_t p, unsigned stop)
{
	const unsigned char *s = lx->s;
	uint32_t end = lx->end;

	while (p < end && (byte_class[s[p]] & stop) == 0)
		p++;
	return p;
}

static inline struct shtok *
lex_tok(struct shlex *lx, enum shtok_kind kind, uint32_t end, unsigned flags)
{
	struct shtok *t;

	if (lx->ntok == lx->captok)
		lx->tok =
		    mem_more(lx->tok, lx->ntok, &lx->captok, sizeof *lx->tok);
	t = &lx->tok[lx->ntok++];
	t->off = lx->pos;
	t->len = end - lx->pos;
	t->kind = (uint8_t)kind;
	t->flags = (uint8_t)flags;
	t->op = OP_NONE;
	t->depth = (uint8_t)(lx->depth < 255 ? lx->depth : 255);
	lx->pos = end;
	return t;
}

/* Literal bytes up to end; one token with those right before. */
static inline void
lex_lit(struct shlex *lx, uint32_t end)
{
	struct shtok *t;

	if (end == lx->pos)
		return;
	if (lx->ntok > lx->top->tok) {
		t = &lx->tok[lx->ntok - 1];
		if (t->kind == lx->top->lit && t->flags == lx->top->flags) {
			t->len += end - lx->pos;
			lx->pos = end;
			return;
		}
	}
	lex_tok(lx, lx->top->lit, end, lx->top->flags);
}

int
shlex_nest(struct shlex *lx, int by)
{
	if (by > 0 && lx->depth >= SHLEX_DEPTH) {
		lex_error(lx, SHLEX_DEEP, lx->pos, 1);
		return 0;
	}
	lx->depth += (unsigned)by;
	return 1;
}

static unsigned
lex_deeper(unsigned mode)
{
	return mode != M_WORD && mode != M_PAIR && mode != M_BODY;
}

static struct shlex_frame *
lex_push(struct shlex *lx, enum shlex_mode mode, enum shtok_kind kind,
    unsigned stop, unsigned flags, uint32_t off)
{
	struct shlex_frame *f = ++lx->top;

	lx->depth += lex_deeper(mode);
	f->mode = (uint8_t)mode;
	f->flags = (uint8_t)(flags | (lx->bq != 0 ? SHTOK_BQLEVEL : 0));
	f->state = ST_TEXT;
	f->lit = mode == M_BODY ? TOK_HDBODY : TOK_LIT;
	f->wflags = lx->wflags;
	f->stop = (uint16_t)stop;
	f->kind = (uint8_t)kind;
	f->clen = 0;
	f->off = off;
	f->tok = (uint32_t)lx->ntok;
	f->n = 0;
	f->hd = 0;
	f->end = lx->end;
	f->holder = lx->holder;
	return f;
}

static void
lex_pop(struct shlex *lx)
{
	struct shlex_frame *f = lx->top--;

	lx->depth -= lex_deeper(f->mode);
	lx->end = f->end;
	lx->holder = f->holder;
}

/* Opens a mode with a token that ends at end; too deep: it is a literal. */
static struct shlex_frame *
lex_open(struct shlex *lx, enum shlex_mode mode, enum shtok_kind kind,
    uint32_t end, unsigned stop, unsigned flags)
{
	uint32_t off = lx->pos;

	if (!shlex_nest(lx, 1)) {
		lex_lit(lx, end);
		return NULL;
	}
	lx->depth--;
	lex_tok(lx, kind, end, lx->top->flags);
	return lex_push(lx, mode, kind, stop, flags, off);
}

/* Closes the mode on top with a token that ends at end. */
static int
lex_close(struct shlex *lx, uint32_t end)
{
	enum shtok_kind kind = lx->top->kind;

	lex_pop(lx);
	lex_tok(lx, kind, end, lx->top->flags | SHTOK_CLOSE);
	return LX_MORE;
}

static int
lex_enter(struct shlex *lx, enum shtok_kind kind, uint32_t end)
{
	struct shlex_frame *f;

	if ((f = lex_open(lx, M_CMD, kind, end, 0, 0)) == NULL)
		return LX_MORE;
	f->hd = (uint32_t)lx->nhd;
	lx->off = f->off;
	lx->lexend = lx->pos;
	lx->wflags = 0;
	return LX_SUBST;
}

void
shlex_leave(struct shlex *lx, int closed)
{
	struct shlex_frame *f = lx->top;
	struct shtok *t;

	lx->wflags = f->wflags | SHW_EXPAND;
	if (f->kind == TOK_BQ) {
		lx->nhd = f->hd;
		lx->soft--;
		lx->bq--;
		if (f->clen != 0)
			lex_close(lx, lx->pos + f->clen);
		else
			lex_pop(lx);
		return;
	}
	lex_pop(lx);
	if (closed) {
		t = &lx->tok[lx->ntok - 1];
		t->kind = f->kind;
		t->flags = (uint8_t)(lx->top->flags | SHTOK_CLOSE);
		t->op = OP_NONE;
		t->depth = (uint8_t)(lx->depth < 255 ? lx->depth : 255);
	}
}

/* Skips continuations: where the next byte is that counts. */
static inline uint32_t
lex_skip(const struct shlex *lx, uint32_t p)
{
	while (p + 1 < lx->end && lx->s[p] == '\\' && lx->s[p + 1] == '\n')
		p += 2;
	return p;
}

/* The byte at p, NUL at the end. */
static inline int
lex_at(const struct shlex *lx, uint32_t p)
{
	return p < lx->end ? lx->s[p] : 0;
}

/*
 * What k backslashes before c come to when the backquotes around have eaten
 * theirs.
 */
static uint32_t
lex_eaten(const struct shlex *lx, uint32_t k, int c)
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

static int
lex_continues(const struct shlex *lx, uint32_t p)
{
	return lex_at(lx, p) == '\\' && lex_at(lx, p + 1) == '\n';
}

/* Warns when only blanks are between a backslash and the end of its line. */
static void
lex_bsblank(struct shlex *lx, uint32_t p)
{
	uint32_t q = p + 1;

	while (q < lx->end && (byte_class[lx->s[q]] & BLANK) != 0)
		q++;
	if (q > p + 1 && (q == lx->end || lx->s[q] == '\n'))
		shlex_warn(lx, SHWARN_BSBLANK, p);
}

/* Whether a backslash quotes c in the mode on top. */
static int
lex_quotes(const struct shlex *lx, int c)
{
	const struct shlex_frame *f = lx->top;

	if ((f->flags & SHTOK_QUOTED) == 0 || c == '$' || c == '`' || c == '\\')
		return 1;
	if (f->mode == M_BODY || f->mode == M_PAIR)
		return 0;
	return c == '"' || (f->mode == M_BRACE && c == '}');
}

static int lex_backquote(struct shlex *, uint32_t);

/* Backslashes within backquotes. */
static int
lex_bs_eaten(struct shlex *lx)
{
	uint32_t p = lx->pos, k = 0, eff;
	int c;

	while (p < lx->end && lx->s[p] == '\\')
		p++;
	k = p - lx->pos;
	c = lex_at(lx, p);
	if (c == '\n' && k % 2 != 0) {
		if (k > 1)
			lex_tok(lx, TOK_ESC, p - 1, lx->top->flags);
		lex_tok(lx, TOK_CONT, p + 1, lx->top->flags);
		return LX_MORE;
	}
	eff = lex_eaten(lx, k, c);
	if (eff % 2 != 0 && p < lx->end)
		p++;
	if (eff != 0) {
		if (lex_quotes(lx, eff % 2 != 0 ? c : '\\')) {
			lex_tok(lx, TOK_ESC, p, lx->top->flags);
			lx->wflags |= SHW_QUOTED;
		} else {
			lex_lit(lx, p);
		}
		return LX_MORE;
	}
	if (c == '`')
		return lex_backquote(lx, p);
	lex_tok(lx, TOK_EATEN, p, lx->top->flags);
	return LX_MORE;
}

static int
lex_bs(struct shlex *lx)
{
	uint32_t p = lx->pos;
	int c = lex_at(lx, p + 1);

	if (lx->bq != 0)
		return lex_bs_eaten(lx);
	if (p + 1 == lx->end) {
		if (lx->end == lx->len && lx->top->mode == M_ARRAY)
			lex_tok(lx, TOK_LONEBS, p + 1, 0);
		else
			lex_lit(lx, p + 1);
		return LX_MORE;
	}
	if (c == '\n') {
		lex_tok(lx, TOK_CONT, p + 2, lx->top->flags);
		return LX_MORE;
	}
	if (c == ' ' || c == '\t')
		lex_bsblank(lx, p);
	if (lex_quotes(lx, c)) {
		lex_tok(lx, TOK_ESC, p + 2, lx->top->flags);
		lx->wflags |= SHW_QUOTED;
	} else {
		lex_lit(lx, p + 2);
	}
	return LX_MORE;
}

/* '...' from pos + skip on; with esc a backslash quotes. */
static int
lex_quoted(struct shlex *lx, enum shtok_kind kind, uint32_t skip, int esc)
{
	uint32_t off = lx->pos, p = off + skip + 1;

	lx->wflags |= SHW_QUOTED;
	while (p < lx->end && lx->s[p] != '\'')
		p += esc && lx->s[p] == '\\' ? 2 : 1;
	if (p >= lx->end) {
		lex_error(lx, SHLEX_OPEN_SQ, off, 1);
		p = lx->end - 1;
	}
	lex_tok(lx, kind, p + 1, lx->top->flags);
	return LX_MORE;
}

/*
 * A single quote. In "${x:-'...'}" it comes in pairs like everywhere, but is
 * a byte like any other and what stands between is read.
 */
static int
lex_sq(struct shlex *lx)
{
	const unsigned char *q;
	uint32_t p = lx->pos, end;

	if (lx->top->mode != M_BRACE || (lx->top->flags & SHTOK_QUOTED) == 0)
		return lex_quoted(lx, TOK_SQ, 0, 0);
	q = memchr(lx->s + p + 1, '\'', lx->end - p - 1);
	lex_lit(lx, p + 1);
	if (q == NULL) {
		lex_error(lx, SHLEX_OPEN_SQ, p, 1);
		lex_lit(lx, lx->end);
		return LX_MORE;
	}
	end = (uint32_t)(q - lx->s);
	if (lx->soft >= SOFT_LIMIT) {
		lex_lit(lx, end + 1);
		return LX_MORE;
	}
	lex_push(lx, M_PAIR, TOK_LIT, STOP_BODY, SHTOK_QUOTED, p);
	lx->soft++;
	lx->end = end;
	return LX_MORE;
}

static int
lex_dq(struct shlex *lx, uint32_t end)
{
	lx->wflags |= SHW_QUOTED;
	if (lx->top->mode == M_DQ)
		return lex_close(lx, end);
	lex_open(lx, M_DQ, TOK_DQ, end, STOP_DQ, SHTOK_QUOTED);
	return LX_MORE;
}

/* Where the closing backquote is, from p on; *n is its length. */
static uint32_t
lex_backquote_end(const struct shlex *lx, uint32_t p, uint32_t *n)
{
	uint32_t k;

	for (;; p++) {
		while (p < lx->end && lx->s[p] != '\\' && lx->s[p] != '`')
			p++;
		for (k = 0; p < lx->end && lx->s[p] == '\\'; k++)
			p++;
		if (p >= lx->end) {
			*n = 0;
			return lx->end;
		}
		if (lx->s[p] != '`')
			continue;
		if (lex_eaten(lx, k, '`') % 2 == 0) {
			/* those before it that are not eaten are text */
			while (k > 0 && lex_eaten(lx, k, '`') != 0)
				k--;
			*n = k + 1;
			return p - k;
		}
	}
}

/* A backquote at p that opens; backslashes from pos to p belong to it. */
static int
lex_backquote(struct shlex *lx, uint32_t p)
{
	struct shlex_frame *f;
	uint32_t n, end = lex_backquote_end(lx, p + 1, &n);
	uint32_t off = lx->pos;

	lx->wflags |= SHW_EXPAND;
	if (n == 0)
		lex_error(lx, SHLEX_OPEN_BQ, off, p + 1 - off);
	if (lx->soft >= SOFT_LIMIT || n > 255 || lx->depth >= SHLEX_DEPTH) {
		lex_tok(lx, TOK_BQ, p + 1, lx->top->flags);
		if (end > lx->pos)
			lex_tok(lx, TOK_LIT, end, lx->top->flags);
		if (n != 0)
			lex_tok(
			    lx, TOK_BQ, end + n, lx->top->flags | SHTOK_CLOSE);
		return LX_MORE;
	}
	lex_tok(lx, TOK_BQ, p + 1, lx->top->flags);
	lx->bqdq &= ~(1U << lx->bq);
	if ((lx->top->flags & SHTOK_QUOTED) != 0)
		lx->bqdq |= 1U << lx->bq;
	lx->bq++;
	lx->soft++;
	f = lex_push(lx, M_CMD, TOK_BQ, 0, 0, off);
	f->clen = (uint8_t)n;
	f->hd = (uint32_t)lx->nhd;
	lx->end = end;
	lx->off = off;
	lx->lexend = lx->pos;
	lx->wflags = 0;
	return LX_SUBST;
}

static int
lex_arith(struct shlex *lx, uint32_t end, int state)
{
	struct shlex_frame *f;
	uint32_t off = lx->pos;

	f = lex_open(lx, M_ARITH, TOK_ARITH, end, STOP_PAREN, SHTOK_QUOTED);
	if (f == NULL)
		return 0;
	f->state = (uint8_t)state;
	f->hd = (uint32_t)lx->nhd;
	if (state == ST_COMMAND) {
		lx->off = off;
		lx->holder = (uint32_t)(f - lx->stack);
	}
	return 1;
}

/* The length of the operator in ${x...} at p. */
static uint32_t
lex_oper(const struct shlex *lx, uint32_t p)
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
	case '@': return (byte_class[d] & ALPHA) != 0 ? 2 : 1;
	case '-':
	case '=':
	case '?':
	case '+':
	case '*': return 1;
	}
	return 0;
}

/* The end of the name behind ${ at p. */
static uint32_t
lex_name(const struct shlex *lx, uint32_t p)
{
	int c = lex_at(lx, p);

	if ((byte_class[c] & ALPHA) != 0) {
		while (p < lx->end && (byte_class[lx->s[p]] & NAME) != 0)
			p++;
	} else if ((byte_class[c] & DIGIT) != 0) {
		while (p < lx->end && (byte_class[lx->s[p]] & DIGIT) != 0)
			p++;
	} else if (c == '$') {
		c = lex_at(lx, p + 1);
		p += c == '}' || c == '[' || lex_oper(lx, p + 1) != 0;
	} else if (c != 0 && strchr("@*#?-!", c) != NULL) {
		p++;
	}
	return p;
}

/* ! and # before a name, and the name, behind ${. */
static void
lex_brace_name(struct shlex *lx)
{
	uint32_t p = lx->pos, q;
	int c = lex_at(lx, p);

	q = lex_name(lx, p);
	if (c == '#' || c == '!') {
		uint32_t r = lex_name(lx, p + 1);

		if (r > p + 1 &&
		    ((byte_class[lx->s[p + 1]] & NAME) != 0 ||
			lex_at(lx, r) == '}'))
			q = r;
	}
	if (q > p)
		lex_tok(lx, TOK_PNAME, q, lx->top->flags);
	lx->top->state = ST_OPER;
}

/* Behind the name or subscript in ${ }. */
static int
lex_brace_oper(struct shlex *lx)
{
	struct shlex_frame *f = lx->top;
	uint32_t n;
	int c = lex_at(lx, lx->pos);

	if (lex_continues(lx, lx->pos))
		return lex_bs(lx);
	if (c == '[' && f->state == ST_OPER) {
		f->state = ST_OPER2;
		lex_open(lx, M_SUB, TOK_SUB, lx->pos + 1, STOP_BRACKET | RBRACE,
		    f->flags & SHTOK_QUOTED);
		return LX_MORE;
	}
	f->state = ST_TEXT;
	n = lex_oper(lx, lx->pos);
	if (n == 0)
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

/* ${ at pos, whose brace is at p. */
static int
lex_brace(struct shlex *lx, uint32_t p)
{
	struct shlex_frame *f;
	unsigned q = lx->top->flags & SHTOK_QUOTED;
	int c = lex_at(lx, p + 1);

	if (c == ' ' || c == '\t' || c == '\n' || c == '|') {
		if (lex_enter(lx, TOK_CMD, p + 1 + (c == '|')) == LX_MORE)
			return LX_MORE;
		lx->top->clen = 1;
		return LX_SUBST;
	}
	f = lex_open(lx, M_BRACE, TOK_BRACE, p + 1,
	    q != 0 ? STOP_BRACEQ : STOP_BRACE, q);
	if (f != NULL)
		f->state = ST_NAME;
	return LX_MORE;
}

static int
lex_paren(struct shlex *lx, uint32_t p)
{
	uint32_t q = lex_skip(lx, p + 1);

	if (lex_at(lx, q) == '(' && !lex_bit(lx->notarith, lx->pos)) {
		lex_arith(lx, q + 1, ST_TEXT);
		return LX_MORE;
	}
	return lex_enter(lx, TOK_CMD, p + 1);
}

static int
lex_dollar(struct shlex *lx)
{
	uint32_t p = lex_skip(lx, lx->pos + 1), q;
	int c = lex_at(lx, p);
	int dq = lx->top->mode == M_DQ || lx->top->mode == M_BODY ||
	    lx->top->mode == M_PAIR;

	lx->wflags |= SHW_EXPAND;
	if ((byte_class[c] & ALPHA) != 0) {
		for (q = p + 1; (byte_class[lex_at(lx, q)] & NAME) != 0; q++)
			;
		lex_tok(lx, TOK_PARAM, q, lx->top->flags);
		return LX_MORE;
	}
	switch (c) {
	case '{': return lex_brace(lx, p);
	case '(': return lex_paren(lx, p);
	case '[':
		lex_open(lx, M_BRACKET, TOK_ARITH, p + 1, STOP_BRACKET,
		    SHTOK_QUOTED);
		return LX_MORE;
	case '\'':
		if (!dq)
			return lex_quoted(lx, TOK_DSQ, p - lx->pos, 1);
		break;
	case '"':
		if (!dq)
			return lex_dq(lx, p + 1);
		break;
	default:
		if (c == 0 ||
		    ((byte_class[c] & DIGIT) == 0 &&
			strchr("*@#?-$!", c) == NULL))
			break;
		lex_tok(lx, TOK_PARAM, p + 1, lx->top->flags);
		return LX_MORE;
	}
	lex_lit(lx, lx->pos + 1);
	return LX_MORE;
}

/* The word that began with token tok is read. */
static int
lex_word_done(struct shlex *lx, uint32_t off, uint32_t tok)
{
	struct shword *w = &lx->word;
	uint32_t n = (uint32_t)lx->ntok - tok;

	w->off = lx->off = off;
	w->end = lx->pos;
	while (n > 0 && lx->tok[tok + n - 1].kind == TOK_CONT)
		w->end = lx->tok[tok + --n].off;
	w->tok = tok;
	w->ntok = n;
	w->flags = lx->wflags;
	lx->lexend = w->end;
	return LX_WORD;
}

static int lex_operator(struct shlex *);

/* Digits or {name} right before a redirection. */
static int
lex_io(struct shlex *lx, uint32_t off, uint32_t end)
{
	const unsigned char *s = lx->s;
	uint32_t p = off;
	int64_t n = 0;

	if (s[p] == '{' && end - p > 2 && s[end - 1] == '}') {
		if ((byte_class[s[++p]] & ALPHA) == 0)
			return 0;
		while ((byte_class[s[p]] & NAME) != 0)
			p++;
		if (p != end - 1 && (s[p] != '[' || s[end - 2] != ']'))
			return 0;
		lx->fd = SH_FD_VAR;
		return 1;
	}
	for (; p < end && (byte_class[s[p]] & DIGIT) != 0; p++)
		if ((n = n * 10 + (s[p] - '0')) > INT_MAX)
			return 0;
	lx->fd = (int32_t)n;
	return p == end;
}

static int
lex_word_end(struct shlex *lx)
{
	struct shlex_frame *f = lx->top;
	int c = lex_at(lx, lx->pos), k;
	struct shtok *t;

	k = lex_word_done(lx, f->off, f->tok);
	lex_pop(lx);
	if ((c == '<' || c == '>') && (lx->ctx & (CTX_COND | CTX_DASH)) == 0 &&
	    lx->word.ntok == 1 && lx->tok[lx->word.tok].kind == TOK_LIT &&
	    lex_io(lx, lx->word.off, lx->word.end)) {
		t = &lx->tok[lx->word.tok];
		t->kind = TOK_IO;
		k = lex_operator(lx);
		lx->off = t->off;
	}
	return k;
}

/* Whether a ( at pos opens a pattern: ?( *( +( @( !( */
static int
lex_is_group(const struct shlex *lx, uint32_t start)
{
	const struct shtok *t = &lx->tok[lx->ntok - 1];
	int c;

	if ((lx->ctx & CTX_COMMAND) != 0 && !lx->extglob)
		return 0;
	if (lx->pos == start || t->kind != TOK_LIT)
		return 0;
	c = lx->s[lx->pos - 1];
	return c == '?' || c == '*' || c == '+' || c == '@' || c == '!';
}

static int
lex_array_delim(struct shlex *lx, int c)
{
	size_t i = lx->ntok - 1;
	uint32_t p = lx->pos;
	const unsigned char *q;
	int start;

	while (lx->tok[i].kind == TOK_CONT)
		i--;
	start = lx->tok[i].kind == TOK_BLANK ||
	    lx->tok[i].kind == TOK_NEWLINE || i < lx->top->tok;
	switch (c) {
	case ' ':
	case '\t':
		while (p < lx->end && (byte_class[lx->s[p]] & BLANK) != 0)
			p++;
		lex_tok(lx, TOK_BLANK, p, 0);
		break;
	case '\n': lex_tok(lx, TOK_NEWLINE, p + 1, 0); break;
	case ')': return lex_close(lx, p + 1);
	case '#':
		if (start) {
			q = memchr(lx->s + p, '\n', lx->end - p);
			lex_tok(lx, TOK_COMMENT,
			    q != NULL ? (uint32_t)(q - lx->s) : lx->end, 0);
			break;
		}
		lex_lit(lx, p + 1);
		break;
	case '[':
		if (start) {
			lex_open(lx, M_SUB, TOK_SUB, p + 1, STOP_BRACKET, 0);
			break;
		}
		lex_lit(lx, p + 1);
		break;
	case ']': lex_lit(lx, p + 1); break;
	default: lex_error(lx, SHLEX_UNEXPECTED, p, 1); lex_lit(lx, p + 1);
	}
	return LX_MORE;
}

/* A metacharacter in a word or array. */
static int
lex_word_delim(struct shlex *lx, int c)
{
	struct shlex_frame *f = lx->top;
	uint32_t p = lx->pos;

	if ((c == '<' || c == '>') && lex_at(lx, p + 1) == '(') {
		lx->wflags |= SHW_EXPAND;
		return lex_enter(lx, TOK_PROC, p + 2);
	}
	if (c == '(' &&
	    ((f->mode == M_WORD && (lx->ctx & CTX_REGEX) != 0) ||
		lex_is_group(lx, f->mode == M_WORD ? f->off : p + 1))) {
		lex_open(lx, M_GROUP, TOK_GROUP, p + 1, STOP_PAREN, 0);
		return LX_MORE;
	}
	if (f->mode == M_ARRAY)
		return lex_array_delim(lx, c);
	if (c == '|' && (lx->ctx & CTX_REGEX) != 0) {
		lex_lit(lx, p + 1);
		return LX_MORE;
	}
	return lex_word_end(lx);
}

/* Forgets all since (( and remembers that it is not arithmetic. */
static int
lex_rewind(struct shlex *lx)
{
	struct shlex_frame *f = lx->top;
	uint32_t off = f->off;

	lx->reread += lx->pos - off;
	if (lx->reread > (size_t)lx->len * REREAD_LIMIT + 4096) {
		lex_error(lx, SHLEX_DEEP, off, 2);
		return lex_close(lx, lx->pos + 1);
	}
	if (lx->notarith == NULL)
		lx->notarith = mem_zero(lx->len / 8 + 1, 1);
	lx->notarith[off / 8] |= (unsigned char)(1U << off % 8);
	lx->nhd = f->hd;
	lx->ntok = f->tok - 1;
	lx->pos = off;
	lx->off = off + (f->state != ST_COMMAND);
	lex_pop(lx);
	return LX_REWIND;
}

/* The operator at pos. */
static int
lex_operator(struct shlex *lx)
{
	static const struct {
		char s[4];
		uint8_t op, redir;
	} ops[] = { /* longer ones first */
		{ ";;&", OP_DSEMIAMP, 0 }, { "<<-", OP_DLESSDASH, 1 },
		{ "<<<", OP_TLESS, 1 }, { "&>>", OP_AMPDGREAT, 1 },
		{ ";;", OP_DSEMI, 0 }, { ";&", OP_SEMIAMP, 0 },
		{ "&&", OP_ANDIF, 0 }, { "||", OP_ORIF, 0 },
		{ "|&", OP_PIPEAMP, 0 }, { "&>", OP_AMPGREAT, 1 },
		{ ">>", OP_DGREAT, 1 }, { "<<", OP_DLESS, 1 },
		{ "<&", OP_LESSAMP, 1 }, { ">&", OP_GREATAMP, 1 },
		{ "<>", OP_LESSGREAT, 1 }, { ">|", OP_CLOBBER, 1 },
		{ ";", OP_SEMI, 0 }, { "&", OP_AMP, 0 }, { "|", OP_PIPE, 0 },
		{ "(", OP_LPAREN, 0 }, { ")", OP_RPAREN, 0 },
		{ "<", OP_LESS, 1 }, { ">", OP_GREAT, 1 }
	};
	uint32_t at[4], off = lx->pos;
	size_t i, n;
	int c[3];

	at[0] = off;
	for (i = 0; i < 3; i++) {
		c[i] = lex_at(lx, at[i]);
		at[i + 1] = lex_skip(lx, at[i] + 1);
	}
	if ((lx->ctx & CTX_COMMAND) != 0 && c[0] == '(' && c[1] == '(' &&
	    !lex_bit(lx->notarith, off) && lex_arith(lx, at[1] + 1, ST_COMMAND))
		return LX_MORE;
	for (i = 0;; i++) {
		for (n = 0; n < 3 && c[n] != 0 && ops[i].s[n] == c[n]; n++)
			;
		if (n > 0 && (n == 3 || ops[i].s[n] == '\0'))
			break;
	}
	lx->op = ops[i].op;
	lx->off = off;
	lx->fd = lx->ntok > 0 && lx->tok[lx->ntok - 1].kind == TOK_IO
	    ? lx->fd
	    : SH_FD_DEFAULT;
	lex_tok(lx, ops[i].redir ? TOK_REDIR : TOK_OP, at[n - 1] + 1,
	    lx->top->flags)
	    ->op = ops[i].op;
	lx->lexend = lx->pos;
	return ops[i].redir ? LX_REDIR : LX_OP;
}

/* Begins a word whose parts are yet to be read. */
static void
lex_begin(struct shlex *lx)
{
	lex_push(lx, M_WORD, TOK_LIT, STOP_WORD, 0, lx->pos);
	lx->holder = (uint32_t)(lx->top - lx->stack);
}

/* A word of the form name=...; its value begins at p. */
static int
lex_assign(struct shlex *lx, uint32_t p)
{
	lex_begin(lx);
	lx->wflags |= SHW_ASSIGN;
	lex_tok(lx, TOK_LIT, p, lx->top->flags | SHTOK_ASSIGN);
	if (lex_at(lx, p) == '(' && (lx->ctx & (CTX_ASSIGN | CTX_DECL)) != 0) {
		lx->wflags |= SHW_ARRAY;
		lex_open(lx, M_ARRAY, TOK_ARRAY, p + 1, STOP_ARRAY, 0);
	}
	return LX_MORE;
}

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

/* Whether the line at p is the delimiter; *next is where the text goes on. */
static int
lex_is_delim(const struct shlex *lx, const struct shlex_heredoc *h, uint32_t p,
    uint32_t *next)
{
	const char *d = lx->delims + h->delim;
	uint32_t i, end = lx->end;
	int c = lx->top->kind;

	if (h->dash && (h->ndelim == 0 || d[0] != '\t'))
		while (lex_at(lx, p) == '\t')
			p++;
	for (i = 0; i < h->ndelim; i++, p++) {
		if (!h->quoted)
			p = lex_skip(lx, p);
		if (p >= end || lx->s[p] != (unsigned char)d[i])
			return 0;
	}
	*next = p;
	if (!h->quoted)
		p = lex_skip(lx, p);
	if (p == end || lx->s[p] == '\n') {
		*next = p + (p < end);
		return 1;
	}
	if ((c != TOK_CMD && c != TOK_PROC) || lx->top->off == lx->pos)
		return 0;
	while (p < end && lx->s[p] != '\n' && lx->s[p] != ')')
		p++;
	return p < end && lx->s[p] == ')';
}

/* The line behind the one at p. */
static uint32_t
lex_line(const struct shlex *lx, uint32_t p, int joined)
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

static int lex_body_done(struct shlex *);

/* Finds the end of the next body and reads it. */
static int
lex_body(struct shlex *lx)
{
	struct shlex_frame *f = lx->top;
	struct shlex_heredoc *h;
	uint32_t p = lx->pos, next = lx->end;

	if (f->hd + f->n == lx->nhd) {
		lx->nhd = f->hd;
		f->n = 0;
		f->state = ST_TEXT;
		return LX_MORE;
	}
	lx->body = f->hd + f->n++;
	h = &lx->hd[lx->body];
	while (p < lx->end && !lex_is_delim(lx, h, p, &next))
		p = lex_line(lx, p, !h->quoted);
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
		return lex_body_done(lx);
	}
	lex_push(lx, M_BODY, TOK_LIT, STOP_BODY, SHTOK_QUOTED, lx->pos);
	lx->top->n = (uint32_t)lx->body;
	lx->holder = (uint32_t)(lx->top - lx->stack);
	lx->end = p;
	lx->soft++;
	return LX_MORE;
}

static int
lex_body_done(struct shlex *lx)
{
	struct shlex_heredoc *h = &lx->hd[lx->body];

	h->nbodytok = (uint32_t)lx->ntok - h->bodytok;
	if (h->next > lx->pos)
		lex_tok(lx, TOK_HDEND, h->next, lx->top->flags);
	return LX_BODY;
}

static int
lex_body_end(struct shlex *lx)
{
	lx->body = lx->top->n;
	lx->soft--;
	lex_pop(lx);
	return lex_body_done(lx);
}

int
shlex_bodies(struct shlex *lx)
{
	if (lx->nhd == lx->top->hd)
		return 0;
	lx->top->state = ST_BODIES;
	return 1;
}

/* ( or ) in arithmetic or a pattern. */
static int
lex_paren_delim(struct shlex *lx, int c)
{
	struct shlex_frame *f = lx->top;
	uint32_t p = lx->pos, off = f->off;
	int command = f->state == ST_COMMAND;

	if (c == '(') {
		f->n++;
	} else if (f->n > 0) {
		f->n--;
	} else if (f->mode == M_GROUP) {
		return lex_close(lx, p + 1);
	} else {
		p = lex_skip(lx, p + 1);
		if (lex_at(lx, p) != ')')
			return lex_rewind(lx);
		lex_close(lx, p + 1);
		if (!command)
			return LX_MORE;
		lx->off = off;
		lx->lexend = lx->pos;
		return LX_ARITH;
	}
	lex_lit(lx, p + 1);
	return LX_MORE;
}

/* [ ] in a subscript or $[ ]; } ends a subscript within ${ }. */
static int
lex_bracket_delim(struct shlex *lx, int c)
{
	struct shlex_frame *f = lx->top;

	if (c == '}') {
		lex_pop(lx);
		return LX_MORE;
	}
	if (c == '[') {
		f->n++;
	} else if (f->n > 0) {
		f->n--;
	} else {
		return lex_close(lx, lx->pos + 1);
	}
	lex_lit(lx, lx->pos + 1);
	return LX_MORE;
}

static int
lex_brace_delim(struct shlex *lx, int c)
{
	struct shlex_frame *f = lx->top;
	uint32_t p = lx->pos;

	if (c == '}')
		return lex_close(lx, p + 1);
	if (c == '/') {
		f->state = ST_TEXT;
		f->stop &= (uint16_t)~SLASH;
		lex_tok(lx, TOK_POP, p + 1, f->flags);
		return LX_MORE;
	}
	if (lex_at(lx, p + 1) == '(') {
		lx->wflags |= SHW_EXPAND;
		return lex_enter(lx, TOK_PROC, p + 2);
	}
	lex_lit(lx, p + 1);
	return LX_MORE;
}

static int
lex_delim(struct shlex *lx, int c)
{
	switch (lx->top->mode) {
	case M_BRACE: return lex_brace_delim(lx, c);
	case M_ARITH:
	case M_GROUP: return lex_paren_delim(lx, c);
	case M_BRACKET:
	case M_SUB: return lex_bracket_delim(lx, c);
	}
	return lex_word_delim(lx, c);
}

/* Behind name[...] of a word: = or += make it an assignment. */
static int
lex_index(struct shlex *lx)
{
	struct shlex_frame *f = lx->top;
	uint32_t p = lex_skip(lx, lx->pos);

	f->state = ST_TEXT;
	if (lex_at(lx, p) == '+')
		p = lex_skip(lx, p + 1);
	if (lex_at(lx, p) != '=')
		return LX_MORE;
	lx->wflags |= SHW_ASSIGN;
	lex_tok(lx, TOK_LIT, p + 1, f->flags | SHTOK_ASSIGN);
	if (lex_at(lx, lx->pos) == '(') {
		lx->wflags |= SHW_ARRAY;
		lex_open(lx, M_ARRAY, TOK_ARRAY, lx->pos + 1, STOP_ARRAY, 0);
	}
	return LX_MORE;
}

/* The text ends within the mode on top. */
static int
lex_cut(struct shlex *lx)
{
	static const uint8_t what[] = { SHLEX_OPEN_CMD, SHLEX_OK, SHLEX_OPEN_DQ,
		SHLEX_OPEN_BRACE, SHLEX_OPEN_ARITH, SHLEX_OPEN_ARITH,
		SHLEX_OPEN_SUB, SHLEX_OPEN_ARRAY, SHLEX_OPEN_GROUP };
	struct shlex_frame *f = lx->top;
	uint32_t off = f->off;
	int command = f->mode == M_ARITH && f->state == ST_COMMAND;

	switch (f->mode) {
	case M_WORD: return lex_word_end(lx);
	case M_PAIR:
		lx->soft--;
		lex_pop(lx);
		lex_lit(lx, lx->pos + 1);
		return LX_MORE;
	case M_BODY: return lex_body_end(lx);
	}
	lex_error(lx, what[f->mode], off, 1);
	lex_pop(lx);
	if (!command)
		return LX_MORE;
	lx->off = off;
	lx->lexend = lx->pos;
	return LX_ARITH;
}

/* A run of ordinary bytes and what ends it. */
static int
lex_text(struct shlex *lx)
{
	int c;

	switch (lx->top->state) {
	case ST_NAME: lex_brace_name(lx); break;
	case ST_OPER:
	case ST_OPER2: return lex_brace_oper(lx);
	case ST_INDEX: return lex_index(lx);
	}
	lex_lit(lx, lex_run(lx, lx->pos, lx->top->stop));
	if (lx->pos == lx->end)
		return lex_cut(lx);
	switch (c = lx->s[lx->pos]) {
	case '\\':
		if (lx->pos + 1 == lx->len && lx->top->mode == M_WORD)
			return lex_word_end(lx);
		return lex_bs(lx);
	case '\'': return lex_sq(lx);
	case '"': return lex_dq(lx, lx->pos + 1);
	case '`': return lex_backquote(lx, lx->pos);
	case '$': return lex_dollar(lx);
	}
	return lex_delim(lx, c);
}

static int
lex_word(struct shlex *lx)
{
	uint32_t p = lx->pos, q, off = p;
	int c;

	lx->wflags = 0;
	if ((lx->ctx & CTX_DASH) != 0 && lx->s[p] == '-') {
		lex_tok(lx, TOK_LIT, p + 1, lx->top->flags);
		return lex_word_done(lx, p, (uint32_t)lx->ntok - 1);
	}
	for (q = p; q < lx->end && (byte_class[lx->s[q]] & NAME) != 0; q++)
		;
	c = lex_at(lx, q);
	if (q > p && (byte_class[lx->s[p]] & ALPHA) != 0) {
		if (c == '=' || (c == '+' && lex_at(lx, q + 1) == '='))
			return lex_assign(lx, q + 1 + (c == '+'));
		if (c == '[' && (lx->ctx & CTX_ASSIGN) != 0) {
			lex_begin(lx);
			lex_lit(lx, q);
			lx->top->state = ST_INDEX;
			lex_open(lx, M_SUB, TOK_SUB, q + 1, STOP_BRACKET, 0);
			return LX_MORE;
		}
	}
	q = lex_run(lx, q, STOP_WORD);
	c = lex_at(lx, q);
	if (q == p || c == '<' || c == '>' || c == '(' || c == '|' ||
	    (q < lx->end && (byte_class[c] & META) == 0)) {
		lex_begin(lx);
		return lex_text(lx);
	}
	lex_tok(lx, TOK_LIT, q, lx->top->flags);
	return lex_word_done(lx, off, (uint32_t)lx->ntok - 1);
}

static int
lex_command(struct shlex *lx)
{
	struct shlex_frame *f = lx->top;
	const unsigned char *q;
	uint32_t p;

	if (f->state == ST_BODIES)
		return lex_body(lx);
	while ((p = lx->pos) < lx->end) {
		switch (lx->s[p]) {
		case ' ':
		case '\t':
			do
				p++;
			while (
			    p < lx->end && (byte_class[lx->s[p]] & BLANK) != 0);
			lex_tok(lx, TOK_BLANK, p, f->flags);
			continue;
		case '\\':
			if (lex_at(lx, p + 1) == '\n')
				lex_tok(lx, TOK_CONT, p + 2, f->flags);
			else if (p + 1 == lx->len) {
				shlex_warn(lx, SHWARN_LONEBS, p);
				lex_tok(lx, TOK_LONEBS, p + 1, f->flags);
			} else
				return lex_word(lx);
			continue;
		case '#':
			q = memchr(lx->s + p, '\n', lx->end - p);
			p = q != NULL ? (uint32_t)(q - lx->s) : lx->end;
			lex_tok(lx, TOK_COMMENT, p, f->flags);
			continue;
		case '\n':
			lex_tok(lx, TOK_NEWLINE, p + 1, f->flags);
			lx->off = p;
			lx->lexend = p + 1;
			if (lx->nhd > f->hd)
				f->state = ST_BODIES;
			return LX_NEWLINE;
		case '(':
		case '|':
			if ((lx->ctx & CTX_REGEX) != 0)
				return lex_word(lx);
			return lex_operator(lx);
		case '<':
		case '>':
			if (lex_at(lx, lex_skip(lx, p + 1)) == '(')
				return lex_word(lx);
			return lex_operator(lx);
		case ')':
		case '&':
		case ';': return lex_operator(lx);
		case '}':
			if (f->kind == TOK_CMD && f->clen != 0 &&
			    (lx->ctx & CTX_COMMAND) != 0) {
				lx->wflags = 0;
				lex_tok(lx, TOK_LIT, p + 1, f->flags);
				return lex_word_done(
				    lx, p, (uint32_t)lx->ntok - 1);
			}
			return lex_word(lx);
		default: return lex_word(lx);
		}
	}
	lx->off = lx->lexend = lx->end;
	return LX_END;
}

enum shlex_lexeme
shlex_next(struct shlex *lx, unsigned ctx)
{
	int k;

	lx->ctx = ctx;
	lx->error.what = SHLEX_OK;
	do
		k = lx->top->mode == M_CMD ? lex_command(lx) : lex_text(lx);
	while (k == LX_MORE);
	return (enum shlex_lexeme)k;
}
