#include <string.h>

#include "utf8.h"
#include "yaml.h"

/* A line break within a scalar, and the blanks around it: one blank, or as
 * many newlines as there are empty lines. */
static void
yaml_fold(const char **s, const char *end, struct buf *b)
{
	size_t lines = 0;

	for (; *s < end && strchr(" \t\r\n", **s) != NULL; ++*s)
		lines += **s == '\n';
	if (lines == 1)
		buf_addc(b, ' ');
	while (lines-- > 1)
		buf_addc(b, '\n');
}

/* Blanks at *s that a line break follows. */
static int
yaml_breaks(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t' || *s == '\r'))
		s++;
	return s < end && *s == '\n';
}

static int
yaml_escape(const char **s, const char *end, struct buf *b)
{
	static const char names[] = "0abt\tnvfre \"/\\N_";
	static const char values[] = "\0\a\b\t\t\n\v\f\r\033 \"/\\";
	const char *p = strchr(names, **s);
	char c = *(*s)++;

	if (c == '\n') {
		while (*s < end && (**s == ' ' || **s == '\t'))
			++*s;
		return 0;
	}
	if (p != NULL && c != '\0') {
		if (c == 'N' || c == '_')
			utf8_add(b, c == 'N' ? 0x85 : 0xa0);
		else
			buf_addc(b, values[p - names]);
		return 0;
	}
	int digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
	unsigned long code = 0;
	if (digits == 0)
		return -1;
	for (; digits > 0; digits--, ++*s) {
		int h = *s < end ? hex_value(**s) : -1;
		if (h < 0)
			return -1;
		code = code * 16 + (unsigned long)h;
	}
	if (code > 0x10ffff || code == 0)
		return -1;
	utf8_add(b, (uint32_t)code);
	return 0;
}

static int
yaml_scalar(enum yaml_kind kind, const char *s, const char *end, struct buf *b)
{
	while (s < end) {
		if (yaml_breaks(s, end)) {
			yaml_fold(&s, end, b);
		} else if (kind == YAML_DOUBLE && *s == '\\') {
			s++;
			if (s == end || yaml_escape(&s, end, b))
				return -1;
		} else {
			s += kind == YAML_SINGLE && *s == '\'';
			buf_addc(b, *s++);
		}
	}
	return 0;
}

/* A literal block: its lines less the indentation of the first. */
static int
yaml_literal(const char *s, const char *end, struct buf *b)
{
	size_t from = b->len, indent = 0;
	char chomp = s[1];

	if (s[0] != '|' || (chomp >= '0' && chomp <= '9'))
		return -1;
	s = memchr(s, '\n', (size_t)(end - s));
	for (; s != NULL && ++s < end; s = memchr(s, '\n', (size_t)(end - s))) {
		const char *eol = memchr(s, '\n', (size_t)(end - s));
		size_t len = (size_t)((eol == NULL ? end : eol) - s), in = 0;
		while (in < len && s[in] == ' ' && (indent == 0 || in < indent))
			in++;
		if (indent == 0 && in < len)
			indent = in;
		buf_add(b, s + in, len - in);
		buf_addc(b, '\n');
		if (eol == NULL)
			break;
	}
	while (chomp != '+' && b->len > from + 1 && b->s[b->len - 1] == '\n' &&
	    b->s[b->len - 2] == '\n')
		b->len--;
	if (chomp == '-' && b->len > from)
		b->len--;
	if (b->s != NULL)
		b->s[b->len] = '\0';
	return 0;
}

int
yaml_value(const struct yaml *y, uint32_t item, struct buf *b)
{
	const struct yaml_item *i = &y->item[item];
	const char *s = y->text + i->value, *end = y->text + i->valueend;
	enum yaml_kind kind = (enum yaml_kind)i->kind;

	switch (kind) {
	case YAML_NULL: buf_add(b, "", 0); return 0;
	case YAML_SINGLE:
	case YAML_DOUBLE: return yaml_scalar(kind, s + 1, end - 1, b);
	case YAML_PLAIN: return yaml_scalar(kind, s, end, b);
	case YAML_BLOCK: return yaml_literal(s, end, b);
	case YAML_FLOW: buf_add(b, s, (size_t)(end - s)); return 0;
	default: return -1;
	}
}

int
yaml_is(const struct yaml *y, uint32_t item, const char *key)
{
	const struct yaml_item *i = &y->item[item];
	uint32_t at = i->key, end = i->keyend;

	if (end - at >= 2 && (y->text[at] == '"' || y->text[at] == '\'')) {
		at++;
		end--;
	}
	return end > at && strlen(key) == end - at &&
	    memcmp(y->text + at, key, end - at) == 0;
}

uint32_t
yaml_next(const struct yaml *y, uint32_t parent, uint32_t i)
{
	size_t k = i == YAML_NONE ? 0 : (size_t)i + 1;

	for (; k < y->n; k++)
		if (y->item[k].parent == parent)
			return (uint32_t)k;
	return YAML_NONE;
}

uint32_t
yaml_find(const struct yaml *y, const char *path)
{
	uint32_t at = YAML_NONE;
	char key[128];

	for (;;) {
		size_t n = strcspn(path, ".");
		if (n >= sizeof key)
			return YAML_NONE;
		memcpy(key, path, n);
		key[n] = '\0';
		uint32_t found = YAML_NONE, i = YAML_NONE;
		while ((i = yaml_next(y, at, i)) != YAML_NONE)
			if (yaml_is(y, i, key))
				found = i;
		if (found == YAML_NONE || path[n] == '\0')
			return found;
		at = found;
		path += n + 1;
	}
}
