/*
 * The inside of shcmd.h: what the parser's files share. The parser goes down
 * the grammar by recursion, as deep as SHLEX_DEPTH allows, and looks at one
 * lexeme ahead.
 *
 * A node is made when its first lexeme is seen, so nodes are in the order of
 * their beginnings, but for pipelines and && lists: these are noticed behind
 * their first child. Words and redirections wait on two stacks until their
 * node is read; children are linked when all is.
 */
#ifndef SHCMDIN_H
#define SHCMDIN_H

#include <stddef.h>
#include <stdint.h>

#include "shcmd.h"
#include "shread.h"

enum keyword {
	KW_NONE,
	KW_BANG,
	KW_LCOND,
	KW_RCOND,
	KW_LBRACE,
	KW_RBRACE,
	KW_CASE,
	KW_COPROC,
	KW_DO,
	KW_DONE,
	KW_ELIF,
	KW_ELSE,
	KW_ESAC,
	KW_FI,
	KW_FOR,
	KW_FUNCTION,
	KW_IF,
	KW_IN,
	KW_SELECT,
	KW_THEN,
	KW_TIME,
	KW_UNTIL,
	KW_WHILE,
	/* not words: ) and ;; */
	KW_RPAREN,
	KW_DSEMI
};

enum { COMMAND = CTX_COMMAND | CTX_ASSIGN };

struct parser {
	struct shlex lx;
	struct shcmd *c;
	int have; /* the lexeme k is read but not taken */
	enum shlex_lexeme k;
	enum keyword kw;
	uint32_t last; /* the end of what was taken last */
	uint32_t up; /* the node in which a command would begin */
	uint32_t cur; /* the node whose words are read; SH_NONE: none yet */
	enum sh_kind make; /* the kind of the node whose first word is read */
	uint32_t wanted; /* what ends something around: 1 << KW_... */
	int ended; /* that the text ends was reported */
	int newline; /* the last line's newline was there or made up */
	uint32_t hdeof; /* 1 + a here-document that the end cut off */
	struct shword *w;
	struct shredir *r;
	size_t nw, capw, nr, capr;
	size_t nwrap; /* nodes that stand behind their first child */
};

/* What of the two stacks, and which node, belongs to what is around. */
struct mark {
	size_t w, r;
	uint32_t up;
};

/* shtree.c: nodes */
uint32_t node_new(struct parser *, enum sh_kind, uint32_t up, uint32_t off);
/* Puts a node around child, the last one of its parent; gives the new one. */
uint32_t node_wrap(struct parser *, enum sh_kind, uint32_t child);
/* Forgets what was made behind off. */
void node_forget(struct parser *, uint32_t off);
/* Appends the token's bytes, which s points to, after quote removal; -1: what
 * it stands for is not known. */
struct buf;
int token_literal(const struct shtok *, const char *s, struct buf *);
/* First of all, and last. */
void shtree_scan(struct parser *);
void shtree_finish(struct parser *);

/* shcmdword.c: lexemes, words, redirections, errors */
void next(struct parser *, unsigned ctx);
/* The node to which the lexeme just read, or what is around it, belongs; it is
 * made when that is its first one. */
uint32_t holder(struct parser *);
enum keyword keyword(const struct parser *, const struct shword *);
int word_is(const struct parser *, const struct shword *, const char *);
void take_keyword(struct parser *);
/* Takes the lexeme, word or operator, as a word of the node. */
void take_word(struct parser *);
/* A redirection of the node p->cur; and all behind a compound command. */
int parse_redir(struct parser *);
int parse_redirs(struct parser *, uint32_t node);
/* Between begin and finish words and redirections are the node's. */
struct mark begin(struct parser *, uint32_t node);
void finish_words(struct parser *, uint32_t node, struct mark);
uint32_t finish(struct parser *, uint32_t node, struct mark, int ok);
/* Notes an error in the node that is being read. Gives SH_NONE. */
uint32_t error_at(
    struct parser *, enum shlex_error, uint32_t off, uint32_t len);
/* The lexeme read cannot stand there; node lacks its end where that is the
 * end of the text. */
uint32_t unexpected(struct parser *, uint32_t node);

/* shcmd.c: lists and what they are made of */
void parse_list(struct parser *, uint32_t list);
/* A command, at its first lexeme. Its node; SH_NONE after an error. */
uint32_t parse_command(struct parser *);
/* The kind of command that begins at the lexeme read; -1: none can. */
int command_kind(const struct parser *);
void parse_subst(struct parser *);
/* Whether the lexeme read ends a list. */
int at_closer(const struct parser *);

/* shcmdcomp.c: one command */
uint32_t parse_simple(
    struct parser *, uint32_t node, struct mark, unsigned ctx);
/* A compound command, at its first lexeme: 0 after an error. */
int parse_compound(struct parser *, uint32_t node, struct mark);

static inline enum shlex_lexeme
peek(struct parser *p, unsigned ctx)
{
	if (!p->have)
		next(p, ctx);
	return p->k;
}

static inline void
take(struct parser *p)
{
	p->last = p->lx.lexend;
	p->have = 0;
}

/* The lexeme read is this operator. */
static inline int
at_op(const struct parser *p, enum shop op)
{
	return p->k == LX_OP && p->lx.op == op;
}

static inline int
is_op(struct parser *p, unsigned ctx, enum shop op)
{
	peek(p, ctx);
	return at_op(p, op);
}

static inline int
is_kw(struct parser *p, enum keyword kw)
{
	return peek(p, COMMAND) == LX_WORD && p->kw == kw;
}

static inline void
newlines(struct parser *p, unsigned ctx)
{
	while (peek(p, ctx) == LX_NEWLINE)
		take(p);
}

#endif
