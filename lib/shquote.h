/*
 * Quoting of one argument for the place where it lands.
 */
#ifndef SHQUOTE_H
#define SHQUOTE_H

#include <stddef.h>

#include "buf.h"

enum shquote_place {
	SHQUOTE_WORD, /* unquoted shell text */
	SHQUOTE_DQ, /* inside "..." */
	SHQUOTE_SQ, /* inside '...' */
	SHQUOTE_DSQ, /* inside $'...' */
	SHQUOTE_HD, /* inside the body of an unquoted here-document */
	SHQUOTE_BQ /* inside `...` */
};

/*
 * Appends the argument so that a shell reads it as one word of exactly these
 * bytes (no NUL): bare where it can be, else in single quotes.
 */
void shquote_word(struct buf *, const char *, size_t);

/*
 * Appends text so that, where it lands (in the quotes named), it stands for
 * exactly these bytes: one level of protection. For text inside several
 * levels it is called once per level, from the innermost.
 */
void shquote_level(struct buf *, enum shquote_place, const char *, size_t);

#endif
