/*
 * msp-verify: is the profile there, whole, as asked, and will it be shown?
 *
 * Order of work: what was asked (expect.h) - the rank directories below the
 * operands (tree.c) - everything about each that can be seen cheaply
 * (rank.c, raw.c, out.c, logs.c, info.c; deep.c with --deep) - the checks
 * over these facts, one table (checks.def) - findings grouped over ranks,
 * pages, the next command, the report.
 */
#ifndef VERIFY_H
#define VERIFY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "buf.h"
#include "err.h"
#include "expect.h"
#include "mem.h"
#include "rec.h"
#include "text.h"

#define TEXT TEXT_DECLARE
#include "text.def"
#undef TEXT

/* The thresholds. Sizes in bytes, times in seconds. */
enum {
	LIMIT_DIR_DEPTH = 4, /* of rank directories below an operand */
	LIMIT_WALK_DEPTH = 6, /* below a rank directory */
	LIMIT_ENTRIES = 200000, /* of one directory */
	LIMIT_QUIET = 30, /* untouched for so long: nobody writes */
	LIMIT_DAY = 86400, /* a clock that is further ahead is wrong */
	LIMIT_LATE = 5, /* behind a run's end: end_info may be late */
	LIMIT_RUNS = 600, /* starts further apart are two runs */
	LIMIT_CAPTURE = 300, /* longer captures are discouraged */
	LIMIT_TINY = 64 << 10, /* less device data: hardly a kernel */
	LIMIT_OUTLIER = 10, /* device data less than the median by this */
	LIMIT_HEAD = 4096,
	LIMIT_SMALL = 4 << 20, /* files that are read whole */
	LIMIT_LOG = 1 << 20, /* of the end of a log */
	LIMIT_LOGS = 64,
	LIMIT_DONE = 2000, /* .done files read per rank directory */
	LIMIT_STEPS = 4096,
	LIMIT_PATH = 4096,
	LIMIT_PATH_WINDOWS = 260,
	LIMIT_JSON_FILES = 100, /* that Insight imports */
	LIMIT_NOTICED = 32 /* findings of one check in one directory */
};
#define GIB (1ULL << 30)
#define LIMIT_TRACE_SLOW (1 * GIB)
#define LIMIT_TRACE_MAX (10 * GIB)
#define LIMIT_IMPORT (20 * GIB)
#define LIMIT_DISK (20ULL << 20)

/* --- findings ------------------------------------------------------------ */

enum severity { SEV_DEFAULT, SEV_IGNORED, SEV_INFO, SEV_WARN, SEV_FAIL };

/* Ascending: what a run's verdict is when ranks have different ones. */
enum verdict {
	VERDICT_COMPLETE,
	VERDICT_DEGRADED,
	VERDICT_NOTHING,
	VERDICT_UNPARSED,
	VERDICT_RUNNING,
	VERDICT_INCOMPLETE,
	VERDICT_MISSING,
	VERDICT_UNREADABLE
};
const char *verdict_name(enum verdict);

enum check_id {
#define CHECK(id, ...) CHECK_##id,
#include "checks.def"
#undef CHECK
	CHECKS
};

struct find {
	enum check_id id;
	enum severity sev; /* SEV_DEFAULT: the check's own */
	const struct text *text; /* NULL: the check's own */
	const struct text *remedy; /* likewise */
	const char *path, *observed, *expected; /* NULL: none */
	const char *arg[3]; /* of both texts; the same for all ranks alike */
	const char *ranks; /* of a finding about the run; NULL: none */
	size_t count; /* of entries it stands for; 0 is 1 */
};

struct finds {
	struct find *v;
	size_t n, cap;
	uint64_t set[2]; /* the ids */
	uint64_t failed[2];
	struct arena *arena;
};
/* Copies what the finding points to. */
void find_add(struct finds *, struct find);
int find_has(const struct finds *, enum check_id);
void find_drop(struct finds *, enum check_id);
/* As a fail, when it was added. */
int find_failed(const struct finds *, enum check_id);
struct rank;
/* For what is seen while a directory is read. */
void notice(struct rank *, struct find);
/* X01 with errno, unless that says that the file was changed or taken away
 * meanwhile; notice_blind of a directory. */
void notice_unreadable(struct rank *, const char *path);
void notice_blind(struct rank *, const char *path);

/* --- what is known of a rank directory ------------------------------------ */

/* A three-valued fact. */
enum { NO, YES, UNKNOWN };

struct info {
	int there; /* how many profiler_info*.json */
	int broken; /* the first is no JSON, or has no config */
	const char *name;
	int cpu, npu; /* activities */
	int memory, stack, modules, shapes, simplify;
	int level; /* enum profile_level, -1 unknown */
	int text, db; /* export types */
	int schedule; /* NO: null or absent */
	long wait, warmup, active, repeat, skip_first; /* -1 unknown */
	long rank, file_rank; /* -1 none */
	unsigned long long started, ended, ended_wall; /* ns, 0 unknown */
	const char *torch_npu, *cann; /* NULL unknown */
	uint64_t options; /* equal for equal configurations */
};

struct meta {
	int there, broken;
	long rank, world; /* -1 unknown */
};

/* host or device_N of a PROF directory */
struct side {
	const char *name;
	size_t prof;
	int device;
	int data, start, end, info, sample, sqlite; /* is it there? */
	int parsed; /* all_file.complete */
	int end_bad;
	unsigned long long begin_time, end_time; /* 0 unknown */
	int level; /* of sample.json, -1 */
	size_t files; /* with data in them */
	unsigned long long bytes;
	size_t done, unfinished;
	unsigned long long unfinished_bytes;
	const char *unfinished_name;
};

struct prof {
	const char *name;
	long pid; /* -1: not in the name */
	int digits;
};

enum out_file {
	OUT_TRACE,
	OUT_KERNEL,
	OUT_STEP,
	OUT_OPERATOR,
	OUT_COMMUNICATION,
	OUT_MATRIX,
	OUT_OP_STATISTIC,
	OUT_API_STATISTIC,
	OUT_MODULE_MEM,
	OUT_MEMORY_RECORD,
	OUT_OPERATOR_MEMORY,
	OUT_DB,
	OUT_ANALYSIS_DB,
	OUT_DONE,
	OUT_INSIGHT,
	OUT_FILES
};
extern const char *const out_names[OUT_FILES];

struct step {
	long id; /* -1: blank */
	long device;
	double computing, communication, exposed, free, stage;
};

struct out {
	int there;
	size_t files, json_files;
	unsigned long long bytes;
	unsigned char has[OUT_FILES];
	unsigned long long size[OUT_FILES];
	const char *db_name;
	int trace_good, db_good, steps_read;
	struct step *step;
	size_t nstep, step_cap;
	int steps_more; /* there were too many */
};

struct deep {
	int done;
	long *step; /* ProfilerStep#N in the trace, distinct */
	size_t nstep, step_cap;
	int device_lane;
};

struct logs {
	int there;
	const char *unfinished; /* a parser that started and did not finish */
	size_t errors;
	const char *error[3];
	int no_msprof;
};

/* For the collapsed tree. */
enum part {
	PART_DEVICE,
	PART_HOST,
	PART_FRAMEWORK,
	PART_OUTPUT,
	PART_LOGS,
	PART_PARSED,
	PART_OTHER,
	PARTS
};

struct rank {
	struct arena arena;
	const char *path; /* from the operand on */
	const char *name;
	size_t operand;
	dev_t dev;
	ino_t ino;
	/* from the name; pid -1, time "" when it does not say */
	long pid;
	char time[20];
	int renamed;

	long number; /* the rank, -1 unknown */
	int older; /* not 0: left aside, see runs.h */
	struct info info;
	struct meta meta;
	struct prof *prof;
	size_t nprof, prof_cap;
	struct side *side;
	size_t nside, side_cap;
	int framework, op_range, memory_usage, tracer;
	struct out out;
	struct deep deep;
	struct logs logs;

	int blind; /* a directory in it could not be read */
	size_t files, part_files[PARTS];
	unsigned long long bytes, part_bytes[PARTS];
	time_t newest;
	size_t longest; /* path */
	size_t done_read;

	struct finds noticed; /* while reading; checks take them from here */
	uint32_t seen[CHECKS]; /* how often; only the first few are kept */
	struct finds finds;
	enum verdict verdict;
};

/* --- the whole ------------------------------------------------------------ */

struct verify {
	struct expect *expect;
	int deep, parsed_only, quiet, verbose;
	long wait;
	enum rec_format format;
	char **ignore;
	size_t nignore;
	char **log;
	size_t nlog;
	const char *rules;
	char **operand;
	size_t noperand;
	time_t now;
	uid_t euid;

	struct arena arena;
	struct rank **rank; /* sorted by rank, then path */
	size_t nrank, rank_cap;
	size_t nolder, nms, nbare;
	const char *bare; /* a PROF directory that is in no rank directory */
	const char *around; /* the rank directory that holds the operand */
	const char *ms;
	int capped;
	struct finds finds; /* about the run as a whole */
	int progress; /* a log reports an iteration, or the end */
	struct buf told,
	    causes; /* what the log says: for people, for machines */
	enum verdict verdict;
};

/* Looks at everything anew: verdicts and findings of v are set. */
void verify_look(struct verify *);
void verify_forget(struct verify *);
/* What is warned of may be mended yet: the rank is being parsed. */
int verify_unsettled(const struct verify *);

/* tree.c: the rank directories below the operands. */
void tree_find(struct verify *);
/* Appends a path in the arena of the rank: its own and up to three names. */
const char *rank_path(struct rank *, const char *, const char *, const char *);
/* rank.c: fills in the facts; path and name are set. */
void rank_read(struct verify *, struct rank *, int dirfd, const char *name);
void rank_free(struct rank *);
/* The rank in messages: its number, or the directory's name. */
const char *rank_label(struct rank *);

/* info.c */
void info_init(struct info *);
void info_read(struct rank *, int dirfd, const char *name);
void meta_read(struct rank *, int dirfd, const char *name);
void side_read(struct rank *, struct side *, int dirfd, const char *name);
/* The rank in the name of a profiler_info file; -1: none; -2: no such name. */
long info_name_rank(const char *);

struct listing;
struct entry;
/* raw.c: the files of a data directory. */
void raw_data(struct rank *, struct side *, const struct listing *);
/* out.c: one file of ASCEND_PROFILER_OUTPUT. */
void out_read(struct verify *, struct rank *, int dirfd, const struct entry *);
/* deep.c */
void deep_csv(struct rank *, int fd, const char *name);
void deep_json(struct rank *, int fd, const char *name, int trace);
/* logs.c: the log directory as a whole. */
void logs_read(struct rank *, const struct listing *);

/* checks.c */
struct check;
typedef void check_decide(struct verify *, struct rank *, const struct check *);
struct check {
	const struct text *text, *remedy;
	enum severity sev;
	enum verdict verdict; /* of a fail */
	int run; /* about the run: rank is NULL */
	const enum check_id *unless; /* found before: not asked; ends CHECKS */
	check_decide *decide;
};
extern const struct check checks[CHECKS];
void checks_rank(struct verify *, struct rank *);
void checks_run(struct verify *);
/* Takes over what was noticed under the check's id. */
check_decide check_noticed;
/* One finding for all that was noticed, with its count. */
check_decide check_seen;

/* The language of this report: records are English whatever the language. */
enum text_lang say_lang(const struct verify *);
/* The raw data is there from which the ranks that need it can be parsed. */
int verify_has_raw(const struct verify *);

/* Numbers and sizes as text in an arena. */
const char *say_number(struct arena *, long long);
const char *say_size(struct arena *, unsigned long long);
/* "0,3,9-11" of ascending numbers. */
const char *say_ranges(struct arena *, const long *, size_t);

/* group.c: findings alike over ranks; for people also over files. */
struct group {
	enum check_id id;
	enum severity sev;
	const struct text *text;
	const char *message, *remedy; /* remedy NULL: none */
	const char *path, *observed, *expected;
	const char *name; /* the file that the message names; NULL: none */
	long *rank; /* ascending */
	size_t nrank, rank_cap;
	const char *where; /* the ranks as text, NULL for the run */
	size_t count;
};
struct groups {
	struct group *v;
	size_t n, cap;
	size_t fail, warn, info, ignored;
};
void group_all(struct verify *, struct groups *);
void group_free(struct groups *);

/* pages.c */
enum page {
	PAGE_TIMELINE,
	PAGE_OPERATOR,
	PAGE_MEMORY,
	PAGE_SUMMARY,
	PAGE_COMMUNICATION,
	PAGES
};
extern const char *const page_names[PAGES];
/* 1 usable, 0 not, then *why is said (or NULL). */
int page_usable(struct verify *, enum page, const char **why);

/* next.c: the commands to run next; n of them, 0 where there is none. */
struct next {
	const char **command;
	size_t n, cap;
	int rest; /* they save what was collected whole */
};
void next_commands(struct verify *, struct next *);

/* Steps as a person counts them: 0 added to the ids, or what makes the first
 * recorded one the first iteration that was asked for. */
long step_shift(struct verify *, const struct rank *);
/* The first id that the recorded schedule gives, -1 not known. */
long step_first(const struct rank *);
/* The steps of a rank as "2-3", NULL where there are none. */
const char *step_ranges(struct verify *, struct rank *);
/* The same as they stand behind ProfilerStep#. */
const char *step_ids(struct rank *);

/* log.c: the logs alone: 1 a cause, 0 none, -1 after saying why not. */
int log_alone(struct verify *, struct buf *);
/* Why a profile is bad, into told or causes: 0, or -1 as above. */
int log_explain(struct verify *);

void report_text(struct verify *, struct groups *, struct buf *);
void report_records(struct verify *, struct groups *, struct buf *);

#endif
