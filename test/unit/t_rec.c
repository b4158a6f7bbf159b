#include <string.h>

#include "rec.h"
#include "tap.h"

static const char *const awkward[] = { "missing", "-", NULL, "", "a\tb\n",
	"quote \" and \\", "中文" };

static void
test_formats(void)
{
	struct buf b = { 0 };

	rec_put(&b, REC_TSV, REC_PATH, awkward);
	tap_is(b.s,
	    "path\tmissing\t\\x2d\t-\t\ta\\tb\\n\tquote \" and \\\\\t中文\n",
	    "a TSV record");
	buf_reset(&b);
	rec_put(&b, REC_JSON, REC_PATH, awkward);
	tap_is(b.s,
	    "{\"record\":\"path\",\"status\":\"missing\",\"kind\":\"-\","
	    "\"name\":null,\"line\":\"\",\"value\":\"a\\\\tb\\\\n\","
	    "\"resolved\":\"quote \\\" and \\\\\\\\\",\"why\":\"中文\"}\n",
	    "the same as JSON");
	buf_reset(&b);
	static const char *const counts[] = { "ok=3", "missing=1", NULL };
	rec_sum(&b, REC_TSV, "incomplete", counts);
	rec_sum(&b, REC_JSON, "incomplete", counts);
	tap_is(b.s,
	    "sum\tincomplete\tok=3\tmissing=1\n{\"record\":\"sum\","
	    "\"verdict\":\"incomplete\",\"ok\":\"3\",\"missing\":\"1\"}\n",
	    "sums");
	buf_free(&b);
}

static void
test_reading(void)
{
	struct buf b = { 0 };
	struct rec r = { 0 };

	rec_put(&b, REC_TSV, REC_PATH, awkward);
	buf_adds(&b, "future\twhat\tever\nrun\tscript\tx.sh\tnew field\n");
	rec_sum(&b, REC_TSV, "ended", NULL);
	const char *s = b.s, *end = b.s + b.len;
	tap_ok(
	    rec_next(&r, &s, end) == 1 && r.kind == REC_PATH && r.nfield == 7,
	    "a record comes back");
	int good = 1;
	for (size_t i = 0; i < 7; i++)
		good &= awkward[i] == NULL
		    ? r.field[i] == NULL
		    : r.field[i] != NULL && strcmp(r.field[i], awkward[i]) == 0;
	tap_ok(good, "with its fields");
	tap_ok(rec_next(&r, &s, end) == 1 && r.kind == REC_RUN,
	    "an unknown record is passed over");
	tap_is(r.field[1], "x.sh", "and a new field does not disturb");
	tap_ok(r.field[5] == NULL, "a field that is not there is absent");
	tap_ok(rec_next(&r, &s, end) == 1 && r.kind == REC_SUM, "the sum");
	tap_is(r.field[0], "ended", "with its verdict");
	tap_ok(rec_next(&r, &s, end) == 0, "the end");
	end = b.s + b.len - 1;
	s = b.s;
	while (rec_next(&r, &s, end) == 1)
		;
	tap_ok(rec_next(&r, &s, end) == -1, "a cut line is an error");
	static const char bad[] = "run\tscript\ta\\qb\n";
	s = bad;
	tap_ok(
	    rec_next(&r, &s, bad + sizeof bad - 1) == -1, "a bad escape too");
	rec_free(&r);
	buf_free(&b);
}

static void
test_tables(void)
{
	for (int k = 0; k < REC_KINDS; k++) {
		size_t n = 0;
		while (rec_fields((enum rec_kind)k)[n] != NULL)
			n++;
		tap_ok(n > 0 && n <= REC_FIELDS, "%s has %zu fields",
		    rec_name((enum rec_kind)k), n);
	}
}

static void
test_many_fields(void)
{
	struct buf b = { 0 };
	struct rec r = { 0 };

	buf_adds(&b, "run");
	for (int i = 0; i < 100; i++)
		buf_addf(&b, "\t%d", i);
	buf_addc(&b, '\n');
	const char *s = b.s;
	tap_ok(rec_next(&r, &s, b.s + b.len) == 1 && r.nfield <= REC_FIELDS,
	    "more fields than a record can have are dropped");
	tap_is(r.field[1], "1", "and those before are right");
	rec_free(&r);
	buf_free(&b);
}

int
main(void)
{
	enum rec_format f = REC_TEXT;

	test_formats();
	test_reading();
	test_tables();
	test_many_fields();
	tap_ok(rec_format("json", 0, &f) == 0 && f == REC_JSON, "json");
	tap_ok(rec_format("sh", 0, &f) < 0, "sh is not everybody's");
	tap_ok(rec_format("sh", 1, &f) == 0 && f == REC_SH, "sh");
	tap_ok(rec_format("xml", 1, &f) < 0, "no xml");
	return tap_done();
}
