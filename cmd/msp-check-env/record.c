/* The report for machines: records, lines to eval, the list of checks. */
#include <string.h>
#include <sys/utsname.h>

#include "buf.h"
#include "check-env.h"
#include "pkgver.h"
#include "rec.h"

static const char *const statuses[] = { "pass", "info", "warn", "fail", "skip",
	"ignored" };
static const char *const verdicts[] = { "ready", "not-ready", "no-npu",
	"unknown" };

static void
put_check(struct buf *b, enum rec_format format, struct host *h,
    const struct finding *f)
{
	const char *field[] = { f->check->id, statuses[f->status], f->value,
		NULL, NULL };
	struct buf s = { 0 };

	report_said(&s, TEXT_EN, &f->message);
	for (size_t i = 0; i < f->ndetail; i++) {
		buf_adds(&s, "; ");
		report_said(&s, TEXT_EN, &f->detail[i]);
	}
	field[3] = host_keep(h, &s);
	if (f->remedy.text != NULL) {
		report_said(&s, TEXT_EN, &f->remedy);
		field[4] = host_keep(h, &s);
	}
	rec_put(b, format, REC_CHECK, field);
}

static const char *
known(const char *s)
{
	return s == NULL || strcmp(s, "-") == 0 ? NULL : s;
}

static void
put_npus(struct buf *b, enum rec_format format, struct host *h)
{
	static const char *const busy[] = { "no", "yes", "maybe", "unknown" };
	const struct smi *smi = smi_get(h);
	const struct npusmi *t = &smi->table;

	for (size_t i = 0; i < t->nchip; i++) {
		const struct npusmi_chip *c = &t->chip[i];
		const char *field[] = {
			c->npu < 0 ? NULL : host_str(h, "%ld", c->npu),
			host_str(h, "%ld", c->chip),
			host_str(h, "%ld", smi->chip[i].logic),
			t->id == NPUSMI_ID_PHY ? known(c->id) : NULL, c->name,
			smi->chip[i].gen, c->health, c->bus, known(c->util),
			c->mem, c->mem_total, c->hbm, c->hbm_total,
			known(c->power), known(c->temp), busy[smi->chip[i].busy]
		};

		rec_put(b, format, REC_NPU, field);
	}
	for (size_t i = 0; i < t->nproc; i++) {
		const struct npusmi_proc *p = &t->proc[i];
		long pid = npusmi_number(p->pid);
		const char *name =
		    h->input == NULL ? proc_command(h, pid) : NULL;
		const char *field[] = { host_str(h, "%ld", p->npu),
			host_str(h, "%ld", p->chip), p->pid, known(p->cpid),
			p->mb,
			*p->name == '\0' && name != NULL ? name : p->name,
			h->input == NULL ? proc_user(h, pid) : NULL,
			smi->own[i] ? "yes" : "no" };

		rec_put(b, format, REC_PROC, field);
	}
}

static void
put_ver(struct buf *b, enum rec_format format, const char *what,
    const char *version, const char *file)
{
	const char *field[] = { what, version, file };

	if (version != NULL)
		rec_put(b, format, REC_VER, field);
}

static int
asked(const struct report *r, const char *prefix)
{
	for (size_t i = 0; i < r->n; i++)
		if (str_begins(r->finding[i].check->id, prefix))
			return 1;
	return 0;
}

static void
put_versions(struct buf *b, enum rec_format format, struct host *h,
    const struct report *r)
{
	static const char *const packages[] = { "torch", "torch_npu" };
	const struct smi *smi = h->has_smi ? smi_get(h) : NULL;
	struct utsname u;

	if (smi != NULL)
		put_ver(b, format, "npu-smi", smi->table.tool, smi->program);
	if (smi != NULL && smi->table.driver != NULL)
		put_ver(b, format, "driver", smi->table.driver, smi->program);
	else if (h->has_cann)
		put_ver(b, format, "driver", h->cann.driver_version,
		    h->cann.driver_file);
	if (h->has_cann) {
		put_ver(b, format, "firmware", h->cann.firmware,
		    h->cann.firmware_file);
		put_ver(b, format, "cann", h->cann.version, h->cann.file);
	}
	if (asked(r, "nnal.")) {
		const char *home = host_env(h, "ATB_HOME_PATH");
		const char *file = home == NULL
		    ? NULL
		    : host_str(h, "%s/../version.info", home);

		if (file != NULL)
			put_ver(b, format, "nnal",
			    host_key(h, host_read(h, file),
				"Ascend-cann-atb Version"),
			    file);
	}
	for (size_t i = 0; asked(r, "py.") && i < 2; i++) {
		const char *file = NULL;
		const char *v = python_package(h, packages[i], &file);

		put_ver(b, format, packages[i], v, file);
	}
	if (uname(&u) == 0)
		put_ver(b, format, "kernel", u.release, NULL);
}

void
report_records(struct buf *b, struct host *h, const struct report *r,
    enum rec_format format)
{
	const char *count[STATUSES + 4] = { NULL };
	const struct smi *smi = h->has_smi ? smi_get(h) : NULL;
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		put_check(b, format, h, &r->finding[i]);
	if (smi != NULL)
		put_npus(b, format, h);
	put_versions(b, format, h, r);
	for (int i = 0; i < STATUSES; i++)
		count[n++] = host_str(h, "%s=%zu", statuses[i],
		    check_count(r->finding, r->n, (enum status)i));
	if (smi != NULL) {
		count[n++] = host_str(h, "npus=%zu", npusmi_npus(&smi->table));
		count[n++] = host_str(h, "chips=%zu", smi->table.nchip);
		count[n++] = host_str(h, "free=%zu", smi_free(smi));
	}
	rec_sum(b, format, verdicts[r->verdict], count);
}

/* --- -F sh, --list, -n ------------------------------------------------------ */

static void
add_quoted(struct buf *b, const char *s)
{
	buf_addc(b, '\'');
	for (; *s != '\0'; s++)
		if (*s == '\'')
			buf_adds(b, "'\\''");
		else
			buf_addc(b, *s);
	buf_addc(b, '\'');
}

static void
add_line(struct buf *b, const struct text *t)
{
	text_add_in(b, TEXT_EN, t);
	buf_addc(b, '\n');
}

void
report_sh(struct buf *b, struct host *h)
{
	const struct cann *c = cann_get(h);

	if (!c->by_eval && cann_ready(h)) {
		add_line(b, &T_SH_LOADED);
	} else if (c->set_env == NULL) {
		add_line(b, &T_SH_NONE);
	} else {
		add_line(b, &T_SH_NOTE);
		buf_adds(b, ". ");
		add_quoted(b, c->set_env);
		buf_addc(b, '\n');
	}
}

void
report_list(struct buf *b, enum rec_format format)
{
	for (size_t i = 0; i < nchecks; i++) {
		const struct check *c = &checks[i];
		const char *field[] = { c->id, NULL, statuses[c->worst],
			c->what.en, NULL };

		if (format == REC_TSV || format == REC_JSON) {
			rec_put(b, format, REC_CHECK, field);
			continue;
		}
		buf_addf(b, "%-18s %-5s ", c->id, statuses[c->worst]);
		text_add(b, &c->what);
		buf_addc(b, '\n');
	}
}

void
report_plan(
    struct buf *b, struct host *h, const struct report *r, size_t selected)
{
	const char *program = h->input != NULL ? NULL : smi_program(h);
	long need = h->npus > 0 ? h->npus : h->need.npus;

	if (h->input != NULL)
		text_add(b, &T_PLAN_INPUT, h->input);
	else if (program == NULL)
		text_add(b, &T_PLAN_NO_SMI);
	else
		text_add(b, &T_PLAN_RUN, program, host_str(h, "%ld", h->limit));
	buf_addc(b, '\n');
	if (need > 0) {
		text_add(b, &T_PLAN_NEED,
		    r->script == NULL || h->npus > 0 ? "--npus" : r->script,
		    host_str(h, "%ld", need));
		buf_addc(b, '\n');
	}
	text_add(b, &T_PLAN_CHECKS, host_str(h, "%zu", selected),
	    host_str(h, "%zu", nchecks));
	buf_addc(b, '\n');
}
