/*
 * Child processes, without a shell.
 */
#ifndef SPAWN_H
#define SPAWN_H

#include <sys/types.h>

#include "buf.h"

struct spawn {
	const char *const *argv; /* argv[0] is looked up on PATH */
	char *const *envp; /* NULL: environ */
	const char *dir; /* NULL: the current one */
	int fd[3]; /* for 0, 1, 2; -1: /dev/null; not closed */
	int group; /* in a process group of its own */
	int keep_signals; /* leave ignored signals ignored */
	int tell; /* the child writes its pid_t here first; 0: nowhere */
};

/*
 * Starts the program with default signal dispositions (see keep_signals),
 * an empty mask, and no descriptor above 2.
 * 0 and *pid; else the errno of fork or of exec, and nothing runs.
 */
int spawn_start(const struct spawn *, pid_t *pid);

/* Closes all descriptors from one on, but keep (-1: none). */
void spawn_close(int from, int keep);

/* Waits for the child; its wait status. -1 with errno. */
int spawn_wait(pid_t, int *status);

/*
 * Runs argv in its own group with standard input from /dev/null and collects
 * what it writes to both streams, at most max bytes, for at most limit
 * milliseconds. At the limit the group is killed; neither a child that
 * cannot die nor a grandchild that keeps the pipe open is waited for.
 */
enum spawn_end { SPAWN_EXITED, SPAWN_TIMEOUT, SPAWN_FAILED };
struct spawn_run {
	enum spawn_end end;
	int status; /* SPAWN_EXITED: wait status; SPAWN_FAILED: errno */
	int cut; /* there was more output than max */
	char state; /* SPAWN_TIMEOUT: the child's state letter, 0 unknown */
};
void spawn_capture(const char *const *argv, char *const *envp, size_t max,
    int limit, struct buf *out, struct spawn_run *);

/* Milliseconds of a clock that only goes forward. */
long spawn_clock(void);

/* The state letter of a process from /proc; 0 where it cannot be told. */
char spawn_state(pid_t);

/* The exit status a shell would give: n, or 128 + signal. */
int spawn_status(int wait_status);

#endif
