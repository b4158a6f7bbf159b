#include "scantest.h"

#include <signal.h>
#include <time.h>

/*
 * A path below this directory never answers: the helper that looks at it is
 * stopped, as by a file system that hangs.
 */
static const char *probe_hangs;

static void
probe_stop(int fd, void *data)
{
	(void)fd;
	(void)data;
	raise(SIGSTOP);
}

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The helper's own end of the pipe: stops where it is told to. */
static void
stopping_judge(int fd, void *data)
{
	struct probe_job *job = data;

	for (size_t i = job->from; i < job->scan->n; i++) {
		struct scan_found f = { .status = SCAN_OK };
		if (strcmp(job->scan->item[i].path, probe_hangs) == 0)
			raise(SIGSTOP);
		judge_item(&job->scan->look, &job->scan->item[i], &f);
		probe_answer(fd, i, &f);
		found_free(&f);
	}
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

/* As probe_items, with a helper that stops at one path. */
static void
hangs(void)
{
	struct scan s = { 0 };
	struct probe_job job = { &s, 0 };
	struct probe p = { .limit = 200 };
	size_t index = 99;

	add(&s, "a");
	add(&s, "b");
	probe_hangs = "b";
	tap_ok(probe_start(&p, stopping_judge, &job) == 0, "a helper starts");
	tap_ok(probe_next(&p, &s, &index) == 0 && index == 0,
	    "it answers for the first");
	double t = seconds();
	int r = probe_next(&p, &s, &index);
	tap_ok(r < 0 && errno == ETIMEDOUT, "it is given up at the second");
	t = seconds() - t;
	tap_ok(t > 0.15 && t < 5, "after the time that was given (%.2f s)", t);
	probe_end(&p, 0);
	scan_free(&s);
}

/* The real thing, stopped from outside while it judges many items. */
static void
stopped(void)
{
	struct scan s = { 0 };
	struct probe p = { .limit = 200 };
	double t = seconds();
	int unknown = 0, ok = 0;

	for (int i = 0; i < 5; i++)
		add(&s, "a");
	/* Every helper of this process stops before it answers. */
	struct probe_job job = { &s, 0 };
	(void)job;
	tap_ok(probe_start(&p, probe_stop, NULL) == 0, "a helper that stops");
	struct buf b = { 0 };
	tap_ok(probe_wait(&p, buf_room(&b, 8), 8) < 0 && errno == ETIMEDOUT,
	    "gives nothing");
	probe_end(&p, 0);
	buf_free(&b);
	probe_items(&s, 5000);
	for (size_t i = 0; i < s.n; i++) {
		unknown += s.item[i].found.status == SCAN_UNKNOWN;
		ok += s.item[i].found.status == SCAN_OK;
	}
	tap_ok(unknown == 0 && ok == 5, "the next helper works");
	tap_ok(seconds() - t < 5, "and nothing waited for the stopped one");
	scan_free(&s);
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
	hangs();
	stopped();
	reads();
	(void)!chdir("/");
	tree_clear(dir);
	return tap_done();
}
