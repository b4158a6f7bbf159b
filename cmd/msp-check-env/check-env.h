/*
 * msp-check-env: what its files share. A host is what is known of this one;
 * everything in it is found out once, when the first check asks for it. A
 * check is a row of checks.def; what it decides is a finding.
 */
#ifndef CHECK_ENV_H
#define CHECK_ENV_H

#include <stddef.h>
#include <sys/types.h>

#include "cann.h"
#include "mem.h"
#include "need.h"
#include "npusmi.h"
#include "rec.h"
#include "smi.h"
#include "strs.h"
#include "text.h"

#define TEXT TEXT_DECLARE
#include "text.def"
#undef TEXT
#define TEXT TEXT_DECLARE
#include "text-soft.def"
#undef TEXT

enum status { ST_PASS, ST_INFO, ST_WARN, ST_FAIL, ST_SKIP, ST_IGNORED };
enum { STATUSES = ST_IGNORED + 1 };

enum verdict { V_READY, V_NOT_READY, V_NO_NPU, V_UNKNOWN };

/* A text with its arguments, which live in the host's arena. */
enum { SAID_ARGS = 9 };
struct said {
	const struct text *text; /* NULL: nothing */
	const char *arg[SAID_ARGS + 1];
};

struct host;
struct finding {
	struct host *host;
	const struct check *check;
	enum status status;
	enum verdict fails; /* the check's, unless it knows better */
	const char *value; /* NULL: none */
	struct said message, remedy;
	struct said *detail;
	size_t ndetail, capdetail;
};

struct check {
	const char *id;
	enum status worst;
	enum verdict fails; /* the verdict when it fails */
	void (*decide)(struct host *, struct finding *);
	struct text what;
};

struct host {
	/* what was asked */
	const char *root; /* "" or a prefix without slash at its end */
	const char *program; /* --npu-smi; NULL: look for npu-smi */
	const char *input; /* --input; NULL: run it */
	const char *out; /* -o; NULL: as the script or the default says */
	long npus; /* --npus; 0: as the script says */
	long limit; /* for npu-smi, in seconds */
	int eval; /* -F sh: CANN is loaded by what is printed */
	int force;
	/* what is known */
	struct arena arena;
	struct need need;
	struct smi smi;
	struct cann cann;
	int has_smi, has_cann;
	const char *silent; /* the path that did not answer last */
};

/* --- finding.c: what a check says ---------------------------------------- */

/* Sets status and message; then its value, details, remedy. Arguments are
 * copied; they end with NULL, which the macros add. */
#define find_say(f, status, ...) \
	find_say_((f), (status), __VA_ARGS__, (const char *)0)
void find_say_(struct finding *, enum status, const struct text *, ...);
#define find_detail(f, ...) find_detail_((f), __VA_ARGS__, (const char *)0)
void find_detail_(struct finding *, const struct text *, ...);
#define find_remedy(f, ...) find_remedy_((f), __VA_ARGS__, (const char *)0)
void find_remedy_(struct finding *, const struct text *, ...);
#define find_value(f, ...) \
	((f)->value = arena_printf(&(f)->host->arena, __VA_ARGS__))
/* Status without a message of its own: the check's summary stands for it. */
void find_set(struct finding *, enum status);

/* --- host.c: files and environment --------------------------------------- */

/* printf into the host's arena; a number of things there. */
#define host_str(h, ...) arena_printf(&(h)->arena, __VA_ARGS__)
#define host_count(h, n) host_str((h), "%zu", (size_t)(n))
/* A buffer's string in it; the buffer is empty after. */
#define host_keep(h, b) buf_keep((b), &(h)->arena)
/* The directory part of a path. */
const char *host_dir(struct host *, const char *);
/* Where a path is to be looked at: absolute ones below root. */
const char *host_path(struct host *, const char *);
/* 1 when there is a thing, a directory, a regular file, of this name. */
int host_exists(struct host *, const char *);
int host_is_dir(struct host *, const char *);
int host_is_file(struct host *, const char *);
/* 0 or -1 with errno, as access(2); nothing is opened. */
int host_access(struct host *, const char *, int mode);
/* A regular file's bytes up to 1 MiB, ended by a NUL; NULL: cannot be read.
 * Device nodes, pipes and sockets are never opened. */
const char *host_read(struct host *, const char *);
/* 1 when the file system of a path answers in time: a dead mount does not
 * hang the caller. */
int host_answers(struct host *, const char *);
/* Each line of a text (NULL: none) in turn: 1 and the line, 0 at the end. */
int host_next(struct host *, const char **text, const char **line);
/* Its first line; NULL as above. */
const char *host_line(struct host *, const char *);
/* The number it begins with, or -1. */
long host_number(struct host *, const char *);
/* The value behind "KEY=" at the beginning of a line of text, without blanks
 * and quotes around it; NULL when it is not there. */
const char *host_key(struct host *, const char *text, const char *key);
/* The names in a directory that begin with prefix, sorted; how many. */
size_t host_list(
    struct host *, const char *dir, const char *prefix, const char ***names);
/* The same with slashes, dots and links resolved, as seen below root. */
const char *host_real(struct host *, const char *);

/* An environment variable as the launch sees it: as the script sets it, else
 * as it is now. NULL: unset, or set to what cannot be known. */
const char *host_env(struct host *, const char *name);
/* The same for a path list: what the script makes of it in ways that cannot
 * be followed begins with what it is now. */
const char *host_paths(struct host *, const char *name);
/* Each entry of a path list in turn: 1 and the entry, 0 at the end. */
int host_entry(struct host *, const char **list, const char **entry);

/* --- proc.c: processes, users, containers -------------------------------- */

const char *proc_user(struct host *, long pid);
/* Its name: the command line of a process that hangs may hang its reader. */
const char *proc_command(struct host *, long pid);
/* 1 when the process belongs to the caller's own job. */
int proc_own(struct host *, long pid);
/* "docker", "podman", "kubernetes", "container"; NULL: a host. */
const char *proc_container(struct host *);
/* The effective capabilities hold CAP_SYS_ADMIN: 1, 0, or -1 unknown. */
int proc_privileged(struct host *);
/* The name of the group of device nodes, as the driver was installed. */
const char *proc_group(struct host *);
/* Whether /etc/group has this process's user in the group; whether the
 * process has it. */
int proc_group_lists(struct host *, const char *group);
int proc_group_effective(struct host *, const char *group);

/* --- device.c: PCI and device nodes -------------------------------------- */

/* Ascend devices on the PCI bus; -1 when the bus cannot be seen. */
long device_pci(struct host *);
/* 1 when a module of the driver is loaded into the kernel. */
int device_driver(struct host *);
/* The numbers of /dev/davinciN; how many. */
size_t device_nodes(struct host *, long **ids);

/* --- visible.c: ASCEND_RT_VISIBLE_DEVICES -------------------------------- */

struct visible {
	const char *value; /* NULL: not set, or not known */
	int unknown;
	long *id; /* what the runtime will use of it */
	size_t n;
	const char *bad; /* from where it is not used; NULL: all is used */
	const struct text *why;
};
void visible_read(struct host *, struct visible *);
/* 1 when the launch will use the chip with this logic id. */
int visible_selects(struct host *, long logic);

/* --- cause.c: why no NPU is usable --------------------------------------- */

void cause_tell(struct host *, struct finding *);

/* --- checks.c ------------------------------------------------------------ */

extern const struct check checks[];
extern const size_t nchecks;

/* 1 when the id matches one of the patterns, each a comma-separated list. */
int check_matches(const char *id, char *const *patterns, size_t n);
/* 1 when --check selects it; npu.present goes with every npu.* */
int check_selected(const struct check *, char *const *select, size_t n);
/* Runs the selected checks. ignore: as --ignore. Returns how many. */
size_t check_run(struct host *, char *const *select, size_t nselect,
    char *const *ignore, size_t nignore, struct finding **);
enum verdict check_verdict(const struct finding *, size_t, int warnings);
size_t check_count(const struct finding *, size_t, enum status);

/* --- report.c, record.c ------------------------------------------------------------ */

struct report {
	const struct finding *finding;
	size_t n;
	enum verdict verdict;
	int quiet, verbose;
	const char *script; /* its name, NULL: only the host */
};
/* A text with its arguments, in a language. */
void report_said(struct buf *, enum text_lang, const struct said *);
void report_text(struct buf *, struct host *, const struct report *);
void report_records(
    struct buf *, struct host *, const struct report *, enum rec_format);
void report_sh(struct buf *, struct host *);
/* Errors and warnings as diagnostics on standard error. */
void report_diagnose(const struct report *);
void report_list(struct buf *, enum rec_format);
/* What would be done (-n). */
void report_plan(
    struct buf *, struct host *, const struct report *, size_t selected);

#define CHECK(name, id, worst, fails, en, zh) \
	void check_##name(struct host *, struct finding *);
#include "checks.def"
#undef CHECK

#endif
