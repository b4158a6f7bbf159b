/*
 * Memory that is there or the program is not: every function returns memory,
 * or ends the program through err_memory() (err.h). Sizes are checked for
 * overflow. Zero bytes may be asked for; the result can be freed.
 */
#ifndef MEM_H
#define MEM_H

#include <stddef.h>

#ifdef __GNUC__
#define MEM_PRINTF __attribute__((format(printf, 2, 3)))
#else
#define MEM_PRINTF
#endif

/* What any type may stand at. */
union mem_align {
	long double d;
	void *p;
	long long i;
};
enum { MEM_ALIGN = sizeof(union mem_align) };

void *mem_alloc(size_t);
void *mem_zero(size_t n, size_t size);
/* Like realloc for n elements of size bytes. */
void *mem_resize(void *, size_t n, size_t size);
/* Of all memory that one owns, what libc gave included; NULL: nothing. */
void mem_free(void *);
/* A copy with a NUL behind it; the caller frees it. */
char *mem_dup(const void *, size_t);
char *mem_strdup(const char *);

/*
 * Makes room for one more element in an array that has n of *cap; doubles a
 * small one, else grows by half. Returns the array, moved or not.
 */
void *mem_more(void *, size_t n, size_t *cap, size_t size);

/*
 * An arena: memory that is freed all at once. {0} is an empty one. What it
 * gives is aligned for every type and is not initialised.
 */
struct arena {
	struct arena_block *top;
};
void *arena_alloc(struct arena *, size_t);
/* A copy with a NUL behind it. */
char *arena_dup(struct arena *, const void *, size_t);
char *arena_strdup(struct arena *, const char *);
/* What snprintf(3) makes of it, as long as it is. */
char *arena_printf(struct arena *, const char *, ...) MEM_PRINTF;
void arena_free(struct arena *);
/* All that it gave is gone; some of its memory stays for what comes. */
void arena_clear(struct arena *);
/* What the second one has becomes the first one's. */
void arena_join(struct arena *, struct arena *);
/* Whether p is in memory that it gave. */
int arena_has(const struct arena *, const void *p);

#endif
