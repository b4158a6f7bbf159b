/*
 * The little of JSON that configurations need: members by name and strings.
 * A text that is no JSON gives NULL; nothing is checked that is not asked
 * for.
 */
#ifndef JSON_H
#define JSON_H

#include "buf.h"

/* The value of the first member of this name in the object that begins at s
 * (blanks may come first), or NULL. */
const char *json_member(const char *s, const char *name);
/* The member's value behind it in the same object, with its name appended
 * to the buffer; s is the value before, or the object itself at first. */
const char *json_next(const char *s, int first, struct buf *name);
/* Behind the value that begins at s, or NULL. */
const char *json_skip(const char *s);
/* Appends the string that begins at s, decoded. 0, or -1: it is none. */
int json_string(const char *s, struct buf *);
/* The blanks at s passed over. */
const char *json_blank(const char *s);

#endif
