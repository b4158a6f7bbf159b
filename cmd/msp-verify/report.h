/* Parts of the report for people. */
#ifndef REPORT_H
#define REPORT_H

#include <fcntl.h>

#include "verify.h"

const char *report_comma(void);
void report_pad(struct buf *, size_t from, size_t width);
void report_label(struct buf *, const struct text *);
void report_finds(struct verify *, const struct groups *, struct buf *);
void report_steps(struct verify *, struct buf *);
void report_open(struct verify *, struct buf *);

#endif
