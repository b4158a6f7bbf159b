#include "json.h"

#include <string.h>

#include "buf.h"

enum { JSON_DEPTH = 100 };

const char *
json_blank(const char *s)
{
	return s + strspn(s, " \t\r\n");
}

/* The value of four hexadecimal digits, or -1. */
static long
json_hex(const char *s)
{
	long n = 0;

	for (int i = 0; i < 4; i++) {
		const char *digits = "0123456789abcdef", *at;
		if (s[i] == '\0')
			return -1;
		at = strchr(
		    digits, s[i] >= 'A' && s[i] <= 'F' ? s[i] | 0x20 : s[i]);
		if (at == NULL)
			return -1;
		n = n * 16 + (at - digits);
	}
	return n;
}

static void
json_utf8(struct buf *b, long c)
{
	if (c < 0x80) {
		buf_addc(b, (char)c);
	} else if (c < 0x800) {
		buf_addc(b, (char)(0xc0 | c >> 6));
		buf_addc(b, (char)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		buf_addc(b, (char)(0xe0 | c >> 12));
		buf_addc(b, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_addc(b, (char)(0x80 | (c & 0x3f)));
	} else {
		buf_addc(b, (char)(0xf0 | c >> 18));
		buf_addc(b, (char)(0x80 | (c >> 12 & 0x3f)));
		buf_addc(b, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_addc(b, (char)(0x80 | (c & 0x3f)));
	}
}

/* Decodes the escape behind the backslash at s; its length, or 0. */
static size_t
json_escape(const char *s, struct buf *b)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *at = s[0] != '\0' ? strchr(from, s[0]) : NULL;
	size_t n = 5;

	if (at != NULL) {
		buf_addc(b, to[at - from]);
		return 1;
	}
	long c = s[0] == 'u' ? json_hex(s + 1) : -1;
	if (c <= 0)
		return 0;
	if (c >= 0xd800 && c < 0xdc00 && s[5] == '\\' && s[6] == 'u') {
		long low = json_hex(s + 7);
		if (low >= 0xdc00 && low < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
			n = 11;
		}
	}
	json_utf8(b, c);
	return n;
}

int
json_string(const char *s, struct buf *b)
{
	s = json_blank(s);
	if (*s++ != '"')
		return -1;
	for (;;) {
		size_t n = strcspn(s, "\"\\");
		buf_add(b, s, n);
		s += n;
		if (*s == '"')
			return 0;
		if (*s == '\0' || (n = json_escape(s + 1, b)) == 0)
			return -1;
		s += n + 1;
	}
}

/* Behind the string whose opening quote is at s, or NULL. */
static const char *
json_past(const char *s)
{
	for (s++;; s++) {
		s += strcspn(s, "\"\\");
		if (*s == '"')
			return s + 1;
		if (*s == '\0' || *++s == '\0')
			return NULL;
	}
}

const char *
json_skip(const char *s)
{
	int depth = 0;

	for (;;) {
		s = json_blank(s);
		if (*s == '"') {
			if ((s = json_past(s)) == NULL)
				return NULL;
		} else if (*s == '{' || *s == '[') {
			if (++depth > JSON_DEPTH)
				return NULL;
			s++;
			continue;
		} else if (*s == '}' || *s == ']') {
			if (--depth < 0)
				return NULL;
			s++;
		} else {
			size_t n = strcspn(s, " \t\r\n\"{}[],:");
			if (n == 0)
				return NULL;
			s += n;
		}
		while (depth > 0 && *(s = json_blank(s)) != '\0' &&
		    (*s == ',' || *s == ':'))
			s++;
		if (depth == 0)
			return s;
	}
}

const char *
json_next(const char *s, int first, struct buf *name)
{
	if (first) {
		s = json_blank(s);
		if (*s++ != '{')
			return NULL;
	} else {
		if ((s = json_skip(s)) == NULL)
			return NULL;
		s = json_blank(s);
		if (*s++ != ',')
			return NULL;
	}
	s = json_blank(s);
	if (*s != '"' || json_string(s, name) < 0)
		return NULL;
	s = json_blank(json_past(s));
	return *s == ':' ? json_blank(s + 1) : NULL;
}

const char *
json_member(const char *s, const char *name)
{
	struct buf b = { 0 };
	int first = 1;

	while ((s = json_next(s, first, &b)) != NULL) {
		if (strcmp(b.s, name) == 0)
			break;
		buf_reset(&b);
		first = 0;
	}
	buf_free(&b);
	return s;
}
