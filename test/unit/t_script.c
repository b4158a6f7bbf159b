#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"
#include "io.h"
#include "script.h"
#include "tap.h"

static void
put(const char *file, const char *s, size_t n)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0755);

	if (fd < 0 || io_write_all(fd, s, n) < 0)
		abort();
	close(fd);
}

/* Puts a file on standard input, through a pipe when piped. */
static void
feed(const char *file, int piped)
{
	struct buf b = { 0 };
	int fd[2];

	close(0);
	if (!piped) {
		if (open(file, O_RDONLY) != 0)
			abort();
		return;
	}
	if (io_slurp_file(file, &b, 1 << 16) != 0 || pipe(fd) < 0)
		abort();
	if (io_write_all(fd[1], b.s, b.len) < 0)
		abort();
	close(fd[1]);
	if (fd[0] != 0) {
		dup2(fd[0], 0);
		close(fd[0]);
	}
	buf_free(&b);
}

/* Reads the script that up to two operands name. */
static int
read_from(struct script *s, const char *a, const char *b, int *refused)
{
	static char first[256], second[256];
	static char *argv[] = { first, second };

	snprintf(first, sizeof first, "%s", a != NULL ? a : "");
	snprintf(second, sizeof second, "%s", b != NULL ? b : "");
	return script_read(s, (a != NULL) + (b != NULL), argv, NULL, refused);
}

static const struct {
	const char *text, *path, *want;
} closings[] = {
	{ "", NULL, "# msp: end script=-\n" },
	{ "a\n", "t.sh", "a\n# msp: end script=t.sh\n" },
	{ "a", "t.sh", "a\n# msp: end script=t.sh\n" },
	{ "a \\", "t.sh", "a \\\n\n# msp: end script=t.sh\n" },
	{ "a \\\n", "t.sh", "a \\\n\n# msp: end script=t.sh\n" },
	{ "a\n", "-", "a\n# msp: end script=\\x2d\n" },
	{ "a\n", "a b\n.sh", "a\n# msp: end script=a b\\n.sh\n" },
};

static void
test_closing(void)
{
	for (size_t i = 0; i < sizeof closings / sizeof *closings; i++) {
		struct buf b = { 0 };
		struct script s;
		int refused;
		script_close(&b, closings[i].text, strlen(closings[i].text),
		    closings[i].path);
		tap_is(b.s, closings[i].want, "closing comment");
		put("closed", b.s, b.len);
		feed("closed", 1);
		int r = script_read(&s, 0, NULL, NULL, &refused);
		tap_ok(r == 0 && s.closed, "is recognised");
		tap_is(s.path, closings[i].path, "gives the path");
		tap_ok(r < 0 ||
			strncmp(s.text.s, closings[i].text,
			    strlen(closings[i].text)) == 0,
		    "leaves the text");
		script_free(&s);
		buf_free(&b);
	}
}

static void
test_cuts(void)
{
	static const char text[] = "#!/bin/bash\ntorchrun a.py \\\n --x";
	struct buf b = { 0 };
	int closed = 0;

	script_close(&b, text, sizeof text - 1, "dir/t.sh");
	for (size_t n = 1; n <= b.len; n++) {
		struct script s;
		int refused;
		put("cut", b.s, n);
		if (read_from(&s, "cut", NULL, &refused) == 0 && s.closed)
			closed += n == b.len ? 1 : 1000;
		script_free(&s);
	}
	tap_ok(closed == 1, "a script cut at any byte is not closed");
	buf_free(&b);
}

static void
test_path(void)
{
	struct script s;
	int refused;

	put("plain", "echo\n", 5);
	tap_ok(read_from(&s, "plain", "arg", &refused) == 0, "an operand");
	tap_is(s.path, "plain", "is the path");
	tap_ok(s.nargs == 1 && strcmp(s.args[0], "arg") == 0 && !s.closed &&
		s.mode == 0755,
	    "with its arguments and mode");
	script_free(&s);
	feed("plain", 0);
	tap_ok(read_from(&s, "-", "arg", &refused) == 0, "-");
	tap_ok(
	    s.path != NULL && strstr(s.path, "/plain") != NULL && s.nargs == 1,
	    "a redirected file is known");
	script_free(&s);
	feed("plain", 1);
	tap_ok(script_read(&s, 0, NULL, NULL, &refused) == 0, "a pipe");
	tap_is(s.path, NULL, "has no path");
	tap_is(s.name, "stdin", "and is called stdin");
	script_free(&s);
	feed("closed", 1);
	tap_ok(script_read(&s, 0, NULL, "other.sh", &refused) == 0, "-p");
	tap_is(s.path, "other.sh", "wins over the closing comment");
	script_free(&s);
}

static void
test_refusals(void)
{
	struct script s;
	int refused;

	put("bad", "a\0b\n", 4);
	tap_ok(
	    read_from(&s, "bad", NULL, &refused) < 0 && refused == EXIT_REFUSED,
	    "a NUL is refused");
	script_free(&s);
	put("bad", "", 0);
	tap_ok(
	    read_from(&s, "bad", NULL, &refused) < 0 && refused == EXIT_FAILED,
	    "an empty file");
	script_free(&s);
	feed("bad", 1);
	tap_ok(script_read(&s, 0, NULL, NULL, &refused) < 0, "no input");
	script_free(&s);
	put("bad", "msp-check-env: ready\n", 21);
	tap_ok(read_from(&s, "bad", NULL, &refused) < 0, "a report");
	script_free(&s);
	tap_ok(read_from(&s, "no-such-file", NULL, &refused) < 0, "no file");
	script_free(&s);
	tap_ok(read_from(&s, ".", NULL, &refused) < 0, "a directory");
	script_free(&s);
}

int
main(void)
{
	char top[] = "/tmp/t_script.XXXXXX";

	err_init("t_script", EXIT_FAILED);
	if (mkdtemp(top) == NULL || chdir(top) < 0 ||
	    freopen("/dev/null", "w", stderr) == NULL)
		return 2;
	test_closing();
	test_cuts();
	test_path();
	test_refusals();
	unlink("plain");
	unlink("closed");
	unlink("cut");
	unlink("bad");
	tap_ok(rmdir(top) == 0, "nothing else was written");
	return tap_done();
}
