/*
 * CSV: the same rows and fields whatever the pieces; counting fields alone
 * gives the same widths.
 * links: cmd/msp-verify/csv.c
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmd/msp-verify/csv.h"
#include "../unit/pieces.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
same(const struct csv *a, const struct csv *b, const struct csv *w)
{
	if (a->nfield != b->nfield || a->nkept != b->nkept ||
	    a->line != b->line || a->open != b->open ||
	    a->nfield != w->nfield || a->line != w->line || a->open != w->open)
		abort();
	for (size_t i = 0; i < a->nkept; i++)
		if (a->len[i] != b->len[i] || a->field[i][a->len[i]] != 0 ||
		    memcmp(a->field[i], b->field[i], a->len[i]) != 0)
			abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *s = (const char *)data + 1;
	struct pieces p[3];
	struct csv c[3];
	int more;

	if (size < 1)
		return 0;
	for (int i = 0; i < 3; i++) {
		p[i] = (struct pieces){ s, size - 1,
			i == 1 ? 1 + data[0] % 16u : 1 << 16 };
		memset(&c[i], 0, sizeof c[i]);
		c[i].read = read_pieces;
		c[i].from = &p[i];
		c[i].widths = i == 2;
	}
	do {
		more = csv_row(&c[0]);
		if (csv_row(&c[1]) != more || csv_row(&c[2]) != more)
			abort();
		if (more)
			same(&c[0], &c[1], &c[2]);
	} while (more);
	for (int i = 0; i < 3; i++)
		csv_free(&c[i]);
	return 0;
}
