#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io.h"
#include "spawn.h"

enum { WATCH_PIECE = 65536 };

/* The helper's three pipes: its output, its messages, its progress. */
static int
watch_pipes(int fd[6])
{
	for (int i = 0; i < 3; i++)
		if (pipe(fd + 2 * i) < 0) {
			while (i-- > 0) {
				close(fd[2 * i]);
				close(fd[2 * i + 1]);
			}
			return -1;
		}
	return 0;
}

enum watch_side
watch_start(struct watch *w)
{
	int fd[6];

	w->step = 0;
	w->progress = -1;
	if (watch_pipes(fd) < 0)
		return WATCH_ALONE;
	w->pid = fork();
	if (w->pid == 0) {
		(void)dup2(fd[1], 1);
		(void)dup2(fd[3], 2);
		for (int i = 0; i < 5; i++)
			close(fd[i]);
		close(0);
		w->progress = fd[5];
		(void)fcntl(w->progress, F_SETFL, O_NONBLOCK);
		return WATCH_HELPER;
	}
	for (int i = 0; i < 3; i++) {
		close(fd[2 * i + 1]);
		w->fd[i] = fd[2 * i];
		if (w->pid < 0)
			close(fd[2 * i]);
	}
	if (w->pid < 0)
		return WATCH_ALONE;
	(void)fcntl(w->fd[2], F_SETFL, O_NONBLOCK);
	return WATCH_WAITS;
}

int
watch_step(struct watch *w)
{
	w->step++;
	if (w->nlost == WATCH_LOST && w->step > w->lost[WATCH_LOST - 1])
		return 1;
	for (size_t i = 0; i < w->nlost; i++)
		if (w->lost[i] == w->step)
			return 1;
	/* What does not fit is lost; then the step counts as the last one
	 * that did. */
	if (w->progress >= 0)
		(void)!write(w->progress, &w->step, sizeof w->step);
	return 0;
}

/* The last step that was begun; 0 none. */
static size_t
watch_last(struct watch *w, size_t last)
{
	size_t step[512];
	ssize_t n;

	while ((n = read(w->fd[2], step, sizeof step)) > 0)
		last = step[(size_t)n / sizeof *step - 1];
	return last;
}

/* Reads both streams to their ends: 0, or -1 when a step takes too long. */
static int
watch_read(struct watch *w, struct buf out[2], size_t *last)
{
	struct pollfd p[2] = { { .fd = w->fd[0], .events = POLLIN },
		{ .fd = w->fd[1], .events = POLLIN } };

	while (p[0].fd >= 0 || p[1].fd >= 0) {
		int r = poll(p, 2, w->limit);
		if (r < 0 && errno != EINTR)
			return 0;
		if (r == 0) {
			size_t step = watch_last(w, *last);
			if (step == *last && spawn_state(w->pid) != 'R')
				return -1;
			*last = step;
		}
		for (int i = 0; r > 0 && i < 2; i++) {
			if (p[i].fd < 0 || p[i].revents == 0)
				continue;
			ssize_t n = read(p[i].fd,
			    buf_room(&out[i], WATCH_PIECE), WATCH_PIECE);
			if (n > 0)
				out[i].len += (size_t)n;
			else if (n == 0 || errno != EINTR)
				p[i].fd = -1;
		}
	}
	return 0;
}

/* A helper that hangs in the kernel cannot be waited for. */
static int
watch_give_up(struct watch *w, size_t step)
{
	kill(w->pid, SIGKILL);
	(void)waitpid(w->pid, NULL, WNOHANG);
	if (w->nlost == WATCH_LOST)
		return WATCH_STUCK;
	w->lost[w->nlost++] = step;
	return WATCH_AGAIN;
}

static int
watch_end(const struct watch *w, const struct buf out[2])
{
	int status = 0;

	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	(void)io_write_all(2, out[1].s, out[1].len);
	if (!WIFEXITED(status))
		return WATCH_CRASH;
	if (out[0].len == 0)
		return WEXITSTATUS(status);
	return io_put(&out[0]) < 0 ? WATCH_UNWRITTEN : WEXITSTATUS(status);
}

int
watch_wait(struct watch *w)
{
	struct buf out[2] = { { 0 }, { 0 } };
	size_t last = 0;
	int r = watch_read(w, out, &last) < 0 ? watch_give_up(w, last)
					      : watch_end(w, out);

	for (int i = 0; i < 3; i++)
		close(w->fd[i]);
	buf_free(&out[0]);
	buf_free(&out[1]);
	return r;
}
