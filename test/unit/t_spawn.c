#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "err.h"
#include "spawn.h"
#include "tap.h"

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct spawn_run
capture(struct buf *out, const char *shell, size_t max, int limit)
{
	const char *const argv[] = { "sh", "-c", shell, NULL };
	struct spawn_run run;

	buf_reset(out);
	spawn_capture(argv, NULL, max, limit, out, &run);
	buf_adds(out, "");
	return run;
}

static void
test_capture(void)
{
	struct buf out = { 0 };
	struct spawn_run r =
	    capture(&out, "echo out; echo err >&2; exit 3", 100, 5000);

	tap_ok(r.end == SPAWN_EXITED && spawn_status(r.status) == 3 && !r.cut,
	    "a status comes back");
	tap_is(out.s, "out\nerr\n", "with both streams");
	r = capture(&out, "cat; echo end", 100, 5000);
	tap_is(out.s, "end\n", "standard input is empty");
	r = capture(&out, "yes | head -n 100000; exit 0", 1000, 5000);
	tap_ok(r.end == SPAWN_EXITED && r.cut && out.len == 1000,
	    "what is too much is cut, and the child still ends");
	r = capture(&out, "kill -9 $$", 100, 5000);
	tap_ok(r.end == SPAWN_EXITED && spawn_status(r.status) == 137,
	    "a signal is 128 and its number");
	double before = seconds();
	r = capture(&out, "echo begun; trap '' TERM; sleep 60", 100, 300);
	tap_ok(r.end == SPAWN_TIMEOUT && seconds() - before < 3,
	    "the limit ends it");
	tap_is(out.s, "begun\n", "and keeps what came");
	before = seconds();
	r = capture(&out, "sleep 60 & echo done", 100, 5000);
	tap_ok(r.end == SPAWN_EXITED && seconds() - before < 3,
	    "a grandchild that keeps the pipe is not waited for");
	buf_free(&out);
}

static void
test_start(void)
{
	const char *const none[] = { "no-such-program-here", NULL };
	const char *const dir[] = { "/", NULL };
	const char *const fine[] = { "true", NULL };
	const char *const open3[] = { "sh", "-c", ": 2>/dev/null <&7", NULL };
	struct spawn s = { .argv = none, .fd = { -1, 1, 2 } };
	pid_t pid;
	int status;

	tap_ok(spawn_start(&s, &pid) == ENOENT, "no such program");
	s.argv = dir;
	tap_ok(spawn_start(&s, &pid) == EACCES, "a directory is none");
	s.argv = fine;
	s.group = 1;
	tap_ok(spawn_start(&s, &pid) == 0 && spawn_wait(pid, &status) == 0 &&
		status == 0,
	    "a program runs");
	s.dir = "/no/such/directory";
	tap_ok(spawn_start(&s, &pid) == ENOENT, "but not where it cannot");
	s.dir = NULL;
	s.argv = open3;
	s.fd[2] = -1;
	dup2(1, 7);
	tap_ok(spawn_start(&s, &pid) == 0 && spawn_wait(pid, &status) == 0 &&
		status != 0,
	    "no descriptor above 2 is handed on");
}

int
main(void)
{
	err_init("t_spawn", EXIT_FAILED);
	test_capture();
	test_start();
	return tap_done();
}
