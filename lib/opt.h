/*
 * Options, from one table per tool. POSIX order: they end at the first
 * operand or behind "--". Short ones can be joined (-gq, -s2:4); long ones
 * are written --name value or --name=value, never abbreviated; a switch also
 * has --no-name. -h and -V are every tool's and stand in no table.
 *
 *	enum { OPT_GATE, OPT_STEPS };
 *	static const struct opt options[] = {
 *		[OPT_GATE] = {'g', "gate", OPT_SWITCH, NULL, &T_HELP_GATE},
 *		[OPT_STEPS] = {'s', "steps", OPT_VALUE, "N:M", &T_HELP_STEPS},
 *		{0}
 *	};
 *	struct opts o = {options, &T_USAGE, argc, argv};
 *	for (int i; (i = opt_next(&o)) >= 0;)
 *		switch (i) {
 *		case OPT_GATE: gate = o.on; break;
 *		case OPT_STEPS: steps = o.value; break;
 *		}
 *	if (o.status >= 0)
 *		return o.status;
 *	(operands: argv[o.next] to argv[argc - 1])
 */
#ifndef OPT_H
#define OPT_H

#include "text.h"

enum opt_kind {
	OPT_SWITCH, /* on, or off by --no-name */
	OPT_VALUE, /* takes one value */
	OPT_HIDDEN /* a switch that --help leaves out */
};

struct opt {
	char letter; /* 0: long only */
	const char *name;
	enum opt_kind kind;
	const char *arg; /* what the value is called: "N:M" */
	const struct text *help;
};

enum { OPT_END = -1, OPT_STOP = -2 };

struct opts {
	const struct opt *table; /* ends with a row without name */
	const struct text *usage; /* the synopsis without "usage: " */
	int argc;
	char **argv;
	int next; /* index into argv of what comes next; 0 at start */
	int within; /* internal: place within joined letters */
	int on; /* of a switch: 1, or 0 for --no-name */
	char *value; /* of OPT_VALUE, else NULL; points into argv */
	int status; /* -1, or the exit status with which to end */
};

/*
 * The index in the table of the next option; OPT_END when there are no more;
 * OPT_STOP when the program shall end with o->status: after --help and
 * --version, which are printed to standard output, and after an option that
 * is wrong, which is said on standard error.
 * The caller sets table, usage, argc, argv; the rest is 0.
 */
int opt_next(struct opts *);

/* For an option's value: 0 and the number, or -1. Decimal, no sign unless
 * min < 0, nothing around it, within min and max. */
int opt_number(const char *, long min, long max, long *);
/* true/false, yes/no, on/off, 1/0 in any case: 0 and the value, or -1. */
int opt_bool(const char *, int *);
/* 0 and the index of s among NULL-terminated names, or -1. */
int opt_choice(const char *s, const char *const *names, int *);

#endif
