/* npu-smi itself: is it there, does it run, is its table understood. */
#include <string.h>

#include "check-env.h"

static const struct {
	long ret;
	const struct text *what, *remedy;
} codes[] = {
	{ -8002, &T_RET_8002, &T_DO_GROUP },
	{ -8005, &T_RET_8005, &T_DO_DRIVER },
	{ -8006, &T_RET_8006, &T_DO_AGAIN },
	{ -8008, &T_RET_8008, &T_DO_DRIVER },
	{ -8009, &T_RET_8009, &T_DO_DRIVER },
	{ -8012, &T_RET_8012, &T_DO_AGAIN },
	{ -8020, &T_RET_8020, &T_DO_OCCUPIED },
	{ -8255, &T_RET_8255, &T_DO_GENERATION },
	{ -9005, &T_RET_9005, &T_DO_DMESG },
	{ -9019, &T_RET_9019, &T_DO_DMESG },
};

void
check_smi_found(struct host *h, struct finding *f)
{
	const char *program;

	if (h->input != NULL) {
		find_set(f, ST_SKIP);
		return;
	}
	program = smi_program(h);
	if (program != NULL) {
		find_set(f, ST_PASS);
		find_value(f, "%s", program);
		return;
	}
	if (h->program != NULL)
		find_say(f, ST_FAIL, &T_SMI_NO_PROGRAM, h->program);
	else
		find_say(f, ST_FAIL, &T_SMI_MISSING);
	find_remedy(
	    f, proc_container(h) != NULL ? &T_DO_MOUNT_SMI : &T_DO_INSTALL);
}

void
check_smi_libs(struct host *h, struct finding *f)
{
	const struct smi *smi = smi_get(h);
	const char *driver = cann_get(h)->driver;

	find_set(f, smi->end == SMI_READ ? ST_PASS : ST_SKIP);
	if (!smi->loader)
		return;
	find_value(f, "%s", smi->library);
	if (smi->mended)
		find_say(f, ST_WARN, &T_SMI_LIBS_MENDED, smi->library);
	else
		find_say(f, ST_FAIL, &T_SMI_LIBS, smi->library);
	find_remedy(f,
	    !smi->mended && proc_container(h) != NULL ? &T_DO_MOUNT_DRIVER
						      : &T_DO_LIBS,
	    driver);
}

static void
say_code(struct host *h, struct finding *f, enum status status, long ret)
{
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		if (codes[i].ret == ret) {
			find_say(
			    f, status, codes[i].what, host_str(h, "%ld", ret));
			find_remedy(f, codes[i].remedy, proc_group(h));
			return;
		}
	find_say(f, status, &T_RET_OTHER, host_str(h, "%ld", ret));
	find_remedy(f, &T_DO_DMESG);
}

void
check_smi_run(struct host *h, struct finding *f)
{
	const struct smi *smi = smi_get(h);
	int chips = smi->end == SMI_READ && smi->table.nchip > 0;
	enum status bad = chips ? ST_WARN : ST_FAIL;

	find_set(f, smi->end == SMI_READ ? ST_PASS : ST_SKIP);
	if (smi->end == SMI_DENIED) {
		find_say(f, ST_FAIL, &T_SMI_DENIED, smi->program,
		    strerror(smi->error));
		find_value(f, "%s", strerror(smi->error));
		find_remedy(f, &T_DO_EXECUTE, smi->program);
		return;
	}
	if (smi->end != SMI_READ)
		return;
	find_value(f, "%d", smi->status);
	if (smi->table.ret != 0) {
		find_value(f, "%ld", smi->table.ret);
		say_code(h, f, bad, smi->table.ret);
	} else if (smi_failed(smi)) {
		find_say(f, bad, &T_SMI_FAILED, host_str(h, "%d", smi->status));
		find_remedy(f, &T_DO_DMESG);
	} else if (smi->status == 127 && !chips && !smi->loader) {
		find_say(f, ST_FAIL, &T_SMI_127, smi->program);
		find_remedy(f, &T_DO_MOUNT_SMI);
	} else if (smi->status != 0 && chips) {
		find_say(
		    f, ST_WARN, &T_SMI_STATUS, host_str(h, "%d", smi->status));
		find_remedy(f, &T_DO_DMESG);
	}
}

void
check_smi_time(struct host *h, struct finding *f)
{
	const struct smi *smi = smi_get(h);
	char state[2] = { smi->state, '\0' };

	find_set(f, smi->end == SMI_READ ? ST_PASS : ST_SKIP);
	if (smi->end != SMI_TIMEOUT)
		return;
	find_value(f, "%s", state);
	if (smi->state == 'D') {
		find_say(f, ST_FAIL, &T_SMI_HUNG, host_str(h, "%ld", h->limit));
		find_remedy(f, &T_DO_HUNG);
	} else {
		find_say(f, ST_FAIL, &T_SMI_TIME, host_str(h, "%ld", h->limit),
		    smi->state == 0 ? "?" : state);
		find_remedy(f, &T_DO_LIMIT, host_str(h, "%ld", h->limit * 4));
	}
}

/* What was printed when there is no table: its first line. */
static const char *
first_line(struct host *h, const struct smi *smi)
{
	const char *s = smi->text.len == 0 ? "" : smi->text.s;

	s += strspn(s, "\r\n ");
	return arena_dup(&h->arena, s, strcspn(s, "\r\n"));
}

/* 1 when something says why there is no table. */
static int
explained(const struct smi *smi)
{
	return smi->table.ret != 0 || smi_failed(smi) ||
	    (smi->loader && !smi->mended) || smi->status == 127;
}

/* Whether there are NPUs cannot be told, or not how many. */
static int
is_unclear(const struct smi *smi)
{
	const struct npusmi *t = &smi->table;

	if (smi->end != SMI_READ || explained(smi))
		return smi->end == SMI_TIMEOUT;
	if (t->layout == NPUSMI_NONE)
		return t->text || smi->status != 0;
	return t->bad > 0 || t->cut || smi->big;
}

void
check_smi_parse(struct host *h, struct finding *f)
{
	const struct smi *smi = smi_get(h);
	const struct npusmi *t = &smi->table;

	find_set(f, smi->end == SMI_READ ? ST_PASS : ST_SKIP);
	if (smi->end != SMI_READ || !(is_unclear(smi) || t->orphans > 0))
		return;
	if (smi->signal != 0 && t->nchip == 0) {
		find_say(
		    f, ST_FAIL, &T_SMI_KILLED, host_str(h, "%d", smi->signal));
	} else if (t->layout == NPUSMI_NONE && t->text) {
		find_say(f, ST_FAIL, &T_SMI_NO_TABLE, first_line(h, smi));
	} else if (t->layout == NPUSMI_NONE && smi->status != 0) {
		find_say(
		    f, ST_FAIL, &T_SMI_SILENT, host_str(h, "%d", smi->status));
	} else if (t->bad > 0) {
		find_say(f, ST_FAIL, &T_SMI_BAD_ROWS,
		    host_str(h, "%zu", t->bad), host_str(h, "%zu", t->nchip));
	} else if (t->cut || smi->big) {
		find_say(f, ST_FAIL, &T_SMI_CUT, host_str(h, "%zu", t->nchip));
	} else {
		find_say(
		    f, ST_WARN, &T_SMI_ORPHANS, host_str(h, "%zu", t->orphans));
	}
	if (f->status == ST_FAIL)
		find_remedy(f, &T_DO_REPORT);
	else
		find_remedy(f, &T_DO_DMESG);
}

void
check_smi_version(struct host *h, struct finding *f)
{
	const struct npusmi *t = &smi_get(h)->table;

	if (t->tool == NULL || t->driver == NULL) {
		find_set(f, ST_SKIP);
		return;
	}
	find_set(f, ST_PASS);
	find_value(f, "%s", t->driver);
	if (strcmp(t->tool, t->driver) != 0)
		find_say(f, ST_INFO, &T_SMI_VERSIONS, t->tool, t->driver);
}

void
check_driver_complete(struct host *h, struct finding *f)
{
	const struct smi *smi = smi_get(h);
	const char *info = host_read(h, "/etc/ascend_install.info");
	const char *state = host_key(h, info, "Driver_Install_Status");

	find_set(f, ST_PASS);
	if (smi->table.warning)
		find_say(f, ST_WARN, &T_DRIVER_WARNING);
	else if (info == NULL)
		find_set(f, ST_SKIP);
	else if (state != NULL && strcmp(state, "complete") != 0)
		find_say(f, ST_WARN, &T_DRIVER_STATE, state);
	if (state != NULL)
		find_value(f, "%s", state);
	if (f->status == ST_WARN)
		find_remedy(f, &T_DO_REINSTALL);
}

void
check_npu_present(struct host *h, struct finding *f)
{
	const struct smi *smi = smi_get(h);
	size_t n = smi->end == SMI_READ ? smi->table.nchip : 0;

	find_set(f, ST_PASS);
	find_value(f, "%zu", n);
	if (n > 0)
		return;
	if (is_unclear(smi)) {
		find_say(f, ST_FAIL, &T_NPU_UNCLEAR);
		find_remedy(f, &T_DO_REPORT);
		f->fails = V_UNKNOWN;
		return;
	}
	find_say(f, ST_FAIL, &T_NO_NPU);
	cause_tell(h, f);
}
