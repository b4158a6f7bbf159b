#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"
#include "fault.h"

enum { IO_PIECE = 64 << 10 };

int
io_slurp(int fd, struct buf *b, size_t max)
{
	size_t room = 4 << 10;

	for (size_t had = b->len;;) {
		size_t left = max - (b->len - had);
		size_t n = left < room ? left + 1 : room;
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
		if (room < IO_PIECE << 4)
			room *= 2;
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

int
io_write_all(int fd, const void *p, size_t n)
{
	const char *s = p;

	while (n > 0) {
		ssize_t w = fault_now(FAULT_WRITE) ? (errno = ENOSPC, -1)
						   : write(fd, s, n);
		if (w < 0 && errno == EINTR)
			continue;
		if (w == 0)
			errno = ENOSPC;
		if (w <= 0)
			return -1;
		s += w;
		n -= (size_t)w;
	}
	return 0;
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

static int
io_put_fd(int fd, const char *name, const struct buf *b)
{
	int e = io_write_all(fd, b->s, b->len) < 0 ? errno : 0;

	if (close(fd) < 0 && e == 0 && errno != EINTR)
		e = errno;
	if (e == 0)
		return 0;
	err_say(ERR_ERROR, ERR_NOWHERE, &T_LIB_WRITE, name, strerror(e));
	return -1;
}

int
io_put(const struct buf *b)
{
	return io_put_fd(STDOUT_FILENO, text_raw(&T_LIB_STDOUT), b);
}

int
io_put_file(const char *path, const struct buf *b)
{
	int fd = io_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd >= 0)
		return io_put_fd(fd, path, b);
	err_say(ERR_ERROR, ERR_NOWHERE, &T_LIB_WRITE, path, strerror(errno));
	return -1;
}
