#include "profile.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "opt.h"
#include "strs.h"

#define TEXT TEXT_DEFINE
#include "profile.def"
#undef TEXT

enum { PROFILE_MAX_RANK = 9999999, PROFILE_MAX_RANKS = 1 << 20 };
#define PROFILE_MAX_STEP 999999999L

const char *const profile_keys[] = { "level", "step-start", "step-end", "ranks",
	"cpu", "memory", "stack", "shapes", "save-path", "export-type",
	"data-simplification", "backend", NULL };

static const char *const profile_levels[] = { "level_none", "level0", "level1",
	"level2", NULL };
static const char *const profile_exports[] = { "", "text", "db", NULL };
static const char *const profile_backends[] = { "mcore", "mcore-old",
	"mindspeed", "fsdp2", "auto", NULL };

void
profile_init(struct profile *p)
{
	*p = (struct profile){ .start = 2,
		.end = 4,
		.nrank = 1,
		.level = PROFILE_LEVEL1,
		.cpu = 1,
		.backend = PROFILE_BACKENDS };
	p->rank = mem_zero(1, sizeof *p->rank);
	p->save_path = mem_strdup("./profiling_output");
}

void
profile_free(struct profile *p)
{
	mem_free(p->rank);
	mem_free(p->save_path);
	p->rank = NULL;
	p->save_path = NULL;
}

static int *
profile_switch(struct profile *p, const char *key)
{
	const struct {
		const char *key;
		int *on;
	} table[] = { { "cpu", &p->cpu }, { "memory", &p->memory },
		{ "stack", &p->stack }, { "shapes", &p->shapes },
		{ "data-simplification", &p->simplification } };

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (strcmp(table[i].key, key) == 0)
			return table[i].on;
	return NULL;
}

static const struct text *
profile_set_steps(struct profile *p, const char *s)
{
	const char *colon = strchr(s, ':');
	int relative = *s == '+';
	long start, end;

	if (colon == NULL)
		return &T_PROFILE_STEPS;
	char *first = mem_dup(s + relative, (size_t)(colon - s - relative));
	int bad = opt_number(first, 0, PROFILE_MAX_STEP, &start);
	mem_free(first);
	if (bad || relative != (colon[1] == '+') ||
	    opt_number(colon + 1 + relative, relative ? 0 : -1,
		PROFILE_MAX_STEP, &end))
		return &T_PROFILE_STEPS;
	p->start = start;
	p->end = end;
	p->relative = relative;
	return NULL;
}

static const struct text *
profile_set_step(struct profile *p, const char *s, long *step, long min)
{
	if (opt_number(s, min, PROFILE_MAX_STEP, step))
		return &T_PROFILE_NUMBER;
	p->relative = 0;
	return NULL;
}

static int
profile_compare(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return x < y ? -1 : x > y;
}

/* A run of digits at *s, which moves behind it: its value, or -1. */
static long
profile_digits(const char **s)
{
	long n = -1;

	for (; **s >= '0' && **s <= '9' && n <= PROFILE_MAX_RANK; ++*s)
		n = (n < 0 ? 0 : n) * 10 + (**s - '0');
	return n <= PROFILE_MAX_RANK ? n : -1;
}

/* One rank or range at *s into the list; 0 or -1. */
static int
profile_range(const char **s, long **rank, size_t *n, size_t *cap)
{
	long from = profile_digits(s), to = from;

	if (from >= 0 && **s == '-') {
		++*s;
		to = profile_digits(s);
	}
	if (from < 0 || to < from || to - from >= PROFILE_MAX_RANKS)
		return -1;
	for (; from <= to; from++) {
		if (*n >= PROFILE_MAX_RANKS)
			return -1;
		*rank = mem_more(*rank, *n, cap, sizeof **rank);
		(*rank)[(*n)++] = from;
	}
	return 0;
}

static const struct text *
profile_set_list(struct profile *p, const char *s)
{
	long *rank = NULL;
	size_t n = 0, cap = 0, kept = 0;
	int bad;

	do {
		while (*s == ' ')
			s++;
		bad = profile_range(&s, &rank, &n, &cap);
		size_t blanks = strspn(s, " ");
		s += blanks;
		if (*s == ',')
			s++;
		else if (*s != '\0' && blanks == 0)
			bad = -1;
	} while (!bad && *s != '\0');
	if (bad || s[-1] == ',') {
		mem_free(rank);
		return &T_PROFILE_RANKS;
	}
	qsort(rank, n, sizeof *rank, profile_compare);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || rank[kept - 1] != rank[i])
			rank[kept++] = rank[i];
	mem_free(p->rank);
	p->rank = rank;
	p->nrank = kept;
	p->which = PROFILE_LIST;
	return NULL;
}

static const struct text *
profile_set_ranks(struct profile *p, const char *s)
{
	if (strcmp(s, "each-node") == 0)
		p->which = PROFILE_EACH_NODE;
	else if (strcmp(s, "all") == 0 || strcmp(s, "-1") == 0)
		p->which = PROFILE_ALL;
	else
		return profile_set_list(p, s);
	p->nrank = 0;
	return NULL;
}

static const struct text *
profile_set_level(struct profile *p, const char *s)
{
	int i;

	if (s[0] >= '0' && s[0] <= '2' && s[1] == '\0')
		i = s[0] - '0' + 1;
	else if (opt_choice(s, profile_levels, &i))
		return &T_PROFILE_LEVEL;
	p->level = (enum profile_level)i;
	return NULL;
}

static const struct text *
profile_set_name(struct profile *p, const char *key, const char *s)
{
	int i;

	if (strcmp(key, "export-type") == 0) {
		if (*s == '\0' || opt_choice(s, profile_exports, &i))
			return &T_PROFILE_EXPORT;
		p->export = (enum profile_export)i;
	} else if (strcmp(key, "backend") == 0) {
		if (opt_choice(s, profile_backends, &i))
			return &T_PROFILE_BACKEND;
		p->backend = (enum profile_backend)i;
	} else if (strcmp(key, "save-path") == 0) {
		if (*s == '\0')
			return &T_PROFILE_NO_PATH;
		char *path = mem_strdup(s);
		mem_free(p->save_path);
		p->save_path = path;
	}
	return NULL;
}

const struct text *
profile_set(struct profile *p, const char *key, const char *value)
{
	int *on = profile_switch(p, key);

	if (on != NULL)
		return opt_bool(value, on) ? &T_PROFILE_SWITCH : NULL;
	if (strcmp(key, "steps") == 0)
		return profile_set_steps(p, value);
	if (strcmp(key, "step-start") == 0)
		return profile_set_step(p, value, &p->start, 0);
	if (strcmp(key, "step-end") == 0)
		return profile_set_step(p, value, &p->end, -1);
	if (strcmp(key, "ranks") == 0)
		return profile_set_ranks(p, value);
	if (strcmp(key, "level") == 0)
		return profile_set_level(p, value);
	return profile_set_name(p, key, value);
}

/* The list with runs of three and more as ranges. */
static void
profile_get_ranks(const struct profile *p, struct buf *b)
{
	size_t run;

	if (p->which != PROFILE_LIST)
		buf_adds(b, p->which == PROFILE_ALL ? "all" : "each-node");
	for (size_t i = 0; i < p->nrank; i += run) {
		for (run = 1; i + run < p->nrank &&
		     p->rank[i + run] == p->rank[i] + (long)run;)
			run++;
		if (run < 3)
			run = 1;
		buf_addf(b, "%s%ld", i == 0 ? "" : ",", p->rank[i]);
		if (run > 1)
			buf_addf(b, "-%ld", p->rank[i + run - 1]);
	}
}

int
profile_get(const struct profile *p, const char *key, struct buf *b)
{
	const int *on = profile_switch((struct profile *)p, key);
	const char *plus = p->relative ? "+" : "";

	if (on != NULL)
		buf_adds(b, *on ? "on" : "off");
	else if (strcmp(key, "steps") == 0)
		buf_addf(b, "%s%ld:%s%ld", plus, p->start, plus, p->end);
	else if (strcmp(key, "step-start") == 0)
		buf_addf(b, "%s%ld", plus, p->start);
	else if (strcmp(key, "step-end") == 0)
		buf_addf(b, "%s%ld", plus, p->end);
	else if (strcmp(key, "ranks") == 0)
		profile_get_ranks(p, b);
	else if (strcmp(key, "level") == 0)
		buf_adds(b, profile_levels[p->level]);
	else if (strcmp(key, "save-path") == 0)
		buf_adds(b, p->save_path);
	else if (strcmp(key, "export-type") == 0 &&
	    p->export != PROFILE_EXPORT_DEFAULT)
		buf_adds(b, profile_exports[p->export]);
	else if (strcmp(key, "backend") == 0 && p->backend != PROFILE_BACKENDS)
		buf_adds(b, profile_backends[p->backend]);
	else
		return -1;
	return 0;
}

const struct text *
profile_check(const struct profile *p)
{
	if (p->start < 1)
		return &T_PROFILE_START;
	if (p->end <= p->start && p->end != -1)
		return &T_PROFILE_ORDER;
	return NULL;
}

/* torch_npu takes [./_\-\s~0-9A-Za-z] and CJK ideographs (U+4E00-U+9FA5). */
const char *
profile_bad_path(const char *s)
{
	static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "abcdefghijklmnopqrstuvwxyz"
				   "0123456789./_-~ \t\n\r\f\v";

	while (*s != '\0') {
		const unsigned char *u = (const unsigned char *)s;
		if (strchr(good, *s) != NULL) {
			s++;
			continue;
		}
		if (u[0] < 0xe4 || u[0] > 0xe9 || (u[1] & 0xc0) != 0x80 ||
		    (u[2] & 0xc0) != 0x80)
			return s;
		unsigned long c = (u[0] & 0xfUL) << 12 | (u[1] & 0x3fUL) << 6 |
		    (u[2] & 0x3fUL);
		if (c < 0x4e00 || c > 0x9fa5)
			return s;
		s += 3;
	}
	return NULL;
}

const char *
profile_backend_name(enum profile_backend b)
{
	return b < PROFILE_BACKENDS ? profile_backends[b] : NULL;
}

void
profile_each_node(struct profile *p, long npus, long world)
{
	size_t cap = 0;

	mem_free(p->rank);
	p->rank = NULL;
	p->nrank = 0;
	p->which = PROFILE_LIST;
	for (long r = 0; r < world && npus > 0; r += npus) {
		p->rank = mem_more(p->rank, p->nrank, &cap, sizeof *p->rank);
		p->rank[p->nrank++] = r;
	}
}

int
profile_has_rank(const struct profile *p, long rank)
{
	if (p->which == PROFILE_ALL)
		return 1;
	return p->nrank != 0 &&
	    bsearch(&rank, p->rank, p->nrank, sizeof rank, profile_compare);
}

/* torch_npu's schedule with one repetition: what a step is. */
enum profile_action { ACTION_NONE, ACTION_WARMUP, ACTION_RECORD };
struct profile_schedule {
	long skip, warmup, active;
};

static enum profile_action
profile_at(const struct profile_schedule *s, long step)
{
	step -= s->skip;
	if (step < 0 || step >= s->warmup + s->active)
		return ACTION_NONE;
	return step < s->warmup ? ACTION_WARMUP : ACTION_RECORD;
}

/* 0, or -1: the backend refuses the request. */
static int
profile_plan(const struct profile *p, enum profile_backend b, long loaded,
    struct profile_schedule *s)
{
	s->active = p->end - p->start;
	switch (b) {
	case PROFILE_MCORE:
		s->skip = p->start - loaded - 2;
		s->warmup = p->start != loaded + 1;
		if (p->start <= loaded || p->start < 1)
			return -1;
		break;
	case PROFILE_FSDP2:
		s->skip = p->start - 1;
		s->warmup = p->start != 0;
		if (p->end == -1)
			s->active = PROFILE_END;
		else if (p->start < 0 || s->active <= 0)
			return -1;
		break;
	default: s->skip = p->start; s->warmup = b == PROFILE_MCORE_OLD;
	}
	if (s->skip < 0)
		s->skip = 0;
	if (s->active <= 0)
		s->active = 1;
	return 0;
}

void
profile_window(const struct profile *p, enum profile_backend b, long loaded,
    long until, struct profile_window *w)
{
	struct profile_schedule s;

	*w = (struct profile_window){ .outcome = PROFILE_ERROR };
	if (profile_plan(p, b, loaded, &s))
		return;
	long first = s.skip + s.warmup + 1, last = first + s.active - 1;
	long steps = until == 0 ? last : until - loaded;
	if (s.active == PROFILE_END && until == 0)
		steps = first;
	if (steps < first) {
		enum profile_action a =
		    steps <= 0 ? ACTION_NONE : profile_at(&s, steps);
		w->outcome = a == ACTION_NONE ? PROFILE_NOTHING
		    : a == ACTION_WARMUP      ? PROFILE_DELETED
					      : PROFILE_NO_STEPS;
		return;
	}
	w->first = loaded + first;
	if (s.active == PROFILE_END) {
		w->outcome = PROFILE_WHOLE;
		w->last = until == 0 ? PROFILE_END : until;
	} else if (steps < last) {
		w->outcome = PROFILE_CUT;
		w->last = until;
	} else {
		w->outcome = PROFILE_WHOLE;
		w->last = w->written = loaded + last;
	}
}

void
profile_absolute(struct profile *p, enum profile_backend b, long loaded)
{
	if (p->relative && b == PROFILE_MCORE) {
		p->start += loaded;
		p->end += loaded;
	}
	p->relative = 0;
}

int
profile_is_trace(const char *name)
{
	return str_ends(name, "_ascend_pt") || str_ends(name, "_ascend_ms");
}
