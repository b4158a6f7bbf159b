#include <errno.h>
#include <string.h>

#include "list.h"
#include "verify.h"

static void
copy(struct arena *a, const char **s)
{
	if (*s != NULL)
		*s = arena_strdup(a, *s);
}

void
find_add(struct finds *f, struct find x)
{
	copy(f->arena, &x.path);
	copy(f->arena, &x.observed);
	copy(f->arena, &x.expected);
	copy(f->arena, &x.ranks);
	for (int i = 0; i < 3; i++)
		copy(f->arena, &x.arg[i]);
	if (x.sev == SEV_DEFAULT)
		x.sev = checks[x.id].sev;
	if (x.text == NULL)
		x.text = checks[x.id].text;
	if (x.remedy == NULL)
		x.remedy = checks[x.id].remedy;
	if (x.count == 0)
		x.count = 1;
	f->v = mem_more(f->v, f->n, &f->cap, sizeof *f->v);
	f->v[f->n++] = x;
	f->set[x.id / 64] |= (uint64_t)1 << x.id % 64;
	if (x.sev == SEV_FAIL)
		f->failed[x.id / 64] |= (uint64_t)1 << x.id % 64;
}

int
find_has(const struct finds *f, enum check_id id)
{
	return (f->set[id / 64] >> id % 64 & 1) != 0;
}

void
find_drop(struct finds *f, enum check_id id)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->v[i].id != id)
			f->v[n++] = f->v[i];
	f->n = n;
}

int
find_failed(const struct finds *f, enum check_id id)
{
	return (f->failed[id / 64] >> id % 64 & 1) != 0;
}

void
notice(struct rank *r, struct find x)
{
	r->noticed.arena = &r->arena;
	if (r->seen[x.id]++ < LIMIT_NOTICED)
		find_add(&r->noticed, x);
}

void
notice_blind(struct rank *r, const char *path)
{
	int e = errno;

	if (!list_hidden(e))
		return;
	r->blind = 1;
	notice(r,
	    (struct find){
		.id = CHECK_X01, .path = path, .observed = strerror(e) });
}

void
notice_unreadable(struct rank *r, const char *path)
{
	int e = errno;

	if (!list_changed(e))
		notice(r,
		    (struct find){ .id = CHECK_X01,
			.path = path,
			.observed = strerror(e) });
}

void
check_noticed(struct verify *v, struct rank *r, const struct check *c)
{
	enum check_id id = (enum check_id)(c - checks);

	(void)v;
	for (size_t i = 0; i < r->noticed.n; i++)
		if (r->noticed.v[i].id == id)
			find_add(&r->finds, r->noticed.v[i]);
}

void
check_seen(struct verify *v, struct rank *r, const struct check *c)
{
	enum check_id id = (enum check_id)(c - checks);

	(void)v;
	for (size_t i = 0; i < r->noticed.n; i++) {
		if (r->noticed.v[i].id != id)
			continue;
		r->noticed.v[i].count = r->seen[id];
		find_add(&r->finds, r->noticed.v[i]);
		return;
	}
}

const char *
say_number(struct arena *a, long long n)
{
	return arena_printf(a, "%lld", n);
}

const char *
say_size(struct arena *a, unsigned long long n)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB",
		"TiB", "PiB" };
	struct buf b = { 0 };
	double x = (double)n;
	size_t u = 0;
	const char *s;

	for (; x >= 1024 && u + 1 < sizeof units / sizeof *units; u++)
		x /= 1024;
	buf_addf(&b, u > 0 && x < 10 ? "%.1f %s" : "%.0f %s", x, units[u]);
	s = arena_dup(a, b.s, b.len);
	buf_free(&b);
	return s;
}

const char *
say_ranges(struct arena *a, const long *v, size_t n)
{
	struct buf b = { 0 };
	const char *s;
	size_t j;

	for (size_t i = 0; i < n; i = j) {
		for (j = i + 1; j < n && v[j] <= v[j - 1] + 1;)
			j++;
		if (i > 0)
			buf_addc(&b, ',');
		buf_addf(&b, "%ld", v[i]);
		if (v[j - 1] > v[i])
			buf_addf(&b, "-%ld", v[j - 1]);
	}
	s = arena_dup(a, b.s == NULL ? "" : b.s, b.len);
	buf_free(&b);
	return s;
}

enum text_lang
say_lang(const struct verify *v)
{
	return v->format == REC_TEXT ? text_lang() : TEXT_EN;
}
