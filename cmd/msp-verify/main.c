#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "err.h"
#include "io.h"
#include "opt.h"
#include "verify.h"

#define TEXT TEXT_DEFINE
#include "text.def"
#undef TEXT

enum {
	OPT_QUIET,
	OPT_VERBOSE,
	OPT_WARN,
	OPT_DEEP,
	OPT_PARSED_ONLY,
	OPT_WAIT,
	OPT_STEPS,
	OPT_RANKS,
	OPT_LEVEL,
	OPT_MEMORY,
	OPT_CPU,
	OPT_STACK,
	OPT_SHAPES,
	OPT_EXPORT,
	OPT_BACKEND,
	OPT_LOG,
	OPT_RULES,
	OPT_FORMAT,
	OPT_IGNORE
};

static const struct opt options[] = { [OPT_QUIET] = { 'q', "quiet", OPT_SWITCH,
					  NULL, &T_HELP_QUIET },
	[OPT_VERBOSE] = { 'v', "verbose", OPT_SWITCH, NULL, &T_HELP_VERBOSE },
	[OPT_WARN] = { 'W', "warnings", OPT_SWITCH, NULL, &T_HELP_WARN },
	[OPT_DEEP] = { 0, "deep", OPT_SWITCH, NULL, &T_HELP_DEEP },
	[OPT_PARSED_ONLY] = { 0, "parsed-only", OPT_SWITCH, NULL,
	    &T_HELP_PARSED_ONLY },
	[OPT_WAIT] = { 0, "wait", OPT_VALUE, "SECONDS", &T_HELP_WAIT },
	[OPT_STEPS] = { 's', "steps", OPT_VALUE, "N:M", &T_HELP_STEPS },
	[OPT_RANKS] = { 'r', "profile-ranks", OPT_VALUE, "LIST",
	    &T_HELP_RANKS },
	[OPT_LEVEL] = { 'l', "profile-level", OPT_VALUE, "LEVEL",
	    &T_HELP_LEVEL },
	[OPT_MEMORY] = { 'm', "profile-with-memory", OPT_SWITCH, NULL,
	    &T_HELP_MEMORY },
	[OPT_CPU] = { 0, "profile-with-cpu", OPT_SWITCH, NULL, &T_HELP_CPU },
	[OPT_STACK] = { 0, "profile-with-stack", OPT_SWITCH, NULL,
	    &T_HELP_STACK },
	[OPT_SHAPES] = { 0, "profile-record-shapes", OPT_SWITCH, NULL,
	    &T_HELP_SHAPES },
	[OPT_EXPORT] = { 0, "profile-export-type", OPT_VALUE, "TYPE",
	    &T_HELP_EXPORT },
	[OPT_BACKEND] = { 'b', "backend", OPT_VALUE, "NAME", &T_HELP_BACKEND },
	[OPT_LOG] = { 0, "log", OPT_VALUE, "FILE", &T_HELP_LOG },
	[OPT_RULES] = { 0, "rules", OPT_VALUE, "FILE", &T_HELP_RULES },
	[OPT_FORMAT] = { 'F', "format", OPT_VALUE, "FORMAT", &T_HELP_FORMAT },
	[OPT_IGNORE] = { 0, "ignore", OPT_VALUE, "PATTERN", &T_HELP_IGNORE },
	{ 0 } };

struct setup {
	struct verify v;
	struct expect e;
	int warnings_count;
	struct strs log, ignore;
};

static int
wrong(const struct text *text, const char *value, const char *option)
{
	err_say(ERR_ERROR, ERR_NOWHERE, text, value, option, err_program());
	return EXIT_FAILED;
}

/* An option that sets something of the request; its key in msp(5). */
static const char *
request_key(int option)
{
	switch (option) {
	case OPT_STEPS: return "steps";
	case OPT_RANKS: return "ranks";
	case OPT_LEVEL: return "level";
	case OPT_MEMORY: return "memory";
	case OPT_CPU: return "cpu";
	case OPT_STACK: return "stack";
	case OPT_SHAPES: return "shapes";
	case OPT_EXPORT: return "export-type";
	case OPT_BACKEND: return "backend";
	default: return NULL;
	}
}

static int
take_request(struct setup *s, const struct opts *o, int option)
{
	const struct profile *p = &s->e.profile;
	const char *value = o->value;
	const struct text *bad;

	if (value == NULL)
		value = o->on ? "on" : "off";
	bad = expect_set(&s->e, request_key(option), value);
	if (bad == NULL && option == OPT_STEPS && p->end != -1 &&
	    p->end <= p->start)
		bad = &T_BAD_VALUE;
	if (bad == NULL)
		return -1;
	return wrong(bad, value, options[option].name);
}

/* -1, or the exit status with which to end. */
static int
take_option(struct setup *s, const struct opts *o, int option)
{
	struct verify *v = &s->v;

	if (request_key(option) != NULL)
		return take_request(s, o, option);
	switch (option) {
	case OPT_QUIET: v->quiet = o->on; break;
	case OPT_VERBOSE: v->verbose = o->on; break;
	case OPT_WARN: s->warnings_count = o->on; break;
	case OPT_DEEP: v->deep = o->on; break;
	case OPT_PARSED_ONLY: v->parsed_only = o->on; break;
	case OPT_LOG: strs_add(&s->log, o->value); break;
	case OPT_RULES: v->rules = o->value; break;
	case OPT_IGNORE: strs_add(&s->ignore, o->value); break;
	case OPT_WAIT:
		if (opt_number(o->value, 0, 1L << 30, &v->wait) < 0)
			return wrong(&T_BAD_VALUE, o->value, "--wait");
		break;
	case OPT_FORMAT:
		if (rec_format(o->value, 0, &v->format) < 0)
			return EXIT_FAILED;
		break;
	default: break;
	}
	return -1;
}

static int
take_options(struct setup *s, int argc, char **argv)
{
	struct opts o = { options, &T_USAGE, argc, argv, 0, 0, 0, NULL, 0 };
	int status = -1;

	for (int i; status < 0 && (i = opt_next(&o)) >= 0;)
		status = take_option(s, &o, i);
	if (status >= 0)
		return status;
	if (o.status >= 0)
		return o.status;
	s->v.operand = argv + o.next;
	s->v.noperand = (size_t)(argc - o.next);
	if (s->v.noperand == 1 && strcmp(s->v.operand[0], "-") == 0)
		s->v.noperand = 0;
	for (size_t i = 0; i < s->v.noperand; i++)
		if (s->v.operand[i][0] == 0) {
			err_say(ERR_ERROR, ERR_NOWHERE, &T_OPTION_WANTS_DIR);
			return EXIT_FAILED;
		}
	return -1;
}

static int
take_record(struct setup *s)
{
	struct buf b = { 0 };
	int r;

	if (io_slurp(0, &b, LIMIT_SMALL * 16) < 0) {
		err_say(ERR_ERROR, ERR_NOWHERE, &T_LIB_READ,
		    text_raw(&T_LIB_STDIN), strerror(errno));
		buf_free(&b);
		return EXIT_FAILED;
	}
	r = expect_read(&s->e, b.s == NULL ? "" : b.s, b.len);
	buf_free(&b);
	if (r < 0)
		return EXIT_FAILED;
	s->v.operand = s->e.output.s;
	s->v.noperand = s->e.output.n;
	return -1;
}

/* end_info may come a little later than the training's end. */
static int
late(const struct verify *v)
{
	for (size_t i = 0; i < v->nrank; i++)
		if (find_failed(&v->rank[i]->finds, CHECK_P10) &&
		    v->rank[i]->info.there > 0)
			return 1;
	return 0;
}

/* Whether waiting may change what was seen. */
static int
unfinished(const struct verify *v)
{
	if (v->expect->record)
		return late(v);
	return v->verdict == VERDICT_RUNNING || v->verdict == VERDICT_MISSING ||
	    verify_unsettled(v);
}

static void
look(struct verify *v)
{
	const struct timespec nap = { 0, 250000000L };
	time_t begun = time(NULL);
	long limit = v->wait;

	if (v->expect->record && limit < LIMIT_LATE)
		limit = LIMIT_LATE;
	for (;;) {
		verify_look(v);
		if (!unfinished(v) || time(NULL) - begun >= limit)
			return;
		nanosleep(&nap, NULL);
	}
}

static int
status_of(const struct setup *s)
{
	switch (s->v.verdict) {
	case VERDICT_UNREADABLE: return EXIT_FAILED;
	case VERDICT_RUNNING: return EXIT_REFUSED;
	case VERDICT_DEGRADED:
		if (s->warnings_count)
			return EXIT_NO;
		break;
	case VERDICT_COMPLETE:
	case VERDICT_NOTHING: break;
	default: return EXIT_NO;
	}
	return s->e.failed ? EXIT_NO : EXIT_YES;
}

static int
put(struct buf *b)
{
	int r = io_put(b);

	buf_free(b);
	return r;
}

static int
diagnose(struct setup *s)
{
	struct buf b = { 0 };
	int found = log_alone(&s->v, &b);

	if (found < 0 || put(&b) < 0)
		return EXIT_FAILED;
	return found ? EXIT_YES : EXIT_NO;
}

static int
verify(struct setup *s)
{
	struct groups all;
	struct buf b = { 0 };

	expect_finish(&s->e);
	look(&s->v);
	if (log_explain(&s->v) < 0)
		return EXIT_FAILED;
	group_all(&s->v, &all);
	if (s->v.format == REC_TEXT)
		report_text(&s->v, &all, &b);
	else
		report_records(&s->v, &all, &b);
	group_free(&all);
	if (put(&b) < 0)
		return EXIT_FAILED;
	return status_of(s);
}

int
main(int argc, char **argv)
{
	struct setup s = { 0 };
	int status;

	err_init("msp-verify", EXIT_FAILED);
	expect_init(&s.e);
	s.v.expect = &s.e;
	status = take_options(&s, argc, argv);
	s.v.ignore = s.ignore.s;
	s.v.nignore = s.ignore.n;
	s.v.log = s.log.s;
	s.v.nlog = s.log.n;
	if (status < 0 && s.v.noperand == 0 && s.v.nlog > 0)
		status = diagnose(&s);
	if (status < 0 && s.v.noperand == 0)
		status = take_record(&s);
	if (status < 0)
		status = verify(&s);
	verify_forget(&s.v);
	buf_free(&s.v.told);
	buf_free(&s.v.causes);
	strs_free(&s.log);
	strs_free(&s.ignore);
	expect_free(&s.e);
	return status;
}
