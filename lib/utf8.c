#include "utf8.h"

size_t
utf8_read(const char *p, size_t n, uint32_t *code)
{
	const unsigned char *s = (const unsigned char *)p;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len = s[0] < 0x80 ? 1
	    : s[0] >> 5 == 6     ? 2
	    : s[0] >> 4 == 14    ? 3
	    : s[0] >> 3 == 30    ? 4
				 : 0;

	if (len == 0 || len > n)
		return 0;
	uint32_t c = len == 1 ? s[0] : s[0] & (0x7Fu >> len);
	for (size_t i = 1; i < len; i++) {
		if (s[i] >> 6 != 2)
			return 0;
		c = c << 6 | (s[i] & 0x3Fu);
	}
	if (c < least[len] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
		return 0;
	*code = c;
	return len;
}

void
utf8_add(struct buf *b, uint32_t c)
{
	int n = c < 0x80    ? 0
	    : c < 0x800     ? 1
	    : c < 0x10000   ? 2
	    : c < 0x200000  ? 3
	    : c < 0x4000000 ? 4
			    : 5;

	if (n == 0) {
		buf_addc(b, (char)c);
		return;
	}
	buf_addc(b, (char)(0xffu << (7 - n) | c >> 6 * n));
	while (n-- > 0)
		buf_addc(b, (char)(0x80 | (c >> 6 * n & 0x3f)));
}

size_t
utf8_width(const char *s, size_t n)
{
	size_t w = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if ((c & 0xc0) != 0x80)
			w += c >= 0xe3 && c < 0xf0 ? 2 : 1;
	}
	return w;
}

int
hex_value(char c)
{
	return c >= '0' && c <= '9' ? c - '0'
	    : c >= 'A' && c <= 'F'  ? c - 'A' + 10
	    : c >= 'a' && c <= 'f'  ? c - 'a' + 10
				    : -1;
}
