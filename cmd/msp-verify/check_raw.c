/* P and F: what the collector and the framework left. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "checks.h"

static int
none_level(const struct rank *r)
{
	return r->info.level == PROFILE_LEVEL_NONE;
}

static const char *
side_path(struct rank *r, const struct side *s, const char *name)
{
	return rank_path(r, r->prof[s->prof].name, s->name, name);
}

void
check_p01(struct verify *v, struct rank *r, const struct check *c)
{
	struct find f = { .id = CHECK_P01, .path = r->path };

	(void)c;
	if (r->nprof > 0 || r->info.npu == NO)
		return;
	if (v->parsed_only ||
	    (r->info.there == 0 && (r->out.trace_good || r->out.db_good))) {
		f.sev = SEV_WARN;
		f.text = &T_P01_PARSED;
		f.remedy = &T_P01_PARSED_DO;
	}
	find_add(&r->finds, f);
}

void
check_p02(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (r->nprof > 1)
		find_add(&r->finds,
		    (struct find){ .id = CHECK_P02,
			.path = rank_path(r, r->prof[1].name, NULL, NULL),
			.observed = say_number(&r->arena, (long long)r->nprof),
			.expected = "1" });
}

void
check_p03(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	for (size_t i = 0; i < r->nprof; i++)
		if (r->pid >= 0 && r->prof[i].pid >= 0 &&
		    r->prof[i].pid != r->pid % 100000000)
			find_add(&r->finds,
			    (struct find){ .id = CHECK_P03,
				.path =
				    rank_path(r, r->prof[i].name, NULL, NULL),
				.observed =
				    say_number(&r->arena, r->prof[i].pid),
				.expected = say_number(&r->arena, r->pid) });
}

void
check_p04(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (r->nprof > 0 && r->prof[0].digits && r->info.cpu == YES &&
	    r->info.npu == YES && !none_level(r) && r->out.has[OUT_TRACE] &&
	    !r->out.has[OUT_KERNEL] && !r->out.has[OUT_STEP] &&
	    !r->deep.device_lane)
		find_add(&r->finds,
		    (struct find){ .id = CHECK_P04,
			.path = rank_path(r, r->prof[0].name, NULL, NULL) });
}

void
check_p05(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (r->nprof == 0 || r->info.npu == NO)
		return;
	for (size_t i = 0; i < r->nside; i++)
		if (r->side[i].device >= 0)
			return;
	find_add(&r->finds,
	    (struct find){ .id = CHECK_P05,
		.path = rank_path(r, r->prof[0].name, NULL, NULL),
		.expected = "device_*" });
}

void
check_p06(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	for (size_t i = 0; i < r->nside; i++)
		if (r->side[i].device >= 0 && !r->side[i].data)
			find_add(&r->finds,
			    (struct find){ .id = CHECK_P06,
				.path = side_path(r, &r->side[i], "data") });
}

void
check_p07(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	for (size_t i = 0; i < r->nside; i++)
		if (r->side[i].device >= 0 && r->side[i].data &&
		    r->side[i].files == 0)
			find_add(&r->finds,
			    (struct find){ .id = CHECK_P07,
				.sev = none_level(r) ? SEV_WARN : SEV_DEFAULT,
				.path = side_path(r, &r->side[i], "data") });
}

void
check_p08(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	for (size_t i = 0; i < r->nside; i++) {
		struct side *s = &r->side[i];

		if (s->device >= 0 && s->files > 0 && s->bytes < LIMIT_TINY &&
		    !none_level(r))
			find_add(&r->finds,
			    (struct find){ .id = CHECK_P08,
				.path = side_path(r, s, "data"),
				.observed = say_size(&r->arena, s->bytes),
				.expected = ">= 64 KiB" });
	}
}

void
check_p09(struct verify *v, struct rank *r, const struct check *c)
{
	struct find f = { .id = CHECK_P09 };

	(void)v;
	(void)c;
	if (r->nprof == 0)
		return;
	for (size_t i = 0; i < r->nside; i++)
		if (r->side[i].device < 0 && r->side[i].files > 0)
			return;
	f.path = rank_path(r, r->prof[0].name, "host", "data");
	if (r->info.level >= 0 && r->info.level < PROFILE_LEVEL1) {
		f.sev = SEV_WARN;
		f.remedy = &T_P09_WARN_DO;
	}
	find_add(&r->finds, f);
}

void
check_p10(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	for (size_t i = 0; i < r->nside; i++)
		if (!r->side[i].end)
			find_add(&r->finds,
			    (struct find){ .id = CHECK_P10,
				.path = side_path(r, &r->side[i], NULL),
				.expected = "end_info" });
}

void
check_p11(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	for (size_t i = 0; i < r->nside; i++) {
		struct side *s = &r->side[i];

		if (s->end &&
		    (s->end_bad ||
			(s->begin_time > 0 && s->end_time > 0 &&
			    s->end_time <= s->begin_time)))
			find_add(&r->finds,
			    (struct find){ .id = CHECK_P11,
				.path = side_path(r, s, NULL) });
	}
}

static void
lacks(struct rank *r, const struct side *s, int there, const char *name,
    enum severity sev)
{
	if (!there)
		find_add(&r->finds,
		    (struct find){ .id = CHECK_P12,
			.sev = sev,
			.path = side_path(r, s, NULL),
			.expected = name,
			.arg = { name } });
}

void
check_p12(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	for (size_t i = 0; i < r->nside; i++) {
		struct side *s = &r->side[i];

		lacks(r, s, s->info, "info.json", SEV_FAIL);
		/* The format of 2023 had no start_info. */
		lacks(r, s, s->start || r->info.started == 0, "start_info",
		    SEV_WARN);
		lacks(r, s, s->sample, "sample.json", SEV_WARN);
	}
}

void
check_p13(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	for (size_t i = 0; i < r->nside; i++) {
		struct side *s = &r->side[i];
		struct find f = { .id = CHECK_P13 };

		if (s->unfinished == 0 || s->done == 0)
			continue;
		f.path = s->unfinished_name;
		f.count = s->unfinished;
		if (s->unfinished_bytes > s->bytes / 2) {
			f.sev = SEV_FAIL;
			f.remedy = &T_P13_DO;
		} else {
			f.sev = SEV_WARN;
			f.remedy = &T_P13_WARN_DO;
		}
		find_add(&r->finds, f);
	}
}

void
check_p16(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	for (size_t i = 0; i < r->nside; i++)
		if (r->side[i].sqlite)
			find_add(&r->finds,
			    (struct find){ .id = CHECK_P16,
				.path = side_path(r, &r->side[i], "sqlite") });
}

void
check_p17(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	for (size_t i = 0; i < r->nside; i++) {
		struct side *s = &r->side[i];

		if (s->level < 0 || r->info.level < 0 ||
		    s->level == r->info.level || none_level(r))
			continue;
		find_add(&r->finds,
		    (struct find){ .id = CHECK_P17,
			.path = side_path(r, s, "sample.json"),
			.observed =
			    say_number(&r->arena, s->level - PROFILE_LEVEL0),
			.expected = say_number(
			    &r->arena, r->info.level - PROFILE_LEVEL0) });
	}
}

/* No .done at all: an older CANN or a stripped copy; not decided. */
void
check_p18(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	for (size_t i = 0; i < r->nside; i++)
		if (r->side[i].done == 0 && r->side[i].unfinished > 0)
			find_add(&r->finds,
			    (struct find){ .id = CHECK_P18,
				.path = side_path(r, &r->side[i], "data") });
}

static int
unparsed(const struct rank *r)
{
	return find_has(&r->finds, CHECK_O01) ||
	    find_has(&r->finds, CHECK_O02) || find_has(&r->finds, CHECK_O06);
}

void
check_f01(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (r->info.cpu == YES && !r->framework && !v->parsed_only)
		find_add(&r->finds,
		    (struct find){ .id = CHECK_F01,
			.sev = unparsed(r) ? SEV_FAIL : SEV_INFO,
			.path = rank_path(r, "FRAMEWORK", NULL, NULL) });
}

static void
framework(struct rank *r, enum check_id id, const char *name)
{
	if (r->framework && r->info.cpu == YES && unparsed(r))
		find_add(&r->finds,
		    (struct find){ .id = id,
			.path = rank_path(r, "FRAMEWORK", name, NULL) });
}

void
check_f02(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (!r->op_range)
		framework(r, CHECK_F02, "torch.op_range");
}

void
check_f03(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (!r->memory_usage && r->info.memory == YES)
		framework(r, CHECK_F03, "torch.memory_usage");
}

void
check_f04(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (!r->tracer && r->info.stack == YES)
		framework(r, CHECK_F04, "torch.python_tracer_func");
}

void
check_x04(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (unparsed(r) && faccessat(AT_FDCWD, r->path, W_OK, AT_EACCESS) < 0)
		find_add(&r->finds,
		    (struct find){ .id = CHECK_X04, .path = r->path });
}
