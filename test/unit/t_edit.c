#include "edit.h"
#include "tap.h"

static void
test_order(void)
{
	struct edit e = { 0 };
	struct buf b = { 0 };

	edit_insert(&e, 5, "C", 1);
	edit_insert(&e, 0, "A", 1);
	edit_insert(&e, 0, "B", 1);
	edit_delete(&e, 1, 2);
	edit_insert(&e, 1, "-", 1);
	edit_delete(&e, 3, 0);
	tap_ok(edit_apply(&e, "01234", 0, 5, &b) == 0, "edits are applied");
	tap_is(b.s, "AB0-34C", "insertions keep their order, in any order");
	edit_free(&e);
	buf_free(&b);
}

static void
test_refused(void)
{
	const struct {
		uint32_t off1, del1, off2, del2;
		const char *name;
	} t[] = {
		{ 1, 2, 2, 1, "deletions overlap" },
		{ 1, 3, 1, 1, "deletions begin together" },
		{ 6, 1, 0, 0, "outside" },
		{ 4, 2, 0, 0, "partly outside" },
		{ 4, UINT32_MAX, 0, 0, "a length that overflows" },
	};

	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		struct edit e = { 0 };
		struct buf b = { 0 };
		edit_delete(&e, t[i].off1, t[i].del1);
		edit_delete(&e, t[i].off2, t[i].del2);
		tap_ok(edit_apply(&e, "01234", 0, 5, &b) == -1 && b.len == 0,
		    "refused: %s", t[i].name);
		edit_free(&e);
		buf_free(&b);
	}
	struct edit e = { 0 };
	struct buf b = { 0 };
	edit_delete(&e, 1, 3);
	edit_insert(&e, 2, "x", 1);
	tap_ok(edit_apply(&e, "01234", 0, 5, &b) == -1,
	    "refused: an insertion within a deletion");
	edit_free(&e);
	buf_free(&b);
}

static void
test_empty(void)
{
	struct edit e = { 0 };
	struct buf b = { 0 };

	tap_ok(edit_apply(&e, "abc", 0, 3, &b) == 0 && b.len == 3,
	    "no edits: the text");
	edit_insert(&e, 3, "", 0);
	tap_ok(edit_apply(&e, "abc", 0, 3, &b) == 0, "an empty insertion");
	tap_is(b.s, "abcabc", "and what was there stays");
	edit_free(&e);
	buf_free(&b);
}

int
main(void)
{
	test_order();
	test_refused();
	test_empty();
	return tap_done();
}
