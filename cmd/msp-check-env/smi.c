#include "smi.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check-env.h"
#include "io.h"
#include "path.h"
#include "spawn.h"

extern char **environ;

enum {
	OUTPUT_MAX = 1 << 20,
	RETRY_SECONDS = 2,
	NOT_FOUND = 127,
	LINE_MAX = 256
};

static const char loader_said[] = "error while loading shared libraries: ";

const char *
smi_program(struct host *h)
{
	static const char *const places[] = { "/usr/local/bin/npu-smi",
		"/usr/local/sbin/npu-smi" };
	struct buf b = { 0 };
	const char *name = h->program != NULL ? h->program : "npu-smi";
	const char *found = NULL;

	if (path_find_program(&b, name) == 0)
		found = host_keep(h, &b);
	buf_free(&b);
	if (found != NULL || h->program != NULL)
		return found;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (host_is_file(h, places[i]) &&
		    host_access(h, places[i], X_OK) == 0)
			return host_path(h, places[i]);
	return NULL;
}

/* The environment with LC_ALL=C and, where libs is given, the driver's
 * directories in front of LD_LIBRARY_PATH. */
static char **
smi_environ(struct host *h, const char *libs)
{
	const char *old = getenv("LD_LIBRARY_PATH");
	size_t n = 0, kept = 0;
	char **e;

	while (environ[n] != NULL)
		n++;
	e = arena_alloc(&h->arena, (n + 3) * sizeof(*e));
	for (size_t i = 0; i < n; i++) {
		if (strncmp(environ[i], "LC_ALL=", 7) == 0)
			continue;
		if (libs != NULL &&
		    strncmp(environ[i], "LD_LIBRARY_PATH=", 16) == 0)
			continue;
		e[kept++] = environ[i];
	}
	e[kept++] = arena_strdup(&h->arena, "LC_ALL=C");
	if (libs != NULL)
		e[kept++] = host_str(h, "LD_LIBRARY_PATH=%s%s%s", libs,
		    old == NULL ? "" : ":", old == NULL ? "" : old);
	e[kept] = NULL;
	return e;
}

static void
smi_once(struct host *h, struct smi *smi, const char *libs)
{
	const char *argv[] = { smi->program, "info", NULL };
	struct spawn_run run;

	buf_reset(&smi->text);
	spawn_capture(argv, smi_environ(h, libs), OUTPUT_MAX,
	    (int)h->limit * 1000, &smi->text, &run);
	smi->big = run.cut;
	smi->error = smi->status = smi->signal = 0;
	if (run.end == SPAWN_FAILED) {
		smi->end = run.status == ENOENT ? SMI_MISSING : SMI_DENIED;
		smi->error = run.status;
	} else if (run.end == SPAWN_TIMEOUT) {
		smi->end = SMI_TIMEOUT;
		smi->state = run.state;
	} else {
		smi->end = SMI_READ;
		smi->status = spawn_status(run.status);
		if (WIFSIGNALED(run.status))
			smi->signal = WTERMSIG(run.status);
	}
}

/* The library that the loader did not find. */
static const char *
smi_library(struct host *h, const struct smi *smi)
{
	const char *s;

	if (smi->end != SMI_READ || smi->text.len == 0 ||
	    (h->input == NULL && smi->status != NOT_FOUND))
		return NULL;
	s = strstr(smi->text.s, loader_said);
	if (s == NULL)
		return NULL;
	s += sizeof(loader_said) - 1;
	return arena_dup(&h->arena, s, strcspn(s, ": \r\n"));
}

static int
smi_may_recover(const struct smi *smi)
{
	struct npusmi t;
	long ret;

	if (smi->end != SMI_READ || smi->text.len == 0)
		return 0;
	npusmi_read(&t, smi->text.s, smi->text.len);
	ret = t.nchip == 0 ? t.ret : 0;
	npusmi_free(&t);
	return ret == -8006 || ret == -8012;
}

static void
smi_run(struct host *h, struct smi *smi)
{
	const char *driver = cann_get(h)->driver;

	smi->program = smi_program(h);
	if (smi->program == NULL) {
		smi->end = SMI_MISSING;
		return;
	}
	smi_once(h, smi, NULL);
	smi->library = smi_library(h, smi);
	if (smi->library != NULL) {
		const char *d = host_path(h, driver);

		smi->loader = 1;
		smi_once(h, smi,
		    host_str(h, "%s/lib64:%s/lib64/common:%s/lib64/driver", d,
			d, d));
		smi->mended = smi_library(h, smi) == NULL;
	}
	if (smi_may_recover(smi)) {
		struct timespec pause = { RETRY_SECONDS, 0 };

		nanosleep(&pause, NULL);
		smi_once(h, smi, NULL);
	}
}

static void
smi_input(struct host *h, struct smi *smi)
{
	int r;

	smi->end = SMI_READ;
	smi->program = h->input;
	r = strcmp(h->input, "-") == 0
	    ? io_slurp(0, &smi->text, OUTPUT_MAX)
	    : io_slurp_file(h->input, &smi->text, OUTPUT_MAX);
	if (r < 0) {
		smi->end = SMI_DENIED;
		smi->error = errno;
	}
	smi->big = r > 0;
	smi->library = smi_library(h, smi);
	smi->loader = smi->library != NULL;
	if (smi->text.len > 0 && smi->text.len < LINE_MAX &&
	    strstr(smi->text.s, "npu-smi: ") != NULL &&
	    strstr(smi->text.s, "not found") != NULL)
		smi->end = SMI_MISSING;
}

/* --- what the table says of each chip ------------------------------------ */

static const char *
chip_gen(const struct npusmi *t, const char *name)
{
	static const struct {
		const char *name;
		int whole;
		const char *gen;
	} gens[] = { { "310P", 0, "310P" }, { "310B", 0, "310B" },
		{ "310", 0, "310" }, { "910_93", 0, "A3" },
		{ "910B", 1, "910" }, { "910B", 0, "A2" }, { "910A", 0, "910" },
		{ "910Pro", 0, "910" }, { "910Premium", 0, "910" },
		{ "950", 0, "A5" } };

	if (name == NULL)
		return NULL;
	if (str_begins(name, "Ascend"))
		name += strlen("Ascend");
	if (strcmp(name, "910") == 0)
		return t->id == NPUSMI_ID_PHY ? "A3" : "910";
	for (size_t i = 0; i < sizeof(gens) / sizeof(*gens); i++)
		if (gens[i].whole ? strcmp(name, gens[i].name) == 0
				  : str_begins(name, gens[i].name))
			return gens[i].gen;
	return NULL;
}

static long
chip_used(const struct npusmi_chip *c)
{
	return npusmi_number(c->hbm != NULL ? c->hbm : c->mem);
}

static long
chip_total(const struct npusmi_chip *c)
{
	return npusmi_number(c->hbm != NULL ? c->hbm_total : c->mem_total);
}

static int
npu_has_row(const struct npusmi *t, long npu)
{
	for (size_t i = 0; i < t->nproc; i++)
		if (t->proc[i].npu == npu)
			return 1;
	return 0;
}

static int
npu_is_idle(const struct npusmi *t, long npu)
{
	if (t->allidle)
		return 1;
	for (size_t i = 0; i < t->nidle; i++)
		if (t->idle[i] == npu)
			return 1;
	return 0;
}

/* Memory that no process of the table explains. Chips use some when idle:
 * compared with the least that a chip of the same name uses, or alone, with
 * a share of its memory. */
static int
chip_hidden(const struct smi *smi, size_t at)
{
	const struct npusmi *t = &smi->table;
	const struct npusmi_chip *c = &t->chip[at];
	long used = chip_used(c), total = chip_total(c), least = -1;
	size_t peers = 0;

	if (npusmi_number(c->util) >= 5)
		return 1;
	if (used < 0 || total <= 0 || c->hbm == NULL)
		return 0;
	for (size_t i = 0; i < t->nchip; i++) {
		const struct npusmi_chip *o = &t->chip[i];

		if (o->name == NULL || c->name == NULL ||
		    strcmp(o->name, c->name) != 0 ||
		    smi->chip[i].busy == BUSY_YES || chip_used(o) < 0)
			continue;
		peers++;
		if (least < 0 || chip_used(o) < least)
			least = chip_used(o);
	}
	if (peers < 2)
		return used * 100 > total * 12;
	return used * 100 > total * 8 && used * 2 > least * 3;
}

static void
chips_busy(struct smi *smi)
{
	const struct npusmi *t = &smi->table;

	for (size_t i = 0; i < t->nproc; i++)
		for (size_t k = 0; k < t->nchip; k++)
			if (t->chip[k].npu == t->proc[i].npu &&
			    t->chip[k].chip == t->proc[i].chip &&
			    !smi->own[i]) {
				smi->chip[k].busy = BUSY_YES;
				smi->chip[k].procs++;
			}
	for (size_t k = 0; k < t->nchip; k++) {
		const struct npusmi_chip *c = &t->chip[k];
		struct smi_chip *s = &smi->chip[k];

		if (s->busy == BUSY_YES)
			continue;
		s->hidden = !npu_has_row(t, c->npu) && chip_hidden(smi, k);
		if (s->hidden)
			s->busy = BUSY_MAYBE;
		else if (!npu_is_idle(t, c->npu) && !npu_has_row(t, c->npu))
			s->busy = BUSY_UNKNOWN;
	}
}

static void
smi_judge(struct host *h, struct smi *smi)
{
	struct npusmi *t = &smi->table;

	npusmi_read(t, smi->text.len == 0 ? "" : smi->text.s, smi->text.len);
	smi->chip = arena_alloc(&h->arena, (t->nchip + 1) * sizeof(*smi->chip));
	smi->own = arena_alloc(&h->arena, (t->nproc + 1) * sizeof(*smi->own));
	for (size_t i = 0; i < t->nchip; i++) {
		const struct npusmi_chip *c = &t->chip[i];

		smi->chip[i] = (struct smi_chip){ .logic = (long)i,
			.gen = chip_gen(t, c->name) };
		if (t->id == NPUSMI_ID_LOGIC && npusmi_number(c->id) >= 0)
			smi->chip[i].logic = npusmi_number(c->id);
	}
	for (size_t i = 0; i < t->nproc; i++)
		smi->own[i] = h->input == NULL &&
		    (proc_own(h, npusmi_number(t->proc[i].pid)) ||
			proc_own(h, npusmi_number(t->proc[i].cpid)));
	chips_busy(smi);
}

const struct smi *
smi_get(struct host *h)
{
	if (h->has_smi)
		return &h->smi;
	h->has_smi = 1;
	if (h->input != NULL)
		smi_input(h, &h->smi);
	else
		smi_run(h, &h->smi);
	smi_judge(h, &h->smi);
	return &h->smi;
}

const struct smi *
smi_chips(struct host *h)
{
	const struct smi *smi = smi_get(h);

	return smi->end == SMI_READ && smi->table.nchip > 0 ? smi : NULL;
}

int
smi_failed(const struct smi *smi)
{
	return smi->text.len > 0 && strstr(smi->text.s, "Failed to ") != NULL;
}

int
smi_healthy(const struct npusmi_chip *c)
{
	return c->health != NULL &&
	    (strcmp(c->health, "OK") == 0 || strcmp(c->health, "Warning") == 0);
}

size_t
smi_free(const struct smi *smi)
{
	size_t n = 0;

	for (size_t i = 0; i < smi->table.nchip; i++)
		n += smi_healthy(&smi->table.chip[i]) &&
		    smi->chip[i].busy == BUSY_NO;
	return n;
}

const char *
smi_name_of(struct host *h, long npu, long chip)
{
	const struct npusmi *t = &h->smi.table;
	size_t mates = 0;

	for (size_t k = 0; k < t->nchip; k++)
		mates += t->chip[k].npu == npu;
	return mates < 2 ? host_str(h, "NPU %ld", npu)
			 : host_str(h, "NPU %ld chip %ld", npu, chip);
}

const char *
smi_name(struct host *h, size_t i)
{
	const struct npusmi_chip *c = &h->smi.table.chip[i];

	if (c->npu < 0)
		return host_str(h, "NPU ? (%s)", c->bus);
	return smi_name_of(h, c->npu, c->chip);
}

const char *
smi_model(struct host *h, const char *name)
{
	return str_begins(name, "Ascend") ? name
					  : host_str(h, "Ascend %s", name);
}
