#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "mem.h"
#include "tap.h"

static const struct {
	const char *plain;
	size_t len;
	const char *escaped;
} escapes[] = {
	{ "", 0, "" },
	{ "plain text, with blanks", 23, "plain text, with blanks" },
	{ "a\tb\nc\rd\\e", 9, "a\\tb\\nc\\rd\\\\e" },
	{ "\0\x01\x1b[31m\x7f", 8, "\\x00\\x01\\x1B[31m\\x7F" },
	{ "中文路径", 12, "中文路径" },
	{ "\xc2\x85", 2, "\\xC2\\x85" },
	{ "\xc2\xa0", 2, "\xc2\xa0" },
	{ "a\xe2\x80\xae"
	  "b",
	    5, "a\\xE2\\x80\\xAEb" },
	{ "\xe2\x81\xa6", 3, "\\xE2\\x81\\xA6" },
	{ "\xff\xfe", 2, "\\xFF\\xFE" },
	{ "\xc0\xaf", 2, "\\xC0\\xAF" },
	{ "\xed\xa0\x80", 3, "\\xED\\xA0\\x80" },
	{ "\xf0\x9f\x98\x80", 4, "\xf0\x9f\x98\x80" },
	{ "\xf4\x90\x80\x80", 4, "\\xF4\\x90\\x80\\x80" },
	{ "\xe4\xb8", 2, "\\xE4\\xB8" },
};

static void
test_escapes(void)
{
	for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
		struct buf b = { 0 }, back = { 0 };
		esc_add(&b, escapes[i].plain, escapes[i].len);
		buf_adds(&b, "");
		tap_is(b.s, escapes[i].escaped, escapes[i].escaped);
		int r = esc_undo(&back, b.s, b.len);
		buf_adds(&back, "");
		tap_ok(r == 0 && back.len == escapes[i].len &&
			memcmp(back.s, escapes[i].plain, back.len) == 0,
		    "and back");
		buf_free(&b);
		buf_free(&back);
	}
}

static void
test_bad_escapes(void)
{
	static const char *const bad[] = { "\\", "a\\q", "\\x", "\\x1",
		"\\xzz" };

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct buf b = { 0 };
		tap_ok(esc_undo(&b, bad[i], strlen(bad[i])) < 0,
		    "no escape: %s", bad[i]);
		buf_free(&b);
	}
}

static void
test_all_bytes(void)
{
	unsigned seed = 1;
	int good = 1;

	for (int round = 0; round < 500; round++) {
		char raw[64];
		struct buf b = { 0 }, back = { 0 };
		for (size_t i = 0; i < sizeof raw; i++) {
			seed = seed * 1103515245u + 12345u;
			raw[i] = (char)(seed >> 16);
		}
		esc_add(&b, raw, sizeof raw);
		for (size_t i = 0; i < b.len; i++)
			good &= (unsigned char)b.s[i] >= 0x20 && b.s[i] != 0x7F;
		good &= esc_undo(&back, b.s, b.len) == 0 &&
		    back.len == sizeof raw &&
		    memcmp(back.s, raw, sizeof raw) == 0;
		buf_free(&b);
		buf_free(&back);
	}
	tap_ok(good, "random bytes escape to printable text and back");
}

int
main(void)
{
	struct buf b = { 0 };

	for (int i = 0; i < 1000; i++)
		buf_addf(&b, "%d,", i);
	tap_ok(b.len == 3890 && b.s[b.len] == '\0' && b.len < b.cap,
	    "formatted text adds up");
	buf_reset(&b);
	tap_is(b.s, "", "a reset buffer is an empty string");
	char *s = buf_take(&b);
	tap_ok(b.s == NULL && s[0] == '\0', "taking leaves an empty buffer");
	mem_free(s);
	s = buf_take(&b);
	tap_is(s, "", "an empty buffer gives an empty string");
	mem_free(s);
	test_escapes();
	test_bad_escapes();
	test_all_bytes();
	return tap_done();
}
