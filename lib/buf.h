/*
 * Growable bytes.
 *
 * s is NULL only before the first byte is added; from then on s[len] is a
 * NUL that does not count, so that s may be used as a string where the bytes
 * hold no NUL themselves. Memory that cannot be had ends the program (mem.h).
 * An empty buffer is {0}.
 */
#ifndef BUF_H
#define BUF_H

#include <stdarg.h>
#include <stddef.h>

struct buf {
	char *s;
	size_t len, cap;
};

#ifdef __GNUC__
#define BUF_PRINTF __attribute__((format(printf, 2, 3)))
#define BUF_VPRINTF __attribute__((format(printf, 2, 0)))
#else
#define BUF_PRINTF
#define BUF_VPRINTF
#endif

void buf_add(struct buf *, const void *, size_t);
void buf_adds(struct buf *, const char *);
void buf_addc(struct buf *, char);
void buf_addf(struct buf *, const char *, ...) BUF_PRINTF;
void buf_addv(struct buf *, const char *, va_list) BUF_VPRINTF;
/* Makes room for n more bytes behind len; len stays. Returns s + len. */
char *buf_room(struct buf *, size_t n);
/* Forgets the bytes, keeps the memory. */
void buf_reset(struct buf *);
void buf_free(struct buf *);
/* Its bytes as a string that the caller frees; the buffer is empty after. */
char *buf_take(struct buf *);
/* The same in an arena (mem.h). */
struct arena;
char *buf_keep(struct buf *, struct arena *);

/*
 * Appends bytes escaped for a record, a message or a terminal: backslash,
 * tab, newline, carriage return as \\ \t \n \r; other C0, DEL, C1 (also as
 * UTF-8), bidirectional controls, and bytes that are not UTF-8, as \xHH.
 */
void esc_add(struct buf *, const char *, size_t);
/* The same for a field that may be absent: NULL as "-", "-" as \x2d. */
void esc_field(struct buf *, const char *);
/* Undoes esc_add. 0, or -1 at a backslash that begins no escape. */
int esc_undo(struct buf *, const char *, size_t);

#endif
