#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mem.h"
#include "run.h"

long
run_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void
run_list_add(struct run_list *l, const char *s)
{
	l->s = mem_more(l->s, l->n, &l->cap, sizeof *l->s);
	l->s[l->n++] = mem_strdup(s);
}

int
run_list_has(const struct run_list *l, const char *s)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->s[i], s) == 0)
			return 1;
	return 0;
}

void
run_list_free(struct run_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->s[i]);
	free(l->s);
	*l = (struct run_list){ 0 };
}
