#include "expect.h"

#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "list.h"
#include "mem.h"
#include "opt.h"
#include "verify.h"

static const struct {
	const char *key;
	enum expect_key bit;
} keys[] = {
	{ "steps", EXPECT_STEPS },
	{ "step-start", EXPECT_STEPS },
	{ "step-end", EXPECT_STEPS },
	{ "ranks", EXPECT_RANKS },
	{ "level", EXPECT_LEVEL },
	{ "cpu", EXPECT_CPU },
	{ "memory", EXPECT_MEMORY },
	{ "stack", EXPECT_STACK },
	{ "shapes", EXPECT_SHAPES },
	{ "export-type", EXPECT_EXPORT },
	{ "data-simplification", EXPECT_SIMPLIFY },
	{ "save-path", EXPECT_SAVE_PATH },
	{ "backend", EXPECT_BACKEND },
};

void
expect_init(struct expect *e)
{
	*e = (struct expect){ 0 };
	profile_init(&e->profile);
}

void
expect_free(struct expect *e)
{
	profile_free(&e->profile);
	strs_free(&e->output);
	strs_free(&e->log);
	mem_free(e->script);
	mem_free(e->status_from);
	mem_free(e->asked_script);
	mem_free(e->here);
	mem_free(e->cause_kind);
	mem_free(e->cause_id);
	mem_free(e->cause_count);
	mem_free(e->cause_file);
	mem_free(e->cause_line);
	mem_free(e->cause_text);
	mem_free(e->cause);
	mem_free(e->cause_remedy);
}

const struct text *
expect_set(struct expect *e, const char *key, const char *value)
{
	const struct text *wrong = profile_set(&e->profile, key, value);

	if (wrong != NULL)
		return wrong;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strcmp(keys[i].key, key) == 0)
			e->known |= (unsigned)keys[i].bit;
	return NULL;
}

static void
set(char **to, const char *s)
{
	mem_free(*to);
	*to = s != NULL ? mem_strdup(s) : NULL;
}

/* "2-3", or "2"; the first and the last iteration. */
static void
set_window(struct expect *e, const char *s)
{
	char *end;
	long a = strtol(s, &end, 10), b = a;

	if (end != s && *end == '-')
		b = strtol(end + 1, &end, 10);
	if (end != s && *end == 0 && a > 0 && b >= a) {
		e->first = a;
		e->last = b;
	}
}

/* Ranks as profile_set takes them; nothing: none of them is here. */
static void
set_here(struct expect *e, const char *s)
{
	struct profile p;

	profile_init(&p);
	e->here_known = 0;
	if (*s == 0 || strcmp(s, "none") == 0) {
		e->here_known = 1;
	} else if (profile_set(&p, "ranks", s) == NULL &&
	    p.which == PROFILE_LIST) {
		mem_free(e->here);
		e->here = mem_resize(NULL, p.nrank + 1, sizeof *e->here);
		e->nhere = p.nrank;
		memcpy(e->here, p.rank, p.nrank * sizeof *e->here);
		e->here_known = 1;
	}
	profile_free(&p);
}

static void
read_run(struct expect *e, const char *key, const char *value)
{
	long n;

	e->record = 1;
	if (strcmp(key, "script") == 0)
		set(&e->script, value);
	else if (strcmp(key, "log") == 0)
		strs_add(&e->log, value);
	else if (strcmp(key, "output") == 0)
		strs_add(&e->output, value);
	else if (strcmp(key, "status-from") == 0)
		set(&e->status_from, value);
	else if (strcmp(key, "ranks-here") == 0)
		set_here(e, value);
	else if (strcmp(key, "start") == 0 &&
	    opt_number(value, 0, 1L << 40, &n) == 0)
		e->start = n;
	else if (strcmp(key, "exit") == 0 && opt_number(value, 0, 255, &n) == 0)
		e->exit = n;
}

static void
read_want(struct expect *e, const char *key, const char *value)
{
	if (strcmp(key, "records") == 0)
		set_window(e, value);
	else if (strcmp(key, "script") == 0)
		set(&e->asked_script, value);
	else
		expect_set(e, key, value);
}

/* order kind id file line count text cause remedy: the first is the cause */
static void
read_cause(struct expect *e, const struct rec *r)
{
	if (e->cause_text != NULL || r->nfield < 7 || r->field[6] == NULL)
		return;
	set(&e->cause_kind, r->field[1]);
	set(&e->cause_id, r->field[2]);
	set(&e->cause_count, r->field[5]);
	set(&e->cause_file, r->field[3]);
	set(&e->cause_line, r->field[4]);
	set(&e->cause_text, r->field[6]);
	set(&e->cause, r->nfield > 7 ? r->field[7] : NULL);
	set(&e->cause_remedy, r->nfield > 8 ? r->field[8] : NULL);
}

static void
read_record(struct expect *e, const struct rec *r, int *end)
{
	int pair = r->nfield >= 2 && r->field[0] != NULL && r->field[1] != NULL;

	*end = 0;
	if (r->kind == REC_RUN && pair)
		read_run(e, r->field[0], r->field[1]);
	else if (r->kind == REC_WANT && pair)
		read_want(e, r->field[0], r->field[1]);
	else if (r->kind == REC_CAUSE)
		read_cause(e, r);
	else if (r->kind == REC_SUM && r->nfield > 0 && r->field[0] != NULL) {
		*end = 1;
		e->started = strcmp(r->field[0], "ended") == 0;
	}
}

int
expect_read(struct expect *e, const char *s, size_t len)
{
	const char *end = s + len;
	const struct text *why = NULL;
	struct rec r = { 0 };
	int got, last = 0;

	if (len == 0) {
		err_say(ERR_NOTE, ERR_NOWHERE, &T_LIB_NOTHING);
		return -1;
	}
	while ((got = rec_next(&r, &s, end)) == 1)
		read_record(e, &r, &last);
	rec_free(&r);
	if (!e->record)
		why = &T_NO_RECORD;
	else if (got < 0 || !last)
		why = &T_CUT_RECORD;
	else if (!e->started)
		why = &T_NOT_STARTED;
	if (why != NULL) {
		err_say(ERR_ERROR, ERR_NOWHERE, why);
		return -1;
	}
	e->failed = e->exit != 0;
	return 0;
}

void
expect_finish(struct expect *e)
{
	struct profile_window w;

	if (e->first > 0 || (e->known & EXPECT_STEPS) == 0 ||
	    e->profile.backend == PROFILE_BACKENDS || e->profile.relative)
		return;
	profile_window(&e->profile, e->profile.backend, 0, 0, &w);
	if (w.outcome == PROFILE_WHOLE && w.last < PROFILE_END) {
		e->first = w.first;
		e->last = w.last;
	}
}

int
expect_ranks(
    const struct expect *e, long world, struct arena *a, long **rank, size_t *n)
{
	const struct profile *p = &e->profile;
	const long *from = p->rank;

	*n = p->nrank;
	if (e->here_known) {
		from = e->here;
		*n = e->nhere;
	} else if ((e->known & EXPECT_RANKS) == 0) {
		return -1;
	} else if (p->which == PROFILE_ALL) {
		if (world < 1 || world > 1 << 20)
			return -1;
		from = NULL;
		*n = (size_t)world;
	} else if (p->which != PROFILE_LIST) {
		return -1;
	}
	*rank = arena_alloc(a, (*n + 1) * sizeof **rank);
	for (size_t i = 0; i < *n; i++)
		(*rank)[i] = from != NULL ? from[i] : (long)i;
	return 0;
}
