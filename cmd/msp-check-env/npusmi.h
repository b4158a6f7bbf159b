/*
 * Reading what "npu-smi info" prints.
 *
 * Every layout is read by the names in its header rows and by cells, never by
 * column: packed (NPU and name in one cell), packed with Phy-ID, split (NPU ID
 * and name in cells of their own). Colours, CR, blanks around a line and lines
 * that are no part of a table are passed over. A row that is not whole is not
 * a row: no chip is made of it.
 */
#ifndef NPUSMI_H
#define NPUSMI_H

#include <stddef.h>

enum npusmi_layout { NPUSMI_NONE, NPUSMI_PACKED, NPUSMI_SPLIT };

/* What the second id of a chip is. */
enum npusmi_id { NPUSMI_ID_NONE, NPUSMI_ID_LOGIC, NPUSMI_ID_PHY };

/* Strings are as printed; NULL: the table has no such value. */
struct npusmi_chip {
	long npu; /* -1: the row that names it is missing (an orphan) */
	long chip;
	const char *id; /* the second one */
	const char *name, *health, *bus;
	const char *power, *temp, *pages, *pages_total;
	const char *util, *mem, *mem_total, *hbm, *hbm_total;
};

struct npusmi_proc {
	long npu, chip;
	const char *pid, *name, *mb; /* the name may be empty */
	const char *cpid; /* in the container; NULL: no such column */
};

struct npusmi {
	const char *tool, *driver; /* versions, NULL unknown */
	enum npusmi_layout layout;
	enum npusmi_id id;
	const char *util; /* "AICore", "NPU", NULL */
	struct npusmi_chip *chip;
	struct npusmi_proc *proc;
	long *idle; /* NPUs named as without processes */
	size_t nchip, nproc, nidle;
	size_t orphans; /* chips with npu -1 */
	int allidle; /* "No running processes found" without an NPU */
	int proctable; /* there is a table of processes */
	long ret; /* of "ret is N", 0 none: the first one */
	size_t bad; /* rows that were not understood */
	int cut; /* the text ends, or breaks off, within a table */
	int warning; /* "[WARNING]The driver package ..." */
	int text; /* there was anything but blanks */
	/* the rest is private */
	char *copy;
	size_t capchip, capproc, capidle;
};

/* Reads any bytes; never fails. What it gives lives until npusmi_free. */
void npusmi_read(struct npusmi *, const char *, size_t);
void npusmi_free(struct npusmi *);

/* How many different NPUs (cards) the chips belong to. */
size_t npusmi_npus(const struct npusmi *);

/* The number that a string begins with, fractions cut off; -1 when NULL or
 * no number ("NA", "-"). */
long npusmi_number(const char *);

#endif
