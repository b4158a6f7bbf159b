#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "path.h"
#include "run.h"

static int
output_named(const char *s)
{
	size_t n = strlen(s);

	return n > 10 &&
	    (strcmp(s + n - 10, "_ascend_pt") == 0 ||
		strcmp(s + n - 10, "_ascend_ms") == 0);
}

static int
output_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
output_list(struct run_list *l, const char *dir)
{
	DIR *d = opendir(dir);

	if (d == NULL)
		return;
	for (struct dirent *e; (e = readdir(d)) != NULL;)
		if (output_named(e->d_name))
			run_list_add(l, e->d_name);
	closedir(d);
	if (l->n > 1)
		qsort(l->s, l->n, sizeof *l->s, output_compare);
}

void
output_before(struct run_output *o, const struct run_place *place)
{
	*o = (struct run_output){ 0 };
	if (place->save != NULL)
		output_list(&o->before, place->save);
}

void
output_after(struct run_output *o, const struct run_place *place)
{
	struct run_list now = { 0 };
	struct buf b = { 0 };

	if (place->save == NULL)
		return;
	output_list(&now, place->save);
	for (size_t i = 0, j = 0; i < now.n; i++) {
		while (j < o->before.n && strcmp(o->before.s[j], now.s[i]) < 0)
			j++;
		if (j < o->before.n && strcmp(o->before.s[j], now.s[i]) == 0)
			continue;
		buf_reset(&b);
		path_join(&b, place->save, now.s[i]);
		run_list_add(&o->after, b.s);
	}
	buf_free(&b);
	run_list_free(&now);
}

void
output_free(struct run_output *o)
{
	run_list_free(&o->before);
	run_list_free(&o->after);
}
