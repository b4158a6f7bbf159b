#include "list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fault.h"
#include "io.h"
#include "mem.h"
#include "strs.h"

enum { SMALL = 4096 };

static void
list_add(struct listing *l, const char *name)
{
	struct entry *e;
	struct stat st;

	l->v = mem_more(l->v, l->n, &l->cap, sizeof *l->v);
	e = &l->v[l->n++];
	*e = (struct entry){ 0 };
	e->name = arena_strdup(&l->names, name);
	if (fstatat(l->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		if (list_hidden(errno))
			l->error = errno;
		return;
	}
	e->mode = st.st_mode;
	e->uid = st.st_uid;
	e->gid = st.st_gid;
	e->size = st.st_size > 0 ? (unsigned long long)st.st_size : 0;
	e->mtime = st.st_mtime;
}

static int
entry_order(const void *a, const void *b)
{
	return strcmp(
	    ((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

int
list_open(struct listing *l, int at, const char *name, int follow, size_t max)
{
	int flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK;
	struct dirent *d;
	int fd;

	*l = (struct listing){ 0 };
	fd = io_openat(at, name, follow ? flags : flags | O_NOFOLLOW, 0);
	if (fd < 0)
		return -1;
	l->dir = fdopendir(fd);
	if (l->dir == NULL) {
		int e = errno;

		close(fd);
		errno = e;
		return -1;
	}
	l->fd = fd;
	while (errno = 0, (d = readdir(l->dir)) != NULL) {
		if (strcmp(d->d_name, ".") == 0 ||
		    strcmp(d->d_name, "..") == 0 ||
		    str_begins(d->d_name, ".nfs"))
			continue;
		if (l->n == max) {
			l->capped = 1;
			break;
		}
		list_add(l, d->d_name);
	}
	if (!l->capped && errno != 0)
		l->error = errno;
	if (l->n > 1)
		qsort(l->v, l->n, sizeof *l->v, entry_order);
	return 0;
}

void
list_close(struct listing *l)
{
	if (l->dir != NULL)
		closedir(l->dir);
	mem_free(l->v);
	arena_free(&l->names);
	*l = (struct listing){ 0 };
}

int
list_file(int at, const char *name)
{
	return io_openat(
	    at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
}

int
list_slurp(int at, const char *name, struct buf *b, size_t max)
{
	int fd = list_file(at, name), r = -1, e;
	ssize_t n;

	if (fd < 0)
		return -1;
	/* A short read is the end of a regular file: most are small. */
	n = list_read(fd, buf_room(b, SMALL), SMALL);
	if (n >= 0) {
		b->len += (size_t)n;
		b->s[b->len] = 0;
		r = n == SMALL ? io_slurp(fd, b, max - SMALL) : 0;
	}
	e = errno;
	close(fd);
	errno = e;
	return r;
}

ssize_t
list_read(int fd, void *s, size_t n)
{
	ssize_t got;

	do
		got =
		    fault_now(FAULT_READ) ? (errno = EIO, -1) : read(fd, s, n);
	while (got < 0 && errno == EINTR);
	return got;
}

ssize_t
list_pread(int fd, void *s, size_t n, unsigned long long at)
{
	ssize_t got;

	do
		got = fault_now(FAULT_READ) ? (errno = EIO, -1)
					    : pread(fd, s, n, (off_t)at);
	while (got < 0 && errno == EINTR);
	return got;
}

int
list_changed(int error)
{
	return error == ENOENT || error == ELOOP || error == ENXIO ||
	    error == EISDIR || error == EAGAIN || error == EACCES ||
	    error == EPERM;
}

int
list_hidden(int error)
{
	return error == EACCES || error == EPERM || !list_changed(error);
}
