#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io.h"
#include "path.h"
#include "rec.h"
#include "run.h"

enum { REPORT_PATIENCE = 5000 };

/* Waits a while for a reader of standard error; 0 when it can be written. */
static int
report_ready(void)
{
	struct pollfd p = { 2, POLLOUT, 0 };

	return poll(&p, 1, REPORT_PATIENCE) == 1 ? 0 : -1;
}

static void
report_say(
    enum err_level level, const struct text *t, const char *a, const char *b)
{
	if (report_ready() == 0)
		err_say(level, ERR_NOWHERE, t, a, b);
}

/* Lines below a message, each indented by two. */
static void
report_line(struct buf *b, const struct text *t, const char *a, const char *c)
{
	buf_adds(b, "  ");
	text_add(b, t, a, c);
	buf_addc(b, '\n');
}

static void
report_lines(struct buf *b)
{
	if (b->len > 0 && report_ready() == 0)
		(void)io_write_all(2, b->s, b->len);
	buf_free(b);
}

static void
report_hint(
    struct buf *b, const struct run_follow *f, const struct symptom_report *r)
{
	char line[32];

	if (r->cause == SYMPTOM_NONE) {
		report_line(b, &T_NO_CAUSE,
		    f->own.fd >= 0 ? f->own.path : f->names->log, "");
		return;
	}
	if (str_begins(r->found[0].rule->cause.id, "MEM01") &&
	    f->place->batch_line > 0) {
		snprintf(line, sizeof line, "%zu", f->place->batch_line);
		report_line(b, &T_BATCH_LINE, line, "");
	}
}

static void
report_failed(const struct run_follow *f, const struct script *script,
    const struct run_status *s, const struct symptom_report *r)
{
	struct buf b = { 0 };
	char code[32], own[32], n[32];

	snprintf(code, sizeof code, "%d", s->exit);
	snprintf(own, sizeof own, "%d", s->script);
	report_say(ERR_ERROR, &T_FAILED, code, "");
	symptom_tell(&b, r, 0);
	report_hint(&b, f, r);
	if (s->from == FROM_PIPE && s->script != s->exit)
		report_line(&b, &T_OWN_STATUS, script->name, own);
	if (s->from == FROM_LOG)
		report_line(&b, &T_LOG_STATUS, script->name, own);
	if (r->written > 0) {
		snprintf(n, sizeof n, "%ld", r->written);
		report_line(&b, &T_TRACE_THERE, n, "");
	}
	report_lines(&b);
}

static void
report_stopped(const struct run_follow *f)
{
	char n[32];
	const struct text *t = &T_SIGNALLED;

	snprintf(n, sizeof n, "%ld", f->late ? f->limit / 1000 : f->signal);
	if (f->signal == 0)
		t = &T_LATE;
	report_say(ERR_ERROR, t, n, "");
	snprintf(n, sizeof n, "%ld", f->grace / 1000);
	if (f->killed)
		report_say(ERR_WARNING,
		    f->hurried ? &T_KILLED_AT_ONCE : &T_KILLED, n, "");
}

static void
report_rest(const struct run_follow *f, const struct run_status *s,
    const struct symptom_report *r)
{
	struct buf b = { 0 };

	if (s->exit == 0) {
		symptom_tell(&b, r, 1);
		if (b.len > 0)
			report_say(ERR_WARNING, &T_FINISHED_BUT, "", "");
		report_lines(&b);
	}
	if (f->full)
		report_say(ERR_ERROR, &T_DISK_FULL, f->names->log, "");
	if (f->unread != 0)
		report_say(
		    ERR_ERROR, &T_LIB_READ, f->names->log, strerror(f->unread));
	struct run_group g = f->group;
	struct buf names = { 0 };
	g.known = NULL;
	g.n = g.cap = 0;
	if (group_names(&g, &names) > 0)
		report_say(ERR_WARNING, &T_LEFT, names.s, "");
	group_free(&g);
	buf_free(&names);
}

void
report_end(const struct run_follow *f, const struct script *script,
    const struct run_status *s, const struct symptom_report *r)
{
	if (f->signal != 0 || f->late)
		report_stopped(f);
	else if (s->exit != 0)
		report_failed(f, script, s, r);
	report_rest(f, s, r);
}

static void
report_run(struct buf *b, const char *key, const char *value)
{
	const char *field[] = { key, value };

	rec_put(b, REC_TSV, REC_RUN, field);
}

static void
report_run_number(struct buf *b, const char *key, long long n)
{
	struct buf s = { 0 };

	buf_addf(&s, "%lld", n);
	report_run(b, key, s.s);
	buf_free(&s);
}

static void
report_want(struct buf *b, const struct run_place *place)
{
	struct buf value = { 0 };

	if (!place->profiles)
		return;
	for (size_t i = 0; profile_keys[i] != NULL; i++) {
		buf_reset(&value);
		if (profile_get(&place->want, profile_keys[i], &value) < 0)
			continue;
		const char *field[] = { profile_keys[i],
			value.s != NULL ? value.s : "" };
		rec_put(b, REC_TSV, REC_WANT, field);
	}
	buf_free(&value);
}

static void
report_outputs(struct buf *b, const struct run_follow *f)
{
	const struct strs *l =
	    f->place->save != NULL ? &f->output.after : &f->parsed;

	for (size_t i = 0; i < l->n; i++)
		report_run(b, "output", l->s[i]);
}

void
report_record(struct buf *b, const struct run_follow *f,
    const struct script *script, const struct run_status *s,
    const struct symptom_report *r)
{
	static const char *const from[] = { "pipe", "script", "log" };
	char host[256];

	if (gethostname(host, sizeof host) < 0)
		host[0] = '\0';
	host[sizeof host - 1] = '\0';
	report_run(
	    b, "script", script->path != NULL ? script->path : f->names->sh);
	report_run(b, "log", f->names->log);
	report_outputs(b, f);
	report_run(b, "host", host);
	report_run_number(b, "start", f->epoch);
	report_run_number(b, "seconds", (f->ended - f->began + 500) / 1000);
	report_run_number(b, "exit", s->exit);
	report_run(b, "status-from", from[s->from]);
	report_run(b, "ranks-here", f->place->ranks_here);
	report_want(b, f->place);
	symptom_put(b, REC_TSV, r);
	rec_sum(b, REC_TSV, "ended", NULL);
}

int
report_write(const struct run_names *n, const struct buf *b)
{
	int fd = io_open(n->tsv, O_WRONLY | O_CREAT | O_EXCL, 0666);
	int e = errno;

	if (fd >= 0) {
		if (io_write_all(fd, b->s, b->len) < 0)
			e = errno;
		else if (close(fd) < 0)
			e = errno;
		else
			return 0;
		(void)unlink(n->tsv);
	}
	report_say(ERR_ERROR, &T_LIB_WRITE, n->tsv, strerror(e));
	return -1;
}
