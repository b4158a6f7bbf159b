#include "mem.h"
#include "scantest.h"

#include <time.h>

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Standard output and error go to files while this test watches. */
static int
quietly(struct watch *w)
{
	int out = dup(1), err = dup(2);

	fflush(stdout);
	(void)!freopen("out", "w", stdout);
	(void)!freopen("err", "w", stderr);
	int r = watch_wait(w);
	/* watch_wait has closed standard output, as at a program's end */
	fflush(stdout);
	(void)dup2(out, 1);
	(void)dup2(err, 2);
	close(out);
	close(err);
	return r;
}

static char *
contents(const char *name)
{
	struct buf b = { 0 };

	(void)io_slurp_file(name, &b, 4096);
	buf_adds(&b, "");
	return buf_take(&b);
}

/* Three steps; the helper stops at this one, 0: at none. */
static void
work(struct watch *w, size_t stop)
{
	char done[8] = "";
	size_t n = 0;

	for (size_t i = 1; i <= 3; i++) {
		if (watch_step(w))
			continue;
		if (i == stop)
			raise(SIGSTOP);
		done[n++] = (char)('0' + i);
	}
	(void)io_write_all(1, done, n);
	(void)io_write_all(2, "said", 4);
}

static int
watched(struct watch *w, size_t stop)
{
	if (watch_start(w) == WATCH_HELPER) {
		work(w, stop);
		_exit(7);
	}
	return quietly(w);
}

static void
ends(void)
{
	struct watch w = { .limit = 5000 };
	int r = watched(&w, 0);
	char *out = contents("out"), *err = contents("err");

	tap_ok(r == 7, "the helper's exit status");
	tap_is(out, "123", "its output");
	tap_is(err, "said", "its messages");
	mem_free(out);
	mem_free(err);
}

static void
stops(void)
{
	struct watch w = { .limit = 200 };
	double t = seconds();
	int r = watched(&w, 2);

	t = seconds() - t;
	tap_ok(r == WATCH_AGAIN, "a helper that stops is given up");
	tap_ok(t >= 0.2 && t < 5, "after its time (%.2f s)", t);
	tap_ok(w.nlost == 1 && w.lost[0] == 2, "the step is known");
	char *out = contents("out");
	tap_is(out, "", "and nothing was written");
	mem_free(out);
	r = watched(&w, 2);
	out = contents("out");
	tap_ok(r == 7, "the next one leaves the step out");
	tap_is(out, "13", "and does the others");
	mem_free(out);
}

static void
gives_up(void)
{
	struct watch w = { .limit = 50 };
	int again = 0, r;

	while ((r = watched(&w, w.nlost + 1)) == WATCH_AGAIN)
		again++;
	tap_ok(again == 3 && r == 7, "the fourth leaves out all that is left");
	w.lost[0] = w.lost[1] = w.lost[2] = 9;
	tap_ok(watched(&w, 1) == WATCH_STUCK, "it ends at some time");
}

static void
crashes(void)
{
	struct watch w = { .limit = 5000 };

	if (watch_start(&w) == WATCH_HELPER)
		raise(SIGKILL);
	tap_ok(quietly(&w) == WATCH_CRASH, "a helper that is killed");
}

/* What hangs in a list of files is unknown, the rest is judged. */
static void
items(void)
{
	struct watch w = { .limit = 5000, .lost = { 2 }, .nlost = 1 };
	struct scan s = { 0 };
	static const char *const path[] = { "there", "hangs", "gone", "set" };

	tree_make("there hangs");
	w.progress = -1;
	for (size_t i = 0; i < 4; i++) {
		struct scan_item *item = scan_add(&s, SCAN_FILE);
		item->name = "--x";
		item->value = item->path = path[i];
	}
	s.item[3].flags = SCAN_SET;
	judge_items(&s, &w);
	tap_ok(s.item[0].found.status == SCAN_OK, "before the step");
	tap_ok(s.item[1].found.status == SCAN_UNKNOWN &&
		s.item[1].found.why == &T_NO_ANSWER,
	    "the step that is left out");
	tap_ok(s.item[2].found.status == SCAN_MISSING, "behind it");
	tap_ok(s.item[3].found.status == SCAN_OK, "what is set stays");
	scan_free(&s);
}

static void
reads(void)
{
	struct look look = { NULL };
	struct buf b = { 0 };

	tree_make("text=hello d/");
	tap_ok(look_read(&look, "text", &b, 100) == 0, "a file is read");
	tap_is(b.s, "hello", "its text");
	buf_reset(&b);
	tap_ok(look_read(&look, "gone", &b, 100) < 0 && errno == ENOENT,
	    "errno of a file that is not there");
	tap_ok(look_read(&look, "d", &b, 100) < 0 && errno == EISDIR,
	    "of a directory");
	(void)mkfifo("fifo", 0600);
	tap_ok(look_read(&look, "fifo", &b, 100) < 0 && errno == EINVAL,
	    "a FIFO is not waited for");
	buf_free(&b);
}

int
main(void)
{
	char dir[64];

	err_init("t_scan_watch", EXIT_FAILED);
	tree_enter(dir);
	ends();
	stops();
	gives_up();
	crashes();
	items();
	reads();
	(void)!chdir("/");
	tree_clear(dir);
	return tap_done();
}
