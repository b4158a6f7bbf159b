/*
 * Looking at files, below another root if asked: absolute paths and absolute
 * symbolic links then begin there, as they would for a training that runs
 * with that tree as its own. Nothing here opens anything but regular files
 * and directories, and nothing waits for a writer.
 */
#ifndef LOOK_H
#define LOOK_H

#include <stddef.h>
#include <sys/stat.h>

#include "buf.h"
#include "strs.h"

struct look {
	const char *root; /* NULL: the real one */
};

/* All return 0, or -1 with errno. */
int look_stat(const struct look *, const char *path, struct stat *);
/* 0 when access(2) with these bits would do. */
int look_may(const struct look *, const char *path, int mode);
/* Appends the file's bytes, at most max. */
int look_read(const struct look *, const char *path, struct buf *, size_t max);
/* The names in a directory but "." and "..", sorted by bytes; none after a
 * failure. The caller frees them. */
int look_list(const struct look *, const char *path, struct strs *);

/* 1 when one of them is this name. */
int look_has(const struct strs *, const char *name);

/* Appends the path as the system has to be asked for it. */
int look_real(const struct look *, const char *path, struct buf *);

/*
 * Appends the name in the path's own directory that is most like its last
 * component and differs little. 1, or 0 when there is none.
 */
int look_alike(const struct look *, const char *path, struct buf *);

#endif
