/* The report for people. */
#include <string.h>

#include "mem.h"
#include "report.h"
#include "utf8.h"

void
report_pad(struct buf *b, size_t from, size_t width)
{
	for (size_t w = utf8_width(b->s + from, b->len - from); w < width; w++)
		buf_addc(b, ' ');
}

/* "  label      ", the text of a line goes behind it. */
void
report_label(struct buf *b, const struct text *label)
{
	size_t from;

	buf_adds(b, "  ");
	from = b->len;
	text_add(b, label);
	report_pad(b, from, 11);
}

static void
line(struct buf *b, const struct text *text, const char *arg)
{
	buf_adds(b, "  ");
	text_add(b, text, arg != NULL ? arg : "");
	buf_addc(b, '\n');
}

static const struct text *const verdict_texts[] = {
	[VERDICT_COMPLETE] = &T_VERDICT_COMPLETE,
	[VERDICT_DEGRADED] = &T_VERDICT_DEGRADED,
	[VERDICT_NOTHING] = &T_VERDICT_NOTHING,
	[VERDICT_UNPARSED] = &T_VERDICT_UNPARSED,
	[VERDICT_RUNNING] = &T_VERDICT_RUNNING,
	[VERDICT_INCOMPLETE] = &T_VERDICT_INCOMPLETE,
	[VERDICT_MISSING] = &T_VERDICT_MISSING,
	[VERDICT_UNREADABLE] = &T_VERDICT_UNREADABLE,
};

static void
say_verdict(struct verify *v, struct buf *b)
{
	buf_addf(b, "%s: ", err_program());
	text_add(b, verdict_texts[v->verdict]);
	buf_addc(b, '\n');
}

/* Whether a finding other than this one made the rank incomplete. */
static int
damaged(const struct rank *r, enum check_id but)
{
	for (size_t i = 0; i < r->finds.n; i++) {
		const struct find *f = &r->finds.v[i];

		if (f->sev == SEV_FAIL && f->id != but &&
		    checks[f->id].verdict == VERDICT_INCOMPLETE)
			return 1;
	}
	return 0;
}

static const struct text *
incomplete(const struct verify *v)
{
	int other = 0;

	for (size_t i = 0; i < v->nrank; i++) {
		const struct rank *r = v->rank[i];

		if (r->older || r->verdict != VERDICT_INCOMPLETE)
			continue;
		if (damaged(r, CHECK_D06))
			return &T_SAY_INCOMPLETE;
		other = 1;
	}
	return other ? &T_SAY_OTHER : &T_SAY_RANKS_MISSING;
}

/* What the training's failure has to do with it. */
static void
say_training(struct verify *v, struct buf *b)
{
	const struct expect *e = v->expect;
	int after = v->verdict == VERDICT_COMPLETE ||
	    v->verdict == VERDICT_DEGRADED || v->verdict == VERDICT_UNPARSED ||
	    (v->verdict == VERDICT_INCOMPLETE &&
		incomplete(v) != &T_SAY_INCOMPLETE);

	if (e->failed)
		line(b, after ? &T_SAY_FAILED_AFTER : &T_SAY_FAILED_BEFORE,
		    say_number(&v->arena, e->exit));
	if (v->told.len > 0)
		buf_add(b, v->told.s, v->told.len);
	if (e->failed && !after && v->verdict != VERDICT_NOTHING)
		line(b, &T_SAY_CURE, NULL);
}

static void
say_meaning(struct verify *v, struct buf *b)
{
	time_t newest = 0;

	switch (v->verdict) {
	case VERDICT_NOTHING: line(b, &T_SAY_NOTHING, NULL); break;
	case VERDICT_UNPARSED:
		line(b,
		    verify_has_raw(v) ? &T_SAY_UNPARSED : &T_SAY_UNPARSED_COPY,
		    NULL);
		break;
	case VERDICT_INCOMPLETE: line(b, incomplete(v), NULL); break;
	case VERDICT_UNREADABLE: line(b, &T_SAY_UNREADABLE, NULL); break;
	case VERDICT_RUNNING:
		for (size_t i = 0; i < v->nrank; i++)
			if (v->rank[i]->newest > newest)
				newest = v->rank[i]->newest;
		line(b, &T_SAY_RUNNING,
		    say_number(&v->arena,
			v->now > newest ? (long long)(v->now - newest) : 0));
		break;
	default: break;
	}
}

static void
say_place(struct verify *v, struct buf *b, const char *path, const char *what,
    unsigned long long bytes, size_t files)
{
	buf_adds(b, "  ");
	text_add(b, &T_SAY_PLACE, path, what, say_size(&v->arena, bytes),
	    say_number(&v->arena, (long long)files));
	buf_addc(b, '\n');
}

const char *
report_comma(void)
{
	return text_lang() == TEXT_ZH ? "，" : ", ";
}

static const char *
rank_words(struct verify *v, struct rank *r)
{
	struct buf b = { 0 };

	if (r->number < 0)
		text_add(&b, &T_SAY_RANK_UNKNOWN);
	else
		text_add(&b, &T_SAY_RANK, say_number(&v->arena, r->number));
	if (r->verdict != v->verdict) {
		buf_adds(&b, report_comma());
		text_add(&b, verdict_texts[r->verdict]);
	}
	return buf_keep(&b, &v->arena);
}

/* All ranks below one operand in one line. */
static void
say_many(struct verify *v, struct buf *b, size_t operand)
{
	long *rank = mem_zero(v->nrank + 1, sizeof *rank);
	unsigned long long bytes = 0;
	size_t n = 0, files = 0;
	struct buf what = { 0 };

	for (size_t i = 0; i < v->nrank; i++) {
		struct rank *r = v->rank[i];

		if (r->older || r->operand != operand)
			continue;
		bytes += r->bytes;
		files += r->files;
		if (r->number >= 0)
			rank[n++] = r->number;
	}
	if (files > 0) {
		text_add(&what, n > 0 ? &T_SAY_RANKS : &T_SAY_RANK_UNKNOWN,
		    say_ranges(&v->arena, rank, n));
		say_place(v, b, v->operand[operand], what.s, bytes, files);
	}
	buf_free(&what);
	mem_free(rank);
}

enum { FEW = 4 };

static void
say_places(struct verify *v, struct buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < v->nrank; i++)
		n += !v->rank[i]->older;
	if (n > FEW && !v->verbose && !v->expect->record) {
		for (size_t i = 0; i < v->noperand; i++)
			say_many(v, b, i);
		return;
	}
	for (size_t i = 0, shown = 0; i < v->nrank; i++) {
		struct rank *r = v->rank[i];

		if (r->older)
			continue;
		if (shown++ == FEW && !v->verbose) {
			line(b, &T_SAY_MORE_RANKS,
			    say_number(&v->arena, (long long)(n - FEW)));
			return;
		}
		say_place(v, b, r->path, rank_words(v, r), r->bytes, r->files);
	}
}

static void
item(struct buf *b, size_t from, const struct text *text, const char *arg)
{
	if (b->len > from)
		buf_adds(b, report_comma());
	text_add(b, text, arg != NULL ? arg : "");
}

/* The configuration of the first rank that has one. */
static void
say_recorded(struct verify *v, struct buf *b)
{
	static const char *const levels[] = { "level_none", "level0", "level1",
		"level2" };
	struct rank *r = NULL;
	const struct info *c;
	const char *steps;
	size_t from;
	int asked;

	for (size_t i = 0; i < v->nrank && r == NULL; i++)
		if (!v->rank[i]->older && v->rank[i]->info.there > 0 &&
		    !v->rank[i]->info.broken)
			r = v->rank[i];
	if (r == NULL)
		return;
	c = &r->info;
	report_label(b, &T_SAY_RECORDED);
	from = b->len;
	if (c->level >= 0)
		buf_adds(b, levels[c->level]);
	if (c->cpu != UNKNOWN)
		item(b, from, c->cpu == YES ? &T_SAY_CPU : &T_SAY_NO_CPU, NULL);
	if (c->memory == YES)
		item(b, from, &T_SAY_MEMORY, NULL);
	if (c->stack == YES)
		item(b, from, &T_SAY_STACK, NULL);
	if (c->shapes == YES)
		item(b, from, &T_SAY_SHAPES, NULL);
	if (c->db == YES && c->text != YES)
		item(b, from, &T_SAY_DB, NULL);
	steps = step_ranges(v, r);
	asked = (v->expect->known & EXPECT_STEPS) != 0 &&
	    !find_has(&r->finds, CHECK_D09) && !find_has(&r->finds, CHECK_O20);
	if (steps != NULL) {
		item(b, from,
		    strpbrk(steps, ",-") != NULL ? &T_SAY_STEPS
						 : &T_SAY_ONE_STEP,
		    steps);
		if (asked)
			text_add(b, &T_SAY_AS_ASKED);
		if (step_shift(v, r) != 0)
			text_add(b, &T_SAY_IDS, step_ids(r));
	}
	buf_addc(b, '\n');
}

static void
say_tree(struct verify *v, struct buf *b)
{
	static const struct text *const names[PARTS] = { &T_SAY_PART_DEVICE,
		&T_SAY_PART_HOST, &T_SAY_PART_FRAMEWORK, &T_SAY_PART_OUTPUT,
		&T_SAY_PART_LOGS, &T_SAY_PART_PARSED, &T_SAY_PART_OTHER };

	for (int p = 0; p < PARTS; p++) {
		unsigned long long bytes = 0;
		size_t files = 0;

		for (size_t i = 0; i < v->nrank; i++) {
			if (v->rank[i]->older)
				continue;
			files += v->rank[i]->part_files[p];
			bytes += v->rank[i]->part_bytes[p];
		}
		if (files == 0)
			continue;
		buf_adds(b, "      ");
		text_add(b, &T_SAY_FILES,
		    say_number(&v->arena, (long long)files),
		    say_size(&v->arena, bytes));
		buf_adds(b, "  ");
		text_add(b, names[p]);
		buf_addc(b, '\n');
	}
}

static void
say_pages(struct verify *v, struct buf *b)
{
	const char *why;

	buf_adds(b, "  Insight    ");
	for (int p = 0; p < PAGES; p++) {
		int yes = page_usable(v, (enum page)p, &why);

		if (p > 0)
			buf_adds(b, " \xc2\xb7 ");
		buf_addf(b, "%s ", page_names[p]);
		if (yes)
			text_add(b, &T_SAY_YES);
		else
			text_add(b, &T_SAY_NO, why);
	}
	buf_addc(b, '\n');
}

static void
say_next(struct verify *v, struct buf *b)
{
	struct next next;

	if (v->verdict == VERDICT_COMPLETE || v->verdict == VERDICT_DEGRADED) {
		report_open(v, b);
		return;
	}
	next_commands(v, &next);
	for (size_t i = 0; i < next.n; i++) {
		if (i == 0)
			line(b,
			    next.rest               ? &T_SAY_REST
				: v->expect->failed ? &T_SAY_THEN
						    : &T_SAY_RUN,
			    NULL);
		if (i > FEW && !v->verbose) {
			buf_adds(b, "    ");
			line(b, &T_SAY_MORE_RANKS,
			    say_number(&v->arena, (long long)(next.n - i)));
			break;
		}
		buf_addf(b, "      %s\n", next.command[i]);
	}
	mem_free(next.command);
}

void
report_text(struct verify *v, struct groups *all, struct buf *b)
{
	int shown =
	    v->verdict == VERDICT_COMPLETE || v->verdict == VERDICT_DEGRADED;

	say_verdict(v, b);
	if (v->quiet)
		return;
	if (shown)
		say_training(v, b);
	say_meaning(v, b);
	say_places(v, b);
	say_recorded(v, b);
	if (v->verbose)
		say_tree(v, b);
	report_finds(v, all, b);
	if (!shown)
		say_training(v, b);
	if (shown || v->verbose) {
		say_pages(v, b);
		report_steps(v, b);
	}
	say_next(v, b);
}
