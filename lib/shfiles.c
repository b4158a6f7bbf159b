#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path.h"
#include "shwalk.h"

/*
 * What is there now need not be when the script comes to it: what it may have
 * made or removed before is remembered by name, or as "anything".
 */
enum { TOUCHED_MAX = 64 };

/* The path without "." and "..", as a string in the arena. */
static const char *
folded(struct shval_run *w, const char *path)
{
	struct buf b = { 0 };
	const char *s;

	path_fold(&b, path);
	s = shwalk_dup(w, b.s, b.len);
	buf_free(&b);
	return s;
}

/* The value up to its first pattern; 0 when it is not known that far. */
static int
known_part(struct shval_run *w, const struct shval *v, struct buf *path)
{
	struct shval part = *v;
	size_t i = 0;

	while (i < v->npiece && v->piece[i].why == SHVAL_KNOWN)
		i++;
	if (i < v->npiece && v->piece[i].why != SHVAL_GLOB)
		return 0;
	part.npiece = i;
	part.split = 0;
	return part.alt == NULL && shwalk_path(w, &part, path);
}

void
shfiles_touch(struct shval_run *w, const struct shval *v, int does)
{
	const struct shtouched *t = w->touched;
	struct shtouched *one;
	struct buf path = { 0 };

	if ((w->touches & does) == does)
		return;
	if (v->words != NULL || !known_part(w, v, &path) ||
	    w->ntouched >= TOUCHED_MAX) {
		w->touches |= does;
	} else {
		struct arena *was = shlast_begin(w);
		const char *s = folded(w, path.s);
		while (t != NULL && (t->does != does || strcmp(t->path, s)))
			t = t->next;
		if (t == NULL) {
			one = shwalk_alloc(w, sizeof(*one));
			*one = (struct shtouched){ w->touched, s, does };
			w->touched = one;
			w->ntouched++;
		}
		shlast_end(w, was);
	}
	buf_free(&path);
}

void
shfiles_arguments(
    struct shval_run *w, const struct shval *argv, size_t argc, int does)
{
	for (size_t i = 1; i < argc; i++) {
		size_t n;
		const char *s = shval_head(w, &argv[i], &n);
		if (s == NULL || n == 0 || s[0] != '-')
			shfiles_touch(w, &argv[i], does);
	}
}

/* a is b, or a directory above it. */
static int
above(const char *a, const char *b)
{
	size_t n = strlen(a);

	if (n > 0 && a[n - 1] == '/')
		n--;
	return strncmp(a, b, n) == 0 && (b[n] == '/' || b[n] == '\0');
}

int
shfiles_changed(struct shval_run *w, const char *path, int does)
{
	const char *s;

	if (w->touches & does)
		return 1;
	if (w->touched == NULL)
		return 0;
	s = folded(w, path);
	for (const struct shtouched *t = w->touched; t; t = t->next) {
		if (!(t->does & does))
			continue;
		if (above(t->path, s) ||
		    ((does & FILES_MADE) && above(s, t->path)))
			return 1;
	}
	return 0;
}

int
shwalk_path(struct shval_run *w, const struct shval *v, struct buf *b)
{
	struct buf name = { 0 }, cwd = { 0 };
	int ok = shval_known(v, &name);

	if (ok && w->env->root != NULL)
		buf_adds(b, w->env->root);
	if (ok && (name.s == NULL || name.s[0] != '/')) {
		ok = shval_known(w->cwd.now, &cwd);
		if (ok && w->env->root != NULL)
			buf_addc(b, '/');
		if (ok)
			buf_add(b, cwd.s ? cwd.s : "", cwd.len);
		if (ok)
			buf_addc(b, '/');
	} else if (ok && w->env->root != NULL) {
		buf_addc(b, '/');
	}
	if (ok)
		buf_add(b, name.s ? name.s : "", name.len);
	buf_free(&name);
	buf_free(&cwd);
	return ok;
}

static int
mode_is(char op, mode_t m)
{
	switch (op) {
	case 'f': return S_ISREG(m) != 0;
	case 'd': return S_ISDIR(m) != 0;
	case 'p': return S_ISFIFO(m) != 0;
	case 'S': return S_ISSOCK(m) != 0;
	case 'b': return S_ISBLK(m) != 0;
	case 'c': return S_ISCHR(m) != 0;
	default: return 1;
	}
}

int
shwalk_stat(struct shval_run *w, const char *path, struct stat *st)
{
	if (w->looked.len == 0 || strcmp(w->looked.s, path) != 0) {
		w->there = stat(path, &w->status_of) == 0;
		buf_reset(&w->looked);
		buf_adds(&w->looked, path);
	}
	*st = w->status_of;
	return w->there ? 0 : -1;
}

int
shtest_file(struct shval_run *w, char op, const char *path)
{
	struct stat st;
	int r;

	if (op == 'L' || op == 'h')
		r = lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
	else if (op == 'r')
		r = access(path, R_OK) == 0;
	else if (op == 'w')
		r = access(path, W_OK) == 0;
	else if (op == 'x')
		r = access(path, X_OK) == 0;
	else if (shwalk_stat(w, path, &st) != 0)
		r = 0;
	else
		r = op == 's' ? st.st_size > 0 : mode_is(op, st.st_mode);
	return shfiles_changed(w, path, r ? FILES_REMOVED : FILES_MADE) ? -1
									: r;
}
