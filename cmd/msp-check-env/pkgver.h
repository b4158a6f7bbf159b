/*
 * Versions: of drivers by their files, of Python packages by the names of
 * their directories.
 */
#ifndef PKGVER_H
#define PKGVER_H

struct host;

/* Below, at or above 0 as a is older than, the same as, newer than b. Numbers
 * compare as such, words without case; alpha, beta, dev and rc come before the
 * release: 24.1.rc1, 24.1, 24.1.0, 24.1.0.1. */
int version_compare(const char *a, const char *b);
/* 1 when one of "[a,b],[c,d]" holds v; a range without comma is one value. A
 * limit takes in all that begins with it: "24.1." also 24.1.rc1. */
int version_in(struct host *, const char *ranges, const char *v);
/* 1 when the list "[A],[B]" names the word. */
int version_lists(const char *list, const char *word);

/* The version of a package that python3 would import, by its dist-info;
 * *file (when not NULL) is that directory. NULL: none found. */
const char *python_package(struct host *, const char *name, const char **file);
/* "3.10": of the first python3 on PATH; NULL unknown. */
const char *python_version(struct host *);

#endif
