/* A text that is read in pieces of a size, as from a slow pipe. */
#ifndef PIECES_H
#define PIECES_H

#include <string.h>
#include <sys/types.h>

struct pieces {
	const char *s;
	size_t len, piece;
};

static ssize_t
read_pieces(void *from, char *s, size_t n)
{
	struct pieces *p = from;

	if (n > p->piece)
		n = p->piece;
	if (n > p->len)
		n = p->len;
	memcpy(s, p->s, n);
	p->s += n;
	p->len -= n;
	return (ssize_t)n;
}

#endif
