/*
 * The inside of shval.h: the state of a walk, and what its files share.
 *
 * The state is a set of places (shloc), each pointing at something that never
 * changes: to change the state is to point elsewhere. While an outcome is
 * undecided, old pointers are kept on a trail, so that each arm starts from
 * the same state and what they left can be joined.
 */
#ifndef SHWALK_H
#define SHWALK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "buf.h"
#include "mem.h"
#include "shval.h"

enum {
	SHWALK_ALTS = 8, /* alternatives that are kept */
	SHWALK_DEPTH = 64, /* functions, sources, substitutions in another */
	SHWALK_TURNS = 256, /* turns of a loop that are followed */
	SHWALK_FILES = 64, /* sourced files that are read */
	SHWALK_FILE = 1 << 20
};

/* What a command's status is when it is not a number from 0. */
enum { ST_UNKNOWN = -1, ST_FAIL = -2 /* not 0 */ };

enum shflow {
	FLOW_GO,
	FLOW_BREAK,
	FLOW_CONTINUE,
	FLOW_RETURN,
	FLOW_EXIT,
	FLOW_GONE /* every arm ended, each in its way */
};

enum shloc_kind {
	LOC_VAR,
	LOC_FUNC,
	LOC_CWD,
	LOC_ARGS,
	LOC_OPTS,
	LOC_DIRS,
	LOC_CLOB
};

struct shloc {
	const void *now;
	uint32_t seen, index;
	uint8_t kind;
	uint8_t fresh; /* it was set since commands were settled */
	uint8_t stated; /* and before */
};

struct shtrail {
	struct shloc *loc;
	const void *old;
};

enum {
	VAR_EXPORT = 1,
	VAR_READONLY = 2,
	VAR_INTEGER = 4,
	VAR_ARRAY = 8,
	VAR_ASSOC = 16,
	VAR_LOWER = 32,
	VAR_UPPER = 64,
	VAR_NAMEREF = 128,
	VAR_DYNAMIC = 256, /* bash gives it a value at each use */
	VAR_LOOSE = 1024, /* not known whether it is an array */
	VAR_MAYBE = 512, /* an array whose elements are not all known */
	VAR_ATTRS = 4 + 32 + 64 + 128
};
#define SCOPE_MIXED UINT32_MAX

struct shelem {
	const char *key; /* of an associative array, else NULL */
	size_t keylen;
	int64_t index;
	const struct shval *v; /* v->split: any number of elements */
};

/* A variable's binding. v of an array: what its elements are when they are
 * not known at all (VAR_MAYBE), or NULL. */
struct shvar {
	const struct shval *v;
	const struct shelem *elem;
	size_t nelem;
	uint32_t flags, stamp, scope;
};

struct shfunc {
	const struct shval_source *source;
	uint32_t body;
	const char *name;
	const struct shfunc *alt;
	int gone; /* an alternative in which it is not defined */
};

struct shslot {
	const char *name;
	size_t len;
	uint32_t hash;
	int alias;
	int handles; /* a function that a signal handler calls */
	int caught; /* a signal handler assigns it */
	int lasting; /* IFS, which no file or eval leaves changed */
	struct shloc var, func;
	const struct shvar *env; /* its binding when the walk began */
	struct shslot *next;
};

/* Positional parameters. */
struct shargs {
	const struct shval *v;
	size_t n;
	int unknown; /* how many there are is not known: v[0..n) come first */
};

struct shopts {
	uint32_t on, vague;
};
enum {
	OPT_ERREXIT = 1,
	OPT_NOUNSET = 2,
	OPT_NOGLOB = 4,
	OPT_PIPEFAIL = 8,
	OPT_EXTGLOB = 16,
	OPT_NOCASEMATCH = 32,
	OPT_LASTPIPE = 64,
	OPT_NULLGLOB = 128,
	OPT_ALIASES = 256,
	OPT_ALLEXPORT = 512,
	OPT_INHERIT = 1024,
	OPT_ERRTRACE = 2048,
	OPT_FUNCTRACE = 4096
};

/* From here on variables may have been changed by what could not be seen. */
struct shclob {
	uint32_t stamp;
	enum shval_why why;
	const char *what;
	int soft; /* only those that were not set */
	const char *const *names; /* patterns, ended by NULL; NULL: all */
	const struct shclob *next;
};

struct shdirs {
	const struct shval *dir;
	const struct shdirs *next;
};

/* What a part of the script did to the state. */
struct shchange {
	struct shloc *loc;
	const void *now;
};
struct shdelta {
	struct shdelta *next;
	struct shchange *change;
	size_t n;
	const struct shclob *clob;
	int status;
};

enum shtarget_kind { TARGET_LOOP, TARGET_CALL, TARGET_SHELL };
struct shtarget {
	struct shtarget *up;
	enum shtarget_kind kind;
	size_t mark;
	struct shdelta *leave, *again;
};

struct shfork {
	size_t mark;
	struct shdelta *arms;
	const struct shval *out;
	int status, printed;
};

/* Where standard output goes while a substitution is read. */
struct shout {
	const struct shval *v; /* so far; NULL: nothing */
	int lost; /* more or less may be printed than is here */
};

/* A function or sourced file that runs. */
struct shframe {
	struct shframe *up;
	const char *name; /* of the function; NULL: a sourced file */
	const struct shval_source *source;
	struct shlocal *locals;
	uint32_t depth;
};
struct shlocal {
	struct shlocal *next;
	struct shslot *slot;
	const struct shvar *old;
};

/* A word being put together. */
enum {
	IT_SPLIT = 1, /* from an unquoted expansion */
	IT_BREAK = 2, /* a field ends here ("$@") */
	IT_FORCE = 4, /* quotes: a field is here, even if it is empty */
	IT_ALTS = 8, /* one of the values at alts */
	IT_MANY = 16 /* alts->split: any number of fields */
};
struct shitem {
	struct shpiece p;
	const struct shval *alts;
	uint8_t flag;
};

/* A file that commands may have changed. */
enum { FILES_MADE = 1, FILES_REMOVED = 2 };
struct shtouched {
	struct shtouched *next;
	const char *path;
	int does;
};

struct shval_run {
	/* what lasts as long as the walk; what commands make, until they are
	 * settled; what the state had then; the one in which memory is taken */
	struct arena mem, passing, state, *into;
	size_t passed; /* bytes in passing */
	size_t stated, replaced; /* in state; of that in use no more, about */
	int kept; /* something in passing is to last */
	size_t guards; /* that there were when commands were settled */
	struct shloc **fresh;
	size_t nfresh, capfresh;
	const struct shval_env *env;
	shval_fn *fn;
	void *data;
	long steps;
	size_t room;
	int limited;

	struct shslot **table;
	size_t ntable, nslot;
	struct shtrail *trail;
	size_t ntrail, captrail, marks;
	uint32_t epoch, stamp;
	struct shloc cwd, args, opts, dirs, clob;

	struct shitem *item;
	size_t nitem, capitem;
	struct shpiece *piece; /* of the field being made */
	size_t npiece, cappiece;
	struct shslot *ifsslot;
	const void *ifsvar;
	const char *ifs;
	struct shval *word; /* fields of the words being expanded */
	uint32_t *wordof;
	size_t nword, capword;
	const struct shval **guard;
	size_t nguard, capguard;

	const struct shval_source *src;
	struct shval_source *sources;
	struct shval_sourced *sourced, **sourcedp;
	size_t nfiles;
	const struct shval_call *call;
	struct shframe *frame;
	struct shtarget *target;
	struct shout *out;
	enum shflow flow;
	int levels; /* of break and continue */
	int status; /* $? */
	int substat; /* of the last command substitution, 0 none */
	int functions; /* some come with the environment */
	unsigned char outside[64]; /* names that may: shenv.c */
	int aborted; /* GAVE_UP, GAVE_UP_ALONE */
	uint32_t own; /* the script's own command that runs */
	int unsure; /* commands that may have failed */
	int noisy; /* what traps print goes into substitutions */
	int arithbad; /* text that is no expression was met */
	int backquotes, backquoted; /* around; they in double quotes */
	int depth, nest, maybe, cond, quiet, dead;
	int touches; /* FILES_: any file may have been made or removed */
	struct shtouched *touched;
	size_t ntouched;
	/* the path that was looked at last, whether it is there, and what */
	struct buf looked;
	int there;
	struct stat status_of;
	uint32_t branch;
	const struct shval *start; /* the first cwd */
	const struct shval *pipe; /* what the next command will read */
	const struct shval *input; /* and what this one does; NULL unknown */
	const struct shval *wish; /* cwd, should the cd have worked */
};

/* --- memory --- */
void *shwalk_alloc(struct shval_run *, size_t);
char *shwalk_dup(struct shval_run *, const char *, size_t);
/* What is made from here on lasts; then as it was before. */
struct arena *shlast_begin(struct shval_run *);
void shlast_end(struct shval_run *, struct arena *);
/* A command of the script itself has run: of what it made the state alone
 * stays, once there is enough. */
void shlast_settle(struct shval_run *);
/* One step of the budget; 0 when there is none left. */
int shwalk_step(struct shval_run *);

/* --- values (shvalue.c) --- */
extern const struct shval shval_empty, shval_unset_value;
void shval_fill(
    struct shval_run *, struct shval *, const struct shpiece *, size_t);
struct shval *shval_make(struct shval_run *, const struct shpiece *, size_t);
const struct shval *shval_string(
    struct shval_run *, const char *, size_t, struct shval_from);
const struct shval *shval_number(
    struct shval_run *, long long, struct shval_from);
const struct shval *shval_vague(
    struct shval_run *, enum shval_why, const char *what);
/* 1 when both have the same bytes for sure; alternatives are not looked at */
int shval_same(const struct shval *, const struct shval *);
/* One value for a chain of alternatives: what all begin and end with, and
 * something unknown between; unknown as a whole where they differ in what
 * would be another command if it were evaluated. */
const struct shval *shval_shared(struct shval_run *, const struct shval *);
/* A chain with this alternative, too, or what is shared if it is too long */
const struct shval *shval_either(
    struct shval_run *, const struct shval *, const struct shval *);
/* The bytes as a string in the arena when the whole value is known, with no
 * alternative; else NULL. */
const char *shval_cstr(struct shval_run *, const struct shval *, size_t *len);
const struct shval *shval_slice(
    struct shval_run *, const struct shval *, size_t from, size_t to);
const struct shval *shval_drop(
    struct shval_run *, const struct shval *, size_t n);
const char *shval_head(struct shval_run *, const struct shval *, size_t *len);
size_t shval_length(const struct shval *);
/* -1 not known, 0, 1 */
int shval_isempty(const struct shval *);
int shval_isunset(const struct shval *);

/* --- variables (shvar.c) --- */
/* The length of the name that begins there, 0 none. */
size_t shname_len(const char *, size_t);
uint32_t shname_hash(const char *, size_t);
int shname_valid(const char *, size_t);
struct shslot *shslot_get(struct shval_run *, const char *, size_t);
/* The same, namerefs followed. */
struct shslot *shslot_for(struct shval_run *, const char *, size_t);
const struct shvar *shvar_get(struct shval_run *, struct shslot *);
const struct shvar *shvar_find(struct shval_run *, const char *, size_t);
void shvar_put(struct shval_run *, struct shslot *, const struct shvar *);
/* Assigns as name=value would (attributes, namerefs, arrays). */
void shvar_set(
    struct shval_run *, const char *, size_t, const struct shval *, int append);
void shvar_set_elem(struct shval_run *, const char *, size_t,
    const struct shelem *, int append);
void shvar_set_list(struct shval_run *, const char *, size_t,
    const struct shelem *, size_t, int append);
void shvar_flag(
    struct shval_run *, const char *, size_t, uint32_t on, uint32_t off);
void shvar_unset(struct shval_run *, const char *, size_t);
void shvar_vague(
    struct shval_run *, const char *, size_t, enum shval_why, const char *what);
void shvar_local(struct shval_run *, const char *, size_t);
/* $x: the value, of an array that of element 0; never NULL. */
const struct shval *shvar_scalar(struct shval_run *, const struct shvar *);
/* Both after each other, with all alternatives. */
const struct shval *shval_concat(
    struct shval_run *, const struct shval *, const struct shval *);
const struct shvar *shvar_effective(struct shval_run *, const struct shclob *,
    struct shslot *, const struct shvar *);
/* The element with this key or index, NULL when there is none; *known is 0
 * when it cannot be told. A scalar is its own element 0. */
const struct shval *shvar_elem(
    const struct shvar *, const struct shelem *, int *known);
/* Its elements as a list of words; 0 when they are not known at all. */
int shvar_list(const struct shvar *, const struct shelem **, size_t *,
    struct shelem *scratch);
int shvar_isset(const struct shvar *); /* -1 cannot tell */
const struct shvar *shvar_import(struct shval_run *, struct shslot *);
/* First of all; then what a variable is before the script sets it. */
void shenv_start(struct shval_run *);
const struct shvar *shenv_import(struct shval_run *, struct shslot *);
struct shvar *shvar_scalar_new(
    struct shval_run *, const struct shval *, uint32_t flags);
const struct shclob *shclob_add(
    struct shval_run *, const struct shclob *, const struct shclob *);
/* bash gives up what it does at the top level: it may not run to its end.
 * When that is a command alone that sets variables, nothing else is lost. */
enum { GAVE_UP = 1, GAVE_UP_ALONE };
void shwalk_error(struct shval_run *);
void shwalk_clobber(struct shval_run *, enum shval_why, const char *what,
    int soft, const char *const *names);

/* --- trail and joins (shfork.c) --- */
void shloc_set(struct shval_run *, struct shloc *, const void *);
size_t shmark_open(struct shval_run *);
void shmark_undo(struct shval_run *, size_t);
void shmark_close(struct shval_run *, size_t);
void shfork_open(struct shval_run *, struct shfork *);
/* The arm ends here; the state is again as it was at the fork. */
void shfork_arm(struct shval_run *, struct shfork *);
/* Joins the arms. 1 when the state is not what it was at the fork. */
int shfork_close(struct shval_run *, struct shfork *);
void shtarget_open(struct shval_run *, struct shtarget *, enum shtarget_kind);
/* What left by continue joins in; then what left by break or return. */
void shtarget_again(struct shval_run *, struct shtarget *);
void shtarget_close(struct shval_run *, struct shtarget *);
/* Everything that changed since the mark is unknown from now on. */
void shfork_widen(struct shval_run *, size_t mark);
const struct shvar *shvar_join(
    struct shval_run *, const struct shvar *, const struct shvar *);

/* --- conditions (shtest.c, shcond.c) --- */
int shtest_run(struct shval_run *, const struct shval *, size_t);
int shtest_unary(struct shval_run *, const char *op, const struct shval *);
int shtest_binary(struct shval_run *, const char *op, const struct shval *,
    const struct shval *, int cond);
int shcond_run(struct shval_run *, uint32_t node);
int shtest_file(struct shval_run *, char op, const char *path);
/* As stat(2), but for what the last path was: [ -f X ] && . X asks twice. */
int shwalk_stat(struct shval_run *, const char *path, struct stat *);

/* --- commands (shval.c, shsimple.c, shbranch.c, shloop.c, shassign.c) --- */
int shwalk_node(struct shval_run *, uint32_t node);
int shwalk_list(struct shval_run *, uint32_t node);
int shwalk_simple(struct shval_run *, uint32_t node);
/* The words behind the assignments, after splitting, onto word[]. */
void shwalk_words(struct shval_run *, const struct shnode *);
/* Of a brief walk (shbrief.c): 1 and the status when the command was run
 * without making a call of it that lasts, or 0. */
int shbrief_run(struct shval_run *, uint32_t node, int *status);
int shwalk_subshell(struct shval_run *, uint32_t list);
/* What does not run here, for env.dead. */
void shwalk_dead(struct shval_run *, uint32_t node);
/* The first child, or the one behind, that is no substitution; SH_NONE. */
uint32_t shnode_child(const struct shcmd *, uint32_t node);
uint32_t shnode_next(const struct shcmd *, uint32_t node);
/* The targets of redirections; of here-documents the bodies. */
struct shval *shwalk_redirs(struct shval_run *, const struct shnode *);
/* Whether standard output of the node goes elsewhere. */
int shwalk_diverted(struct shval_run *, const struct shnode *);
void shwalk_descriptors(struct shval_run *, const struct shnode *);
int shbranch_if(struct shval_run *, uint32_t node);
int shbranch_case(struct shval_run *, uint32_t node);
int shloop_run(struct shval_run *, uint32_t node);

struct shassign {
	const char *name;
	size_t len;
	uint32_t sub, subend; /* the brackets of a subscript */
	uint32_t value, end; /* tokens */
	int append, array;
};
/* 0: it is no assignment. */
int shassign_read(struct shval_run *, uint32_t word, struct shassign *);
/* Assigns; gives the value (of an array its first). */
const struct shval *shassign_run(struct shval_run *, uint32_t word);
/* An argument like "name=value", expanded: its name, *len is 0 when there is
 * none; and its value, NULL when there is no "=". */
const char *shassign_text(struct shval_run *, const struct shval *, size_t *len,
    const struct shval **value, int *append);

/* --- builtins (shbuiltin.c, shdeclare.c, shread.c) --- */
/* *found is 0 when the name is none. */
int shbuiltin_run(struct shval_run *, const struct shval_call *,
    const struct shval *argv, size_t argc, const char *name, int *found);
int shdeclare_run(struct shval_run *, const struct shval_call *,
    const struct shval *argv, size_t argc, const char *name);
int shunset_run(struct shval_run *, const struct shval *argv, size_t argc);
int shdeclare_is(const char *name, size_t len);
int shcd_run(struct shval_run *, const struct shval *argv, size_t argc,
    const char *name);
/* The directory is this one now. */
void shcd_go(struct shval_run *, const struct shval *);
int shset_run(struct shval_run *, const struct shval *argv, size_t argc);
int shshopt_run(struct shval_run *, const struct shval *argv, size_t argc);
void shtrap_function(struct shval_run *, const struct shfunc *);
int shtrap_run(struct shval_run *, const struct shval *argv, size_t argc);
int shread_run(struct shval_run *, const struct shval_call *,
    const struct shval *argv, size_t argc, const char *name);
/* getopts; ST_UNKNOWN when it cannot be followed. */
int shgetopts_run(struct shval_run *, const struct shval *argv, size_t argc);

/* --- other texts and functions (shsource.c) --- */
int shsource_run(struct shval_run *, const struct shval_call *,
    const struct shval *argv, size_t argc);
void shsource_program(struct shval_run *, const char *name);
/* $BASH_ENV, which bash reads before the script. */
void shsource_start(struct shval_run *);
/* A function of this name, or "" any, comes with the environment. */
int shenv_function(struct shval_run *, const char *name);
int sheval_run(struct shval_run *, const struct shval_call *,
    const struct shval *argv, size_t argc);
int shcall_run(
    struct shval_run *, const struct shval_call *, const struct shfunc *);

/* --- output (shsubst.c, shprintf.c) --- */
void shsubst_expand(struct shval_run *, uint32_t node, int quoted);
/* Another program runs: what it prints, what it does to files. */
int shsubst_program(struct shval_run *, const struct shval_call *,
    const struct shval *argv, size_t argc, const char *name);
void shout_value(struct shval_run *, const struct shval *);
void shout_text(struct shval_run *, const char *, size_t);
void shout_echo(struct shval_run *, const struct shval *, size_t);
/* 1 when what it prints is known: *v. */
int shprintf_value(struct shval_run *, const struct shval *argv, size_t argc,
    const struct shval **v);

/* --- input (shfilter.c, shread.c) --- */
/* What the command reads; NULL when it is not known. */
const struct shval *shinput_value(
    struct shval_run *, const struct shval_call *);
/* Prints what it makes of its input; 0 when that is not known. */
int shfilter_run(struct shval_run *, const struct shval_call *,
    const struct shval *argv, size_t argc, const char *name);

/* --- files (shfiles.c) --- */
/* Appends where a name leads from the current directory. 0 not known */
int shwalk_path(struct shval_run *, const struct shval *, struct buf *);
/* The file that a value names may be made or removed from here on. */
void shfiles_touch(struct shval_run *, const struct shval *, int does);
/* The same for the arguments that are no options. */
void shfiles_arguments(
    struct shval_run *, const struct shval *argv, size_t argc, int does);
int shfiles_changed(struct shval_run *, const char *path, int does);

extern const struct shval_from shval_nowhere;

#include "shexpand.h"

#endif
