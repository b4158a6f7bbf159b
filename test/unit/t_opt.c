#include <stdlib.h>
#include <unistd.h>

#include "err.h"
#include "opt.h"
#include "tap.h"

enum { GATE, QUIET, STEPS, RANKS, CPU, PROFILE };

static const struct opt table[] = {
	[GATE] = { 'g', "gate", OPT_SWITCH, NULL, &T_LIB_HELP },
	[QUIET] = { 'q', "quiet", OPT_SWITCH, NULL, &T_LIB_HELP },
	[STEPS] = { 's', "steps", OPT_VALUE, "N:M", &T_LIB_HELP },
	[RANKS] = { 'r', "profile-ranks", OPT_VALUE, "LIST", &T_LIB_HELP },
	[CPU] = { 0, "profile-with-cpu", OPT_SWITCH, NULL, &T_LIB_HELP },
	[PROFILE] = { 0, "profile", OPT_HIDDEN, NULL, NULL },
	{ 0 },
};

/*
 * Parses the words of a line and writes what came out: options as
 * "index=value;", the end as "| operands", a stop as "! status".
 */
static void
parse(struct buf *b, const char *line)
{
	char copy[256], tool[] = "tool", *argv[32] = { tool };
	int argc = 1, i;

	buf_reset(b);
	snprintf(copy, sizeof copy, "%s", line);
	for (char *s = copy; *s != '\0' && argc < 31;) {
		argv[argc++] = s;
		s += strcspn(s, " ");
		if (*s != '\0')
			*s++ = '\0';
	}
	struct opts o = { table, &T_LIB_USAGE, argc, argv, 0, 0, 0, NULL, 0 };
	while ((i = opt_next(&o)) >= 0)
		buf_addf(b, "%d=%s;", i,
		    o.value != NULL ? o.value
			: o.on      ? "on"
				    : "off");
	if (i == OPT_STOP)
		buf_addf(b, "! %d", o.status);
	else
		for (buf_addc(b, '|'); o.next < argc; o.next++)
			buf_addf(b, " %s", argv[o.next]);
}

static const struct {
	const char *line, *want;
} cases[] = {
	{ "", "|" },
	{ "-g train.sh -q", "0=on;| train.sh -q" },
	{ "-gq train.sh", "0=on;1=on;| train.sh" },
	{ "-gs2:4 x", "0=on;2=2:4;| x" },
	{ "-gs 2:4 x", "0=on;2=2:4;| x" },
	{ "-s -g", "2=-g;|" },
	{ "--steps=2:4 --gate", "2=2:4;0=on;|" },
	{ "--steps 2:4", "2=2:4;|" },
	{ "--steps= x", "2=;| x" },
	{ "--no-gate --no-profile-with-cpu", "0=off;4=off;|" },
	{ "--profile x", "5=on;| x" },
	{ "-- -g", "| -g" },
	{ "- -g", "| - -g" },
	{ "-g -- --steps", "0=on;| --steps" },
	{ "-x", "! 2" },
	{ "-gx", "0=on;! 2" },
	{ "--stop", "! 2" },
	{ "--step 2:4", "! 2" },
	{ "-s", "! 2" },
	{ "--steps", "! 2" },
	{ "--gate=yes", "! 2" },
	{ "--no-steps", "! 2" },
	{ "--no-", "! 2" },
};

static void
test_values(void)
{
	long n = 7;
	int on = 7, choice = 7;
	static const char *const names[] = { "text", "db", NULL };

	tap_ok(opt_number("12", 0, 99, &n) == 0 && n == 12, "a number");
	tap_ok(opt_number("-1", -1, 99, &n) == 0 && n == -1, "a negative one");
	static const char *const bad[] = { "", " 1", "1 ", "+1", "-1", "0x1",
		"100", "99999999999999999999" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		tap_ok(opt_number(bad[i], 0, 99, &n) < 0, "no number: '%s'",
		    bad[i]);
	tap_ok(opt_bool("Yes", &on) == 0 && on == 1, "yes");
	tap_ok(opt_bool("OFF", &on) == 0 && on == 0, "off");
	tap_ok(opt_bool("", &on) < 0 && opt_bool("yess", &on) < 0 &&
		opt_bool("ye", &on) < 0,
	    "nothing else is a boolean");
	tap_ok(
	    opt_choice("db", names, &choice) == 0 && choice == 1, "a choice");
	tap_ok(opt_choice("d", names, &choice) < 0, "no abbreviation");
}

int
main(void)
{
	struct buf b = { 0 };

	err_init("t_opt", EXIT_FAILED);
	if (freopen("/dev/null", "w", stderr) == NULL)
		return 2;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		parse(&b, cases[i].line);
		tap_is(b.s, cases[i].want, cases[i].line);
	}
	buf_free(&b);
	test_values();
	return tap_done();
}
