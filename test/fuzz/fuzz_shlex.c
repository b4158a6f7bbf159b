/*
 * Reads any bytes as a script: the properties of shcheck.h hold, and where
 * the script is complete, an argument can be added to its first commands.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../unit/shcheck.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
must(const char *bad)
{
	if (bad == NULL)
		return;
	fprintf(stderr, "%s\n", bad);
	abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct buf b = { 0 };
	struct shcmd c;
	uint32_t i;
	int left = 4;

	shcmd_parse(&c, (const char *)data, n);
	must(shcheck(&c));
	for (i = 0; i < c.nword; i++)
		shcmd_literal(&c, i, &b);
	if (c.verdict == SH_COMPLETE)
		for (i = 0; i < c.nnode && left > 0; i++)
			if (c.node[i].kind == SH_SIMPLE &&
			    (c.node[i].flags & SHN_BROKEN) == 0 &&
			    c.node[i].nword > c.node[i].nassign) {
				must(shcheck_insert(&c, i));
				left--;
			}
	shcmd_free(&c);
	buf_free(&b);
	return 0;
}
