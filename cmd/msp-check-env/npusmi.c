#include "npusmi.h"

#include <string.h>

#include "mem.h"
#include "smicell.h"
#include "strs.h"

enum part { PART_NONE, PART_CHIPS, PART_PROCS, PART_END };

/* Where the header rows say that things are. */
struct reader {
	struct npusmi *out;
	enum part part;
	size_t health, data1, ncell1;
	size_t data2, ncell2;
	struct columns col1, col2;
	size_t pid, mb, cpid, nproccell; /* counted from the right, but pid */
	struct npusmi_chip first; /* row 1, while row 2 is awaited */
	int pending;
	int open; /* rows since the last rule */
};

/* "2     910B3": the number and what stands behind it. */
static int
id_read(char *cell, long *id, char **rest)
{
	char *s = cell;

	while (cell_digit(*s))
		s++;
	if (s == cell || (*s != '\0' && *s != ' '))
		return 0;
	*rest = s;
	while (**rest == ' ')
		++*rest;
	if (*s != '\0')
		*s = '\0';
	*id = npusmi_number(cell);
	return 1;
}

static int
read_header1(struct reader *r, struct row *row)
{
	size_t health = row_exact(row, "Health"), data = row_find(row, "Power");

	if (health == row->n || data == row->n || health == 0)
		return 0;
	if (r->out->nchip > 0) {
		r->part = PART_END;
		return 1;
	}
	r->out->layout =
	    strcmp(row->cell[0], "NPU ID") == 0 ? NPUSMI_SPLIT : NPUSMI_PACKED;
	r->health = health;
	r->data1 = data;
	r->ncell1 = row->n;
	columns_read(&r->col1, row->cell[data]);
	r->part = PART_NONE;
	return 1;
}

static int
read_header2(struct reader *r, struct row *row)
{
	size_t bus = row_exact(row, "Bus-Id");
	size_t data = row_find(row, "Memory-Usage");
	const char *ids = row->cell[0];

	if (bus == row->n || data == row->n || bus != r->health)
		return 0;
	if (strstr(ids, "Phy-ID") != NULL)
		r->out->id = NPUSMI_ID_PHY;
	else if (strstr(ids, "Device") != NULL)
		r->out->id = NPUSMI_ID_LOGIC;
	r->data2 = data;
	r->ncell2 = row->n;
	if (strstr(row->cell[data], "Util") != NULL)
		r->out->util = "NPU";
	else if (strstr(row->cell[data], "AICore") != NULL)
		r->out->util = "AICore";
	columns_read(&r->col2, row->cell[data]);
	r->part = PART_CHIPS;
	return 1;
}

static int
read_procheader(struct reader *r, const struct row *row)
{
	size_t pid = row_exact(row, "Process id");
	size_t mb = row_find(row, "Process memory");
	size_t cpid = row_find(row, "in container");

	if (pid == row->n || row_exact(row, "Process name") == row->n ||
	    mb == row->n)
		return 0;
	r->pid = pid;
	r->mb = row->n - mb;
	r->cpid = cpid < row->n ? row->n - cpid : 0;
	r->nproccell = row->n;
	r->part = PART_PROCS;
	r->out->proctable = 1;
	return 1;
}

/* "npu-smi 25.2.0   Version: 25.2.0": 1 when the row is this. */
static int
read_version(struct reader *r, struct row *row)
{
	struct token tok[TOKENS];
	size_t n;

	if (row->n == 0 || !str_begins(row->cell[0], "npu-smi"))
		return 0;
	if (r->out->tool != NULL) {
		r->part = PART_END; /* a second run: the first one counts */
		return 1;
	}
	n = cell_tokens(row->cell[0], tok);
	if (n > 1 && strcmp(tok[1].s, "Version:") != 0)
		r->out->tool = tok[1].s;
	for (size_t i = 1; i + 1 < n; i++)
		if (strcmp(tok[i].s, "Version:") == 0)
			r->out->driver = tok[i + 1].s;
	return 1;
}

static int
read_row1(struct reader *r, struct row *row)
{
	struct npusmi_chip chip = { 0 };
	char *rest;

	if (row->n < r->ncell1 || !id_read(row->cell[0], &chip.npu, &rest))
		return 0;
	if (r->out->layout == NPUSMI_SPLIT && *rest != '\0')
		return 0;
	chip.name = r->out->layout == NPUSMI_SPLIT ? row->cell[1] : rest;
	chip.health = row->cell[r->health];
	if (*chip.health == '\0' || *chip.name == '\0' ||
	    !columns_fill(&r->col1, row->cell[r->data1], &chip))
		return 0;
	r->out->bad += (size_t)r->pending;
	r->first = chip;
	r->pending = 1;
	return 1;
}

static int
read_row2(struct reader *r, struct row *row)
{
	struct npusmi *out = r->out;
	struct npusmi_chip chip = { 0 };
	char *rest = NULL;

	if (row->n < r->ncell2)
		return 0;
	if (r->pending)
		chip = r->first;
	else
		chip.npu = -1;
	if (out->layout == NPUSMI_SPLIT) {
		if (*row->cell[0] != '\0')
			return 0;
	} else if (!id_read(row->cell[0], &chip.chip, &rest)) {
		return 0;
	}
	if (out->id != NPUSMI_ID_NONE) {
		if (rest == NULL || !cell_digits(rest))
			return 0;
		chip.id = rest;
	}
	chip.bus = row->cell[r->health];
	if (!columns_fill(&r->col2, row->cell[r->data2], &chip))
		return 0;
	r->pending = 0;
	out->chip =
	    mem_more(out->chip, out->nchip, &out->capchip, sizeof(*out->chip));
	out->chip[out->nchip++] = chip;
	return 1;
}

/* A bus address, or NA with ids alone before it, is row 2. */
static int
is_row2(const struct reader *r, const struct row *row)
{
	const char *bus, *s = row->cell[0];

	if (row->n <= r->health)
		return 0;
	bus = row->cell[r->health];
	if (cell_bus(bus))
		return 1;
	while (cell_digit(*s) || *s == ' ')
		s++;
	return strcmp(bus, "NA") == 0 && *s == '\0';
}

static int
read_idle(struct reader *r, char *cell)
{
	static const char said[] = "No running processes found";
	struct npusmi *out = r->out;
	const char *npu;

	if (strncmp(cell, said, sizeof(said) - 1) != 0)
		return 0;
	npu = strstr(cell, "in NPU ");
	if (npu == NULL) {
		out->allidle = 1;
		return 1;
	}
	npu += strlen("in NPU ");
	if (!cell_digits(npu))
		return 0;
	out->idle =
	    mem_more(out->idle, out->nidle, &out->capidle, sizeof(*out->idle));
	out->idle[out->nidle++] = npusmi_number(npu);
	return 1;
}

/* Between the pid and the memory all is name, bars included. */
static int
read_proc(struct reader *r, struct row *row)
{
	struct npusmi *out = r->out;
	struct npusmi_proc proc = { 0 };
	char *chip;
	size_t mb;

	if (row->n == 1 || (row->n > 0 && row->cell[0][0] == 'N'))
		return read_idle(r, row->cell[0]);
	if (row->n < r->nproccell || !id_read(row->cell[0], &proc.npu, &chip))
		return 0;
	if (*chip != '\0' && !id_read(chip, &proc.chip, &chip))
		return 0;
	mb = row->n - r->mb;
	proc.pid = row->cell[r->pid];
	proc.mb = row->cell[mb];
	proc.cpid = r->cpid == 0 ? NULL : row->cell[row->n - r->cpid];
	if (!cell_digits(proc.pid) || npusmi_number(proc.mb) < 0)
		return 0;
	for (size_t i = r->pid + 1; i + 1 < mb; i++) {
		row->cell[i][strlen(row->cell[i])] = ' ';
		*row->bar[i] = '|';
	}
	proc.name = row->cell[r->pid + 1];
	out->proc =
	    mem_more(out->proc, out->nproc, &out->capproc, sizeof(*out->proc));
	out->proc[out->nproc++] = proc;
	return 1;
}

static int
read_row(struct reader *r, struct row *row)
{
	if (read_version(r, row) || read_procheader(r, row) ||
	    read_header1(r, row))
		return 1;
	if (r->part == PART_NONE && r->out->layout != NPUSMI_NONE)
		return read_header2(r, row);
	if (r->part == PART_PROCS)
		return read_proc(r, row);
	if (r->part != PART_CHIPS)
		return 0;
	return is_row2(r, row) ? read_row2(r, row) : read_row1(r, row);
}

static void
read_words(struct npusmi *out, const char *line)
{
	const char *s = strstr(line, "ret is ");
	int minus;

	if (str_begins(line, "[WARNING]The driver package"))
		out->warning = 1;
	if (s == NULL || out->ret != 0)
		return;
	s += strlen("ret is ");
	minus = *s == '-';
	for (s += minus; cell_digit(*s) && out->ret < CELL_NUMBER_MAX; s++)
		out->ret = out->ret * 10 + (*s - '0');
	if (minus)
		out->ret = -out->ret;
}

static void
read_line(struct reader *r, char *line, char *end, int last)
{
	struct npusmi *out = r->out;
	struct row row;

	line = cell_trim(line, end);
	end = line + strlen(line);
	if (line == end || r->part == PART_END)
		return;
	out->text = 1;
	if (*line == '+') {
		r->open = 0;
		out->cut |= last && end[-1] != '+';
		return;
	}
	if (*line != '|') {
		read_words(out, line);
		return;
	}
	if (row_cut(&row, line, end) && read_row(r, &row)) {
		r->open = r->part != PART_PROCS;
		return;
	}
	if (last)
		out->cut = 1;
	else
		out->bad++;
	r->open = r->part != PART_PROCS;
}

/* The length of an escape sequence that sets colours and the like. */
static size_t
sequence(const char *s, size_t len)
{
	size_t n = 2;

	if (len < 3 || s[0] != '\033' || s[1] != '[')
		return 0;
	while (n < len && s[n] >= ' ' && s[n] <= '?')
		n++;
	return n < len && s[n] >= '@' && s[n] <= '~' ? n + 1 : 0;
}

/* A copy without such; what is NUL becomes a blank. */
static char *
clean(const char *s, size_t len, size_t *n)
{
	char *copy = mem_alloc(len + 1);

	*n = 0;
	for (size_t i = 0; i < len; i++) {
		size_t skip = sequence(s + i, len - i);

		if (skip > 0)
			i += skip - 1;
		else
			copy[(*n)++] = (char)(s[i] == '\0' ? ' ' : s[i]);
	}
	copy[*n] = '\0';
	return copy;
}

void
npusmi_read(struct npusmi *out, const char *s, size_t len)
{
	struct reader r = { .out = out };
	char *line, *end;
	size_t n;

	*out = (struct npusmi){ 0 };
	out->copy = clean(s, len, &n);
	for (line = out->copy; line < out->copy + n; line = end + 1) {
		size_t left = (size_t)(out->copy + n - line);

		end = memchr(line, '\n', left);
		if (end == NULL) {
			read_line(&r, line, line + left, 1);
			break;
		}
		read_line(&r, line, end, 0);
	}
	out->cut |= r.open || r.pending;
	for (size_t i = 0; i < out->nchip; i++)
		if (out->chip[i].npu < 0)
			out->orphans++;
}

void
npusmi_free(struct npusmi *out)
{
	mem_free(out->copy);
	mem_free(out->chip);
	mem_free(out->proc);
	mem_free(out->idle);
	*out = (struct npusmi){ 0 };
}

size_t
npusmi_npus(const struct npusmi *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->nchip; i++) {
		size_t k = 0;

		while (k < i && t->chip[k].npu != t->chip[i].npu)
			k++;
		n += k == i && t->chip[i].npu >= 0;
	}
	return n;
}
