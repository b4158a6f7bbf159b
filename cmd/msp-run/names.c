#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io.h"
#include "mem.h"
#include "path.h"
#include "run.h"

enum { NAMES_TRIES = 100000 };

/* The names with a suffix from the second try on. */
static void
names_try(struct run_names *n, const char *stem, int try)
{
	struct buf b = { 0 };

	buf_adds(&b, stem);
	if (try > 1)
		buf_addf(&b, "-%d", try);
	size_t len = b.len;
	names_free(n);
	buf_adds(&b, ".sh");
	n->sh = mem_strdup(b.s);
	b.len = len;
	buf_adds(&b, ".log");
	n->log = mem_strdup(b.s);
	b.len = len;
	buf_adds(&b, ".tsv");
	n->tsv = buf_take(&b);
}

static void
names_stem(struct buf *b, const char *dir, const struct script *script)
{
	struct buf own = { 0 };
	char stamp[32] = "";
	time_t now = time(NULL);
	struct tm tm;

	if (dir == NULL && script->path != NULL)
		path_dir(&own, script->path);
	else
		buf_adds(&own, dir != NULL ? dir : ".");
	if (localtime_r(&now, &tm) != NULL)
		(void)strftime(stamp, sizeof stamp, "%Y%m%d%H%M%S", &tm);
	buf_addf(&own, "/run_profiling_%s", stamp);
	if (str_begins(own.s, "./"))
		buf_adds(b, own.s + 2);
	else
		buf_adds(b, own.s);
	buf_free(&own);
}

static void
names_fail(const char *name, int e)
{
	err_tell(ERR_ERROR, ERR_NOWHERE, &T_NO_CREATE, &T_NO_CREATE_DO, name,
	    strerror(e));
}

static void
names_text(struct buf *b, const struct script *script)
{
	if (script->closed)
		script_close(b, script->text.s, script->text.len, script->path);
	else
		buf_add(b, script->text.s, script->text.len);
}

/* Writes and closes the script's file. */
static int
names_write(int fd, const struct buf *text, int mode)
{
	int r = io_write_all(fd, text->s, text->len);
	int e = errno;

	if (r == 0 && mode != 0)
		(void)fchmod(fd, (mode_t)(mode & 0777) | S_IRUSR);
	if (close(fd) < 0 && r == 0)
		return -1;
	errno = e;
	return r;
}

void
names_guess(struct run_names *n, const char *dir, const struct script *script)
{
	struct buf stem = { 0 };

	*n = (struct run_names){ .fd = -1 };
	names_stem(&stem, dir, script);
	names_try(n, stem.s, 1);
	buf_free(&stem);
}

/* Creates both files under the first free name; the script's descriptor, or
 * -1 with errno. */
static int
names_create(struct run_names *n, const char *stem, int mode)
{
	struct stat st;

	for (int i = 1; i <= NAMES_TRIES; i++) {
		names_try(n, stem, i);
		int fd = io_open(n->sh, O_WRONLY | O_CREAT | O_EXCL, mode);
		if (fd < 0 && errno == EEXIST)
			continue;
		if (fd < 0)
			return -1;
		n->fd =
		    io_open(n->log, O_RDWR | O_CREAT | O_EXCL | O_APPEND, mode);
		if (n->fd >= 0 && lstat(n->tsv, &st) < 0 && errno == ENOENT)
			return fd;
		int e = n->fd < 0 ? errno : EEXIST;
		close(fd);
		names_undo(n);
		errno = e;
		if (e != EEXIST)
			return -1;
	}
	errno = EEXIST;
	return -1;
}

int
names_make(struct run_names *n, const char *dir, const struct script *script)
{
	struct buf stem = { 0 }, text = { 0 };
	int mode = script->mode != 0 ? script->mode & 0666 : 0666;

	*n = (struct run_names){ .fd = -1 };
	names_stem(&stem, dir, script);
	names_text(&text, script);
	int fd = names_create(n, stem.s, mode | 0600), bad = fd < 0;
	if (bad) {
		names_fail(n->sh, errno);
	} else if (names_write(fd, &text, script->mode) < 0) {
		bad = errno;
		names_undo(n);
		names_fail(n->sh, bad);
	}
	buf_free(&stem);
	buf_free(&text);
	return bad ? -1 : 0;
}

void
names_undo(struct run_names *n)
{
	if (n->fd >= 0) {
		close(n->fd);
		(void)unlink(n->log);
	}
	n->fd = -1;
	(void)unlink(n->sh);
}

void
names_free(struct run_names *n)
{
	mem_free(n->sh);
	mem_free(n->log);
	mem_free(n->tsv);
	n->sh = n->log = n->tsv = NULL;
}
