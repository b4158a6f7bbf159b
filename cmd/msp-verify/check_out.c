/* O: what parsing made. */
#include <string.h>

#include "checks.h"

#define OUT "ASCEND_PROFILER_OUTPUT"

static struct find
out_find(struct rank *r, enum check_id id, const char *name)
{
	return (struct find){
		.id = id, .path = rank_path(r, OUT, name, NULL), .arg = { name }
	};
}

/* Kernels were recorded and exported as text. */
static int
text_of_npu(const struct rank *r)
{
	return r->info.npu == YES && r->info.level >= PROFILE_LEVEL0 &&
	    (r->info.text == YES ||
		(r->info.text == UNKNOWN && r->out.has[OUT_TRACE]));
}

void
check_o01(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (!r->out.there)
		find_add(&r->finds, out_find(r, CHECK_O01, NULL));
}

void
check_o02(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (r->out.there && r->out.files == 0)
		find_add(&r->finds, out_find(r, CHECK_O02, NULL));
}

void
check_o06(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (r->out.there && r->out.files > 0 && !r->out.has[OUT_TRACE] &&
	    !r->out.has[OUT_DB])
		find_add(&r->finds, out_find(r, CHECK_O06, NULL));
}

void
check_o03(struct verify *v, struct rank *r, const struct check *c)
{
	struct find f = { .id = CHECK_O03,
		.path = rank_path(r, "logs", NULL, NULL),
		.arg = { r->logs.unfinished } };

	(void)v;
	(void)c;
	if (r->logs.unfinished != NULL) {
		find_add(&r->finds, f);
		return;
	}
	f.text = &T_O03_SQLITE;
	for (size_t i = 0; i < r->nside; i++)
		if (r->side[i].sqlite) {
			f.path = rank_path(r, r->prof[r->side[i].prof].name,
			    r->side[i].name, "sqlite");
			find_add(&r->finds, f);
			return;
		}
}

void
check_o04(struct verify *v, struct rank *r, const struct check *c)
{
	struct find f = { .id = CHECK_O04,
		.path = rank_path(r, "logs", NULL, NULL),
		.count = r->logs.errors };
	struct buf b = { 0 };

	(void)v;
	(void)c;
	if (r->logs.errors == 0)
		return;
	for (size_t i = 0; i < r->logs.errors && i < 3; i++)
		buf_addf(&b, i > 0 ? "\n%s" : "%s", r->logs.error[i]);
	f.observed = b.s;
	if (r->logs.no_msprof)
		f.remedy = &T_O04_MSPROF_DO;
	find_add(&r->finds, f);
	buf_free(&b);
}

/* The ids that the recorded schedule gives: 0, or -1. */
static int
scheduled(const struct rank *r, long *first, long *n)
{
	const struct info *i = &r->info;

	if (i->schedule != YES || i->active < 1 || i->active >= PROFILE_END ||
	    i->skip_first < 0 || i->wait < 0 || i->warmup < 0 || i->repeat > 1)
		return -1;
	*first = i->skip_first + i->wait + i->warmup;
	*n = i->active;
	return 0;
}

static int
has_step(const struct rank *r, long id)
{
	for (size_t i = 0; i < r->out.nstep; i++)
		if (r->out.step[i].id == id)
			return 1;
	return 0;
}

/* How many the training's end leaves of those asked for. */
static long
cut_short(const struct verify *v, long n)
{
	const struct expect *e = v->expect;

	if (e->first > 0 && e->last >= e->first && e->last - e->first + 1 < n)
		return e->last - e->first + 1;
	return n;
}

void
check_o20(struct verify *v, struct rank *r, const struct check *c)
{
	struct find f = out_find(r, CHECK_O20, out_names[OUT_STEP]);
	long first, n, got = 0;

	(void)c;
	if (!r->out.steps_read)
		return;
	if (r->out.nstep == 0) {
		f.sev = SEV_FAIL;
		f.text = &T_O20_NONE;
		f.remedy = &T_O20_NONE_DO;
		f.observed = "0";
		find_add(&r->finds, f);
		return;
	}
	if (scheduled(r, &first, &n) < 0 || has_step(r, -1))
		return;
	n = cut_short(v, n);
	for (long i = 0; i < n; i++)
		got += has_step(r, first + i);
	if (got == n)
		return;
	f.observed = step_ranges(v, r);
	f.expected = say_number(&r->arena, n);
	f.arg[0] = say_number(&r->arena, got);
	f.arg[1] = f.expected;
	find_add(&r->finds, f);
}

void
check_o11(struct verify *v, struct rank *r, const struct check *c)
{
	struct find f = out_find(r, CHECK_O11, out_names[OUT_TRACE]);
	long first, n, got = 0;

	(void)c;
	if (!r->deep.done || r->info.cpu != YES || scheduled(r, &first, &n) < 0)
		return;
	n = cut_short(v, n);
	for (size_t i = 0; i < r->deep.nstep; i++)
		got += r->deep.step[i] >= first && r->deep.step[i] < first + n;
	if (got == n)
		return;
	f.observed = f.arg[0] = say_number(&r->arena, got);
	f.expected = f.arg[1] = say_number(&r->arena, n);
	find_add(&r->finds, f);
}

void
check_o12(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (r->deep.done && !r->deep.device_lane && r->info.npu == YES &&
	    r->info.level >= PROFILE_LEVEL0)
		find_add(
		    &r->finds, out_find(r, CHECK_O12, out_names[OUT_TRACE]));
}

static void
expected(struct rank *r, int applies, enum out_file file)
{
	if (applies && !r->out.has[file])
		find_add(&r->finds, out_find(r, CHECK_O13, out_names[file]));
}

void
check_o13(struct verify *v, struct rank *r, const struct check *c)
{
	const struct info *i = &r->info;
	int npu = text_of_npu(r), recent = npu && i->started > 0;
	struct find f;

	(void)v;
	(void)c;
	if (npu && !r->out.has[OUT_KERNEL] && !r->out.has[OUT_STEP]) {
		f = out_find(r, CHECK_O13, NULL);
		f.sev = SEV_FAIL;
		f.text = &T_O13_DEVICE;
		f.remedy = &T_O13_DEVICE_DO;
		find_add(&r->finds, f);
	} else {
		expected(r, npu, OUT_KERNEL);
		expected(r, npu, OUT_STEP);
	}
	expected(r, npu && i->cpu == YES, OUT_OPERATOR);
	expected(r, recent && i->level >= PROFILE_LEVEL1, OUT_OP_STATISTIC);
	expected(r, recent && i->level >= PROFILE_LEVEL1, OUT_API_STATISTIC);
	expected(r, recent && i->memory == YES, OUT_MODULE_MEM);
	if (r->out.has[OUT_MEMORY_RECORD] == r->out.has[OUT_OPERATOR_MEMORY]) {
		expected(r, npu && i->memory == YES, OUT_MEMORY_RECORD);
		expected(r, npu && i->memory == YES && i->cpu == YES,
		    OUT_OPERATOR_MEMORY);
	}
}

void
check_o14(struct verify *v, struct rank *r, const struct check *c)
{
	struct find f = out_find(r, CHECK_O14, out_names[OUT_COMMUNICATION]);
	int one = r->out.has[OUT_COMMUNICATION], other = r->out.has[OUT_MATRIX];

	(void)c;
	if (!text_of_npu(r) || r->info.level < PROFILE_LEVEL1 ||
	    (r->meta.world <= 1 && (r->meta.world == 1 || v->nrank < 2)) ||
	    (one && other))
		return;
	if (one)
		f = out_find(r, CHECK_O14, out_names[OUT_MATRIX]);
	if (one || other)
		f.sev = SEV_INFO;
	find_add(&r->finds, f);
}

void
check_o21(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (r->info.cpu == YES && r->info.schedule == YES && has_step(r, -1))
		find_add(
		    &r->finds, out_find(r, CHECK_O21, out_names[OUT_STEP]));
}

void
check_o22(struct verify *v, struct rank *r, const struct check *c)
{
	struct find f = out_find(r, CHECK_O22, out_names[OUT_STEP]);
	size_t n = 0;

	(void)v;
	(void)c;
	for (size_t i = 0; i < r->out.nstep; i++)
		n += r->out.step[i].computing <= 0 || r->out.step[i].stage <= 0;
	if (n == 0)
		return;
	f.count = n;
	find_add(&r->finds, f);
}

void
check_o23(struct verify *v, struct rank *r, const struct check *c)
{
	int record = r->out.has[OUT_MEMORY_RECORD],
	    operators = r->out.has[OUT_OPERATOR_MEMORY];

	(void)v;
	(void)c;
	if (r->info.memory == YES && r->info.cpu == YES && record != operators)
		find_add(&r->finds,
		    out_find(r, CHECK_O23,
			out_names[record ? OUT_OPERATOR_MEMORY
					 : OUT_MEMORY_RECORD]));
}

void
check_o25(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	for (size_t i = 0; i < r->noticed.n; i++) {
		struct find f = r->noticed.v[i];

		if (f.id != CHECK_O25)
			continue;
		if (strcmp(f.arg[0], out_names[OUT_ANALYSIS_DB]) == 0) {
			f.remedy = &T_O01_DO;
		} else if (r->out.trace_good) {
			f.remedy = &T_O25_BESIDE_DO;
		} else if (!r->out.db_good) {
			f.sev = SEV_FAIL;
		}
		find_add(&r->finds, f);
	}
}

void
check_o26(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (r->info.db == YES && !r->out.has[OUT_DB])
		find_add(&r->finds, out_find(r, CHECK_O26, out_names[OUT_DB]));
}

void
check_o27(struct verify *v, struct rank *r, const struct check *c)
{
	struct find f = out_find(r, CHECK_O27, r->out.db_name);
	struct buf b = { 0 };

	(void)v;
	(void)c;
	if (r->out.db_name == NULL || r->number < 0)
		return;
	buf_addf(&b, "ascend_pytorch_profiler_%ld.db", r->number);
	if (strcmp(r->out.db_name, b.s) != 0 &&
	    strcmp(r->out.db_name, out_names[OUT_DB]) != 0) {
		f.observed = r->out.db_name;
		f.expected = b.s;
		find_add(&r->finds, f);
	}
	buf_free(&b);
}

void
check_o28(struct verify *v, struct rank *r, const struct check *c)
{
	(void)v;
	(void)c;
	if (r->out.has[OUT_INSIGHT])
		find_add(
		    &r->finds, out_find(r, CHECK_O28, out_names[OUT_INSIGHT]));
}
