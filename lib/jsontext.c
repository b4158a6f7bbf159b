#include "jsontext.h"

#include <string.h>

#include "utf8.h"

/* The code unit of "\uXXXX" at s, or -1. */
static long
jsontext_unit(const char *s, const char *end)
{
	long c = 0;

	if (end - s < 6 || s[0] != '\\' || s[1] != 'u')
		return -1;
	for (int i = 2; i < 6; i++) {
		if (hex_value(s[i]) < 0)
			return -1;
		c = c << 4 | hex_value(s[i]);
	}
	return c;
}

/* Behind the escape at s, or NULL. */
static const char *
jsontext_escape(struct buf *b, const char *s, const char *end)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *at =
	    end - s > 1 ? memchr(from, s[1], sizeof from - 1) : NULL;
	long c = jsontext_unit(s, end);

	if (at != NULL) {
		buf_addc(b, to[at - from]);
		return s + 2;
	}
	if (c < 0)
		return NULL;
	s += 6;
	if (c >= 0xd800 && c < 0xdc00) {
		long low = jsontext_unit(s, end);

		if (low >= 0xdc00 && low < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
			s += 6;
		}
	}
	utf8_add(b, c >= 0xd800 && c < 0xe000 ? 0xfffd : (uint32_t)c);
	return s;
}

int
jsontext_add(struct buf *b, const char *s, size_t n)
{
	buf_add(b, "", 0);
	for (const char *end = s + n; s < end;) {
		const char *stop = memchr(s, '\\', (size_t)(end - s));

		buf_add(b, s, (size_t)((stop != NULL ? stop : end) - s));
		if (stop == NULL)
			return 0;
		s = jsontext_escape(b, stop, end);
		if (s == NULL)
			return -1;
	}
	return 0;
}
