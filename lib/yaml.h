/*
 * Block YAML with byte ranges: enough for configuration files of trainings.
 *
 * Mappings and sequences in block style are read into items; flow
 * collections ([a, b], {a: b}) and block scalars (|, >) are values as a
 * whole. What YAML has beyond that (several documents, complex keys, tabs as
 * indentation) is an error with its place, never a guess.
 */
#ifndef YAML_H
#define YAML_H

#include <stddef.h>
#include <stdint.h>

#include "buf.h"

#define YAML_NONE UINT32_MAX
enum { YAML_DEPTH = 64 };

enum yaml_kind {
	YAML_NULL, /* nothing behind the key */
	YAML_PLAIN, /* scalars */
	YAML_SINGLE,
	YAML_DOUBLE,
	YAML_BLOCK, /* | or > */
	YAML_FLOW, /* [...] or {...} */
	YAML_ALIAS, /* *name */
	YAML_MAP, /* items below it */
	YAML_SEQ
};

enum yaml_error {
	YAML_OK,
	YAML_TAB, /* indentation by a tab */
	YAML_DOCUMENTS, /* more than one document, or a directive */
	YAML_STYLE, /* the document or a key is in flow or complex style */
	YAML_OPEN, /* a quote or bracket is not closed */
	YAML_INDENT, /* indented like nothing above it */
	YAML_SYNTAX,
	YAML_DEEP
};

enum { YAML_ANCHORED = 1, YAML_TAGGED = 2 };

struct yaml_item {
	uint32_t parent; /* YAML_NONE: at the top */
	uint32_t line; /* where its first line begins */
	uint32_t indent; /* bytes before the key, or before the - */
	uint32_t key,
	    keyend; /* with its quotes; equal: an entry of a sequence */
	uint32_t value, valueend; /* without a comment; equal: none here */
	uint32_t end; /* behind the newline of its last line */
	uint8_t kind, flags;
};

struct yaml {
	const char *text; /* the caller's */
	size_t len;
	struct yaml_item *item; /* parents before children */
	size_t n, cap;
	enum yaml_error error; /* of the first thing that was not understood */
	uint32_t at; /* where; items before it are usable */
};

/* Reads less than 4 GiB. text is kept by reference until yaml_free. */
void yaml_parse(struct yaml *, const char *text, size_t len);
void yaml_free(struct yaml *);

/* The item of a path of keys ("training.max_steps"); the last one where a key
 * stands twice. YAML_NONE: there is none. */
uint32_t yaml_find(const struct yaml *, const char *path);
/* The item with this parent that comes first behind item i (YAML_NONE: the
 * first of all); YAML_NONE: no more. */
uint32_t yaml_next(const struct yaml *, uint32_t parent, uint32_t i);
/* 1 when the item's key is this. */
int yaml_is(const struct yaml *, uint32_t item, const char *key);
/* Appends the value of a scalar; of a flow collection its text. 0, or -1: a
 * mapping, sequence, alias, folded block, or an escape that is not YAML's. */
int yaml_value(const struct yaml *, uint32_t item, struct buf *);
/* From 1. */
size_t yaml_line(const struct yaml *, uint32_t off);

#endif
