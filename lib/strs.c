#include "strs.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

int
str_begins(const char *s, const char *begin)
{
	return strncmp(s, begin, strlen(begin)) == 0;
}

int
str_ends(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && memcmp(s + n - m, end, m) == 0;
}

void
strs_add(struct strs *l, const char *s)
{
	l->s = mem_more(l->s, l->n, &l->cap, sizeof *l->s);
	l->s[l->n++] = mem_strdup(s);
}

int
strs_has(const struct strs *l, const char *s)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->s[i], s) == 0)
			return 1;
	return 0;
}

static int
strs_order(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void
strs_sort(struct strs *l)
{
	if (l->n > 1)
		qsort(l->s, l->n, sizeof *l->s, strs_order);
}

void
strs_free(struct strs *l)
{
	for (size_t i = 0; i < l->n; i++)
		mem_free(l->s[i]);
	mem_free(l->s);
	*l = (struct strs){ 0 };
}
