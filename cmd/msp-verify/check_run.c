/* R: all ranks together. */
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "checks.h"
#include "runs.h"

/* The next rank directory that counts, from *i on; NULL behind the last. */
static struct rank *
next_rank(const struct verify *v, size_t *i)
{
	while (*i < v->nrank && v->rank[*i]->older)
		++*i;
	return *i < v->nrank ? v->rank[(*i)++] : NULL;
}

static size_t
count_ranks(const struct verify *v)
{
	size_t n = 0;

	for (size_t i = 0; next_rank(v, &i) != NULL;)
		n++;
	return n;
}

void
check_r07(struct verify *v, struct rank *r, const struct check *c)
{
	const char *path =
	    v->noperand > 0 ? v->operand[0] : v->expect->profile.save_path;
	struct find f = { .id = CHECK_R07, .path = path, .arg = { path } };

	(void)r;
	(void)c;
	if (count_ranks(v) > 0)
		return;
	if (v->around != NULL) {
		f.text = &T_R07_PART;
		f.remedy = &T_R07_PART_DO;
		f.arg[1] = v->around;
	}
	find_add(&v->finds, f);
}

void
check_r09(struct verify *v, struct rank *r, const struct check *c)
{
	struct find f = { .id = CHECK_R09, .path = v->ms, .count = v->nms };

	(void)r;
	(void)c;
	if (v->nms == 0)
		return;
	if (count_ranks(v) == 0) {
		f.sev = SEV_FAIL;
		f.text = &T_R09_ONLY;
		f.remedy = &T_R09_ONLY_DO;
	}
	find_add(&v->finds, f);
}

void
check_r10(struct verify *v, struct rank *r, const struct check *c)
{
	(void)r;
	(void)c;
	if (v->nbare > 0 && v->around == NULL)
		find_add(&v->finds,
		    (struct find){ .id = CHECK_R10,
			.path = v->bare,
			.count = v->nbare,
			.arg = { v->bare } });
}

/* The first rank directory whose meta data name the world's size. */
static long
world_size(const struct verify *v)
{
	long world = -1;
	struct rank *r;

	for (size_t i = 0; (r = next_rank(v, &i)) != NULL;)
		if (r->meta.world > world)
			world = r->meta.world;
	return world;
}

/* Which of the ranks wanted have no directory; both ascending. */
static size_t
missing_ranks(const struct verify *v, const long *want, size_t n, long *out)
{
	size_t missing = 0, i = 0;
	struct rank *r = next_rank(v, &i);

	for (size_t k = 0; k < n; k++) {
		while (r != NULL && r->number >= 0 && r->number < want[k])
			r = next_rank(v, &i);
		if (r == NULL || r->number != want[k])
			out[missing++] = want[k];
	}
	return missing;
}

/* Nobody said which ranks were asked for: most of a world is a sign that all
 * of it was meant. */
static int
most_of(
    const struct verify *v, long world, struct arena *a, long **want, size_t *n)
{
	if ((v->expect->known & EXPECT_RANKS) != 0 || world < 2 ||
	    count_ranks(v) <= (size_t)world / 2 || world > 1 << 20)
		return -1;
	*n = (size_t)world;
	*want = arena_alloc(a, *n * sizeof **want);
	for (size_t i = 0; i < *n; i++)
		(*want)[i] = (long)i;
	return 0;
}

void
check_r11(struct verify *v, struct rank *r, const struct check *c)
{
	struct find f = { .id = CHECK_R11 };
	long *want, *missing, world = world_size(v);
	size_t n, k;

	(void)r;
	(void)c;
	for (size_t i = 0; i < v->nrank; i++)
		if (v->rank[i]->number < 0 && !v->rank[i]->older)
			return;
	if (expect_ranks(v->expect, world, &v->arena, &want, &n) < 0) {
		if (most_of(v, world, &v->arena, &want, &n) < 0)
			return;
		f.sev = SEV_WARN;
	}
	/* The record is of one node; which ranks live there is not known. */
	if (v->expect->record && !v->expect->here_known)
		f.sev = SEV_WARN;
	missing = arena_alloc(&v->arena, (n + 1) * sizeof *missing);
	k = missing_ranks(v, want, n, missing);
	if (k == 0)
		return;
	f.ranks = f.arg[0] = say_ranges(&v->arena, missing, k);
	f.expected = say_ranges(&v->arena, want, n);
	find_add(&v->finds, f);
}

void
check_r12(struct verify *v, struct rank *none, const struct check *c)
{
	const struct expect *e = v->expect;
	struct rank *r;

	(void)none;
	(void)c;
	if ((e->known & EXPECT_RANKS) == 0 || e->profile.which != PROFILE_LIST)
		return;
	for (size_t i = 0; (r = next_rank(v, &i)) != NULL;)
		if (r->number >= 0 && !profile_has_rank(&e->profile, r->number))
			find_add(&r->finds,
			    (struct find){ .id = CHECK_R12, .path = r->path });
}

/* Which of those of one number counts; from is the first of them. */
static struct rank *
newest_of(const struct verify *v, size_t from)
{
	size_t i = from;

	while (v->rank[i]->older)
		i++;
	return v->rank[i];
}

void
check_r13(struct verify *v, struct rank *none, const struct check *c)
{
	struct rank *newest = NULL, *r;

	(void)none;
	(void)c;
	for (size_t i = 0; i < v->nrank; i++) {
		r = v->rank[i];
		if (newest == NULL || r->number != newest->number)
			newest = newest_of(v, i);
		if (r->older == RUNS_SAME)
			find_add(&newest->finds,
			    (struct find){ .id = CHECK_R13, .path = r->path });
	}
}

void
check_r14(struct verify *v, struct rank *none, const struct check *c)
{
	size_t n = count_ranks(v);
	struct rank *r;

	(void)none;
	(void)c;
	for (size_t i = 0; (r = next_rank(v, &i)) != NULL;)
		if (r->info.there > 0 && r->info.file_rank < 0 &&
		    (n > 1 || r->meta.world > 1))
			find_add(&r->finds,
			    (struct find){ .id = CHECK_R14,
				.path =
				    rank_path(r, r->info.name, NULL, NULL) });
}

static int
differ(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) != 0;
}

void
check_r15(struct verify *v, struct rank *none, const struct check *c)
{
	struct find f = { .id = CHECK_R15 };
	long long t, min = 0, max = 0;
	struct rank *r, *first = NULL;
	int versions = 0;

	(void)none;
	(void)c;
	for (size_t i = 0; (r = next_rank(v, &i)) != NULL;) {
		first = first == NULL ? r : first;
		versions |= differ(first->info.torch_npu, r->info.torch_npu) ||
		    differ(first->info.cann, r->info.cann);
		t = runs_time(r->time);
		if (t == 0)
			continue;
		min = min == 0 || t < min ? t : min;
		max = t > max ? t : max;
	}
	if (max - min <= LIMIT_RUNS && !versions)
		return;
	if (max - min > LIMIT_RUNS)
		f.observed = arena_printf(&v->arena, "%lld s", max - min);
	else
		f.text = &T_R15_VERSIONS;
	find_add(&v->finds, f);
}

/* The names of the options that differ, of those that are known. */
static const char *
options_apart(struct verify *v, const struct info *a, const struct info *b)
{
	const struct {
		const char *name;
		long a, b;
	} rows[] = {
		{ "_profiler_level", a->level, b->level },
		{ "activities", a->cpu * 3 + a->npu, b->cpu * 3 + b->npu },
		{ "profile_memory", a->memory, b->memory },
		{ "with_stack", a->stack, b->stack },
		{ "with_modules", a->modules, b->modules },
		{ "record_shapes", a->shapes, b->shapes },
		{ "_data_simplification", a->simplify, b->simplify },
		{ "skip_first", a->skip_first, b->skip_first },
		{ "wait", a->wait, b->wait },
		{ "warmup", a->warmup, b->warmup },
		{ "active", a->active, b->active },
		{ "repeat", a->repeat, b->repeat },
	};
	struct buf names = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].a != rows[i].b)
			buf_addf(&names, names.len > 0 ? ", %s" : "%s",
			    rows[i].name);
	return names.len > 0 ? buf_keep(&names, &v->arena) : NULL;
}

void
check_r16(struct verify *v, struct rank *none, const struct check *c)
{
	struct rank *r, *first = NULL;

	(void)none;
	(void)c;
	if (find_has(&v->finds, CHECK_R15))
		return;
	for (size_t i = 0; (r = next_rank(v, &i)) != NULL;) {
		if (r->info.there == 0 || r->info.broken)
			continue;
		if (first == NULL)
			first = r;
		else if (r->info.options != first->info.options)
			find_add(&r->finds,
			    (struct find){ .id = CHECK_R16,
				.path = rank_path(r, r->info.name, NULL, NULL),
				.observed =
				    options_apart(v, &first->info, &r->info),
				.arg = { rank_label(first) } });
	}
}

void
check_r17(struct verify *v, struct rank *none, const struct check *c)
{
	const char *text = NULL, *db = NULL;
	struct rank *r;

	(void)none;
	(void)c;
	for (size_t i = 0; (r = next_rank(v, &i)) != NULL;) {
		if (r->out.has[OUT_TRACE] && !r->out.has[OUT_DB])
			text = r->path;
		if (r->out.has[OUT_DB] && !r->out.has[OUT_TRACE])
			db = r->path;
	}
	if (text != NULL && db != NULL)
		find_add(
		    &v->finds, (struct find){ .id = CHECK_R17, .path = db });
}

/* The ids sorted, each once; blank ones left out. */
static long *
sorted_ids(struct verify *v, const struct rank *r, size_t *n)
{
	long *id = arena_alloc(&v->arena, (r->out.nstep + 1) * sizeof *id);

	*n = runs_steps(r, id);
	return id;
}

void
check_r18(struct verify *v, struct rank *none, const struct check *c)
{
	struct rank *r, *first = NULL;
	long *a = NULL, *b;
	size_t na = 0, nb;

	(void)none;
	(void)c;
	for (size_t i = 0; (r = next_rank(v, &i)) != NULL;) {
		if (r->out.nstep == 0 || r->out.nstep >= LIMIT_STEPS)
			continue;
		b = sorted_ids(v, r, &nb);
		if (nb == 0)
			continue;
		if (first == NULL) {
			first = r;
			a = b;
			na = nb;
		} else if (na != nb || memcmp(a, b, na * sizeof *a) != 0) {
			find_add(&v->finds,
			    (struct find){ .id = CHECK_R18,
				.path = r->path,
				.observed = say_ranges(&v->arena, b, nb),
				.expected = say_ranges(&v->arena, a, na),
				.ranks = rank_label(r) });
			return;
		}
	}
}

static int
size_order(const void *a, const void *b)
{
	unsigned long long x = *(const unsigned long long *)a,
			   y = *(const unsigned long long *)b;

	return x < y ? -1 : x > y;
}

void
check_r19(struct verify *v, struct rank *none, const struct check *c)
{
	size_t n = count_ranks(v), k = 0;
	unsigned long long *size, median;
	struct rank *r;

	(void)none;
	(void)c;
	if (n < 4)
		return;
	size = arena_alloc(&v->arena, n * sizeof *size);
	for (size_t i = 0; (r = next_rank(v, &i)) != NULL;)
		size[k++] = r->part_bytes[PART_DEVICE];
	qsort(size, n, sizeof *size, size_order);
	median = size[n / 2];
	for (size_t i = 0; (r = next_rank(v, &i)) != NULL;)
		if (r->nprof > 0 && !r->blind &&
		    r->part_bytes[PART_DEVICE] < median / LIMIT_OUTLIER &&
		    !find_failed(&r->finds, CHECK_P05) &&
		    !find_failed(&r->finds, CHECK_P06) &&
		    !find_failed(&r->finds, CHECK_P07))
			find_add(&r->finds,
			    (struct find){ .id = CHECK_R19,
				.path = r->path,
				.observed = say_size(
				    &r->arena, r->part_bytes[PART_DEVICE]),
				.expected = say_size(&r->arena, median) });
}

static int
failed_by(const struct rank *r, enum verdict verdict)
{
	for (size_t i = 0; i < r->finds.n; i++)
		if (r->finds.v[i].sev == SEV_FAIL &&
		    checks[r->finds.v[i].id].verdict == verdict)
			return 1;
	return 0;
}

void
check_r20(struct verify *v, struct rank *none, const struct check *c)
{
	struct find f = { .id = CHECK_R20 };
	unsigned long long raw = 0, room;
	struct statvfs st;
	struct rank *r, *at = NULL;
	int parse = 0;

	(void)none;
	(void)c;
	for (size_t i = 0; (r = next_rank(v, &i)) != NULL;) {
		if (failed_by(r, VERDICT_INCOMPLETE)) {
			at = r;
		} else if (failed_by(r, VERDICT_UNPARSED)) {
			at = r;
			parse = 1;
			raw += r->part_bytes[PART_DEVICE] +
			    r->part_bytes[PART_HOST];
		}
	}
	if (at == NULL || statvfs(at->path, &st) < 0)
		return;
	room = (unsigned long long)st.f_bavail * st.f_frsize;
	if (room < LIMIT_DISK)
		f.sev = SEV_FAIL;
	else if (parse && room < 3 * raw)
		f.sev = SEV_WARN;
	else if (!parse || room >= 20 * raw)
		return;
	f.path = at->path;
	f.observed = f.arg[0] = say_size(&v->arena, room);
	f.expected = say_size(&v->arena, 20 * raw);
	find_add(&v->finds, f);
}

void
check_r21(struct verify *v, struct rank *r, const struct check *c)
{
	(void)r;
	(void)c;
	if (v->nolder > 0)
		find_add(&v->finds,
		    (struct find){ .id = CHECK_R21,
			.arg = {
			    say_number(&v->arena, (long long)v->nolder) } });
}

void
check_o05(struct verify *v, struct rank *none, const struct check *c)
{
	size_t done = 0;
	struct rank *r;

	(void)none;
	(void)c;
	for (size_t i = 0; (r = next_rank(v, &i)) != NULL;)
		done += r->out.has[OUT_DONE];
	for (size_t i = 0; done > 0 && (r = next_rank(v, &i)) != NULL;)
		if (!r->out.has[OUT_DONE] && r->out.files > 0 && !r->blind &&
		    !find_failed(&r->finds, CHECK_D02) &&
		    !find_failed(&r->finds, CHECK_O06))
			find_add(&r->finds,
			    (struct find){ .id = CHECK_O05,
				.path = rank_path(r, "ASCEND_PROFILER_OUTPUT",
				    out_names[OUT_DONE], NULL) });
}

void
check_o29(struct verify *v, struct rank *none, const struct check *c)
{
	struct find f = { .id = CHECK_O29 };
	unsigned long long bytes = 0;
	size_t json = 0;
	struct rank *r;

	(void)none;
	(void)c;
	for (size_t i = 0; (r = next_rank(v, &i)) != NULL;) {
		json += r->out.json_files;
		bytes += r->out.bytes;
	}
	if (count_ranks(v) < 2 ||
	    (json <= LIMIT_JSON_FILES && bytes <= LIMIT_IMPORT))
		return;
	f.arg[0] = say_number(&v->arena, (long long)json);
	f.arg[1] = say_size(&v->arena, bytes);
	find_add(&v->finds, f);
}
