/* The report for machines. */
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "verify.h"

static const char *const severities[] = {
	[SEV_IGNORED] = "ignored",
	[SEV_INFO] = "info",
	[SEV_WARN] = "warn",
	[SEV_FAIL] = "fail",
};

static const char *
level_name(int level)
{
	static const char *const names[] = { "level_none", "level0", "level1",
		"level2" };

	return level < 0 ? NULL : names[level];
}

static void
put_rank(struct verify *v, struct buf *b, struct rank *r)
{
	const char *field[] = { verdict_name(r->verdict),
		r->number < 0 ? NULL : say_number(&r->arena, r->number),
		r->path, step_ranges(v, r), level_name(r->info.level),
		say_number(&r->arena, (long long)r->bytes),
		say_number(&r->arena, (long long)r->files) };

	rec_put(b, v->format, REC_RANK, field);
}

static void
put_group(struct verify *v, struct buf *b, const struct group *g)
{
	const char *field[] = { checks[g->id].text->id, severities[g->sev],
		g->where, g->path, g->observed, g->expected, g->message,
		g->remedy };

	rec_put(b, v->format, REC_FIND, field);
}

static const char *
microseconds(struct arena *a, double us)
{
	return arena_printf(a, "%.3f", us);
}

static void
put_steps(struct verify *v, struct buf *b, struct rank *r)
{
	long shift = step_shift(v, r);

	for (size_t i = 0; i < r->out.nstep; i++) {
		const struct step *s = &r->out.step[i];
		const char *field[] = {
			r->number < 0 ? NULL : say_number(&r->arena, r->number),
			s->id < 0 ? NULL : say_number(&r->arena, s->id + shift),
			microseconds(&r->arena, s->computing),
			microseconds(&r->arena, s->communication),
			microseconds(&r->arena, s->free)
		};

		rec_put(b, v->format, REC_STEP, field);
	}
}

static void
put_sum(struct verify *v, const struct groups *all, struct buf *b)
{
	static const char *const names[] = { "ranks", "fail", "warn", "info",
		"ignored", "exit" };
	size_t ranks = 0;
	const char *count[7] = { 0 };

	for (size_t i = 0; i < v->nrank; i++)
		ranks += !v->rank[i]->older;
	const long long n[] = { (long long)ranks, (long long)all->fail,
		(long long)all->warn, (long long)all->info,
		(long long)all->ignored, v->expect->exit };

	for (size_t i = 0; i < 6; i++) {
		if (i == 5 && !v->expect->record)
			break;
		count[i] = arena_printf(&v->arena, "%s=%lld", names[i], n[i]);
	}
	rec_sum(b, v->format, verdict_name(v->verdict), count);
}

void
report_records(struct verify *v, struct groups *all, struct buf *b)
{
	struct next next;
	const char *why;

	for (size_t i = 0; i < v->nrank; i++)
		if (!v->rank[i]->older)
			put_rank(v, b, v->rank[i]);
	for (size_t i = 0; i < all->n; i++)
		put_group(v, b, &all->v[i]);
	for (int p = 0; p < PAGES; p++) {
		int yes = page_usable(v, (enum page)p, &why);
		const char *field[] = { page_names[p], yes ? "yes" : "no",
			why };

		rec_put(b, v->format, REC_PAGE, field);
	}
	for (size_t i = 0; i < v->nrank; i++)
		if (!v->rank[i]->older)
			put_steps(v, b, v->rank[i]);
	next_commands(v, &next);
	for (size_t i = 0; i < next.n; i++)
		rec_put(b, v->format, REC_NEXT, &next.command[i]);
	mem_free(next.command);
	if (v->causes.len > 0)
		buf_add(b, v->causes.s, v->causes.len);
	put_sum(v, all, b);
}
