#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io.h"
#include "mem.h"
#include "run.h"
#include "spawn.h"

enum {
	COPY_PIECE = 4096, /* what a pipe that can be written takes at once */
	COPY_TURN = 1 << 20, /* bytes before the other work gets its turn */
	COPY_LINES = 64,
	COPY_PATIENCE = 2000 /* milliseconds for a reader that stands still */
};

struct copy_line {
	unsigned long long behind;
	char *text;
};

/*
 * Pipes and terminals are opened anew, so that writing can be asked not to
 * wait without changing what others share; where that is not possible, poll
 * and pieces that fit have to do.
 */
static int
copy_open(void)
{
	struct stat st;

	if (fstat(2, &st) < 0 ||
	    (!S_ISFIFO(st.st_mode) && !S_ISCHR(st.st_mode)))
		return 2;
	int fd = io_open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK, 0);
	return fd < 0 ? 2 : fd;
}

void
copy_start(struct run_copy *c, int from, int quiet)
{
	*c = (struct run_copy){ .from = from,
		.to = copy_open(),
		.quiet = quiet,
		.moved = spawn_clock() };
}

static void
copy_drop(struct run_copy *c)
{
	mem_free(c->line[0].text);
	memmove(c->line, c->line + 1, (c->n - 1) * sizeof *c->line);
	c->n--;
}

void
copy_say(struct run_copy *c, unsigned long long behind, const char *text)
{
	if (c->dead)
		return;
	if (c->n == COPY_LINES)
		copy_drop(c);
	c->line = mem_more(c->line, c->n, &c->cap, sizeof *c->line);
	c->line[c->n++] =
	    (struct copy_line){ .behind = behind, .text = mem_strdup(text) };
}

/* Bytes written, 0 when the reader is not ready, -1 when it is gone. */
static ssize_t
copy_write(struct run_copy *c, const char *s, size_t n)
{
	struct pollfd p = { c->to, POLLOUT, 0 };

	if (poll(&p, 1, 0) <= 0)
		return 0;
	if ((p.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) {
		c->dead = 1;
		return -1;
	}
	ssize_t w = write(c->to, s, n);
	if (w < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (w < 0) {
		c->dead = 1;
		return -1;
	}
	c->moved = spawn_clock();
	return w;
}

static int
copy_own(struct run_copy *c)
{
	ssize_t w = copy_write(c, c->rest.s + c->sent, c->rest.len - c->sent);

	if (w <= 0)
		return -1;
	c->sent += (size_t)w;
	if (c->sent == c->rest.len)
		buf_reset(&c->rest);
	c->middle = 0;
	return 0;
}

static int
copy_log(struct run_copy *c, unsigned long long stop)
{
	char piece[COPY_PIECE];
	unsigned long long left = stop - c->done;
	size_t want = left < sizeof piece ? (size_t)left : sizeof piece;
	ssize_t n = pread(c->from, piece, want, (off_t)c->done);

	if (n <= 0) {
		c->done = stop;
		return 0;
	}
	ssize_t w = copy_write(c, piece, (size_t)n);
	if (w <= 0)
		return -1;
	c->done += (unsigned long long)w;
	c->middle = piece[w - 1] != '\n';
	return 0;
}

int
copy_push(struct run_copy *c, unsigned long long upto)
{
	for (int turn = 0; !c->dead; turn++) {
		unsigned long long stop = c->n > 0 && c->line[0].behind < upto
		    ? c->line[0].behind
		    : upto;
		if (c->quiet && c->done < stop)
			c->done = stop;
		if (turn == COPY_TURN / COPY_PIECE)
			return 1;
		if (c->rest.len > 0) {
			if (copy_own(c) < 0)
				return !c->dead;
		} else if (c->done < stop) {
			if (copy_log(c, stop) < 0)
				return !c->dead;
		} else if (c->n > 0 && c->line[0].behind <= c->done) {
			buf_adds(&c->rest, c->middle ? "\n" : "");
			buf_adds(&c->rest, c->line[0].text);
			c->sent = 0;
			copy_drop(c);
		} else {
			return 0;
		}
	}
	return 0;
}

void
copy_finish(struct run_copy *c, unsigned long long upto)
{
	c->moved = spawn_clock();
	while (copy_push(c, upto)) {
		struct pollfd p = { c->to, POLLOUT, 0 };
		(void)poll(&p, 1, 100);
		if (spawn_clock() - c->moved > COPY_PATIENCE)
			break;
	}
	if (c->middle && !c->dead && c->rest.len == 0)
		(void)copy_write(c, "\n", 1);
}

void
copy_free(struct run_copy *c)
{
	while (c->n > 0)
		copy_drop(c);
	mem_free(c->line);
	buf_free(&c->rest);
	if (c->to > 2)
		(void)close(c->to);
	*c = (struct run_copy){ .to = -1 };
}
