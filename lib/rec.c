#include "rec.h"

#include <stdint.h>
#include <string.h>

#include "err.h"

#define REC(kind, name, ...) \
	static const char *const fields_##kind[] = { __VA_ARGS__ };
#include "records.def"
#undef REC

static const struct {
	const char *name;
	const char *const *fields;
} kinds[] = {
#define REC(kind, name, ...) [REC_##kind] = { name, fields_##kind },
#include "records.def"
#undef REC
};

const char *
rec_name(enum rec_kind kind)
{
	return kinds[kind].name;
}

const char *const *
rec_fields(enum rec_kind kind)
{
	return kinds[kind].fields;
}

static void
rec_tsv_field(struct buf *b, const char *value)
{
	buf_addc(b, '\t');
	esc_field(b, value);
}

/*
 * The escaped text is UTF-8 without controls: of what JSON must escape, only
 * the quote and the backslash can be in it.
 */
static void
rec_json_string(struct buf *b, const char *s)
{
	struct buf e = { 0 };

	esc_add(&e, s, strlen(s));
	buf_addc(b, '"');
	for (size_t i = 0; i < e.len; i++) {
		if (e.s[i] == '"' || e.s[i] == '\\')
			buf_addc(b, '\\');
		buf_addc(b, e.s[i]);
	}
	buf_addc(b, '"');
	buf_free(&e);
}

static void
rec_json_field(struct buf *b, const char *name, const char *value)
{
	buf_addc(b, ',');
	rec_json_string(b, name);
	buf_addc(b, ':');
	if (value == NULL)
		buf_adds(b, "null");
	else
		rec_json_string(b, value);
}

static void
rec_begin(struct buf *b, enum rec_format format, enum rec_kind kind)
{
	if (format == REC_JSON)
		buf_addf(b, "{\"record\":\"%s\"", kinds[kind].name);
	else
		buf_adds(b, kinds[kind].name);
}

static void
rec_end(struct buf *b, enum rec_format format)
{
	buf_adds(b, format == REC_JSON ? "}\n" : "\n");
}

void
rec_put(struct buf *b, enum rec_format format, enum rec_kind kind,
    const char *const *fields)
{
	const char *const *names = kinds[kind].fields;

	rec_begin(b, format, kind);
	for (size_t i = 0; names[i] != NULL; i++)
		if (format == REC_JSON)
			rec_json_field(b, names[i], fields[i]);
		else
			rec_tsv_field(b, fields[i]);
	rec_end(b, format);
}

void
rec_sum(struct buf *b, enum rec_format format, const char *verdict,
    const char *const *counts)
{
	rec_begin(b, format, REC_SUM);
	if (format == REC_JSON)
		rec_json_field(b, "verdict", verdict);
	else
		rec_tsv_field(b, verdict);
	for (size_t i = 0; counts != NULL && counts[i] != NULL; i++) {
		const char *equals = strchr(counts[i], '=');
		if (format != REC_JSON || equals == NULL) {
			rec_tsv_field(b, counts[i]);
			continue;
		}
		struct buf name = { 0 };
		buf_add(&name, counts[i], (size_t)(equals - counts[i]));
		rec_json_field(b, name.s, equals + 1);
		buf_free(&name);
	}
	rec_end(b, format);
}

int
rec_format(const char *name, int allow_sh, enum rec_format *format)
{
	static const char *const names[] = { "text", "tsv", "json", "sh" };

	for (int i = 0; i < (allow_sh ? 4 : 3); i++)
		if (strcmp(name, names[i]) == 0) {
			*format = (enum rec_format)i;
			return 0;
		}
	err_say(ERR_ERROR, ERR_NOWHERE, &T_LIB_BAD_FORMAT, name,
	    allow_sh ? "text, tsv, json, sh" : "text, tsv, json");
	return -1;
}

/*
 * Unescapes the fields of one line into r->buf, each ended by a NUL.
 * -1 at a bad escape.
 */
static int
rec_split(struct rec *r, const char *s, const char *end)
{
	size_t at[REC_FIELDS + 1], n = 0;

	buf_reset(&r->buf);
	for (;;) {
		const char *tab = memchr(s, '\t', (size_t)(end - s));
		const char *stop = tab != NULL ? tab : end;
		int absent = n != 0 && stop - s == 1 && *s == '-';
		at[n] = absent ? SIZE_MAX : r->buf.len;
		if (!absent && esc_undo(&r->buf, s, (size_t)(stop - s)) < 0)
			return -1;
		buf_addc(&r->buf, '\0');
		n++;
		if (tab == NULL || n > REC_FIELDS)
			break;
		s = tab + 1;
	}
	r->nfield = n - 1;
	for (size_t i = 0; i < REC_FIELDS; i++)
		r->field[i] = i >= r->nfield || at[i + 1] == SIZE_MAX
		    ? NULL
		    : r->buf.s + at[i + 1];
	return 0;
}

static int
rec_known(struct rec *r)
{
	for (int i = 0; i < REC_KINDS; i++)
		if (strcmp(r->buf.s, kinds[i].name) == 0) {
			r->kind = (enum rec_kind)i;
			return 1;
		}
	return 0;
}

int
rec_next(struct rec *r, const char **s, const char *end)
{
	while (*s < end) {
		const char *line = *s;
		const char *nl = memchr(line, '\n', (size_t)(end - line));
		if (nl == NULL || rec_split(r, line, nl) < 0)
			return -1;
		*s = nl + 1;
		if (rec_known(r))
			return 1;
	}
	return 0;
}

void
rec_free(struct rec *r)
{
	buf_free(&r->buf);
}
