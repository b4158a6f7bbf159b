/*
 * Records: what tools tell each other and machines. msp(5) specifies them,
 * records.def holds them: one row per record with its fields in order.
 *
 * TSV: one line per record, the record's name first, fields escaped by
 * esc_add, "-" for absent (NULL), "\x2d" for a value that is "-".
 * JSON Lines: {"record":"path","status":"missing",...}; the same strings,
 * null for absent; bytes that are not UTF-8 appear as in TSV.
 * The last record is "sum"; without it a report was cut.
 */
#ifndef REC_H
#define REC_H

#include <stddef.h>

#include "buf.h"

enum rec_format { REC_TEXT, REC_TSV, REC_JSON, REC_SH };

enum rec_kind {
#define REC(kind, name, ...) REC_##kind,
#include "records.def"
#undef REC
	REC_KINDS
};

enum { REC_FIELDS = 20 }; /* more than any record has */

const char *rec_name(enum rec_kind);
/* The names of its fields, ended by NULL. */
const char *const *rec_fields(enum rec_kind);

/*
 * Appends one record: as many const char * as the kind has fields, NULL for
 * absent. REC_SUM takes the verdict only and further name=value strings,
 * ended by NULL: use rec_sum.
 */
void rec_put(
    struct buf *, enum rec_format, enum rec_kind, const char *const *fields);
void rec_sum(struct buf *, enum rec_format, const char *verdict,
    const char *const *counts);

/* The format that -F names: text, tsv, json, and sh where allowed. 0, or -1
 * after saying that it is none. */
int rec_format(const char *name, int allow_sh, enum rec_format *);

/*
 * Reading TSV. rec_next takes one line from *s (which advances) and gives
 * its unescaped fields, NULL for absent, in memory of the record, valid until
 * the next call. A kind that records.def does not have, and fields behind
 * those it has, are passed over: newer writers may add them.
 * 1 a record, 0 the end, -1 a line that is no record (escape, no newline at
 * the end of the input).
 */
struct rec {
	enum rec_kind kind;
	const char *field[REC_FIELDS];
	size_t nfield;
	struct buf buf;
};
int rec_next(struct rec *, const char **s, const char *end);
void rec_free(struct rec *);

#endif
