/*
 * Reading all, writing all, and a checked standard output.
 * Every call is repeated after EINTR; sizes are never taken from stat.
 */
#ifndef IO_H
#define IO_H

#include <stddef.h>

#include "buf.h"

/*
 * Appends what fd gives until its end, at most max bytes.
 * 0; 1 when there was more than max (the buffer then holds max bytes);
 * -1 with errno.
 */
int io_slurp(int fd, struct buf *, size_t max);
/* As io_slurp for a file by name; a directory is EISDIR. */
int io_slurp_file(const char *path, struct buf *, size_t max);
/* 0, or -1 with errno; a write of nothing counts as ENOSPC. */
int io_write_all(int fd, const void *, size_t);
/* Opens with O_CLOEXEC, above descriptor 2. */
int io_open(const char *path, int flags, int mode);
int io_openat(int dirfd, const char *path, int flags, int mode);

/*
 * Output that is written in large pieces and checked once: after a failure
 * nothing more is written, and io_close tells.
 */
struct io {
	int fd;
	int error; /* errno of the first failure, 0 so far */
	struct buf buf;
	const char *name; /* for the message; not owned */
};
void io_start(struct io *, int fd, const char *name);
void io_add(struct io *, const void *, size_t);
void io_adds(struct io *, const char *);
/*
 * Flushes and closes. 0; or -1 after saying "unable to write NAME: reason".
 * EPIPE on standard output cannot come back here (SIGPIPE ends the program).
 */
int io_close(struct io *);

#endif
