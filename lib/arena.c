#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "buf.h"
#include "err.h"
#include "mem.h"

struct arena_block {
	struct arena_block *down;
	size_t used, size;
};

enum {
	ARENA_BLOCK = 16 << 10, /* of the first block; each next is larger */
	ARENA_MOST = 4 << 20,
	ARENA_HEAD =
	    (sizeof(struct arena_block) + MEM_ALIGN - 1) / MEM_ALIGN * MEM_ALIGN
};

/* A new block, or for a large piece one of its own: that goes below, so that
 * the rest of the top block stays in use. */
static struct arena_block *
arena_more(struct arena *a, size_t n)
{
	struct arena_block *b = a->top;
	size_t block = b == NULL ? ARENA_BLOCK : 2 * b->size;

	if (n > SIZE_MAX - ARENA_HEAD - ARENA_MOST)
		err_memory();
	n = (n + MEM_ALIGN - 1) / MEM_ALIGN * MEM_ALIGN;
	block = block < ARENA_MOST ? block : ARENA_MOST;
	size_t size = n > block / 4 ? ARENA_HEAD + n : block;
	b = mem_alloc(size);
	b->used = ARENA_HEAD;
	b->size = size;
	if (a->top != NULL && size != block) {
		b->down = a->top->down;
		a->top->down = b;
	} else {
		b->down = a->top;
		a->top = b;
	}
	return b;
}

void *
arena_alloc(struct arena *a, size_t n)
{
	struct arena_block *b = a->top;

	/* used and size are multiples of MEM_ALIGN */
	if (b == NULL || b->size - b->used < n)
		b = arena_more(a, n);
	void *p = (char *)b + b->used;
	b->used += (n + MEM_ALIGN - 1) / MEM_ALIGN * MEM_ALIGN;
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
	struct buf b = { 0 };
	va_list ap;

	va_start(ap, format);
	buf_addv(&b, format, ap);
	va_end(ap);
	return buf_keep(&b, a);
}

void
arena_free(struct arena *a)
{
	struct arena_block *down;

	for (struct arena_block *b = a->top; b != NULL; b = down) {
		down = b->down;
		mem_free(b);
	}
	a->top = NULL;
}

void
arena_clear(struct arena *a)
{
	struct arena_block *b = a->top;

	if (b == NULL)
		return;
	struct arena rest = { b->down };
	b->down = NULL;
	b->used = ARENA_HEAD;
	arena_free(&rest);
}

void
arena_join(struct arena *to, struct arena *from)
{
	struct arena_block **down = &from->top;

	if (from->top == NULL)
		return;
	while (*down != NULL)
		down = &(*down)->down;
	*down = to->top;
	to->top = from->top;
	from->top = NULL;
}

int
arena_has(const struct arena *a, const void *p)
{
	uintptr_t at = (uintptr_t)p;

	for (const struct arena_block *b = a->top; b != NULL; b = b->down)
		if (at > (uintptr_t)b && at - (uintptr_t)b < b->used)
			return 1;
	return 0;
}
