#include <regex.h>
#include <stdlib.h>

#include "buf.h"
#include "ere.h"
#include "tap.h"

/* A small generator: the same numbers everywhere. */
static unsigned
any(unsigned *seed, unsigned below)
{
	*seed = *seed * 1103515245u + 12345u;
	return (*seed >> 16) % below;
}

/* The expressions found in one line, as a set of bits. */
static unsigned
found(struct ere *e, const char *line, size_t len, size_t cut)
{
	unsigned bits = 0;
	const char *s = line, *end = line + cut;

	ere_reset(e);
	for (int i = 0; i < 2; i++) {
		while (ere_next(e, &s, end))
			for (size_t k = 0; k < e->nhit; k++)
				bits |= 1u << e->hit[k];
		s = line + cut;
		end = line + len;
	}
	if (ere_end(e))
		for (size_t k = 0; k < e->nhit; k++)
			bits |= 1u << e->hit[k];
	return bits;
}

static const char *const patterns[] = { "abc", "a|bc", "a(b|c)*d", "^ab", "ab$",
	"a.c", "[ab]+c", "[^ab]c", "a{2}b", "a{1,3}b$", "(a|b){2,}c", "a\\.b",
	"'?b('|\\.|$)", "[[:digit:]]{2}:", "x*y+z?a", "^(ab|cd)+$", "a(|b)c",
	"[])a]b", "[a-c-]d", "(^|[^b])c", "a{0}b{0,1}c", "a$|^b",
	"(a(b(c|d)?)?)e" };
enum { PATTERNS = sizeof patterns / sizeof *patterns };

/* libc's own regcomp is the judge. */
static void
test_judge(void)
{
	struct ere *e = ere_new();
	regex_t r[PATTERNS];
	const char *why = "";
	unsigned seed = 7, wrong = 0, matches = 0;

	for (size_t i = 0; i < PATTERNS; i++) {
		if (ere_add(e, patterns[i], &why) != (long)i)
			tap_ok(0, "%s: %s", patterns[i], why);
		if (regcomp(&r[i], patterns[i], REG_EXTENDED | REG_NOSUB) != 0)
			tap_ok(0, "regcomp %s", patterns[i]);
	}
	for (int n = 0; n < 40000; n++) {
		char s[16];
		size_t len = any(&seed, 12);
		for (size_t i = 0; i < len; i++)
			s[i] = "aaabbbcccdde.':09-xyz])"[any(&seed, 23)];
		s[len] = '\0';
		unsigned want = 0;
		for (size_t i = 0; i < PATTERNS; i++)
			if (regexec(&r[i], s, 0, NULL, 0) == 0)
				want |= 1u << i;
		unsigned got =
		    found(e, s, len, len > 0 ? any(&seed, (unsigned)len) : 0);
		matches += want != 0;
		if (got != want && wrong++ < 5)
			printf("# %s: got %x want %x\n", s, got, want);
	}
	tap_ok(wrong == 0, "40000 lines: the same as regexec finds");
	tap_ok(matches > 10000, "%u of them match something", matches);
	for (size_t i = 0; i < PATTERNS; i++)
		regfree(&r[i]);
	ere_free(e);
}

static void
test_refused(void)
{
	static const char *const bad[] = { "", "a*", "(", ")", "a)", "[a",
		"a{2", "a{300}", "a{3,1}", "*a", "a|", "x|(|y)", "\\d+", "a\\",
		"[b-a]", "[[:no:]]", "{2}", "^$", "(a?)*", "^", "a{1000000}" };
	struct ere *e = ere_new();
	const char *why;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		why = NULL;
		long n = ere_add(e, bad[i], &why);
		tap_ok(n < 0 && why != NULL, "refused: \"%s\" (%s)", bad[i],
		    why != NULL ? why : "it was not");
	}
	tap_ok(ere_add(e, "ok", &why) == 0, "what was refused leaves no trace");
	ere_free(e);
}

static void
test_lines(void)
{
	static const char text[] =
	    "one\ntwo needle\n\nneedle three\nlast needle";
	struct ere *e = ere_new();
	const char *why, *s = text;
	struct buf b = { 0 };

	ere_add(e, "needle", &why);
	while (ere_next(e, &s, text + sizeof text - 1)) {
		buf_addf(&b, "%llu ", e->line);
		buf_add(&b, e->from, (size_t)(s - 1 - e->from));
		buf_adds(&b, ";");
	}
	int more = ere_end(e);
	buf_addf(&b, "%d %llu", more, e->line);
	tap_is(b.s, "2 two needle;4 needle three;1 5",
	    "lines are counted and delivered");
	ere_reset(e);
	e->every = 1;
	s = text;
	size_t n = 0;
	while (ere_next(e, &s, text + sizeof text - 1))
		n++;
	tap_ok(n == 4, "every line is delivered when asked for");
	buf_free(&b);
	ere_free(e);
}

/* More states than fit: all are thrown away, and it goes on rightly. */
static void
test_memory(void)
{
	struct ere *e = ere_new();
	const char *why;
	unsigned seed = 3, right = 0;

	ere_add(e, "a.{12}b", &why);
	ere_add(e, "b.{11}c", &why);
	ere_add(e, "c.{10}a", &why);
	for (int n = 0; n < 3000; n++) {
		char s[201];
		unsigned want = 0;
		for (int i = 0; i < 200; i++)
			s[i] = "abcd"[any(&seed, 4)];
		s[200] = '\n';
		for (int i = 0; i < 187; i++)
			want |= (unsigned)(s[i] == 'a' && s[i + 13] == 'b') |
			    (unsigned)(s[i] == 'b' && s[i + 12] == 'c') << 1 |
			    (unsigned)(s[i] == 'c' && s[i + 11] == 'a') << 2;
		want |= (unsigned)(s[187] == 'b' && s[199] == 'c') << 1 |
		    (unsigned)(s[187] == 'c' && s[198] == 'a') << 2 |
		    (unsigned)(s[188] == 'c' && s[199] == 'a') << 2;
		right += found(e, s, sizeof s, 100) == want;
	}
	tap_ok(right == 3000, "%u of 3000 long lines are right", right);
	tap_ok(e->memory <= 5u << 20, "in %zu bytes of states", e->memory);
	ere_free(e);
}

int
main(void)
{
	test_judge();
	test_refused();
	test_lines();
	test_memory();
	return tap_done();
}
