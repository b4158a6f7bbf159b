/* ASCEND_RT_VISIBLE_DEVICES: what the runtime makes of it, and the checks. */
#include <stdlib.h>
#include <string.h>

#include "check-env.h"

static const char name[] = "ASCEND_RT_VISIBLE_DEVICES";

/* Ids are read until the first one that is not digits alone, not above the
 * one before, or not there; the rest is dropped without a word. */
void
visible_read(struct host *h, struct visible *v)
{
	const struct smi *smi = smi_chips(h);
	const char *s;
	size_t max;

	*v = (struct visible){ .value = host_env(h, name) };
	if (v->value == NULL) {
		v->unknown =
		    h->need.script != NULL && !need_var(h, name, &v->value);
		return;
	}
	max = strlen(v->value) / 2 + 1;
	v->id = arena_alloc(&h->arena, max * sizeof(*v->id));
	for (s = v->value; *s != '\0';) {
		size_t n = strcspn(s, ",");
		long id = npusmi_number(arena_dup(&h->arena, s, n));

		v->bad = s;
		if (strspn(s, "0123456789") != n || n == 0)
			v->why = &T_VIS_NOT_ID;
		else if (v->n > 0 && id <= v->id[v->n - 1])
			v->why = &T_VIS_ORDER;
		else if (smi != NULL && id >= (long)smi->table.nchip)
			v->why = &T_VIS_RANGE;
		else
			v->bad = NULL;
		if (v->bad != NULL)
			return;
		v->id[v->n++] = id;
		s += n;
		if (*s == ',' && s[1] == '\0') {
			v->bad = s;
			v->why = &T_VIS_NOT_ID;
			return;
		}
		s += *s == ',';
	}
}

int
visible_selects(struct host *h, long logic)
{
	long need = h->npus > 0 ? h->npus : h->need.npus;
	struct visible v;

	visible_read(h, &v);
	if (v.value == NULL)
		return need == 0 || logic < need;
	for (size_t i = 0; i < v.n && (need == 0 || (long)i < need); i++)
		if (v.id[i] == logic)
			return 1;
	return 0;
}

static const char *
used(struct host *h, const struct visible *v)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < v->n; i++)
		buf_addf(&b, "%s%ld", i == 0 ? "" : ",", v->id[i]);
	return host_keep(h, &b);
}

/* 1 when the variable is set; else the check has nothing to say. */
static int
is_set(struct host *h, struct finding *f, struct visible *v)
{
	visible_read(h, v);
	find_set(f, v->unknown ? ST_SKIP : ST_PASS);
	if (v->value == NULL)
		return 0;
	find_value(f, "%s", v->value);
	return 1;
}

void
check_vis_set(struct host *h, struct finding *f)
{
	struct visible v;

	if (!is_set(h, f, &v))
		return;
	find_say(f, ST_WARN, &T_VIS_SET, name, v.value);
	find_remedy(
	    f, proc_container(h) != NULL ? &T_DO_UNSET_CTR : &T_DO_UNSET, name);
}

void
check_vis_syntax(struct host *h, struct finding *f)
{
	struct visible v;

	if (!is_set(h, f, &v))
		return;
	if (*v.value == '\0') {
		find_say(f, ST_FAIL, &T_VIS_EMPTY, name);
		find_remedy(f, &T_DO_UNSET, name);
	} else if (v.bad != NULL && v.why != &T_VIS_RANGE) {
		find_say(f, ST_FAIL, &T_VIS_SYNTAX, name, v.value);
		find_detail(f, v.why, v.bad);
		if (v.n == 0)
			find_detail(f, &T_VIS_USES_NONE);
		else
			find_detail(f, &T_VIS_USES, used(h, &v));
		find_remedy(f, &T_DO_VIS, name);
	}
}

void
check_vis_range(struct host *h, struct finding *f)
{
	struct visible v;
	const struct smi *smi = smi_chips(h);

	if (!is_set(h, f, &v))
		return;
	if (smi == NULL) {
		find_set(f, ST_SKIP);
		return;
	}
	if (v.why != &T_VIS_RANGE)
		return;
	find_say(f, ST_FAIL, &T_VIS_BEYOND, name, v.value,
	    host_str(h, "%zu", smi->table.nchip));
	find_detail(f, v.n == 0 ? &T_VIS_USES_NONE : &T_VIS_USES, used(h, &v));
	find_remedy(f, &T_DO_LOGIC);
}

void
check_vis_count(struct host *h, struct finding *f)
{
	long need = h->npus > 0 ? h->npus : h->need.npus;
	struct visible v;

	if (!is_set(h, f, &v))
		return;
	if (need == 0 || (long)v.n >= need) {
		find_value(f, "%zu", v.n);
		return;
	}
	find_say(f, ST_FAIL, &T_VIS_FEW, name, host_str(h, "%zu", v.n),
	    host_str(h, "%ld", need));
	find_remedy(f, &T_DO_UNSET, name);
}

void
check_vis_other(struct host *h, struct finding *f)
{
	static const struct {
		const char *name;
		const struct text *what;
	} others[] = { { "ASCEND_VISIBLE_DEVICES", &T_VIS_ASCEND },
		{ "ASCEND_DEVICE_ID", &T_VIS_DEVICE_ID },
		{ "NPU_VISIBLE_DEVICES", &T_VIS_NPU },
		{ "CUDA_VISIBLE_DEVICES", &T_VIS_CUDA } };
	size_t n = 0;

	find_set(f, ST_PASS);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		const char *s = host_env(h, others[i].name);

		if (s == NULL)
			continue;
		if (n++ == 0) {
			find_say(f, ST_INFO, &T_VIS_OTHER, others[i].name);
			find_value(f, "%s=%s", others[i].name, s);
		}
		find_detail(f, others[i].what, others[i].name, s);
	}
}
