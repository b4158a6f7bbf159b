#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "err.h"
#include "fault.h"
#include "path.h"

enum { IO_PIECE = 64 << 10, IO_NAMES = 100 };

int
io_slurp(int fd, struct buf *b, size_t max)
{
	size_t room = 4 << 10;
	struct stat st;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (unsigned long long)st.st_size < max)
		room = (size_t)st.st_size + 1;

	for (size_t had = b->len;;) {
		size_t left = max - (b->len - had), n = room;
		if (b->cap > b->len + 1)
			n = b->cap - b->len - 1;
		else if (room < IO_PIECE << 4)
			room *= 2;
		n = left < n ? left + 1 : n;
		char *to = buf_room(b, n);
		ssize_t got =
		    fault_now(FAULT_READ) ? (errno = EIO, -1) : read(fd, to, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		b->len += (size_t)got;
		if (b->len - had > max) {
			b->len = had + max;
			b->s[b->len] = '\0';
			return 1;
		}
		b->s[b->len] = '\0';
		if (got == 0)
			return 0;
	}
}

int
io_slurp_file(const char *path, struct buf *b, size_t max)
{
	int fd = io_open(path, O_RDONLY, 0);

	if (fd < 0)
		return -1;
	int r = io_slurp(fd, b, max);
	int e = errno;
	close(fd);
	errno = e;
	return r;
}

/* Two pieces of memory as one. */
static int
io_write_both(int fd, const char *a, size_t n, const char *b, size_t m)
{
	while (n + m > 0) {
		struct iovec v[2] = { { (char *)(uintptr_t)a, n },
			{ (char *)(uintptr_t)b, m } };
		ssize_t w = fault_now(FAULT_WRITE) ? (errno = ENOSPC, -1)
						   : writev(fd, v, 2);
		if (w < 0 && errno == EINTR)
			continue;
		if (w == 0)
			errno = ENOSPC;
		if (w <= 0)
			return -1;
		size_t first = (size_t)w < n ? (size_t)w : n;
		a += first;
		n -= first;
		b += (size_t)w - first;
		m -= (size_t)w - first;
	}
	return 0;
}

int
io_write_all(int fd, const void *p, size_t n)
{
	return io_write_both(fd, p, n, "", 0);
}

int
io_openat(int dirfd, const char *path, int flags, int mode)
{
	int fd;

	do
		fd = openat(dirfd, path, flags | O_CLOEXEC | O_NOCTTY, mode);
	while (fd < 0 && errno == EINTR);
	return fd;
}

int
io_open(const char *path, int flags, int mode)
{
	return io_openat(AT_FDCWD, path, flags, mode);
}

/* errno of what failed, or 0; fd is closed. */
static int
io_fill(int fd, const char *head, size_t n, const struct buf *b)
{
	const char *rest = b->len > 0 ? b->s : "";
	int e = io_write_both(fd, head, n, rest, b->len) < 0 ? errno : 0;

	if (close(fd) < 0 && e == 0 && errno != EINTR)
		e = errno;
	return e;
}

static int
io_failed(const char *name, int e)
{
	if (e == 0)
		return 0;
	err_say(ERR_ERROR, ERR_NOWHERE, &T_LIB_WRITE, name, strerror(e));
	return -1;
}

int
io_put_behind(const char *head, size_t n, const struct buf *b)
{
	return io_failed(
	    text_raw(&T_LIB_STDOUT), io_fill(STDOUT_FILENO, head, n, b));
}

int
io_put(const struct buf *b)
{
	return io_put_behind("", 0, b);
}

/* A new file beside path, its name appended to temp; -1 with errno. */
static int
io_beside(const char *path, struct buf *temp)
{
	int fd = -1;

	for (int i = 0; i < IO_NAMES; i++) {
		buf_reset(temp);
		path_dir(temp, path);
		buf_addf(temp, "/.msp-%ld-%d", (long)getpid(), i);
		fd = io_open(temp->s, O_WRONLY | O_CREAT | O_EXCL, 0666);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	return fd;
}

/* The new file gets what the old one has that is not its bytes: 0, or -1
 * where that cannot be had. */
static int
io_alike(int fd, const struct stat *old)
{
	struct stat st;

	if (old == NULL)
		return 0;
	if (fstat(fd, &st) < 0 || st.st_uid != old->st_uid ||
	    st.st_gid != old->st_gid)
		return -1;
	return fchmod(fd, old->st_mode & 07777);
}

/*
 * A whole new file in the place of the old one (NULL: none), or nothing done.
 * 0, errno of what failed, or -1: the place is not to be had.
 */
static int
io_replace(const char *path, const struct stat *old, const struct buf *b)
{
	struct buf temp = { 0 };
	int fd = io_beside(path, &temp), e;

	if (fd < 0) {
		e = errno == ENOSPC || errno == EDQUOT ? errno : -1;
	} else if (io_alike(fd, old) < 0) {
		close(fd);
		e = -1;
	} else {
		e = io_fill(fd, "", 0, b);
		if (e == 0 && rename(temp.s, path) < 0)
			e = -1;
	}
	if (fd >= 0 && e != 0)
		unlink(temp.s);
	buf_free(&temp);
	return e;
}

/* Signals wait until the other file is gone. */
static int
io_replace_safely(const char *path, const struct stat *old, const struct buf *b)
{
	sigset_t all, before;
	int e;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	e = io_replace(path, old, b);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return e;
}

/* /dev/stdout and the like go on where standard output is: its descriptor
 * again, -1 when path is something else. */
static int
io_own(const char *path)
{
	struct stat st, own;

	if (stat(path, &st) == 0)
		for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
			if (fstat(fd, &own) == 0 && st.st_dev == own.st_dev &&
			    st.st_ino == own.st_ino)
				return dup(fd);
	return -1;
}

int
io_put_file(const char *path, const struct buf *b)
{
	struct stat st;
	int there = lstat(path, &st) == 0, e = -1, fd;
	int fresh = !there && errno == ENOENT;

	fd = io_own(path);
	if (fd < 0 &&
	    (fresh ||
		(there && S_ISREG(st.st_mode) && st.st_nlink == 1 &&
		    access(path, W_OK) == 0)))
		e = io_replace_safely(path, there ? &st : NULL, b);
	if (e < 0) {
		if (fd < 0)
			fd = io_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
		e = fd < 0 ? errno : io_fill(fd, "", 0, b);
	}
	return io_failed(path, e);
}
