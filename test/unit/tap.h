/*
 * TAP for unit tests: tap_ok and tap_is print a line per check, tap_done the
 * plan; its value is the program's exit status.
 */
#ifndef TAP_H
#define TAP_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_failed;

static int
tap_ok(int good, const char *format, ...)
{
	va_list ap;

	printf("%sok %d - ", good ? "" : "not ", ++tap_count);
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
	tap_failed += !good;
	return good;
}

static inline int
tap_is(const char *got, const char *want, const char *name)
{
	int good = got == want ||
	    (got != NULL && want != NULL && strcmp(got, want) == 0);

	tap_ok(good, "%s", name);
	if (!good)
		printf("#  got: %s\n# want: %s\n", got == NULL ? "(null)" : got,
		    want == NULL ? "(null)" : want);
	return good;
}

static int
tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0;
}

#endif
