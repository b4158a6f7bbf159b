#include "opt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "io.h"
#include "version.h"

static int
opt_stop(struct opts *o, int status)
{
	o->status = status;
	return OPT_STOP;
}

static int
opt_print(struct opts *o, struct buf *b)
{
	int r = io_put(b);

	buf_free(b);
	return opt_stop(o, r < 0 ? EXIT_FAILED : EXIT_YES);
}

static void
opt_help_row(struct buf *b, char letter, const char *name, const char *arg,
    const struct text *help)
{
	enum { COLUMN = 34 };
	size_t from = b->len;

	if (letter != 0)
		buf_addf(b, "  -%c, --%s", letter, name);
	else
		buf_addf(b, "      --%s", name);
	if (arg != NULL)
		buf_addf(b, " %s", arg);
	if (b->len - from >= COLUMN - 1) {
		buf_addc(b, '\n');
		from = b->len;
	}
	while (b->len - from < COLUMN)
		buf_addc(b, ' ');
	text_add(b, help);
	buf_addc(b, '\n');
}

static int
opt_help(struct opts *o)
{
	struct buf b = { 0 };

	text_add(&b, &T_LIB_USAGE);
	buf_addf(&b, " %s ", err_program());
	text_add(&b, o->usage);
	buf_addc(&b, '\n');
	text_add(&b, &T_LIB_OPTIONS);
	buf_addc(&b, '\n');
	for (const struct opt *p = o->table; p->name != NULL; p++)
		if (p->kind != OPT_HIDDEN)
			opt_help_row(&b, p->letter, p->name, p->arg, p->help);
	opt_help_row(&b, 'h', "help", NULL, &T_LIB_HELP);
	opt_help_row(&b, 'V', "version", NULL, &T_LIB_VERSION);
	return opt_print(o, &b);
}

static int
opt_version(struct opts *o)
{
	struct buf b = { 0 };

	buf_addf(&b, "%s %s\n", err_program(), MSP_VERSION);
	return opt_print(o, &b);
}

static int
opt_unknown(struct opts *o, const char *what)
{
	err_say(ERR_ERROR, ERR_NOWHERE, &T_LIB_BAD_OPTION, what, err_program());
	return opt_stop(o, EXIT_FAILED);
}

static int
opt_no_value(struct opts *o, const char *what, const struct opt *p)
{
	err_say(ERR_ERROR, ERR_NOWHERE, &T_LIB_NO_VALUE, what, p->arg,
	    err_program());
	return opt_stop(o, EXIT_FAILED);
}

static int
opt_short(struct opts *o)
{
	char *s = o->argv[o->next] + o->within;
	char what[] = { '-', s[0], '\0' };
	const struct opt *p = o->table;

	while (p->name != NULL && p->letter != s[0])
		p++;
	if (p->name == NULL)
		return s[0] == 'h' ? opt_help(o)
		    : s[0] == 'V'  ? opt_version(o)
				   : opt_unknown(o, what);
	o->within++;
	if (p->kind != OPT_VALUE) {
		o->on = 1;
		if (s[1] == '\0') {
			o->next++;
			o->within = 0;
		}
		return (int)(p - o->table);
	}
	o->within = 0;
	o->next++;
	if (s[1] != '\0')
		o->value = s + 1;
	else if (o->next < o->argc)
		o->value = o->argv[o->next++];
	else
		return opt_no_value(o, what, p);
	return (int)(p - o->table);
}

static int
opt_named(const struct opt *p, const char *s, size_t n)
{
	return strlen(p->name) == n && memcmp(p->name, s, n) == 0;
}

static int
opt_long(struct opts *o)
{
	char *arg = o->argv[o->next++];
	char *s = arg + 2, *equals = strchr(s, '=');
	size_t n = equals != NULL ? (size_t)(equals - s) : strlen(s);
	const struct opt *p;

	o->on = 1;
	for (p = o->table; p->name != NULL; p++) {
		if (opt_named(p, s, n))
			break;
		if (p->kind != OPT_VALUE && n > 3 && memcmp(s, "no-", 3) == 0 &&
		    opt_named(p, s + 3, n - 3)) {
			o->on = 0;
			break;
		}
	}
	if (p->name == NULL) {
		if (strcmp(s, "help") == 0)
			return opt_help(o);
		if (strcmp(s, "version") == 0)
			return opt_version(o);
		return opt_unknown(o, arg);
	}
	if (p->kind == OPT_VALUE) {
		if (equals != NULL)
			o->value = equals + 1;
		else if (o->next < o->argc)
			o->value = o->argv[o->next++];
		else
			return opt_no_value(o, arg, p);
	} else if (equals != NULL) {
		*equals = '\0';
		err_say(ERR_ERROR, ERR_NOWHERE, &T_LIB_NOT_SWITCH, arg, arg);
		return opt_stop(o, EXIT_FAILED);
	}
	return (int)(p - o->table);
}

int
opt_next(struct opts *o)
{
	o->value = NULL;
	o->status = -1;
	if (o->next == 0)
		o->next = 1;
	if (o->within != 0)
		return opt_short(o);
	if (o->next >= o->argc)
		return OPT_END;
	const char *s = o->argv[o->next];
	if (s[0] != '-' || s[1] == '\0')
		return OPT_END;
	if (s[1] == '-' && s[2] == '\0') {
		o->next++;
		return OPT_END;
	}
	if (s[1] == '-')
		return opt_long(o);
	o->within = 1;
	return opt_short(o);
}

int
opt_number(const char *s, long min, long max, long *n)
{
	char *end;

	if (!(s[0] >= '0' && s[0] <= '9') &&
	    !(min < 0 && s[0] == '-' && s[1] >= '0' && s[1] <= '9'))
		return -1;
	errno = 0;
	long v = strtol(s, &end, 10);
	if (errno != 0 || *end != '\0' || v < min || v > max)
		return -1;
	*n = v;
	return 0;
}

static int
opt_same(const char *a, const char *b)
{
	for (; *a != '\0' && *b != '\0'; a++, b++)
		if ((*a >= 'A' && *a <= 'Z' ? *a + 32 : *a) != *b)
			return 0;
	return *a == *b;
}

int
opt_bool(const char *s, int *value)
{
	static const char *const names[] = { "false", "true", "no", "yes",
		"off", "on", "0", "1" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (opt_same(s, names[i])) {
			*value = (int)(i & 1);
			return 0;
		}
	return -1;
}

int
opt_choice(const char *s, const char *const *names, int *index)
{
	for (int i = 0; names[i] != NULL; i++)
		if (strcmp(s, names[i]) == 0) {
			*index = i;
			return 0;
		}
	return -1;
}
