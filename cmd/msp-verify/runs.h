/* Several runs in one directory, and the steps of a rank. */
#ifndef RUNS_H
#define RUNS_H

#include "verify.h"

/* What rank.older says. */
enum {
	RUNS_COUNTS, /* it is the newest of its rank */
	RUNS_EARLIER, /* an earlier run's */
	RUNS_SAME /* the same rank twice in one run */
};

/* Sets older in all ranks, and nolder. */
void runs_choose(struct verify *);
/* The time in a directory's name in seconds; 0: it has none. */
long long runs_time(const char *);
/* The step ids of a rank, ascending, each once, without blank ones; how
 * many. There is room for all. */
size_t runs_steps(const struct rank *, long *);

#endif
