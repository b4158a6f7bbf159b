/* D: the rank directory, its configuration beside what was asked. */
#include <string.h>

#include "checks.h"

static struct find
info_find(struct rank *r, enum check_id id)
{
	return (struct find){ .id = id,
		.path = rank_path(r, r->info.name, NULL, NULL) };
}

/* Insight refuses these bytes; torch_npu all but a few and what is CJK. */
static int
bad_byte(const char *s)
{
	static const char insight[] = "\n\f\r\b\t\v\x7f\"'%><|&$;`\\";

	return strpbrk(s, insight) != NULL || profile_bad_path(s) != NULL;
}

void
check_r05(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (bad_byte(r->path))
		find_add(&r->finds,
		    (struct find){ .id = CHECK_R05, .path = r->path });
}

void
check_r06(struct verify *v, struct rank *r, const struct check *c)
{
	struct find f = { .id = CHECK_R06, .path = r->path };

	(void)v;
	(void)c;
	if (r->longest < LIMIT_PATH_WINDOWS)
		return;
	f.observed = say_number(&r->arena, (long long)r->longest);
	f.expected = "< 260";
	if (r->longest >= LIMIT_PATH) {
		f.sev = SEV_FAIL;
		f.text = &T_R06_MAX;
		f.expected = "< 4096";
	}
	find_add(&r->finds, f);
}

void
check_d01(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (r->renamed)
		find_add(&r->finds,
		    (struct find){ .id = CHECK_D01, .path = r->path });
}

static int
usable(const struct rank *r)
{
	return r->out.trace_good || r->out.db_good;
}

void
check_d02(struct verify *v, struct rank *r, const struct check *c)
{
	struct find f = { .id = CHECK_D02, .path = r->path };

	(void)v;
	(void)c;
	if (r->info.there > 0)
		return;
	if (usable(r)) {
		f.sev = SEV_WARN;
		f.text = &T_D02_COPY;
		f.remedy = &T_D02_COPY_DO;
	}
	find_add(&r->finds, f);
}

void
check_d03(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (r->info.there > 1)
		find_add(&r->finds,
		    (struct find){ .id = CHECK_D03,
			.path = r->path,
			.observed = say_number(&r->arena, r->info.there),
			.expected = "1" });
}

void
check_d04(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (r->info.there > 0 && r->info.broken)
		find_add(&r->finds, info_find(r, CHECK_D04));
}

void
check_d05(struct verify *v, struct rank *r, const struct check *c)
{
	const long ranks[] = { r->info.file_rank, r->info.rank, r->meta.rank };
	long first = -1;
	struct find f = info_find(r, CHECK_D05);
	struct buf b = { 0 };
	int differ = 0;

	(void)v;
	(void)c;
	for (int i = 0; i < 3; i++) {
		if (ranks[i] < 0)
			continue;
		if (first < 0)
			first = ranks[i];
		differ |= ranks[i] != first;
		buf_addf(&b, b.len > 0 ? ", %ld" : "%ld", ranks[i]);
	}
	if (differ) {
		f.observed = b.s;
		find_add(&r->finds, f);
	}
	buf_free(&b);
}

static const char *
level_name(int level)
{
	static const char *const names[] = { "level_none", "level0", "level1",
		"level2" };

	return level < 0 || level > 3 ? NULL : names[level];
}

void
check_d06(struct verify *v, struct rank *r, const struct check *c)
{
	struct find f = info_find(r, CHECK_D06);
	int asked = (int)v->expect->profile.level;

	(void)c;
	if ((v->expect->known & EXPECT_LEVEL) == 0 || r->info.level < 0 ||
	    r->info.level == asked)
		return;
	f.observed = f.arg[1] = level_name(r->info.level);
	f.expected = f.arg[0] = level_name(asked);
	find_add(&r->finds, f);
}

static void
compare(struct verify *v, struct rank *r, enum expect_key key, const char *what,
    int asked, int recorded)
{
	static const char *const words[] = { "off", "on" };
	struct find f = info_find(r, CHECK_D07);

	if ((v->expect->known & (unsigned)key) == 0 || recorded == UNKNOWN ||
	    !asked == !recorded)
		return;
	f.arg[0] = what;
	f.expected = f.arg[1] = words[asked != 0];
	f.observed = f.arg[2] = words[recorded != 0];
	find_add(&r->finds, f);
}

void
check_d07(struct verify *v, struct rank *r, const struct check *c)
{
	const struct profile *p = &v->expect->profile;
	const struct info *i = &r->info;

	(void)c;
	compare(v, r, EXPECT_CPU, "cpu", p->cpu, i->cpu);
	compare(v, r, EXPECT_MEMORY, "memory", p->memory, i->memory);
	compare(v, r, EXPECT_STACK, "stack", p->stack, i->stack);
	compare(v, r, EXPECT_SHAPES, "shapes", p->shapes, i->shapes);
	if (p->export != PROFILE_EXPORT_DEFAULT)
		compare(v, r, EXPECT_EXPORT,
		    p->export == PROFILE_DB ? "export-type db"
					    : "export-type text",
		    1, p->export == PROFILE_DB ? i->db : i->text);
	if (p->simplification)
		compare(v, r, EXPECT_SIMPLIFY, "data-simplification", 1,
		    i->simplify);
}

void
check_d08(struct verify *v, struct rank *r, const struct check *c)
{
	struct find f = info_find(r, CHECK_D08);
	const struct info *i = &r->info;

	(void)v;
	(void)c;
	if (i->cpu != NO || (i->memory != YES && i->stack != YES))
		return;
	f.arg[0] = i->memory == YES && i->stack == YES
	    ? "profile_memory, with_stack"
	    : i->memory == YES ? "profile_memory"
			       : "with_stack";
	find_add(&r->finds, f);
}

/* Whether a schedule that begins at this id can come of this start: on Mcore
 * it is less by what was resumed from. */
static int
begins_right(enum profile_backend backend, long first, long start)
{
	switch (backend) {
	case PROFILE_MCORE: return first < start;
	case PROFILE_MCORE_OLD: return first == start + 1;
	case PROFILE_MINDSPEED:
	case PROFILE_FSDP2: return first == start;
	default: return first <= start + 1;
	}
}

static void
check_begin(struct verify *v, struct rank *r)
{
	const struct profile *p = &v->expect->profile;
	struct find f = info_find(r, CHECK_D09);
	long first = step_first(r);

	if (first < 0 || p->relative ||
	    begins_right(p->backend, first, p->start))
		return;
	f.text = &T_D09_START;
	f.remedy = &T_D07_DO;
	f.expected = f.arg[0] = say_number(&r->arena, p->start);
	f.observed = f.arg[1] = say_number(&r->arena, first);
	find_add(&r->finds, f);
}

void
check_d09(struct verify *v, struct rank *r, const struct check *c)
{
	const struct profile *p = &v->expect->profile;
	struct find f = info_find(r, CHECK_D09);
	long asked = p->end - p->start, active = r->info.active;

	(void)c;
	if ((v->expect->known & EXPECT_STEPS) == 0 || active < 0)
		return;
	if (p->end == -1 ? active != 1 : active == asked) {
		check_begin(v, r);
		return;
	}
	f.text = p->end == -1 ? &T_D09_ONE : NULL;
	f.expected = f.arg[0] =
	    say_number(&r->arena, p->end == -1 ? -1 : asked);
	f.observed = f.arg[1] = say_number(&r->arena, active);
	find_add(&r->finds, f);
}

void
check_d10(struct verify *v, struct rank *r, const struct check *c)
{
	struct find f = info_find(r, CHECK_D10);

	(void)v;
	(void)c;
	if (r->info.repeat < 0 || r->info.repeat == 1)
		return;
	f.observed = f.arg[0] = say_number(&r->arena, r->info.repeat);
	f.expected = "1";
	find_add(&r->finds, f);
}

void
check_d11(struct verify *v, struct rank *r, const struct check *c)
{
	const unsigned long long second = 1000000000ULL;
	struct find f = info_find(r, CHECK_D11);
	const struct info *i = &r->info;

	(void)c;
	if (i->started > 0 && i->ended > 0 && i->ended <= i->started) {
		f.observed = say_number(&r->arena, (long long)i->ended);
		f.expected = say_number(&r->arena, (long long)i->started);
	} else if (i->ended_wall / second >
	    (unsigned long long)v->now + LIMIT_DAY) {
		f.text = &T_D11_FUTURE;
		f.observed = say_number(&r->arena, (long long)i->ended_wall);
	} else if (i->started > 0 && i->ended > 0 &&
	    (i->ended - i->started) / second > LIMIT_CAPTURE) {
		f.text = &T_D11_LONG;
		f.remedy = &T_D11_LONG_DO;
		f.observed = arena_printf(
		    &r->arena, "%llu s", (i->ended - i->started) / second);
		f.expected = "<= 300 s";
	} else {
		return;
	}
	find_add(&r->finds, f);
}

void
check_d12(struct verify *v, struct rank *r, const struct check *c)
{
	static const char *const bad[] = { "2.10.0.post4", NULL };
	struct find f = info_find(r, CHECK_D12);

	(void)v;
	(void)c;
	for (int i = 0; bad[i] != NULL && r->info.torch_npu != NULL; i++)
		if (strcmp(bad[i], r->info.torch_npu) == 0) {
			f.observed = f.arg[0] = bad[i];
			find_add(&r->finds, f);
		}
}

void
check_d13(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (!r->meta.there && r->info.text == YES && r->info.torch_npu != NULL)
		find_add(&r->finds,
		    (struct find){ .id = CHECK_D13,
			.path = rank_path(
			    r, "profiler_metadata.json", NULL, NULL) });
}

void
check_d14(struct verify *v, struct rank *r, const struct check *c)
{
	(void)c;
	if (v->expect->record && v->expect->start > 0 &&
	    (long long)r->newest < v->expect->start)
		find_add(&r->finds,
		    (struct find){ .id = CHECK_D14,
			.path = r->path,
			.observed = say_number(&r->arena, r->newest),
			.expected = say_number(&r->arena, v->expect->start) });
}
