#include "runs.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

/* The same process, or starts so near: not two runs. */
enum { NEAR = 60 };

static long
digits(const char *s, int n)
{
	long x = 0;

	while (n-- > 0)
		x = x * 10 + (*s++ - '0');
	return x;
}

long long
runs_time(const char *s)
{
	long long y, m, d, days;

	if (strlen(s) < 14)
		return 0;
	y = digits(s, 4);
	m = digits(s + 4, 2);
	d = digits(s + 6, 2);
	/* Days of the civil calendar, years that begin in March. */
	if (m <= 2) {
		y--;
		m += 12;
	}
	days =
	    365 * y + y / 4 - y / 100 + y / 400 + (153 * (m - 3) + 2) / 5 + d;
	return ((days * 24 + digits(s + 8, 2)) * 60 + digits(s + 10, 2)) * 60 +
	    digits(s + 12, 2);
}

static int
newer(const struct rank *a, const struct rank *b)
{
	return strcmp(a->time, b->time) > 0;
}

static int
relation(const struct rank *newest, const struct rank *r)
{
	long long t = runs_time(newest->time), u = runs_time(r->time);

	if (t == 0 || u == 0)
		return RUNS_SAME;
	if (t - u > LIMIT_RUNS || (t - u > NEAR && newest->pid != r->pid))
		return RUNS_EARLIER;
	return RUNS_SAME;
}

void
runs_choose(struct verify *v)
{
	size_t j;

	v->nolder = 0;
	for (size_t i = 0; i < v->nrank; i = j) {
		struct rank *newest = v->rank[i];

		for (j = i + 1;
		     j < v->nrank && v->rank[j]->number == newest->number &&
		     newest->number >= 0;
		     j++)
			if (newer(v->rank[j], newest))
				newest = v->rank[j];
		for (size_t k = i; k < j; k++) {
			struct rank *r = v->rank[k];

			r->older =
			    r == newest ? RUNS_COUNTS : relation(newest, r);
			v->nolder += r->older == RUNS_EARLIER;
		}
	}
}

static int
id_order(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return x < y ? -1 : x > y;
}

size_t
runs_steps(const struct rank *r, long *id)
{
	size_t n = 0, m = 0;

	for (size_t i = 0; i < r->out.nstep; i++)
		if (r->out.step[i].id >= 0)
			id[n++] = r->out.step[i].id;
	if (n > 1)
		qsort(id, n, sizeof *id, id_order);
	for (size_t i = 0; i < n; i++)
		if (m == 0 || id[m - 1] != id[i])
			id[m++] = id[i];
	return m;
}

long
step_first(const struct rank *r)
{
	const struct info *i = &r->info;

	if (i->schedule != YES || i->skip_first < 0 || i->wait < 0 ||
	    i->warmup < 0)
		return -1;
	return i->skip_first + i->wait + i->warmup;
}

/*
 * A step's id counts from 0 where the process began: the iteration is id + 1,
 * and more by the one that it resumed from. That only Mcore takes into its
 * schedule, which then begins before the start that was asked for.
 */
long
step_shift(struct verify *v, const struct rank *r)
{
	const struct expect *e = v->expect;
	long first = step_first(r), start = e->profile.start;

	if ((e->known & EXPECT_STEPS) == 0 || e->profile.relative || first < 0)
		return 0;
	if (e->first > 0)
		start = e->first;
	return first + 1 >= start ? 1 : start - first;
}

/* The ids, each raised by the shift. */
static const char *
ranges(struct rank *r, long shift)
{
	long *id;
	const char *s = NULL;
	size_t n;

	if (r->out.nstep == 0)
		return NULL;
	id = mem_zero(r->out.nstep, sizeof *id);
	n = runs_steps(r, id);
	for (size_t i = 0; i < n; i++)
		id[i] += shift;
	if (n > 0)
		s = say_ranges(&r->arena, id, n);
	mem_free(id);
	return s;
}

const char *
step_ranges(struct verify *v, struct rank *r)
{
	return ranges(r, step_shift(v, r));
}

const char *
step_ids(struct rank *r)
{
	return ranges(r, 0);
}
