/*
 * Running "npu-smi info", and what its table says about each chip: logical
 * id, generation, whether it is in use.
 */
#ifndef SMI_H
#define SMI_H

#include "buf.h"
#include "npusmi.h"

enum smi_end {
	SMI_READ, /* it ran, or its output was given (--input) */
	SMI_MISSING, /* not found */
	SMI_DENIED, /* found, and could not be started: error */
	SMI_TIMEOUT
};

enum smi_busy { BUSY_NO, BUSY_YES, BUSY_MAYBE, BUSY_UNKNOWN };

/* What npusmi_chip does not say itself. */
struct smi_chip {
	long logic; /* the id that the runtime uses */
	const char *gen; /* NULL unknown */
	enum smi_busy busy;
	size_t procs; /* rows of foreign processes */
	int hidden; /* memory or load without a process */
};

struct smi {
	enum smi_end end;
	const char *program; /* what was run, or the file that was read */
	int error; /* SMI_DENIED: errno */
	int status; /* SMI_READ: exit status, 0 with --input */
	int signal; /* SMI_READ: it was killed by it; 0: not */
	char state; /* SMI_TIMEOUT: its state letter, 0 unknown */
	int big; /* more than was kept */
	int loader; /* a library could not be loaded at first */
	int mended; /* and could with the driver's directories */
	const char *library; /* which */
	struct buf text;
	struct npusmi table;
	struct smi_chip *chip; /* one for each of table.chip */
	int *own; /* for each of table.proc: the caller's own */
};

struct host;
/* What is known; npu-smi runs at the first call. */
const struct smi *smi_get(struct host *);
/* Where npu-smi is; NULL: nowhere. */
const char *smi_program(struct host *);
/* The table of a run that gave one with at least one chip; else NULL. */
const struct smi *smi_chips(struct host *);
/* It says "Failed to get card number." and the like. */
int smi_failed(const struct smi *);
/* How many chips are known to be idle, and healthy. */
size_t smi_free(const struct smi *);
/* 1 when the chip's health is OK or Warning. */
int smi_healthy(const struct npusmi_chip *);
/* "NPU 3", or with several chips on a card "NPU 3 chip 1": of a chip of the
 * table, and of any. */
const char *smi_name(struct host *, size_t i);
const char *smi_name_of(struct host *, long npu, long chip);
/* "Ascend 910B3". */
const char *smi_model(struct host *, const char *name);

#endif
