/*
 * What the logs of trainings say: rules (symptoms.def and the user's own)
 * looked for in logs that are read once, in pieces of any size, while they
 * grow. Memory is bounded whatever the log holds.
 *
 *	struct symptom *s = symptom_new();
 *	symptom_log(s, "train.log");
 *	symptom_feed(s, bytes, n); ...
 *	const struct symptom_report *r = symptom_report(s, SYMPTOM_FAILED);
 *
 * or, for files that are complete, symptom_file instead of the two.
 */
#ifndef SYMPTOM_H
#define SYMPTOM_H

#include <stddef.h>

#include "buf.h"
#include "rec.h"
#include "text.h"

enum symptom_kind {
	SYMPTOM_PRIMARY, /* a cause */
	SYMPTOM_SECONDARY, /* a consequence: the cause is elsewhere */
	SYMPTOM_WARNING, /* worth knowing though the run may be good */
	SYMPTOM_MARK /* progress */
};

enum {
	SYMPTOM_KEPT = 1, /* counts wherever it stands: progress behind it does
	                     not take it back */
	SYMPTOM_WEAK = 2, /* what programs also print without harm */
	SYMPTOM_PROOF = 4 /* a process of the training died */
};

struct symptom_rule {
	enum symptom_kind kind;
	int flags;
	const char *ere;
	struct text cause; /* its id is the rule's */
	struct text remedy;
};

/* All lines of one log that one rule matches and that count. */
struct symptom_found {
	const struct symptom_rule *rule;
	const char *file;
	size_t line; /* of the first, from 1 */
	size_t count;
	const char *text; /* the first line, cut after a few hundred bytes */
	long rank; /* that wrote it, -1 not known */
};

enum symptom_cause {
	SYMPTOM_NONE,
	SYMPTOM_FIRST, /* found[0] is the first cause */
	SYMPTOM_ELSEWHERE /* only consequences: found[0] is the first of them */
};

struct symptom_report {
	enum symptom_cause cause;
	struct symptom_found *found; /* behind [0]: in the order of the logs */
	size_t n;
	int proof; /* a process of the training was killed or crashed,
	                   and no progress came after */
	long iteration; /* the last that was reported, -1 none */
	long iterations; /* how many there are to be, -1 not known */
	int done; /* the training loop said that it ended */
	long written; /* traces whose parsing was reported as ended */
	const char *host, *rank, *exitcode; /* of torchrun's "Root Cause" block,
	                                       a hint; NULL: none */
};

enum symptom_event {
	SYMPTOM_ITERATION, /* number and total */
	SYMPTOM_PARSING, /* text is the directory */
	SYMPTOM_WRITTEN,
	SYMPTOM_CHECKPOINT
};
/* Called as the log is read; end is how many bytes of it have been read up
 * to and with the line that says so. */
typedef void symptom_fn(void *, enum symptom_event, unsigned long long end,
    long number, long total, const char *text);

struct symptom *symptom_new(void);
void symptom_free(struct symptom *);

/*
 * Adds rules from a file: lines "id TAB kind TAB ERE TAB cause TAB remedy",
 * kind one of P S W I; # begins a comment. They come before the built-in ones
 * and replace those of the same id. 0, or -1 after saying what is wrong.
 * To be called before the first log.
 */
int symptom_rules(struct symptom *, const char *file);

void symptom_watch(struct symptom *, symptom_fn *, void *);

/* What is fed from here on is the log of this name. */
void symptom_log(struct symptom *, const char *name);
void symptom_feed(struct symptom *, const char *, size_t);
/* A whole file ("-": standard input). 0, or -1 after saying why not. */
int symptom_file(struct symptom *, const char *name);

/*
 * Decides, once. The report lives until symptom_free. Which run it was:
 * one that failed, one that ended with status 0, or not known.
 */
enum symptom_run { SYMPTOM_FAILED, SYMPTOM_ENDED, SYMPTOM_UNKNOWN };
const struct symptom_report *symptom_report(struct symptom *, enum symptom_run);

/* Appends its records "cause". */
void symptom_put(struct buf *, enum rec_format, const struct symptom_report *);

/*
 * Appends for people, indented: the first cause with place and remedy, what
 * followed from it; with warnings, the rest as well.
 */
void symptom_tell(struct buf *, const struct symptom_report *, int warnings);

#endif
