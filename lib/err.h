/*
 * Diagnostics: "PROGRAM: FILE:LINE:COLUMN: LEVEL: TEXT [id]" on standard
 * error, one write each. Texts come from the catalogue (text.h); everything
 * from outside is escaped there.
 */
#ifndef ERR_H
#define ERR_H

#include <stddef.h>

#include "text.h"

#ifdef __GNUC__
#define ERR_NORETURN __attribute__((noreturn))
#else
#define ERR_NORETURN
#endif

enum {
	EXIT_YES = 0, /* done; the answer is yes */
	EXIT_NO = 1, /* done; the answer is no */
	EXIT_FAILED = 2, /* not done: usage, input, output, memory */
	EXIT_REFUSED = 3, /* not done on purpose */
	EXIT_NOTRUN = 125 /* msp-run: the script was not run */
};

enum err_level { ERR_NOTE, ERR_WARNING, ERR_ERROR };

/* Where in a file; line and column count from 1, 0 leaves them out. */
struct err_at {
	const char *file; /* NULL: no place at all */
	size_t line, col;
};
#define ERR_NOWHERE ((const struct err_at){ NULL, 0, 0 })

/*
 * To be called first in main: sets the program's name, the status with which
 * failures that no function can return end the program (EXIT_FAILED, or
 * EXIT_NOTRUN for msp-run), the language, SIGPIPE to its default, and makes
 * sure that descriptors 0 to 2 are open (reading and writing a closed one
 * fails later, at its use, as EBADF would).
 */
void err_init(const char *program, int fatal);
const char *err_program(void);

/*
 * Says one thing: err_say(ERR_ERROR, at, &T_X, arg, ...).
 * A remedy, where there is one, is a second text on an indented line of the
 * same write: err_tell(ERR_ERROR, at, &T_X, &T_X_DO, arg, ...); both texts
 * draw on the same arguments.
 */
#define err_say(level, at, ...) \
	err_say_((level), (at), __VA_ARGS__, (const char *)0)
void err_say_(enum err_level, struct err_at, const struct text *, ...);
#define err_tell(level, at, text, ...) \
	err_tell_((level), (at), (text), __VA_ARGS__, (const char *)0)
void err_tell_(enum err_level, struct err_at, const struct text *,
    const struct text *remedy, ...);

/*
 * Says what is put together already, escaped where that was needed: the line
 * [id] belongs to, and more lines below it, which are indented; more may be
 * "".
 */
void err_put(enum err_level, struct err_at, const char *id, const char *text,
    const char *more);

/* Notes are said unless quiet; warnings and errors always. */
void err_quiet(int);

/* Out of memory: says so without allocating and ends the program. */
void err_memory(void) ERR_NORETURN;
/* A condition that cannot be: says where and ends the program. */
#define err_bug() err_bug_(__FILE__, __LINE__)
void err_bug_(const char *file, int line) ERR_NORETURN;

#endif
