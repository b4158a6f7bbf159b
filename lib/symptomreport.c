#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "symptomin.h"

/* What a log's cause may be: the better kinds first. */
enum { CHOICE_SURE, CHOICE_ANY, CHOICE_ELSEWHERE, CHOICE_NONE };
struct symptom_choice {
	int kind;
	size_t log, rule;
	const struct symptom_place *place;
	int low; /* it only counts when there is nothing else */
};

/* The same text but for numbers, which differ between ranks. */
static int
symptom_alike(const struct symptom_place *a, const struct symptom_place *b)
{
	size_t i = 0, j = 0;

	for (;;) {
		while (i < a->len && a->text[i] >= '0' && a->text[i] <= '9')
			i++;
		while (j < b->len && b->text[j] >= '0' && b->text[j] <= '9')
			j++;
		if (i == a->len || j == b->len)
			return i == a->len && j == b->len;
		if (a->text[i++] != b->text[j++])
			return 0;
	}
}

/* Nothing ordinary came behind it, or hardly anything. */
static int
symptom_at_end(const struct symptom_log *log, const struct symptom_place *p)
{
	return p->line != 0 &&
	    (p->block == log->block || log->lines - p->line <= SYMPTOM_CLOSE);
}

/* The last block in which there is something of this kind that counts. */
static size_t
symptom_last_block(
    const struct symptom *s, const struct symptom_log *log, int secondary)
{
	size_t last = 0;

	for (size_t i = 0; i < s->nrule; i++) {
		const struct symptom_rule *r = &s->rule[i];
		const struct symptom_place *p = &log->slot[i].last;
		int wanted = !secondary ||
		    (r->kind == SYMPTOM_SECONDARY &&
			(r->flags & SYMPTOM_PROOF) == 0);
		if (p->line != 0 && (r->flags & SYMPTOM_KEPT) == 0 && wanted &&
		    p->block > last)
			last = p->block;
	}
	return last;
}

/*
 * Where a primary rule's lines may be the cause, or NULL. Programs try things,
 * say so, and go on; so of what is also said without harm only that counts
 * which no consequence parts from the end, and which a process died of, or
 * which is the end.
 */
static const struct symptom_place *
symptom_candidate(const struct symptom *s, const struct symptom_log *log,
    size_t rule, enum symptom_run run)
{
	const struct symptom_slot *slot = &log->slot[rule];
	const struct symptom_place *p = &slot->last;
	int weak = (s->rule[rule].flags & SYMPTOM_WEAK) != 0;

	if (s->rule[rule].kind != SYMPTOM_PRIMARY ||
	    (s->rule[rule].flags & SYMPTOM_KEPT) != 0)
		return NULL;
	if (!weak && log->progress)
		p = &slot->any;
	if (p->line == 0)
		return NULL;
	if (p->epoch < log->epoch && !log->proof && run != SYMPTOM_FAILED)
		return NULL;
	if (weak && log->fatal)
		return p->fatal ? p : NULL;
	if (weak &&
	    (symptom_last_block(s, log, 1) > p->block ||
		!(log->proof || symptom_at_end(log, p))))
		return NULL;
	return p;
}

/*
 * Before any progress, what ended the process stands in the last block that
 * nothing ordinary follows, and its first cause counts. Behind progress the
 * earliest counts; what programs also say without harm, if it is in the last
 * block, and failing all else wherever it is.
 */
static int
symptom_better_place(const struct symptom_log *log, size_t last,
    const struct symptom_place *a, int weak, const struct symptom_choice *c)
{
	const struct symptom_place *b = c->place;

	if (b == NULL)
		return 1;
	if ((a->epoch < log->epoch) != (b->epoch < log->epoch) && !log->proof)
		return a->epoch > b->epoch;
	if (!log->progress) {
		if (a->block != b->block)
			return a->block > b->block;
		return a->line < b->line;
	}
	int low = weak && a->block != last, low_b = c->low;
	if (low != low_b)
		return low < low_b;
	if (low && a->block != b->block)
		return a->block > b->block;
	return a->line < b->line;
}

static void
symptom_choose_sure(const struct symptom *s, size_t l, enum symptom_run run,
    struct symptom_choice *c)
{
	const struct symptom_log *log = &s->log[l];
	size_t last = symptom_last_block(s, log, 0);

	for (size_t i = 0; i < s->nrule; i++) {
		const struct symptom_place *p =
		    symptom_candidate(s, log, i, run);
		int weak = (s->rule[i].flags & SYMPTOM_WEAK) != 0;
		if (p != NULL && symptom_better_place(log, last, p, weak, c))
			*c = (struct symptom_choice){ CHOICE_SURE, l, i, p,
				weak && p->block != last };
	}
	if (c->place == NULL)
		return;
	/* said before, and of the same failure: then that is where it began */
	const struct symptom_place *first = &log->slot[c->rule].first;
	if (first->line != 0 &&
	    ((s->rule[c->rule].flags & SYMPTOM_WEAK) == 0 ||
		symptom_alike(first, c->place)))
		c->place = first->line < c->place->line ? first : c->place;
}

/* Only what follows from a cause that is not here. */
static void
symptom_choose_elsewhere(
    const struct symptom *s, size_t l, struct symptom_choice *c)
{
	for (size_t i = 0; i < s->nrule; i++) {
		const struct symptom_place *p = &s->log[l].slot[i].any;
		if (p->line != 0 && s->rule[i].kind == SYMPTOM_SECONDARY &&
		    (c->place == NULL || p->line < c->place->line))
			*c = (struct symptom_choice){ CHOICE_ELSEWHERE, l, i, p,
				0 };
	}
}

/* Nothing else: the last that was said at the end. */
static void
symptom_choose_any(const struct symptom *s, size_t l, struct symptom_choice *c)
{
	for (size_t i = 0; i < s->nrule; i++) {
		const struct symptom_place *p = &s->log[l].slot[i].tail;
		if (s->rule[i].kind == SYMPTOM_PRIMARY &&
		    (s->rule[i].flags & SYMPTOM_KEPT) == 0 && p->line != 0 &&
		    p->block == s->log[l].block &&
		    (c->place == NULL || p->line > c->place->line))
			*c = (struct symptom_choice){ CHOICE_ANY, l, i, p, 0 };
	}
}

static void
symptom_choose(const struct symptom *s, size_t l, enum symptom_run run,
    struct symptom_choice *c)
{
	*c = (struct symptom_choice){ .kind = CHOICE_NONE };
	symptom_choose_sure(s, l, run, c);
	if (c->place == NULL)
		symptom_choose_elsewhere(s, l, c);
	if (c->place == NULL && run == SYMPTOM_FAILED)
		symptom_choose_any(s, l, c);
}

/* Between logs the better kind, then the earlier time, then the order. */
static int
symptom_before(const struct symptom_choice *a, const struct symptom_choice *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind;
	if (a->place == NULL || b->place == NULL ||
	    a->place->stamp[0] == '\0' || b->place->stamp[0] == '\0')
		return 0;
	return strcmp(a->place->stamp, b->place->stamp) < 0;
}

static void
symptom_found_add(struct symptom *s, size_t l, size_t rule,
    const struct symptom_place *p, size_t *cap)
{
	struct symptom_report *r = &s->report;

	r->found = mem_more(r->found, r->n, cap, sizeof *r->found);
	r->found[r->n++] = (struct symptom_found){ .rule = &s->rule[rule],
		.file = s->log[l].name,
		.line = p->line,
		.count = s->log[l].slot[rule].count,
		.text = p->text,
		.rank = p->rank };
}

static int
symptom_compare(const void *a, const void *b)
{
	const struct symptom_found *x = a, *y = b;

	return x->line < y->line ? -1 : x->line > y->line;
}

/* What else counts, log by log in the order of its lines. */
static void
symptom_gather(struct symptom *s, const struct symptom_choice *c,
    enum symptom_run run, size_t *cap)
{
	for (size_t l = 0; l < s->nlog; l++) {
		size_t from = s->report.n;
		for (size_t i = 0; i < s->nrule; i++) {
			const struct symptom_place *p = &s->log[l].slot[i].any;
			if (s->rule[i].kind == SYMPTOM_PRIMARY &&
			    (s->rule[i].flags & SYMPTOM_KEPT) == 0)
				p = symptom_candidate(s, &s->log[l], i, run);
			if (p != NULL && p->line != 0 &&
			    !(c->place != NULL && c->log == l && c->rule == i))
				symptom_found_add(s, l, i, p, cap);
		}
		if (s->report.n > from + 1)
			qsort(s->report.found + from, s->report.n - from,
			    sizeof *s->report.found, symptom_compare);
	}
}

const struct symptom_report *
symptom_report(struct symptom *s, enum symptom_run run)
{
	struct symptom_report *r = &s->report;
	struct symptom_choice best = { .kind = CHOICE_NONE }, c;
	size_t cap = 0;

	symptom_log(s, "");
	s->nlog--; /* closes the last one; nothing is fed to the new one */
	mem_free(s->log[s->nlog].name);
	mem_free(s->log[s->nlog].slot);
	for (size_t l = 0; l < s->nlog; l++) {
		symptom_choose(s, l, run, &c);
		if (l == 0 || symptom_before(&c, &best))
			best = c;
		r->proof = r->proof || s->log[l].proof;
	}
	r->cause = best.place == NULL       ? SYMPTOM_NONE
	    : best.kind == CHOICE_ELSEWHERE ? SYMPTOM_ELSEWHERE
					    : SYMPTOM_FIRST;
	if (best.place != NULL) {
		const struct symptom_log *log = &s->log[best.log];
		symptom_found_add(s, best.log, best.rule, best.place, &cap);
		r->host = log->host;
		r->rank = log->rank;
		r->exitcode = log->exitcode;
	}
	symptom_gather(s, &best, run, &cap);
	return r;
}

void
symptom_put(
    struct buf *b, enum rec_format format, const struct symptom_report *r)
{
	static const char *const kinds[] = { "P", "S", "W", "I" };
	struct buf order = { 0 }, line = { 0 }, count = { 0 };

	for (size_t i = 0; i < r->n; i++) {
		const struct symptom_found *f = &r->found[i];
		buf_reset(&order);
		buf_reset(&line);
		buf_reset(&count);
		buf_addf(&order, "%zu", i + 1);
		buf_addf(&line, "%zu", f->line);
		buf_addf(&count, "%zu", f->count);
		const char *field[] = { order.s, kinds[f->rule->kind],
			f->rule->cause.id, f->file, line.s, count.s, f->text,
			f->rule->cause.en, f->rule->remedy.en };
		rec_put(b, format, REC_CAUSE, field);
	}
	buf_free(&order);
	buf_free(&line);
	buf_free(&count);
}

static void
symptom_tell_line(struct buf *b, const char *indent, const struct text *t,
    const char *one, const char *two, const char *three)
{
	buf_adds(b, indent);
	text_add(b, t, one, two, three);
	buf_addc(b, '\n');
}

static void
symptom_tell_rule(struct buf *b, const struct symptom_rule *r)
{
	struct text cause = r->cause;

	buf_adds(b, "  ");
	buf_adds(b, text_raw(&cause));
	buf_addf(b, " [%s]\n      %s\n", cause.id, text_raw(&r->remedy));
}

static void
symptom_tell_found(struct buf *b, const struct symptom_found *f,
    const struct text *plain, const struct text *ranked)
{
	struct buf line = { 0 }, rank = { 0 };

	buf_addf(&line, "%zu", f->line);
	buf_addf(&rank, "%ld", f->rank);
	symptom_tell_line(
	    b, "  ", f->rank >= 0 ? ranked : plain, line.s, f->file, rank.s);
	buf_adds(b, "      ");
	esc_add(b, f->text, strlen(f->text));
	buf_addc(b, '\n');
	buf_free(&line);
	buf_free(&rank);
	symptom_tell_rule(b, f->rule);
}

/* file: the log of which was spoken before, or NULL. */
static void
symptom_tell_more(
    struct buf *b, const struct symptom_found *f, const char *file)
{
	struct buf line = { 0 }, count = { 0 }, place = { 0 };
	int same = file != NULL && strcmp(file, f->file) == 0;

	buf_addf(&line, "%zu", f->line);
	buf_addf(&count, "%zu", f->count);
	text_add(&place, same ? &T_SYMPTOM_PLACE : &T_SYMPTOM_PLACE_OF, line.s,
	    f->file);
	buf_adds(b, "  ");
	text_add(b,
	    f->rule->kind == SYMPTOM_SECONDARY ? &T_SYMPTOM_THEN
					       : &T_SYMPTOM_ALSO,
	    place.s, text_raw(&f->rule->cause), f->rule->cause.id);
	if (f->count > 1)
		text_add(b, &T_SYMPTOM_COUNT, count.s);
	buf_addc(b, '\n');
	buf_free(&line);
	buf_free(&count);
	buf_free(&place);
}

void
symptom_tell(struct buf *b, const struct symptom_report *r, int warnings)
{
	enum { MORE = 3 };
	size_t from = 0, more = 0;

	if (!warnings && r->cause != SYMPTOM_NONE) {
		from = 1;
		if (r->cause == SYMPTOM_FIRST)
			symptom_tell_found(b, &r->found[0], &T_SYMPTOM_FIRST,
			    &T_SYMPTOM_FIRST_RANK);
		else
			symptom_tell_found(b, &r->found[0],
			    &T_SYMPTOM_ELSEWHERE, &T_SYMPTOM_ELSEWHERE_RANK);
		if (r->rank != NULL)
			symptom_tell_line(b, "  ", &T_SYMPTOM_ROOT, r->rank,
			    r->host != NULL ? r->host : "?",
			    r->exitcode != NULL ? r->exitcode : "?");
	}
	for (size_t i = from; i < r->n; i++) {
		const struct symptom_found *f = &r->found[i];
		int kept = (f->rule->flags & SYMPTOM_KEPT) != 0;
		if (!warnings && f->rule->kind == SYMPTOM_SECONDARY &&
		    (f->rule->flags & SYMPTOM_PROOF) != 0)
			continue;
		if (warnings && f->rule->kind != SYMPTOM_SECONDARY)
			symptom_tell_found(
			    b, f, &T_SYMPTOM_LINE, &T_SYMPTOM_LINE_RANK);
		else if (!warnings && (kept || more++ < MORE))
			symptom_tell_more(
			    b, f, from > 0 ? r->found[0].file : NULL);
	}
}
