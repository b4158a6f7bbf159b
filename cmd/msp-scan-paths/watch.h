/*
 * A look at a file system that does not answer cannot be ended. So all the
 * work is done by a helper process, step by step, and the process that was
 * started waits for it. When a step takes too long the helper is given up,
 * and another one does the work again without that step.
 */
#ifndef WATCH_H
#define WATCH_H

#include <stddef.h>
#include <sys/types.h>

#include "buf.h"

enum { WATCH_LOST = 3 };

struct watch {
	int limit; /* for a step, in milliseconds */
	size_t lost[WATCH_LOST]; /* steps that did not end */
	size_t nlost;
	/* the rest is private */
	size_t step;
	int progress;
	pid_t pid;
	int fd[3];
};

enum watch_side {
	WATCH_HELPER, /* do the work, and end with its exit status */
	WATCH_WAITS, /* go on with watch_wait */
	WATCH_ALONE /* there is no helper: do the work without one */
};

/* Starts a helper, whose standard output and error are kept for watch_wait. */
enum watch_side watch_start(struct watch *);

enum {
	WATCH_AGAIN = -1, /* it was given up at a step: start another */
	WATCH_STUCK = -2, /* once too often */
	WATCH_CRASH = -3, /* it was ended by a signal */
	WATCH_UNWRITTEN = -4 /* its output could not be written, as was said */
};

/*
 * Waits for the helper, and writes what it wrote. The helper's exit status,
 * or one of the above.
 */
int watch_wait(struct watch *);

/*
 * In the helper, before a step: 1 when it is to be left out. The steps must
 * come in the same order each time.
 */
int watch_step(struct watch *);

#endif
