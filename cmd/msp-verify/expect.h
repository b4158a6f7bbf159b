/*
 * What was asked for, and what msp-run's record says of the run.
 */
#ifndef EXPECT_H
#define EXPECT_H

#include <stddef.h>

#include "mem.h"
#include "profile.h"
#include "rec.h"
#include "strs.h"
#include "text.h"

enum expect_key {
	EXPECT_STEPS = 1 << 0,
	EXPECT_RANKS = 1 << 1,
	EXPECT_LEVEL = 1 << 2,
	EXPECT_CPU = 1 << 3,
	EXPECT_MEMORY = 1 << 4,
	EXPECT_STACK = 1 << 5,
	EXPECT_SHAPES = 1 << 6,
	EXPECT_EXPORT = 1 << 7,
	EXPECT_SIMPLIFY = 1 << 8,
	EXPECT_SAVE_PATH = 1 << 9,
	EXPECT_BACKEND = 1 << 10
};

struct expect {
	unsigned known; /* what of the profile was asked for */
	struct profile profile;
	long first, last; /* iterations to be recorded, 0 unknown */

	int record; /* a record was read */
	int started; /* its sum says that the training ran */
	int failed; /* exit is not 0 */
	long exit;
	long long start; /* epoch seconds, 0 unknown */
	char *script, *status_from, *asked_script;
	struct strs output, log;
	int here_known; /* ranks-here was said */
	long *here;
	size_t nhere;
	/* the first cause the run's record names, NULL none */
	char *cause_kind, *cause_id, *cause_file, *cause_line, *cause_count;
	char *cause_text, *cause, *cause_remedy;
};

void expect_init(struct expect *);
void expect_free(struct expect *);

/* One key of the request by profile_set; what is wrong with it, or NULL. */
const struct text *expect_set(
    struct expect *, const char *key, const char *value);

/*
 * Reads msp-run's record. 0; or -1 after saying on standard error why not:
 * nothing arrived, no record, cut off, a run that was not started.
 */
int expect_read(struct expect *, const char *s, size_t len);

/* When steps are asked for and a back end is known but no record: first and
 * last are worked out. */
void expect_finish(struct expect *);

/* The ranks that must be here: 0 and a list in the arena, ascending; -1 when
 * that is not known (all ranks of a world that is not known). */
int expect_ranks(
    const struct expect *, long world, struct arena *, long **, size_t *);

#endif
