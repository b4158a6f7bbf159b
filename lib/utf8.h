/*
 * Characters: UTF-8 and hexadecimal digits.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "buf.h"

/*
 * The length of the sequence that begins at s, and its code point; 0 when the
 * n bytes are no UTF-8 (overlong, surrogate, beyond U+10FFFF, cut). n > 0.
 */
size_t utf8_read(const char *s, size_t n, uint32_t *code);
/* Appends a code point; above U+10FFFF and up to 31 bits as bash has it. */
void utf8_add(struct buf *, uint32_t code);
/* Columns that n bytes take: two for what is wide in CJK. */
size_t utf8_width(const char *, size_t n);

/* The value of a hexadecimal digit, or -1. */
int hex_value(char);

#endif
