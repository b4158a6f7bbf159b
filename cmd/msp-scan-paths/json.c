#include "json.h"

#include <string.h>

#include "jsontext.h"

enum { JSON_DEPTH = 100 };

const char *
json_blank(const char *s)
{
	return s + strspn(s, " \t\r\n");
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

int
json_string(const char *s, struct buf *b)
{
	size_t from = b->len;
	const char *end;

	s = json_blank(s);
	if (*s != '"' || (end = json_past(s)) == NULL ||
	    jsontext_add(b, s + 1, (size_t)(end - 1 - (s + 1))) < 0)
		return -1;
	return b->len > from && memchr(b->s + from, '\0', b->len - from) != NULL
	    ? -1
	    : 0;
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
