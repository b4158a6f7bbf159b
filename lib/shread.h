/*
 * The inside of the reader: what the lexer's files share, and the lexemes
 * that the parser (shcmd.c) asks for.
 *
 * The parser asks for one lexeme after the other and says what it expects;
 * the lexer appends leaf tokens as it passes over the text. At a nested
 * command (LX_SUBST) the parser reads that one's lexemes up to its end, then
 * calls shlex_leave, and the word that holds it goes on.
 */
#ifndef SHREAD_H
#define SHREAD_H

#include <stddef.h>
#include <stdint.h>

#include "mem.h"
#include "shlex.h"

/* What the parser expects, and so what may be recognised. */
enum {
	CTX_COMMAND = 1, /* a command may begin: (( is arithmetic */
	CTX_ASSIGN = 2, /* name[...]= and name=(...) */
	CTX_DECL = 4, /* name=(...) among the arguments of declare ... */
	CTX_COND = 8, /* within [[ ]]: no numbers before < and > */
	CTX_REGEX = 16, /* behind =~: ( and | belong to the word */
	CTX_DASH = 32 /* behind <& and >&: a dash stands alone */
};

enum shlex_lexeme {
	LX_MORE, /* not given out */
	LX_END, /* of the text, of a backquoted command */
	LX_NEWLINE,
	LX_WORD,
	LX_OP,
	LX_REDIR,
	LX_ARITH, /* all of (( )) */
	LX_SUBST, /* a nested command opens */
	LX_BODY, /* a here-document was read: body */
	LX_REWIND /* what was read behind off is read again as commands */
};

enum shlex_mode {
	M_CMD,
	M_WORD,
	M_DQ,
	M_BRACE,
	M_ARITH,
	M_BRACKET,
	M_SUB,
	M_ARRAY,
	M_GROUP,
	M_BODY,
	M_PAIR
};

/* Where in its construct a frame is. */
enum shlex_state {
	ST_TEXT,
	ST_BODIES, /* M_CMD: here-documents come next */
	ST_COMMAND, /* M_ARITH: (( )) as a command */
	ST_REPLACE, /* M_BRACE: in the pattern of ${x/pattern/string} */
	ST_NAME, /* M_BRACE: behind ${ */
	ST_SUBSCRIPT, /* behind the name */
	ST_OPERATOR, /* behind the subscript */
	ST_INDEX /* M_WORD: behind name[...] */
};

struct shlex_frame {
	uint8_t mode, state;
	uint8_t kind; /* of the tokens that open and close it */
	uint8_t lit; /* of its literals, and their flags */
	uint8_t flags;
	uint8_t wflags; /* of the word around */
	uint8_t brace; /* M_CMD: ${ ; } */
	uint8_t closing; /* M_CMD: length of the closing backquote */
	uint16_t stop; /* classes of bytes that are not ordinary in it */
	uint32_t off, tok; /* where it opens, the first token within */
	uint32_t n; /* open parentheses; M_CMD: here-documents read */
	uint32_t hd; /* here-documents outside */
	uint32_t end; /* what to go back to */
	uint32_t holder;
};

struct shlex_heredoc {
	uint32_t delim, ndelim; /* in delims */
	uint32_t off; /* of the operator */
	uint32_t redir, node; /* the parser's */
	uint32_t body, bodyend, next; /* the text goes on at next */
	uint32_t bodytok, nbodytok;
	uint8_t dash, quoted, eof;
};

struct shlex {
	const unsigned char *s;
	uint32_t len, pos, end; /* end: of what may be read now */
	struct shtok *tok;
	size_t ntok, captok;
	struct shlex_frame *stack, *top;
	unsigned ctx, depth;
	unsigned soft; /* texts around that bash reads only when it runs them */
	unsigned bq; /* backquotes around */
	uint32_t bqdq; /* bit i: the i-th of them stands in double quotes */
	uint32_t holder; /* frame of the word, body or (( )) being read */
	uint8_t wflags;
	int extglob; /* shopt -s extglob was seen */
	struct shlex_heredoc *hd; /* pending; those of inner levels last */
	size_t nhd, caphd, body;
	char *delims;
	size_t ndelims, capdelims;
	unsigned char *notarith; /* bit i: (( at i is not arithmetic */
	size_t reread;
	/* the lexeme */
	uint32_t off, lexend;
	uint8_t op;
	int32_t fd;
	struct shword word;
	/* what was wrong in it; SHLEX_OK: nothing; soft: not in the script */
	struct sherror error;
	int broken;
	struct shwarning *warning;
	size_t nwarning, capwarning;
};

void shlex_init(struct shlex *, const char *, size_t);
/* Frees all but the tokens and warnings, which are the caller's. */
void shlex_end(struct shlex *);
enum shlex_lexeme shlex_next(struct shlex *, unsigned ctx);
/* Ends a nested command; closed: the lexeme read last does. */
void shlex_leave(struct shlex *, int closed);
/* A here-document whose body comes behind this line. */
void shlex_heredoc(
    struct shlex *, const struct shlex_heredoc *, const char *delim, size_t n);
/* At the end of the text: 1 when bodies are still to come, now. */
int shlex_bodies(struct shlex *);
void shlex_warn(struct shlex *, enum sh_warn, uint32_t off);
/* One construct deeper: 0 when that is too deep. And out of it. */
int shlex_deeper(struct shlex *);
void shlex_higher(struct shlex *);

/* --- between the files of the lexer --- */

enum {
	SOFT_LIMIT = 16, /* soft texts within each other; deeper is literal */
	REREAD_LIMIT = 16, /* times the length of the text, and some bytes */
	REREAD_FREE = 1 << 16,

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
	STOP_BRACE = BS | QUOTE | EXP | RBRACE | ANGLE,
	STOP_QUOTED = BS | QUOTE | EXP | RBRACE
};
extern const uint16_t shlex_class[256];

void shlex_error(struct shlex *, enum shlex_error, uint32_t off, uint32_t len);
struct shlex_frame *shlex_push(struct shlex *, enum shlex_mode, uint32_t off);
void shlex_pop(struct shlex *);
/* Opens a mode with a token that ends at end; too deep: a literal, NULL. */
struct shlex_frame *shlex_open(
    struct shlex *, enum shlex_mode, unsigned kind, uint32_t end);
/* Closes the mode on top with a token that ends at end. */
int shlex_close(struct shlex *, uint32_t end);
/* A nested command was pushed. */
int shlex_enter(struct shlex *, struct shlex_frame *);
/* What begins at pos: a backslash; '...' whose first quote is at p, in which
 * with esc a backslash quotes; a double quote that ends at end; a dollar. */
int shlex_bs(struct shlex *);
int shlex_quoted(struct shlex *, enum shtok_kind, uint32_t p, int esc);
int shlex_dq(struct shlex *, uint32_t end);
int shlex_dollar(struct shlex *);
/* Opens a word at pos, up to the = and an array's parenthesis, or the bracket,
 * of an assignment; 0: none begins there. Its = behind name[...]. */
int shlex_assign(struct shlex *);
int shlex_index(struct shlex *);
/* A special byte in an array; a comment; a word whose parts come next. */
int shlex_array(struct shlex *, int c);
int shlex_comment(struct shlex *);
void shlex_word_begin(struct shlex *);
/* ${ }: the name, the operator, a byte that is special. */
int shlex_brace_name(struct shlex *);
int shlex_brace_operator(struct shlex *);
int shlex_brace_byte(struct shlex *, int c);
/* Whether (( or $(( at p may be arithmetic. */
int shlex_is_arith(const struct shlex *, uint32_t p);
/* < or >: a process substitution, or literal. */
int shlex_angle(struct shlex *);
/* Here-documents: the next body, and its end. */
int shlex_body(struct shlex *);
int shlex_body_end(struct shlex *);
/* A backquote at p; backslashes from pos on belong to it. */
int shlex_backquote(struct shlex *, uint32_t p);
/* Backslashes within backquotes; and the length of a continuation at pos,
 * within them or not. */
int shlex_eaten(struct shlex *);
uint32_t shlex_joined(const struct shlex *);
/* Whether a backslash quotes c in the mode on top. */
int shlex_quotes(const struct shlex *, int c);

/* The byte at p, NUL at the end. */
static inline int
lex_at(const struct shlex *lx, uint32_t p)
{
	return p < lx->end ? lx->s[p] : 0;
}

static inline unsigned
lex_class(const struct shlex *lx, uint32_t p)
{
	return p < lx->end ? shlex_class[lx->s[p]] : 0;
}

/* Skips continuations: where the next byte is that counts. */
static inline uint32_t
lex_skip(const struct shlex *lx, uint32_t p)
{
	while (p + 1 < lx->end && lx->s[p] == '\\' && lx->s[p + 1] == '\n')
		p += 2;
	return p;
}

/* The first byte from p on that is of a class in stop, or the end. */
static inline uint32_t
lex_run(const struct shlex *lx, uint32_t p, unsigned stop)
{
	const unsigned char *s = lx->s + p, *end = lx->s + lx->end;

	for (; end - s >= 4; s += 4) {
		if ((shlex_class[s[0]] & stop) != 0)
			goto found;
		if ((shlex_class[s[1]] & stop) != 0) {
			s += 1;
			goto found;
		}
		if ((shlex_class[s[2]] & stop) != 0) {
			s += 2;
			goto found;
		}
		if ((shlex_class[s[3]] & stop) != 0) {
			s += 3;
			goto found;
		}
	}
	while (s < end && (shlex_class[*s] & stop) == 0)
		s++;
found:
	return (uint32_t)(s - lx->s);
}

/* The first byte from p on that is not. */
static inline uint32_t
lex_span(const struct shlex *lx, uint32_t p, unsigned classes)
{
	while ((lex_class(lx, p) & classes) != 0)
		p++;
	return p;
}

/* The end of the name at p, which continuations may split. */
static inline uint32_t
lex_name_end(const struct shlex *lx, uint32_t p)
{
	uint32_t end;

	do
		end = lex_span(lx, p, NAME);
	while ((p = lex_skip(lx, end)) > end && (lex_class(lx, p) & NAME) != 0);
	return end;
}

static inline uint8_t
lex_depth(const struct shlex *lx)
{
	return (uint8_t)(lx->depth < 255 ? lx->depth : 255);
}

/* The token from pos to end. */
static inline struct shtok *
lex_tok(struct shlex *lx, unsigned kind, uint32_t end, unsigned flags)
{
	struct shtok *t;

	if (lx->ntok + 1 == lx->captok)
		lx->tok =
		    mem_more(lx->tok, lx->captok, &lx->captok, sizeof *lx->tok);
	t = &lx->tok[lx->ntok++];
	t[1].off = end;
	t->kind = (uint8_t)kind;
	t->flags = (uint8_t)flags;
	t->op = OP_NONE;
	t->depth = lex_depth(lx);
	lx->pos = end;
	return t;
}

/* Literal bytes up to end; one token with those right before. */
static inline void
lex_lit(struct shlex *lx, uint32_t end)
{
	const struct shlex_frame *f = lx->top;
	struct shtok *t;

	if (end == lx->pos)
		return;
	if (lx->ntok > f->tok) {
		t = &lx->tok[lx->ntok - 1];
		if (t->kind == f->lit && t->flags == f->flags &&
		    t->depth == lx->depth && t->depth < 255) {
			t[1].off = lx->pos = end;
			return;
		}
	}
	lex_tok(lx, f->lit, end, f->flags);
}

#endif
