#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
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

static int
holds(const char *path, const char *text)
{
	struct buf b = { 0 };
	int yes =
	    io_slurp_file(path, &b, 1 << 20) == 0 && strcmp(b.s, text) == 0;

	buf_free(&b);
	return yes;
}

static int
entries(const char *path)
{
	DIR *d = opendir(path);
	int n = 0;

	while (d != NULL && readdir(d) != NULL)
		n++;
	if (d != NULL)
		closedir(d);
	return n - 2;
}

static mode_t
mode_of(const char *path)
{
	struct stat st;

	return lstat(path, &st) < 0 ? 0 : st.st_mode;
}

/* A size limit is a full disk that needs no disk. */
static void
test_whole_or_old(const struct buf *b)
{
	struct rlimit limit, was;

	tap_ok(io_put_file("new", b) == 0 && holds("new", b->s), "a new file");
	tap_ok((mode_of("new") & 0777) == 0640, "has the mode of umask");
	chmod("new", 0604);
	getrlimit(RLIMIT_FSIZE, &was);
	limit = was;
	limit.rlim_cur = 2;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	tap_ok(io_put_file("new", b) < 0 && io_put_file("other", b) < 0,
	    "no room");
	setrlimit(RLIMIT_FSIZE, &was);
	tap_ok(holds("new", b->s) && entries(".") == 1,
	    "leaves the old one, or none, and nothing else");
	tap_ok(io_put_file("new", b) == 0 && (mode_of("new") & 0777) == 0604 &&
		entries(".") == 1,
	    "the new one has the old one's mode");
}

static void
test_places(const struct buf *b)
{
	struct stat st;
	int end = -1;

	tap_ok(symlink("new", "link") == 0 && io_put_file("link", b) == 0 &&
		S_ISLNK(mode_of("link")),
	    "a link stays one");
	tap_ok(link("new", "twin") == 0 && io_put_file("twin", b) == 0 &&
		stat("new", &st) == 0 && st.st_nlink == 2,
	    "so does a second name");
	tap_ok(mkfifo("fifo", 0600) == 0 && (end = open("fifo", O_RDWR)) >= 0 &&
		io_put_file("fifo", b) == 0 && S_ISFIFO(mode_of("fifo")),
	    "and a fifo");
	close(end);
	tap_ok(
	    io_put_file("/dev/null", b) == 0 && S_ISCHR(mode_of("/dev/null")),
	    "and a device");
	unlink("twin");
	chmod(".", 0500);
	tap_ok(io_put_file("new", b) == 0 && holds("new", b->s),
	    "a file in a directory that may not be written");
	chmod("new", 0400);
	tap_ok(geteuid() == 0 || io_put_file("new", b) < 0,
	    "one that may not be written");
	chmod(".", 0700);
	unlink("new");
	unlink("link");
	unlink("fifo");
	tap_ok(entries(".") == 0, "nothing is left");
}

static void
test_replaced(void)
{
	struct buf b = { 0 };
	char dir[] = "/tmp/t_io.XXXXXX";

	if (!tap_ok(mkdtemp(dir) != NULL && chdir(dir) == 0, "a directory"))
		return;
	umask(027);
	buf_adds(&b, "some text");
	test_whole_or_old(&b);
	test_places(&b);
	tap_ok(chdir("/") == 0 && rmdir(dir) == 0, "which was left empty");
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
	test_replaced();
	return tap_done();
}
