/*
 * Static expansion: what bash would make of the script's words, without
 * running anything. Soundness is the rule: every value called known equals
 * bash's.
 *
 * A value is a list of pieces, each known bytes with the place they came
 * from, or unknown with the reason.
 *
 * Taken for granted: redirections succeed (msp-run makes their directories);
 * a command whose name is not known is a program; a file or string that is
 * not seen leaves IFS and the directory alone; set_env.sh of CANN and the
 * tools of Python environments change only their own variables; what is there
 * now stays unless a command of the script may have removed it. Where bash
 * would end (set -u, ${x:?}, a failing cd || exit), the walk goes on as if it
 * did not, and what made bash end is unknown.
 */
#ifndef SHVAL_H
#define SHVAL_H

#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "mem.h"
#include "shcmd.h"

enum shval_why {
	SHVAL_KNOWN,
	SHVAL_UNSET_CLUSTER, /* a variable that the cluster's scheduler sets */
	SHVAL_ARGUMENT, /* a positional parameter that was not given */
	SHVAL_COMMAND, /* the output of a command */
	SHVAL_CHANGES, /* another at each run: date, RANDOM, $$ ... */
	SHVAL_READ, /* read from input */
	SHVAL_SOURCED, /* may be set by a file that could not be read */
	SHVAL_BRANCH, /* differs by a branch or loop that is not known */
	SHVAL_GLOB, /* a pattern that names files */
	SHVAL_LIMIT /* beyond what is followed */
};

/* Where bytes came from: a range of a source text. */
struct shval_from {
	const struct shval_source *source; /* NULL: the environment, or made */
	uint32_t off, end;
};

struct shpiece {
	enum shval_why why;
	int quoted; /* was quoted: not split, not a pattern */
	const char *s; /* known: the bytes (no NUL within or behind); unknown:
	                  what the reason is about (a variable's name, a
	                  command), a string. Known and empty: may be the
	                  name, a string, of the variable that was not set */
	size_t len;
	struct shval_from from; /* the bytes stand there as they are when the
	                           text there is the same */
};

/*
 * One argument or value. Alternatives (branches that disagree, loops over
 * known words) hang on alt: bash's is one of them, and each counts alone.
 * With split, in an argv, it stands for any number of words, none included:
 * when the pieces of an alternative are all known, they are its words joined
 * by blanks, and words[0..nwords) the words themselves.
 */
struct shval {
	struct shpiece *piece;
	size_t npiece;
	struct shval *alt; /* the next alternative, NULL: no more */
	int split; /* unknown and unquoted: may be any number of words */
	int unset; /* a variable that is not set (and so empty) */
	const struct shval *words;
	size_t nwords;
};

/* A text that was read: the script itself, what it sources, or a string that
 * was evaluated. */
struct shval_source {
	const char *path; /* NULL unknown */
	const struct shcmd *cmd;
	struct shval_source *next;
	const struct shval
	    *made; /* eval: the string, whose pieces say where its
	                             bytes were written; NULL: a file */
	const struct shval_call
	    *call; /* by which it was read; NULL the script */
};
/*
 * Where the byte at an offset of a source was written: goes down through
 * evaluated strings to a file's text. 0, or -1 when it was written nowhere
 * (made by an operator, or from the environment).
 */
int shval_origin(
    const struct shval_source *, uint32_t off, struct shval_from *);

struct shval_run; /* the state of one walk */

/* One time that a simple command is reached, in the order of running. */
struct shval_call {
	const struct shval_source *source;
	uint32_t node; /* SH_SIMPLE in source->cmd */
	struct shval *argv; /* after expansion and field splitting */
	size_t argc;
	uint32_t *argword; /* for each argv: its word in source->cmd->word */
	struct shval *redir; /* for each redirection of the node: its target */
	const struct shval *cwd; /* the directory in which it runs */
	int maybe; /* in a branch, loop or && list that may not run */
	uint32_t branch; /* id of the innermost undecided branch, 0 none: calls
	                    that exclude each other share the SH_IF or SH_CASE
	                    node above them and differ in the arm */
	int guard; /* reached only if a test of its file ([ -f x ]) holds */
	const struct shval_call *caller; /* of a function or source; or NULL */
	int dead; /* only with env.dead: does not run in this environment */
	struct shval *assign; /* values of the nassign assignments before it */
	const char *function; /* its words are this function's call; or NULL */
	struct shval_run *run; /* the walk: for shval_var in the callback */
};

struct shval_env {
	const char *script; /* $0; NULL unknown */
	char *const *args; /* $1 ...; */
	size_t nargs;
	int args_unknown; /* they are not known rather than none */
	char *const *environ; /* "NAME=value" */
	const char *cwd; /* NULL: the current directory */
	const char *root; /* prefix of files that are read, or NULL */
	int brief; /* no calls of what starts and makes nothing: echo to where
	              the script's output goes, tests, plain exports */
	int dead; /* walk also what will not run here; its calls are marked */
};

/*
 * Walks the script as it would run, and calls back for each simple command
 * that is reached, before it takes effect; not for assignments alone. The same
 * node may be reached several times (loops, functions). What the callback gets
 * lives until it returns, or, with shval_keep, until shval_free.
 */
typedef void shval_fn(const struct shval_call *, void *);
void shval_keep(struct shval_run *);
struct shval_run *shval_walk(
    const struct shcmd *, const struct shval_env *, shval_fn *, void *);
void shval_free(struct shval_run *);

/* The variable's value where the walk ended, or NULL if unset. In the
 * callback: its value there. */
const struct shval *shval_var(struct shval_run *, const char *name);
/* All files that were sourced: their value, the call, and whether they could
 * be read. */
struct shval_sourced {
	const struct shval *file;
	const struct shval_call *call;
	int read;
	struct shval_sourced *next;
};
const struct shval_sourced *shval_sourced(const struct shval_run *);

/* The walk gave up: the script is beyond what is followed. */
int shval_limited(const struct shval_run *);

/* 1 and the bytes appended, to a string even if there are none, when all of
 * the value is known and there is no alternative, else 0. */
int shval_known(const struct shval *, struct buf *);
/* The same for this alternative alone. */
int shval_one(const struct shval *, struct buf *);
/* Why the value is not known: its first unknown piece, or, when there are
 * alternatives, one that says so. NULL exactly when shval_known gives 1. */
const struct shpiece *shval_unknown(const struct shval *);
/* The same for this alternative alone. */
const struct shpiece *shval_unknown_one(const struct shval *);
/* The value's line in its source: where its first byte was written. 0 none. */
size_t shval_line(const struct shval *);

#endif
