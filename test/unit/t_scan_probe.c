#include "scantest.h"

#include <signal.h>
#include <time.h>

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
add(struct scan *s, const char *path)
{
	struct scan_item *item = scan_add(s, SCAN_FILE);

	item->name = "--x";
	item->value = item->path = path;
}

static void
answers(void)
{
	struct scan s = { 0 };

	tree_make("a b");
	add(&s, "a");
	add(&s, "gone");
	add(&s, "b");
	s.item[2].flags = SCAN_SET;
	s.item[2].found.status = SCAN_WARN;
	add(&s, "b/c");
	probe_items(&s, 5000);
	tap_ok(s.item[0].found.status == SCAN_OK, "there");
	tap_ok(s.item[1].found.status == SCAN_MISSING, "not there");
	tap_is(
	    s.item[1].found.resolved, "gone", "what was resolved comes back");
	tap_ok(s.item[1].found.why == &T_NO_FILE, "and why");
	tap_ok(s.item[2].found.status == SCAN_WARN, "what is set stays");
	tap_ok(s.item[3].found.status == SCAN_MISSING, "below a file");
	scan_free(&s);
}

/* Stops the first other child of the process that it finds. */
static void
stop_first(pid_t parent)
{
	char name[64];
	double end = seconds() + 10;

	snprintf(name, sizeof name, "/proc/%ld/task/%ld/children", (long)parent,
	    (long)parent);
	while (seconds() < end) {
		struct buf b = { 0 };
		if (io_slurp_file(name, &b, 4096) < 0)
			_exit(1);
		buf_adds(&b, "");
		for (char *s = b.s; *s != '\0';) {
			pid_t pid = (pid_t)strtol(s, &s, 10);
			if (pid != getpid() && pid > 0 &&
			    kill(pid, SIGSTOP) == 0)
				_exit(0);
			s += strspn(s, " \n");
		}
		buf_free(&b);
	}
	_exit(1);
}

/* A helper that is stopped while it looks, as if its file system hung. */
static void
stopped(void)
{
	enum { MANY = 50000 };
	struct scan s = { 0 };
	size_t unknown = 0, ok = 0;
	int status = 0;

	tree_make("a");
	for (int i = 0; i < MANY; i++)
		add(&s, "a");
	pid_t stopper = fork();
	if (stopper == 0)
		stop_first(getppid());
	double t = seconds();
	probe_items(&s, 1000);
	t = seconds() - t;
	(void)waitpid(stopper, &status, 0);
	for (size_t i = 0; i < s.n; i++) {
		unknown += s.item[i].found.status == SCAN_UNKNOWN;
		ok += s.item[i].found.status == SCAN_OK;
	}
	tap_ok(status == 0, "the helper was stopped");
	tap_ok(unknown == 1, "what it looked at is unknown (%zu)", unknown);
	tap_ok(ok == MANY - 1, "another goes on behind it");
	tap_ok(t >= 1, "it was given its time (%.2f s)", t);
	scan_free(&s);
}

static void
never(int fd, void *data)
{
	(void)fd;
	(void)data;
	raise(SIGSTOP);
}

static void
silent(void)
{
	struct probe p = { .limit = 100 };
	char c;

	tap_ok(
	    probe_start(&p, never, NULL) == 0, "a helper that stops at once");
	tap_ok(probe_get(&p, &c, 1) < 0 && errno == ETIMEDOUT, "gives nothing");
	probe_end(&p, 0);
}

static void
reads(void)
{
	struct look look = { NULL };
	struct buf b = { 0 };

	tree_make("text=hello d/");
	tap_ok(probe_read(&look, "text", &b, 100, 5000) == 0, "a file is read");
	tap_is(b.s, "hello", "its text");
	buf_reset(&b);
	tap_ok(probe_read(&look, "gone", &b, 100, 5000) < 0 && errno == ENOENT,
	    "errno of a file that is not there");
	tap_ok(probe_read(&look, "d", &b, 100, 5000) < 0 && errno == EISDIR,
	    "of a directory");
	(void)mkfifo("fifo", 0600);
	tap_ok(probe_read(&look, "fifo", &b, 100, 5000) < 0 && errno == EINVAL,
	    "a FIFO is not waited for");
	buf_free(&b);
}

int
main(void)
{
	char dir[64];

	err_init("t_scan_probe", EXIT_FAILED);
	tree_enter(dir);
	answers();
	stopped();
	silent();
	reads();
	(void)!chdir("/");
	tree_clear(dir);
	return tap_done();
}
