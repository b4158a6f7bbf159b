#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inject.h"
#include "mem.h"
#include "opt.h"

enum {
	/* first those that set a key of the profile */
	R_STEPS,
	R_START,
	R_END,
	R_RANKS,
	R_LEVEL,
	R_MEMORY,
	R_PATH,
	R_CPU,
	R_STACK,
	R_SHAPES,
	R_EXPORT,
	R_SIMPLE,
	R_BACKEND,
	R_STOP,
	R_KEEP,
	R_OVERRIDE,
	R_LINE,
	R_ALL,
	R_ENTRY,
	R_YAML,
	R_PLAN,
	R_FORMAT,
	R_SCRIPT,
	R_QUIET,
	R_VERBOSE,
	R_FORCE,
	R_WARNINGS,
	R_PROFILE
};

static const char *const request_keys[] = { "steps", "step-start", "step-end",
	"ranks", "level", "memory", "save-path", "cpu", "stack", "shapes",
	"export-type", "data-simplification", "backend" };

static const struct opt request_options[] = {
	[R_STEPS] = { 's', "steps", OPT_VALUE, "N:M", &T_H_STEPS },
	[R_START] = { 0, "profile-step-start", OPT_VALUE, "N", &T_H_START },
	[R_END] = { 0, "profile-step-end", OPT_VALUE, "M", &T_H_END },
	[R_RANKS] = { 'r', "profile-ranks", OPT_VALUE, "LIST", &T_H_RANKS },
	[R_LEVEL] = { 'l', "profile-level", OPT_VALUE, "LEVEL", &T_H_LEVEL },
	[R_MEMORY] = { 'm', "profile-with-memory", OPT_SWITCH, NULL,
	    &T_H_MEMORY },
	[R_PATH] = { 'o', "profile-save-path", OPT_VALUE, "DIR", &T_H_PATH },
	[R_CPU] = { 0, "profile-with-cpu", OPT_SWITCH, NULL, &T_H_CPU },
	[R_STACK] = { 0, "profile-with-stack", OPT_SWITCH, NULL, &T_H_STACK },
	[R_SHAPES] = { 0, "profile-record-shapes", OPT_SWITCH, NULL,
	    &T_H_SHAPES },
	[R_EXPORT] = { 0, "profile-export-type", OPT_VALUE, "text|db",
	    &T_H_EXPORT },
	[R_SIMPLE] = { 0, "profile-data-simplification", OPT_SWITCH, NULL,
	    &T_H_SIMPLE },
	[R_BACKEND] = { 'b', "backend", OPT_VALUE, "NAME", &T_H_BACKEND },
	[R_STOP] = { 'x', "stop", OPT_SWITCH, NULL, &T_H_STOP },
	[R_KEEP] = { 0, "keep", OPT_SWITCH, NULL, &T_H_KEEP },
	[R_OVERRIDE] = { 0, "override", OPT_SWITCH, NULL, &T_H_OVERRIDE },
	[R_LINE] = { 'L', "line", OPT_VALUE, "N", &T_H_LINE },
	[R_ALL] = { 'a', "all", OPT_SWITCH, NULL, &T_H_ALL },
	[R_ENTRY] = { 0, "entry", OPT_VALUE, "PATTERN", &T_H_ENTRY },
	[R_YAML] = { 0, "yaml", OPT_SWITCH, NULL, &T_H_YAML },
	[R_PLAN] = { 'n', "plan", OPT_SWITCH, NULL, &T_H_PLAN },
	[R_FORMAT] = { 'F', "format", OPT_VALUE, "FORMAT", &T_H_FORMAT },
	[R_SCRIPT] = { 'p', "path", OPT_VALUE, "FILE", &T_H_SCRIPT },
	[R_QUIET] = { 'q', "quiet", OPT_SWITCH, NULL, &T_H_QUIET },
	[R_VERBOSE] = { 'v', "verbose", OPT_SWITCH, NULL, &T_H_VERBOSE },
	[R_FORCE] = { 'f', "force", OPT_SWITCH, NULL, &T_H_FORCE },
	[R_WARNINGS] = { 'W', "warnings", OPT_SWITCH, NULL, &T_H_WARNINGS },
	[R_PROFILE] = { 0, "profile", OPT_HIDDEN, NULL, &T_H_PROFILE },
	{ 0 }
};

static const struct {
	const char *name, *key;
} request_variables[] = {
	{ "PROFILE_LEVEL", "level" },
	{ "PROFILE_STEP_START", "step-start" },
	{ "PROFILE_STEP_END", "step-end" },
	{ "PROFILE_RANKS", "ranks" },
	{ "PROFILE_WITH_CPU", "cpu" },
	{ "PROFILE_WITH_MEMORY", "memory" },
	{ "PROFILE_WITH_STACK", "stack" },
	{ "PROFILE_RECORD_SHAPES", "shapes" },
	{ "PROFILE_SAVE_PATH", "save-path" },
	{ "PROFILE_EXPORT_TYPE", "export-type" },
	{ "PROFILE_DATA_SIMPLIFICATION", "data-simplification" },
};

static int
request_wrong(const struct text *t, const char *value, const char *name)
{
	err_say(ERR_ERROR, ERR_NOWHERE, t, value, name);
	return EXIT_FAILED;
}

static int
request_environment(struct inject *in)
{
	const size_t n = sizeof request_variables / sizeof *request_variables;

	for (size_t i = 0; i < n; i++) {
		const char *name = request_variables[i].name;
		const char *value = getenv(name);
		if (value == NULL || *value == '\0')
			continue;
		const struct text *bad =
		    profile_set(&in->profile, request_variables[i].key, value);
		if (bad != NULL)
			return request_wrong(bad, value, name);
	}
	return -1;
}

static int
request_value(struct inject *in, int i, const struct opts *o)
{
	const struct opt *p = &request_options[i];
	const char *value = o->value ? o->value : o->on ? "true" : "false";
	const struct text *bad =
	    profile_set(&in->profile, request_keys[i], value);
	char name[64] = "--";

	if (bad == NULL)
		return -1;
	strncat(name, p->name, sizeof name - 3);
	return request_wrong(bad, value, name);
}

static int
request_mode(struct inject *in, enum inject_mode mode, int on)
{
	if (on && in->mode != INJECT_ASK && in->mode != mode) {
		err_say(ERR_ERROR, ERR_NOWHERE, &T_KEEP_OVERRIDE);
		return EXIT_FAILED;
	}
	in->mode = on ? mode : INJECT_ASK;
	return -1;
}

static int
request_switch(struct inject *in, int i, int on)
{
	switch (i) {
	case R_STOP: in->stop = on; break;
	case R_KEEP: return request_mode(in, INJECT_KEEP, on);
	case R_OVERRIDE: return request_mode(in, INJECT_OVERRIDE, on);
	case R_ALL: in->all = on; break;
	case R_YAML: in->yaml = on; break;
	case R_PLAN: in->plan = on; break;
	case R_QUIET: in->quiet = on; break;
	case R_VERBOSE: in->verbose = on; break;
	case R_FORCE: in->force = on; break;
	case R_WARNINGS: in->strict = on; break;
	}
	return -1;
}

static int
request_option(struct inject *in, int i, const struct opts *o)
{
	in->asked |= i < R_BACKEND;
	if (i <= R_BACKEND)
		return request_value(in, i, o);
	switch (i) {
	case R_LINE:
		if (opt_number(o->value, 1, 99999999, &in->line) == 0)
			return -1;
		return request_wrong(&T_BAD_LINE, o->value, "--line");
	case R_ENTRY:
		in->entry = mem_more(in->entry, in->nentry + 1, &in->capentry,
		    sizeof *in->entry);
		in->entry[in->nentry++] = o->value;
		in->entry[in->nentry] = NULL;
		return -1;
	case R_FORMAT:
		return rec_format(o->value, 0, &in->format) < 0 ? EXIT_FAILED
								: -1;
	case R_SCRIPT: in->path_option = o->value; return -1;
	default: return request_switch(in, i, o->on);
	}
}

/*
 * "--profile-ranks 0 8" and "--profile-with-cpu true" are how the framework
 * is told; here the second word is taken for the script.
 */
static int
request_operand(const char *s, const char *before)
{
	const char *option = before[0] == '-' && before[1] == '-'
	    ? before
	    : "--profile-with-memory";
	int on;

	if (access(s, F_OK) == 0)
		return -1;
	if (s[strspn(s, "0123456789")] == '\0')
		return request_wrong(&T_LIST_WORD, s, "--profile-ranks");
	if (opt_bool(s, &on) == 0)
		return request_wrong(&T_SWITCH_WORD, s, option);
	return -1;
}

/* The value may have come from a variable that nobody thinks of. */
static void
request_variable(const char *name, const char *value)
{
	const char *set = getenv(name);

	if (set != NULL && strcmp(set, value) == 0)
		err_say(
		    ERR_NOTE, ERR_NOWHERE, &T_FROM_ENVIRONMENT, name, value);
}

int
request_read(struct inject *in, int argc, char **argv, int *operands)
{
	struct opts o = { .table = request_options,
		.usage = &T_USAGE,
		.argc = argc,
		.argv = argv };
	int status = request_environment(in);

	for (int i; status < 0 && (i = opt_next(&o)) >= 0;)
		status = request_option(in, i, &o);
	if (status >= 0 || o.status >= 0)
		return status >= 0 ? status : o.status;
	*operands = o.next;
	if (o.next < argc && argv[o.next][0] != '\0' &&
	    (status = request_operand(argv[o.next], argv[o.next - 1])) >= 0)
		return status;
	const struct text *bad = profile_check(&in->profile);
	if (bad == NULL)
		return -1;
	struct buf start = { 0 }, end = { 0 };
	profile_get(&in->profile, "step-start", &start);
	profile_get(&in->profile, "step-end", &end);
	err_say(ERR_ERROR, ERR_NOWHERE, bad, start.s, end.s);
	request_variable("PROFILE_STEP_START", start.s);
	request_variable("PROFILE_STEP_END", end.s);
	buf_free(&start);
	buf_free(&end);
	return EXIT_FAILED;
}
