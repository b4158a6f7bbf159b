/* The chips of the table: enough, healthy, idle. */
#include <string.h>

#include "check-env.h"

enum { HOT = 90, ROWS_MAX = 8 };

/* 1 when the table has chips; else the check is skipped. */
static const struct smi *
chips(struct host *h, struct finding *f)
{
	const struct smi *smi = smi_chips(h);

	find_set(f, smi == NULL ? ST_SKIP : ST_PASS);
	return smi;
}

static const char *
script_place(struct host *h)
{
	const struct need *n = &h->need;

	if (n->script == NULL || h->npus > 0)
		return "--npus";
	return n->line == 0 ? n->script
			    : host_str(h, "%s:%zu", n->script, n->line);
}

static long
needed(struct host *h)
{
	return h->npus > 0 ? h->npus : h->need.npus;
}

void
check_npu_count(struct host *h, struct finding *f)
{
	const struct smi *smi = chips(h, f);
	size_t n, cards;

	if (smi == NULL)
		return;
	n = smi->table.nchip;
	cards = npusmi_npus(&smi->table);
	find_value(f, "%zu", n);
	if (needed(h) == 0 && h->need.script != NULL && h->need.nlaunch > 0) {
		find_say(f, ST_INFO, &T_NEED_UNKNOWN, host_count(h, n),
		    h->need.script);
		find_remedy(f, &T_DO_NPUS);
		return;
	}
	if (needed(h) <= (long)n)
		return;
	find_say(f, ST_FAIL, cards < n ? &T_TOO_FEW_DIES : &T_TOO_FEW,
	    host_count(h, n), host_str(h, "%ld", needed(h)), script_place(h),
	    host_count(h, cards));
	find_remedy(f,
	    proc_container(h) != NULL ? &T_DO_FEWER_CTR : &T_DO_FEWER,
	    host_count(h, n));
}

void
check_npu_need(struct host *h, struct finding *f)
{
	struct visible v;
	long need = needed(h);

	if (chips(h, f) == NULL)
		return;
	visible_read(h, &v);
	if (need == 0) {
		find_set(f, ST_SKIP);
		return;
	}
	find_value(f, "%ld", need);
	if (h->npus > 0 && h->need.npus > 0 && h->npus != h->need.npus) {
		find_say(f, ST_WARN, &T_NEED_DIFFERS, host_str(h, "%ld", need),
		    host_str(h, "%ld", h->need.npus), h->need.script);
	} else if (v.value != NULL && v.bad == NULL && (long)v.n > need) {
		find_say(f, ST_WARN, &T_NEED_VISIBLE, host_str(h, "%ld", need),
		    host_count(h, v.n));
		find_remedy(f, &T_DO_NEED, host_count(h, v.n));
	}
}

/* As npu-smi's -i takes it. */
static const char *
npu_id(struct host *h, const struct smi *smi, size_t i)
{
	long npu = smi->table.chip[i].npu;

	return npu < 0 ? "N" : host_str(h, "%ld", npu);
}

static int
warns(const struct npusmi_chip *c)
{
	return c->health != NULL && strcmp(c->health, "Warning") == 0;
}

void
check_npu_health(struct host *h, struct finding *f)
{
	const struct smi *smi = chips(h, f);
	enum status worst = ST_PASS;
	size_t bad = 0, first = 0;

	for (size_t i = 0; smi != NULL && i < smi->table.nchip; i++) {
		const struct npusmi_chip *c = &smi->table.chip[i];
		enum status s = ST_WARN;

		if (smi_healthy(c) && !warns(c))
			continue;
		if (!warns(c) && visible_selects(h, smi->chip[i].logic))
			s = ST_FAIL;
		if (bad++ == 0 || (s == ST_FAIL && worst != ST_FAIL)) {
			first = i;
			worst = s;
		}
		find_detail(f, &T_CHIP_HEALTH, smi_name(h, i),
		    host_str(h, "%ld", smi->chip[i].logic),
		    c->health == NULL ? "?" : c->health);
	}
	if (bad == 0)
		return;
	find_say(f, worst, bad == 1 ? &T_UNHEALTHY_ONE : &T_UNHEALTHY,
	    smi_name(h, first),
	    smi->table.chip[first].health == NULL
		? "?"
		: smi->table.chip[first].health,
	    host_count(h, bad));
	if (bad == 1)
		f->ndetail = 0;
	find_value(f, "%zu", bad);
	find_remedy(f, &T_DO_HEALTH, npu_id(h, smi, first));
}

void
check_npu_hbm_total(struct host *h, struct finding *f)
{
	const struct smi *smi = chips(h, f);
	size_t bad = 0, first = 0;

	for (size_t i = 0; smi != NULL && i < smi->table.nchip; i++) {
		const struct npusmi_chip *c = &smi->table.chip[i];
		const char *total =
		    c->hbm != NULL ? c->hbm_total : c->mem_total;

		if (npusmi_number(total) > 0)
			continue;
		if (bad++ == 0)
			first = i;
		find_detail(f, &T_CHIP_LOGIC, smi_name(h, i),
		    host_str(h, "%ld", smi->chip[i].logic));
	}
	if (bad == 0)
		return;
	find_say(f, ST_FAIL, &T_NO_HEARTBEAT, host_count(h, bad));
	find_value(f, "%zu", bad);
	find_remedy(f, &T_DO_RESET, npu_id(h, smi, first),
	    host_str(h, "%ld", smi->table.chip[first].chip));
}

/* One line for each process of others. Who runs it is known only here. */
static void
detail_procs(struct host *h, struct finding *f, const struct smi *smi)
{
	const struct npusmi *t = &smi->table;

	for (size_t i = 0; i < t->nproc; i++) {
		const struct npusmi_proc *p = &t->proc[i];
		long pid = h->input == NULL ? npusmi_number(p->pid) : -1;
		const char *user = proc_user(h, pid);
		const char *name = proc_command(h, pid);

		if (smi->own[i])
			continue;
		if (name == NULL)
			name = *p->name == '\0' ? "-" : p->name;
		find_detail(f, user == NULL ? &T_PROC_PLAIN : &T_PROC,
		    smi_name_of(h, p->npu, p->chip), p->pid, name, p->mb,
		    user == NULL ? "-" : user);
	}
}

/* The logic ids that are free, as a list. */
static const char *
free_ids(struct host *h, const struct smi *smi)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < smi->table.nchip; i++)
		if (smi->chip[i].busy != BUSY_YES &&
		    smi_healthy(&smi->table.chip[i]))
			buf_addf(&b, "%s%ld", b.len == 0 ? "" : ",",
			    smi->chip[i].logic);
	return host_keep(h, &b);
}

void
check_npu_busy(struct host *h, struct finding *f)
{
	const struct smi *smi = chips(h, f);
	size_t busy = 0, all, idle = 0;
	long need = needed(h);
	enum status status;

	if (smi == NULL)
		return;
	all = smi->table.nchip;
	for (size_t i = 0; i < all; i++) {
		busy += smi->chip[i].busy == BUSY_YES;
		idle += smi->chip[i].busy != BUSY_YES &&
		    smi_healthy(&smi->table.chip[i]);
	}
	find_value(f, "%zu", busy);
	if (busy == 0)
		return;
	status = (long)idle < (need > 0 ? need : 1) ? ST_FAIL : ST_WARN;
	if (need > 0)
		find_say(f, status, &T_BUSY_NEED, host_count(h, busy),
		    host_count(h, all), script_place(h),
		    host_str(h, "%ld", need));
	else
		find_say(f, status, &T_BUSY, host_count(h, busy),
		    host_count(h, all));
	detail_procs(h, f, smi);
	if (idle == 0)
		find_remedy(f, &T_DO_BUSY_ALL);
	else if (status == ST_FAIL)
		find_remedy(f, &T_DO_BUSY, host_count(h, idle));
	else
		find_remedy(f, &T_DO_BUSY_CHOOSE, free_ids(h, smi));
}

void
check_npu_hidden(struct host *h, struct finding *f)
{
	const struct smi *smi = chips(h, f);
	size_t n = 0;

	for (size_t i = 0; smi != NULL && i < smi->table.nchip; i++) {
		const struct npusmi_chip *c = &smi->table.chip[i];

		if (!smi->chip[i].hidden)
			continue;
		n++;
		find_detail(f, &T_CHIP_MEMORY, smi_name(h, i),
		    c->hbm != NULL ? c->hbm : c->mem,
		    c->hbm != NULL ? c->hbm_total : c->mem_total,
		    c->util == NULL ? "-" : c->util);
	}
	if (n == 0)
		return;
	find_value(f, "%zu", n);
	find_say(f, ST_WARN, &T_HIDDEN, host_count(h, n));
	find_remedy(
	    f, proc_container(h) != NULL ? &T_DO_HIDDEN_CTR : &T_DO_HIDDEN);
}

void
check_npu_mixed(struct host *h, struct finding *f)
{
	const struct smi *smi = chips(h, f);
	const char *first = NULL;

	for (size_t i = 0; smi != NULL && i < smi->table.nchip; i++) {
		const char *name = smi->table.chip[i].name;

		if (name == NULL)
			continue;
		if (first == NULL)
			first = name;
		if (strcmp(first, name) == 0)
			continue;
		find_say(f, ST_WARN, &T_MIXED, first, name);
		find_value(f, "%s,%s", first, name);
		find_remedy(f, &T_DO_MIXED);
		return;
	}
	if (first != NULL)
		find_value(f, "%s", first);
}

void
check_npu_temp(struct host *h, struct finding *f)
{
	const struct smi *smi = chips(h, f);
	size_t n = 0;

	for (size_t i = 0; smi != NULL && i < smi->table.nchip; i++) {
		const struct npusmi_chip *c = &smi->table.chip[i];
		int full = npusmi_number(c->util) >= 100 &&
		    smi->chip[i].busy != BUSY_YES;

		if (npusmi_number(c->temp) < HOT && !full)
			continue;
		n++;
		find_detail(f, &T_CHIP_TEMP, smi_name(h, i),
		    c->temp == NULL ? "-" : c->temp,
		    c->util == NULL ? "-" : c->util);
	}
	if (n == 0)
		return;
	find_value(f, "%zu", n);
	find_say(f, ST_WARN, &T_HOT, host_count(h, n));
	find_remedy(f, &T_DO_COOL);
}

void
check_npu_hugepages(struct host *h, struct finding *f)
{
	const struct smi *smi = chips(h, f);

	for (size_t i = 0; smi != NULL && i < smi->table.nchip; i++) {
		const struct npusmi_chip *c = &smi->table.chip[i];
		long total = npusmi_number(c->pages_total);

		if (smi->chip[i].gen == NULL ||
		    strcmp(smi->chip[i].gen, "310P") != 0 || total <= 0 ||
		    npusmi_number(c->pages) != total)
			continue;
		find_say(f, ST_INFO, &T_HUGEPAGES, smi_name(h, i), c->pages);
		find_value(f, "%s/%s", c->pages, c->pages_total);
		return;
	}
}

void
check_npu_rows(struct host *h, struct finding *f)
{
	const struct smi *smi = chips(h, f);

	for (size_t i = 0; smi != NULL && i < smi->table.nchip; i++)
		if (smi->chip[i].procs >= ROWS_MAX) {
			find_say(f, ST_INFO, &T_ROWS_MAX, smi_name(h, i));
			find_value(f, "%zu", smi->chip[i].procs);
			return;
		}
}
