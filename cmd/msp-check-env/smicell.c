#include "smicell.h"

#include <string.h>

#include "utf8.h"

static int
cell_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

int
cell_digit(char c)
{
	return c >= '0' && c <= '9';
}

int
cell_digits(const char *s)
{
	size_t n = 0;

	while (cell_digit(s[n]))
		n++;
	return n > 0 && s[n] == '\0';
}

long
npusmi_number(const char *s)
{
	long n = 0;

	if (s == NULL || !cell_digit(*s))
		return -1;
	for (; cell_digit(*s); s++)
		if (n < CELL_NUMBER_MAX)
			n = n * 10 + (*s - '0');
	return *s == '\0' || *s == '.' ? n : -1;
}

int
cell_bus(const char *s)
{
	static const char form[] = "xxxx:xx:xx.x";

	for (size_t i = 0; form[i] != '\0'; i++)
		if (form[i] == 'x' ? hex_value(s[i]) < 0 : s[i] != form[i])
			return 0;
	return s[sizeof(form) - 1] == '\0';
}

char *
cell_trim(char *s, char *end)
{
	while (s < end && cell_blank(*s))
		s++;
	while (end > s && cell_blank(end[-1]))
		end--;
	*end = '\0';
	return s;
}

/* Cuts at blanks; "/" is a token of its own. */
size_t
cell_tokens(char *s, struct token *tok)
{
	size_t n = 0;

	while (n < TOKENS) {
		while (cell_blank(*s))
			s++;
		if (*s == '\0')
			break;
		tok[n] = (struct token){ s, 1, *s == '/' };
		if (!tok[n].slash)
			while (s[tok[n].len] != '\0' && s[tok[n].len] != '/' &&
			    !cell_blank(s[tok[n].len]))
				tok[n].len++;
		s += tok[n++].len;
	}
	for (size_t i = 0; i < n; i++)
		if (!tok[i].slash)
			tok[i].s[tok[i].len] = '\0';
	return n;
}

int
row_cut(struct row *row, char *line, char *end)
{
	row->n = 0;
	if (end - line < 2 || line[0] != '|' || end[-1] != '|')
		return 0;
	while (++line < end) {
		char *bar = memchr(line, '|', (size_t)(end - line));

		if (row->n == CELLS)
			return 0;
		row->bar[row->n] = bar;
		row->cell[row->n++] = cell_trim(line, bar);
		line = bar;
	}
	return 1;
}

size_t
row_find(const struct row *row, const char *word)
{
	size_t i = 0;

	while (i < row->n && strstr(row->cell[i], word) == NULL)
		i++;
	return i;
}

size_t
row_exact(const struct row *row, const char *word)
{
	size_t i = 0;

	while (i < row->n && strcmp(row->cell[i], word) != 0)
		i++;
	return i;
}

static enum column
column_kind(const char *name)
{
	static const struct {
		const char *part;
		enum column what;
	} kinds[] = {
		{ "Power", COL_POWER },
		{ "Temp", COL_TEMP },
		{ "Hugepages", COL_PAGES },
		{ "HBM", COL_HBM },
		{ "Memory-Usage", COL_MEM },
		{ "AICore", COL_UTIL },
		{ "Util", COL_UTIL },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strstr(name, kinds[i].part) != NULL)
			return kinds[i].what;
	return COL_OTHER;
}

/* The columns that a header cell names; a name ends with its unit in
 * parentheses: "NPU Util(%)". */
void
columns_read(struct columns *c, char *cell)
{
	struct token tok[TOKENS];
	size_t n = cell_tokens(cell, tok);

	c->n = 0;
	for (size_t i = 0; i < n && c->n < COLUMNS; i++) {
		while (strchr(tok[i].s, ')') == NULL && i + 1 < n)
			i++;
		c->what[c->n] = column_kind(tok[i].s);
		c->pair[c->n++] = strstr(tok[i].s, "Usage") != NULL;
	}
}

static void
chip_set(
    struct npusmi_chip *chip, enum column what, const char *a, const char *b)
{
	switch (what) {
	case COL_POWER: chip->power = a; break;
	case COL_TEMP: chip->temp = a; break;
	case COL_UTIL: chip->util = a; break;
	case COL_PAGES:
		chip->pages = a;
		chip->pages_total = b;
		break;
	case COL_MEM:
		chip->mem = a;
		chip->mem_total = b;
		break;
	case COL_HBM:
		chip->hbm = a;
		chip->hbm_total = b;
		break;
	case COL_OTHER: break;
	}
}

static int
is_pair(const struct token *tok, size_t left)
{
	return left >= 3 && !tok[0].slash && tok[1].slash && !tok[2].slash;
}

static int
fill_exact(const struct columns *c, const struct token *tok, size_t n,
    struct npusmi_chip *chip)
{
	size_t at = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (is_pair(tok + at, n - at) != c->pair[i])
			return 0;
		if (at >= n || tok[at].slash)
			return 0;
		chip_set(chip, c->what[i], tok[at].s,
		    c->pair[i] ? tok[at + 2].s : NULL);
		at += c->pair[i] ? 3 : 1;
	}
	return at == n;
}

/* Where a column has a header that is not understood: of the pairs the last
 * one belongs to the last header that has pairs, the first one to the first;
 * single values are left out. */
static int
fill_pairs(const struct columns *c, const struct token *tok, size_t n,
    struct npusmi_chip *chip)
{
	size_t first = c->n, last = c->n, pairs = 0;

	for (size_t i = 0; i < c->n; i++)
		if (c->pair[i]) {
			first = first == c->n ? i : first;
			last = i;
		}
	for (size_t i = 0; i < n; i++)
		if (is_pair(tok + i, n - i)) {
			size_t to = pairs++ == 0 ? first : last;

			if (to < c->n)
				chip_set(
				    chip, c->what[to], tok[i].s, tok[i + 2].s);
		}
	return pairs >= 1 + (size_t)(first < last);
}

/* The values of a cell, by its header's columns. 0 when they do not fit. */
int
columns_fill(const struct columns *c, char *cell, struct npusmi_chip *chip)
{
	struct token tok[TOKENS];
	size_t n = cell_tokens(cell, tok);

	return fill_exact(c, tok, n, chip) || fill_pairs(c, tok, n, chip);
}
