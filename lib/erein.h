/* Within ere: the instructions, of which expressions are made. */
#ifndef EREIN_H
#define EREIN_H

/* Jumps are relative: x and y are added to the instruction's own place. */
enum {
	ERE_SET, /* a byte of the set x, and on */
	ERE_SPLIT, /* at x and at y */
	ERE_JUMP, /* at x */
	ERE_BOL, /* on, where a line begins */
	ERE_EOL, /* on, where it ends */
	ERE_MATCH /* the expression x was found */
};

#endif
