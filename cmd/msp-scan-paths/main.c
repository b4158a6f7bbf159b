#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "gather.h"
#include "io.h"
#include "mem.h"
#include "opt.h"
#include "scan.h"
#include "script.h"
#include "watch.h"

extern char **environ;

/* How long a file system may take to answer, in milliseconds. */
enum { MAIN_LIMIT = 3000 };

enum {
	OPT_GATE,
	OPT_QUIET,
	OPT_VERBOSE,
	OPT_DRY,
	OPT_FORCE,
	OPT_WARN,
	OPT_PATH,
	OPT_FORMAT,
	OPT_REPORT,
	OPT_ROOT,
	OPT_ENTRY,
	OPT_IGNORE
};
static const struct opt main_options[] = { [OPT_GATE] = { 'g', "gate",
					       OPT_SWITCH, NULL, &T_HELP_GATE },
	[OPT_QUIET] = { 'q', "quiet", OPT_SWITCH, NULL, &T_HELP_QUIET },
	[OPT_VERBOSE] = { 'v', "verbose", OPT_SWITCH, NULL, &T_HELP_VERBOSE },
	[OPT_DRY] = { 'n', "plan", OPT_SWITCH, NULL, &T_HELP_DRY },
	[OPT_FORCE] = { 'f', "force", OPT_SWITCH, NULL, &T_HELP_FORCE },
	[OPT_WARN] = { 'W', "warnings", OPT_SWITCH, NULL, &T_HELP_WARN },
	[OPT_PATH] = { 'p', "path", OPT_VALUE, "FILE", &T_HELP_PATH },
	[OPT_FORMAT] = { 'F', "format", OPT_VALUE, "FORMAT", &T_HELP_FORMAT },
	[OPT_REPORT] = { 0, "report", OPT_VALUE, "FILE", &T_HELP_REPORT },
	[OPT_ROOT] = { 0, "root", OPT_VALUE, "DIR", &T_HELP_ROOT },
	[OPT_ENTRY] = { 0, "entry", OPT_VALUE, "PATTERN", &T_HELP_ENTRY },
	[OPT_IGNORE] = { 0, "ignore", OPT_VALUE, "PATTERN", &T_HELP_IGNORE },
	{ 0 } };

struct options {
	int gate, quiet, verbose, dry, force, warn;
	const char *path, *report, *root;
	enum rec_format format;
	const char **entry, **ignore; /* ended by NULL */
};

static void
main_push(const char ***list, const char *s)
{
	size_t n = 0;

	while (*list != NULL && (*list)[n] != NULL)
		n++;
	*list = mem_resize(*list, n + 2, sizeof **list);
	(*list)[n] = s;
	(*list)[n + 1] = NULL;
}

static int
main_parse(struct options *o, struct opts *p)
{
	for (int i; (i = opt_next(p)) >= 0;)
		switch (i) {
		case OPT_GATE: o->gate = p->on; break;
		case OPT_QUIET: o->quiet = p->on; break;
		case OPT_VERBOSE: o->verbose = p->on; break;
		case OPT_DRY: o->dry = p->on; break;
		case OPT_FORCE: o->force = p->on; break;
		case OPT_WARN: o->warn = p->on; break;
		case OPT_PATH: o->path = p->value; break;
		case OPT_REPORT: o->report = p->value; break;
		case OPT_ROOT: o->root = p->value; break;
		case OPT_ENTRY: main_push(&o->entry, p->value); break;
		case OPT_IGNORE: main_push(&o->ignore, p->value); break;
		case OPT_FORMAT:
			if (rec_format(p->value, 0, &o->format) < 0)
				return EXIT_FAILED;
			break;
		}
	return p->status;
}

/* The directory that the script starts in, as it is called below the root. */
static char *
main_cwd(const char *root)
{
	char *cwd = getcwd(NULL, 0);
	char *top = root != NULL ? realpath(root, NULL) : NULL;
	size_t n = top != NULL ? strlen(top) : 0;

	if (cwd != NULL && n > 1 && strncmp(cwd, top, n) == 0 &&
	    (cwd[n] == '/' || cwd[n] == '\0')) {
		memmove(cwd, cwd + n, strlen(cwd + n) + 1);
		if (cwd[0] == '\0') {
			cwd[0] = '/';
			cwd[1] = '\0';
		}
	}
	mem_free(top);
	return cwd;
}

/* Nothing is looked at. */
static void
main_dry(struct scan *scan)
{
	scan->dry = 1;
	for (size_t i = 0; i < scan->n; i++)
		if (!(scan->item[i].flags & SCAN_SET)) {
			scan->item[i].flags |= SCAN_SET;
			found_set(&scan->item[i].found, SCAN_UNKNOWN,
			    &T_WHY_DRY, NULL, NULL, NULL);
		}
}

/* 0, or -1: what the script reads does not answer. */
static int
main_scan(struct scan *scan, const struct script *script,
    const struct options *o, struct watch *w)
{
	char *cwd = main_cwd(o->root);
	struct shval_env env = { .script = script->path,
		.brief = 1,
		.args = script->args,
		.nargs = (size_t)script->nargs,
		.environ = environ,
		.cwd = cwd,
		.root = o->root };
	struct gather gather;
	struct shcmd cmd;

	shcmd_parse(&cmd, script->text.s, script->text.len);
	int r = gather_open(&gather, scan, &cmd, &env, o->entry, w);
	if (r == 0) {
		syntax_items(scan, &cmd);
		if (o->dry)
			main_dry(scan);
		judge_items(scan, w);
		made_excuse(&gather);
		scan_settle(scan, o->ignore);
		gather_close(&gather);
	}
	shcmd_free(&cmd);
	mem_free(cwd);
	return r;
}

static int
main_fails(const struct scan *scan, const struct options *o)
{
	return scan_failures(scan) > 0 ||
	    (o->warn && scan->count[SCAN_WARN] + scan->count[SCAN_UNKNOWN] > 0);
}

static void
main_report(struct buf *b, const struct scan *scan, const struct options *o)
{
	if (o->format == REC_TEXT)
		report_text(b, scan, o->verbose, o->quiet);
	else
		report_records(b, scan, o->format);
}

static int
main_output(const struct scan *scan, const struct script *script,
    const struct options *o)
{
	struct buf report = { 0 }, out = { 0 };
	int pass = !main_fails(scan, o) || o->force, r = 0;

	main_report(&report, scan, o);
	if (scan->launches == 0)
		err_say(ERR_NOTE, ERR_NOWHERE, &T_NO_LAUNCH, script->name);
	if (o->report != NULL)
		r = io_put_file(o->report, &report);
	if (o->gate) {
		report_gate(scan, pass);
		if (pass)
			script_close(&out, script->text.s, script->text.len,
			    script->path);
	}
	if (r == 0 && (!o->gate || pass))
		r = io_put(o->gate ? &out : &report);
	buf_free(&report);
	buf_free(&out);
	if (r < 0)
		return EXIT_FAILED;
	return pass ? EXIT_YES : EXIT_NO;
}

/* What the helper does. */
static int
main_work(const struct script *script, const struct options *o, struct watch *w)
{
	struct scan scan = { .look = { o->root }, .name = script->name };
	int status = EXIT_REFUSED;

	if (main_scan(&scan, script, o, w) < 0)
		err_say(ERR_ERROR, ((struct err_at){ script->name, 0, 0 }),
		    &T_STUCK);
	else
		status = main_output(&scan, script, o);
	scan_free(&scan);
	return status;
}

/* Until a helper comes to its end. */
static int
main_watch(const struct script *script, const struct options *o)
{
	struct watch w = { .limit = MAIN_LIMIT };
	int r = WATCH_AGAIN;

	while (r == WATCH_AGAIN) {
		if (watch_start(&w) != WATCH_WAITS)
			return main_work(script, o, &w);
		r = watch_wait(&w);
	}
	if (r == WATCH_CRASH)
		err_bug();
	if (r == WATCH_STUCK)
		err_say(ERR_ERROR, ((struct err_at){ script->name, 0, 0 }),
		    &T_STUCK);
	return r >= 0 ? r : r == WATCH_STUCK ? EXIT_REFUSED : EXIT_FAILED;
}

int
main(int argc, char **argv)
{
	struct options o = { .format = REC_TEXT };
	struct opts p = { .table = main_options,
		.usage = &T_USAGE,
		.argc = argc,
		.argv = argv };
	struct script script;
	int status;

	err_init("msp-scan-paths", EXIT_FAILED);
	status = main_parse(&o, &p);
	if (status >= 0)
		return status;
	err_quiet(o.quiet);
	if (script_read(
		&script, argc - p.next, argv + p.next, o.path, &status) == 0)
		status = main_watch(&script, &o);
	script_free(&script);
	mem_free(o.entry);
	mem_free(o.ignore);
	return status;
}
