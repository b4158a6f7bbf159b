#include "json.h"

#include <stdint.h>
#include <string.h>

static int
hex4(const char *s, uint32_t *out)
{
	*out = 0;
	for (int i = 0; i < 4; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c >= '0' && c <= '9')
			*out = *out << 4 | (uint32_t)(c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			*out = *out << 4 | (uint32_t)((c | 0x20) - 'a' + 10);
		else
			return -1;
	}
	return 0;
}

static void
add_utf8(struct buf *b, uint32_t c)
{
	if (c < 0x80) {
		buf_addc(b, (char)c);
		return;
	}
	if (c < 0x800) {
		buf_addc(b, (char)(0xc0 | c >> 6));
	} else if (c < 0x10000) {
		buf_addc(b, (char)(0xe0 | c >> 12));
		buf_addc(b, (char)(0x80 | (c >> 6 & 0x3f)));
	} else {
		buf_addc(b, (char)(0xf0 | c >> 18));
		buf_addc(b, (char)(0x80 | (c >> 12 & 0x3f)));
		buf_addc(b, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	buf_addc(b, (char)(0x80 | (c & 0x3f)));
}

/* One \uXXXX at s, or a pair; how many bytes it takes, 0 if it is none. */
static size_t
add_code(struct buf *b, const char *s, size_t len)
{
	uint32_t c, low;

	if (len < 6 || hex4(s + 2, &c) < 0)
		return 0;
	if (c < 0xd800 || c > 0xdfff) {
		add_utf8(b, c);
		return 6;
	}
	if (c < 0xdc00 && len >= 12 && s[6] == '\\' && s[7] == 'u' &&
	    hex4(s + 8, &low) == 0 && low >= 0xdc00 && low <= 0xdfff) {
		add_utf8(b, 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00));
		return 12;
	}
	add_utf8(b, 0xfffd);
	return 6;
}

void
json_unescape(struct buf *b, const char *s, size_t len)
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
	const char *at;
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		n = 1;
		if (s[i] != '\\' || i + 1 == len) {
			buf_addc(b, s[i]);
			continue;
		}
		if (s[i + 1] == 'u')
			n = add_code(b, s + i, len - i);
		if (n > 1)
			continue;
		n = 2;
		at = s[i + 1] != 0 ? strchr(from, s[i + 1]) : NULL;
		buf_addc(b, at != NULL ? to[at - from] : s[i + 1]);
	}
}

/* The path becomes that of depth levels, with name behind. */
static void
path_set(struct json_paths *p, unsigned depth, const char *name, size_t len)
{
	size_t at = p->at[depth], room = sizeof p->path - 5;

	if (at > 0 && name[0] != '[' && at < room)
		p->path[at++] = '.';
	if (len > room - (at < room ? at : room)) {
		at = at < room ? at : room;
		memcpy(p->path + at, "...", 4);
		at += 3;
	} else {
		memcpy(p->path + at, name, len);
		at += len;
	}
	p->path[at] = 0;
	p->at[depth + 1] = at;
}

static void
path_event(void *arg, enum json_kind kind, const char *s, size_t len)
{
	struct json_paths *p = arg;

	if (kind == JSON_OBJECT_END || kind == JSON_ARRAY_END) {
		p->depth--;
		return;
	}
	buf_reset(&p->text);
	if (kind == JSON_KEY) {
		json_unescape(&p->text, s, len);
		path_set(p, p->depth, p->text.s == NULL ? "" : p->text.s,
		    p->text.len);
		return;
	}
	if (p->depth > 0 && p->array[p->depth])
		path_set(p, p->depth, "[]", 2);
	else if (p->depth == 0)
		p->path[0] = 0;
	if (kind == JSON_STRING)
		json_unescape(&p->text, s, len);
	else if (kind != JSON_OBJECT && kind != JSON_ARRAY)
		buf_add(&p->text, s, len);
	p->value(p->arg, p->path, kind,
	    p->text.s == NULL || p->text.len == 0 ? "" : p->text.s,
	    p->text.len);
	if (kind == JSON_OBJECT || kind == JSON_ARRAY) {
		p->depth++;
		p->array[p->depth] = kind == JSON_ARRAY;
		p->at[p->depth] = p->depth == 1 ? 0 : p->at[p->depth];
	}
}

enum json_result
json_scan_paths(struct json *j, struct json_paths *p)
{
	enum json_result r;

	p->depth = 0;
	p->at[0] = p->at[1] = 0;
	p->text = (struct buf){ 0 };
	j->event = path_event;
	j->arg = p;
	j->first = NULL;
	r = json_scan(j);
	buf_free(&p->text);
	return r;
}
