/*
 * Files read whole, in constant memory.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "json.h"
#include "verify.h"

#define OUT "ASCEND_PROFILER_OUTPUT"

/* Said once: the last byte may have told it already. */
static void
cut(struct rank *r, const char *name)
{
	struct find f = { .id = CHECK_O17,
		.path = rank_path(r, OUT, name, NULL),
		.arg = { name } };

	for (size_t i = 0; i < r->noticed.n; i++)
		if (r->noticed.v[i].id == f.id &&
		    strcmp(r->noticed.v[i].path, f.path) == 0)
			return;
	notice(r, f);
}

void
deep_csv(struct rank *r, int fd, const char *name)
{
	struct csv c = { .read = json_read_fd, .from = &fd, .widths = 1 };
	unsigned long long bad = 0, line = 0;
	size_t width = 0, got = 0;

	while (csv_row(&c) == 1) {
		if (c.row == 1)
			width = c.nfield;
		else if (c.nfield != width && !c.open && bad++ == 0) {
			line = c.line;
			got = c.nfield;
		}
	}
	if (bad > 0) {
		struct find f = { .id = CHECK_O19,
			.path = rank_path(r, OUT, name, NULL),
			.arg = { name },
			.count = (size_t)bad };

		f.observed = say_number(&r->arena, (long long)got);
		f.expected = say_number(&r->arena, (long long)width);
		f.arg[1] = say_number(&r->arena, (long long)line);
		notice(r, f);
	}
	if (c.open && c.error == 0)
		cut(r, name);
	if (c.error != 0) {
		errno = c.error;
		notice_unreadable(r, rank_path(r, OUT, name, NULL));
	}
	csv_free(&c);
}

static void
trace_string(void *arg, enum json_kind kind, const char *s, size_t len)
{
	static const char step[] = "ProfilerStep#", lane[] = "Ascend Hardware";
	struct deep *d = arg;
	size_t n = sizeof step - 1;
	long id = 0;

	(void)kind;
	if (len == sizeof lane - 1 && memcmp(s, lane, len) == 0)
		d->device_lane = 1;
	if (len <= n || len > n + 9 || memcmp(s, step, n) != 0)
		return;
	for (; n < len; n++) {
		if (s[n] < '0' || s[n] > '9')
			return;
		id = id * 10 + (s[n] - '0');
	}
	for (size_t i = d->nstep; i-- > 0;)
		if (d->step[i] == id)
			return;
	if (d->nstep < LIMIT_STEPS) {
		d->step =
		    mem_more(d->step, d->nstep, &d->step_cap, sizeof *d->step);
		d->step[d->nstep++] = id;
	}
}

static const struct text *
why(enum json_result result)
{
	switch (result) {
	case JSON_CUT: return &T_O10_CUT;
	case JSON_CONTROL: return &T_O10_CONTROL;
	case JSON_NAN: return &T_O10_NAN;
	case JSON_MORE: return &T_O10_MORE;
	case JSON_DEEP: return &T_O10_DEEP;
	default: return &T_O10;
	}
}

void
deep_json(struct rank *r, int fd, const char *name, int trace)
{
	unsigned char first[256] = { ['P'] = 1, ['A'] = 1 };
	struct json j = { .read = json_read_fd, .from = &fd };
	enum json_result result;

	if (trace) {
		j.event = trace_string;
		j.arg = &r->deep;
		j.first = first;
	}
	result = json_scan(&j);
	r->deep.done |= trace;
	if (result == JSON_READ) {
		errno = j.error;
		notice_unreadable(r, rank_path(r, OUT, name, NULL));
		r->deep.done = 0;
	}
	if (result == JSON_OK || result == JSON_READ)
		return;
	notice(r,
	    (struct find){ .id = CHECK_O10,
		.text = why(result),
		.path = rank_path(r, OUT, name, NULL),
		.observed = arena_printf(
		    &r->arena, "byte %llu", (unsigned long long)j.offset),
		.arg = { name } });
}
