#include <stdlib.h>
#include <string.h>

#include "shwalk.h"

/* Programs whose output is known when what they read is. */

/* A line at a time: where the next one begins. */
static size_t
line_end(const char *s, size_t i, size_t n)
{
	const char *e = memchr(s + i, '\n', n - i);

	return e != NULL ? (size_t)(e - s) : n;
}

static void
put(struct shval_run *w, const struct shval *v, size_t from, size_t to)
{
	if (to > from)
		shout_value(w, shval_slice(w, v, from, to));
}

/* A decimal number of few digits; -1. */
static long
number(const char *s)
{
	char *end;
	long n = s[0] >= '0' && s[0] <= '9' && strlen(s) < 8
	    ? strtol(s, &end, 10)
	    : -1;

	return n >= 0 && *end == '\0' ? n : -1;
}

/* The value of -x, joined or as the next argument. */
static const char *
option(char **a, size_t n, size_t *i)
{
	if (a[*i][2] != '\0')
		return a[*i] + 2;
	return *i + 1 < n ? a[++*i] : NULL;
}

static int
cut(struct shval_run *w, char **a, size_t n, const struct shval *v,
    const char *s, size_t len)
{
	const char *delim = "\t", *list = NULL, *x;
	long from, to;
	char *end;

	for (size_t i = 1; i < n; i++) {
		if (strncmp(a[i], "-d", 2) == 0)
			delim = option(a, n, &i);
		else if (strncmp(a[i], "-f", 2) == 0)
			list = option(a, n, &i);
		else
			return 0;
		if (delim == NULL)
			return 0;
	}
	if (list == NULL || strlen(delim) != 1 || (unsigned char)*delim >= 0x80)
		return 0;
	from = list[0] == '-' ? 1 : strtol(list, &end, 10);
	x = list[0] == '-' ? list : end;
	to = *x == '\0' ? from : x[1] == '\0' ? 1 << 20 : number(x + 1);
	if (from < 1 || to < from || (*x != '\0' && *x != '-'))
		return 0;
	for (size_t i = 0; i < len;) {
		size_t e = line_end(s, i, len), k = i;
		long field = 1;
		int whole = memchr(s + i, *delim, e - i) == NULL;
		while (field < from && k < e && !whole)
			field += s[k++] == *delim;
		size_t start = field == from || whole ? k : e;
		while (k < e && field <= to && !whole)
			field += s[k++] == *delim;
		if (field > to)
			k--;
		put(w, v, start, whole ? e : k);
		shout_text(w, "\n", 1);
		i = e + 1;
	}
	return 1;
}

/* The bytes of a set of tr: ranges and a few escapes. 0 not followed. */
static size_t
tr_set(const char *s, unsigned char *set)
{
	size_t n = 0;

	for (; *s != '\0'; s++) {
		unsigned char c = (unsigned char)*s;
		if (c >= 0x80 || c == '[' || c == ']')
			return 0;
		if (c == '\\') {
			s++;
			if (*s != 'n' && *s != 't' && *s != '\\')
				return 0;
			c = *s == 'n' ? '\n' : *s == 't' ? '\t' : '\\';
		}
		if (s[1] == '-' && s[2] != '\0') {
			if ((unsigned char)s[2] < c || s[2] == '\\')
				return 0;
			for (; c < (unsigned char)s[2] && n < 256; c++)
				set[n++] = c;
			s += 2;
		}
		if (n >= 256)
			return 0;
		set[n++] = c;
	}
	return n;
}

static int
tr(struct shval_run *w, char **a, size_t n, const char *s, size_t len)
{
	unsigned char from[260], to[260];
	int map[256];
	size_t k, m, o = 0;
	char *t;

	for (int i = 0; i < 256; i++)
		map[i] = i;
	if (n == 3 && strcmp(a[1], "-d") == 0) {
		k = tr_set(a[2], from);
		for (size_t i = 0; i < k; i++)
			map[from[i]] = -1;
		m = k;
	} else if (n == 3 && a[1][0] != '-') {
		k = tr_set(a[1], from);
		m = tr_set(a[2], to);
		for (size_t i = k; m > 0 && i > 0; i--)
			map[from[i - 1]] = to[i <= m ? i - 1 : m - 1];
	} else {
		return 0;
	}
	if (k == 0 || m == 0)
		return 0;
	t = shwalk_alloc(w, len + 1);
	for (size_t i = 0; i < len; i++) {
		if (map[(unsigned char)s[i]] >= 0)
			t[o++] = (char)map[(unsigned char)s[i]];
	}
	shout_text(w, t, o);
	return 1;
}

/* head and tail: lines from the front or the end. */
static int
some_lines(struct shval_run *w, char **a, size_t n, const struct shval *v,
    const char *s, size_t len)
{
	long count = 10, lines = 0, skip;
	const char *x;
	size_t at = 0, end = 0;

	for (size_t i = 1; i < n; i++) {
		if (strncmp(a[i], "-n", 2) == 0)
			x = option(a, n, &i);
		else
			x = a[i][0] == '-' ? a[i] + 1 : NULL;
		if (x == NULL || (count = number(x)) < 0)
			return 0;
	}
	for (size_t i = 0; i < len; i = line_end(s, i, len) + 1)
		lines++;
	skip = a[0][0] == 't' && lines > count ? lines - count : 0;
	if (a[0][0] == 't')
		count = lines;
	for (; at < len && skip > 0; skip--)
		at = line_end(s, at, len) + 1;
	for (end = at; end < len && count > 0; count--)
		end = line_end(s, end, len) + 1;
	put(w, v, at, end < len ? end : len);
	return 1;
}

static int
wc(struct shval_run *w, char **a, size_t n, const char *s, size_t len)
{
	long long count = 0;
	int in = 0;

	if (n != 2 || strlen(a[1]) != 2 || strchr("lwc", a[1][1]) == NULL)
		return 0;
	for (size_t i = 0; i < len; i++) {
		int blank = s[i] == ' ' || s[i] == '\n' || s[i] == '\t';
		if ((unsigned char)s[i] >= 0x80 && a[1][1] == 'w')
			return 0;
		count += a[1][1] == 'l' ? s[i] == '\n'
		    : a[1][1] == 'c'    ? 1
					: !blank && !in;
		in = !blank;
	}
	shout_value(w, shval_number(w, count, shval_nowhere));
	shout_text(w, "\n", 1);
	return 1;
}

/* awk [-Fc] '{print $N}' */
static int
awk(struct shval_run *w, char **a, size_t n, const struct shval *v,
    const char *s, size_t len)
{
	const char *sep = NULL, *x;
	char program[32];
	size_t i = 1, k = 0;
	long want;

	if (i < n && strncmp(a[i], "-F", 2) == 0) {
		sep = option(a, n, &i);
		i++;
		if (sep == NULL || strlen(sep) != 1 ||
		    strchr(",:;/=-_%@", *sep) == NULL)
			return 0;
	}
	if (i + 1 != n)
		return 0;
	for (x = a[i]; *x != '\0' && k < sizeof(program) - 1; x++) {
		if (*x != ' ' && *x != ';')
			program[k++] = *x;
	}
	program[k] = '\0';
	if (k < 9 || strncmp(program, "{print$", 7) != 0 ||
	    program[k - 1] != '}')
		return 0;
	program[k - 1] = '\0';
	if ((want = number(program + 7)) < 1)
		return 0;
	for (i = 0; i < len;) {
		size_t e = line_end(s, i, len), at = i;
		for (long field = 1;; field++) {
			size_t from;
			while (
			    !sep && at < e && (s[at] == ' ' || s[at] == '\t'))
				at++;
			from = at;
			while (at < e &&
			    (sep ? s[at] != *sep
				 : s[at] != ' ' && s[at] != '\t'))
				at++;
			if (field == want)
				put(w, v, from, at);
			if (field == want || at == e)
				break;
			at += sep != NULL;
		}
		shout_text(w, "\n", 1);
		i = e + 1;
	}
	return 1;
}

int
shfilter_run(struct shval_run *w, const struct shval_call *call,
    const struct shval *argv, size_t argc, const char *name)
{
	const struct shval *v = shinput_value(w, call);
	char *a[8];
	const char *s;
	size_t len, n;

	if (v == NULL || argc > 8)
		return 0;
	for (size_t i = 0; i < argc; i++) {
		s = argv[i].split ? NULL : shval_cstr(w, &argv[i], &n);
		if (s == NULL)
			return 0;
		a[i] = (char *)(uintptr_t)s;
	}
	a[0] = (char *)(uintptr_t)name;
	s = shval_cstr(w, v, &len);
	if (strcmp(name, "cut") == 0)
		return cut(w, a, argc, v, s, len);
	if (strcmp(name, "tr") == 0)
		return tr(w, a, argc, s, len);
	if (strcmp(name, "head") == 0 || strcmp(name, "tail") == 0)
		return some_lines(w, a, argc, v, s, len);
	if (strcmp(name, "wc") == 0)
		return wc(w, a, argc, s, len);
	if (strcmp(name, "awk") == 0)
		return awk(w, a, argc, v, s, len);
	if (strcmp(name, "cat") == 0 && argc == 1) {
		shout_value(w, v);
		return 1;
	}
	return 0;
}
