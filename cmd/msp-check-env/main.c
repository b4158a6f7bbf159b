#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check-env.h"
#include "err.h"
#include "io.h"
#include "mem.h"
#include "opt.h"
#include "rec.h"
#include "script.h"

#define TEXT TEXT_DEFINE
#include "text.def"
#undef TEXT
#define TEXT TEXT_DEFINE
#include "text-soft.def"
#undef TEXT

enum { NPUS_MAX = 4096, LIMIT_DEFAULT = 30, LIMIT_MAX = 86400 };

enum {
	OPT_GATE,
	OPT_QUIET,
	OPT_VERBOSE,
	OPT_DRY,
	OPT_FORCE,
	OPT_WARNINGS,
	OPT_PATH,
	OPT_NPUS,
	OPT_OUT,
	OPT_FORMAT,
	OPT_REPORT,
	OPT_CHECK,
	OPT_IGNORE,
	OPT_LIST,
	OPT_LIMIT,
	OPT_ROOT,
	OPT_SMI,
	OPT_INPUT
};

static const struct opt table[] = {
	[OPT_GATE] = { 'g', "gate", OPT_SWITCH, NULL, &T_HELP_GATE },
	[OPT_QUIET] = { 'q', "quiet", OPT_SWITCH, NULL, &T_HELP_QUIET },
	[OPT_VERBOSE] = { 'v', "verbose", OPT_SWITCH, NULL, &T_HELP_VERBOSE },
	[OPT_DRY] = { 'n', "plan", OPT_SWITCH, NULL, &T_HELP_DRY },
	[OPT_FORCE] = { 'f', "force", OPT_SWITCH, NULL, &T_HELP_FORCE },
	[OPT_WARNINGS] = { 'W', "warnings", OPT_SWITCH, NULL, &T_HELP_WARN },
	[OPT_PATH] = { 'p', "path", OPT_VALUE, "FILE", &T_HELP_PATH },
	[OPT_NPUS] = { 0, "npus", OPT_VALUE, "N", &T_HELP_NPUS },
	[OPT_OUT] = { 'o', "profile-save-path", OPT_VALUE, "DIR", &T_HELP_OUT },
	[OPT_FORMAT] = { 'F', "format", OPT_VALUE, "FORMAT", &T_HELP_FORMAT },
	[OPT_REPORT] = { 0, "report", OPT_VALUE, "FILE", &T_HELP_REPORT },
	[OPT_CHECK] = { 0, "check", OPT_VALUE, "LIST", &T_HELP_CHECK },
	[OPT_IGNORE] = { 0, "ignore", OPT_VALUE, "PATTERN", &T_HELP_IGNORE },
	[OPT_LIST] = { 0, "list", OPT_SWITCH, NULL, &T_HELP_LIST },
	[OPT_LIMIT] = { 0, "limit", OPT_VALUE, "SECONDS", &T_HELP_LIMIT },
	[OPT_ROOT] = { 0, "root", OPT_VALUE, "DIR", &T_HELP_ROOT },
	[OPT_SMI] = { 0, "npu-smi", OPT_VALUE, "PROGRAM", &T_HELP_SMI },
	[OPT_INPUT] = { 0, "input", OPT_VALUE, "FILE", &T_HELP_INPUT },
	{ 0 },
};

struct options {
	int gate, quiet, verbose, dry, warnings, list;
	const char *path, *report;
	enum rec_format format;
	char **check, **ignore;
	size_t ncheck, nignore;
};

static int
want_number(
    struct host *h, const char *name, const char *value, long max, long *n)
{
	if (opt_number(value, 1, max, n) == 0)
		return 0;
	err_say(ERR_ERROR, ERR_NOWHERE, &T_BAD_NUMBER, name, value,
	    host_str(h, "%ld", max));
	return -1;
}

/* A pattern that no check's name fits is a mistake. */
static int
want_check(char *list)
{
	if (list[strspn(list, ",")] == '\0') {
		err_say(ERR_ERROR, ERR_NOWHERE, &T_NO_CHECK);
		return -1;
	}
	for (char *s = list; *s != '\0';) {
		size_t n = strcspn(s, ","), i = 0;
		char *one = mem_dup(s, n);

		while (i < nchecks && !check_matches(checks[i].id, &one, 1))
			i++;
		if (i == nchecks)
			err_say(ERR_ERROR, ERR_NOWHERE, &T_BAD_CHECK, one);
		mem_free(one);
		if (i == nchecks)
			return -1;
		s += n + (s[n] == ',');
	}
	return 0;
}

static int
want_root(struct host *h, char *dir)
{
	size_t n = strlen(dir);

	while (n > 0 && dir[n - 1] == '/')
		dir[--n] = '\0';
	if (n == 0 || host_is_dir(h, dir)) {
		h->root = dir;
		return 0;
	}
	err_say(ERR_ERROR, ERR_NOWHERE, &T_BAD_ROOT, dir);
	return -1;
}

static int
take_value(int i, char *value, struct options *o, struct host *h)
{
	switch (i) {
	case OPT_NPUS:
		return want_number(h, "--npus", value, NPUS_MAX, &h->npus);
	case OPT_LIMIT:
		return want_number(h, "--limit", value, LIMIT_MAX, &h->limit);
	case OPT_ROOT: return want_root(h, value);
	case OPT_CHECK: o->check[o->ncheck++] = value; return want_check(value);
	case OPT_FORMAT: return rec_format(value, 1, &o->format);
	case OPT_PATH: o->path = value; break;
	case OPT_OUT: h->out = value; break;
	case OPT_REPORT: o->report = value; break;
	case OPT_IGNORE: o->ignore[o->nignore++] = value; break;
	case OPT_SMI: h->program = value; break;
	case OPT_INPUT: h->input = value; break;
	default: break;
	}
	return 0;
}

/* -1 when all is read, else the status with which to end. */
static int
read_options(struct opts *opts, struct options *o, struct host *h)
{
	for (int i; (i = opt_next(opts)) >= 0;)
		switch (i) {
		case OPT_GATE: o->gate = opts->on; break;
		case OPT_QUIET: o->quiet = opts->on; break;
		case OPT_VERBOSE: o->verbose = opts->on; break;
		case OPT_DRY: o->dry = opts->on; break;
		case OPT_FORCE: h->force = opts->on; break;
		case OPT_WARNINGS: o->warnings = opts->on; break;
		case OPT_LIST: o->list = opts->on; break;
		default:
			if (take_value(i, opts->value, o, h) < 0)
				return EXIT_FAILED;
		}
	h->eval = o->format == REC_SH;
	return opts->status;
}

static void
add_report(struct buf *b, struct host *h, const struct report *r,
    const struct options *o)
{
	if (o->format == REC_SH)
		report_sh(b, h);
	else if (o->format == REC_TEXT)
		report_text(b, h, r);
	else
		report_records(b, h, r, o->format);
}

static int
answer(struct host *h, const struct report *r, const struct options *o,
    const struct script *script)
{
	static const int exits[] = { EXIT_YES, EXIT_NO, EXIT_NO, EXIT_REFUSED };
	struct buf out = { 0 };
	int failed = 0;

	if (o->report != NULL) {
		struct report full = *r;

		full.quiet = 0;
		add_report(&out, h, &full, o);
		failed = io_put_file(o->report, &out) < 0;
		buf_reset(&out);
	}
	if (!o->gate)
		add_report(&out, h, r, o);
	if (o->gate || o->format == REC_SH)
		report_diagnose(r);
	if (o->gate && r->verdict == V_READY && !failed)
		script_close(
		    &out, script->text.s, script->text.len, script->path);
	if (io_put(&out) < 0)
		failed = 1;
	buf_free(&out);
	return failed ? EXIT_FAILED : exits[r->verdict];
}

static int
check(struct host *h, const struct options *o, const struct script *script)
{
	struct finding *findings;
	struct report r = { .quiet = o->quiet,
		.verbose = o->verbose,
		.script = script == NULL ? NULL : script->name };
	int status;

	if (h->input != NULL && smi_get(h)->end == SMI_DENIED) {
		err_say(ERR_ERROR, ERR_NOWHERE, &T_LIB_READ, h->input,
		    strerror(h->smi.error));
		return EXIT_FAILED;
	}
	r.n =
	    check_run(h, o->check, o->ncheck, o->ignore, o->nignore, &findings);
	r.finding = findings;
	r.verdict = check_verdict(findings, r.n, o->warnings);
	status = answer(h, &r, o, script);
	for (size_t i = 0; i < r.n; i++)
		mem_free(findings[i].detail);
	mem_free(findings);
	return status;
}

static int
tell_plan(struct host *h, const struct options *o, const struct script *script)
{
	struct report r = { .script = script == NULL ? NULL : script->name };
	struct buf b = { 0 };
	size_t n = 0;
	int status;

	for (size_t i = 0; i < nchecks; i++)
		n += (size_t)check_selected(&checks[i], o->check, o->ncheck);
	report_plan(&b, h, &r, n);
	status = io_put(&b) < 0 ? EXIT_FAILED : EXIT_YES;
	buf_free(&b);
	return status;
}

static int
run(struct host *h, const struct options *o, int argc, char **argv)
{
	struct script script = { 0 };
	int with = o->gate || argc > 0, status;

	if (o->list) {
		struct buf b = { 0 };

		report_list(&b, o->format);
		status = io_put(&b) < 0 ? EXIT_FAILED : EXIT_YES;
		buf_free(&b);
		return status;
	}
	if (with && h->input != NULL && strcmp(h->input, "-") == 0 &&
	    (argc == 0 || strcmp(argv[0], "-") == 0)) {
		err_say(ERR_ERROR, ERR_NOWHERE, &T_BAD_STDIN);
		return EXIT_FAILED;
	}
	if (with) {
		if (script_read(&script, argc, argv, o->path, &status) < 0) {
			script_free(&script);
			return status;
		}
		need_read(h, &script, h->root);
	}
	status = o->dry ? tell_plan(h, o, with ? &script : NULL)
			: check(h, o, with ? &script : NULL);
	if (with) {
		need_free(&h->need);
		script_free(&script);
	}
	return status;
}

int
main(int argc, char **argv)
{
	struct host h = { .root = "", .limit = LIMIT_DEFAULT };
	struct options o = { 0 };
	struct opts opts = { table, &T_USAGE, argc, argv, 0, 0, 0, NULL, 0 };
	int status;

	err_init("msp-check-env", EXIT_FAILED);
	o.check = mem_zero((size_t)argc + 1, sizeof(*o.check));
	o.ignore = mem_zero((size_t)argc + 1, sizeof(*o.ignore));
	status = read_options(&opts, &o, &h);
	if (status < 0) {
		err_quiet(o.quiet);
		status = run(&h, &o, argc - opts.next, argv + opts.next);
	}
	npusmi_free(&h.smi.table);
	buf_free(&h.smi.text);
	arena_free(&h.arena);
	mem_free(o.check);
	mem_free(o.ignore);
	return status;
}
