/*
 * The profiling request: what is to be recorded, how it is said on the
 * command lines of the frameworks, and what comes of it.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <stddef.h>

#include "buf.h"
#include "text.h"

/* Who does the training: decides which iterations a request records. */
enum profile_backend {
	PROFILE_MCORE, /* MindSpeed-LLM since September 2025 */
	PROFILE_MCORE_OLD, /* MindSpeed-LLM before, ModelLink */
	PROFILE_MINDSPEED, /* Megatron-LM with MindSpeed alone */
	PROFILE_FSDP2, /* train_fsdp2.py with a YAML */
	PROFILE_BACKENDS /* not known */
};

enum profile_level {
	PROFILE_LEVEL_NONE,
	PROFILE_LEVEL0,
	PROFILE_LEVEL1,
	PROFILE_LEVEL2
};
enum profile_ranks { PROFILE_LIST, PROFILE_EACH_NODE, PROFILE_ALL };
enum profile_export { PROFILE_EXPORT_DEFAULT, PROFILE_TEXT, PROFILE_DB };

struct profile {
	long start, end; /* end excluded; -1 (FSDP2 only): to the end */
	int relative; /* both count from the iteration resumed from */
	enum profile_ranks which;
	long *rank; /* PROFILE_LIST: ascending, each once */
	size_t nrank;
	enum profile_level level;
	int cpu, memory, stack, shapes, simplification;
	enum profile_export export;
	char *save_path;
	enum profile_backend backend; /* PROFILE_BACKENDS: find out */
};

/* The defaults: 2:4, rank 0, level1, CPU, ./profiling_output. */
void profile_init(struct profile *);
void profile_free(struct profile *);

/*
 * Sets one thing by its key: steps (N:M, +N:+M), step-start, step-end, ranks,
 * level, cpu, memory, stack, shapes, save-path, export-type,
 * data-simplification, backend. NULL; or the text that says what is wrong
 * with the value: its arguments are the value and what it belongs to (an
 * option's or a variable's name). An unknown key is NULL, too: nothing is set.
 */
const struct text *profile_set(
    struct profile *, const char *key, const char *value);
/* Appends the value of a key as profile_set takes it ("on", "off" for
 * switches). 0, or -1: there is no such key, or nothing is set. */
int profile_get(const struct profile *, const char *key, struct buf *);
/* The keys, ended by NULL, in the order of msp(5). */
extern const char *const profile_keys[];
#define TEXT TEXT_DECLARE
#include "profile.def"
#undef TEXT

/* What is wrong with the request as a whole, whatever the script: NULL, or
 * the text; its arguments are the start and the end. */
const struct text *profile_check(const struct profile *);

/* The first byte of the save path that torch_npu rejects, or NULL. */
const char *profile_bad_path(const char *);

/* The name of a backend ("mcore"), NULL beyond the last. */
const char *profile_backend_name(enum profile_backend);

/* PROFILE_EACH_NODE becomes the list 0, npus, 2 npus ... below world. */
void profile_each_node(struct profile *, long npus, long world);
/* 1 when the rank is asked for. PROFILE_EACH_NODE: none is. */
int profile_has_rank(const struct profile *, long rank);

/* The words for the training's command line, each ended by a NUL; dotted:
 * those of FSDP2. */
void profile_args(const struct profile *, int dotted, struct buf *);

/*
 * The options by which a training is told to profile.
 */
enum profile_takes { PROFILE_FLAG, PROFILE_ONE, PROFILE_MANY };
struct profile_option {
	const char *key; /* of profile_set; "profile" for the switch */
	const char *mcore; /* --profile-level */
	const char *fsdp2; /* the field: profile_level */
	enum profile_takes takes; /* on Mcore; FSDP2 flags take a value */
};
/* All of them, ended by a row without key. */
extern const struct profile_option profile_options[];
/*
 * The option that the word is, alone or with =value (*value then points
 * behind the =, else NULL), or NULL. *dotted: which dialect's.
 */
const struct profile_option *profile_option(
    const char *word, int *dotted, const char **value);

/*
 * Reads a request from the words behind a training's entry (NULL: a word that
 * is not known). 1 when it profiles, else 0. What is not said has the
 * framework's own default.
 */
int profile_read(struct profile *, const char *const *words, size_t n);

/*
 * Which iterations (counted from 1) are recorded, by the schedule of the
 * backend and of torch_npu.
 */
enum profile_outcome {
	PROFILE_WHOLE, /* all that was asked for */
	PROFILE_CUT, /* first to last; the training ends within */
	PROFILE_NO_STEPS, /* a trace without a step */
	PROFILE_DELETED, /* it ends in the warm-up: no trace */
	PROFILE_NOTHING, /* it ends before */
	PROFILE_ERROR /* the framework refuses the request */
};
struct profile_window {
	enum profile_outcome outcome;
	long first, last; /* 0 none; last is PROFILE_END with end -1 */
	long written; /* the iteration behind which the trace is written;
	                     0: at the training's end, or never */
};
#define PROFILE_END 1000000L /* "to the end" of FSDP2 */
/*
 * loaded: the iteration that the training resumes from, 0 a fresh run.
 * until: the last iteration that it does, 0 not known (taken as far away).
 * start and end of the request are absolute here (see profile_absolute).
 */
void profile_window(const struct profile *, enum profile_backend, long loaded,
    long until, struct profile_window *);

/* 1 for the name of a directory that holds the trace of one rank. */
int profile_is_trace(const char *name);

/* Turns +N:+M into what this backend must be given when it resumes from the
 * iteration loaded: the schedule is then that of N:M in a fresh run. */
void profile_absolute(struct profile *, enum profile_backend, long loaded);

#endif
