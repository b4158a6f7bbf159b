/*
 * A parsed bash script: its commands as a tree over the token array.
 *
 * Nodes stand in one array in the order of their beginnings (parents before
 * children). Words and redirections of a node are ranges in arrays of their
 * own. All offsets are into the source, which the caller keeps.
 *
 * A pipeline of one command, an and-or list of one pipeline are not there:
 * SH_PIPE and SH_ANDOR have two children or more, but for ! and time. SH_SUBST
 * nodes are children of the node whose words or redirections (here-documents
 * included) they stand in, among its other children.
 *
 * After a syntax error reading goes on at the next line; what was read before
 * and behind stays usable, errors[] tells where it broke.
 */
#ifndef SHCMD_H
#define SHCMD_H

#include <stddef.h>
#include <stdint.h>

#include "shlex.h"

#define SH_NONE UINT32_MAX

enum sh_kind {
	SH_LIST, /* and-or lists one after the other; node 0 is the script */
	SH_ANDOR, /* children joined by && and ||: each child's op */
	SH_PIPE, /* children are the stages; also "! x" and "time x" */
	SH_SIMPLE, /* words: nassign assignments, then the command's */
	SH_GROUP, /* { LIST } */
	SH_SUBSHELL, /* ( LIST ) */
	SH_IF, /* LIST condition, LIST then, ... [LIST else] */
	SH_WHILE, /* LIST condition, LIST body */
	SH_UNTIL,
	SH_FOR, /* words: name, then those behind in; LIST body */
	SH_SELECT,
	SH_ARITHFOR, /* LIST body; the head is [off, body's off) */
	SH_CASE, /* words: the subject; children SH_ARM */
	SH_ARM, /* words: the patterns; LIST; op is what ends it */
	SH_FUNC, /* words: the name; child: the body, a compound */
	SH_ARITH, /* (( )) */
	SH_COND, /* [[ ]] ; words: what stands between */
	SH_COPROC, /* child: the command; words: its name, if any */
	SH_SUBST /* a command substitution, `..`, <( ), >( ), ${ ; } within a
	                word of its parent; LIST */
};

enum {
	SHN_BACKGROUND = 1, /* ended by & */
	SHN_NEGATED = 2, /* SH_PIPE: an odd number of ! in front */
	SHN_TIME = 4, /* SH_PIPE */
	SHN_IN = 8, /* SH_FOR, SH_SELECT: "in" is there */
	SHN_BROKEN = 16 /* it, or something in it, holds a syntax error */
};

struct shnode {
	uint8_t kind, flags;
	uint8_t op; /* how it is joined to the one before: OP_ANDIF, OP_ORIF,
	               OP_PIPE, OP_PIPEAMP, ... in lists OP_SEMI */
	uint32_t off, end; /* with redirections, without op, ; and & */
	uint32_t parent, child, next; /* SH_NONE: none */
	uint32_t word, nword, nassign;
	uint32_t redir, nredir;
};

struct shredir {
	uint32_t off, end; /* with its descriptor and target */
	uint8_t op; /* enum shop */
	int32_t fd; /* SH_FD_DEFAULT, SH_FD_VAR for {name} */
	uint32_t word; /* the target, or the here-document's delimiter */
	uint32_t body, bodyend; /* OP_DLESS*: byte range of the body */
	uint32_t bodytok, nbodytok; /* its tokens */
	uint8_t bodyquoted; /* no expansion in the body */
};

enum sh_verdict { SH_COMPLETE, SH_INCOMPLETE, SH_INVALID };

enum { SH_BLOCK = 4096 };

struct shcmd {
	const char *text;
	size_t len;
	struct shtok *tok;
	struct shnode *node;
	struct shword *word;
	struct shredir *redir;
	struct sherror *error;
	struct shwarning *warning;
	size_t ntok, nnode, nword, nredir, nerror, nwarning;
	size_t captok, capnode, capword, capredir, caperror, capwarning;
	uint32_t *line; /* i: the line of byte i * SH_BLOCK, once asked for */
	enum sh_verdict verdict;
	int extglob; /* shopt -s or -u extglob changed how the rest is read */
};

/*
 * Parses len bytes (less than 4 GiB). Never fails: whatever the bytes, the
 * tokens tile them. text is kept by reference until shcmd_free.
 */
void shcmd_parse(struct shcmd *, const char *text, size_t len);
void shcmd_free(struct shcmd *);

/* Line and column of an offset, from 1; a column counts bytes. */
void shcmd_place(const struct shcmd *, uint32_t off, size_t *line, size_t *col);
size_t shcmd_line(const struct shcmd *, uint32_t off);

/* The first token at or behind an offset; ntok: none. The first node, too. */
uint32_t shcmd_token(const struct shcmd *, uint32_t off);
uint32_t shcmd_node(const struct shcmd *, uint32_t off);
/* The script's own command, a child of node 0, in which an offset is, or the
 * last before it; SH_NONE: there is none. */
uint32_t shcmd_own(const struct shcmd *, uint32_t off);

/* Where arguments can be added: behind the command's last argument word. A
 * blank has to follow what is added when the next byte is < or >. */
uint32_t shcmd_argsend(const struct shcmd *, uint32_t node);

/* Appends the word's bytes after quote removal; 0, or -1 when it has
 * expansions (shval.h expands those) or backslashes within two backquotes. */
struct buf;
int shcmd_literal(const struct shcmd *, uint32_t word, struct buf *);

#endif
