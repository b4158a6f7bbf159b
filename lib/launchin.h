/*
 * The inside of launch.h: what its files share.
 */
#ifndef LAUNCHIN_H
#define LAUNCHIN_H

#include "launch.h"

/* --- launchtab.c: programs by name --- */
enum launch_kind {
	KIND_NONE,
	KIND_PREFIX, /* runs the command behind its options */
	KIND_SHELL, /* bash -c, bash FILE, bash <<END */
	KIND_SU, /* -c STRING among its words */
	KIND_SSH, /* options, host, words that are joined */
	KIND_EXEC, /* docker exec, kubectl exec, ... */
	KIND_SUBMIT, /* sbatch FILE */
	KIND_STRINGS, /* commands among its words (tmux) */
	KIND_SOURCE,
	KIND_TORCHRUN,
	KIND_MSRUN,
	KIND_ACCELERATE,
	KIND_DEEPSPEED,
	KIND_PYTHON
};
enum {
	PROGRAM_ASSIGN = 1, /* NAME=value words before the command */
	PROGRAM_LENIENT = 2, /* many options: a word behind an unknown long one
	                        is its value unless it is a program */
	PROGRAM_QUERY = 4, /* with -v, -V, -p nothing is run */
	PROGRAM_REMOTE = 8,
	PROGRAM_BARE = 128, /* does not pass on the environment */
	PROGRAM_SWITCHES = 16, /* valued lists the options that take none */
	PROGRAM_SUB = 32, /* a subcommand stands behind the options, and more
	                    options behind that */
	PROGRAM_STRING = 64 /* an option's value may be a command */
};
struct launch_program {
	const char *name;
	enum launch_kind kind;
	const char *valued; /* options that take the next word */
	int operands; /* words before the command */
	int flags;
};
/* By the last component of a name; NULL: none of them. */
const struct launch_program *launch_program(const char *name);
/* 1 when the option stands in a list of names separated by blanks. */
int launch_listed(const char *list, const char *option);

/* --- launchentry.c: what a .py is --- */
enum launch_class { CLASS_NONE, CLASS_TRAINING, CLASS_OTHER };
enum launch_class launch_entry_class(
    const char *path, const char *const *entries);
enum launch_class launch_module_class(const char *module);
/* Is it one of the names that the user gave? */
int launch_entry_named(const char *path, const char *const *entries);
/* Do the arguments of a training show that it is of another framework? */
int launch_entry_foreign(const char *path, const struct shval *argv, size_t);
/* The launch_starter of a module that runs the Python file behind it; -1. */
int launch_module_starter(const char *module);

/* --- launchword.c: words and values --- */
/* The word's bytes, or NULL when they are not all known. */
const char *launch_word(struct launches *, const struct shval *);
/* Its bytes behind the last slash, when those are known; else NULL. */
const char *launch_tail(struct launches *, const struct shval *);
/* The words of a call with all that is split in place, taking the given
 * alternative of each. */
size_t launch_flat(struct launches *, const struct launch_text *,
    const struct shval_call *, size_t alternative, struct shval **);
size_t launch_alternatives(const struct shval_call *);
/* Several words in one, as commands are given to tmux. */
int launch_has_blank(const struct shval *);
/* Words from to n joined by blanks, or by what is given. */
struct shval *launch_join(struct launches *, const struct shval *argv,
    size_t from, size_t n, const char *blank);

/* --- launch.c: options --- */
/* 0 unless the word is the option, then 1, or 2 with =value in it. */
int launch_is(const struct shval *, const char *name);
/* The bytes of the word from the =, as a value of its own. */
const struct shval *launch_behind(struct launches *, const struct shval *);

/* --- launchtext.c: strings and here-documents that a shell runs --- */
enum launch_how {
	TEXT_WORD, /* it is a word of the call, or in a file */
	TEXT_JOINED, /* words added to the call are added to the text */
	TEXT_INPUT /* the call reads it */
};
struct launch_text {
	struct launch_text *next;
	const struct launch_text *parent; /* NULL: the script */
	const struct shval_call *call; /* by which it is run */
	const struct shval *made; /* its pieces */
	enum launch_how how;
	enum launch_where where;
	int bare;
	struct buf text;
	struct shcmd cmd;
	struct shval_run *run;
	struct shval_env env;
	struct buf environ;
	const char **environp;
	struct launches *launches;
};
/* The text made is run by the call, which stands in parent; in a shell that
 * is started as w says. */
struct walk;
void launch_text_run(struct walk *, const struct launch_text *parent,
    const struct shval_call *, const struct shval *made, enum launch_how);
void launch_texts_free(struct launches *);
/* What stands in a text for what is not known: LAUNCH_MARK, the piece's
 * number (none: a variable of another place), LAUNCH_MARK_END. */
#define LAUNCH_MARK "\001\002"
#define LAUNCH_MARK_END '\003'
/* The first mark in a range, or NULL. */
const char *launch_mark(const char *, const char *end);

/* --- launchwalk.c: calls to launches --- */
/* The command that is looked at: its words, and where it stands. */
struct walk {
	struct launches *l;
	const struct launch_text *text;
	const struct shval_call *call;
	struct shval *argv;
	size_t n;
	enum launch_where where;
	int inside; /* scripts are those of a container, say */
	int bare; /* the environment is not passed on */
	size_t args; /* arguments of a shell's string or script: from this
	                word on; 0: not known */
};
/* The word's bytes, or NULL. */
const char *walk_word(struct walk *, size_t i);
/* The word, or what is known of its last component, or NULL. */
const char *walk_name(struct walk *, size_t i);
/* The program that a word names, by what is known of it, or NULL. */
const struct launch_program *walk_program(struct walk *, size_t i);
int walk_ends(const char *, const char *end);
/* The call in the script's own text that led to the walk's call, or the
 * first one that is known of. */
const struct shval_call *walk_own(const struct walk *);
/* Looks at the command that begins at word i: 1 when it leads to a launch. */
int walk_command(struct walk *, size_t i);

/* --- launchstart.c: what Python starts --- */
enum launch_class walk_class(struct walk *, size_t i, int *unsure);
void walk_launch(struct walk *, size_t first, size_t entry, enum launch_starter,
    enum launch_class, int unsure);
int walk_entry(struct walk *, size_t first, size_t i, enum launch_starter);
int walk_module(struct walk *, size_t first, size_t i);
int walk_python(struct walk *, const struct launch_program *, size_t first);

/* --- launchinput.c: what a command has others run --- */
int walk_text(struct walk *, const struct shval *made, enum launch_how);
/* Another script is called, with words from behind on: 1 when this one writes
 * it and it leads to a launch, or when it is given a launch to run. */
int walk_script(struct walk *, const struct shval *file, size_t behind);
/* The file, if this script writes it. */
int walk_written(struct walk *, const struct shval *file);
/* What a shell reads from its standard input, when the script gives it. */
int walk_input(struct walk *);
/* Keeps a file that the call writes: cat >FILE <<END. */
void launch_file(struct launches *, const struct shval_call *);

/* How often each command of a text was reached, by node; and how many of
 * these calls lead to launches. */
struct launch_seen {
	const struct shcmd *cmd;
	uint32_t *calls, *leads;
};
struct launch_seen *launch_seen(struct launches *, const struct shcmd *);
void launch_call(
    struct launches *, const struct launch_text *, const struct shval_call *);

/* --- launchrange.c --- */
/*
 * Where in the source of a text a place in it was written: at[2]; at[0] and
 * at[1] are behind the first bytes of the command's name and of its entry.
 */
int launch_below(const struct shval *made, const struct shval_call *,
    const uint32_t at[3], enum launch_way, const struct shval_source **,
    uint32_t *off);

/* --- launchplace.c --- */
void launch_places(struct launches *);

/* --- launchtree.c: which launches exclude each other, and where they are */
void launch_order(struct launches *);

#endif
