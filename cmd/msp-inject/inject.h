/*
 * msp-inject: what its files share.
 */
#ifndef INJECT_H
#define INJECT_H

#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "err.h"
#include "launch.h"
#include "profile.h"
#include "rec.h"
#include "script.h"

#define TEXT TEXT_DECLARE
#include "text.def"
#undef TEXT

/* What to do with profiling arguments that are there already. */
enum inject_mode { INJECT_ASK, INJECT_KEEP, INJECT_OVERRIDE };

/* Something to be said about the request or the script. */
enum { FINDING_ARGS = 4 };
struct finding {
	enum err_level level;
	int status; /* of an error: with which the tool ends */
	size_t line;
	const struct text *text, *remedy; /* remedy: may be NULL */
	char *arg[FINDING_ARGS];
};

/* What is known about the training that a launch starts. */
struct training {
	enum profile_backend backend; /* PROFILE_BACKENDS: not known */
	const char *name; /* of the framework, or NULL */
	char *version; /* of the framework, or NULL */
	struct buf options; /* its sources that define options; may be empty */
	char *
	    how; /* beside which file, or on what path, it was found; or NULL */
	int read; /* the rest was looked for; 0 where the script was refused */
	int without; /* a framework from before it could profile on NPUs */
	int ranks_listed; /* to it, rank -1 is none instead of all */
	long iters; /* the last iteration that it does, 0 not known */
	const char *limit; /* the option that says so */
	long loaded; /* iteration resumed from */
	int loaded_known, loaded_unsure; /* unsure: 0, or one more */
	long ends; /* iters, or what -x makes of it */
	const char *ender; /* the option that ends it there */
};

/* A file that the tee of a node writes. */
struct logfile {
	uint32_t node;
	const struct shval *file;
	int appends;
};

struct inject {
	/* the request */
	struct profile profile;
	const char *path_option, **entry;
	size_t nentry, capentry;
	enum inject_mode mode;
	int stop, all, force, plan, yaml, strict, quiet, verbose;
	int asked; /* a part of the profile was asked for by an option */
	long line; /* 0: find it */
	enum rec_format format;
	/* the script */
	struct script script;
	struct shcmd cmd;
	struct shval_env env;
	struct launches found;
	enum launch_way way;
	int unplaced; /* no place was found; another way may have one */
	struct logfile *log; /* what tee writes */
	size_t nlog, caplog;
	struct launch **chosen;
	size_t nchosen;
	struct launch manual; /* the command on the line that -L names */
	struct training training; /* of the first that was chosen */
	struct buf *added; /* for each chosen one: words behind the profile's,
	                      each with a NUL */
	/* what the walk reached, where that is asked for: what other commands
	 * get must stay as it is */
	int remembers;
	const struct shval_call **call;
	size_t ncall, capcall;
	struct buf
	    kept; /* profiling arguments that --keep leaves; empty: none */
	/* what there is to say */
	struct finding *finding;
	size_t nfinding, capfinding;
	size_t said; /* findings of the script as it stands, and one */
	/* the result: so many bytes of the script as they are, then out */
	size_t ahead;
	struct buf out;
};

/* inject.c: the order of work; what comes of it is in out, in the findings
 * and in what the plan shows. */
void inject_script(struct inject *);
/* Walks cmd: found, call and log come of it. */
void inject_walk(struct inject *);
void inject_forget(struct inject *);
void inject_free(struct inject *);

/* request.c: options and environment. -1, or the status to end with. */
int request_read(struct inject *, int argc, char **argv, int *operands);

/* find.c */
#define FIND_NONE ((const char *)NULL)
/* Collects one finding; up to FINDING_ARGS strings, ended by NULL. */
void find_add(struct inject *, enum err_level, int status, size_t line,
    const struct text *, const struct text *remedy, ...);
#define find_error(in, status, line, ...) \
	find_add((in), ERR_ERROR, (status), (line), __VA_ARGS__, FIND_NONE)
/* Refused unless forced: then it is a warning. */
#define find_refuse(in, line, ...)                                          \
	find_add((in), (in)->force ? ERR_WARNING : ERR_ERROR, EXIT_REFUSED, \
	    (line), __VA_ARGS__, FIND_NONE)
#define find_warn(in, line, ...) \
	find_add((in), ERR_WARNING, 0, (line), __VA_ARGS__, FIND_NONE)
/* The status that the findings ask for: that of the first error, or 0. */
int find_status(const struct inject *);
/* Says them all on standard error. */
void find_say(const struct inject *);
/* Forgets all but errors behind the first n. */
void find_drop(struct inject *, size_t n);
/* Forgets all of those. */
void find_cut(struct inject *, size_t n);
void find_free(struct inject *);

/* choose.c: which launches are meant. */
void choose_launches(struct inject *);
/* The words to be added, as a person would type them. */
void choose_words(const struct inject *, struct buf *);
int choose_dotted(const struct inject *, const struct launch *);

/* hygiene.c: what is wrong with the script as it stands. */
void hygiene_check(struct inject *);

/* existing.c: profiling arguments that are there. 1: the script is to be
 * passed as it is. */
struct edit;
int existing_check(struct inject *, struct edit *);
/* One of them, with its values. */
struct old {
	const struct launch *launch;
	const struct shval *word; /* the option, its values */
	size_t n, line;
	size_t name; /* length of the option's name */
	enum profile_takes takes; /* in words behind it */
	uint32_t off; /* where it was written in the script */
	int stop; /* what -x added behind them */
};
#define OLD_NOWHERE UINT32_MAX
struct olds {
	struct old *old;
	size_t n, cap;
};
/* The other words of the chosen launches are appended to rest, or NULL. */
void existing_collect(const struct inject *, struct olds *, struct buf *rest);
/* "12: --profile-step-start 9; 13: ..." */
void existing_list(const struct olds *, struct buf *);
/* What is kept cannot be asked for otherwise, nor does -x know its window. */
void existing_keep(struct inject *, size_t line, const struct buf *list);
/* Options that undo what the launch's YAML says beyond the request. */
void existing_undo(struct inject *, const struct launch *, struct buf *added);

/* remove.c: old arguments go. */
void remove_plan(struct inject *, const struct olds *, struct edit *);
/* What must be the same before and after edits, which are sorted: the
 * launches' words but the profile's, all other commands. How many words of
 * the profile there are. */
size_t remove_state(
    const struct inject *, const struct edit *, int after, struct buf *);
void remove_print(struct buf *, const struct shval *);

/* training.c: the framework, its iterations. */
void training_read(struct inject *, const struct launch *, struct training *);
void training_free(struct training *);
/* The one word that is given to an option of the launch, or by its YAML: 0,
 * or -1 when it is not given, not known, or more than one. */
int training_value(const struct launch *, const char *option, struct buf *);
/* A field of the launch's YAML and its line: 0; -1, it is not there or not
 * known; 1, it may be there (flow style, a merge). */
int training_field(
    const struct launch *, const char *field, struct buf *, size_t *line);
/* 1 when the framework's sources define the option or the choice. */
int training_takes(const struct training *, const char *);
/* The iteration that FSDP2 resumes from, by its checkpoint's name: what the
 * buffer holds, a "/" at its end is cut off. */
void training_resume(struct training *, struct buf *);
int training_number(const struct launch *, const char *option, long *n);
/* 1 when the training writes checkpoints without -x; where to, if known. */
int training_saves(
    const struct inject *, const struct launch *, struct buf *dir);

/* check.c: the request against the script. */
void check_request(struct inject *);
/* What may differ from one launch to the next. */
void check_launch(struct inject *, const struct launch *);
void check_steps(struct inject *, const struct launch *);
void check_window(struct inject *, const struct launch *);
void check_path(struct inject *, const struct launch *);
void check_content(struct inject *, const struct launch *);
/* The log that the launch's tee writes: 0, or -1 when there is none or it is
 * not known. */
int check_log(
    const struct inject *, const struct launch *, struct buf *, int *appends);

/* stop.c: what ends the training behind the trace; where it cannot, and is
 * forced, stop is no longer set. */
void stop_plan(struct inject *, const struct launch *, struct buf *added);

/* place.c: the edits, and the proof that they are right. */
/* One word as it must stand within the quotes of a place. */
void place_word(const struct launch_place *, const char *, struct buf *);
/* Text lands within quotes, arrays or here-documents. */
int place_is_deep(const struct inject *);
void place_launch(struct inject *, size_t chosen, struct edit *);
void place_apply(struct inject *, struct edit *);

/* plan.c: what would be done. */
void plan_print(struct inject *, struct buf *);

/* yamlfile.c: a configuration instead of a script. */
void yamlfile_edit(struct inject *);

#endif
