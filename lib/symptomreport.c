#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symptomin.h"

/* What a log's cause may be: the better kinds first. */
enum { CHOICE_SURE, CHOICE_ANY, CHOICE_ELSEWHERE, CHOICE_NONE };
struct symptom_choice {
	int kind;
	size_t log, rule;
	const struct symptom_place *place;
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

static int
symptom_earlier(const struct symptom_place *a, const struct symptom_place *than)
{
	return a->line != 0 && (than == NULL || a->line < than->line);
}

/*
 * Before any progress: programs try things, say so, and go on. What ended the
 * process stands in the last block of lines that nothing ordinary follows. Its
 * first cause counts; if the same was said before, then where it was said
 * first.
 */
static void
symptom_choose_last(const struct symptom *s, size_t l, struct symptom_choice *c)
{
	const struct symptom_log *log = &s->log[l];

	for (size_t i = 0; i < s->nrule; i++) {
		const struct symptom_place *p = &log->slot[i].last;
		if (s->rule[i].kind != SYMPTOM_PRIMARY || p->line == 0 ||
		    (s->rule[i].flags & SYMPTOM_KEPT) != 0)
			continue;
		if (c->place != NULL &&
		    (p->block < c->place->block ||
			(p->block == c->place->block &&
			    p->line > c->place->line)))
			continue;
		*c = (struct symptom_choice){ CHOICE_SURE, l, i, p };
	}
	if (c->place == NULL)
		return;
	const struct symptom_place *first = &log->slot[c->rule].first;
	if ((s->rule[c->rule].flags & SYMPTOM_WEAK) == 0 ||
	    symptom_alike(first, c->place))
		c->place = first;
}

/* The last block in which something was found that counts. */
static size_t
symptom_last_block(const struct symptom *s, const struct symptom_log *log)
{
	size_t last = 0;

	for (size_t i = 0; i < s->nrule; i++)
		if (log->slot[i].last.line != 0 &&
		    (s->rule[i].flags & SYMPTOM_KEPT) == 0 &&
		    log->slot[i].last.block > last)
			last = log->slot[i].last.block;
	return last;
}

/*
 * Where a rule's lines may be a cause though progress came before: of what
 * programs also print without harm, only what nothing ordinary follows; in a
 * run that failed, what nothing ordinary parts from its end.
 */
static const struct symptom_place *
symptom_candidate(const struct symptom *s, const struct symptom_log *log,
    size_t rule, enum symptom_run run)
{
	const struct symptom_slot *slot = &log->slot[rule];
	size_t block = log->block;

	if ((s->rule[rule].flags & SYMPTOM_WEAK) == 0)
		return &slot->any;
	if (run == SYMPTOM_FAILED)
		block = symptom_last_block(s, log);
	return slot->last.block == block ? &slot->last : NULL;
}

/* Behind progress the earliest cause counts. */
static void
symptom_choose_first(const struct symptom *s, size_t l, enum symptom_run run,
    struct symptom_choice *c)
{
	for (size_t i = 0; i < s->nrule; i++) {
		const struct symptom_rule *r = &s->rule[i];
		if (r->kind != SYMPTOM_PRIMARY ||
		    (r->flags & SYMPTOM_KEPT) != 0)
			continue;
		const struct symptom_place *p =
		    symptom_candidate(s, &s->log[l], i, run);
		if (p != NULL && symptom_earlier(p, c->place))
			*c = (struct symptom_choice){ CHOICE_SURE, l, i, p };
	}
}

/* Where nothing sure is to be had: the last of what programs also say without
 * harm, if the run is known to have failed; else what follows from a cause
 * that is not here. */
static void
symptom_choose_any(
    const struct symptom *s, size_t l, int failed, struct symptom_choice *c)
{
	const struct symptom_log *log = &s->log[l];
	int elsewhere = 0;

	for (size_t i = 0; i < s->nrule; i++) {
		const struct symptom_place *p = &log->slot[i].any;
		if (p->line == 0 || (s->rule[i].flags & SYMPTOM_KEPT) != 0)
			continue;
		if (s->rule[i].kind == SYMPTOM_SECONDARY)
			elsewhere = 1;
	}
	for (size_t i = 0; i < s->nrule; i++) {
		const struct symptom_place *p = &log->slot[i].any;
		enum symptom_kind want =
		    elsewhere ? SYMPTOM_SECONDARY : SYMPTOM_PRIMARY;
		if (p->line == 0 || s->rule[i].kind != want ||
		    (s->rule[i].flags & SYMPTOM_KEPT) != 0 ||
		    (!elsewhere && !failed))
			continue;
		int better = c->place == NULL ||
		    (elsewhere ? p->line < c->place->line
			       : p->line > c->place->line);
		if (better)
			*c = (struct symptom_choice){
				elsewhere ? CHOICE_ELSEWHERE : CHOICE_ANY, l, i,
				p
			};
	}
}

static void
symptom_choose(const struct symptom *s, size_t l, enum symptom_run run,
    struct symptom_choice *c)
{
	int progress = s->log[l].progress;

	*c = (struct symptom_choice){ .kind = CHOICE_NONE };
	if (progress || run == SYMPTOM_ENDED)
		symptom_choose_first(s, l, run, c);
	if (c->place == NULL && run != SYMPTOM_ENDED &&
	    (run == SYMPTOM_FAILED || !progress))
		symptom_choose_last(s, l, c);
	if (c->place == NULL)
		symptom_choose_any(s, l, run == SYMPTOM_FAILED, c);
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
			const struct symptom_slot *slot = &s->log[l].slot[i];
			const struct symptom_place *p = &slot->any;
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
	free(s->log[s->nlog].name);
	free(s->log[s->nlog].slot);
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

static void
symptom_tell_more(struct buf *b, const struct symptom_found *f)
{
	struct buf line = { 0 }, count = { 0 };

	buf_addf(&line, "%zu", f->line);
	buf_addf(&count, "%zu", f->count);
	buf_adds(b, "  ");
	text_add(b,
	    f->rule->kind == SYMPTOM_SECONDARY ? &T_SYMPTOM_THEN
					       : &T_SYMPTOM_ALSO,
	    line.s, text_raw(&f->rule->cause), f->rule->cause.id, count.s);
	buf_addc(b, '\n');
	buf_free(&line);
	buf_free(&count);
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
			symptom_tell_more(b, f);
	}
}
