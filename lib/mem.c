#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "err.h"
#include "fault.h"

enum { MEM_LARGE = 2 << 20, MEM_SMALL = 4 << 10, MEM_FEW = 8 };

/*
 * The first blocks come from an array of the program: a launch script needs
 * no more, and a short program spends much of its time where malloc gets and
 * gives back pages. Only the last block's memory is used again. Sanitizers
 * are to see each block for itself.
 */
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define POOL_NONE
#endif
#endif
#if defined POOL_NONE || defined __SANITIZE_ADDRESS__ || defined MSP_FAULT
enum { POOL_SIZE = 1 };
#else
enum { POOL_SIZE = 512 << 10 };
#endif

static union {
	union mem_align align;
	char byte[POOL_SIZE];
} pool;
static size_t pool_used;

struct pool_head {
	size_t size; /* a multiple of MEM_ALIGN, the head included */
};
enum { POOL_HEAD = MEM_ALIGN };

static int
pool_has(const void *p)
{
	const char *c = p;

	return (uintptr_t)c >= (uintptr_t)pool.byte &&
	    (uintptr_t)c < (uintptr_t)(pool.byte + POOL_SIZE);
}

static struct pool_head *
pool_head(void *p)
{
	return (struct pool_head *)(void *)((char *)p - POOL_HEAD);
}

static int
pool_is_last(void *p)
{
	return (char *)p - POOL_HEAD + pool_head(p)->size ==
	    pool.byte + pool_used;
}

/* NULL: there is no room. */
static void *
pool_take(size_t n)
{
	if (n > POOL_SIZE / 4 || POOL_SIZE - pool_used < n + 2 * POOL_HEAD)
		return NULL;
	char *p = pool.byte + pool_used + POOL_HEAD;
	size_t size = (n + 2 * MEM_ALIGN - 1) / MEM_ALIGN * MEM_ALIGN;
	pool_head(p)->size = size;
	pool_used += size;
	return p;
}

static void *
mem_checked(void *p, size_t n)
{
	if (p == NULL && n != 0)
		err_memory();
	return p;
}

/*
 * Large blocks cost most of their time in page faults: they get large pages,
 * those that malloc maps for one that can grow as well as our own.
 */
static void
mem_large(void *p, size_t n)
{
#ifdef MADV_HUGEPAGE
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t from = (uintptr_t)p & ~(page - 1);
	uintptr_t to = ((uintptr_t)p + n + page - 1) & ~(page - 1);

	madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
	(void)p;
	(void)n;
#endif
}

void *
mem_alloc(size_t n)
{
	if (fault_now(FAULT_MEM))
		err_memory();
	void *p = pool_take(n);
	if (p != NULL)
		return p;
	if (n < MEM_LARGE)
		return mem_checked(malloc(n), n);
	if (posix_memalign(&p, MEM_LARGE, n) != 0)
		err_memory();
	mem_large(p, n);
	return p;
}

void *
mem_zero(size_t n, size_t size)
{
	if (fault_now(FAULT_MEM) || (size != 0 && n > SIZE_MAX / size))
		err_memory();
	void *p = pool_take(n * size);
	if (p != NULL)
		return memset(p, 0, n * size);
	return mem_checked(calloc(n, size), n != 0 && size != 0);
}

static void *
pool_resize(void *p, size_t n)
{
	size_t had = pool_head(p)->size - POOL_HEAD;

	if (n <= had)
		return p;
	if (pool_is_last(p)) {
		size_t used = pool_used;
		pool_used = (size_t)((char *)p - POOL_HEAD - pool.byte);
		if (pool_take(n) == p)
			return p;
		pool_used = used;
	}
	void *q = mem_alloc(n);
	memcpy(q, p, had);
	return q;
}

void *
mem_resize(void *p, size_t n, size_t size)
{
	if (fault_now(FAULT_MEM) || (size != 0 && n > SIZE_MAX / size))
		err_memory();
	if (n == 0 || size == 0)
		n = size = 1;
	n *= size;
	if (p == NULL)
		return mem_alloc(n);
	if (pool_has(p))
		return pool_resize(p, n);
	p = mem_checked(realloc(p, n), n);
	if (n >= MEM_LARGE)
		mem_large(p, n);
	return p;
}

void
mem_free(void *p)
{
	if (!pool_has(p))
		free(p);
	else if (pool_is_last(p))
		pool_used = (size_t)((char *)p - POOL_HEAD - pool.byte);
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

void *
mem_more(void *p, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return p;
	size_t more = *cap * size < MEM_SMALL ? *cap : *cap / 2;
	if (more < MEM_FEW)
		more = MEM_FEW;
	if (*cap > SIZE_MAX - more)
		err_memory();
	p = mem_resize(p, *cap + more, size);
	*cap += more;
	return p;
}
