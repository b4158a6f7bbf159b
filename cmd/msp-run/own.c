#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "run.h"

enum { OWN_PIECE = 64 << 10, OWN_TURN = 16 };

void
own_start(struct run_own *o, const struct run_place *place)
{
	*o = (struct run_own){ .fd = -1 };
	if (place->own == NULL)
		return;
	o->there = stat(place->own, &o->before) == 0;
	if (!o->there || S_ISREG(o->before.st_mode))
		o->path = place->own;
	if (o->there && place->own_appends)
		o->at = o->before.st_size;
	o->appends = place->own_appends;
}

/* A file of an earlier run is not this one's until it is written anew. */
static int
own_begun(const struct run_own *o)
{
	struct stat st;

	if (stat(o->path, &st) < 0 || !S_ISREG(st.st_mode))
		return 0;
	return !o->there || o->appends || st.st_ino != o->before.st_ino ||
	    st.st_size != o->before.st_size ||
	    st.st_mtim.tv_sec != o->before.st_mtim.tv_sec ||
	    st.st_mtim.tv_nsec != o->before.st_mtim.tv_nsec;
}

/* Lines of earlier runs count for the numbers of lines, no more. */
static void
own_skip(const struct run_own *o, struct symptom *symptom)
{
	char piece[OWN_PIECE];

	for (off_t at = 0; at < o->at;) {
		off_t left = o->at - at;
		size_t lines = 0;
		ssize_t n = pread(o->fd, piece,
		    left < OWN_PIECE ? (size_t)left : OWN_PIECE, at);
		if (n <= 0)
			return;
		at += n;
		for (ssize_t i = 0; i < n; i++)
			if (piece[i] == '\n')
				piece[lines++] = '\n';
		symptom_feed(symptom, piece, lines);
	}
}

int
own_read(struct run_own *o, struct symptom *symptom)
{
	char piece[OWN_PIECE];
	struct stat st;

	if (o->path == NULL || (o->fd < 0 && !own_begun(o)))
		return 0;
	if (o->fd < 0) {
		o->fd = open(o->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (o->fd >= 0)
			own_skip(o, symptom);
	}
	for (int i = 0; o->fd >= 0 && i < OWN_TURN; i++) {
		ssize_t n = pread(o->fd, piece, sizeof piece, o->at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0 && fstat(o->fd, &st) == 0 && st.st_size < o->at)
			o->at = 0;
		if (n <= 0)
			return 0;
		o->at += n;
		symptom_feed(symptom, piece, (size_t)n);
	}
	return o->fd >= 0;
}

void
own_free(struct run_own *o)
{
	if (o->fd >= 0)
		(void)close(o->fd);
	o->fd = -1;
}
