/*
 * Records: what is read can be written and read again as the same; and
 * msp-verify's reader of a run's record takes anything.
 * links: cmd/msp-verify/expect.c
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmd/msp-verify/verify.h"

#define TEXT TEXT_DEFINE
#include "../../cmd/msp-verify/text.def"
#undef TEXT

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static int
equal(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void
again(const struct rec *r)
{
	const char *field[REC_FIELDS] = { 0 };
	struct rec back = { 0 };
	struct buf b = { 0 };
	const char *s;
	size_t n = 0;

	if (r->kind == REC_SUM)
		return;
	while (rec_fields(r->kind)[n] != NULL)
		n++;
	for (size_t i = 0; i < n && i < r->nfield; i++)
		field[i] = r->field[i];
	rec_put(&b, REC_TSV, r->kind, field);
	s = b.s;
	if (rec_next(&back, &s, b.s + b.len) != 1 || back.kind != r->kind ||
	    s != b.s + b.len)
		abort();
	for (size_t i = 0; i < n; i++)
		if (!equal(field[i], back.field[i]))
			abort();
	rec_free(&back);
	buf_reset(&b);
	rec_put(&b, REC_JSON, r->kind, field);
	buf_free(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *s = (const char *)data, *end = s + size;
	struct expect e;
	struct rec r = { 0 };

	while (rec_next(&r, &s, end) == 1)
		again(&r);
	rec_free(&r);
	expect_init(&e);
	expect_read(&e, (const char *)data, size);
	expect_finish(&e);
	expect_free(&e);
	return 0;
}
