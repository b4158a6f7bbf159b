/*
 * Between the lexer (shlex.c) and the parser (shcmd.c): lexemes.
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

#include "shlex.h"

/* What the parser expects, and so what may be recognised. */
enum {
	CTX_COMMAND = 1, /* a command may begin: (( is arithmetic, !( is not a
	                    pattern */
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
	LX_REWIND /* what was read from off on is read again as commands */
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

struct shlex_frame {
	uint8_t mode, flags; /* flags of literals in it */
	uint8_t state, wflags;
	uint8_t lit; /* the kind of its literals */
	uint16_t stop; /* classes of bytes that are not ordinary in it */
	uint8_t kind; /* the kind of the tokens that open and close it */
	uint8_t clen; /* backquotes: length of the closing one */
	uint32_t off; /* where it opens */
	uint32_t tok; /* its first token */
	uint32_t n; /* open parentheses; M_CMD: here-documents read */
	uint32_t hd; /* here-documents outside */
	uint32_t end; /* the end to go back to */
	uint32_t holder;
};

struct shlex_heredoc {
	uint32_t delim, ndelim; /* in delims */
	uint32_t off; /* of the operator */
	uint32_t redir, node; /* the parser's */
	uint32_t body, bodyend, next, bodytok, nbodytok;
	uint8_t dash, quoted, eof;
};

struct shlex {
	const unsigned char *s;
	uint32_t len, pos, end; /* end: of what may be read now */
	struct shtok *tok;
	size_t ntok, captok;
	struct shlex_frame *stack, *top;
	unsigned ctx, depth;
	unsigned soft; /* texts around that bash reads only when run */
	unsigned bq; /* backquotes around */
	uint32_t bqdq; /* bit i: the i-th of them stands in double quotes */
	uint32_t holder; /* frame of the word, body or (( )) being read */
	uint8_t wflags;
	int extglob;
	struct shlex_heredoc *hd;
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
	/* what was wrong or odd in it, SHLEX_OK: nothing */
	struct sherror error;
	int broken; /* the same within soft text */
	struct shwarning *warning;
	size_t nwarning, capwarning;
};

void shlex_init(struct shlex *, const char *, size_t);
/* Frees all but the tokens and warnings, which are the caller's. */
void shlex_end(struct shlex *);
enum shlex_lexeme shlex_next(struct shlex *, unsigned ctx);
/* Ends a nested command at the lexeme read last: its closing one, or not. */
void shlex_leave(struct shlex *, int closed);
/* A here-document whose body comes behind this line. */
void shlex_heredoc(
    struct shlex *, const struct shlex_heredoc *, const char *delim, size_t n);
/* Reads at the end of the text the bodies that are still to come. */
int shlex_bodies(struct shlex *);
void shlex_warn(struct shlex *, enum sh_warn, uint32_t off);
/* One construct deeper or, with -1, out of it. 0 when that is too deep. */
int shlex_nest(struct shlex *, int by);

/* Puts the nodes in order, links them and lists the lines; nwrap of the nodes
 * stand behind their first child, named in child. */
struct shcmd;
void shtree_finish(struct shcmd *, size_t nwrap);

#endif
