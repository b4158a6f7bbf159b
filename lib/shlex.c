/*
 * The lexer is a stack of modes over one text. In a mode some classes of
 * bytes are special; runs of all others are skipped by one loop over a table.
 *
 * mode       opens at            closes at       special in it
 * M_CMD      the text, $( ` <(   ) ` }           blanks, operators, #
 *            >( ${ ;
 * M_WORD     a byte of a word    BLANK NL OPS    QUOTE EXP BS; ( behind one of
 *                                PAREN ANGLE     ?*+@! and <( >( do not close
 * M_DQ       " $"                "               EXP BS
 * M_BRACE    ${                  }               QUOTE EXP BS; <( >(; one /
 * M_ARITH    $(( ((              ))              QUOTE EXP BS ( )
 * M_BRACKET  $[                  ]               QUOTE EXP BS [
 * M_SUB      name[ ${name[       ]               QUOTE EXP BS [; <( >(
 * M_ARRAY    name=(              )               as M_WORD; BLANK NL # [
 * M_GROUP    ?( *( +( @( !(      )               QUOTE EXP BS (
 *            and ( of a regex
 * M_BODY     a here-document     its end         EXP BS
 * M_PAIR     ' in "${x:- }"      '               EXP BS
 *
 * BLANK space tab, NL newline, OPS | & ;, PAREN ( ), ANGLE < >, QUOTE ' ",
 * EXP $ `, BS backslash; all other bytes are ordinary, those above 127 too.
 *
 * '...', $'...', comments and the bodies of quoted here-documents are one
 * token each and need no mode. Text in M_DQ, M_ARITH, M_BRACKET, M_BODY and
 * M_PAIR, and in M_BRACE and M_SUB within one of these, is quoted: there a
 * backslash quotes only some bytes, and quotes within ${ } come in pairs but
 * mean nothing.
 *
 * Bodies of here-documents and text within backquotes end where their last
 * byte is, whatever is open then: they are read with end set to it. bash
 * reads them only when it runs them, so what is wrong in them is no error of
 * the script: they are soft. M_PAIR is as well.
 *
 * (( is read as arithmetic; when its end is not )), all since is forgotten
 * and it is read again as two parentheses. That is remembered for the place,
 * and all bytes read twice are counted, so that no text is worse than linear.
 */
#include "shlex.h"

#include <limits.h>
#include <string.h>

#include "mem.h"
#include "shread.h"

#define A4 ALPHA, ALPHA, ALPHA, ALPHA
#define D5 DIGIT, DIGIT, DIGIT, DIGIT, DIGIT
#define O4 0, 0, 0, 0
const uint16_t shlex_class[256] = {
	O4, O4, 0, BLANK, NL, 0, O4, O4, O4, O4, O4, /* 00 to 1f */
	BLANK, 0, DQ, HASH, EXP, 0, OPS, SQ, /* space ! " # $ % & ' */
	PAREN, PAREN, O4, 0, SLASH, /* ( ) * + , - . / */
	D5, D5, 0, OPS, ANGLE, 0, ANGLE, 0, /* 0 to 9 : ; < = > ? */
	0, ALPHA, ALPHA, ALPHA, A4, A4, A4, /* @ A to O */
	A4, A4, ALPHA, ALPHA, ALPHA, /* P to Z */
	BRACKET, BS, BRACKET, 0, ALPHA, /* [ \ ] ^ _ */
	EXP, ALPHA, ALPHA, ALPHA, A4, A4, A4, /* ` a to o */
	A4, A4, ALPHA, ALPHA, ALPHA, /* p to z */
	0, OPS, RBRACE, 0, 0 /* { | } ~ DEL, and all above */
};

enum {
	STOP_WORD = META | BS | QUOTE | EXP,
	STOP_PAREN = BS | QUOTE | EXP | PAREN,
	STOP_BRACKET = BS | QUOTE | EXP | BRACKET,
	INHERIT = 128
};

static const struct {
	uint16_t stop;
	uint8_t kind, flags, error;
} modes[] = {
	/* special; opens and closes; flags of its literals; when cut off */
	[M_CMD] = { 0, TOK_CMD, 0, SHLEX_OPEN_CMD },
	[M_WORD] = { STOP_WORD, TOK_LIT, 0, 0 },
	[M_DQ] = { BS | DQ | EXP, TOK_DQ, SHTOK_QUOTED, SHLEX_OPEN_DQ },
	[M_BRACE] = { STOP_BRACE, TOK_BRACE, INHERIT, SHLEX_OPEN_BRACE },
	[M_ARITH] = { STOP_PAREN, TOK_ARITH, SHTOK_QUOTED, SHLEX_OPEN_ARITH },
	[M_BRACKET] = { STOP_BRACKET, TOK_ARITH, SHTOK_QUOTED,
	    SHLEX_OPEN_ARITH },
	[M_SUB] = { STOP_BRACKET | ANGLE, TOK_SUB, INHERIT, SHLEX_OPEN_SUB },
	[M_ARRAY] = { STOP_WORD | HASH | BRACKET, TOK_ARRAY, 0,
	    SHLEX_OPEN_ARRAY },
	[M_GROUP] = { STOP_PAREN, TOK_GROUP, 0, SHLEX_OPEN_GROUP },
	[M_BODY] = { BS | EXP, TOK_HDBODY, SHTOK_QUOTED, 0 },
	[M_PAIR] = { BS | EXP, TOK_LIT, SHTOK_QUOTED, 0 }
};

void
shlex_init(struct shlex *lx, const char *s, size_t len)
{
	memset(lx, 0, sizeof *lx);
	lx->s = (const unsigned char *)s;
	lx->len = lx->end = (uint32_t)len;
	/* of each level its construct, and a word, body or pair around */
	lx->stack = mem_alloc(
	    (2 * SHLEX_DEPTH + 2 * SOFT_LIMIT + 4) * sizeof *lx->stack);
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
	mem_free(lx->stack);
	mem_free(lx->hd);
	mem_free(lx->delims);
	mem_free(lx->notarith);
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

void
shlex_error(struct shlex *lx, enum shlex_error what, uint32_t off, uint32_t len)
{
	lx->broken = 1;
	if (lx->soft != 0 || lx->error.what != SHLEX_OK)
		return;
	lx->error.what = what;
	lx->error.off = off;
	lx->error.len = len;
}

int
shlex_deeper(struct shlex *lx)
{
	if (lx->depth >= SHLEX_DEPTH) {
		shlex_error(lx, SHLEX_DEEP, lx->pos, 1);
		return 0;
	}
	lx->depth++;
	return 1;
}

void
shlex_higher(struct shlex *lx)
{
	lx->depth--;
}

/* Words, bodies and pairs stand at the level of what they are in. */
static int
mode_is_level(unsigned mode)
{
	return mode != M_WORD && mode != M_BODY && mode != M_PAIR;
}

struct shlex_frame *
shlex_push(struct shlex *lx, enum shlex_mode mode, uint32_t off)
{
	unsigned flags = modes[mode].flags;
	struct shlex_frame *f;

	if (flags == INHERIT)
		flags = lx->top->flags & SHTOK_QUOTED;
	if (lx->bq != 0)
		flags |= SHTOK_BQLEVEL | (lx->bq > 1 ? SHTOK_BQDEEP : 0);
	lx->depth += (unsigned)mode_is_level(mode);
	f = ++lx->top;
	f->mode = (uint8_t)mode;
	f->state = ST_TEXT;
	f->kind = modes[mode].kind;
	f->lit = mode == M_BODY ? TOK_HDBODY : TOK_LIT;
	f->flags = (uint8_t)flags;
	f->wflags = lx->wflags;
	f->brace = f->closing = 0;
	f->stop = modes[mode].stop;
	f->off = off;
	f->tok = (uint32_t)lx->ntok;
	f->n = 0;
	f->hd = (uint32_t)lx->nhd;
	f->end = lx->end;
	f->holder = lx->holder;
	return f;
}

void
shlex_pop(struct shlex *lx)
{
	struct shlex_frame *f = lx->top--;

	lx->depth -= (unsigned)mode_is_level(f->mode);
	lx->end = f->end;
	lx->holder = f->holder;
}

/* Opens a mode with a token that ends at end; too deep: it is literal. */
struct shlex_frame *
shlex_open(struct shlex *lx, enum shlex_mode mode, unsigned kind, uint32_t end)
{
	uint32_t off = lx->pos;
	struct shlex_frame *f;

	if (!shlex_deeper(lx)) {
		lex_lit(lx, end);
		return NULL;
	}
	shlex_higher(lx);
	lex_tok(lx, kind, end, lx->top->flags);
	f = shlex_push(lx, mode, off);
	f->kind = (uint8_t)kind;
	return f;
}

int
shlex_close(struct shlex *lx, uint32_t end)
{
	unsigned kind = lx->top->kind;

	shlex_pop(lx);
	lex_tok(lx, kind, end, lx->top->flags | SHTOK_CLOSE);
	return LX_MORE;
}

int
shlex_enter(struct shlex *lx, struct shlex_frame *f)
{
	if (f == NULL)
		return LX_MORE;
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
		if (f->closing != 0)
			shlex_close(lx, lx->pos + f->closing);
		else
			shlex_pop(lx);
		return;
	}
	shlex_pop(lx);
	if (closed) {
		t = &lx->tok[lx->ntok - 1];
		t->kind = f->kind;
		t->flags = (uint8_t)(lx->top->flags | SHTOK_CLOSE);
		t->op = OP_NONE;
		t->depth = lex_depth(lx);
	}
}

/* --- quoting ------------------------------------------------------------ */

int
shlex_quotes(const struct shlex *lx, int c)
{
	const struct shlex_frame *f = lx->top;

	if ((f->flags & SHTOK_QUOTED) == 0 || c == '$' || c == '`' || c == '\\')
		return 1;
	if (f->mode == M_BODY || f->mode == M_PAIR)
		return 0;
	return c == '"' || (f->mode == M_BRACE && c == '}');
}

/* Warns when only blanks are between a backslash and the end of its line. */
static void
lex_bsblank(struct shlex *lx, uint32_t p)
{
	uint32_t q = lex_span(lx, p + 1, BLANK);

	if (q > p + 1 && lx->top->mode != M_BODY &&
	    (q == lx->end || lx->s[q] == '\n'))
		shlex_warn(lx, SHWARN_BSBLANK, p);
}

int
shlex_bs(struct shlex *lx)
{
	uint32_t p = lx->pos;
	int c = lex_at(lx, p + 1);

	if (lx->bq != 0)
		return shlex_eaten(lx);
	if (c == '\n') {
		lex_tok(lx, TOK_CONT, p + 2, lx->top->flags);
		return LX_MORE;
	}
	if (p + 1 == lx->end) {
		if (lx->end == lx->len && lx->top->mode == M_ARRAY)
			lex_tok(lx, TOK_LONEBS, p + 1, 0);
		else
			lex_lit(lx, p + 1);
		return LX_MORE;
	}
	lex_bsblank(lx, p);
	if (shlex_quotes(lx, c)) {
		lex_tok(lx, TOK_ESC, p + 2, lx->top->flags);
		lx->wflags |= SHW_QUOTED;
	} else {
		lex_lit(lx, p + 2);
	}
	return LX_MORE;
}

/* '...' whose first quote is at p; with esc a backslash quotes. */
int
shlex_quoted(struct shlex *lx, enum shtok_kind kind, uint32_t p, int esc)
{
	uint32_t off = lx->pos;

	lx->wflags |= SHW_QUOTED;
	for (p++; p < lx->end && lx->s[p] != '\''; p++)
		p += esc && lx->s[p] == '\\';
	if (p >= lx->end) {
		shlex_error(lx, SHLEX_OPEN_SQ, off, 1);
		p = lx->end - 1;
	}
	lex_tok(lx, kind, p + 1, lx->top->flags);
	return LX_MORE;
}

static int
lex_sq(struct shlex *lx)
{
	const struct shlex_frame *f = lx->top;
	uint32_t p = lx->pos;
	const unsigned char *q;

	if (f->mode != M_BRACE || (f->flags & SHTOK_QUOTED) == 0)
		return shlex_quoted(lx, TOK_SQ, p, 0);
	lex_lit(lx, p + 1);
	q = p + 1 < lx->end ? memchr(lx->s + p + 1, '\'', lx->end - p - 1)
			    : NULL;
	if (q == NULL) {
		shlex_error(lx, SHLEX_OPEN_SQ, p, 1);
		lex_lit(lx, lx->end);
	} else if (lx->soft < SOFT_LIMIT) {
		shlex_push(lx, M_PAIR, p);
		lx->top->tok = f->tok;
		lx->soft++;
		lx->end = (uint32_t)(q - lx->s);
	} else {
		lex_lit(lx, (uint32_t)(q - lx->s) + 1);
	}
	return LX_MORE;
}

/* A double quote that ends at end. */
int
shlex_dq(struct shlex *lx, uint32_t end)
{
	lx->wflags |= SHW_QUOTED;
	if (lx->top->mode == M_DQ)
		return shlex_close(lx, end);
	shlex_open(lx, M_DQ, TOK_DQ, end);
	return LX_MORE;
}

/* --- words -------------------------------------------------------------- */

/* The word that begins at off with token tok ends here. */
static int
lex_word_done(struct shlex *lx, uint32_t off, uint32_t tok)
{
	struct shword *w = &lx->word;
	uint32_t n = (uint32_t)lx->ntok - tok;

	w->off = lx->off = off;
	w->end = lx->pos;
	while (lx->tok[tok + n - 1].kind == TOK_CONT)
		w->end = lx->tok[tok + --n].off;
	w->tok = tok;
	w->ntok = n;
	w->flags = lx->wflags;
	lx->lexend = w->end;
	return LX_WORD;
}

/* Whether the bytes are what can stand right before a redirection. */
static int
lex_is_io(struct shlex *lx, uint32_t off, uint32_t end)
{
	const unsigned char *s = lx->s;
	uint32_t p = off;
	int64_t n = 0;

	if (s[p] == '{') {
		p = lex_span(lx, p + 1, NAME);
		if ((lex_class(lx, off + 1) & ALPHA) == 0 || p >= end ||
		    s[end - 1] != '}' ||
		    (p != end - 1 && (s[p] != '[' || s[end - 2] != ']')))
			return 0;
		lx->fd = SH_FD_VAR;
		return 1;
	}
	for (; p < end && (shlex_class[s[p]] & DIGIT) != 0; p++)
		if ((n = n * 10 + (s[p] - '0')) > INT_MAX)
			return 0;
	lx->fd = (int32_t)n;
	return p == end;
}

static int lex_operator(struct shlex *, int32_t fd);

static int
lex_word_end(struct shlex *lx)
{
	struct shlex_frame *f = lx->top;
	int c = lex_at(lx, lx->pos);
	struct shtok *t;

	lex_word_done(lx, f->off, f->tok);
	shlex_pop(lx);
	t = &lx->tok[lx->word.tok];
	if ((c != '<' && c != '>') || lx->word.ntok != 1 ||
	    (lx->ctx & (CTX_COND | CTX_DASH)) != 0 || t->kind != TOK_LIT ||
	    !lex_is_io(lx, lx->word.off, lx->word.end))
		return LX_WORD;
	t->kind = TOK_IO;
	lex_operator(lx, lx->fd);
	lx->off = lx->word.off;
	return LX_REDIR;
}

/*
 * Whether a ( at pos opens a pattern: behind ?*+@! and not a function's
 * parentheses. Where a command may begin, !( is a negated subshell unless
 * shopt -s extglob was seen.
 */
static int
lex_is_group(const struct shlex *lx, uint32_t start)
{
	int c;

	if (lx->pos == start || lx->tok[lx->ntok - 1].kind != TOK_LIT)
		return 0;
	c = lx->s[lx->pos - 1];
	if ((lx->ctx & CTX_COMMAND) != 0 && !lx->extglob &&
	    ((c == '!' && lx->pos == start + 1) ||
		lex_at(lx, lx->pos + 1) == ')'))
		return 0;
	return c == '?' || c == '*' || c == '+' || c == '@' || c == '!';
}

int
shlex_comment(struct shlex *lx)
{
	const unsigned char *q =
	    memchr(lx->s + lx->pos, '\n', lx->end - lx->pos);
	size_t i = lx->ntok;

	while (i > 0 && lx->tok[i - 1].kind == TOK_BLANK)
		i--;
	if (i > 0 && lx->tok[i - 1].kind == TOK_CONT)
		shlex_warn(lx, SHWARN_COMMENT, lx->pos);
	lex_tok(lx, TOK_COMMENT, q != NULL ? (uint32_t)(q - lx->s) : lx->end,
	    lx->top->flags);
	return LX_MORE;
}

/* A metacharacter in a word or array. */
static int
lex_meta(struct shlex *lx, int c)
{
	struct shlex_frame *f = lx->top;
	uint32_t p = lx->pos;

	if ((c == '<' || c == '>') && lex_at(lx, lex_skip(lx, p + 1)) == '(')
		return shlex_angle(lx);
	if (c == '(' &&
	    (lex_is_group(lx, f->off) ||
		(f->mode == M_WORD && (lx->ctx & CTX_REGEX) != 0))) {
		shlex_open(lx, M_GROUP, TOK_GROUP, p + 1);
		return LX_MORE;
	}
	if (f->mode == M_ARRAY)
		return shlex_array(lx, c);
	if (c == '|' && (lx->ctx & CTX_REGEX) != 0) {
		lex_lit(lx, p + 1);
		return LX_MORE;
	}
	return lex_word_end(lx);
}

/* The end of (( or $(( with what closes it, up to end, or without. */
static int
lex_arith_end(struct shlex *lx, uint32_t end)
{
	int command = lx->top->state == ST_COMMAND;
	uint32_t off = lx->top->off;

	if (end > lx->pos)
		shlex_close(lx, end);
	else
		shlex_pop(lx);
	if (!command)
		return LX_MORE;
	lx->off = off;
	lx->lexend = lx->pos;
	return LX_ARITH;
}

/* Forgets all since (( and remembers that it is not arithmetic. */
static int
lex_rewind(struct shlex *lx)
{
	struct shlex_frame *f = lx->top;
	uint32_t off = f->off;

	lx->reread += lx->pos - off;
	if (lx->reread > (size_t)lx->len * REREAD_LIMIT + REREAD_FREE) {
		shlex_error(lx, SHLEX_DEEP, off, 2);
		return lex_arith_end(lx, lx->pos + 1);
	}
	if (lx->notarith == NULL)
		lx->notarith = mem_zero(lx->len / 8 + 1, 1);
	lx->notarith[off / 8] |= (unsigned char)(1U << off % 8);
	lx->nhd = f->hd;
	lx->ntok = f->tok - 1;
	lx->pos = off;
	lx->off = off;
	shlex_pop(lx);
	return LX_REWIND;
}

/* ( ) [ ] where they nest. */
static int
lex_nested(struct shlex *lx, int c)
{
	struct shlex_frame *f = lx->top;
	uint32_t p = lx->pos;

	if (c == '(' || c == '[') {
		f->n++;
	} else if (f->n > 0) {
		f->n--;
	} else if (f->mode == M_ARITH) {
		p = lex_skip(lx, p + 1);
		if (lex_at(lx, p) != ')')
			return lex_rewind(lx);
		return lex_arith_end(lx, p + 1);
	} else {
		return shlex_close(lx, p + 1);
	}
	lex_lit(lx, p + 1);
	return LX_MORE;
}

/* The text ends within the mode on top. */
static int
lex_cut(struct shlex *lx)
{
	struct shlex_frame *f = lx->top;

	switch (f->mode) {
	case M_WORD: return lex_word_end(lx);
	case M_BODY: return shlex_body_end(lx);
	case M_PAIR:
		lx->soft--;
		shlex_pop(lx);
		lex_lit(lx, lx->pos + 1);
		return LX_MORE;
	}
	shlex_error(lx, modes[f->mode].error, f->off, 1);
	return lex_arith_end(lx, lx->pos);
}

/* A run of ordinary bytes and the special one behind it. */
static int
lex_text(struct shlex *lx)
{
	struct shlex_frame *f = lx->top;
	int c;

	switch (f->state) {
	case ST_NAME: return shlex_brace_name(lx);
	case ST_SUBSCRIPT:
	case ST_OPERATOR: return shlex_brace_operator(lx);
	case ST_INDEX: return shlex_index(lx);
	}
	lex_lit(lx, lex_run(lx, lx->pos, f->stop));
	if (lx->pos == lx->end)
		return lex_cut(lx);
	switch (c = lx->s[lx->pos]) {
	case '\\':
		if (f->mode == M_WORD && lx->pos + 1 == lx->len)
			return lex_word_end(lx);
		return shlex_bs(lx);
	case '\'': return lex_sq(lx);
	case '"': return shlex_dq(lx, lx->pos + 1);
	case '`': return shlex_backquote(lx, lx->pos);
	case '$': return shlex_dollar(lx);
	}
	switch (f->mode) {
	case M_BRACE: return shlex_brace_byte(lx, c);
	case M_SUB:
		if (c == '<' || c == '>')
			return shlex_angle(lx);
		if (c == '}') {
			shlex_pop(lx);
			return LX_MORE;
		}
		return lex_nested(lx, c);
	case M_ARITH:
	case M_GROUP:
	case M_BRACKET: return lex_nested(lx, c);
	}
	return lex_meta(lx, c);
}

/* Begins a word whose parts are yet to be read. */
void
shlex_word_begin(struct shlex *lx)
{
	shlex_push(lx, M_WORD, lx->pos);
	lx->holder = (uint32_t)(lx->top - lx->stack);
}

static int
lex_word(struct shlex *lx)
{
	uint32_t p = lx->pos, q = lex_span(lx, p, NAME);
	int c = lex_at(lx, q);

	lx->wflags = 0;
	if (q > p && (shlex_class[lx->s[p]] & ALPHA) != 0 &&
	    (c == '=' || c == '+' || c == '[' || c == '\\') && shlex_assign(lx))
		return LX_MORE;
	q = lex_run(lx, q, STOP_WORD);
	if (q > p && (lex_class(lx, q) & (STOP_WORD ^ BLANK ^ NL)) == 0) {
		lex_tok(lx, TOK_LIT, q, lx->top->flags);
		return lex_word_done(lx, p, (uint32_t)lx->ntok - 1);
	}
	shlex_word_begin(lx);
	return lex_text(lx);
}

/* One byte that is a word by itself. */
static int
lex_single(struct shlex *lx)
{
	lx->wflags = 0;
	lex_tok(lx, TOK_LIT, lx->pos + 1, lx->top->flags);
	return lex_word_done(lx, lx->pos - 1, (uint32_t)lx->ntok - 1);
}

/* --- commands ----------------------------------------------------------- */

static const struct {
	char s[4];
	uint8_t op, redir;
} operators[] = {
	/* longer ones first */
	{ ";;&", OP_DSEMIAMP, 0 }, { "<<-", OP_DLESSDASH, 1 },
	{ "<<<", OP_TLESS, 1 }, { "&>>", OP_AMPDGREAT, 1 },
	{ ";;", OP_DSEMI, 0 }, { ";&", OP_SEMIAMP, 0 }, { "&&", OP_ANDIF, 0 },
	{ "||", OP_ORIF, 0 }, { "|&", OP_PIPEAMP, 0 }, { "&>", OP_AMPGREAT, 1 },
	{ ">>", OP_DGREAT, 1 }, { "<<", OP_DLESS, 1 }, { "<&", OP_LESSAMP, 1 },
	{ ">&", OP_GREATAMP, 1 }, { "<>", OP_LESSGREAT, 1 },
	{ ">|", OP_CLOBBER, 1 }, { ";", OP_SEMI, 0 }, { "&", OP_AMP, 0 },
	{ "|", OP_PIPE, 0 }, { "(", OP_LPAREN, 0 }, { ")", OP_RPAREN, 0 },
	{ "<", OP_LESS, 1 }, { ">", OP_GREAT, 1 }
};

/* The operator at pos, behind a descriptor. */
static int
lex_operator(struct shlex *lx, int32_t fd)
{
	uint32_t at[4], off = lx->pos;
	int c[4];
	size_t i, n;

	at[0] = off;
	for (i = 0; i < 3; i++) {
		c[i] = lex_at(lx, at[i]);
		at[i + 1] = lex_skip(lx, at[i] + 1);
	}
	for (i = 0;; i++) {
		for (n = 0; n < 3 && c[n] != 0 && c[n] == operators[i].s[n];)
			n++;
		if (n > 0 && operators[i].s[n] == '\0')
			break;
	}
	lx->op = operators[i].op;
	lx->off = off;
	lx->fd = fd;
	lex_tok(lx, operators[i].redir ? TOK_REDIR : TOK_OP, at[n - 1] + 1,
	    lx->top->flags)
	    ->op = lx->op;
	lx->lexend = lx->pos;
	return operators[i].redir ? LX_REDIR : LX_OP;
}

/* ( where a command may begin. */
static int
lex_open_paren(struct shlex *lx)
{
	uint32_t p = lx->pos, q = lex_skip(lx, p + 1);
	struct shlex_frame *f;

	if ((lx->ctx & CTX_COMMAND) == 0 || lex_at(lx, q) != '(' ||
	    !shlex_is_arith(lx, p))
		return lex_operator(lx, SH_FD_DEFAULT);
	f = shlex_open(lx, M_ARITH, TOK_ARITH, q + 1);
	if (f != NULL) {
		f->state = ST_COMMAND;
		lx->holder = (uint32_t)(f - lx->stack);
	}
	return LX_MORE;
}

static int
lex_newline(struct shlex *lx)
{
	lx->off = lx->pos;
	lex_tok(lx, TOK_NEWLINE, lx->pos + 1, lx->top->flags);
	lx->lexend = lx->pos;
	if (lx->nhd > lx->top->hd)
		lx->top->state = ST_BODIES;
	return LX_NEWLINE;
}

/* A backslash between words. */
static int
lex_between(struct shlex *lx)
{
	uint32_t p = lx->pos, n = shlex_joined(lx);

	if (n != 0) {
		lex_tok(lx, TOK_CONT, p + n, lx->top->flags);
		return LX_MORE;
	}
	if (p + 1 < lx->len)
		return lex_word(lx);
	shlex_warn(lx, SHWARN_LONEBS, p);
	lex_tok(lx, TOK_LONEBS, p + 1, lx->top->flags);
	return LX_MORE;
}

/* What stands between words, up to the next lexeme or the start of it. */
static int
lex_command(struct shlex *lx)
{
	struct shlex_frame *f = lx->top;
	int c;

	if (f->state == ST_BODIES)
		return shlex_body(lx);
	if ((lex_class(lx, lx->pos) & BLANK) != 0)
		lex_tok(lx, TOK_BLANK, lex_span(lx, lx->pos, BLANK), f->flags);
	if (lx->pos == lx->end) {
		lx->off = lx->lexend = lx->end;
		return LX_END;
	}
	switch (c = lx->s[lx->pos]) {
	case ' ':
	case '\t': return LX_MORE;
	case '\n': return lex_newline(lx);
	case '\\': return lex_between(lx);
	case '#': return shlex_comment(lx);
	case '(':
	case '|':
		if ((lx->ctx & CTX_REGEX) != 0)
			break;
		if (c == '(')
			return lex_open_paren(lx);
		return lex_operator(lx, SH_FD_DEFAULT);
	case '<':
	case '>':
		if (lex_at(lx, lex_skip(lx, lx->pos + 1)) == '(')
			break;
		return lex_operator(lx, SH_FD_DEFAULT);
	case ')':
	case '&':
	case ';': return lex_operator(lx, SH_FD_DEFAULT);
	case '}':
		if (f->brace && (lx->ctx & CTX_COMMAND) != 0)
			return lex_single(lx);
		break;
	case '-':
		if ((lx->ctx & CTX_DASH) != 0)
			return lex_single(lx);
		break;
	}
	return lex_word(lx);
}

enum shlex_lexeme
shlex_next(struct shlex *lx, unsigned ctx)
{
	int k;

	lx->ctx = ctx;
	lx->error.what = SHLEX_OK;
	lx->broken = 0;
	do
		k = lx->top->mode == M_CMD ? lex_command(lx) : lex_text(lx);
	while (k == LX_MORE);
	return (enum shlex_lexeme)k;
}
