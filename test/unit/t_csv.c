/* CSV: rows and fields, whatever the pieces in which it is read. */
#include "../../cmd/msp-verify/csv.c"

#include "pieces.h"
#include "tap.h"

/* Fields end in "|", rows in "$"; an open quote at the end gives "!". */
static void
rows(struct buf *b, const char *s, size_t len, size_t piece, int widths)
{
	struct pieces p = { s, len, piece };
	struct csv c = { .read = read_pieces, .from = &p, .widths = widths };

	buf_reset(b);
	buf_adds(b, "");
	while (csv_row(&c) == 1) {
		if (widths)
			buf_addf(b, "%zu", c.nfield);
		for (size_t i = 0; i < c.nkept; i++) {
			buf_add(b, c.field[i], c.len[i]);
			buf_addc(b, '|');
		}
		buf_adds(b, c.open ? "!" : "$");
	}
	csv_free(&c);
}

static const struct {
	const char *text, *rows, *widths;
} texts[] = {
	{ "", "", "" },
	{ "a,b\n1,2\n", "a|b|$1|2|$", "2$2$" },
	{ "a,b\r\n1,2\r\n", "a|b|$1|2|$", "2$2$" },
	{ "a,b\n1,2", "a|b|$1|2|$", "2$2$" },
	{ "a,b\n1,", "a|b|$1||$", "2$2$" },
	{ "a\n\nb\n", "a|$|$b|$", "1$1$1$" },
	{ "a,b,c\n1,\"\",\"\"\n2,3,4\n", "a|b|c|$1|||$2|3|4|$", "3$3$3$" },
	{ "first,last\nJohn,\"Doe, 120 any st.\"\n",
	    "first|last|$John|Doe, 120 any st.|$", "2$2$" },
	{ "a,b\n1,\"ha \"\"ha\"\" ha\"\n", "a|b|$1|ha \"ha\" ha|$", "2$2$" },
	{ "a,b\n1,\"{\"\"t\"\": \"\"P\"\"}\"\n", "a|b|$1|{\"t\": \"P\"}|$",
	    "2$2$" },
	{ "a,b\n1,\"x\ny\nz\"\n2,3\n", "a|b|$1|x\ny\nz|$2|3|$", "2$2$2$" },
	{ "a,b\r\n1,\"x\r\ny\"\r\n2,3\r\n", "a|b|$1|x\r\ny|$2|3|$", "2$2$2$" },
	{ "a,b\r\n1,\"\"\r\n\"\",\"\"\r\n", "a|b|$1||$||$", "2$2$2$" },
	{ "a,b\n1,\"oh \n\"\"oh\"\" \noh\"\n2,\"\"\"\n\"\"\"\n",
	    "a|b|$1|oh \n\"oh\" \noh|$2|\"\n\"|$", "2$2$2$" },
	{ "\"a\",\"b\"\n\"1\",\"\xca\xa4\"", "a|b|$1|\xca\xa4|$", "2$2$" },
	{ "\"x\r\"\n", "x\r|$", "1$" },
	{ "\"\"\"\"\"\"\n", "\"\"|$", "1$" },
	{ "\"\"\"32,3,224\"\"\",5\r\n", "\"32,3,224\"|5|$", "2$" },
	{ "17.9\t,2\r\n", "17.9\t|2|$", "2$" },
	{ "a\"b,c\n", "a\"b|c|$", "2$" },
	{ "\"a\"b,c\n", "ab|c|$", "2$" },
	{ "\"a\nb,c", "a\nb,c|!", "1!" },
	{ "\xe6\x97\xa5,\xff\n", "\xe6\x97\xa5|\xff|$", "2$" },
};

static void
test_texts(void)
{
	static const size_t pieces[] = { 1, 2, 3, 5, 1 << 16 };
	struct buf b = { 0 };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const char *s = texts[i].text;
		int good = 1;

		for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
			rows(&b, s, strlen(s), pieces[k], 0);
			if (strcmp(b.s, texts[i].rows) != 0) {
				good = 0;
				printf("# %zu: %s\n", pieces[k], b.s);
			}
			rows(&b, s, strlen(s), pieces[k], 1);
			if (strcmp(b.s, texts[i].widths) != 0) {
				good = 0;
				printf("# widths %zu: %s\n", pieces[k], b.s);
			}
		}
		tap_ok(good, "text %zu", i);
	}
	buf_free(&b);
}

static void
test_lines(void)
{
	static const char text[] = "a,b\n1,\"x\ny\"\n2,3\n";
	struct pieces p = { text, sizeof text - 1, 4 };
	struct csv c = { .read = read_pieces, .from = &p };

	csv_row(&c);
	tap_ok(c.row == 1 && c.line == 1, "the first row");
	tap_ok(csv_column(&c, "b") == 1 && csv_column(&c, "c") == -1,
	    "columns by name");
	csv_row(&c);
	csv_row(&c);
	tap_ok(c.row == 3 && c.line == 4, "rows count lines in quotes");
	csv_free(&c);
}

/* What does not fit is counted and not kept. */
static void
test_large(void)
{
	struct buf b = { 0 };
	struct pieces p;
	struct csv c = { .read = read_pieces, .from = &p };

	for (int i = 0; i < CSV_FIELDS + 9; i++)
		buf_adds(&b, "x,");
	buf_adds(&b, "x\n\"");
	for (int i = 0; i < 3 * CSV_ROW; i++)
		buf_addc(&b, 'y');
	buf_adds(&b, "\",z\n1,2\n");
	p = (struct pieces){ b.s, b.len, 1 << 16 };
	tap_ok(csv_row(&c) == 1 && c.nfield == CSV_FIELDS + 10 &&
		c.nkept == CSV_FIELDS,
	    "more fields than are kept");
	tap_ok(csv_row(&c) == 1 && c.nfield == 2 && c.len[0] <= CSV_ROW &&
		c.text.cap < 4 * CSV_ROW,
	    "a field longer than what is kept");
	tap_ok(
	    csv_row(&c) == 1 && c.nfield == 2 && strcmp(c.field[1], "2") == 0,
	    "the row behind");
	csv_free(&c);
	buf_free(&b);
}

int
main(void)
{
	test_texts();
	test_lines();
	test_large();
	return tap_done();
}
