/* What to open, and how. */
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "mem.h"
#include "path.h"
#include "report.h"

/* The bytes of a, which has n, that name a directory above b, too. */
static size_t
shared(const char *a, size_t n, const char *b)
{
	size_t i = 0, end = 0;

	for (; i < n && a[i] == b[i] && b[i] != 0; i++)
		if (a[i] == '/')
			end = i;
	return i == n && b[i] == '/' ? n : end;
}

static int
is_below(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	return strncmp(path, dir, n) == 0 && (path[n] == '/' || path[n] == 0);
}

/* The directory that holds all that counts, in the arena; NULL: none does. */
static const char *
common(struct verify *v)
{
	struct buf b = { 0 };
	size_t n = 0;
	const char *dir = NULL;

	for (size_t i = 0; i < v->nrank; i++) {
		const struct rank *r = v->rank[i];

		if (r->older)
			continue;
		if (b.len == 0) {
			path_dir(&b, r->path);
			n = strcmp(b.s, ".") == 0 ? 0 : b.len;
		} else {
			n = shared(b.s, n, r->path);
		}
	}
	if (n > 0)
		dir = arena_dup(&v->arena, b.s, n);
	else if (b.len > 0 && strcmp(b.s, ".") == 0)
		dir = ".";
	buf_free(&b);
	return dir;
}

/* All of it was looked at: an operand or a part of one, or each rank stands
 * in it. */
static int
looked_at(const struct verify *v, const char *dir)
{
	size_t n = strlen(dir);

	for (size_t i = 0; i < v->noperand; i++)
		if (is_below(dir, v->operand[i]))
			return 1;
	for (size_t i = 0; i < v->nrank; i++)
		if (!v->rank[i]->older && is_below(v->rank[i]->path, dir) &&
		    strchr(v->rank[i]->path + n + 1, '/') != NULL)
			return 0;
	return 1;
}

/* Traces in the directory beside those that count. */
static size_t
others(const struct verify *v, const char *dir)
{
	struct listing l;
	struct buf b = { 0 };
	size_t n = 0, mine = 0, all = 0;

	for (size_t i = 0; i < v->nrank; i++) {
		const struct rank *r = v->rank[i];

		n += r->older && is_below(r->path, dir);
		buf_reset(&b);
		path_dir(&b, r->path);
		mine += profile_is_trace(r->name) && strcmp(b.s, dir) == 0;
	}
	if (list_open(&l, AT_FDCWD, dir, 1, LIMIT_ENTRIES) == 0) {
		for (size_t i = 0; i < l.n; i++)
			all += (size_t)profile_is_trace(l.v[i].name);
		list_close(&l);
	}
	buf_free(&b);
	return n + (all > mine ? all - mine : 0);
}

/* MindStudio Insight takes no links. */
static const char *
real(struct verify *v, const char *path)
{
	char *s;

	if (!find_has(&v->finds, CHECK_R04))
		return path;
	s = realpath(path, NULL);
	if (s != NULL)
		path = arena_strdup(&v->arena, s);
	mem_free(s);
	return path;
}

void
report_open(struct verify *v, struct buf *b)
{
	const char *dir = common(v), *only = NULL;
	const struct text *text = &T_SAY_OPEN;
	size_t n = 0;

	for (size_t i = 0; i < v->nrank; i++)
		if (!v->rank[i]->older && n++ == 0)
			only = v->rank[i]->path;
	if (n == 0)
		return;
	if (n == 1) {
		if (dir == NULL || !looked_at(v, dir) || others(v, dir) > 0)
			dir = only;
	} else if (dir == NULL || !looked_at(v, dir)) {
		text = &T_SAY_OPEN_TOGETHER;
	} else if (others(v, dir) > 0) {
		text = &T_SAY_OPEN_WITHOUT;
	}
	buf_adds(b, "  ");
	text_add(b, text, dir != NULL ? real(v, dir) : "");
	buf_addc(b, '\n');
}
