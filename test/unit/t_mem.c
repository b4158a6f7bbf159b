#include <stdint.h>
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
	mem_free(a);
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

static void
test_arenas(void)
{
	struct arena a = { 0 }, b = { 0 };
	char *one = arena_dup(&a, "one", 3);
	char *large = arena_alloc(&b, 1 << 20), *two = arena_dup(&b, "two", 3);

	tap_ok(arena_has(&a, one) && arena_has(&b, two) &&
		arena_has(&b, large + (1 << 20) - 1),
	    "an arena knows what it gave");
	tap_ok(!arena_has(&a, two) && !arena_has(&a, "one") &&
		!arena_has(&b, NULL),
	    "and what it did not");
	arena_join(&a, &b);
	tap_ok(arena_has(&a, one) && arena_has(&a, two) && b.top == NULL,
	    "one has what two had");
	tap_is(two, "two", "where it was");
	arena_clear(&b);
	arena_clear(&a);
	tap_ok(!arena_has(&a, one) && !arena_has(&a, large),
	    "a cleared one has nothing");
	tap_is(arena_dup(&a, "three", 5), "three", "and gives again");
	arena_join(&b, &a);
	arena_free(&b);
	arena_free(&a);
}

/*
 * Blocks of many sizes, resized and freed in any order: each keeps its bytes
 * and overlaps no other, wherever its memory is from.
 */
static void
test_blocks(void)
{
	enum { BLOCKS = 64, TURNS = 20000 };
	static struct {
		unsigned char *p;
		size_t n;
	} b[BLOCKS];
	unsigned seed = 7;
	int good = 1, aligned = 1;

	for (int turn = 0; turn < TURNS; turn++) {
		seed = seed * 1103515245 + 12345;
		unsigned k = seed >> 16 & (BLOCKS - 1);
		size_t n = (seed >> 8 & 0xff) << (turn % 5 * 2);
		unsigned char mark = (unsigned char)(k + 1);
		for (size_t i = 0; i < b[k].n; i++)
			good &= b[k].p[i] == mark;
		if ((seed & 0x40) != 0) {
			mem_free(b[k].p);
			b[k].p = turn % 2 ? mem_alloc(n) : mem_zero(n, 1);
			for (size_t i = 0; turn % 2 == 0 && i < n; i++)
				good &= b[k].p[i] == 0;
		} else {
			b[k].p = mem_resize(b[k].p, n, 1);
			for (size_t i = 0; i < b[k].n && i < n; i++)
				good &= b[k].p[i] == mark;
		}
		aligned &= (uintptr_t)b[k].p % sizeof(long double) == 0;
		b[k].n = n;
		memset(b[k].p, mark, n);
	}
	for (int k = 0; k < BLOCKS; k++)
		mem_free(b[k].p);
	tap_ok(good, "blocks keep their bytes");
	tap_ok(aligned, "and are aligned");
	unsigned char *large = mem_alloc(5 << 20);
	memset(large, 1, 5 << 20);
	large = mem_resize(large, 9 << 20, 1);
	for (size_t i = 0; i < 5 << 20; i++)
		good &= large[i] == 1;
	tap_ok(good, "a large one when it grows, too");
	mem_free(large);
}

int
main(void)
{
	char *s = mem_dup("a\0b", 3);

	tap_ok(memcmp(s, "a\0b", 4) == 0, "mem_dup copies bytes and ends them");
	mem_free(s);
	mem_free(mem_resize(NULL, 0, 8));
	mem_free(mem_alloc(0));
	test_blocks();
	test_more();
	test_arena();
	test_arenas();
	return tap_done();
}
