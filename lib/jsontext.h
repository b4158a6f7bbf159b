/*
 * The text of JSON's strings.
 */
#ifndef JSONTEXT_H
#define JSONTEXT_H

#include "buf.h"

/*
 * Appends what stands between a string's quotes with its escapes undone: NUL
 * for \u0000, U+FFFD for a surrogate that has no partner. 0, or -1 at a
 * backslash that begins no escape.
 */
int jsontext_add(struct buf *, const char *, size_t);

#endif
