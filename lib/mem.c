#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "err.h"
#include "fault.h"

struct arena_block {
	struct arena_block *down;
	size_t used, size;
};

union arena_align {
	long double d;
	void *p;
	long long i;
};

enum { LARGE = 8 << 20 };
enum { ARENA_BLOCK = 16 << 10, ARENA_ALIGN = sizeof(union arena_align) };

static void *
mem_checked(void *p, size_t n)
{
	if (p == NULL && n != 0)
		err_memory();
	return p;
}

void *
mem_alloc(size_t n)
{
	if (fault_now(FAULT_MEM))
		err_memory();
	return mem_checked(malloc(n), n);
}

void *
mem_zero(size_t n, size_t size)
{
	if (fault_now(FAULT_MEM))
		err_memory();
	return mem_checked(calloc(n, size), n != 0 && size != 0);
}

void *
mem_resize(void *p, size_t n, size_t size)
{
	if (fault_now(FAULT_MEM) || (size != 0 && n > SIZE_MAX / size))
		err_memory();
	if (n == 0 || size == 0)
		n = size = 1;
	return mem_checked(realloc(p, n * size), n * size);
}

char *
mem_dup(const void *p, size_t n)
{
	if (n == SIZE_MAX)
		err_memory();
	char *s = mem_alloc(n + 1);
	if (n != 0)
		memcpy(s, p, n);
	s[n] = '\0';
	return s;
}

char *
mem_strdup(const char *s)
{
	return mem_dup(s, strlen(s));
}

/*
 * Large arrays cost most of their time in page faults. The hint is for all
 * pages of the mapping that malloc made, so that it stays one that can grow.
 */
static void
mem_large(void *p, size_t n)
{
#ifdef MADV_HUGEPAGE
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t from = (uintptr_t)p & ~(page - 1);
	uintptr_t to = ((uintptr_t)p + n + page - 1) & ~(page - 1);

	if (n >= LARGE)
		madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
	(void)p;
	(void)n;
#endif
}

void *
mem_more(void *p, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return p;
	size_t more = *cap / 2 < 8 ? 8 : *cap / 2;
	if (*cap > SIZE_MAX - more)
		err_memory();
	p = mem_resize(p, *cap + more, size);
	*cap += more;
	mem_large(p, *cap * size);
	return p;
}

void *
arena_alloc(struct arena *a, size_t n)
{
	const size_t head = (sizeof(struct arena_block) + ARENA_ALIGN - 1) /
	    ARENA_ALIGN * ARENA_ALIGN;

	if (n > SIZE_MAX - head - ARENA_BLOCK)
		err_memory();
	n = (n + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
	struct arena_block *b = a->top;
	if (b == NULL || b->size - b->used < n) {
		size_t size = n > ARENA_BLOCK / 4 ? n : ARENA_BLOCK;
		b = mem_alloc(head + size);
		b->used = 0;
		b->size = size;
		/* A large piece goes below, so that the rest of the top
		 * block stays in use. */
		if (a->top != NULL && size != ARENA_BLOCK) {
			b->down = a->top->down;
			a->top->down = b;
		} else {
			b->down = a->top;
			a->top = b;
		}
	}
	void *p = (char *)b + head + b->used;
	b->used += n;
	return p;
}

char *
arena_dup(struct arena *a, const void *p, size_t n)
{
	if (n == SIZE_MAX)
		err_memory();
	char *s = arena_alloc(a, n + 1);
	if (n != 0)
		memcpy(s, p, n);
	s[n] = '\0';
	return s;
}

char *
arena_strdup(struct arena *a, const char *s)
{
	return arena_dup(a, s, strlen(s));
}

char *
arena_printf(struct arena *a, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	int n = vsnprintf(NULL, 0, format, ap);
	va_end(ap);
	if (n < 0)
		err_bug();
	char *s = arena_alloc(a, (size_t)n + 1);
	va_start(ap, format);
	(void)vsnprintf(s, (size_t)n + 1, format, ap);
	va_end(ap);
	return s;
}

void
arena_free(struct arena *a)
{
	struct arena_block *down;

	for (struct arena_block *b = a->top; b != NULL; b = down) {
		down = b->down;
		free(b);
	}
	a->top = NULL;
}
