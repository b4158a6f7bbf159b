#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "list.h"
#include "verify.h"

struct reading {
	struct rank *r;
	struct side *side;
	int seen; /* something that the document must have */
};

void
info_init(struct info *i)
{
	*i = (struct info){ 0 };
	i->cpu = i->npu = i->memory = i->stack = i->modules = UNKNOWN;
	i->shapes = i->simplify = i->text = i->db = i->schedule = UNKNOWN;
	i->level = -1;
	i->wait = i->warmup = i->active = i->repeat = i->skip_first = -1;
	i->rank = i->file_rank = -1;
}

/* Digits only; anything else is unknown. */
static long
number(const char *s)
{
	char *end;
	long n;

	if (*s < '0' || *s > '9' || strlen(s) > 18)
		return -1;
	n = strtol(s, &end, 10);
	return *end == 0 ? n : -1;
}

static unsigned long long
large(const char *s)
{
	char *end;
	unsigned long long n;

	if (*s < '0' || *s > '9' || strlen(s) > 19)
		return 0;
	n = strtoull(s, &end, 10);
	return *end == 0 ? n : 0;
}

static int
truth(enum json_kind kind)
{
	return kind == JSON_TRUE ? YES : kind == JSON_FALSE ? NO : UNKNOWN;
}

long
info_name_rank(const char *name)
{
	static const char begin[] = "profiler_info";
	const char *s = name + sizeof begin - 1;
	size_t n;

	if (!str_begins(name, begin) || !str_ends(name, ".json"))
		return -2;
	if (*s == '.')
		return strcmp(s, ".json") == 0 ? -1 : -2;
	if (*s++ != '_')
		return -2;
	n = strspn(s, "0123456789");
	if (n == 0 || n > 9 || strcmp(s + n, ".json") != 0)
		return -2;
	return strtol(s, NULL, 10);
}

static int
level_of(const char *s)
{
	static const char *const names[] = { "Level_none", "Level0", "Level1",
		"Level2", NULL };

	for (int i = 0; names[i] != NULL; i++)
		if (strcmp(s, names[i]) == 0)
			return i;
	return -1;
}

static void
set_activity(struct info *i, enum json_kind kind, const char *s)
{
	if (kind == JSON_ARRAY)
		i->cpu = i->npu = NO;
	else if (strcmp(s, "ProfilerActivity.CPU") == 0)
		i->cpu = YES;
	else if (strcmp(s, "ProfilerActivity.NPU") == 0)
		i->npu = YES;
}

static void
set_export(struct info *i, enum json_kind kind, const char *s)
{
	if (kind == JSON_ARRAY || i->text == UNKNOWN)
		i->text = i->db = NO;
	if (strcmp(s, "text") == 0)
		i->text = YES;
	else if (strcmp(s, "db") == 0)
		i->db = YES;
	else if (kind == JSON_NULL)
		i->text = i->db = UNKNOWN;
}

static void
set_schedule(struct info *i, const char *name, const char *s)
{
	static const struct {
		const char *name;
		size_t at;
	} rows[] = {
		{ "wait", offsetof(struct info, wait) },
		{ "warmup", offsetof(struct info, warmup) },
		{ "active", offsetof(struct info, active) },
		{ "repeat", offsetof(struct info, repeat) },
		{ "skip_first", offsetof(struct info, skip_first) },
	};

	if (*name == '_')
		name++;
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
		if (strcmp(name, rows[k].name) == 0)
			*(long *)((char *)i + rows[k].at) = number(s);
}

static void
set_common(struct info *i, const char *name, enum json_kind kind, const char *s)
{
	if (strcmp(name, "activities") == 0 ||
	    strcmp(name, "activities[]") == 0)
		set_activity(i, kind, s);
	else if (strcmp(name, "schedule") == 0)
		i->schedule = kind == JSON_OBJECT;
	else if (str_begins(name, "schedule."))
		set_schedule(i, name + strlen("schedule."), s);
	else if (strcmp(name, "record_shapes") == 0)
		i->shapes = truth(kind);
	else if (strcmp(name, "profile_memory") == 0)
		i->memory = truth(kind);
	else if (strcmp(name, "with_stack") == 0)
		i->stack = truth(kind);
	else if (strcmp(name, "with_modules") == 0)
		i->modules = truth(kind);
}

static void
set_experimental(
    struct info *i, const char *name, enum json_kind kind, const char *s)
{
	if (strcmp(name, "_profiler_level") == 0)
		i->level = level_of(s);
	else if (strcmp(name, "_export_type") == 0 ||
	    strcmp(name, "_export_type[]") == 0)
		set_export(i, kind, s);
	else if (strcmp(name, "_data_simplification") == 0)
		i->simplify = truth(kind);
}

static uint64_t
hash(uint64_t h, const char *s)
{
	for (; *s != 0; s++)
		h = (h ^ (unsigned char)*s) * 1099511628211ULL;
	return (h ^ 0xff) * 1099511628211ULL;
}

/* Options in whatever order; not what names the process or the export. */
static void
mix_option(struct info *i, const char *path, enum json_kind kind, const char *s)
{
	uint64_t h = 14695981039346656037ULL;

	if (strstr(path, "on_trace_ready") == NULL &&
	    strstr(path, "_export_type") == NULL)
		i->options += hash(hash(h + (uint64_t)kind, path), s);
}

static const char *
keep(struct rank *r, const char *s)
{
	return *s == 0 ? NULL : arena_strdup(&r->arena, s);
}

static void
info_value(
    void *arg, const char *path, enum json_kind kind, const char *s, size_t len)
{
	static const char common[] = "config.common_config.",
			  experimental[] = "config.experimental_config.";
	struct reading *g = arg;
	struct info *i = &g->r->info;

	(void)len;
	if (str_begins(path, "config."))
		mix_option(i, path, kind, s);
	if (strcmp(path, "config") == 0)
		g->seen = kind == JSON_OBJECT;
	else if (str_begins(path, common))
		set_common(i, path + sizeof common - 1, kind, s);
	else if (str_begins(path, experimental))
		set_experimental(i, path + sizeof experimental - 1, kind, s);
	else if (strcmp(path, "start_info.start_monotonic") == 0)
		i->started = large(s);
	else if (strcmp(path, "end_info.MonotonicTimeEnd") == 0)
		i->ended = large(s);
	else if (strcmp(path, "end_info.collectionTimeEnd") == 0)
		i->ended_wall = large(s);
	else if (strcmp(path, "torch_npu_version") == 0)
		i->torch_npu = keep(g->r, s);
	else if (strcmp(path, "cann_version") == 0)
		i->cann = keep(g->r, s);
	else if (strcmp(path, "rank_id") == 0)
		i->rank = number(s);
}

static void
meta_value(
    void *arg, const char *path, enum json_kind kind, const char *s, size_t len)
{
	struct reading *g = arg;

	(void)len;
	(void)kind;
	if (strcmp(path, "distributed_args.rank") == 0)
		g->r->meta.rank = number(s);
	else if (strcmp(path, "distributed_args.world_size") == 0)
		g->r->meta.world = number(s);
}

static void
side_value(
    void *arg, const char *path, enum json_kind kind, const char *s, size_t len)
{
	struct reading *g = arg;

	(void)len;
	(void)kind;
	if (strcmp(path, "collectionTimeBegin") == 0) {
		g->side->begin_time = large(s);
	} else if (strcmp(path, "collectionTimeEnd") == 0) {
		g->side->end_time = large(s);
		g->seen = 1;
	} else if (strcmp(path, "prof_level") == 0) {
		if (s[0] == 'l' && s[1] >= '0' && s[1] <= '2' && s[2] == 0)
			g->side->level = s[1] - '0' + PROFILE_LEVEL0;
	}
}

static const char *
read_path(const struct reading *g, const char *name)
{
	if (g->side == NULL)
		return rank_path(g->r, name, NULL, NULL);
	return rank_path(
	    g->r, g->r->prof[g->side->prof].name, g->side->name, name);
}

/* A small document: 0; 1 when it is none or too large; -1 when it cannot be
 * read, which is noticed. */
static int
read_small(struct reading *g, int dirfd, const char *name,
    void (*value)(void *, const char *, enum json_kind, const char *, size_t))
{
	struct json_paths paths = { 0 };
	struct json_text text;
	struct json j = { 0 };
	struct buf b = { 0 };
	int r = list_slurp(dirfd, name, &b, LIMIT_SMALL);

	if (r < 0)
		notice_unreadable(g->r, read_path(g, name));
	if (r == 0) {
		text = (struct json_text){ b.s, b.len };
		j.read = json_read_text;
		j.from = &text;
		paths.value = value;
		paths.arg = g;
		r = json_scan_paths(&j, &paths) != JSON_OK;
	}
	buf_free(&b);
	return r;
}

void
info_read(struct rank *r, int dirfd, const char *name)
{
	struct reading g = { r, NULL, 0 };
	struct info *i = &r->info;

	if (i->there++ > 0)
		return;
	i->name = arena_strdup(&r->arena, name);
	i->broken = read_small(&g, dirfd, name, info_value);
	i->broken = i->broken > 0 || (i->broken == 0 && !g.seen);
	i->file_rank = info_name_rank(name);
}

void
meta_read(struct rank *r, int dirfd, const char *name)
{
	struct reading g = { r, NULL, 0 };

	r->meta.there = 1;
	if (read_small(&g, dirfd, name, meta_value) > 0) {
		r->meta.broken = 1;
		notice(r,
		    (struct find){ .id = CHECK_O24,
			.path = rank_path(r, name, NULL, NULL),
			.arg = { name } });
	}
}

void
side_read(struct rank *r, struct side *s, int dirfd, const char *name)
{
	struct reading g = { r, s, 0 };

	if (str_ends(name, ".done"))
		return;
	if (str_begins(name, "end_info")) {
		s->end = 1;
		if (read_small(&g, dirfd, name, side_value) > 0)
			s->end_bad = 1;
	} else if (str_begins(name, "start_info")) {
		s->start = 1;
		read_small(&g, dirfd, name, side_value);
	} else if (str_begins(name, "info.json")) {
		s->info = 1;
	} else if (strcmp(name, "sample.json") == 0) {
		s->sample = 1;
		read_small(&g, dirfd, name, side_value);
	}
}
