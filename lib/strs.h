/*
 * Strings: how they begin and end, and lists of them.
 */
#ifndef STRS_H
#define STRS_H

#include <stddef.h>

/* 1 when the string begins, ends with the other. */
int str_begins(const char *, const char *begin);
int str_ends(const char *, const char *end);

/* A list that owns its strings; an empty one is {0}. */
struct strs {
	char **s;
	size_t n, cap;
};
/* Adds a copy. */
void strs_add(struct strs *, const char *);
/* 1 when one of them is this string. */
int strs_has(const struct strs *, const char *);
/* Sorts by bytes. */
void strs_sort(struct strs *);
/* Frees the strings; the list is empty after. */
void strs_free(struct strs *);

#endif
