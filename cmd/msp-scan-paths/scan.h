/*
 * msp-scan-paths: what its parts share.
 *
 * The script is read and expanded (gather.c, commands.c, rules.c, fsdp2.c,
 * syntax.c); what is found becomes items, one for each thing that has to be
 * there or to be made. Items are judged by looking at files (judge.c,
 * checkpoint.c, hf.c, data.c) and reported (report.c). All of it happens in a
 * helper process (watch.c).
 */
#ifndef SCAN_H
#define SCAN_H

#include <stddef.h>

#include "look.h"
#include "mem.h"
#include "rec.h"
#include "text.h"

#define TEXT TEXT_DECLARE
#include "text.def"
#undef TEXT

/* In the order in which a report shows them. */
enum scan_status {
	SCAN_MISSING,
	SCAN_UNREADABLE,
	SCAN_WRONG,
	SCAN_PLACEHOLDER,
	SCAN_WARN,
	SCAN_UNKNOWN,
	SCAN_HUB,
	SCAN_CREATE,
	SCAN_OK,
	SCAN_IGNORED,
	SCAN_STATUSES
};

/* 1 for what stops the pipe. */
#define scan_fails(status) ((status) <= SCAN_PLACEHOLDER)

enum scan_kind {
	SCAN_FILE, /* a file that is read */
	SCAN_DIR, /* a directory that is there */
	SCAN_CD, /* where the script changes to */
	SCAN_ENTRY, /* the training's .py */
	SCAN_SOURCE, /* a file that the script reads with source */
	SCAN_SCRIPT, /* a script that this one calls */
	SCAN_YAML, /* the FSDP2 configuration */
	SCAN_CKPT, /* a checkpoint directory */
	SCAN_HF, /* a Hugging Face directory: config.json */
	SCAN_MODEL, /* the same with weights, or a hub's name */
	SCAN_TOKENIZER, /* a tokenizer's directory, or a hub's name */
	SCAN_EITHER, /* file, directory or a hub's name */
	SCAN_DATA, /* the prefix of preprocessed data, or raw data */
	SCAN_RAW, /* a raw data file, or a directory of them */
	SCAN_DATASET, /* a name in dataset_info.json */
	SCAN_OUTPUT, /* a directory that the training writes to */
	SCAN_PREFIX, /* a file or prefix that the training writes */
	SCAN_LOG, /* a file that the script writes: tee, > */
	SCAN_TEXT, /* something in the script itself */
	SCAN_KINDS
};

/* What the launch asks of its files. */
struct scan_want {
	long tp, pp, ep; /* 0: not known */
	const char *tp_at, *pp_at; /* "train.sh:14", NULL: not written */
	long nodes; /* the same */
	long step; /* --ckpt-step; 0 none */
	int convert; /* Hugging Face weights are converted on load */
	int cache; /* the converted ones go to --mg-save-dir */
	int must_load; /* --exit-on-missing-checkpoint */
	int fresh; /* --load is --save: it may begin empty */
	int packed; /* 1: instruction data; 2: that, or a plain prefix */
	int pairwise; /* chosen_ and rejected_ */
	int scratch; /* no weights are read */
	const char *tokenizer; /* --tokenizer-type, or NULL */
	const char *dataset_dir; /* of dataset_info.json, as resolved */
};

/*
 * What was found out. why has these arguments: %1 the path that decides,
 * %2 and %3 arg[0] and arg[1], %4 the option, %5 the variable that holds the
 * value, %6 its line, %7 the status, %8 a variable that is not set, %9 the
 * value.
 */
struct scan_found {
	enum scan_status status;
	const struct text *why; /* NULL: nothing to say */
	char *resolved; /* owned, like arg; NULL: the item's own */
	char *arg[2];
};

enum {
	SCAN_MAYBE = 1, /* stands where it may not run */
	SCAN_PARENT = 4, /* only path, the known directory above, is judged */
	SCAN_SET = 8, /* found is final: not to be looked at */
	SCAN_NONE = 16, /* "None" and "" mean that it was not given */
	SCAN_CHOICE = 32, /* one of several values that it may have */
	SCAN_SAME = 64 /* an output that is also what is loaded */
};

struct scan_item {
	enum scan_kind kind;
	const char *name; /* the option, "source", "tee", ">" ... */
	const char *file; /* where the value is written; NULL unknown */
	size_t line; /* 0 unknown */
	const char *variable; /* that holds it, or NULL */
	const char *unset; /* a variable in it that is not set, or NULL */
	const char *value; /* as expanded */
	const char *path; /* as the training would open it; NULL unknown */
	const char *first; /* data: the first prefix of its option */
	const struct scan_want *want; /* or NULL */
	unsigned flags;
	size_t group; /* launches that exclude each other; 0 none */
	size_t launch; /* number of the launch, from 1; 0 none */
	const struct shval_call *call; /* the command that needs it */
	struct scan_found found;
};

struct scan {
	struct scan_item *item;
	size_t n, cap;
	struct look look;
	const char *name; /* of the script, for messages */
	size_t launches;
	int dry; /* nothing was looked at */
	size_t count[SCAN_STATUSES];
	struct arena arena;
};

/* Adds an item and returns it, zero but for its kind; it is valid until the
 * next call. */
struct scan_item *scan_add(struct scan *, enum scan_kind);
void scan_free(struct scan *);

/*
 * What follows from all findings together: a choice that may not be taken is
 * no failure where another is complete; findings whose id, name, value or
 * path matches one of the patterns (ended by NULL) are ignored; of equal ones
 * the first stays. Then sorts as a report shows them, and counts.
 */
void scan_settle(struct scan *, const char *const *ignore);

/* How many findings stop the pipe. */
size_t scan_failures(const struct scan *);

/* Sets what was found; strings are copied, NULL where there are none. */
void found_set(struct scan_found *, enum scan_status, const struct text *,
    const char *resolved, const char *arg0, const char *arg1);
void found_free(struct scan_found *);

/* Looks at one item's path. */
void judge_item(
    const struct look *, const struct scan_item *, struct scan_found *);

/* What to write instead of a placeholder. */
const struct text *judge_placeholder(const struct scan_item *);

/*
 * For the judges of one kind: what can be said of a path that stat did not
 * find (errno), where a directory or a file was asked for.
 */
void judge_absent(const struct look *, const struct scan_item *,
    const char *path, int directory, struct scan_found *);
/* 1 and found set unless path is a directory that can be listed. */
int judge_dir(const struct look *, const struct scan_item *, const char *path,
    struct scan_found *);
void judge_file(const struct look *, const struct scan_item *, const char *path,
    struct scan_found *);
/* Whether path can be made and written, as a directory or as a file. */
void judge_output(const struct look *, const struct scan_item *,
    const char *path, int directory, struct scan_found *);

void checkpoint_judge(
    const struct look *, const struct scan_item *, struct scan_found *);
/* A Hugging Face directory; weights: with its weights. */
void hf_judge(const struct look *, const struct scan_item *, int weights,
    struct scan_found *);
void hf_tokenizer(
    const struct look *, const struct scan_item *, struct scan_found *);
/* 1 when a hub could know a model by this name. */
int hf_hub_name(const char *);
/* 1 for a file that holds weights. */
int hf_weight(const char *name);

void data_judge(
    const struct look *, const struct scan_item *, struct scan_found *);
void data_raw(
    const struct look *, const struct scan_item *, struct scan_found *);
void data_set(
    const struct look *, const struct scan_item *, struct scan_found *);

enum placeholder { PLACEHOLDER_NO, PLACEHOLDER_LIKELY, PLACEHOLDER_SURE };
/* Whether a value says "your model path" and the like. SURE: even where a
 * path need not be there. */
enum placeholder placeholder_is(const char *);

/* Judges all items; those whose turn is to be left out are unknown. */
struct watch;
void judge_items(struct scan *, struct watch *);

const char *report_status(enum scan_status);
/* The text report; verbose: with what is in order; quiet: its first line. */
void report_text(struct buf *, const struct scan *, int verbose, int quiet);
void report_records(struct buf *, const struct scan *, enum rec_format);
/* Says what stops the pipe as errors, and warnings, on standard error. */
void report_gate(const struct scan *, int forced);

#endif
