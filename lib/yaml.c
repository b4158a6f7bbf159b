#include "yaml.h"

#include <string.h>

#include "mem.h"

struct yaml_frame {
	uint32_t indent, parent;
	int seq;
};
struct yaml_reader {
	struct yaml *y;
	uint32_t at;
	struct yaml_frame frame[YAML_DEPTH];
	int depth;
	int begun, ended; /* a document; behind its "..." */
};

static int
yaml_fail(struct yaml_reader *r, enum yaml_error what, uint32_t at)
{
	r->y->error = what;
	r->y->at = at;
	return -1;
}

static char
yaml_byte(const struct yaml *y, uint32_t at)
{
	return at < y->len ? y->text[at] : '\n';
}

static int
yaml_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static uint32_t
yaml_eol(const struct yaml *y, uint32_t at)
{
	const char *p = memchr(y->text + at, '\n', y->len - at);

	return p == NULL ? (uint32_t)y->len : (uint32_t)(p - y->text);
}

static uint32_t
yaml_next_line(const struct yaml *y, uint32_t at)
{
	uint32_t end = yaml_eol(y, at);

	return end < y->len ? end + 1 : end;
}

static uint32_t
yaml_skip(const struct yaml *y, uint32_t at)
{
	while (at < y->len && yaml_blank(y->text[at]))
		at++;
	return at;
}

/* Behind a byte order mark. */
static uint32_t
yaml_begin(const struct yaml *y)
{
	int bom = y->len >= 3 && memcmp(y->text, "\xef\xbb\xbf", 3) == 0;

	return bom ? 3 : 0;
}

/* Behind blanks: the end of the line or a comment. */
static int
yaml_rest_empty(const struct yaml *y, uint32_t at)
{
	uint32_t p = yaml_skip(y, at);
	char c = yaml_byte(y, p);

	return c == '\n' ||
	    (c == '#' &&
		(p == yaml_begin(y) || y->text[p - 1] == '\n' ||
		    yaml_blank(y->text[p - 1])));
}

/* Behind the quote that closes the one at this place, or YAML_NONE. */
static uint32_t
yaml_quoted(const struct yaml *y, uint32_t at)
{
	char q = y->text[at++];

	for (; at < y->len; at++) {
		if (q == '"' && y->text[at] == '\\')
			at++;
		else if (y->text[at] != q)
			continue;
		else if (q == '\'' && yaml_byte(y, at + 1) == '\'')
			at++;
		else
			return at + 1;
	}
	return YAML_NONE;
}

/* Behind the bracket that closes the one at this place, or YAML_NONE. */
static uint32_t
yaml_flow(const struct yaml *y, uint32_t at)
{
	int depth = 0;

	while (at < y->len) {
		char c = y->text[at];
		char before = at == 0 ? '\n' : y->text[at - 1];
		int fresh = strchr(" \t\n,:[{", before) != NULL;
		if ((c == '"' || c == '\'') && fresh) {
			if ((at = yaml_quoted(y, at)) == YAML_NONE)
				return at;
			continue;
		}
		if (c == '#' && (yaml_blank(before) || before == '\n'))
			at = yaml_eol(y, at);
		else if (c == '[' || c == '{')
			depth++, at++;
		else if ((c == ']' || c == '}') && --depth == 0)
			return at + 1;
		else
			at++;
	}
	return YAML_NONE;
}

/* The end of a plain scalar on its line, trimmed. */
static uint32_t
yaml_plain(const struct yaml *y, uint32_t at)
{
	uint32_t end = at;

	for (; yaml_byte(y, at) != '\n'; at++) {
		if (y->text[at] == '#' && at > 0 && yaml_blank(y->text[at - 1]))
			break;
		if (!yaml_blank(y->text[at]))
			end = at + 1;
	}
	return end;
}

/* Behind the key at this place, before its colon; YAML_NONE: no key. */
static uint32_t
yaml_key(const struct yaml *y, uint32_t at)
{
	char c = yaml_byte(y, at);

	if (c == '"' || c == '\'') {
		at = yaml_quoted(y, at);
		if (at == YAML_NONE)
			return at;
		uint32_t p = yaml_skip(y, at);
		return yaml_byte(y, p) == ':' ? at : YAML_NONE;
	}
	uint32_t end = at;
	for (; yaml_byte(y, at) != '\n'; at++) {
		c = y->text[at];
		if (c == '#' && end != at)
			return YAML_NONE;
		char after = yaml_byte(y, at + 1);
		if (c == ':' && (yaml_blank(after) || after == '\n'))
			return end;
		if (!yaml_blank(c))
			end = at + 1;
	}
	return YAML_NONE;
}

/* The indentation of the next line with content; YAML_NONE at the end. */
static uint32_t
yaml_content(const struct yaml *y, uint32_t *line)
{
	for (uint32_t at = *line; at < y->len; at = yaml_next_line(y, at)) {
		uint32_t p = at;
		while (yaml_byte(y, p) == ' ')
			p++;
		if (yaml_rest_empty(y, at))
			continue;
		*line = at;
		return p - at;
	}
	*line = (uint32_t)y->len;
	return YAML_NONE;
}

/* A block scalar takes all lines that are empty or deeper than its key; the
 * empty ones at its end only with a + behind its mark. */
static void
yaml_take_block(struct yaml_reader *r, struct yaml_item *i, uint32_t indent)
{
	const struct yaml *y = r->y;
	uint32_t end = yaml_next_line(y, i->value);
	int keep = yaml_byte(y, i->value + 1) == '+' ||
	    (yaml_byte(y, i->value + 1) != '\n' &&
		yaml_byte(y, i->value + 2) == '+');

	for (uint32_t at = end; at < y->len; at = yaml_next_line(y, at)) {
		uint32_t p = at;
		while (yaml_byte(y, p) == ' ')
			p++;
		int empty = yaml_byte(y, yaml_skip(y, p)) == '\n';
		if (!empty && p - at <= indent)
			break;
		if (!empty || keep)
			end = yaml_next_line(y, at);
	}
	i->kind = YAML_BLOCK;
	i->valueend = end;
	r->at = end;
}

/* A plain scalar goes on over lines that are deeper than its key. */
static int
yaml_take_plain(
    struct yaml_reader *r, struct yaml_item *i, uint32_t indent, int root)
{
	const struct yaml *y = r->y;

	i->kind = YAML_PLAIN;
	i->valueend = yaml_plain(y, i->value);
	r->at = yaml_next_line(y, i->valueend);
	while (yaml_byte(y, yaml_skip(y, i->valueend)) == '\n') {
		uint32_t line = r->at, in = yaml_content(y, &line);
		if (in == YAML_NONE || (in <= indent && !root) || line != r->at)
			break;
		if (yaml_key(y, line + in) != YAML_NONE)
			return yaml_fail(r, YAML_INDENT, line + in);
		i->valueend = yaml_plain(y, line + in);
		r->at = yaml_next_line(y, line);
	}
	return 0;
}

/* Anchors and tags before a value. */
static uint32_t
yaml_properties(struct yaml_reader *r, struct yaml_item *i, uint32_t at)
{
	for (;;) {
		at = yaml_skip(r->y, at);
		char c = yaml_byte(r->y, at);
		if (c != '&' && c != '!')
			return at;
		i->flags |= c == '&' ? YAML_ANCHORED : YAML_TAGGED;
		while (!yaml_blank(yaml_byte(r->y, at)) &&
		    yaml_byte(r->y, at) != '\n')
			at++;
	}
}

/* The value of an item whose key ends before this place. */
static int
yaml_take_value(
    struct yaml_reader *r, uint32_t item, uint32_t at, uint32_t indent)
{
	struct yaml *y = r->y;
	struct yaml_item *i = &y->item[item];
	uint32_t p = yaml_properties(r, i, at), end;
	char c = yaml_byte(y, p);

	i->value = i->valueend = p;
	i->kind = YAML_NULL;
	r->at = yaml_next_line(y, p);
	if (yaml_rest_empty(y, p)) {
		i->end = r->at;
		return 0;
	}
	if (c == '|' || c == '>') {
		yaml_take_block(r, i, indent);
	} else if (strchr("\"'[{", c) != NULL) {
		end =
		    c == '[' || c == '{' ? yaml_flow(y, p) : yaml_quoted(y, p);
		if (end == YAML_NONE)
			return yaml_fail(r, YAML_OPEN, p);
		if (!yaml_rest_empty(y, end))
			return yaml_fail(r, YAML_SYNTAX, end);
		i->kind = c == '"' ? YAML_DOUBLE
		    : c == '\''    ? YAML_SINGLE
				   : YAML_FLOW;
		i->valueend = end;
		r->at = yaml_next_line(y, end);
	} else if (strchr("@`%,]}", c) != NULL) {
		return yaml_fail(r, YAML_SYNTAX, p);
	} else if (yaml_take_plain(r, i, indent, 0)) {
		return -1;
	}
	if (c == '*')
		i->kind = YAML_ALIAS;
	i->end = r->at;
	return 0;
}

static uint32_t
yaml_add(struct yaml_reader *r, uint32_t line, uint32_t indent, uint32_t key,
    uint32_t keyend)
{
	struct yaml *y = r->y;

	y->item = mem_more(y->item, y->n, &y->cap, sizeof *y->item);
	struct yaml_item *i = &y->item[y->n];
	*i = (struct yaml_item){ .parent = r->frame[r->depth - 1].parent,
		.line = line,
		.indent = indent,
		.key = key,
		.keyend = keyend };
	return (uint32_t)y->n++;
}

/* Finds or opens the collection that an entry at this column belongs to. */
static int
yaml_enter(struct yaml_reader *r, uint32_t column, int seq, uint32_t at)
{
	struct yaml *y = r->y;
	struct yaml_frame root = { 0, YAML_NONE, 0 }, *f = &root;

	for (; r->depth > 0; r->depth--) {
		f = &r->frame[r->depth - 1];
		if (f->indent < column ||
		    (f->indent == column && (seq || !f->seq)))
			break;
	}
	if (r->depth > 0 && f->indent == column && f->seq == seq)
		return 0;
	if (y->n != 0) {
		struct yaml_item *i = &y->item[y->n - 1];
		if (r->depth == 0 || i->kind != YAML_NULL ||
		    i->parent != f->parent || (f->indent == column && !seq))
			return yaml_fail(r, YAML_INDENT, at);
		i->kind = seq ? YAML_SEQ : YAML_MAP;
		root.parent = (uint32_t)y->n - 1;
	}
	if (r->depth == YAML_DEPTH)
		return yaml_fail(r, YAML_DEEP, at);
	r->frame[r->depth++] = (struct yaml_frame){ column, root.parent, seq };
	return 0;
}

/* A value that stands on a line of its own below its key. */
static int
yaml_late_value(struct yaml_reader *r, uint32_t at, uint32_t column)
{
	struct yaml *y = r->y;

	if (r->depth == 0)
		return yaml_fail(r, YAML_SYNTAX, at);
	const struct yaml_frame *f = &r->frame[r->depth - 1];
	if (y->item[y->n - 1].kind != YAML_NULL ||
	    y->item[y->n - 1].parent != f->parent || column <= f->indent)
		return yaml_fail(r, YAML_SYNTAX, at);
	return yaml_take_value(r, (uint32_t)y->n - 1, at, f->indent);
}

static int
yaml_is_dash(const struct yaml *y, uint32_t at)
{
	char after = yaml_byte(y, at + 1);

	return yaml_byte(y, at) == '-' && (yaml_blank(after) || after == '\n');
}

/* The entries that begin on one line: "- - key: value". */
static int
yaml_take_line(struct yaml_reader *r, uint32_t line, uint32_t column)
{
	struct yaml *y = r->y;
	uint32_t at = line + column, end;

	while (yaml_is_dash(y, at)) {
		if (yaml_enter(r, column, 1, at))
			return -1;
		uint32_t item = yaml_add(r, line, column, at, at);
		uint32_t p = yaml_skip(y, at + 1);
		if (!yaml_is_dash(y, p) &&
		    (strchr("[{&*!|>", yaml_byte(y, p)) != NULL ||
			yaml_key(y, p) == YAML_NONE))
			return yaml_take_value(r, item, at + 1, column);
		y->item[item].value = y->item[item].valueend = p;
		y->item[item].end = yaml_next_line(y, p);
		at = p;
		column = at - line;
	}
	if (yaml_byte(y, at) == '?' || yaml_byte(y, at) == '{' ||
	    yaml_byte(y, at) == '[') {
		if (y->n != 0 && yaml_byte(y, at) != '?')
			return yaml_late_value(r, at, column);
		return yaml_fail(r, YAML_STYLE, at);
	}
	if (strchr("&!*", yaml_byte(y, at)) != NULL)
		return yaml_late_value(r, at, column);
	if ((end = yaml_key(y, at)) == YAML_NONE)
		return yaml_late_value(r, at, column);
	if (yaml_enter(r, column, 0, at))
		return -1;
	uint32_t item = yaml_add(r, line, column, at, end);
	return yaml_take_value(r, item, yaml_skip(y, end) + 1, column);
}

/* "---", "..." and directives: 1 when the line is one, 0, or -1. */
static int
yaml_marker(struct yaml_reader *r, uint32_t line)
{
	const struct yaml *y = r->y;
	char c = y->text[line];
	int three = y->len - line >= 3 &&
	    (memcmp(y->text + line, "---", 3) == 0 ||
		memcmp(y->text + line, "...", 3) == 0);

	if (c == '%' && y->n == 0)
		return yaml_fail(r, YAML_DOCUMENTS, line);
	if (!three ||
	    !(yaml_blank(yaml_byte(y, line + 3)) ||
		yaml_byte(y, line + 3) == '\n'))
		return r->ended ? yaml_fail(r, YAML_DOCUMENTS, line) : 0;
	if (c == '-' && (r->begun || y->n != 0))
		return yaml_fail(r, YAML_DOCUMENTS, line);
	if (!yaml_rest_empty(y, line + 3))
		return yaml_fail(r, YAML_STYLE, line);
	r->begun = c == '-';
	r->ended = c == '.';
	r->at = yaml_next_line(y, line);
	return 1;
}

void
yaml_parse(struct yaml *y, const char *text, size_t len)
{
	struct yaml_reader r = { .y = y };

	*y = (struct yaml){ .text = text, .len = len };
	r.at = yaml_begin(y);
	for (;;) {
		uint32_t line = r.at, in = yaml_content(y, &line);
		if (in == YAML_NONE)
			break;
		int marker = in == 0 ? yaml_marker(&r, line) : 0;
		if (marker > 0)
			continue;
		if (marker == 0 && text[line + in] == '\t')
			marker = yaml_fail(&r, YAML_TAB, line + in);
		if (marker < 0 || yaml_take_line(&r, line, in))
			break;
	}
	for (size_t i = y->n; i-- > 0;) {
		const struct yaml_item *x = &y->item[i];
		if (x->parent != YAML_NONE && y->item[x->parent].end < x->end)
			y->item[x->parent].end = x->end;
	}
}

void
yaml_free(struct yaml *y)
{
	mem_free(y->item);
	*y = (struct yaml){ 0 };
}

size_t
yaml_line(const struct yaml *y, uint32_t off)
{
	size_t n = 1;

	for (uint32_t i = 0; i < off && i < y->len; i++)
		n += y->text[i] == '\n';
	return n;
}
