/*
 * The parsers' logs: each writes "NAME start." and, on success only,
 * "NAME finish.". Only what the newest parse wrote is looked at.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io.h"
#include "list.h"
#include "verify.h"

enum { NAME = 48, PARSERS = 48, LINE = 160 };

struct parsers {
	char name[PARSERS][NAME];
	int open[PARSERS];
	size_t n;
};

static const char *const errors[] = {
	"[ERROR]",
	"Failed to export CANN Profiling data",
	"'msprof' command not found",
	"Failed to find msprof.py path",
	"There are no kernel events in the msprof timeline",
	"Get timeline all data failed",
	"Failed to generate trace_view.json",
	"Failed to get the step range",
	"There are no flow events in the ProfilerStep#N range",
	"Failed to analyze CANN",
	NULL,
};

/* The word before at, which is a parser's name, or NULL. */
static const char *
word_before(const char *line, const char *at, char *name)
{
	const char *s = at;
	size_t n;

	while (s > line &&
	    ((s[-1] >= 'A' && s[-1] <= 'Z') || (s[-1] >= 'a' && s[-1] <= 'z')))
		s--;
	n = (size_t)(at - s);
	if (n == 0 || n >= NAME)
		return NULL;
	memcpy(name, s, n);
	name[n] = 0;
	return name;
}

static void
mark(struct parsers *p, const char *name, int open)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (strcmp(p->name[i], name) == 0)
			break;
	if (i == PARSERS)
		return;
	if (i == p->n) {
		memcpy(p->name[i], name, strlen(name) + 1);
		p->open[i] = 0;
		p->n++;
	}
	p->open[i] = open;
}

static void
see_line(struct rank *r, struct parsers *p, const char *line, size_t len)
{
	struct logs *g = &r->logs;
	char name[NAME];
	const char *at;

	if ((at = strstr(line, " start.")) != NULL) {
		if (word_before(line, at, name) != NULL)
			mark(p, name, 1);
	} else if ((at = strstr(line, " finish.")) != NULL) {
		if (word_before(line, at, name) != NULL)
			mark(p, name, 0);
	}
	for (int i = 0; errors[i] != NULL; i++) {
		if (strstr(line, errors[i]) == NULL)
			continue;
		if (strstr(line, "msprof") != NULL &&
		    (strstr(line, "not found") != NULL ||
			strstr(line, "Failed to find") != NULL))
			g->no_msprof = 1;
		if (g->errors < 3)
			g->error[g->errors] =
			    arena_dup(&r->arena, line, len < LINE ? len : LINE);
		g->errors++;
		return;
	}
}

static void
see_log(struct rank *r, struct parsers *p, int dirfd, const struct entry *e)
{
	struct buf b = { 0 };
	int fd = list_file(dirfd, e->name), got = -1;
	char *s, *nl;

	if (fd >= 0) {
		if (e->size > LIMIT_LOG)
			lseek(fd, (off_t)(e->size - LIMIT_LOG), SEEK_SET);
		got = io_slurp(fd, &b, 2 * LIMIT_LOG);
	}
	if (got < 0)
		notice_unreadable(r, rank_path(r, "logs", e->name, NULL));
	if (got >= 0 && b.len > 0) {
		for (s = b.s; s < b.s + b.len; s = nl + 1) {
			nl = memchr(s, '\n', (size_t)(b.s + b.len - s));
			if (nl == NULL)
				nl = b.s + b.len;
			*nl = 0;
			see_line(r, p, s, (size_t)(nl - s));
		}
	}
	if (fd >= 0)
		close(fd);
	buf_free(&b);
}

/* The digits behind profiler_, where it is a parser's log. */
static const char *
log_time(const struct entry *e)
{
	const char *s = e->name + strlen("profiler_");

	if (!S_ISREG(e->mode) || !str_begins(e->name, "profiler_") ||
	    strspn(s, "0123456789") != 14 || strstr(s, ".log") == NULL)
		return NULL;
	return s;
}

void
logs_read(struct rank *r, const struct listing *l)
{
	struct parsers p = { .n = 0 };
	const char *newest = NULL, *t;
	size_t read = 0;

	for (size_t i = 0; i < l->n; i++) {
		t = log_time(&l->v[i]);
		if (t == NULL)
			continue;
		r->logs.there = 1;
		if (strstr(t, "ProfilingParser") != NULL &&
		    (newest == NULL || strncmp(t, newest, 14) > 0))
			newest = t;
	}
	for (size_t i = l->n; i-- > 0 && read < LIMIT_LOGS;) {
		t = log_time(&l->v[i]);
		if (t == NULL || (newest != NULL && strncmp(t, newest, 14) < 0))
			continue;
		read++;
		see_log(r, &p, l->fd, &l->v[i]);
	}
	for (size_t i = 0; i < p.n; i++)
		if (p.open[i] &&
		    (r->logs.unfinished == NULL ||
			strcmp(p.name[i], "ProfilingParser") != 0))
			r->logs.unfinished = arena_strdup(&r->arena, p.name[i]);
}
