/*
 * JSON: what is accepted and what is not, whatever the pieces in which it is
 * read; what is told of tokens; paths. With MSP_JSON_SUITE naming the folder
 * test_parsing of nst/JSONTestSuite its files are judged, too.
 */
#include "../../cmd/msp-verify/json.c"
#include "../../cmd/msp-verify/jsonpath.c"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>

#include "mem.h"
#include "pieces.h"
#include "tap.h"

static enum json_result
scan(const char *s, size_t len, size_t piece, unsigned long long *offset)
{
	struct pieces p = { s, len, piece };
	struct json j = { .read = read_pieces, .from = &p };
	enum json_result r = json_scan(&j);

	*offset = j.offset;
	return r;
}

static const struct {
	const char *text;
	enum json_result result;
	unsigned long long offset;
} texts[] = {
	{ "[]", JSON_OK, 2 },
	{ " { } \n", JSON_OK, 6 },
	{ "null", JSON_OK, 4 },
	{ "-0", JSON_OK, 2 },
	{ "[1, -2.5e+10, 3E5, 0.0]", JSON_OK, 23 },
	{ "{\"a\": [true, false, null], \"\": {}}", JSON_OK, 34 },
	{ "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD834\\uDD1E\"", JSON_OK, 36 },
	{ "\"\x7f\xc3\xa9\xff\"", JSON_OK, 6 },
	{ "", JSON_CUT, 0 },
	{ " ", JSON_CUT, 1 },
	{ "[", JSON_CUT, 1 },
	{ "[1", JSON_CUT, 2 },
	{ "[1,", JSON_CUT, 3 },
	{ "{\"a\"", JSON_CUT, 4 },
	{ "{\"a\":", JSON_CUT, 5 },
	{ "{\"a\":1", JSON_CUT, 6 },
	{ "[\"abc", JSON_CUT, 5 },
	{ "[\"abc\\", JSON_CUT, 6 },
	{ "[\"abc\\u12", JSON_CUT, 9 },
	{ "[tru", JSON_CUT, 4 },
	{ "[-", JSON_CUT, 2 },
	{ "[1.", JSON_CUT, 3 },
	{ "[1e", JSON_CUT, 3 },
	{ "[1,]", JSON_SYNTAX, 3 },
	{ "[,1]", JSON_SYNTAX, 1 },
	{ "[1 2]", JSON_SYNTAX, 3 },
	{ "[1}", JSON_SYNTAX, 2 },
	{ "{\"a\":1]", JSON_SYNTAX, 6 },
	{ "{\"a\":1,}", JSON_SYNTAX, 7 },
	{ "{\"a\" 1}", JSON_SYNTAX, 5 },
	{ "{a:1}", JSON_SYNTAX, 1 },
	{ "{\"a\":}", JSON_SYNTAX, 5 },
	{ "[01]", JSON_SYNTAX, 2 },
	{ "[-01]", JSON_SYNTAX, 3 },
	{ "[.5]", JSON_SYNTAX, 1 },
	{ "[5.]", JSON_SYNTAX, 3 },
	{ "[1e+]", JSON_SYNTAX, 4 },
	{ "[+1]", JSON_SYNTAX, 1 },
	{ "[--1]", JSON_SYNTAX, 2 },
	{ "[0x1]", JSON_SYNTAX, 2 },
	{ "[truth]", JSON_SYNTAX, 4 },
	{ "['a']", JSON_SYNTAX, 1 },
	{ "\xef\xbb\xbf[]", JSON_SYNTAX, 0 },
	{ "[\"a\nb\"]", JSON_CONTROL, 3 },
	{ "[\"a\tb\"]", JSON_CONTROL, 3 },
	{ "[\"\\x41\"]", JSON_ESCAPE, 3 },
	{ "[\"\\u12g4\"]", JSON_ESCAPE, 6 },
	{ "[NaN]", JSON_NAN, 4 },
	{ "[Infinity]", JSON_NAN, 9 },
	{ "[-Infinity]", JSON_NAN, 10 },
	{ "[Inf]", JSON_SYNTAX, 4 },
	{ "[nan]", JSON_SYNTAX, 2 },
	{ "[] []", JSON_MORE, 3 },
	{ "1 2", JSON_MORE, 2 },
	{ "[]]", JSON_MORE, 2 },
};

static void
test_texts(void)
{
	static const size_t pieces[] = { 1, 2, 3, 7, 1 << 16 };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const char *s = texts[i].text;
		int good = 1;

		for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
			unsigned long long at;
			enum json_result r = scan(s, strlen(s), pieces[k], &at);

			if (r == texts[i].result && at == texts[i].offset)
				continue;
			good = 0;
			printf("# in pieces of %zu: %d at %llu\n", pieces[k],
			    (int)r, at);
		}
		tap_ok(good, "text %zu: result %d", i, (int)texts[i].result);
	}
}

static void
test_nul(void)
{
	unsigned long long at;

	tap_ok(scan("[\"a\0b\"]", 7, 1, &at) == JSON_CONTROL && at == 3,
	    "a NUL in a string");
	tap_ok(scan("[1\0]", 4, 1, &at) == JSON_SYNTAX && at == 2,
	    "a NUL between tokens");
	tap_ok(scan("[]\0", 3, 3, &at) == JSON_MORE && at == 2,
	    "a NUL behind the end");
	tap_ok(
	    scan("\0[]", 3, 3, &at) == JSON_SYNTAX && at == 0, "a NUL first");
}

/* Nested as deep as may be, one deeper; arrays and objects in turn. */
static void
test_depth(void)
{
	struct buf b = { 0 };
	unsigned long long at;

	for (int i = 0; i < JSON_DEPTH; i++)
		buf_adds(&b, i % 2 ? "{\"a\":" : "[");
	buf_adds(&b, "1");
	for (int i = JSON_DEPTH; i-- > 0;)
		buf_adds(&b, i % 2 ? "}" : "]");
	tap_ok(scan(b.s, b.len, 5, &at) == JSON_OK, "64 levels");
	buf_reset(&b);
	for (int i = 0; i < 100000; i++)
		buf_addc(&b, '[');
	tap_ok(scan(b.s, b.len, 4096, &at) == JSON_DEEP && at == JSON_DEPTH,
	    "100000 opening brackets");
	buf_free(&b);
}

struct log {
	struct buf b;
	size_t longest;
};

static void
log_event(void *arg, enum json_kind kind, const char *s, size_t len)
{
	static const char letters[] = "{}[]ksntf0";
	struct log *l = arg;

	buf_addc(&l->b, letters[kind]);
	if (len < 20)
		buf_add(&l->b, s, len);
	if (len > l->longest)
		l->longest = len;
}

static void
test_events(void)
{
	static const char text[] =
	    "{\"a\": [1.5, \"x\\ny\", true], \"b\": {\"c\": null}}";
	static const size_t pieces[] = { 1, 3, 1 << 16 };

	for (size_t i = 0; i < 3; i++) {
		struct pieces p = { text, sizeof text - 1, pieces[i] };
		struct log l = { { 0 }, 0 };
		struct json j = { .read = read_pieces,
			.from = &p,
			.event = log_event,
			.arg = &l };

		json_scan(&j);
		tap_is(l.b.s, "{ka[n1.5sx\\nyttrue]kb{kc0null}}",
		    "tokens with their text");
		buf_free(&l.b);
	}
}

/* Tokens of JSON_TOKEN bytes have their text, longer ones none. */
static void
test_long(void)
{
	struct buf b = { 0 };

	for (size_t n = JSON_TOKEN - 1; n <= JSON_TOKEN + 1; n++) {
		struct log l = { { 0 }, 0 };
		struct json j = {
			.read = read_pieces, .event = log_event, .arg = &l
		};
		struct pieces p;

		buf_reset(&b);
		buf_adds(&b, "[\"");
		for (size_t i = 0; i < n; i++)
			buf_addc(&b, 'x');
		buf_adds(&b, "\"]");
		p = (struct pieces){ b.s, b.len, 1000 };
		j.from = &p;
		tap_ok(json_scan(&j) == JSON_OK &&
			(l.longest == n || (n > JSON_TOKEN && l.longest == 0)),
		    "a string of %zu bytes", n);
		buf_free(&l.b);
	}
	buf_free(&b);
}

static void
test_first(void)
{
	static const char text[] =
	    "{\"Pkey\": \"Pa\", \"k\": [\"Qb\", \"Pc\", \"\", 5]}";
	unsigned char first[256] = { ['P'] = 1 };
	struct pieces p = { text, sizeof text - 1, 4 };
	struct log l = { { 0 }, 0 };
	struct json j = { .read = read_pieces,
		.from = &p,
		.event = log_event,
		.arg = &l,
		.first = first };

	json_scan(&j);
	tap_is(l.b.s, "sPasPc", "only string values with a marked first byte");
	buf_free(&l.b);
}

static void
log_value(
    void *arg, const char *path, enum json_kind kind, const char *s, size_t len)
{
	struct log *l = arg;

	buf_addf(&l->b, "%s", path);
	if (kind != JSON_OBJECT && kind != JSON_ARRAY) {
		buf_addc(&l->b, '=');
		buf_add(&l->b, s, len);
	}
	buf_addc(&l->b, ';');
}

static char *
paths(const char *text)
{
	struct json_text t = { text, strlen(text) };
	struct log l = { { 0 }, 0 };
	struct json j = { .read = json_read_text, .from = &t };
	struct json_paths p = { .value = log_value, .arg = &l };

	if (json_scan_paths(&j, &p) != JSON_OK)
		buf_adds(&l.b, "error");
	return buf_take(&l.b);
}

static void
test_paths(void)
{
	struct buf b = { 0 };
	char *s;

	s = paths("{\"a\": {\"b\": 1, \"c\": [\"x\", {\"d\": true}]},"
		  " \"e\": \"\\u00e9\\ud834\\udd1e\\udc00\"}");
	tap_is(s,
	    ";a;a.b=1;a.c;a.c[]=x;a.c[];a.c[].d=true;"
	    "e=\xc3\xa9\xf0\x9d\x84\x9e\xef\xbf\xbd;",
	    "values by path");
	mem_free(s);
	s = paths("[[1], 2]");
	tap_is(s, ";[];[][]=1;[]=2;", "arrays at the top");
	mem_free(s);
	s = paths("7");
	tap_is(s, "=7;", "a number alone");
	mem_free(s);
	buf_adds(&b, "{\"");
	for (int i = 0; i < 600; i++)
		buf_addc(&b, 'k');
	buf_adds(&b, "\": {\"b\": 1}, \"c\": 2}");
	s = paths(b.s);
	tap_ok(strstr(s, "...") != NULL && strstr(s, ";c=2;") != NULL,
	    "a path that is too long, and one behind it");
	mem_free(s);
	buf_free(&b);
}

static void
test_suite(const char *dir)
{
	struct dirent *d;
	DIR *top = opendir(dir);
	size_t n = 0;

	if (!tap_ok(top != NULL, "%s can be read", dir))
		return;
	while ((d = readdir(top)) != NULL) {
		struct json j = { .read = json_read_fd };
		enum json_result r;
		int fd;

		if (d->d_name[0] != 'y' && d->d_name[0] != 'n')
			continue;
		fd = openat(dirfd(top), d->d_name, O_RDONLY);
		j.from = &fd;
		r = json_scan(&j);
		close(fd);
		n++;
		tap_ok((r == JSON_OK) == (d->d_name[0] == 'y'), "%s: %d",
		    d->d_name, (int)r);
	}
	closedir(top);
	tap_ok(n > 200, "%zu files of the suite", n);
}

int
main(void)
{
	const char *suite = getenv("MSP_JSON_SUITE");

	test_texts();
	test_nul();
	test_depth();
	test_events();
	test_long();
	test_first();
	test_paths();
	if (suite != NULL)
		test_suite(suite);
	return tap_done();
}
