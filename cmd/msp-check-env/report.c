/* The report for people. */
#include <string.h>
#include <sys/utsname.h>

#include "buf.h"
#include "check-env.h"
#include "err.h"

void
report_said(struct buf *b, enum text_lang lang, const struct said *said)
{
	const char *const *a = said->arg;

	if (said->text != NULL)
		text_add_in_(b, lang, said->text, a[0], a[1], a[2], a[3], a[4],
		    a[5], a[6], a[7], a[8], (const char *)0);
}

static const struct finding *
find_id(const struct report *r, const char *id)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->finding[i].check->id, id) == 0)
			return &r->finding[i];
	return NULL;
}

/* Old versions of npu-smi list no processes. */
static int
none_busy(const struct smi *smi)
{
	for (size_t i = 0; i < smi->table.nchip; i++)
		if (smi->chip[i].busy != BUSY_UNKNOWN ||
		    !smi_healthy(&smi->table.chip[i]))
			return 0;
	return 1;
}

/* "8 NPUs (Ascend 910B3, driver 25.2.0), 8 needed by train.sh, all idle" */
static void
add_npus(struct buf *b, struct host *h, const struct report *r)
{
	const struct smi *smi = h->has_smi ? smi_chips(h) : NULL;
	const struct npusmi *t;
	const char *model;
	size_t n, cards, idle;
	long need = h->npus > 0 ? h->npus : h->need.npus;

	if (smi == NULL)
		return;
	t = &smi->table;
	n = t->nchip;
	cards = npusmi_npus(t);
	idle = smi_free(smi);
	model = t->chip[0].name == NULL ? "?" : smi_model(h, t->chip[0].name);
	if (t->driver != NULL) {
		struct buf d = { 0 };

		text_add(&d, &T_LINE_DRIVER, model, t->driver);
		model = host_keep(h, &d);
	}
	buf_adds(b, "  ");
	if (cards == 1 && n > 1)
		text_add(b, &T_LINE_ONE_CARD, host_count(h, n), model);
	else if (cards > 0 && cards < n)
		text_add(b, &T_LINE_CARDS, host_count(h, n),
		    host_count(h, cards), model);
	else if (n == 1)
		text_add(b, &T_LINE_ONE_NPU, model);
	else
		text_add(b, &T_LINE_NPUS, host_count(h, n), model);
	if (need > 0)
		text_add(b, &T_LINE_NEED, host_str(h, "%ld", need),
		    h->npus > 0 || r->script == NULL ? "--npus" : r->script);
	if (idle == n)
		text_add(b, &T_LINE_IDLE);
	else if (idle == 0 && none_busy(smi))
		text_add(b, &T_LINE_HEALTHY);
	else
		text_add(b, &T_LINE_FREE, host_count(h, idle));
	buf_addc(b, '\n');
}

static void
add_cann(struct buf *b, struct host *h)
{
	const struct cann *c = h->has_cann ? cann_get(h) : NULL;
	const char *version;

	if (c == NULL || !cann_ready(h))
		return;
	version = c->version == NULL ? "?" : c->version;
	buf_adds(b, "  ");
	if (c->by_script)
		text_add(b, &T_LINE_CANN_SCRIPT, version, h->need.script,
		    host_count(h, h->need.set_env_line));
	else
		text_add(b, &T_LINE_CANN, version);
	buf_addc(b, '\n');
}

/* What is said of a check that passed, where it has its own words. */
static void
add_message(struct buf *b, const struct report *r, const char *id)
{
	const struct finding *f = find_id(r, id);

	if (f == NULL || f->status != ST_PASS ||
	    f->message.text == &f->check->what)
		return;
	buf_adds(b, "  ");
	report_said(b, text_lang(), &f->message);
	buf_addc(b, '\n');
}

static void
add_finding(struct buf *b, const struct finding *f, const char *level)
{
	buf_addf(b, "  %s: ", level);
	report_said(b, text_lang(), &f->message);
	buf_addf(b, " [%s]\n", f->check->id);
	for (size_t i = 0; i < f->ndetail; i++) {
		buf_adds(b, "      ");
		report_said(b, text_lang(), &f->detail[i]);
		buf_addc(b, '\n');
	}
	if (f->remedy.text == NULL)
		return;
	buf_adds(b, "      ");
	report_said(b, text_lang(), &f->remedy);
	buf_addc(b, '\n');
}

static int
has_failed(const struct report *r, const char *id)
{
	const struct finding *f = find_id(r, id);

	return f != NULL && (f->status == ST_FAIL || f->status == ST_WARN);
}

/* What npu.present says already; or it itself, where npu-smi's own checks
 * say more. */
static int
is_told(const struct report *r, const struct finding *f)
{
	if (strcmp(f->check->id, "npu.present") == 0)
		return f->fails == V_UNKNOWN &&
		    (has_failed(r, "smi.time") || has_failed(r, "smi.parse"));
	return f->status == ST_FAIL && f->fails == V_NO_NPU &&
	    str_begins(f->check->id, "smi.") && has_failed(r, "npu.present");
}

/* Notes that are worth reading without -v: what was not judged. */
static int
is_note(const struct finding *f)
{
	return f->status == ST_INFO &&
	    (strcmp(f->check->id, "script.launch") == 0 ||
		strcmp(f->check->id, "npu.count") == 0);
}

static void
add_findings(struct buf *b, const struct report *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->finding[i].status == ST_FAIL &&
		    !is_told(r, &r->finding[i]))
			add_finding(b, &r->finding[i], "error");
	for (size_t i = 0; i < r->n; i++)
		if (r->finding[i].status == ST_WARN &&
		    !is_told(r, &r->finding[i]))
			add_finding(b, &r->finding[i], "warning");
	for (size_t i = 0; i < r->n; i++)
		if ((r->verbose && r->finding[i].status == ST_INFO) ||
		    (!r->quiet && is_note(&r->finding[i])))
			add_finding(b, &r->finding[i], "note");
}

static void
add_passed(struct buf *b, const struct report *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct finding *f = &r->finding[i];

		if (f->status != ST_PASS)
			continue;
		buf_adds(b, "  pass: ");
		report_said(b, text_lang(), &f->message);
		if (f->value != NULL && *f->value != '\0') {
			buf_adds(b, ": ");
			esc_add(b, f->value, strlen(f->value));
		}
		buf_addf(b, " [%s]\n", f->check->id);
	}
}

static void
add_table(struct buf *b, struct host *h)
{
	static const char *const use[] = { "no", "yes", "maybe", "?" };
	const struct smi *smi = h->has_smi ? smi_chips(h) : NULL;

	if (smi == NULL)
		return;
	buf_adds(b, "  ");
	text_add(b, &T_LIST_HEAD);
	buf_addc(b, '\n');
	for (size_t i = 0; i < smi->table.nchip; i++) {
		const struct npusmi_chip *c = &smi->table.chip[i];
		const char *used = c->hbm != NULL ? c->hbm : c->mem;
		const char *all = c->hbm != NULL ? c->hbm_total : c->mem_total;
		struct buf line = { 0 };

		buf_addf(&line,
		    "  %3s %4ld %5ld %-4s %-12s %-9s %7s/%-7s %6s %5s  %s",
		    c->npu < 0 ? "?" : host_str(h, "%ld", c->npu), c->chip,
		    smi->chip[i].logic,
		    smi->table.id == NPUSMI_ID_PHY && c->id != NULL ? c->id
								    : "-",
		    c->name == NULL ? "?" : c->name,
		    c->health == NULL ? "?" : c->health,
		    used == NULL ? "-" : used, all == NULL ? "-" : all,
		    c->power == NULL ? "-" : c->power,
		    c->temp == NULL ? "-" : c->temp, use[smi->chip[i].busy]);
		esc_add(b, line.s, line.len);
		buf_addc(b, '\n');
		buf_free(&line);
	}
}

static void
add_counts(struct buf *b, struct host *h, const struct report *r)
{
	size_t warnings = check_count(r->finding, r->n, ST_WARN);
	size_t ignored = check_count(r->finding, r->n, ST_IGNORED);
	size_t failed = 0;

	for (size_t i = 0; i < r->n; i++)
		failed += r->finding[i].status == ST_FAIL &&
		    !is_told(r, &r->finding[i]);
	size_t passed = check_count(r->finding, r->n, ST_PASS) +
	    check_count(r->finding, r->n, ST_INFO);
	buf_adds(b, "  ");
	text_add(b, passed == 1 ? &T_LINE_COUNTS_ONE : &T_LINE_COUNTS,
	    host_count(h, passed), host_count(h, failed));
	if (warnings == 1)
		text_add(b, &T_LINE_WARNING);
	else if (warnings > 1)
		text_add(b, &T_LINE_WARNINGS, host_count(h, warnings));
	if (ignored > 0)
		text_add(b, &T_LINE_IGNORED, host_count(h, ignored));
	buf_addc(b, '\n');
}

void
report_text(struct buf *b, struct host *h, const struct report *r)
{
	static const struct text *const verdicts[] = { &T_V_READY,
		&T_V_NOT_READY, &T_V_NOT_READY, &T_V_UNKNOWN };

	if (r->quiet && r->verdict == V_READY)
		return;
	buf_addf(b, "%s: ", err_program());
	text_add(b, verdicts[r->verdict]);
	buf_addc(b, '\n');
	if (r->verdict == V_READY || r->verbose) {
		add_npus(b, h, r);
		add_cann(b, h);
		add_message(b, r, "out.space");
	}
	add_findings(b, r);
	if (r->verbose) {
		add_passed(b, r);
		add_table(b, h);
	}
	if (r->verdict != V_READY || r->verbose)
		add_counts(b, h, r);
}

/* --- diagnostics ------------------------------------------------------------ */

static void
diagnose(const struct finding *f, enum err_level level)
{
	struct buf message = { 0 }, rest = { 0 };

	report_said(&message, text_lang(), &f->message);
	buf_adds(&rest, "");
	for (size_t i = 0; i < f->ndetail; i++) {
		report_said(&rest, text_lang(), &f->detail[i]);
		buf_addc(&rest, '\n');
	}
	report_said(&rest, text_lang(), &f->remedy);
	err_put(level, ERR_NOWHERE, f->check->id, message.s, rest.s);
	buf_free(&message);
	buf_free(&rest);
}

void
report_diagnose(const struct report *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct finding *f = &r->finding[i];

		if (is_told(r, f))
			continue;
		if (f->status == ST_FAIL)
			diagnose(f, ERR_ERROR);
		else if (f->status == ST_WARN)
			diagnose(f, ERR_WARNING);
		else if (is_note(f))
			diagnose(f, ERR_NOTE);
	}
}
