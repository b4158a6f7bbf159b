#include "look.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io.h"
#include "path.h"

enum {
	LOOK_LINKS = 40,
	LOOK_LINK_MAX = 4096,
	LOOK_NAME_MAX = 255,
	LOOK_ALIKE_MAX = 10000
};

/* Puts target in front of what is left of the path. */
static void
look_follow(struct buf *rest, const char *target, size_t n, const char *left)
{
	struct buf b = { 0 };

	buf_add(&b, target, n);
	buf_addc(&b, '/');
	buf_adds(&b, left);
	buf_free(rest);
	*rest = b;
}

/* The last component of b, which begins at offset root, goes. */
static void
look_up(struct buf *b, size_t root)
{
	while (b->len > root && b->s[b->len - 1] != '/')
		b->len--;
	if (b->len > root)
		b->len--;
	b->s[b->len] = '\0';
}

static int
look_walk(struct buf *rest, struct buf *b, size_t root)
{
	char target[LOOK_LINK_MAX];
	int links = 0;

	for (const char *s = rest->s;;) {
		struct stat st;
		s += strspn(s, "/");
		size_t n = strcspn(s, "/");
		if (n == 0)
			return 0;
		if (n == 2 && s[0] == '.' && s[1] == '.') {
			look_up(b, root);
		} else if (!(n == 1 && s[0] == '.')) {
			buf_addc(b, '/');
			buf_add(b, s, n);
			if (lstat(b->s, &st) < 0) {
				buf_adds(b, s + n);
				return 0;
			}
			ssize_t len = S_ISLNK(st.st_mode)
			    ? readlink(b->s, target, sizeof target)
			    : 0;
			if (len > 0 && ++links > LOOK_LINKS) {
				errno = ELOOP;
				return -1;
			}
			if (len > 0) {
				look_up(b, root);
				if (target[0] == '/')
					b->len = root;
				b->s[b->len] = '\0';
				look_follow(rest, target, (size_t)len, s + n);
				s = rest->s;
				continue;
			}
		}
		s += n;
	}
}

int
look_real(const struct look *look, const char *path, struct buf *b)
{
	struct buf rest = { 0 };
	int r;

	if (look->root == NULL || path[0] != '/') {
		buf_adds(b, path);
		return 0;
	}
	buf_adds(b, look->root);
	while (b->len > 1 && b->s[b->len - 1] == '/')
		b->s[--b->len] = '\0';
	if (b->len == 1 && b->s[0] == '/')
		b->s[--b->len] = '\0';
	buf_adds(&rest, path);
	r = look_walk(&rest, b, b->len);
	buf_free(&rest);
	if (b->len == 0)
		buf_addc(b, '/');
	return r;
}

int
look_stat(const struct look *look, const char *path, struct stat *st)
{
	struct buf b = { 0 };
	int r = look_real(look, path, &b);

	if (r == 0)
		r = stat(b.s, st);
	buf_free(&b);
	return r;
}

int
look_may(const struct look *look, const char *path, int mode)
{
	struct buf b = { 0 };
	int r = look_real(look, path, &b);

	if (r == 0)
		r = access(b.s, mode);
	buf_free(&b);
	return r;
}

int
look_read(
    const struct look *look, const char *path, struct buf *out, size_t max)
{
	struct buf b = { 0 };
	struct stat st;
	int fd = -1, r = look_real(look, path, &b);

	if (r == 0)
		fd = io_open(b.s, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	buf_free(&b);
	if (fd < 0)
		return -1;
	r = fstat(fd, &st);
	if (r == 0 && !S_ISREG(st.st_mode)) {
		errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
		r = -1;
	}
	if (r == 0)
		r = io_slurp(fd, out, max) < 0 ? -1 : 0;
	int e = errno;
	close(fd);
	errno = e;
	return r;
}

static int
look_order(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int
look_list(const struct look *look, const char *path, struct strs *names)
{
	struct buf b = { 0 };
	struct dirent *d;
	DIR *dir = NULL;

	*names = (struct strs){ 0 };
	if (look_real(look, path, &b) == 0)
		dir = opendir(b.s);
	buf_free(&b);
	if (dir == NULL)
		return -1;
	while ((d = readdir(dir)) != NULL)
		if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0)
			strs_add(names, d->d_name);
	closedir(dir);
	strs_sort(names);
	return 0;
}

int
look_has(const struct strs *names, const char *name)
{
	return names->n > 0 &&
	    bsearch(&name, names->s, names->n, sizeof *names->s, look_order) !=
	    NULL;
}

/* How many bytes must be changed, added or left out to make b of a. */
static size_t
look_distance(const char *a, const char *b)
{
	size_t row[LOOK_NAME_MAX + 1], n = strlen(a), m = strlen(b);

	if (n > LOOK_NAME_MAX || m > LOOK_NAME_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t corner = row[0];
		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t best = corner + (a[i - 1] != b[j - 1]);
			corner = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[m];
}

static size_t
look_common(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] != '\0' && a[n] == b[n])
		n++;
	return n;
}

/* Of the names that differ little, the one that differs last. */
static const char *
look_nearest(const struct strs *names, const char *base)
{
	size_t n = strlen(base), most = 0;
	size_t limit = n < 4 ? 0 : n < 8 ? 1 : n < 16 ? 2 : n / 8;
	const char *best = NULL;

	for (size_t i = 0; i < names->n && i < LOOK_ALIKE_MAX; i++) {
		const char *s = names->s[i];
		size_t common = look_common(s, base);
		if (strcmp(s, base) == 0 || (best != NULL && common <= most) ||
		    look_distance(base, s) > limit)
			continue;
		most = common;
		best = s;
	}
	return best;
}

int
look_alike(const struct look *look, const char *path, struct buf *out)
{
	struct strs names;
	struct buf dir = { 0 };
	const char *best = NULL;

	path_dir(&dir, path);
	if (look_list(look, dir.s, &names) == 0) {
		best = look_nearest(&names, path_base(path));
		if (best != NULL)
			path_join(out, dir.s, best);
		strs_free(&names);
	}
	buf_free(&dir);
	return best != NULL;
}
