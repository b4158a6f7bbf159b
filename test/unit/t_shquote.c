#include "shquote.h"

#include <stdlib.h>
#include <unistd.h>

#include "io.h"
#include "spawn.h"
#include "tap.h"

static unsigned long seed = 1;

static unsigned
pick(unsigned n)
{
	seed = seed * 1103515245 + 12345;
	return (unsigned)(seed >> 16) % n;
}

/* Bytes that a shell could trip over, and all others but NUL. */
static void
random_word(struct buf *b)
{
	static const char odd[] = "'\"\\$`!{}[]()*?~#;&|<> \t\n\r=-%@";
	unsigned n = pick(12);

	buf_reset(b);
	buf_add(b, "", 0);
	while (n-- > 0) {
		if (pick(3))
			buf_addc(b, odd[pick(sizeof odd - 1)]);
		else
			buf_addc(b, (char)(1 + pick(255)));
	}
}

/* The command printf '%s\0' WORD, wrapped in the quotes of a place. */
static void
wrap(struct buf *text, enum shquote_place place)
{
	struct buf q = { 0 };
	static const char *const open[] = { "", "eval \"", "eval '", "eval $'",
		"bash <<E.O.F\n", "" };
	static const char *const close[] = { "", "\"", "'", "'", "\nE.O.F\n",
		"" };

	buf_adds(&q, open[place]);
	if (place == SHQUOTE_BQ)
		buf_adds(&q, "X=`");
	if (place == SHQUOTE_WORD)
		buf_adds(&q, "eval ");
	shquote_level(&q, place, text->s, text->len);
	if (place == SHQUOTE_BQ)
		buf_adds(&q, "`; printf '%s' \"$X\"");
	buf_adds(&q, close[place]);
	buf_reset(text);
	buf_add(text, q.s, q.len);
	buf_free(&q);
}

static void
command(struct buf *text, const struct buf *word, int encoded)
{
	buf_reset(text);
	buf_adds(text, encoded ? "printf '%s' " : "printf '%s\\0' ");
	shquote_word(text, word->s, word->len);
	if (encoded)
		buf_adds(text, " | od -An -v -tx1 | tr -d ' \\n'");
}

enum { ROUNDS = 60 };

/* Random words through one or two places, all in one bash; od carries them
 * through backquotes and here-documents, which drop newlines. */
static void
test_places(const char *name, enum shquote_place a, enum shquote_place b)
{
	struct buf script = { 0 }, want = { 0 }, word = { 0 }, text = { 0 };
	struct buf out = { 0 };

	for (int i = 0; i < ROUNDS; i++) {
		random_word(&word);
		command(&text, &word, 1);
		wrap(&text, a);
		if (b != a)
			wrap(&text, b);
		buf_add(&script, text.s, text.len);
		buf_adds(&script, "\necho\n");
		for (size_t k = 0; k < word.len; k++)
			buf_addf(&want, "%02x", (unsigned char)word.s[k]);
		buf_addc(&want, '\n');
	}
	FILE *f = fopen("t_shquote.sh", "w");
	if (f == NULL || fwrite(script.s, 1, script.len, f) != script.len)
		exit(99);
	fclose(f);
	const char *const argv[] = { "bash", "t_shquote.sh", NULL };
	struct spawn_run r;
	spawn_capture(argv, NULL, 1 << 20, 60000, &out, &r);
	tap_is(out.s, want.s, name);
	unlink("t_shquote.sh");
	buf_free(&script);
	buf_free(&want);
	buf_free(&word);
	buf_free(&text);
	buf_free(&out);
}

static void
test_plain(void)
{
	const struct {
		const char *in, *out;
	} t[] = { { "./profiling_output", "./profiling_output" }, { "", "''" },
		{ "a b", "'a b'" }, { "it's", "'it'\\''s'" },
		{ "~/x", "'~/x'" }, { "0,8", "0,8" },
		{ "\xe6\x95\xb0", "'\xe6\x95\xb0'" } };
	struct buf b = { 0 };

	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		buf_reset(&b);
		shquote_word(&b, t[i].in, strlen(t[i].in));
		tap_is(b.s, t[i].out, t[i].in);
	}
	buf_free(&b);
}

int
main(void)
{
	test_plain();
	test_places("unquoted", SHQUOTE_WORD, SHQUOTE_WORD);
	test_places("in double quotes", SHQUOTE_DQ, SHQUOTE_DQ);
	test_places("in single quotes", SHQUOTE_SQ, SHQUOTE_SQ);
	test_places("in $'...'", SHQUOTE_DSQ, SHQUOTE_DSQ);
	test_places("in a here-document", SHQUOTE_HD, SHQUOTE_HD);
	test_places("in backquotes", SHQUOTE_BQ, SHQUOTE_BQ);
	test_places("double in single quotes", SHQUOTE_DQ, SHQUOTE_SQ);
	test_places("single in double quotes", SHQUOTE_SQ, SHQUOTE_DQ);
	test_places("double in a here-document", SHQUOTE_DQ, SHQUOTE_HD);
	test_places("$'...' in double quotes", SHQUOTE_DSQ, SHQUOTE_DQ);
	test_places("single quotes in $'...'", SHQUOTE_SQ, SHQUOTE_DSQ);
	test_places("word in double quotes", SHQUOTE_WORD, SHQUOTE_DQ);
	return tap_done();
}
