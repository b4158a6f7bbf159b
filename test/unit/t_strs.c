#include "strs.h"
#include "tap.h"

static void
test_ends(void)
{
	tap_ok(str_begins("trace.json", "trace") && str_begins("a", "") &&
		!str_begins("tra", "trace"),
	    "begins");
	tap_ok(str_ends("trace.json", ".json") && str_ends("a", "") &&
		!str_ends("json", ".json") && !str_ends("json.", "json"),
	    "ends");
}

static void
test_list(void)
{
	struct strs l = { 0 };

	strs_sort(&l);
	tap_ok(!strs_has(&l, ""), "nothing is in an empty list");
	strs_add(&l, "b");
	strs_add(&l, "\xff");
	strs_add(&l, "a");
	strs_sort(&l);
	tap_is(l.s[0], "a", "the least is first");
	tap_is(l.s[2], "\xff", "bytes count without sign");
	tap_ok(strs_has(&l, "b") && !strs_has(&l, "c"), "what it has");
	strs_free(&l);
	tap_ok(l.n == 0 && l.s == NULL, "empty again");
}

int
main(void)
{
	test_ends();
	test_list();
	return tap_done();
}
