/*
 * bench_lex FILE [ROUNDS]: reads the file once, parses it ROUNDS times, and
 * prints the least time in seconds, the throughput, and the memory per byte.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "err.h"
#include "io.h"
#include "shcmd.h"

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int
main(int argc, char **argv)
{
	struct buf text = { 0 };
	double best = 1e9, memory = 0;

	err_init("bench_lex", EXIT_FAILED);
	if (argc < 2 || io_slurp_file(argv[1], &text, (size_t)1 << 31) != 0)
		return 2;
	long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : 3;
	for (long i = 0; i < rounds; i++) {
		struct shcmd c;
		double from = seconds();
		shcmd_parse(&c, text.s, text.len);
		double took = seconds() - from;
		if (took < best)
			best = took;
		memory = (double)c.captok * sizeof *c.tok +
		    (double)c.capnode * sizeof *c.node +
		    (double)c.capword * sizeof *c.word +
		    (double)c.capredir * sizeof *c.redir +
		    (double)(c.len / SH_BLOCK + 1) * sizeof *c.line;
		shcmd_free(&c);
	}
	printf("%.4f s  %.1f MB/s  %.2f bytes per byte\n", best,
	    (double)text.len / best / 1e6, memory / (double)text.len);
	buf_free(&text);
	return 0;
}
