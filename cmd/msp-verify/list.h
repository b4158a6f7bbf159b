/*
 * The entries of one directory with what fstatat says of them, sorted by
 * name. Nothing is followed; "." and ".." and .nfs* are left out.
 */
#ifndef LIST_H
#define LIST_H

#include <dirent.h>
#include <sys/types.h>

#include "buf.h"
#include "mem.h"

struct entry {
	const char *name;
	mode_t mode; /* 0: it cannot be told */
	uid_t uid;
	gid_t gid;
	unsigned long long size;
	time_t mtime;
};

struct listing {
	DIR *dir;
	int fd; /* of the directory, open until list_close */
	struct entry *v;
	size_t n, cap;
	int capped; /* more than max entries: the rest was not looked at */
	int error; /* errno, when the directory could not be read to its end */
	struct arena names;
};

/* 0, or -1 with errno. A link is followed only when asked to. */
int list_open(
    struct listing *, int at, const char *name, int follow, size_t max);
void list_close(struct listing *);

/* Opens for reading without following or waiting what was listed as a
 * regular file; whatever stands there by now, reading it does not hang. */
int list_file(int at, const char *name);
/* Appends such a file: 0; 1 when it is larger than max; -1 with errno. */
int list_slurp(int at, const char *name, struct buf *, size_t max);
/* read and pread of such a file, repeated after EINTR. */
ssize_t list_read(int fd, void *, size_t);
ssize_t list_pread(int fd, void *, size_t, unsigned long long at);
/* The errno is that of a file that is no more what it was when it was listed:
 * somebody is at work there; nothing to be said. */
int list_changed(int error);
/* Of a directory: it is there, and cannot be read. */
int list_hidden(int error);

#endif
