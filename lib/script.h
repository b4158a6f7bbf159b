/*
 * A script as it passes through the pipe: its bytes, its path, and the
 * closing comment "# msp: end script=PATH" by which a reader knows that
 * nothing was cut off and whose script it is.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stddef.h>

#include "buf.h"
#include "err.h"

enum { SCRIPT_MAX = 16 << 20 };

struct script {
	struct buf text; /* without the closing comment */
	char *path; /* what $0 is; NULL when unknown; owned */
	const char *name; /* for messages: path, else "stdin" */
	int closed; /* it ended with a closing comment */
	int mode; /* permission bits of the file at path; 0 unknown */
	char **args; /* its positional parameters; point into argv */
	int nargs;
};

/*
 * Reads the script that the operands name: argv[0] is a file or "-", the
 * rest are the script's own arguments; without operands standard input.
 * path_option is -p FILE or NULL. The path is, in this order: path_option,
 * the operand, the closing comment's, what /proc/self/fd/0 names where
 * device and inode agree.
 *
 * 0; or -1 after saying why: unreadable, a directory, over SCRIPT_MAX,
 * nothing arrived (empty standard input), a report instead of a script,
 * a NUL byte. *status is then EXIT_FAILED or, for a NUL, EXIT_REFUSED. The
 * script is to be freed in both cases.
 */
int script_read(struct script *, int argc, char **argv, const char *path_option,
    int *status);
void script_free(struct script *);

/*
 * Appends the script's bytes as given and the closing comment, on a line of
 * its own whatever the bytes end with: where they end in a backslash, two
 * newlines keep it from joining.
 */
void script_close(struct buf *, const char *text, size_t len, const char *path);

#endif
