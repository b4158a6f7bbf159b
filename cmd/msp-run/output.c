#include <dirent.h>
#include <stdlib.h>
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

/* Those that were not there before. */
static void
output_new(struct strs *l, const struct run_output *o, const char *dir)
{
	struct strs now = { 0 };

	output_list(&now, dir);
	for (size_t i = 0, j = 0; i < now.n; i++) {
		while (j < o->before.n && strcmp(o->before.s[j], now.s[i]) < 0)
			j++;
		if (j == o->before.n || strcmp(o->before.s[j], now.s[i]) != 0)
			strs_add(l, now.s[i]);
	}
	strs_free(&now);
}

/* WORKER_PID_STAMP_ascend_pt; 0 when it is named otherwise. */
static pid_t
output_pid(const char *name)
{
	static const char digits[] = "0123456789";
	size_t n = strlen(name) - strlen("_ascend_pt"), from;
	long pid;

	for (int part = 0; part < 2; part++) {
		for (from = n; from > 0 && strchr(digits, name[from - 1]);)
			from--;
		if (from == n || from == 0 || name[from - 1] != '_')
			return 0;
		if (part == 0)
			n = from - 1;
	}
	pid = strtol(name + from, NULL, 10);
	return n - from < 10 ? (pid_t)pid : 0;
}

void
output_before(struct run_output *o, const struct run_place *place)
{
	*o = (struct run_output){ 0 };
	if (place->save != NULL)
		output_list(&o->before, place->save);
}

/* Those that are new since the last look. */
static void
output_judge(struct run_output *o, const struct strs *now)
{
	for (size_t i = 0; i < now->n; i++) {
		const char *name = now->s[i];
		if (strs_has(&o->seen, name))
			continue;
		strs_add(&o->seen, name);
		if (group_of_another(output_pid(name)))
			strs_add(&o->others, name);
	}
}

void
output_look(struct run_output *o, const struct run_place *place)
{
	struct strs now = { 0 };
	struct stat st;

	if (place->save == NULL || stat(place->save, &st) < 0 ||
	    (st.st_mtim.tv_sec == o->changed.tv_sec &&
		st.st_mtim.tv_nsec == o->changed.tv_nsec))
		return;
	o->changed = st.st_mtim;
	output_new(&now, o, place->save);
	output_judge(o, &now);
	strs_free(&now);
}

void
output_after(struct run_output *o, const struct run_place *place)
{
	struct strs now = { 0 };
	struct buf b = { 0 };

	if (place->save == NULL)
		return;
	output_new(&now, o, place->save);
	output_judge(o, &now);
	for (size_t i = 0; i < now.n; i++) {
		if (strs_has(&o->others, now.s[i]))
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
	strs_free(&o->seen);
	strs_free(&o->others);
}
