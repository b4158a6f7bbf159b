/* Within symptom: what its files share. */
#ifndef SYMPTOMIN_H
#define SYMPTOMIN_H

#include "ere.h"
#include "mem.h"
#include "symptom.h"

/* What a rule of kind SYMPTOM_MARK is the sign of; stands in its flags. */
enum symptom_mark {
	MARK_ITERATION,
	MARK_DONE,
	MARK_PARSING,
	MARK_WRITTEN,
	MARK_TRACEBACK,
	MARK_ROOT,
	MARK_STAMP
};

enum {
	SYMPTOM_TEXT = 400, /* bytes of a line that are kept for quoting */
	SYMPTOM_LINE = 4096, /* bytes of a line that are looked at */
	SYMPTOM_RANKS = 64, /* ranks whose tracebacks are told apart */
	SYMPTOM_STAMP = 15,
	SYMPTOM_LATE = 8,
	SYMPTOM_CLOSE = 2 /* lines that a script writes behind a failure */
};

/* One line that a rule matched. */
struct symptom_place {
	size_t line; /* 0: none */
	size_t block;
	unsigned epoch;
	int fatal; /* see struct symptom_log */
	long rank;
	char stamp[SYMPTOM_STAMP]; /* the last time seen before or in it */
	char *text;
	size_t len;
};

/* Of the lines that one rule matched since the last progress. A line counts
 * when it ends a traceback, or is none of an exception's. */
struct symptom_slot {
	size_t count;
	struct symptom_place any; /* the first */
	struct symptom_place first; /* the first that counts */
	struct symptom_place last; /* the first that counts in the last block
	                               that has one */
	struct symptom_place tail; /* the same, whether it counts or not */
};
enum { SYMPTOM_PLACES = 4 };
struct symptom_place *symptom_slot_place(struct symptom_slot *, size_t);

struct symptom_log {
	char *name;
	struct symptom_slot *slot; /* by rule */
	int progress; /* there was some */
	int proof;
	int dirty; /* something was found since the last progress */
	size_t block; /* ended by ordinary lines */
	int open; /* something that counts stands in this block */
	int sure; /* something that is not said without harm was said since the
	             last progress */
	int fatal; /* so was the end of a traceback that names its rank: torch
	              names it only of what nobody caught, so that those
	              without a rank were caught */
	/*
	 * Output goes through tee, errors do not: an iteration's line may come
	 * behind the failure that came after it. Up to SYMPTOM_LATE such lines
	 * begin a new epoch and take nothing back.
	 */
	int late;
	unsigned epoch;
	size_t lines;
	char stamp[SYMPTOM_STAMP];
	char *host, *rank, *exitcode;
};

struct symptom {
	struct ere *ere;
	struct symptom_rule *rule;
	size_t nrule, caprule;
	uint32_t *ruleof; /* by number of the expression: its rule */
	size_t capruleof;
	size_t builtin, exc; /* the first built-in rule; that of EXC01 */
	struct arena own; /* strings of the user's rules */
	struct symptom_log *log;
	size_t nlog, caplog;
	symptom_fn *fn;
	void *data;
	struct buf head; /* of a line that earlier pieces hold */
	unsigned long long before; /* bytes of the log before this piece */
	/* the tracebacks being read, by rank + 1 */
	struct symptom_trace {
		uint8_t state, foreign;
		size_t line; /* of the exception */
	} trace[SYMPTOM_RANKS];
	int watching; /* something happened: all lines are looked at */
	int rooting; /* lines of torchrun's block that may still come */
	long watched; /* the rank it happened to */
	struct symptom_report report;
};

/* Judges one line, without its newline, in which these rules were found. */
void symptom_line(struct symptom *, const char *, size_t, const uint32_t *hit,
    size_t nhit, unsigned long long end);
void symptom_place_free(struct symptom_place *);
void symptom_forget(struct symptom *, struct symptom_log *);

#endif
