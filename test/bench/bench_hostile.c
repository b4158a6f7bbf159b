/*
 * bench_hostile [SIZE]: parses generated texts that nest, repeat or leave open
 * whatever the reader keeps state for, at SIZE and at four times SIZE bytes
 * (default 250000), and prints for each the nanoseconds per byte at both. The
 * last line: the worst growth from one to the other, and the worst cost.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "buf.h"
#include "err.h"
#include "shcmd.h"

/* head, then unit up to the size, then tail; head and tail as often as told */
static const struct {
	const char *name, *head, *unit, *tail;
	size_t times;
} texts[] = { { "parentheses", "", "(", "", 1 },
	{ "arithmetic", "", "$((", "", 1 },
	{ "commands in commands", "", "$(", "", 1 },
	{ "process substitutions", "", "<(", "", 1 },
	{ "parameters", "", "${x:-", "", 1 },
	{ "quotes in parameters", "", "\"${x:-", "", 1 },
	{ "pairs in parameters", "\"", "${x:-'", "", 1 },
	{ "backquotes", "", "`a ", "", 1 },
	{ "escaped backquotes", "`", "\\`", "`", 1 },
	{ "backslashes in backquotes", "`", "\\", "`", 1 },
	{ "single quotes", "", "'\n", "", 1 },
	{ "double quotes", "", "\"\n", "", 1 }, { "groups", "", "{ ", "", 1 },
	{ "if", "", "if a;then ", "", 1 },
	{ "case", "", "case a in a) ", "", 1 },
	{ "functions", "", "f(){ ", "", 1 }, { "patterns", "", "@(", "", 1 },
	{ "assignments", "", "a=b\n", "", 1 },
	{ "names", "", "a\\\n", "=(", 1 }, { "subscripts", "", "a[", "", 1 },
	{ "conditions", "[[ ", "( ", "", 1 },
	{ "regex", "[[ a =~ ", "(", "", 1 },
	{ "here-documents on a line", "cat ", "<<A ", "\nA\n", 1 },
	{ "here-documents", "", "cat <<A\nx\nA\n", "", 1 },
	{ "here-documents without end", "", "cat <<A\n", "", 1 },
	{ "here-documents in each other", "", "cat <<A\n$(\n", "", 1 },
	{ "here-documents in pipelines", "", "cat <<A|b;", "\nA\n", 1 },
	{ "here-documents left by $( )", "", "$(cat <<A);", "\nA\n", 1 },
	{ "joined lines of a body", "cat <<A\n", "\\\n", "", 1 },
	{ "almost the delimiter", "cat <<AAAAAAAAAAAAAAAA\n",
	    "AAAAAAAAAAAAAAA\n", "", 1 },
	{ "continuations in an array", "a=(", "\\\n#", "", 1 },
	{ "words", "", "a ", "", 1 }, { "commands", "", "a;", "", 1 },
	{ "pipelines", "", "a|", "", 1 }, { "and lists", "", "a&&", "", 1 },
	{ "substitutions", "", "$(a)", "", 1 },
	{ "errors", "", "a=<b>\n", "", 1 },
	{ "stray closers", "", ")\n", "", 1 },
	{ "blanks behind backslashes", "", "\\ \n", "", 1 },
	{ "carriage returns", "", "\r", "", 1 },
	{ "failing (( in each other", "((", "a;", ") ) ", 400 },
	{ "failing $(( in each other", "$((", "a ", ") ) ", 400 },
	{ "failing $((", "", "$((a) );", "", 1 },
	{ "groups in lists in groups", "{ ", "a;", "}&&b; ", 900 },
	{ "substitutions in pipelines", "$(", "a;", ")|b ", 900 } };

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Nanoseconds per byte, the least of five. */
static double
cost(size_t i, size_t size)
{
	struct buf b = { 0 };
	double best = 1e9, from, took;
	struct shcmd c;
	size_t k;
	int round;

	for (k = 0; k < texts[i].times; k++)
		buf_adds(&b, texts[i].head);
	while (b.len < size)
		buf_adds(&b, texts[i].unit);
	for (k = 0; k < texts[i].times; k++)
		buf_adds(&b, texts[i].tail);
	for (round = 0; round < 5; round++) {
		from = seconds();
		shcmd_parse(&c, b.s, b.len);
		took = seconds() - from;
		shcmd_free(&c);
		if (took < best)
			best = took;
	}
	best = best * 1e9 / (double)b.len;
	buf_free(&b);
	return best;
}

int
main(int argc, char **argv)
{
	size_t size = argc > 1 ? strtoul(argv[1], NULL, 10) : 250000, i;
	double small, large, growth = 0, worst = 0;

	err_init("bench_hostile", EXIT_FAILED);
	for (i = 0; i < sizeof texts / sizeof *texts; i++) {
		small = cost(i, size);
		large = cost(i, 4 * size);
		printf(
		    "%-32s %8.1f %8.1f ns/byte\n", texts[i].name, small, large);
		/* below 2 ns the page faults are all there is */
		if (large > 2 && large / small > growth)
			growth = large / small;
		if (large > worst)
			worst = large;
	}
	printf("%.2f %.1f\n", growth, worst);
	return 0;
}
