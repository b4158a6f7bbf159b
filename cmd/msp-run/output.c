#include <dirent.h>
#include <string.h>

#include "path.h"
#include "run.h"

static void
output_list(struct strs *l, const char *dir)
{
	DIR *d = opendir(dir);

	if (d == NULL)
		return;
	for (struct dirent *e; (e = readdir(d)) != NULL;)
		if (profile_is_trace(e->d_name))
			strs_add(l, e->d_name);
	closedir(d);
	strs_sort(l);
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
	struct strs now = { 0 };
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
		strs_add(&o->after, b.s);
	}
	buf_free(&b);
	strs_free(&now);
}

void
output_free(struct run_output *o)
{
	strs_free(&o->before);
	strs_free(&o->after);
}
