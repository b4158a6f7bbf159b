#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "scan.h"

#define TEXT TEXT_DEFINE
#include "text.def"
#undef TEXT

enum { REPORT_STATUS_WIDTH = 12, REPORT_NUMBER = 24, REPORT_WIDEST = 60 };

static const struct report_row {
	const char *name;
	const struct text *sum;
} report_rows[SCAN_STATUSES] = {
	[SCAN_OK] = { "ok", &T_SUM_OK },
	[SCAN_CREATE] = { "create", &T_SUM_CREATE },
	[SCAN_HUB] = { "hub", &T_SUM_HUB },
	[SCAN_UNKNOWN] = { "unknown", &T_SUM_UNKNOWN },
	[SCAN_WARN] = { "warn", &T_SUM_WARN },
	[SCAN_MISSING] = { "missing", &T_SUM_MISSING },
	[SCAN_UNREADABLE] = { "unreadable", &T_SUM_UNREADABLE },
	[SCAN_WRONG] = { "wrong-kind", &T_SUM_WRONG },
	[SCAN_PLACEHOLDER] = { "placeholder", &T_SUM_PLACEHOLDER },
	[SCAN_IGNORED] = { "ignored", &T_SUM_IGNORED },
};

static const char *const report_kinds[SCAN_KINDS] = {
	[SCAN_FILE] = "file",
	[SCAN_DIR] = "directory",
	[SCAN_CD] = "directory",
	[SCAN_ENTRY] = "entry",
	[SCAN_SOURCE] = "source",
	[SCAN_SCRIPT] = "script",
	[SCAN_YAML] = "yaml",
	[SCAN_CKPT] = "checkpoint",
	[SCAN_HF] = "model",
	[SCAN_MODEL] = "model",
	[SCAN_TOKENIZER] = "tokenizer",
	[SCAN_EITHER] = "tokenizer",
	[SCAN_DATA] = "data",
	[SCAN_RAW] = "data",
	[SCAN_DATASET] = "dataset",
	[SCAN_OUTPUT] = "output",
	[SCAN_PREFIX] = "output",
	[SCAN_LOG] = "log",
	[SCAN_TEXT] = "syntax",
};

/* The order of the summary. */
static const enum scan_status report_sum[] = { SCAN_OK, SCAN_CREATE, SCAN_HUB,
	SCAN_UNKNOWN, SCAN_WARN, SCAN_MISSING, SCAN_UNREADABLE, SCAN_WRONG,
	SCAN_PLACEHOLDER, SCAN_IGNORED };

const char *
report_status(enum scan_status status)
{
	return report_rows[status].name;
}

/* An item as the nine arguments of a text. */
struct report_args {
	const char *s[9];
	char line[REPORT_NUMBER];
};
#define REPORT_ARGS(a)                                                        \
	(a).s[0], (a).s[1], (a).s[2], (a).s[3], (a).s[4], (a).s[5], (a).s[6], \
	    (a).s[7], (a).s[8]

static void
report_args(struct report_args *a, const struct scan_item *item)
{
	const struct scan_found *f = &item->found;
	const char *path = f->resolved != NULL ? f->resolved : item->path;

	snprintf(a->line, sizeof a->line, "%zu", item->line);
	a->s[0] = path != NULL ? path : item->value;
	a->s[1] = f->arg[0] != NULL ? f->arg[0] : "";
	a->s[2] = f->arg[1] != NULL ? f->arg[1] : "";
	a->s[3] = item->name;
	a->s[4] = item->variable != NULL ? item->variable : "";
	a->s[5] = a->line;
	a->s[6] = report_status(f->status);
	a->s[7] = item->unset != NULL ? item->unset : "";
	a->s[8] = item->value;
}

static void
report_say(struct buf *b, enum text_lang lang, const struct text *t,
    const struct scan_item *item)
{
	struct report_args a;

	report_args(&a, item);
	text_add_in(b, lang, t, REPORT_ARGS(a));
}

/* Where the value comes from, for what is wrong with it. */
static void
report_origin(struct buf *b, const struct scan_item *item)
{
	if (item->found.status > SCAN_WARN)
		return;
	if (item->unset != NULL && item->unset[0] <= '9')
		buf_adds(b, text_raw(&T_NOT_GIVEN));
	else if (item->unset != NULL)
		buf_adds(b, text_raw(&T_NOT_SET));
	else if (item->variable != NULL && item->line != 0)
		buf_adds(b, text_raw(&T_SET_ON));
}

/* A text that is put together from others. */
static void
report_why(struct buf *b, const struct text *before,
    const struct scan_item *item, struct text *t)
{
	if (before != NULL)
		buf_adds(b, text_raw(before));
	buf_adds(b, text_raw(item->found.why));
	report_origin(b, item);
	*t = (struct text){ item->found.why->id, b->s, b->s };
}

static void
report_pad(struct buf *b, size_t from, size_t width)
{
	do
		buf_addc(b, ' ');
	while (b->len - from < width);
}

/* "train.sh:21" */
static void
report_place(struct buf *b, const struct scan *s, const struct scan_item *item)
{
	const char *file = item->file != NULL ? item->file : s->name;

	esc_add(b, file, strlen(file));
	if (item->line != 0)
		buf_addf(b, ":%zu", item->line);
}

static void
report_value(struct buf *b, const char *s)
{
	int quote = *s == '\0' || strpbrk(s, " \t\n") != NULL;

	if (quote)
		buf_addc(b, '"');
	esc_add(b, s, strlen(s));
	if (quote)
		buf_addc(b, '"');
}

/* Things in order need no attention. */
static int
report_shown(const struct scan_item *item, int verbose)
{
	return verbose || item->found.status < SCAN_CREATE;
}

struct report_widths {
	size_t place, name;
};

static void
report_measure(const struct scan *s, int verbose, struct report_widths *w)
{
	*w = (struct report_widths){ 0 };
	for (size_t i = 0; i < s->n; i++) {
		const struct scan_item *item = &s->item[i];
		struct buf b = { 0 };
		if (!report_shown(item, verbose))
			continue;
		report_place(&b, s, item);
		if (b.len > w->place && b.len <= REPORT_WIDEST)
			w->place = b.len;
		if (strlen(item->name) > w->name &&
		    strlen(item->name) <= REPORT_WIDEST)
			w->name = strlen(item->name);
		buf_free(&b);
	}
}

static void
report_item(struct buf *b, const struct scan *s, const struct scan_item *item,
    const struct report_widths *w)
{
	size_t at;

	buf_adds(b, "  ");
	at = b->len;
	buf_adds(b, report_status(item->found.status));
	report_pad(b, at, REPORT_STATUS_WIDTH + 1);
	at = b->len;
	report_place(b, s, item);
	report_pad(b, at, w->place + 2);
	at = b->len;
	esc_add(b, item->name, strlen(item->name));
	if (item->kind != SCAN_TEXT || item->value[0] != '\0') {
		report_pad(b, at, w->name + 2);
		report_value(b, item->value);
	}
	buf_addc(b, '\n');
	if (item->found.why != NULL && item->found.why != &T_WHY_DRY) {
		struct buf why = { 0 };
		struct text t;
		report_why(&why, NULL, item, &t);
		buf_adds(b, "      ");
		report_say(b, text_lang(), &t, item);
		buf_addc(b, '\n');
		buf_free(&why);
	}
}

static void
report_counts(struct buf *b, const struct scan *s)
{
	const char *join = "";

	buf_adds(b, "  ");
	for (size_t i = 0; i < sizeof report_sum / sizeof *report_sum; i++) {
		enum scan_status status = report_sum[i];
		const struct text *t = report_rows[status].sum;
		char n[REPORT_NUMBER];
		if (s->count[status] == 0)
			continue;
		if (s->count[status] == 1 && status == SCAN_OK)
			t = &T_SUM_OK_ONE;
		if (s->count[status] == 1 && status == SCAN_CREATE)
			t = &T_SUM_CREATE_ONE;
		snprintf(n, sizeof n, "%zu", s->count[status]);
		buf_adds(b, join);
		text_add(b, t, n);
		join = text_raw(&T_SUM_JOIN);
	}
	if (s->n == 0)
		text_add(b, &T_SUM_NONE);
	buf_addc(b, '\n');
}

void
report_text(struct buf *b, const struct scan *s, int verbose, int quiet)
{
	struct report_widths w;

	buf_addf(b, "%s: ", err_program());
	const struct text *verdict = s->dry ? &T_DRY : &T_COMPLETE;
	text_add(b, scan_failures(s) > 0 ? &T_INCOMPLETE : verdict);
	buf_addc(b, '\n');
	if (quiet)
		return;
	report_measure(s, verbose, &w);
	for (size_t i = 0; i < s->n; i++)
		if (report_shown(&s->item[i], verbose))
			report_item(b, s, &s->item[i], &w);
	report_counts(b, s);
}

void
report_records(struct buf *b, const struct scan *s, enum rec_format format)
{
	char text[SCAN_STATUSES][REPORT_NUMBER * 2];
	const char *counts[SCAN_STATUSES + 1] = { NULL };

	for (size_t i = 0; i < s->n; i++) {
		const struct scan_item *item = &s->item[i];
		const char *resolved = item->found.resolved;
		struct buf why = { 0 }, line = { 0 };
		if (item->found.why != NULL)
			report_say(&why, TEXT_EN, item->found.why, item);
		if (item->file != NULL && item->line != 0 &&
		    strcmp(item->file, s->name) != 0)
			buf_addf(&line, "%s:", item->file);
		if (item->line != 0)
			buf_addf(&line, "%zu", item->line);
		const char *field[] = { report_status(item->found.status),
			report_kinds[item->kind], item->name, line.s,
			item->value, resolved != NULL ? resolved : item->path,
			why.s };
		rec_put(b, format, REC_PATH, field);
		buf_free(&why);
		buf_free(&line);
	}
	for (size_t i = 0; i < sizeof report_sum / sizeof *report_sum; i++) {
		snprintf(text[i], sizeof text[i], "%s=%zu",
		    report_status(report_sum[i]), s->count[report_sum[i]]);
		counts[i] = text[i];
	}
	rec_sum(b, format,
	    scan_failures(s) > 0 ? T_INCOMPLETE.en : T_COMPLETE.en, counts);
}

/* What stands before the reason: no more than the reason needs. */
static const struct text *
report_before(const struct scan_item *item)
{
	if (item->found.status != SCAN_WARN)
		return &T_GATE;
	return item->kind == SCAN_TEXT ? NULL : &T_GATE_WARN;
}

void
report_gate(const struct scan *s, int forced)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct scan_item *item = &s->item[i];
		struct err_at at = { item->file != NULL ? item->file : s->name,
			item->line, 0 };
		struct buf b = { 0 };
		struct report_args a;
		struct text t;
		if (item->found.status > SCAN_WARN || item->found.why == NULL)
			continue;
		report_why(&b, report_before(item), item, &t);
		report_args(&a, item);
		err_say(item->found.status == SCAN_WARN || forced ? ERR_WARNING
								  : ERR_ERROR,
		    at, &t, REPORT_ARGS(a));
		buf_free(&b);
	}
}
