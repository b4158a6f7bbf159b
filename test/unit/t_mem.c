#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "tap.h"

static void
test_more(void)
{
	int *a = NULL;
	size_t cap = 0, good = 1;

	for (size_t i = 0; i < 10000; i++) {
		a = mem_more(a, i, &cap, sizeof *a);
		a[i] = (int)i;
	}
	for (size_t i = 0; i < 10000; i++)
		good &= a[i] == (int)i;
	tap_ok(good && cap >= 10000, "an array keeps its elements as it grows");
	tap_ok(cap < 20000, "and does not waste more than it holds");
	free(a);
}

static void
test_arena(void)
{
	struct arena a = { 0 };
	char *first = arena_dup(&a, "first", 5);
	unsigned char *big = arena_alloc(&a, 1 << 20);
	memset(big, 0xAA, 1 << 20);
	char *after = arena_dup(&a, "after", 5);
	int aligned = 1;

	for (size_t n = 1; n < 3000; n += 7) {
		void *p = arena_alloc(&a, n);
		aligned &= (uintptr_t)p % sizeof(void *) == 0;
		memset(p, 0x55, n);
	}
	tap_is(first, "first", "an arena keeps what it gave");
	tap_is(after, "after", "also behind a large piece");
	tap_ok(big[0] == 0xAA && big[(1 << 20) - 1] == 0xAA,
	    "and the large piece itself");
	tap_ok(aligned, "every piece is aligned");
	arena_free(&a);
	tap_ok(a.top == NULL, "a freed arena is empty");
}

int
main(void)
{
	char *s = mem_dup("a\0b", 3);

	tap_ok(memcmp(s, "a\0b", 4) == 0, "mem_dup copies bytes and ends them");
	free(s);
	free(mem_resize(NULL, 0, 8));
	free(mem_alloc(0));
	test_more();
	test_arena();
	return tap_done();
}
