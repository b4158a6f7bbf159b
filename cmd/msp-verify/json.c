#include "json.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "fault.h"
#include "mem.h"
#include "utf8.h"

enum { PAD = 16 };

enum byte {
	OTHER,
	BLANK,
	QUOTE,
	NUMBER,
	OPEN,
	CLOSE,
	LETTER,
};

static const unsigned char kinds[256] = {
	[' '] = BLANK,
	['\t'] = BLANK,
	['\n'] = BLANK,
	['\r'] = BLANK,
	['"'] = QUOTE,
	['-'] = NUMBER,
	['0'] = NUMBER,
	['1'] = NUMBER,
	['2'] = NUMBER,
	['3'] = NUMBER,
	['4'] = NUMBER,
	['5'] = NUMBER,
	['6'] = NUMBER,
	['7'] = NUMBER,
	['8'] = NUMBER,
	['9'] = NUMBER,
	['['] = OPEN,
	['{'] = OPEN,
	[']'] = CLOSE,
	['}'] = CLOSE,
	['t'] = LETTER,
	['f'] = LETTER,
	['n'] = LETTER,
	['N'] = LETTER,
	['I'] = LETTER,
};

static const unsigned char no_first[256];

/*
 * Reads on behind the bytes from p (from the token's beginning, where it is
 * short) and gives where p is now. At the end of the input nothing is added;
 * a NUL always stands at end.
 */
static const unsigned char *
json_fill(struct json *j, const unsigned char *p)
{
	const unsigned char *from = p;
	size_t held, back;
	ssize_t n;

	if (j->eof)
		return p;
	if (j->keep != NULL) {
		if (p - j->keep <= JSON_TOKEN)
			from = j->keep;
		else
			j->cut = 1;
	}
	held = (size_t)(j->end - from);
	back = (size_t)(p - from);
	j->base += (unsigned long long)(from - j->buf);
	memmove(j->buf, from, held);
	n = j->read(j->from, (char *)j->buf + held, JSON_CHUNK);
	if (n <= 0) {
		j->eof = 1;
		if (n < 0) {
			j->error = errno;
			j->result = JSON_READ;
		}
		n = 0;
	}
	j->end = j->buf + held + (size_t)n;
	memset(j->buf + held + (size_t)n, 0, PAD);
	if (j->keep != NULL)
		j->keep = j->buf;
	return j->buf + back;
}

/* At least one byte at p, or the end of the input. */
static inline const unsigned char *
json_ready(struct json *j, const unsigned char *p)
{
	while (p == j->end && !j->eof)
		p = json_fill(j, p);
	return p;
}

static inline const unsigned char *
json_skip(struct json *j, const unsigned char *p)
{
	for (;;) {
		while (kinds[*p] == BLANK)
			p++;
		if (*p != 0 || p != j->end || j->eof)
			return p;
		p = json_fill(j, p);
	}
}

static const unsigned char *
json_fail(struct json *j, const unsigned char *p, enum json_result why)
{
	if (p == j->end && why != JSON_DEEP && why != JSON_NAN)
		why = JSON_CUT;
	if (j->result == JSON_OK)
		j->result = why;
	j->offset = j->base + (unsigned long long)(p - j->buf);
	return NULL;
}

/*
 * The first byte at or behind p that cannot simply stand in a string. Eight
 * bytes at a time: the lowest byte marked is exact, and the NUL at the end
 * stops it; bytes up to PAD behind that may be looked at.
 */
static inline const unsigned char *
json_plain(const unsigned char *p)
{
#if defined(__GNUC__) && defined(__BYTE_ORDER__) && \
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	const uint64_t ones = UINT64_MAX / 255, high = ones << 7;
	uint64_t x, q, b, m;

	for (;; p += 8) {
		memcpy(&x, p, 8);
		q = x ^ ones * '"';
		b = x ^ ones * '\\';
		m = ((q - ones) & ~q) | ((b - ones) & ~b) |
		    ((x - ones * ' ') & ~x);
		m &= high;
		if (m != 0)
			return p + (__builtin_ctzll(m) >> 3);
	}
#else
	while (*p >= ' ' && *p != '"' && *p != '\\')
		p++;
	return p;
#endif
}

static const unsigned char *
json_escape(struct json *j, const unsigned char *p)
{
	while (j->end - p < 6 && !j->eof)
		p = json_fill(j, p);
	p++;
	if (p != j->end && *p != 0 && strchr("\"\\/bfnrt", *p) != NULL)
		return p + 1;
	if (*p != 'u')
		return json_fail(j, p, JSON_ESCAPE);
	for (int i = 0; i < 4; i++)
		if (hex_value((char)*++p) < 0)
			return json_fail(j, p, JSON_ESCAPE);
	return p + 1;
}

/* From behind the opening quote to the closing one. */
static inline const unsigned char *
json_string(struct json *j, const unsigned char *p)
{
	j->keep = p;
	for (;;) {
		p = json_plain(p);
		if (*p == '"')
			return p;
		if (*p == '\\') {
			p = json_escape(j, p);
			if (p == NULL)
				return NULL;
		} else if (p == j->end && !j->eof) {
			p = json_fill(j, p);
		} else {
			return json_fail(j, p, JSON_CONTROL);
		}
	}
}

static inline const unsigned char *
json_digits(struct json *j, const unsigned char *p)
{
	p = json_ready(j, p);
	if (*p < '0' || *p > '9')
		return json_fail(j, p, JSON_SYNTAX);
	for (;;) {
		while (*p >= '0' && *p <= '9')
			p++;
		if (p != j->end || j->eof)
			return p;
		p = json_fill(j, p);
	}
}

/* The word at p, which must be there whole. */
static const unsigned char *
json_word(struct json *j, const unsigned char *p, const char *word)
{
	size_t n = strlen(word);

	while ((size_t)(j->end - p) < n && !j->eof)
		p = json_fill(j, p);
	for (size_t i = 0; i < n; i++)
		if (p[i] != (unsigned char)word[i])
			return json_fail(j, p + i, JSON_SYNTAX);
	return p + n;
}

static inline const unsigned char *
json_number(struct json *j, const unsigned char *p)
{
	const unsigned char *at;

	j->keep = p;
	if (*p == '-') {
		p = json_ready(j, p + 1);
		if (*p == 'I') {
			at = json_word(j, p, "Infinity");
			return at == NULL ? NULL : json_fail(j, at, JSON_NAN);
		}
	}
	if (*p == '0')
		p = json_ready(j, p + 1);
	else if ((p = json_digits(j, p)) == NULL)
		return NULL;
	if (*p == '.' && (p = json_digits(j, p + 1)) == NULL)
		return NULL;
	if ((*p | 0x20) == 'e') {
		p = json_ready(j, p + 1);
		if (*p == '+' || *p == '-')
			p++;
		p = json_digits(j, p);
	}
	return p;
}

static const unsigned char *
json_letters(struct json *j, const unsigned char *p, enum json_kind *kind)
{
	j->keep = p;
	switch (*p) {
	case 't': *kind = JSON_TRUE; return json_word(j, p, "true");
	case 'f': *kind = JSON_FALSE; return json_word(j, p, "false");
	case 'n': *kind = JSON_NULL; return json_word(j, p, "null");
	case 'N': p = json_word(j, p, "NaN"); break;
	default: p = json_word(j, p, "Infinity"); break;
	}
	return p == NULL ? NULL : json_fail(j, p, JSON_NAN);
}

static inline void
json_tell(struct json *j, enum json_kind kind, const unsigned char *end)
{
	if (j->event != NULL && j->first == NULL)
		j->event(j->arg, kind, (const char *)j->keep,
		    j->keep == NULL || j->cut ? 0 : (size_t)(end - j->keep));
	j->keep = NULL;
	j->cut = 0;
}

static inline void
json_tell_string(
    struct json *j, const unsigned char *first, const unsigned char *end)
{
	if (first[*j->keep] && !j->cut)
		j->event(j->arg, JSON_STRING, (const char *)j->keep,
		    (size_t)(end - j->keep));
	json_tell(j, JSON_STRING, end);
}

/* A key, its colon, and what follows up to the value. */
static inline const unsigned char *
json_key(struct json *j, const unsigned char *p)
{
	if (*p != '"')
		return json_fail(j, p, JSON_SYNTAX);
	p = json_string(j, p + 1);
	if (p == NULL)
		return NULL;
	json_tell(j, JSON_KEY, p);
	p = json_skip(j, p + 1);
	if (*p != ':')
		return json_fail(j, p, JSON_SYNTAX);
	return json_skip(j, p + 1);
}

static inline const unsigned char *
json_scalar(struct json *j, const unsigned char *p, const unsigned char *first)
{
	enum json_kind kind = JSON_NUMBER;

	switch (kinds[*p]) {
	case QUOTE:
		p = json_string(j, p + 1);
		if (p == NULL)
			return NULL;
		json_tell_string(j, first, p);
		return p + 1;
	case NUMBER: p = json_number(j, p); break;
	case LETTER: p = json_letters(j, p, &kind); break;
	default: return json_fail(j, p, JSON_SYNTAX);
	}
	if (p != NULL)
		json_tell(j, kind, p);
	return p;
}

static const unsigned char *
json_run(struct json *j, const unsigned char *p)
{
	const unsigned char *first = j->first != NULL ? j->first : no_first;
	uint64_t stack = 0;
	unsigned depth = 0;
	int object;

	for (;;) {
		while (kinds[*p] == OPEN) {
			if (depth == JSON_DEPTH)
				return json_fail(j, p, JSON_DEEP);
			object = *p == '{';
			stack = stack << 1 | (uint64_t)object;
			depth++;
			json_tell(j, object ? JSON_OBJECT : JSON_ARRAY, p);
			p = json_skip(j, p + 1);
			if (*p == (object ? '}' : ']'))
				goto close;
			if (object && (p = json_key(j, p)) == NULL)
				return NULL;
		}
		p = json_scalar(j, p, first);
		if (p == NULL)
			return NULL;
behind:
		p = json_skip(j, p);
		if (depth == 0)
			return *p == 0 && p == j->end
			    ? p
			    : json_fail(j, p, JSON_MORE);
		if (*p == ',') {
			p = json_skip(j, p + 1);
			if ((stack & 1) != 0 && (p = json_key(j, p)) == NULL)
				return NULL;
			continue;
		}
		if (*p != ((stack & 1) != 0 ? '}' : ']'))
			return json_fail(j, p, JSON_SYNTAX);
close:
		json_tell(
		    j, (stack & 1) != 0 ? JSON_OBJECT_END : JSON_ARRAY_END, p);
		stack >>= 1;
		depth--;
		p++;
		goto behind;
	}
}

enum json_result
json_scan(struct json *j)
{
	const unsigned char *p;

	j->buf = mem_alloc(2 * (size_t)JSON_TOKEN + JSON_CHUNK + PAD);
	j->buf[0] = 0;
	j->end = j->buf;
	j->keep = NULL;
	j->base = 0;
	j->result = JSON_OK;
	j->error = j->eof = j->cut = 0;
	p = json_run(j, json_skip(j, j->buf));
	if (p != NULL)
		j->offset = j->base + (unsigned long long)(p - j->buf);
	mem_free(j->buf);
	j->buf = NULL;
	return j->result;
}

ssize_t
json_read_fd(void *from, char *s, size_t n)
{
	ssize_t got;

	do
		got = fault_now(FAULT_READ) ? (errno = EIO, -1)
					    : read(*(int *)from, s, n);
	while (got < 0 && errno == EINTR);
	return got;
}

ssize_t
json_read_text(void *from, char *s, size_t n)
{
	struct json_text *t = from;

	if (n > t->len)
		n = t->len;
	if (n > 0)
		memcpy(s, t->s, n);
	t->s += n;
	t->len -= n;
	return (ssize_t)n;
}
