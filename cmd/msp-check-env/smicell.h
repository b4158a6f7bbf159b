/*
 * The cells of npu-smi's tables. A row is cut in place: its cells are trimmed
 * strings within the line.
 */
#ifndef SMICELL_H
#define SMICELL_H

#include <stddef.h>

#include "npusmi.h"

enum { CELLS = 32, COLUMNS = 8, TOKENS = 24, CELL_NUMBER_MAX = 100000000 };

struct row {
	char *cell[CELLS];
	char *bar[CELLS]; /* the bar behind each */
	size_t n;
};

/* Cuts "| a | b |"; 0 when this is no such line or has too many cells. */
int row_cut(struct row *, char *line, char *end);
/* The first cell that holds, or is, the word; n when there is none. */
size_t row_find(const struct row *, const char *word);
size_t row_exact(const struct row *, const char *word);

struct token {
	char *s;
	size_t len;
	int slash;
};

/* Cuts a cell at blanks, at most TOKENS; "/" is a token of its own. The
 * cell's text is spoilt, the tokens are strings. */
size_t cell_tokens(char *, struct token *);
/* Without the blanks around; ends with a NUL at or before end. */
char *cell_trim(char *, char *end);
int cell_digit(char);
int cell_digits(const char *); /* digits, and nothing else */
int cell_bus(const char *); /* 0000:c1:00.0 */

/* What the values of a cell are, by the names in its header. */
enum column {
	COL_OTHER,
	COL_POWER,
	COL_TEMP,
	COL_PAGES,
	COL_UTIL,
	COL_MEM,
	COL_HBM
};
struct columns {
	enum column what[COLUMNS];
	int pair[COLUMNS]; /* "used / total" */
	size_t n;
};
void columns_read(struct columns *, char *header);
/* Fills in the chip's values. 0 when the cell does not fit its header. */
int columns_fill(const struct columns *, char *cell, struct npusmi_chip *);

#endif
