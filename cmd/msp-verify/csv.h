/*
 * CSV read row by row in constant memory (RFC 4180): a field that begins with
 * a quote runs to the closing one, may hold commas and line ends, and doubles
 * quotes inside; lines end in LF or CRLF. What follows a closing quote before
 * the next comma is taken as it stands.
 */
#ifndef CSV_H
#define CSV_H

#include <stddef.h>
#include <sys/types.h>

#include "buf.h"

enum {
	CSV_CHUNK = 1 << 16,
	CSV_ROW = 1 << 16, /* bytes of one row that are kept */
	CSV_FIELDS = 256 /* fields of one row that are kept */
};

struct csv {
	/* As struct json's; reads until it gives 0. */
	ssize_t (*read)(void *from, char *, size_t);
	void *from;
	int widths; /* count fields only, keep none */

	/* The row: its number from 1, its first line in the file, the number
	 * of fields, the fields kept (NUL behind each). An empty line is a
	 * row of one empty field. */
	unsigned long long row, line;
	size_t nfield, nkept;
	const char *field[CSV_FIELDS];
	size_t len[CSV_FIELDS];
	int open; /* at the end: a quote that was never closed */
	int error; /* errno, when a read failed */

	/* internal */
	struct buf text;
	size_t at[CSV_FIELDS];
	unsigned char *chunk;
	size_t next, have;
	unsigned long long lines;
	int eof;
};

/* 1 and the next row; 0 at the end. A last line without a line end is a row,
 * an empty rest is none. */
int csv_row(struct csv *);
void csv_free(struct csv *);
/* The index of the field of this name in the current row, or -1. */
int csv_column(const struct csv *, const char *name);

#endif
