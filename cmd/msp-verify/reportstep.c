#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "report.h"
#include "utf8.h"

enum { ROWS = 12, COLUMN = 14 };

static void
column(struct buf *b, const char *s, size_t len)
{
	for (size_t w = utf8_width(s, len); w < COLUMN; w++)
		buf_addc(b, ' ');
	buf_add(b, s, len);
}

static const char *
ms(struct arena *a, double us)
{
	return arena_printf(a, "%.1f ms", us / 1000);
}

static void
head(struct buf *b, int ranks)
{
	static const struct text *const names[] = { &T_SAY_COMPUTING,
		&T_SAY_COMMUNICATION, &T_SAY_FREE };

	report_label(b, &T_SAY_STEP);
	if (ranks)
		buf_adds(b, "rank    ");
	for (int i = 0; i < 3; i++) {
		struct buf t = { 0 };

		text_add(&t, names[i]);
		column(b, t.s, t.len);
		buf_free(&t);
	}
	buf_addc(b, '\n');
}

static void
row(struct verify *v, struct rank *r, const struct step *s, int ranks,
    struct buf *b)
{
	const double us[] = { s->computing, s->communication, s->free };
	size_t from;

	buf_adds(b, "  ");
	from = b->len;
	if (s->id >= 0)
		buf_addf(b, "%4ld", s->id + step_shift(v, r));
	else
		buf_adds(b, "   -");
	report_pad(b, from, 11);
	if (ranks) {
		from = b->len;
		buf_addf(b, "%4ld", r->number);
		report_pad(b, from, 8);
	}
	for (int i = 0; i < 3; i++) {
		const char *t = ms(&v->arena, us[i]);
		struct buf c = { 0 };

		buf_adds(&c, t);
		column(b, c.s, c.len);
		buf_free(&c);
	}
	buf_addc(b, '\n');
}

struct mean {
	double us;
	struct rank *r;
};

static int
mean_order(const void *a, const void *b)
{
	double x = ((const struct mean *)a)->us,
	       y = ((const struct mean *)b)->us;

	return x < y ? -1 : x > y;
}

static void
slowest(struct verify *v, struct buf *b)
{
	struct mean *m = mem_zero(v->nrank + 1, sizeof *m);
	const char *most = "", *median = "";
	size_t n = 0;

	for (size_t i = 0; i < v->nrank; i++) {
		struct rank *r = v->rank[i];

		if (r->older || r->out.nstep == 0)
			continue;
		for (size_t k = 0; k < r->out.nstep; k++)
			m[n].us += r->out.step[k].computing;
		m[n].us /= (double)r->out.nstep;
		m[n++].r = r;
	}
	if (n > 1) {
		qsort(m, n, sizeof *m, mean_order);
		most = ms(&v->arena, m[n - 1].us);
		median = ms(&v->arena, m[(n - 1) / 2].us);
	}
	if (strcmp(most, median) != 0) {
		buf_adds(b, "  ");
		text_add(
		    b, &T_SAY_SLOWEST, rank_label(m[n - 1].r), most, median);
		buf_addc(b, '\n');
	}
	mem_free(m);
}

void
report_steps(struct verify *v, struct buf *b)
{
	size_t ranks = 0, rows = 0, shown = 0;

	for (size_t i = 0; i < v->nrank; i++) {
		ranks += !v->rank[i]->older;
		if (!v->rank[i]->older)
			rows += v->rank[i]->out.nstep;
	}
	if (rows == 0)
		return;
	head(b, ranks > 1);
	for (size_t i = 0; i < v->nrank; i++) {
		struct rank *r = v->rank[i];

		for (size_t k = 0; !r->older && k < r->out.nstep; k++)
			if (v->verbose || shown < ROWS) {
				row(v, r, &r->out.step[k], ranks > 1, b);
				shown++;
			}
	}
	if (shown < rows) {
		buf_adds(b, "  ");
		text_add(b, &T_SAY_MORE_STEPS,
		    say_number(&v->arena, (long long)(rows - shown)));
		buf_addc(b, '\n');
	}
	slowest(v, b);
}
