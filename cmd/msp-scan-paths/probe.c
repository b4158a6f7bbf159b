#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io.h"
#include "scan.h"

enum { PROBE_HELPERS = 3, PROBE_STRINGS = 3, PROBE_PIECE = 65536 };

/* One answer, as it goes through the pipe; the strings follow. The pointer
 * means the same in both processes: one is the other's child. */
struct probe_answer {
	size_t index;
	enum scan_status status;
	const struct text *why;
	size_t len[PROBE_STRINGS]; /* SIZE_MAX: NULL */
};

struct probe {
	pid_t pid;
	int fd;
	int limit;
};

typedef void probe_fn(int fd, void *data);

/* Starts a helper that runs fn. 0, or -1: there is none. */
static int
probe_start(struct probe *p, probe_fn *fn, void *data)
{
	int fd[2];

	if (pipe(fd) < 0)
		return -1;
	p->pid = fork();
	if (p->pid == 0) {
		for (int i = 0; i < 3; i++)
			close(i);
		close(fd[0]);
		fn(fd[1], data);
		_exit(0);
	}
	close(fd[1]);
	if (p->pid < 0) {
		close(fd[0]);
		return -1;
	}
	p->fd = fd[0];
	return 0;
}

/* A helper that hangs in the kernel cannot be waited for. */
static void
probe_end(struct probe *p, int answers)
{
	close(p->fd);
	kill(p->pid, SIGKILL);
	(void)waitpid(p->pid, NULL, answers ? 0 : WNOHANG);
}

/* Up to n bytes: as read(2); -1 with ETIMEDOUT when none come in time. */
static ssize_t
probe_wait(struct probe *p, void *to, size_t n)
{
	struct pollfd pfd = { .fd = p->fd, .events = POLLIN };
	ssize_t got;
	int r;

	do
		r = poll(&pfd, 1, p->limit);
	while (r < 0 && errno == EINTR);
	if (r == 0)
		errno = ETIMEDOUT;
	if (r <= 0)
		return -1;
	do
		got = read(p->fd, to, n);
	while (got < 0 && errno == EINTR);
	return got;
}

/* Exactly n bytes: 0, or -1 with errno (EPIPE: the helper has ended). */
static int
probe_get(struct probe *p, void *to, size_t n)
{
	char *s = to;

	while (n > 0) {
		ssize_t got = probe_wait(p, s, n);
		if (got == 0)
			errno = EPIPE;
		if (got <= 0)
			return -1;
		s += got;
		n -= (size_t)got;
	}
	return 0;
}

static void
probe_answer(int fd, size_t index, const struct scan_found *f)
{
	const char *s[PROBE_STRINGS] = { f->resolved, f->arg[0], f->arg[1] };
	struct probe_answer a = { index, f->status, f->why, { 0 } };
	struct buf b = { 0 };

	for (int i = 0; i < PROBE_STRINGS; i++)
		a.len[i] = s[i] != NULL ? strlen(s[i]) : SIZE_MAX;
	buf_add(&b, &a, sizeof a);
	for (int i = 0; i < PROBE_STRINGS; i++)
		if (s[i] != NULL)
			buf_add(&b, s[i], a.len[i]);
	if (io_write_all(fd, b.s, b.len) < 0)
		_exit(1);
	buf_free(&b);
}

struct probe_job {
	struct scan *scan;
	size_t from;
};

static void
probe_judge(int fd, void *data)
{
	struct probe_job *job = data;
	struct scan *s = job->scan;

	for (size_t i = job->from; i < s->n; i++) {
		struct scan_found f = { .status = SCAN_OK };
		if (s->item[i].flags & SCAN_SET)
			continue;
		judge_item(&s->look, &s->item[i], &f);
		probe_answer(fd, i, &f);
		found_free(&f);
	}
}

/* The next answer. 0, or -1 with errno. */
static int
probe_next(struct probe *p, struct scan *s, size_t *index)
{
	struct probe_answer a;
	char *string[PROBE_STRINGS] = { NULL };
	int r = probe_get(p, &a, sizeof a);

	for (int i = 0; r == 0 && i < PROBE_STRINGS; i++) {
		if (a.len[i] == SIZE_MAX)
			continue;
		string[i] = mem_zero(a.len[i] + 1, 1);
		r = probe_get(p, string[i], a.len[i]);
	}
	if (r == 0) {
		found_set(&s->item[a.index].found, a.status, a.why, string[0],
		    string[1], string[2]);
		*index = a.index;
	}
	int e = errno;
	for (int i = 0; i < PROBE_STRINGS; i++)
		free(string[i]);
	errno = e;
	return r;
}

static size_t
probe_pass(const struct scan *s, size_t i)
{
	while (i < s->n && (s->item[i].flags & SCAN_SET))
		i++;
	return i;
}

static void
probe_give_up(struct scan_item *item)
{
	found_set(&item->found, SCAN_UNKNOWN, &T_NO_ANSWER, item->path,
	    strerror(ETIMEDOUT), NULL);
}

void
probe_items(struct scan *s, int limit)
{
	struct probe_job job = { s, probe_pass(s, 0) };
	int lost = 0;

	while (job.from < s->n && lost < PROBE_HELPERS) {
		struct probe p = { .limit = limit };
		size_t i = 0;
		int r = 0;
		if (probe_start(&p, probe_judge, &job) < 0) {
			lost = PROBE_HELPERS;
			break;
		}
		while (job.from < s->n && (r = probe_next(&p, s, &i)) == 0)
			job.from = probe_pass(s, i + 1);
		probe_end(&p, r == 0);
		if (r < 0) {
			probe_give_up(&s->item[job.from]);
			job.from = probe_pass(s, job.from + 1);
			lost++;
		}
	}
	for (; job.from < s->n; job.from = probe_pass(s, job.from + 1))
		probe_give_up(&s->item[job.from]);
}

struct probe_file {
	const struct look *look;
	const char *path;
	size_t max;
};

static void
probe_slurp(int fd, void *data)
{
	struct probe_file *file = data;
	struct buf b = { 0 };
	int e = 0;

	if (look_read(file->look, file->path, &b, file->max) < 0)
		e = errno;
	(void)io_write_all(fd, &e, sizeof e);
	if (e == 0)
		(void)io_write_all(fd, b.s, b.len);
	buf_free(&b);
}

int
probe_read(const struct look *look, const char *path, struct buf *b, size_t max,
    int limit)
{
	struct probe p = { .limit = limit };
	struct probe_file file = { look, path, max };
	ssize_t got = 0;
	int e = 0;

	if (probe_start(&p, probe_slurp, &file) < 0)
		return -1;
	if (probe_get(&p, &e, sizeof e) < 0)
		e = errno;
	while (e == 0 &&
	    (got = probe_wait(&p, buf_room(b, PROBE_PIECE), PROBE_PIECE)) > 0)
		b->s[b->len += (size_t)got] = '\0';
	if (e == 0 && got < 0)
		e = errno;
	probe_end(&p, e != ETIMEDOUT);
	if (e != 0)
		errno = e;
	return e != 0 ? -1 : 0;
}
