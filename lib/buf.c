#include "buf.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "err.h"
#include "mem.h"

enum { SMALL = 4 << 10 }; /* doubles, a larger one grows by half */

char *
buf_room(struct buf *b, size_t n)
{
	if (n > SIZE_MAX / 2 - b->len)
		err_memory();
	if (b->cap - b->len <= n) {
		size_t want = b->len + n + 1;
		size_t cap = b->cap + (b->cap < SMALL ? b->cap : b->cap / 2);
		if (cap < want)
			cap = want < 64 ? 64 : want;
		b->s = mem_resize(b->s, cap, 1);
		b->cap = cap;
		b->s[b->len] = '\0';
	}
	return b->s + b->len;
}

void
buf_add(struct buf *b, const void *p, size_t n)
{
	char *to = buf_room(b, n);

	if (n != 0)
		memcpy(to, p, n);
	b->len += n;
	b->s[b->len] = '\0';
}

void
buf_adds(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void
buf_addc(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void
buf_addv(struct buf *b, const char *format, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, format, ap);
	if (n < 0)
		err_bug();
	(void)vsnprintf(buf_room(b, (size_t)n), (size_t)n + 1, format, again);
	va_end(again);
	b->len += (size_t)n;
}

void
buf_addf(struct buf *b, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	buf_addv(b, format, ap);
	va_end(ap);
}

void
buf_reset(struct buf *b)
{
	b->len = 0;
	if (b->s != NULL)
		b->s[0] = '\0';
}

void
buf_free(struct buf *b)
{
	mem_free(b->s);
	*b = (struct buf){ 0 };
}

char *
buf_take(struct buf *b)
{
	buf_add(b, "", 0);
	char *s = b->s;
	*b = (struct buf){ 0 };
	return s;
}

char *
buf_keep(struct buf *b, struct arena *a)
{
	char *s = arena_dup(a, b->s, b->len);

	buf_free(b);
	return s;
}
