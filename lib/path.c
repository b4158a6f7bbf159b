#include "path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void
path_join(struct buf *b, const char *dir, const char *name)
{
	if (name[0] != '/' && dir[0] != '\0' && strcmp(dir, ".") != 0) {
		size_t n = strlen(dir);
		buf_add(b, dir, n);
		if (dir[n - 1] != '/')
			buf_addc(b, '/');
	}
	buf_adds(b, name);
}

const char *
path_base(const char *s)
{
	const char *slash = strrchr(s, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : s;
}

void
path_dir(struct buf *b, const char *s)
{
	size_t n = strlen(s);

	while (n > 1 && s[n - 1] == '/')
		n--;
	while (n > 0 && s[n - 1] != '/')
		n--;
	while (n > 1 && s[n - 1] == '/')
		n--;
	buf_add(b, n == 0 ? "." : s, n == 0 ? 1 : n);
}

/* Drops the last component of b behind start; 0 when there is none to drop. */
static int
path_drop(struct buf *b, size_t start)
{
	size_t n = b->len;

	while (n > start && b->s[n - 1] != '/')
		n--;
	if (n == b->len || strcmp(b->s + n, "..") == 0)
		return 0;
	if (n > start)
		n--;
	b->len = n;
	b->s[n] = '\0';
	return 1;
}

void
path_fold(struct buf *b, const char *s)
{
	int absolute = s[0] == '/';
	size_t from = b->len, start;

	if (absolute)
		buf_addc(b, '/');
	start = b->len;
	while (*s != '\0') {
		size_t n = strcspn(s, "/");
		if (n == 2 && s[0] == '.' && s[1] == '.') {
			if (!path_drop(b, start) && !absolute)
				buf_adds(b, b->len > start ? "/.." : "..");
		} else if (n > 0 && !(n == 1 && s[0] == '.')) {
			if (b->len > start)
				buf_addc(b, '/');
			buf_add(b, s, n);
		}
		s += n;
		s += *s == '/';
	}
	if (b->len == from)
		buf_addc(b, '.');
}

static int
path_mkdir(const char *s)
{
	struct stat st;

	if (mkdir(s, 0777) == 0)
		return 0;
	int e = errno;
	if (stat(s, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			return 0;
		e = ENOTDIR;
	}
	errno = e;
	return -1;
}

int
path_mkdirs(const char *s)
{
	struct buf b = { 0 };
	size_t n = 0;

	buf_adds(&b, s);
	for (;;) {
		n += strspn(s + n, "/");
		if (s[n] == '\0')
			break;
		n += strcspn(s + n, "/");
		char c = b.s[n];
		b.s[n] = '\0';
		if (path_mkdir(b.s) < 0) {
			int e = errno;
			buf_free(&b);
			errno = e;
			return -1;
		}
		b.s[n] = c;
	}
	buf_free(&b);
	return 0;
}

int
path_ancestor(struct buf *b, const char *s)
{
	struct stat st;
	size_t from = b->len;

	buf_adds(b, s[0] == '\0' ? "." : s);
	while (stat(b->s + from, &st) < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			return -1;
		struct buf up = { 0 };
		path_dir(&up, b->s + from);
		int stuck = strcmp(up.s, b->s + from) == 0;
		b->len = from;
		buf_add(b, up.s, up.len);
		buf_free(&up);
		if (stuck) {
			errno = ENOENT;
			return -1;
		}
	}
	return 0;
}

int
path_find_program(struct buf *b, const char *name)
{
	const char *s = getenv("PATH");
	size_t from = b->len;

	if (strchr(name, '/') != NULL) {
		buf_adds(b, name);
		return access(name, X_OK);
	}
	for (s = s != NULL ? s : "/bin:/usr/bin";;) {
		size_t n = strcspn(s, ":");
		struct stat st;
		b->len = from;
		buf_add(b, n == 0 ? "." : s, n == 0 ? 1 : n);
		buf_addc(b, '/');
		buf_adds(b, name);
		if (stat(b->s + from, &st) == 0 && S_ISREG(st.st_mode) &&
		    access(b->s + from, X_OK) == 0)
			return 0;
		if (s[n] == '\0')
			break;
		s += n + 1;
	}
	b->len = from;
	if (b->s != NULL)
		b->s[from] = '\0';
	return -1;
}
