/*
 * The reader of npu-smi's tables, on any bytes.
 * links: cmd/msp-check-env/npusmi.c cmd/msp-check-env/smicell.c
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmd/msp-check-env/npusmi.h"
#include "buf.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
must(int holds)
{
	if (!holds)
		abort();
}

static size_t
length(const char *s)
{
	return s == NULL ? 0 : strlen(s);
}

/* All that was read can be read, and no chip is made of nothing. */
static void
inspect(const struct npusmi *t, const char *s, size_t len)
{
	size_t rows = 0, bytes = 0;

	for (size_t i = 0; i < len; i++)
		rows += s[i] == '|';
	must(t->nchip <= rows && t->nproc <= rows && t->nidle <= rows);
	must(t->nchip == 0 || t->layout != NPUSMI_NONE);
	must(npusmi_npus(t) <= t->nchip && t->orphans <= t->nchip);
	for (size_t i = 0; i < t->nchip; i++) {
		const struct npusmi_chip *c = &t->chip[i];

		must(c->npu >= -1 && c->chip >= 0 && c->bus != NULL);
		must(c->npu < 0 || (c->name != NULL && *c->name != '\0'));
		bytes += length(c->name) + length(c->health) + length(c->bus) +
		    length(c->id) + length(c->power) + length(c->temp) +
		    length(c->util) + length(c->mem) + length(c->mem_total) +
		    length(c->hbm) + length(c->hbm_total) + length(c->pages) +
		    length(c->pages_total);
	}
	for (size_t i = 0; i < t->nproc; i++) {
		const struct npusmi_proc *p = &t->proc[i];

		must(p->npu >= 0 && npusmi_number(p->pid) >= 0 &&
		    npusmi_number(p->mb) >= 0 && p->name != NULL);
		bytes += length(p->name) + length(p->cpid);
	}
	must(bytes <= 4 * len);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const char *s = (const char *)data;
	struct npusmi whole, part, crlf;
	struct buf b = { 0 };
	size_t cut = len / 2;

	npusmi_read(&whole, s, len);
	inspect(&whole, s, len);

	/* Fewer lines are never more chips. */
	while (cut > 0 && s[cut - 1] != '\n')
		cut--;
	npusmi_read(&part, s, cut);
	inspect(&part, s, cut);
	must(part.nchip <= whole.nchip && part.nproc <= whole.nproc);

	/* Nor do line ends matter. */
	buf_adds(&b, "");
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '\n')
			buf_addc(&b, '\r');
		buf_addc(&b, s[i]);
	}
	npusmi_read(&crlf, b.s, b.len);
	must(crlf.nchip == whole.nchip && crlf.nproc == whole.nproc &&
	    crlf.bad == whole.bad);

	npusmi_free(&whole);
	npusmi_free(&part);
	npusmi_free(&crlf);
	buf_free(&b);
	return 0;
}
