#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "err.h"
#include "io.h"
#include "tap.h"

static void
test_slurp(void)
{
	struct buf b = { 0 };
	char name[] = "/tmp/t_io.XXXXXX";
	int fd = mkstemp(name);

	if (!tap_ok(fd >= 0 && close(fd) == 0, "a file"))
		return;
	for (int i = 0; i < 100000; i++)
		buf_adds(&b, "0123456789");
	tap_ok(io_put_file(name, &b) == 0, "is written");
	buf_reset(&b);
	tap_ok(io_slurp_file(name, &b, 1 << 20) == 0 && b.len == 1000000,
	    "and read whole");
	buf_reset(&b);
	tap_ok(io_slurp_file(name, &b, 1000000) == 0, "the limit is included");
	buf_reset(&b);
	tap_ok(io_slurp_file(name, &b, 999999) == 1 && b.len == 999999,
	    "more than the limit is said");
	buf_reset(&b);
	tap_ok(io_slurp_file("/tmp", &b, 10) < 0 && errno == EISDIR,
	    "a directory is no file");
	tap_ok(io_slurp_file("/no/such/file", &b, 10) < 0 && errno == ENOENT,
	    "nothing is nothing");
	unlink(name);
	buf_free(&b);
}

static void
test_failures(void)
{
	struct buf b = { 0 };
	int out = dup(1);

	buf_adds(&b, "x");
	if (access("/dev/full", W_OK) == 0)
		tap_ok(io_put_file("/dev/full", &b) < 0, "a full disk");
	else
		tap_ok(1, "full disk # skip no /dev/full");
	tap_ok(io_put_file("/no/such/file", &b) < 0, "no directory");
	(void)fflush(stdout);
	close(1);
	int r = io_put(&b);
	(void)dup2(out, 1);
	close(out);
	tap_ok(r < 0, "no descriptor");
	buf_free(&b);
}

int
main(void)
{
	err_init("t_io", EXIT_FAILED);
	if (freopen("/dev/null", "w", stderr) == NULL)
		return 2;
	test_slurp();
	test_failures();
	return tap_done();
}
