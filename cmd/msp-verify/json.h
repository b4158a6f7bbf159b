/*
 * JSON read in constant memory and strictly as RFC 8259 has it, with these
 * decisions where it leaves some: bytes that are not UTF-8 and lone
 * surrogates are passed, a byte order mark is not, nothing is nested deeper
 * than JSON_DEPTH, numbers are text and may be of any size.
 */
#ifndef JSON_H
#define JSON_H

#include <stddef.h>
#include <sys/types.h>

#include "buf.h"

enum {
	JSON_DEPTH = 64,
	JSON_TOKEN = 4096, /* longer strings and numbers come without text */
	JSON_CHUNK = 1 << 16
};

enum json_kind {
	JSON_OBJECT,
	JSON_OBJECT_END,
	JSON_ARRAY,
	JSON_ARRAY_END,
	JSON_KEY,
	JSON_STRING,
	JSON_NUMBER,
	JSON_TRUE,
	JSON_FALSE,
	JSON_NULL
};

enum json_result {
	JSON_OK,
	JSON_READ, /* not readable: errno in error */
	JSON_CUT, /* the file ends before the value does */
	JSON_SYNTAX, /* a byte that cannot stand there */
	JSON_CONTROL, /* a raw control byte in a string */
	JSON_ESCAPE, /* a backslash that begins no escape */
	JSON_DEEP, /* nested deeper than JSON_DEPTH */
	JSON_NAN, /* NaN or Infinity, which JSON does not have */
	JSON_MORE /* something behind the value */
};

struct json {
	/* What read(2) does; bytes are read until it gives 0. */
	ssize_t (*read)(void *from, char *, size_t);
	void *from;
	/*
	 * Told of each token, NULL for nobody. Text is as in the file, still
	 * escaped, without quotes, valid during the call; of a token longer
	 * than JSON_TOKEN it is empty. With a table in first only string
	 * values are told whose first byte is marked there.
	 */
	void (*event)(void *arg, enum json_kind, const char *, size_t);
	void *arg;
	const unsigned char *first;
	/* Set at the end: where the error is, or how many bytes were read. */
	unsigned long long offset;
	int error;

	/* internal */
	unsigned char *buf;
	const unsigned char *end, *keep;
	unsigned long long base;
	enum json_result result;
	int eof, cut;
};

enum json_result json_scan(struct json *);

/* For json.read: from points to a descriptor (int), or to a struct json_text
 * whose fields advance. */
ssize_t json_read_fd(void *from, char *, size_t);
struct json_text {
	const char *s;
	size_t len;
};
ssize_t json_read_text(void *from, char *, size_t);

/*
 * Values by their path, for small documents: value gets "a.b" for the member
 * b of the object a, "a.b[]" for each element of an array, and the text as
 * it stands in the file (strings unescaped). Objects and arrays are told
 * when they begin, with no text. A path that is too long ends in "...".
 */
struct json_paths {
	void (*value)(void *arg, const char *path, enum json_kind,
	    const char *text, size_t);
	void *arg;

	/* internal */
	char path[512];
	size_t at[JSON_DEPTH + 2];
	unsigned char array[JSON_DEPTH + 2];
	unsigned depth;
	struct buf text;
};
/* Scans with these paths; the json's event and arg are taken. */
enum json_result json_scan_paths(struct json *, struct json_paths *);

#endif
