/*
 * Bash source text to tokens that tile it: every byte belongs to exactly one
 * leaf token, nothing is unescaped into a copy. Nested text ("...$(...)...")
 * is more tokens in place, one level deeper.
 */
#ifndef SHLEX_H
#define SHLEX_H

#include <stddef.h>
#include <stdint.h>

enum shtok_kind {
	/* between words */
	TOK_BLANK, /* spaces and tabs */
	TOK_NEWLINE, /* one newline */
	TOK_CONT, /* backslash newline, anywhere but in single quotes */
	TOK_COMMENT, /* from # up to the newline, without it */
	TOK_LONEBS, /* a backslash that is the last byte: not a word */
	TOK_OP, /* control operator; see op */
	TOK_REDIR, /* redirection operator; see op */
	TOK_IO, /* digits or {name} right before a redirection operator */
	/* parts of words */
	TOK_LIT, /* literal bytes; flag QUOTED inside double quotes */
	TOK_ESC, /* backslash and the byte that it quotes */
	TOK_SQ, /* '...', quotes included */
	TOK_DSQ, /* $'...', quotes included */
	TOK_DQ, /* " or $", opening or closing (flag CLOSE) */
	TOK_PARAM, /* $name $1 $@ ..., dollar and continuations included */
	TOK_BRACE, /* ${ and } (CLOSE) */
	TOK_PNAME, /* within ${ }: ! # and the name */
	TOK_POP, /* within ${ }: the operator (:- ## / ^^ @Q ...) and, in
	            ${x/pattern/string}, the second / */
	TOK_SUB, /* [ and ] (CLOSE) of a subscript */
	TOK_CMD, /* $( and ) (CLOSE), also ${ cmd; } of newer bash */
	TOK_BQ, /* ` opening or closing, with the backslashes before it */
	TOK_ARITH, /* $(( and )) (CLOSE), $[ and ]; (( and )) of a command */
	TOK_PROC, /* <( or >( and ) (CLOSE) */
	TOK_ARRAY, /* ( and ) (CLOSE) of name=( ) */
	TOK_GROUP, /* ( and ) (CLOSE) of extglob */
	TOK_HDBODY, /* literal bytes of a here-document's body */
	TOK_HDEND, /* its delimiter line, newline included */
	TOK_EATEN, /* backslashes that the backquotes around take away */
	TOK_KINDS
};

enum {
	SHTOK_CLOSE = 1, /* the closing one of a pair */
	SHTOK_QUOTED = 2, /* within double quotes, a here-document, arithmetic;
	                     but not in a pattern of ${ }. Within a quoted ${ }
	                     elsewhere '...' is literal, TOK_LIT */
	SHTOK_KEYWORD = 4, /* a literal that is a reserved word in its place */
	SHTOK_ASSIGN = 8, /* the literal up to and with = or += of name=value */
	SHTOK_BQLEVEL = 16, /* within backquotes: one level of \ is eaten */
	SHTOK_BQDEEP = 32 /* within several: more than one is */
};

/* For TOK_OP and TOK_REDIR, in shtok.op. */
enum shop {
	OP_NONE,
	OP_SEMI,
	OP_AMP,
	OP_ANDIF,
	OP_ORIF,
	OP_PIPE,
	OP_PIPEAMP,
	OP_DSEMI,
	OP_SEMIAMP,
	OP_DSEMIAMP,
	OP_LPAREN,
	OP_RPAREN,
	OP_LESS,
	OP_GREAT,
	OP_DGREAT,
	OP_CLOBBER,
	OP_LESSGREAT,
	OP_LESSAMP,
	OP_GREATAMP,
	OP_AMPGREAT,
	OP_AMPDGREAT,
	OP_DLESS,
	OP_DLESSDASH,
	OP_TLESS
};

/* It ends where the next one begins: behind the last there is one more, at the
 * end of the text. */
struct shtok {
	uint32_t off;
	uint8_t kind, flags, op;
	uint8_t depth; /* of nesting, 255 for 255 and more */
};
static inline uint32_t
shtok_end(const struct shtok *t)
{
	return t[1].off;
}
static inline uint32_t
shtok_len(const struct shtok *t)
{
	return t[1].off - t->off;
}

enum shlex_error {
	SHLEX_OK,
	SHLEX_OPEN_SQ,
	SHLEX_OPEN_DQ,
	SHLEX_OPEN_BQ,
	SHLEX_OPEN_CMD,
	SHLEX_OPEN_BRACE,
	SHLEX_OPEN_ARITH,
	SHLEX_OPEN_ARRAY,
	SHLEX_OPEN_HEREDOC,
	SHLEX_OPEN_SUB, /* a subscript: name[ */
	SHLEX_OPEN_GROUP, /* a pattern: @( */
	SHLEX_OPEN_COMPOUND, /* if, while, {, ( ... without its end */
	SHLEX_UNEXPECTED, /* a token that cannot stand there */
	SHLEX_DEEP, /* nested more than SHLEX_DEPTH deep */
	SHLEX_NUL
};

enum { SHLEX_DEPTH = 1000 };

/* Appends what $'...' stands for; the n bytes are those between the quotes.
 * A NUL ends it, as in bash. */
struct buf;
void shlex_dsq(struct buf *, const char *, size_t n);
/* Sets *s to the text within a token '...' or $'...'; gives its length. */
size_t shlex_inner(const char **s, size_t n);

/* What is wrong and where. OPEN_*: off is where it was opened. */
struct sherror {
	enum shlex_error what;
	uint32_t off, len;
};

enum {
	SHW_QUOTED = 1, /* has quotes or backslashes */
	SHW_EXPAND = 2, /* has expansions */
	SHW_ASSIGN = 4, /* has the form of an assignment */
	SHW_ARRAY = 8 /* name=( ... ) */
};

struct shword {
	uint32_t off, end; /* continuations at its end do not belong to it */
	uint32_t tok, ntok;
	uint8_t flags;
};

/* The descriptor before a redirection, when it is no number. */
enum { SH_FD_DEFAULT = -1, SH_FD_VAR = -2 };

/* Things that bash accepts and that are seldom meant. */
enum sh_warn {
	SHWARN_BSBLANK, /* a backslash, blanks, the end of the line */
	SHWARN_CR, /* a carriage return before the newline: first one */
	SHWARN_BOM,
	SHWARN_LONEBS, /* a backslash is the last byte */
	SHWARN_HDEOF, /* a here-document ended by the end of the file */
	SHWARN_COMMENT /* behind a continuation: it ends the command */
};
struct shwarning {
	enum sh_warn what;
	uint32_t off;
};

#endif
