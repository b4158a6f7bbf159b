#include "csv.h"

#include <errno.h>
#include <string.h>

#include "mem.h"

enum state { START, PLAIN, QUOTED, CLOSED };

static int
csv_fill(struct csv *c)
{
	ssize_t n;

	if (c->chunk == NULL)
		c->chunk = mem_alloc(CSV_CHUNK);
	c->next = c->have = 0;
	n = c->read(c->from, (char *)c->chunk, CSV_CHUNK);
	if (n < 0)
		c->error = errno;
	if (n <= 0) {
		c->eof = 1;
		return -1;
	}
	c->have = (size_t)n;
	return 0;
}

static void
csv_keep(struct csv *c, const unsigned char *s, size_t n)
{
	if (!c->widths && c->text.len + n <= CSV_ROW)
		buf_add(&c->text, s, n);
}

static void
csv_begin_field(struct csv *c)
{
	if (!c->widths && c->nfield < CSV_FIELDS)
		c->at[c->nfield] = c->text.len;
	c->nfield++;
}

static void
csv_end_field(struct csv *c)
{
	if (!c->widths && c->nfield <= CSV_FIELDS) {
		c->len[c->nfield - 1] = c->text.len - c->at[c->nfield - 1];
		c->nkept = c->nfield;
		buf_addc(&c->text, 0);
	}
}

/* The bytes from next on that are not special in this state. */
static size_t
csv_run(const struct csv *c, enum state state)
{
	const unsigned char *s = c->chunk + c->next, *end, *p;

	end = c->chunk + c->have;
	if (state == QUOTED) {
		p = memchr(s, '"', (size_t)(end - s));
		return (size_t)((p != NULL ? p : end) - s);
	}
	if (state == START && *s == '"')
		return 0;
	for (p = s; p < end && *p != ',' && *p != '\n';)
		p++;
	return (size_t)(p - s);
}

static void
csv_lines(struct csv *c, const unsigned char *s, size_t n)
{
	const unsigned char *p;

	while ((p = memchr(s, '\n', n)) != NULL) {
		c->lines++;
		n -= (size_t)(p + 1 - s);
		s = p + 1;
	}
}

/* A CR before the line end is part of it. */
static void
csv_end_row(struct csv *c, enum state state)
{
	if (state == PLAIN && !c->widths && c->text.len > 0 &&
	    c->nfield <= CSV_FIELDS && c->text.len > c->at[c->nfield - 1] &&
	    c->text.s[c->text.len - 1] == '\r')
		c->text.len--;
	csv_end_field(c);
	for (size_t i = 0; i < c->nkept; i++)
		c->field[i] = c->text.s + c->at[i];
}

/* One special byte; 1 when it ends the row. */
static int
csv_special(struct csv *c, unsigned char b, enum state *state)
{
	if (b == '"' && *state == START) {
		*state = QUOTED;
	} else if (b == '"' && *state == QUOTED) {
		*state = CLOSED;
	} else if (b == '"' && *state == CLOSED) {
		csv_keep(c, &b, 1);
		*state = QUOTED;
	} else if (b == ',') {
		csv_end_field(c);
		csv_begin_field(c);
		*state = START;
	} else if (b == '\n') {
		c->lines++;
		return 1;
	}
	return 0;
}

static int
csv_read_row(struct csv *c, enum state *state)
{
	size_t n;
	int any = 0;

	for (;;) {
		if (c->next == c->have && csv_fill(c) < 0)
			return any ? 1 : 0;
		any = 1;
		if (*state != CLOSED || c->chunk[c->next] != '"') {
			n = csv_run(c, *state);
			if (n > 0) {
				csv_keep(c, c->chunk + c->next, n);
				if (*state == QUOTED)
					csv_lines(c, c->chunk + c->next, n);
				else
					*state = PLAIN;
				c->next += n;
				continue;
			}
		}
		if (csv_special(c, c->chunk[c->next++], state))
			return 1;
	}
}

int
csv_row(struct csv *c)
{
	enum state state = START;

	if (c->eof)
		return 0;
	buf_reset(&c->text);
	c->nfield = c->nkept = 0;
	c->line = c->lines + 1;
	csv_begin_field(c);
	if (!csv_read_row(c, &state))
		return 0;
	c->open = c->eof && state == QUOTED;
	c->row++;
	csv_end_row(c, state);
	return 1;
}

void
csv_free(struct csv *c)
{
	buf_free(&c->text);
	mem_free(c->chunk);
	c->chunk = NULL;
}

int
csv_column(const struct csv *c, const char *name)
{
	for (size_t i = 0; i < c->nkept; i++)
		if (strcmp(c->field[i], name) == 0)
			return (int)i;
	return -1;
}
