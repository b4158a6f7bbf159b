#include <string.h>

#include "buf.h"
#include "utf8.h"

static int
esc_needed(uint32_t c)
{
	return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C ||
	    (c >= 0x200E && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
	    (c >= 0x2066 && c <= 0x2069);
}

static void
esc_byte(struct buf *b, unsigned char c)
{
	switch (c) {
	case '\\': buf_add(b, "\\\\", 2); break;
	case '\t': buf_add(b, "\\t", 2); break;
	case '\n': buf_add(b, "\\n", 2); break;
	case '\r': buf_add(b, "\\r", 2); break;
	default: {
		static const char hex[] = "0123456789ABCDEF";
		char x[4] = { '\\', 'x', hex[c >> 4], hex[c & 15] };
		buf_add(b, x, 4);
	}
	}
}

void
esc_add(struct buf *b, const char *p, size_t n)
{
	const unsigned char *s = (const unsigned char *)p, *end = s + n;

	while (s < end) {
		const unsigned char *from = s;
		while (s < end && *s >= 0x20 && *s < 0x7F && *s != '\\')
			s++;
		buf_add(b, from, (size_t)(s - from));
		if (s == end)
			break;
		uint32_t c = 0;
		size_t len = utf8_read((const char *)s, (size_t)(end - s), &c);
		if (len > 1 && !esc_needed(c)) {
			buf_add(b, s, len);
			s += len;
			continue;
		}
		for (size_t i = 0; i < (len == 0 ? 1 : len); i++)
			esc_byte(b, s[i]);
		s += len == 0 ? 1 : len;
	}
}

void
esc_field(struct buf *b, const char *s)
{
	if (s == NULL)
		buf_addc(b, '-');
	else if (strcmp(s, "-") == 0)
		buf_adds(b, "\\x2d");
	else
		esc_add(b, s, strlen(s));
}

int
esc_undo(struct buf *b, const char *s, size_t n)
{
	for (const char *end = s + n; s < end;) {
		if (*s != '\\') {
			buf_addc(b, *s++);
			continue;
		}
		if (end - s < 2)
			return -1;
		char c = s[1];
		s += 2;
		switch (c) {
		case '\\': buf_addc(b, '\\'); break;
		case 't': buf_addc(b, '\t'); break;
		case 'n': buf_addc(b, '\n'); break;
		case 'r': buf_addc(b, '\r'); break;
		case 'x':
			if (end - s < 2 || hex_value(s[0]) < 0 ||
			    hex_value(s[1]) < 0)
				return -1;
			buf_addc(
			    b, (char)(hex_value(s[0]) << 4 | hex_value(s[1])));
			s += 2;
			break;
		default: return -1;
		}
	}
	return 0;
}
