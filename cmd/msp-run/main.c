#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io.h"
#include "opt.h"
#include "path.h"
#include "run.h"

#define TEXT TEXT_DEFINE
#include "text.def"
#undef TEXT

enum {
	OPT_QUIET,
	OPT_VERBOSE,
	OPT_DRY,
	OPT_PATH,
	OPT_DIR,
	OPT_LIMIT,
	OPT_GRACE,
	OPT_UNCLOSED,
	OPT_RULES
};

static const struct opt options[] = { [OPT_QUIET] = { 'q', "quiet", OPT_SWITCH,
					  NULL, &T_HELP_QUIET },
	[OPT_VERBOSE] = { 'v', "verbose", OPT_SWITCH, NULL, &T_HELP_VERBOSE },
	[OPT_DRY] = { 'n', "plan", OPT_SWITCH, NULL, &T_HELP_DRY },
	[OPT_PATH] = { 'p', "path", OPT_VALUE, "FILE", &T_HELP_PATH },
	[OPT_DIR] = { 'd', "directory", OPT_VALUE, "DIR", &T_HELP_DIR },
	[OPT_LIMIT] = { 't', "time-limit", OPT_VALUE, "LIMIT", &T_HELP_LIMIT },
	[OPT_GRACE] = { 'k', "kill-after", OPT_VALUE, "GRACE", &T_HELP_GRACE },
	[OPT_UNCLOSED] = { 'u', "unclosed", OPT_SWITCH, NULL,
	    &T_HELP_UNCLOSED },
	[OPT_RULES] = { 0, "rules", OPT_VALUE, "FILE", &T_HELP_RULES },
	{ 0 } };

struct arguments {
	int quiet, verbose, dry, unclosed;
	const char *path, *dir, *rules;
	long limit, grace;
};

/* Seconds, or with s, m, h behind the number: to milliseconds. */
static int
main_time(const char *option, const char *s, long *ms)
{
	static const char units[] = "smh";
	static const long factor[] = { 1000, 60000, 3600000 };
	struct buf b = { 0 };
	size_t unit = 0;
	long n = 0;

	buf_adds(&b, s);
	if (b.len > 0 && strchr(units, b.s[b.len - 1]) != NULL) {
		unit = (size_t)(strchr(units, b.s[b.len - 1]) - units);
		b.s[--b.len] = '\0';
	}
	int bad = b.len == 0 || opt_number(b.s, 0, 1000000, &n) < 0;
	buf_free(&b);
	if (bad)
		err_say(ERR_ERROR, ERR_NOWHERE, &T_BAD_TIME, option, s);
	*ms = n * factor[unit];
	return bad ? -1 : 0;
}

static int
main_option(struct arguments *a, int option, const struct opts *o)
{
	switch (option) {
	case OPT_QUIET: a->quiet = o->on; break;
	case OPT_VERBOSE: a->verbose = o->on; break;
	case OPT_DRY: a->dry = o->on; break;
	case OPT_UNCLOSED: a->unclosed = o->on; break;
	case OPT_PATH: a->path = o->value; break;
	case OPT_DIR: a->dir = o->value; break;
	case OPT_RULES: a->rules = o->value; break;
	case OPT_LIMIT: return main_time("-t", o->value, &a->limit);
	case OPT_GRACE: return main_time("-k", o->value, &a->grace);
	}
	return 0;
}

/* Whether the stage behind still reads, and there is one. */
static int
main_reader(void)
{
	struct pollfd p = { STDOUT_FILENO, 0, 0 };
	int flags = fcntl(STDOUT_FILENO, F_GETFL);

	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) {
		err_say(ERR_ERROR, ERR_NOWHERE, &T_LIB_WRITE,
		    text_raw(&T_LIB_STDOUT), strerror(EBADF));
		return -1;
	}
	if (poll(&p, 1, 0) > 0 &&
	    (p.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) {
		err_say(ERR_ERROR, ERR_NOWHERE, &T_NO_READER);
		return -1;
	}
	return 0;
}

/* What must hold of the script before anything is made or started. */
static int
main_refuse(const struct arguments *a, const struct script *script,
    const struct run_place *place)
{
	if (!script->closed && !a->unclosed) {
		err_tell(ERR_ERROR, ERR_NOWHERE, &T_NOT_CLOSED,
		    &T_NOT_CLOSED_DO, script->name);
		return -1;
	}
	if (!place->moves)
		return 0;
	if (script->path == NULL)
		err_tell(ERR_ERROR, ERR_NOWHERE, &T_NO_PLACE, &T_NO_PLACE_DO);
	else
		err_tell(ERR_ERROR, ERR_NOWHERE, &T_MOVED, &T_MOVED_DO, a->dir,
		    script->name);
	return -1;
}

static void
main_arguments(const struct script *script)
{
	size_t lacks = args_lacking(script);
	struct buf n = { 0 };

	if (lacks == 0)
		return;
	buf_addf(&n, "%zu", lacks);
	err_tell(ERR_WARNING, ERR_NOWHERE, &T_NO_ARGS, &T_NO_ARGS_DO, n.s);
	buf_free(&n);
}

static int
main_directories(const struct run_place *place)
{
	for (size_t i = 0; i < place->dirs.n; i++)
		if (path_mkdirs(place->dirs.s[i]) < 0)
			err_say(ERR_WARNING, ERR_NOWHERE, &T_NO_DIR,
			    place->dirs.s[i], strerror(errno));
	if (place->save == NULL || path_mkdirs(place->save) == 0)
		return 0;
	err_tell(ERR_ERROR, ERR_NOWHERE, &T_NO_DIR, &T_NO_DIR_DO, place->save,
	    strerror(errno));
	return -1;
}

static void
main_line(struct buf *b, const struct text *t, const char *value)
{
	buf_adds(b, "  ");
	text_add(b, t, value);
	buf_addc(b, '\n');
}

/* -n */
static int
main_dry(const struct arguments *a, const struct script *script,
    const struct run_place *place)
{
	struct run_names names;
	struct strs option = { 0 };
	struct buf command = { 0 }, line = { 0 }, b = { 0 };

	names_guess(&names, a->dir, script);
	start_options(&option, script->text.s, script->text.len);
	buf_adds(&command, "bash");
	for (size_t i = 0; i < option.n; i++)
		buf_addf(&command, " %s", option.s[i]);
	buf_addf(&command, " %s", names.sh);
	for (int i = 0; i < script->nargs; i++)
		buf_addf(&command, " %s", script->args[i]);
	buf_addf(&b, "%s: ", err_program());
	text_add(&b, &T_DRY);
	buf_addc(&b, '\n');
	main_line(&b, &T_DRY_COMMAND, command.s);
	main_line(&b, &T_DRY_LOG, names.log);
	main_line(&b, &T_DRY_RECORD, names.tsv);
	for (size_t i = 0; i < place->dirs.n; i++)
		main_line(&b, &T_DRY_DIR, place->dirs.s[i]);
	if (place->save != NULL)
		main_line(&b, &T_DRY_DIR, place->save);
	buf_addf(&line, "%zu", place->line);
	if (place->found)
		main_line(&b, place->stages > 0 ? &T_DRY_PIPE : &T_DRY_SCRIPT,
		    line.s);
	int bad = io_put(&b) < 0;
	buf_free(&b);
	buf_free(&line);
	buf_free(&command);
	strs_free(&option);
	names_free(&names);
	return bad ? EXIT_NOTRUN : EXIT_YES;
}

static void
main_ended(struct run_follow *f, const struct run_status *s)
{
	struct buf a = { 0 }, b = { 0 };

	buf_addf(&a, "%d (%ld s)", s->exit, (f->ended - f->began + 500) / 1000);
	buf_addf(&b, "%ld", f->iteration);
	progress_say(f, f->bytes, f->iteration >= 0 ? &T_ENDED_AFTER : &T_ENDED,
	    a.s, b.s);
	copy_finish(&f->copy, f->bytes);
	buf_free(&a);
	buf_free(&b);
}

/* The record is written whatever came of the run: it was started. */
static int
main_record(struct run_follow *f, const struct script *script,
    const struct run_status *s, const struct symptom_report *r)
{
	struct buf record = { 0 };

	output_after(&f->output, f->place);
	report_record(&record, f, script, s, r);
	int bad = report_write(f->names, &record) < 0;
	report_end(f, script, s, r);
	bad = io_put(&record) < 0 || bad || f->unread != 0 || f->full;
	buf_free(&record);
	return bad && s->exit == 0 ? EXIT_NO : s->exit;
}

/* From here on the guard removes what was made when nothing is started,
 * however msp-run ends. */
static int
main_run(struct run_follow *f, const struct script *script)
{
	struct run_status status = { 0 };
	struct run_guard guard;
	const struct symptom_report *r;
	int e = EXIT_NOTRUN;

	if (guard_start(&guard, f->start, f->names, f->grace) < 0) {
		err_say(ERR_ERROR, ERR_NOWHERE, &T_NO_GUARD, strerror(errno));
		return EXIT_NOTRUN;
	}
	group_adopt();
	if (main_directories(f->place) == 0) {
		err_say(ERR_NOTE, ERR_NOWHERE, &T_FILES, f->names->sh,
		    f->names->log);
		e = start_script(f->start, f->names, script, guard.fd);
	}
	if (e != 0) {
		guard_end(&guard);
		return e;
	}
	group_start(&f->group, f->start->pid, getpid(), guard.pid);
	follow_run(f);
	guard_end(&guard);
	f->group.except = 0;
	status_find(&status, f);
	start_end(f->start);
	r = symptom_report(
	    f->symptom, status.exit == 0 ? SYMPTOM_ENDED : SYMPTOM_FAILED);
	status_judge(&status, f, r);
	main_ended(f, &status);
	return main_record(f, script, &status, r);
}

/* Everything that is made is removed again when nothing was started. */
static int
main_start(const struct arguments *a, const struct script *script,
    const struct run_place *place, struct symptom *symptom)
{
	struct run_names names;
	struct run_start start;
	struct run_follow f = { .names = &names,
		.place = place,
		.start = &start,
		.symptom = symptom,
		.limit = a->limit,
		.grace = a->grace,
		.quiet = a->quiet,
		.verbose = a->verbose,
		.own = { .fd = -1 },
		.iteration = -1 };
	int status = EXIT_NOTRUN;

	if (main_reader() < 0)
		return EXIT_NOTRUN;
	output_before(&f.output, place);
	own_start(&f.own, place);
	start_prepare(&start, place);
	signals_watch();
	if (names_make(&names, a->dir, script) == 0) {
		status = main_run(&f, script);
		if (start.pid == 0)
			names_undo(&names);
		else
			(void)close(names.fd);
	}
	start_end(&start);
	follow_free(&f);
	output_free(&f.output);
	names_free(&names);
	return status;
}

int
main(int argc, char **argv)
{
	struct arguments a = { .grace = 60000 };
	struct opts o = {
		.table = options, .usage = &T_USAGE, .argc = argc, .argv = argv
	};
	struct script script;
	struct run_place place;
	int refused, status = EXIT_NOTRUN;

	err_init("msp-run", EXIT_NOTRUN);
	for (int i; (i = opt_next(&o)) >= 0;)
		if (main_option(&a, i, &o) < 0)
			return EXIT_NOTRUN;
	if (o.status >= 0)
		return o.status == EXIT_YES ? EXIT_YES : EXIT_NOTRUN;
	err_quiet(a.quiet);
	if (script_read(
		&script, argc - o.next, argv + o.next, a.path, &refused) < 0) {
		script_free(&script);
		return EXIT_NOTRUN;
	}
	struct symptom *symptom = symptom_new();
	place_find(&place, &script, a.dir);
	if (main_refuse(&a, &script, &place) == 0 &&
	    (a.rules == NULL || symptom_rules(symptom, a.rules) == 0)) {
		main_arguments(&script);
		status = a.dry ? main_dry(&a, &script, &place)
			       : main_start(&a, &script, &place, symptom);
	}
	place_free(&place);
	symptom_free(symptom);
	script_free(&script);
	return status;
}
