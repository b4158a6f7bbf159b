/*
 * Many POSIX extended regular expressions looked for in a stream of lines, all
 * at once and in one pass: time grows with the bytes, not with the number of
 * expressions, and memory is bounded.
 *
 * Expressions match within one line, byte by byte (the C locale); what POSIX
 * leaves undefined (backslash before a letter or digit) is refused, and so is
 * what would match an empty text, since every line holds one.
 *
 *	struct ere *e = ere_new();
 *	ere_add(e, "out of memory", &why); ...
 *	while (ere_next(e, &s, end))
 *		(e->hit[0 .. nhit): the expressions found in a line)
 */
#ifndef ERE_H
#define ERE_H

#include <stddef.h>
#include <stdint.h>

struct ere_state;
struct ere_inst {
	uint8_t op;
	int32_t x, y;
};
struct ere_set {
	uint64_t bit[4];
};

struct ere {
	/* of the line that ere_next has just come to the end of */
	const uint32_t *hit; /* expressions found in it, numbered from 0 */
	size_t nhit;
	const char *from; /* where it begins; NULL: in an earlier piece */
	unsigned long long line; /* its number, from 1 */
	/* set by the caller: ere_next stops at every line */
	int every;
	/* the rest is private */
	struct ere_inst *inst;
	size_t ninst, capinst;
	struct ere_set *set;
	size_t nset, capset;
	int32_t single[256]; /* by byte: its set and one */
	uint32_t *start; /* of each expression */
	size_t nrule, caprule;
	uint8_t class[256];
	size_t nclass;
	uint8_t *sample; /* a byte of each class */
	uint32_t **first; /* by class: what follows the first byte */
	size_t *nfirst;
	uint8_t *initial; /* by instruction: stands in every state */
	uint32_t *mark, *rulemark, *stack, *kernel, *found, *hits;
	uint32_t stamp, linestamp;
	size_t nkernel, nfound;
	struct ere_state **table, *state, *begin;
	size_t memory;
	int fresh;
};

struct ere *ere_new(void);
void ere_free(struct ere *);

/* The expression's number; or -1, and *why says in English what is wrong.
 * To be called before the first ere_next. */
long ere_add(struct ere *, const char *, const char **why);

/*
 * Reads on from *s. 1 at the end of a line in which something was found (of
 * any line, with every): *s stands behind its newline. 0 when the piece has
 * been read; a line that it ends in goes on in the next piece, and e->from
 * is where it begins, NULL when in an earlier one.
 */
int ere_next(struct ere *, const char **s, const char *end);
/* Ends a last line that has no newline; as ere_next. */
int ere_end(struct ere *);
/* Forgets where it is: what comes next begins a line with number 1. */
void ere_reset(struct ere *);

#endif
