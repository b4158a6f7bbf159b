/*
 * Reading all, writing all, and output that is checked.
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
 * The bytes are all of standard output, which is closed: 0; or -1 after
 * saying "unable to write NAME: reason". EPIPE cannot come back here
 * (SIGPIPE ends the program).
 */
int io_put(const struct buf *);
/* The same for n bytes and those of the buffer behind them. */
int io_put_behind(const char *, size_t n, const struct buf *);
/*
 * The bytes become those of the file, which is made where it is missing; as
 * io_put. A regular file is replaced as a whole or stays as it was. What
 * cannot be replaced is written to: links, devices, a file in a directory
 * that may not be written, or of another owner.
 */
int io_put_file(const char *path, const struct buf *);

#endif
