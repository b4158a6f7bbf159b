#include <string.h>

#include "buf.h"
#include "shlex.h"
#include "utf8.h"

/* Up to max digits of the base at *p. */
static uint32_t
dsq_number(const char **p, const char *end, int base, int max)
{
	uint32_t n = 0;

	while (
	    max-- > 0 && *p < end && (unsigned)hex_value(**p) < (unsigned)base)
		n = n * (uint32_t)base + (uint32_t)hex_value(*(*p)++);
	return n;
}

/* \x and \u with their digits; -1 when none follow. */
static int
dsq_hex(struct buf *b, int c, const char **p, const char *end)
{
	const char *s = *p;
	int brace = c == 'x' && s < end && *s == '{';
	uint32_t n;

	*p += brace;
	s = *p;
	n = dsq_number(p, end, 16, brace || c == 'U' ? 8 : c == 'u' ? 4 : 2);
	if (*p == s && !brace)
		return -1;
	if (brace && *p < end && **p == '}')
		++*p;
	if (c == 'x') {
		if ((n & 0xff) == 0)
			return 1;
		buf_addc(b, (char)n);
	} else {
		if (n == 0)
			return 1;
		utf8_add(b, n);
	}
	return 0;
}

/* The escape behind a backslash. 1: it is a NUL. */
static int
dsq_escape(struct buf *b, const char **p, const char *end)
{
	static const char from[] = "abeEfnrtv", to[] = "\a\b\033\033\f\n\r\t\v";
	const char *q;
	int c = *(*p)++;
	uint32_t n;

	if (c != '\0' && (q = strchr(from, c)) != NULL) {
		buf_addc(b, to[q - from]);
		return 0;
	}
	switch (c) {
	case 'x':
	case 'u':
	case 'U':
		n = (uint32_t)dsq_hex(b, c, p, end);
		if (n == (uint32_t)-1)
			break;
		return (int)n;
	case 'c':
		if (*p == end)
			break;
		c = *(*p)++;
		if (c == '\\' && *p < end && **p == '\\')
			++*p;
		c = c == '?' ? 0x7f : c & 0x1f;
		buf_addc(b, (char)c);
		return c == 0;
	case '\\':
	case '\'':
	case '"':
	case '?': buf_addc(b, (char)c); return 0;
	}
	if (c >= '0' && c <= '7') {
		--*p;
		n = dsq_number(p, end, 8, 3) & 0xff;
		buf_addc(b, (char)n);
		return n == 0;
	}
	buf_addc(b, '\\');
	buf_addc(b, (char)c);
	return 0;
}

void
shlex_dsq(struct buf *b, const char *s, size_t n)
{
	const char *end = s + n, *q;

	while (s < end) {
		q = memchr(s, '\\', (size_t)(end - s));
		if (q == NULL)
			q = end;
		buf_add(b, s, (size_t)(q - s));
		if (q + 1 >= end) {
			buf_add(b, q, (size_t)(end - q));
			return;
		}
		s = q + 1;
		if (dsq_escape(b, &s, end)) {
			while (b->len > 0 && b->s[b->len - 1] == '\0')
				b->len--;
			return;
		}
	}
}

/* The text of '...' and $'...', whose closing quote may be missing. */
size_t
shlex_inner(const char **s, size_t n)
{
	const char *q = memchr(*s, '\'', n);
	size_t skip = q != NULL ? (size_t)(q - *s) + 1 : n;

	*s += skip;
	n -= skip;
	return n > 0 && (*s)[n - 1] == '\'' ? n - 1 : n;
}
