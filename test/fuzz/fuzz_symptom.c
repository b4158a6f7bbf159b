/*
 * Log diagnosis: the same report whatever the pieces; memory is bounded.
 * The first bytes choose the run's end; with a high bit in the first byte the
 * rest of the first line is an expression, judged by regcomp.
 */
#include <regex.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ere.h"
#include "mem.h"
#include "symptom.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static char *
report(const char *s, size_t n, size_t piece, enum symptom_run run)
{
	struct symptom *sy = symptom_new();
	struct buf b = { 0 };

	symptom_log(sy, "log");
	for (size_t i = 0; i < n; i += piece)
		symptom_feed(sy, s + i, n - i < piece ? n - i : piece);
	const struct symptom_report *r = symptom_report(sy, run);
	for (size_t i = 0; i < r->n; i++)
		if (r->found[i].line == 0 || r->found[i].count == 0 ||
		    strlen(r->found[i].text) > 400)
			abort();
	symptom_put(&b, REC_TSV, r);
	symptom_tell(&b, r, run == SYMPTOM_ENDED);
	buf_addf(
	    &b, "%d %d %ld %ld", r->cause, r->proof, r->iteration, r->written);
	symptom_free(sy);
	return buf_take(&b);
}

static void
expression(const char *s, size_t n)
{
	const char *nl = memchr(s, '\n', n);
	size_t len = nl != NULL ? (size_t)(nl - s) : n;
	const char *why = NULL;
	regex_t regex;

	if (len > 60 || memchr(s, '\0', n) != NULL)
		return;
	char *pattern = strndup(s, len), *text = strndup(s + len, n - len);
	struct ere *e = ere_new();
	long added = ere_add(e, pattern, &why);
	if (added < 0 && why == NULL)
		abort();
	/* libc may refuse, or read otherwise what POSIX leaves undefined */
	if (added == 0 && strpbrk(pattern, "\\{[") == NULL &&
	    regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) == 0) {
		char *line = text + (nl != NULL);
		size_t m = strcspn(line, "\n");
		const char *p = line;
		line[m] = '\0';
		int want = regexec(&regex, line, 0, NULL, 0) == 0;
		int got = ere_next(e, &p, line + m);
		got = ere_end(e) || got;
		if (m > 0 && got != want)
			abort();
		regfree(&regex);
	}
	ere_free(e);
	mem_free(pattern);
	mem_free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (n < 2 || n > 1 << 16)
		return 0;
	const char *s = (const char *)data + 2;
	enum symptom_run run = data[0] % 3;
	if (data[0] >= 128) {
		expression(s, n - 2);
		return 0;
	}
	char *a = report(s, n - 2, n, run);
	char *b = report(s, n - 2, 1 + data[1] % 64, run);
	if (strcmp(a, b) != 0)
		abort();
	mem_free(a);
	mem_free(b);
	return 0;
}
