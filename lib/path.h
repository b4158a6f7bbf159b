/*
 * Names of files and directories. Functions that append take a buffer and
 * leave a NUL behind what they add.
 */
#ifndef PATH_H
#define PATH_H

#include <stddef.h>
#include <sys/types.h>

#include "buf.h"

/* Appends name seen from dir: name itself when it is absolute, else dir/name;
 * dir "" or "." adds nothing. */
void path_join(struct buf *, const char *dir, const char *name);
/* The last component, as basename(1) has it; points into the argument. */
const char *path_base(const char *);
/* Appends the directory part, as dirname(1) has it. */
void path_dir(struct buf *, const char *);
/* Appends the path with "//", "/./" and "/../" folded by their text alone. */
void path_fold(struct buf *, const char *);

/*
 * Makes the directory and those above it that are missing, with mode 0777
 * less umask. 0, also when it is there; -1 with errno.
 */
int path_mkdirs(const char *);

/*
 * Appends the nearest ancestor of path that exists (path itself when it
 * does). 0; -1 with errno when even that cannot be told.
 */
int path_ancestor(struct buf *, const char *);

/*
 * Where a program of this name is found on PATH; appends its path.
 * 0, or -1. A name with a slash is itself.
 */
int path_find_program(struct buf *, const char *name);

#endif
