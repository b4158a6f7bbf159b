#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check-env.h"
#include "io.h"
#include "mem.h"
#include "path.h"

enum { FILE_MAX = 1 << 20, LINKS_MAX = 40, PAUSE = 2000000, PAUSES = 1500 };

const char *
host_path(struct host *h, const char *path)
{
	if (h->root[0] == '\0' || path[0] != '/')
		return path;
	return host_str(h, "%s%s", h->root, path);
}

const char *
host_dir(struct host *h, const char *path)
{
	struct buf b = { 0 };

	path_dir(&b, path);
	return host_keep(h, &b);
}

static mode_t
host_mode(struct host *h, const char *path)
{
	struct stat st;

	return stat(host_path(h, path), &st) < 0 ? 0 : st.st_mode;
}

int
host_exists(struct host *h, const char *path)
{
	return host_mode(h, path) != 0;
}

int
host_is_dir(struct host *h, const char *path)
{
	return S_ISDIR(host_mode(h, path)) != 0;
}

int
host_is_file(struct host *h, const char *path)
{
	return S_ISREG(host_mode(h, path)) != 0;
}

int
host_access(struct host *h, const char *path, int mode)
{
	return access(host_path(h, path), mode);
}

const char *
host_read(struct host *h, const char *path)
{
	struct buf b = { 0 };
	const char *s = NULL;

	if (!host_is_file(h, path))
		return NULL;
	if (io_slurp_file(host_path(h, path), &b, FILE_MAX) >= 0)
		s = host_keep(h, &b);
	buf_free(&b);
	return s;
}

/* The child may be left behind: what hangs cannot always be killed. */
int
host_answers(struct host *h, const char *path)
{
	struct timespec pause = { 0, PAUSE };
	struct stat st;
	pid_t pid, r = 0;

	if (h->silent != NULL && strcmp(h->silent, path) == 0)
		return 0;
	pid = fork();
	if (pid == 0) {
		(void)stat(path, &st);
		_exit(0);
	}
	for (int i = 0; pid > 0 && r == 0 && i < PAUSES; i++) {
		r = waitpid(pid, NULL, WNOHANG);
		if (r == 0)
			nanosleep(&pause, NULL);
	}
	if (pid < 0 || r != 0)
		return 1;
	kill(pid, SIGKILL);
	h->silent = path;
	return 0;
}

const char *
host_line(struct host *h, const char *path)
{
	const char *s = host_read(h, path);

	return s == NULL ? NULL : arena_dup(&h->arena, s, strcspn(s, "\r\n"));
}

int
host_next(struct host *h, const char **text, const char **line)
{
	size_t n;

	if (*text == NULL || **text == '\0')
		return 0;
	n = strcspn(*text, "\n");
	*line = arena_dup(&h->arena, *text, n);
	*text += n + ((*text)[n] == '\n');
	return 1;
}

long
host_number(struct host *h, const char *path)
{
	return npusmi_number(host_line(h, path));
}

static int
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

const char *
host_key(struct host *h, const char *text, const char *key)
{
	size_t n = strlen(key);
	const char *s, *end;

	while (host_next(h, &text, &s)) {
		if (!str_begins(s, key) || s[n] != '=')
			continue;
		end = s + strlen(s);
		s += n + 1;
		while (s < end && (is_space(*s) || *s == '"'))
			s++;
		while (end > s && (is_space(end[-1]) || end[-1] == '"'))
			end--;
		return arena_dup(&h->arena, s, (size_t)(end - s));
	}
	return NULL;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

size_t
host_list(
    struct host *h, const char *dir, const char *prefix, const char ***names)
{
	DIR *d = opendir(host_path(h, dir));
	const char **list = NULL;
	size_t n = 0, cap = 0;
	struct dirent *e;

	*names = NULL;
	if (d == NULL)
		return 0;
	while ((e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.' || !str_begins(e->d_name, prefix))
			continue;
		list = mem_more(list, n, &cap, sizeof(*list));
		list[n++] = arena_strdup(&h->arena, e->d_name);
	}
	closedir(d);
	if (n == 0)
		return 0;
	qsort(list, n, sizeof(*list), by_name);
	*names = arena_alloc(&h->arena, n * sizeof(**names));
	memcpy(*names, list, n * sizeof(*list));
	mem_free(list);
	return n;
}

/* Absolute links lead below root, too; realpath(3) would leave it. */
const char *
host_real(struct host *h, const char *path)
{
	struct buf done = { 0 }, left = { 0 };
	const char *s;
	int links = 0;

	buf_adds(&done, "");
	buf_adds(&left, path);
	for (s = left.s; *s != '\0';) {
		size_t n = strcspn(s, "/"), from = done.len;
		char target[4096];
		ssize_t got;

		if (n > 0) {
			buf_addc(&done, '/');
			buf_add(&done, s, n);
		}
		s += n + (s[n] == '/');
		if (n == 0)
			continue;
		got =
		    readlink(host_path(h, done.s), target, sizeof(target) - 1);
		if (got > 0 && ++links < LINKS_MAX) {
			struct buf next = { 0 };

			buf_add(&next, target, (size_t)got);
			buf_addc(&next, '/');
			buf_adds(&next, s);
			done.len = target[0] == '/' ? 0 : from;
			done.s[done.len] = '\0';
			buf_free(&left);
			left = next;
			s = left.s;
		}
	}
	buf_free(&left);
	path_fold(&left, done.len == 0 ? "/" : done.s);
	buf_free(&done);
	return host_keep(h, &left);
}

const char *
host_env(struct host *h, const char *name)
{
	const char *value;

	if (h->need.script == NULL)
		return getenv(name);
	return need_var(h, name, &value) ? value : NULL;
}

const char *
host_paths(struct host *h, const char *name)
{
	const char *value;

	if (h->need.script != NULL && need_var(h, name, &value))
		return value;
	return getenv(name);
}

int
host_entry(struct host *h, const char **list, const char **entry)
{
	size_t n;

	if (*list == NULL)
		return 0;
	n = strcspn(*list, ":");
	*entry = arena_dup(&h->arena, *list, n);
	*list = (*list)[n] == ':' ? *list + n + 1 : NULL;
	return 1;
}
