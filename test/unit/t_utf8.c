#include "jsontext.h"
#include "tap.h"
#include "utf8.h"

static void
test_utf8(void)
{
	static const uint32_t codes[] = { 0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF,
		0x10000, 0x10FFFF };
	struct buf b = { 0 };
	uint32_t c;
	int good = 1;

	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
		buf_reset(&b);
		utf8_add(&b, codes[i]);
		good &= utf8_read(b.s, b.len, &c) == b.len && c == codes[i] &&
		    (b.len == 1 || utf8_read(b.s, b.len - 1, &c) == 0);
	}
	tap_ok(good, "what is added is read, and nothing that is cut");
	tap_ok(utf8_read("\xC0\x80", 2, &c) == 0 &&
		utf8_read("\xED\xA0\x80", 3, &c) == 0 &&
		utf8_read("\xF4\x90\x80\x80", 4, &c) == 0 &&
		utf8_read("\x80", 1, &c) == 0,
	    "overlong, surrogate, too high, out of place");
	buf_reset(&b);
	utf8_add(&b, 0x7FFFFFFF);
	tap_is(b.s, "\xFD\xBF\xBF\xBF\xBF\xBF", "31 bits");
	tap_ok(utf8_width("a\xE4\xB8\xAD"
			  "b",
		   5) == 4,
	    "CJK is wide");
	tap_ok(hex_value('0') == 0 && hex_value('9') == 9 &&
		hex_value('a') == 10 && hex_value('F') == 15 &&
		hex_value('g') < 0 && hex_value('\0') < 0,
	    "digits");
	buf_free(&b);
}

static void
test_json(void)
{
	static const struct {
		const char *text, *want; /* NULL: an error */
	} rows[] = { { "", "" }, { "a\\n\\t\\\"\\/\\\\b", "a\n\t\"/\\b" },
		{ "\\u0041\\u4e2d", "A\xE4\xB8\xAD" },
		{ "\\uD83D\\uDE00", "\xF0\x9F\x98\x80" },
		{ "\\uD83Dx", "\xEF\xBF\xBDx" }, { "\\uDE00", "\xEF\xBF\xBD" },
		{ "\\", NULL }, { "\\x41", NULL }, { "\\u12", NULL },
		{ "\\u12g4", NULL } };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf b = { 0 };
		int r = jsontext_add(&b, rows[i].text, strlen(rows[i].text));
		if (rows[i].want == NULL)
			tap_ok(r < 0, "no string: %s", rows[i].text);
		else
			tap_is(b.s, rows[i].want, rows[i].text);
		buf_free(&b);
	}
}

int
main(void)
{
	test_utf8();
	test_json();
	return tap_done();
}
