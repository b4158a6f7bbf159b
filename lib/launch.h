/*
 * The training launch in a script: which command starts the training, what
 * it is given, and where arguments can be added to it.
 */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stddef.h>
#include <stdint.h>

#include "shquote.h"
#include "shval.h"

enum launch_dialect {
	LAUNCH_MCORE, /* --options of argparse */
	LAUNCH_FSDP2, /* train_fsdp2.py X.yaml --group.field ... */
	LAUNCH_OTHER /* trains, but takes no such options */
};

enum launch_starter {
	LAUNCH_TORCHRUN,
	LAUNCH_MODULE,
	LAUNCH_MSRUN,
	LAUNCH_PYTHON,
	LAUNCH_ACCELERATE,
	LAUNCH_DEEPSPEED
};

/* Where it runs. */
enum launch_where {
	LAUNCH_HERE,
	LAUNCH_REMOTE, /* ssh, pdsh, kubectl, srun to other hosts */
	LAUNCH_CONTAINER /* docker exec */
};

enum launch_problem {
	LAUNCH_FINE,
	LAUNCH_NOT_SAFE, /* no place where text keeps its meaning */
	LAUNCH_UNSURE, /* or it trains nothing: a branch decides */
	LAUNCH_DASHDASH, /* a bare -- behind the entry */
	LAUNCH_STDIN, /* the program comes from standard input */
	LAUNCH_SOURCED /* it stands in a file that this script sources */
};

/* Which of several places is taken, where a string is run. */
enum launch_way {
	LAUNCH_USUAL, /* behind its expansion, else where its bytes are */
	LAUNCH_INNER, /* where its last bytes are */
	LAUNCH_OUTER, /* in the command that runs it */
	LAUNCH_WAYS
};

enum { LAUNCH_LEVELS = 8 };

/* One place in the script where the arguments go. */
struct launch_place {
	uint32_t off;
	/* the quotes around it, from the innermost outwards */
	enum shquote_place level[LAUNCH_LEVELS];
	int nlevel;
	int inline_only; /* in quotes, arrays, here-documents: stay on the line */
};

struct launch {
	const struct shval_call *call; /* the command that runs in the end */
	uint32_t node; /* the simple command in the script's own
	                                  text that leads to it */
	size_t line; /* of that command */
	enum launch_dialect dialect;
	enum launch_starter starter;
	enum launch_where where;
	enum launch_problem problem;
	const char *sourced; /* the file's path, when that is the problem */
	const struct shval *argv; /* of the launcher, prefixes removed */
	size_t argc;
	size_t entry; /* index of the entry .py in argv */
	size_t yaml; /* index of the YAML behind it, 0 none */
	struct launch_place *place;
	size_t nplace;
	int background, in_function, in_eval; /* for msp-run: is its status in
	                                         the script's last pipeline? */
	int last_pipe; /* it stands directly in the script's last pipeline */
	int pipe_index; /* its stage there, from 0 */
	uint32_t excludes; /* launches with the same number != 0 exclude each
	                      other (branches of one construct) */
	uint32_t broken; /* the next command, when it begins with -- or an
	                    arguments variable: the launch ends earlier than was
	                    meant; SH_NONE: there is none */
	int dead; /* it does not run in this environment */
	struct launch *again; /* the same place, reached once more, by a loop
	                         say: its call and words; NULL: no more */
	/* private: the string that it is in, and whose it is */
	const struct launch_text *text;
	struct launches *launches;
};

/* A script that this script calls instead ("bash other.sh"). */
struct launch_script {
	const struct shval_call *call;
	const struct shval *file;
	size_t line;
	int elsewhere; /* of another host, container or directory; or read by
	                  a redirection */
};

/* A Python file that is started and is no training by its name. */
struct launch_other {
	const struct shval *argv, *file;
	size_t argc, line;
};

struct launches {
	struct launch *launch;
	size_t n;
	struct launch_script *script;
	size_t nscript;
	struct launch_other *other;
	size_t nother;
	struct shval_run *run;
	const struct shval_env *env;
	/* the rest is private */
	struct arena arena;
	size_t cap, capscript, capother;
	const char *const *entries;
	shval_fn *fn;
	void *fndata;
	const struct shcmd *cmd;
	enum launch_way way;
	size_t trains; /* the line */
	struct launch_text *texts;
	struct launch_file *files;
	size_t nfile;
	struct launch_seen *seen;
	/* the last call seen, which need not be there any more, and where */
	const struct shval_call *before;
	const struct shval_source *before_source;
	uint32_t before_node;
	size_t ncall;
	const struct shval_source *foreign; /* a file in which a place was */
	size_t nseen, capseen, depth;
};

/*
 * Walks the script and finds its launches. entries: further names of training
 * entries (patterns), ended by NULL, or NULL. fn, when not NULL, is also
 * called for each command reached (as in shval_walk).
 */
void launch_find(struct launches *, const struct shcmd *,
    const struct shval_env *, const char *const *entries, shval_fn *fn,
    void *data);
/* The same, where a Python file that the command on a line starts trains,
 * whatever its name; 0: no line. */
void launch_find_way(struct launches *, const struct shcmd *,
    const struct shval_env *, const char *const *entries, shval_fn *fn,
    void *data, enum launch_way, size_t line);
void launch_free(struct launches *);

/*
 * The value of an option in the launch's arguments behind the entry (or, with
 * launcher, before it): the last "--name value" or "--name=value"; - and _
 * in names are alike. NULL: not there. *values is how many words follow up
 * to the next option.
 */
const struct shval *launch_option(
    const struct launch *, const char *name, size_t *values);
const struct shval *launch_launcher_option(
    const struct launch *, const char *name);

/*
 * The launch's words in one of the ways in which they can turn out (branches
 * that disagree): 0 is launch.argv. NULL: there are no more.
 */
const struct shval *launch_variant(
    const struct launch *, size_t k, size_t *argc);

/* Where in the script the first byte of one of its words was written: 0, or
 * -1 when that is nowhere, or went into a string at several places. */
int launch_origin(const struct launch *, const struct shval *, uint32_t *off);
/* The call that led to this one: of a function, of what evaluates or runs a
 * string; NULL: the script's own. *text goes along, from launch.text on. */
const struct shval_call *launch_above(
    const struct shval_call *, const struct launch_text **text);

/* The NPUs that the launch uses on this node and the world size, when known:
 * else 0. */
long launch_npus(const struct launch *);
long launch_world(const struct launch *);

#endif
