#include "pkgver.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "check-env.h"
#include "path.h"

static const char digits[] = "0123456789";

/* In this order: a draft comes before the release, 2.0 before 2.0.1. */
enum { PART_DRAFT, PART_END, PART_WORD, PART_NUMBER };

struct part {
	int kind;
	const char *s;
	size_t n;
};

static int
is_draft(const char *s, size_t n)
{
	static const char *const words[] = { "alpha", "beta", "dev", "rc" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == n && strncasecmp(s, words[i], n) == 0)
			return 1;
	return 0;
}

static const char *
next_part(const char *s, struct part *p)
{
	s += strspn(s, ".-_+");
	p->s = s;
	p->n = strspn(s, digits);
	p->kind = PART_NUMBER;
	if (*s == '\0') {
		p->kind = PART_END;
	} else if (p->n == 0) {
		p->n = strcspn(s, ".-_+0123456789");
		p->kind = is_draft(s, p->n) ? PART_DRAFT : PART_WORD;
	}
	return s + p->n;
}

static int
part_compare(const struct part *a, const struct part *b)
{
	long x, y;
	int order;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->kind == PART_NUMBER) {
		x = strtol(a->s, NULL, 10);
		y = strtol(b->s, NULL, 10);
		return (x > y) - (x < y);
	}
	order = strncasecmp(a->s, b->s, a->n < b->n ? a->n : b->n);
	return order != 0 ? order : (a->n > b->n) - (a->n < b->n);
}

int
version_compare(const char *a, const char *b)
{
	struct part x, y;
	int order;

	do {
		a = next_part(a, &x);
		b = next_part(b, &y);
		order = part_compare(&x, &y);
	} while (order == 0 && x.kind != PART_END);
	return order;
}

/* "7.2.99" takes in 7.2.99.1, and "24.0." all that begins so. */
static int
within(const char *v, const char *limit)
{
	size_t n = strlen(limit);

	if (n == 0 || !str_begins(v, limit))
		return n == 0;
	return strspn(limit + n - 1, digits) == 0 || strspn(v + n, digits) == 0;
}

int
version_in(struct host *h, const char *ranges, const char *v)
{
	for (const char *s = ranges; (s = strchr(s, '[')) != NULL;) {
		size_t n = strcspn(++s, "]"), comma = strcspn(s, ",");
		const char *low, *high;

		if (comma > n)
			comma = n;
		low = arena_dup(&h->arena, s, comma);
		high = comma == n
		    ? low
		    : arena_dup(&h->arena, s + comma + 1, n - comma - 1);
		if ((within(v, low) || version_compare(v, low) >= 0) &&
		    (within(v, high) || version_compare(v, high) <= 0))
			return 1;
		s += n;
	}
	return 0;
}

int
version_lists(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *s = list; (s = strstr(s, word)) != NULL; s++)
		if (strspn(s + n, digits) == 0)
			return 1;
	return 0;
}

/* --- Python ---------------------------------------------------------------- */

static const char *
find_python(struct host *h)
{
	const char *list = host_paths(h, "PATH"), *dir;

	while (host_entry(h, &list, &dir)) {
		const char *path = host_str(h, "%s/python3", dir);

		if (*dir == '/' && host_exists(h, path))
			return path;
	}
	return NULL;
}

const char *
python_version(struct host *h)
{
	const char *path = find_python(h), *base, *prefix, **names;
	size_t n;

	if (path == NULL)
		return NULL;
	base = path_base(host_real(h, path));
	if (str_begins(base, "python3."))
		return base + strlen("python");
	prefix = host_dir(h, host_dir(h, path));
	n = host_list(h, host_str(h, "%s/lib", prefix), "python3.", &names);
	return n == 1 ? names[0] + strlen("python") : NULL;
}

static const char *
package_in(struct host *h, const char *dir, const char *name, const char **file)
{
	const char **names, *prefix = host_str(h, "%s-", name);
	size_t n = host_list(h, dir, prefix, &names);

	for (size_t i = 0; i < n; i++) {
		const char *v = names[i] + strlen(prefix);
		const char *end = strstr(v, ".dist-info");

		if (end == NULL || strspn(v, digits) == 0)
			continue;
		if (file != NULL)
			*file = host_str(h, "%s/%s", dir, names[i]);
		return arena_dup(&h->arena, v, (size_t)(end - v));
	}
	return NULL;
}

static const char *
package_below(
    struct host *h, const char *prefix, const char *name, const char **file)
{
	static const char *const kinds[] = { "site-packages", "dist-packages" };
	const char *lib = host_str(h, "%s/lib", prefix), **names;
	const char *version = python_version(h);
	size_t n = host_list(h, lib, "python3", &names);

	for (size_t i = 0; i < n; i++) {
		const char *v = names[i] + strlen("python");

		if (version != NULL && strchr(v, '.') != NULL &&
		    strcmp(v, version) != 0)
			continue;
		for (size_t k = 0; k < 2; k++) {
			const char *found = package_in(h,
			    host_str(h, "%s/%s/%s", lib, names[i], kinds[k]),
			    name, file);

			if (found != NULL)
				return found;
		}
	}
	return NULL;
}

const char *
python_package(struct host *h, const char *name, const char **file)
{
	const char *python = find_python(h);
	const char *list = host_paths(h, "PYTHONPATH"), *dir, *found = NULL;
	const char *const prefixes[] = { host_env(h, "VIRTUAL_ENV"),
		host_env(h, "CONDA_PREFIX"),
		python == NULL ? NULL : host_dir(h, host_dir(h, python)),
		python == NULL ? NULL
			       : host_dir(h, host_dir(h, host_real(h, python))),
		"/usr/local",
		host_env(h, "HOME") == NULL
		    ? NULL
		    : host_str(h, "%s/.local", host_env(h, "HOME")) };

	while (found == NULL && host_entry(h, &list, &dir))
		if (*dir != '\0')
			found = package_in(h, dir, name, file);
	for (size_t i = 0;
	     found == NULL && i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (prefixes[i] != NULL && prefixes[i][0] == '/')
			found = package_below(h, prefixes[i], name, file);
	return found;
}
