/*
 * msp-run: runs a script to its end and says what came of it.
 */
#ifndef RUN_H
#define RUN_H

#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "buf.h"
#include "profile.h"
#include "script.h"
#include "strs.h"
#include "symptom.h"

#define TEXT TEXT_DECLARE
#include "text.def"
#undef TEXT

/*
 * place: what the script's own text tells about its run.
 */
struct run_place {
	int found; /* there is a training launch */
	size_t line; /* of it */
	int stage, stages; /* it is this stage, from 0, of so many in the
	                      script's last pipeline; stages 0: it does not
	                      stand there, or an EXIT trap does */
	int background; /* it runs in the background and nobody waits */
	int moves; /* what runs depends on the script's own place, which
	                    is not known or another one now */
	struct strs dirs; /* that tee and redirections need */
	char *save; /* the directory for profiles, as seen from here; NULL */
	int profiles;
	struct profile want;
	char *ranks_here; /* NULL: not known */
	char *own; /* the file that the launch's output goes to; NULL */
	int own_appends;
	size_t batch_line; /* where --micro-batch-size got its value; 0 */
};
/* dir: where the script will stand instead, or NULL. */
void place_find(struct run_place *, const struct script *, const char *dir);
void place_free(struct run_place *);

/*
 * args: the number of the first argument that a launch has a place for which
 * is empty, since none was given; 0 none. Places with a default, and "$@", do
 * not count.
 */
size_t args_lacking(const struct script *);

/*
 * names: NAME.sh, NAME.log, NAME.tsv beside the script or in a directory.
 */
struct run_names {
	char *sh, *log, *tsv;
	int fd; /* of the log, to be appended to */
};
/* Creates NAME.sh with the script's text and an empty NAME.log, neither over
 * an existing file. 0; or -1 after saying why, and nothing is left. */
int names_make(struct run_names *, const char *dir, const struct script *);
/* The names as they would be, without creating anything. */
void names_guess(struct run_names *, const char *dir, const struct script *);
/* Removes what names_make has made. */
void names_undo(struct run_names *);
void names_free(struct run_names *);

/*
 * output: the directory for profiles before and after.
 */
struct run_output {
	struct strs before, after; /* after: what is new and this run's */
	struct strs seen, others; /* new; of these, other runs' */
	struct timespec changed; /* the directory, at the last look */
};
void output_before(struct run_output *, const struct run_place *);
/* To be called while it runs: whose a new trace is can be told only as long
 * as the process that writes it lives. */
void output_look(struct run_output *, const struct run_place *);
void output_after(struct run_output *, const struct run_place *);
void output_free(struct run_output *);

/*
 * signals: those that end a run and the end of children.
 */
/* Blocks and catches them; those ignored at entry stay so. */
void signals_watch(void);
/* Waits until one comes, or so long. */
void signals_wait(long milliseconds);
/* The next HUP, INT or TERM that came, or 0. */
int signals_take(void);
/* For a child that goes on without exec. */
void signals_ignore(void);

/*
 * group: the processes of the training, in its group and below its shell.
 */
struct run_group {
	pid_t leader, root, except; /* root: all below it belong to it, but
	                               except */
	struct group_process *known; /* seen so far */
	size_t n, cap;
};
/* From now on orphans of the training become children of msp-run, where the
 * system can do that: they can then be found. */
void group_adopt(void);
void group_start(struct run_group *, pid_t leader, pid_t root, pid_t except);
/* 1 when a process of the group is alive. */
int group_alive(const struct run_group *);
/* Takes note of those that live, so that group_kill finds them later. */
void group_look(struct run_group *);
void group_signal(const struct run_group *, int signal);
/* Those that have left the group: how many live; signal (0 none) to them. */
size_t group_others(struct run_group *, int signal);
/* Kills the group and all that were or are below its shell. */
void group_kill(struct run_group *);
/* 1 when it is known that the process was started by another msp-run. */
int group_of_another(pid_t);
/* Appends "pid (name), ..." of those alive. The number of them. */
size_t group_names(struct run_group *, struct buf *);
void group_free(struct run_group *);

/*
 * start: bash with the script.
 */
struct run_start {
	pid_t pid;
	char *private; /* a directory of our own, NULL: none */
	char *env; /* in it: what BASH_ENV names */
	char *status; /* in it: what the EXIT trap writes */
};
/* Makes the private directory where the status can be had through it. */
void start_prepare(struct run_start *, const struct run_place *);
/* 0; or the exit status, after saying why, and nothing runs. */
int start_script(struct run_start *, const struct run_names *,
    const struct script *, int tell);
void start_end(struct run_start *);
/* Appends the options of bash that the first line asks for. */
void start_options(struct strs *, const char *text, size_t len);

/*
 * guard: ends the training when msp-run is killed, or, when that came before
 * it was started, removes what names_make has made.
 */
struct run_guard {
	pid_t pid;
	int fd; /* to be given to the training's child, which tells its pid */
};
/* 0, or -1 with errno. */
int guard_start(struct run_guard *, const struct run_start *,
    const struct run_names *, long grace);
/* The training's child has told; from now on only msp-run holds the pipe. */
void guard_end(struct run_guard *);

/*
 * copy: the log, and lines of ours within it, to standard error without ever
 * waiting for a reader.
 */
struct run_copy {
	int from, to;
	int dead, quiet;
	unsigned long long done; /* bytes of the log that were copied */
	int middle; /* in the middle of a line */
	struct copy_line *line; /* ours, by place */
	size_t n, cap;
	struct buf rest; /* of a line of ours that was begun */
	size_t sent;
	long moved; /* when something last went out */
};
void copy_start(struct run_copy *, int from, int quiet);
/* A line of ours that belongs behind so many bytes of the log. */
void copy_say(struct run_copy *, unsigned long long behind, const char *);
/* Writes what can be written now, up to a place in the log. 1 when more is
 * to come and the reader is not ready. */
int copy_push(struct run_copy *, unsigned long long upto);
/* Gives a reader that is alive the time to read the rest. */
void copy_finish(struct run_copy *, unsigned long long upto);
void copy_free(struct run_copy *);

/*
 * own: the file that the script sends the training's output to instead of
 * NAME.log.
 */
struct run_own {
	const char *path; /* NULL: there is none */
	int appends, there, fd;
	off_t at; /* read so far */
	struct stat before;
};
/* Before the training starts. */
void own_start(struct run_own *, const struct run_place *);
/* Feeds what is new. 1 when there may be more at once. */
int own_read(struct run_own *, struct symptom *);
void own_free(struct run_own *);

/*
 * follow: the run itself, from its start to its end.
 */
struct run_follow {
	const struct run_names *names;
	const struct run_place *place;
	struct run_start *start;
	struct symptom *symptom;
	struct run_copy copy;
	struct run_group group;
	struct run_own own;
	long limit, grace; /* milliseconds; limit 0: none */
	int quiet, verbose;
	/* what came of it */
	long began, ended; /* spawn_clock */
	long long epoch;
	int wait_status;
	int signal; /* that ended it, 0 none */
	int late; /* the limit ended it */
	int killed; /* it had to be killed */
	int hurried; /* a second signal asked for that */
	int full; /* the disk was */
	int unread; /* errno of a log that cannot be read */
	unsigned long long bytes;
	/* progress */
	long said, iteration;
	int recording, announced;
	struct strs parsed; /* directories that the log named */
	struct run_output output;
};
void follow_run(struct run_follow *);
void follow_free(struct run_follow *);

/* progress: what symptom_watch calls. */
void progress_event(void *, enum symptom_event, unsigned long long end,
    long number, long total, const char *text);
void progress_say(struct run_follow *, unsigned long long behind,
    const struct text *, const char *a, const char *b);

/*
 * status: which exit status is the training's.
 */
enum run_from { FROM_PIPE, FROM_SCRIPT, FROM_LOG };
struct run_status {
	int exit; /* msp-run's own */
	int script; /* the script's */
	enum run_from from;
};
void status_find(struct run_status *, const struct run_follow *);
/* Once the log has been judged. */
void status_judge(struct run_status *, const struct run_follow *,
    const struct symptom_report *);

/*
 * report: what is said at the end, and the record.
 */
void report_end(const struct run_follow *, const struct script *,
    const struct run_status *, const struct symptom_report *);
void report_record(struct buf *, const struct run_follow *,
    const struct script *, const struct run_status *,
    const struct symptom_report *);
/* 0, or -1 after saying why. */
int report_write(const struct run_names *, const struct buf *);

#endif
