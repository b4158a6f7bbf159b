#include "scan.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

struct scan_item *
scan_add(struct scan *s, enum scan_kind kind)
{
	s->item = mem_more(s->item, s->n, &s->cap, sizeof *s->item);
	s->item[s->n] = (struct scan_item){ .kind = kind };
	s->item[s->n].found.status = SCAN_OK;
	return &s->item[s->n++];
}

void
scan_free(struct scan *s)
{
	for (size_t i = 0; i < s->n; i++)
		found_free(&s->item[i].found);
	mem_free(s->item);
	arena_free(&s->arena);
	*s = (struct scan){ 0 };
}

/* 1 when a launch that excludes this item's is complete. */
static int
scan_other_complete(const struct scan *s, const struct scan_item *item)
{
	for (size_t l = 1; l <= s->launches; l++) {
		int seen = 0, fails = 0;
		if (l == item->launch)
			continue;
		for (size_t i = 0; i < s->n; i++) {
			if (s->item[i].launch != l ||
			    s->item[i].group != item->group)
				continue;
			seen = 1;
			fails |= scan_fails(s->item[i].found.status);
		}
		if (seen && !fails)
			return 1;
	}
	return 0;
}

/* 1 when another value that the option may have is in order. */
static int
scan_other_choice(const struct scan *s, const struct scan_item *item)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct scan_item *o = &s->item[i];
		if (o != item && (o->flags & SCAN_CHOICE) &&
		    o->launch == item->launch && o->kind == item->kind &&
		    strcmp(o->name, item->name) == 0 &&
		    !scan_fails(o->found.status))
			return 1;
	}
	return 0;
}

static void
scan_excuse(struct scan *s)
{
	unsigned char *excused = mem_zero(s->n, 1);

	for (size_t i = 0; i < s->n; i++) {
		const struct scan_item *item = &s->item[i];
		if (!scan_fails(item->found.status))
			continue;
		excused[i] =
		    (item->group != 0 && scan_other_complete(s, item)) ||
		    ((item->flags & SCAN_CHOICE) && scan_other_choice(s, item));
	}
	for (size_t i = 0; i < s->n; i++)
		if (excused[i])
			s->item[i].found.status = SCAN_WARN;
	mem_free(excused);
}

static int
scan_matches(const struct scan_item *item, const char *pattern)
{
	const char *of[] = { item->found.why != NULL ? item->found.why->id
						     : NULL,
		item->name, item->value, item->path, item->found.resolved };

	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		if (of[i] != NULL && fnmatch(pattern, of[i], 0) == 0)
			return 1;
	return 0;
}

static int
scan_compare(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int
scan_order(const void *x, const void *y)
{
	const struct scan_item *a = x, *b = y;
	int r = scan_compare(a->file, b->file);

	if (a->found.status != b->found.status)
		return a->found.status < b->found.status ? -1 : 1;
	if (r == 0 && a->line != b->line)
		r = a->line < b->line ? -1 : 1;
	if (r == 0)
		r = strcmp(a->name, b->name);
	if (r == 0)
		r = strcmp(a->value, b->value);
	if (r == 0)
		r = scan_compare(a->path, b->path);
	return r != 0 ? r : (a->kind > b->kind) - (a->kind < b->kind);
}

/* Sorts, and keeps one of equal ones. */
static void
scan_sort(struct scan *s)
{
	size_t n = 0;

	if (s->n > 0)
		qsort(s->item, s->n, sizeof *s->item, scan_order);
	for (size_t i = 0; i < s->n; i++) {
		if (n > 0 && scan_order(&s->item[n - 1], &s->item[i]) == 0)
			found_free(&s->item[i].found);
		else
			s->item[n++] = s->item[i];
	}
	s->n = n;
}

void
scan_settle(struct scan *s, const char *const *ignore)
{
	scan_excuse(s);
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; ignore != NULL && ignore[k] != NULL; k++)
			if (scan_matches(&s->item[i], ignore[k]))
				s->item[i].found.status = SCAN_IGNORED;
	scan_sort(s);
	memset(s->count, 0, sizeof s->count);
	for (size_t i = 0; i < s->n; i++)
		s->count[s->item[i].found.status]++;
}

size_t
scan_failures(const struct scan *s)
{
	size_t n = 0;

	for (int i = 0; i < SCAN_STATUSES; i++)
		n += scan_fails(i) ? s->count[i] : 0;
	return n;
}
