/*
 * Edits on a text by offsets of the original: insertions and deletions that
 * do not overlap. The original stays as it is.
 */
#ifndef EDIT_H
#define EDIT_H

#include <stddef.h>
#include <stdint.h>

#include "buf.h"

struct edit_item {
	uint32_t off, del; /* del bytes at off go, then text comes */
	char *text;
	size_t len;
	size_t order;
};
struct edit {
	struct edit_item *item;
	size_t n, cap;
};

/* Edits may come in any order; several insertions at one place keep theirs.
 * The text is copied. */
void edit_insert(struct edit *, uint32_t off, const char *text, size_t len);
void edit_delete(struct edit *, uint32_t off, uint32_t len);
/* item[] in the order of the text; edit_apply sorts, too. */
void edit_sort(struct edit *);
/* Appends the edited text from an offset on, before which nothing is edited.
 * 0; -1 when edits overlap or lie outside: nothing is appended. The result's
 * length is computed before and checked after. */
int edit_apply(
    struct edit *, const char *text, size_t from, size_t len, struct buf *);
void edit_free(struct edit *);

#endif
