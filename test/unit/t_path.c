#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path.h"
#include "tap.h"

static const struct {
	const char *in, *fold, *dir, *base;
} names[] = {
	{ "", ".", ".", "" },
	{ "a", "a", ".", "a" },
	{ "/", "/", "/", "/" },
	{ "//", "/", "/", "//" },
	{ "a/b", "a/b", "a", "b" },
	{ "/a", "/a", "/", "a" },
	{ "a/", "a", ".", "a/" },
	{ "./a//b/./c", "a/b/c", "./a//b/.", "c" },
	{ "a/../b", "b", "a/..", "b" },
	{ "../../a", "../../a", "../..", "a" },
	{ "a/../../b", "../b", "a/../..", "b" },
	{ "/../a", "/a", "/..", "a" },
	{ "/a/b/../..", "/", "/a/b/..", ".." },
};

static void
test_names(void)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct buf b = { 0 };
		path_fold(&b, names[i].in);
		tap_is(b.s, names[i].fold, "fold");
		buf_reset(&b);
		path_dir(&b, names[i].in);
		tap_is(b.s, names[i].dir, "dir");
		tap_is(path_base(names[i].in), names[i].base, "base");
		buf_free(&b);
	}
}

static const char *
joined(struct buf *b, const char *dir, const char *name)
{
	buf_reset(b);
	path_join(b, dir, name);
	return b->s;
}

static void
test_directories(void)
{
	char top[] = "/tmp/t_path.XXXXXX";
	struct buf b = { 0 };
	struct stat st;

	if (!tap_ok(mkdtemp(top) != NULL && chdir(top) == 0, "a directory"))
		return;
	tap_ok(path_mkdirs("x/y//z/") == 0 && stat("x/y/z", &st) == 0,
	    "directories are made with those above");
	tap_ok(path_mkdirs("x/y") == 0, "what is there is fine");
	FILE *f = fopen("file", "w");
	if (f != NULL)
		fclose(f);
	tap_ok(path_mkdirs("file/a/b") < 0 && errno == ENOTDIR,
	    "a file in the way");
	tap_ok(path_ancestor(&b, "x/y/no/such") == 0, "the nearest ancestor");
	tap_is(b.s, "x/y", "is the last that exists");
	buf_reset(&b);
	tap_ok(path_ancestor(&b, "none") == 0, "a relative name");
	tap_is(b.s, ".", "lies in the current directory");
	buf_free(&b);
	tap_ok(unlink("file") == 0 && rmdir("x/y/z") == 0 &&
		rmdir("x/y") == 0 && rmdir("x") == 0 && rmdir(top) == 0,
	    "nothing else was made");
}

int
main(void)
{
	struct buf b = { 0 };

	test_names();
	tap_is(joined(&b, "d", "n"), "d/n", "joined");
	tap_is(joined(&b, "d/", "n"), "d/n", "one slash is enough");
	tap_is(joined(&b, "d", "/n"), "/n", "an absolute name stands alone");
	tap_is(joined(&b, ".", "n"), "n", "the current directory adds nothing");
	buf_reset(&b);
	tap_ok(
	    path_find_program(&b, "sh") == 0 && b.s[0] == '/', "sh is found");
	buf_reset(&b);
	tap_ok(path_find_program(&b, "no-such-program-here") < 0 && b.len == 0,
	    "what is not there is not");
	buf_free(&b);
	test_directories();
	return tap_done();
}
