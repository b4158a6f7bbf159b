/*
 * JSON: the same result at the same place whatever the pieces, and accepted
 * exactly where a plain recursive reader accepts.
 * links: cmd/msp-verify/json.c cmd/msp-verify/jsonpath.c
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmd/msp-verify/json.h"
#include "../unit/pieces.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* The plain reader: what is behind the value, or NULL. */
static const char *
blanks(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r'))
		s++;
	return s;
}

static const char *
string(const char *s, const char *end)
{
	for (s++; s < end && *s != '"'; s++) {
		if ((unsigned char)*s < ' ')
			return NULL;
		if (*s != '\\')
			continue;
		if (++s == end || *s == 0 || strchr("\"\\/bfnrtu", *s) == NULL)
			return NULL;
		if (*s != 'u')
			continue;
		for (int i = 0; i < 4; i++)
			if (++s == end || *s == 0 ||
			    strchr("0123456789abcdefABCDEF", *s) == NULL)
				return NULL;
	}
	return s < end ? s + 1 : NULL;
}

static const char *
digits(const char *s, const char *end)
{
	const char *from = s;

	while (s < end && *s >= '0' && *s <= '9')
		s++;
	return s > from ? s : NULL;
}

static const char *
number(const char *s, const char *end)
{
	const char *from;

	if (*s == '-')
		s++;
	from = s;
	s = digits(s, end);
	if (s == NULL || (*from == '0' && s > from + 1))
		return NULL;
	if (s < end && *s == '.' && (s = digits(s + 1, end)) == NULL)
		return NULL;
	if (s < end && (*s == 'e' || *s == 'E')) {
		s++;
		if (s < end && (*s == '+' || *s == '-'))
			s++;
		s = digits(s, end);
	}
	return s;
}

static const char *value(const char *, const char *, int);

static const char *
container(const char *s, const char *end, int depth)
{
	char close = *s == '{' ? '}' : ']';

	s = blanks(s + 1, end);
	if (s < end && *s == close)
		return s + 1;
	for (;;) {
		if (close == '}') {
			if (s == end || *s != '"' ||
			    (s = string(s, end)) == NULL)
				return NULL;
			s = blanks(s, end);
			if (s == end || *s != ':')
				return NULL;
			s = blanks(s + 1, end);
		}
		s = value(s, end, depth);
		if (s == NULL)
			return NULL;
		s = blanks(s, end);
		if (s == end || (*s != ',' && *s != close))
			return NULL;
		if (*s == close)
			return s + 1;
		s = blanks(s + 1, end);
	}
}

static const char *
value(const char *s, const char *end, int depth)
{
	static const char *const words[] = { "true", "false", "null" };

	if (s == end)
		return NULL;
	if (*s == '{' || *s == '[')
		return depth == 0 ? NULL : container(s, end, depth - 1);
	if (*s == '"')
		return string(s, end);
	for (int i = 0; i < 3; i++) {
		size_t n = strlen(words[i]);

		if ((size_t)(end - s) >= n && memcmp(s, words[i], n) == 0)
			return s + n;
	}
	return number(s, end);
}

static int
plain(const char *s, const char *end)
{
	s = value(blanks(s, end), end, JSON_DEPTH);
	return s != NULL && blanks(s, end) == end;
}

static void
count(void *arg, enum json_kind kind, const char *s, size_t len)
{
	unsigned long *sum = arg;

	*sum = *sum * 31 + (unsigned long)kind;
	for (size_t i = 0; i < len; i++)
		*sum = *sum * 31 + (unsigned char)s[i];
}

static enum json_result
scan(const char *s, size_t len, size_t piece, unsigned long long *at,
    unsigned long *sum)
{
	struct pieces p = { s, len, piece };
	struct json j = {
		.read = read_pieces, .from = &p, .event = count, .arg = sum
	};
	enum json_result r = json_scan(&j);

	*at = j.offset;
	return r;
}

static void
take(
    void *arg, const char *path, enum json_kind kind, const char *s, size_t len)
{
	(void)arg;
	(void)kind;
	if (s[len] != 0 || strlen(path) > 512)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *s = (const char *)data + 1;
	unsigned long long a, b;
	unsigned long x = 0, y = 0;
	struct json_text t;
	struct json j = { .read = json_read_text, .from = &t };
	struct json_paths paths = { .value = take };
	enum json_result r;

	if (size < 1)
		return 0;
	r = scan(s, size - 1, 1 << 16, &a, &x);
	if (r != scan(s, size - 1, 1 + data[0] % 16u, &b, &y) || a != b ||
	    (r == JSON_OK && x != y))
		abort();
	if ((r == JSON_OK) != plain(s, s + size - 1))
		abort();
	t = (struct json_text){ s, size - 1 };
	if (json_scan_paths(&j, &paths) != r)
		abort();
	return 0;
}
