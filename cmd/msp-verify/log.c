/*
 * What the training's log says: alone (--log without a directory), or as the
 * first cause of a profile that is not there.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symptom.h"
#include "verify.h"

/* The diagnosis of the files: 1 a cause, 0 none, -1 after saying why not. */
static int
diagnose(struct verify *v, char **file, size_t n, enum symptom_run run)
{
	struct symptom *s = symptom_new();
	const struct symptom_report *r;
	int found = -1;
	size_t read = 0;

	if (v->rules == NULL || symptom_rules(s, v->rules) == 0)
		while (read < n && symptom_file(s, file[read]) == 0)
			read++;
	if (read == n && n > 0) {
		r = symptom_report(s, run);
		found = r->cause != SYMPTOM_NONE;
		v->progress = r->done || r->iteration >= 0;
		buf_reset(&v->told);
		buf_reset(&v->causes);
		if (v->format != REC_TEXT)
			symptom_put(&v->causes, v->format, r);
		else if (found)
			symptom_tell(&v->told, r, 0);
	}
	symptom_free(s);
	return found;
}

/* Of a run of which nothing else is known: where it never came to an
 * iteration it failed, whatever the log says. */
static int
diagnose_given(struct verify *v)
{
	int found = diagnose(v, v->log, v->nlog, SYMPTOM_UNKNOWN);

	if (found == 0 && !v->progress)
		found = diagnose(v, v->log, v->nlog, SYMPTOM_FAILED);
	return found;
}

int
log_alone(struct verify *v, struct buf *b)
{
	int found = diagnose_given(v);

	if (found < 0)
		return -1;
	if (v->format != REC_TEXT) {
		buf_add(b, v->causes.s, v->causes.len);
		rec_sum(b, v->format, found ? "cause" : "no-cause",
		    (const char *const[]){ NULL });
		return found;
	}
	buf_addf(b, "%s: ", err_program());
	text_add(b, found ? &T_LOG_CAUSE : &T_LOG_NONE);
	buf_addc(b, '\n');
	if (!v->quiet)
		buf_add(b, v->told.s, v->told.len);
	return found;
}

/* The cause as msp-run's record has it. */
static void
from_record(struct verify *v)
{
	const struct expect *e = v->expect;
	const char *field[] = { "1", e->cause_kind, e->cause_id, e->cause_file,
		e->cause_line, e->cause_count, e->cause_text, e->cause,
		e->cause_remedy };
	struct buf *b = &v->told;

	if (e->cause_text == NULL)
		return;
	if (v->format != REC_TEXT) {
		rec_put(&v->causes, v->format, REC_CAUSE, field);
		return;
	}
	buf_adds(b, "  ");
	text_add(b, &T_SAY_CAUSE, e->cause_line != NULL ? e->cause_line : "?",
	    e->cause_file != NULL ? e->cause_file : "?");
	buf_adds(b, "\n      ");
	esc_add(b, e->cause_text, strlen(e->cause_text));
	if (e->cause != NULL && e->cause_id != NULL) {
		buf_adds(b, "\n  ");
		esc_add(b, e->cause, strlen(e->cause));
		buf_addf(b, " [%s]", e->cause_id);
	}
	if (e->cause_remedy != NULL) {
		buf_adds(b, "\n      ");
		esc_add(b, e->cause_remedy, strlen(e->cause_remedy));
	}
	buf_addc(b, '\n');
}

int
log_explain(struct verify *v)
{
	const struct expect *e = v->expect;
	int good = v->verdict == VERDICT_COMPLETE ||
	    v->verdict == VERDICT_DEGRADED || v->verdict == VERDICT_NOTHING ||
	    v->verdict == VERDICT_RUNNING;
	enum symptom_run run = e->failed ? SYMPTOM_FAILED : SYMPTOM_ENDED;

	if (good && !e->failed)
		return 0;
	if (v->nlog > 0)
		return diagnose_given(v) < 0 ? -1 : 0;
	if (e->log.n > 0 && access(e->log.s[0], R_OK) == 0 &&
	    diagnose(v, e->log.s, 1, run) > 0)
		return 0;
	buf_reset(&v->causes);
	from_record(v);
	return 0;
}
