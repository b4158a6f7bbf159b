/*
 * CANN: whether it is loaded, or will be by the script, where it is, and the
 * versions that go together with the driver.
 */
#ifndef CANN_H
#define CANN_H

#include <stddef.h>

struct cann {
	const char *home; /* ASCEND_HOME_PATH as the launch has it; NULL */
	const char *set_env; /* a set_env.sh to source when it is not loaded */
	int by_script; /* the script sources it */
	int by_eval; /* -F sh prints the line that does */
	const char *version; /* NULL unknown */
	const char *file; /* that says so */
	const char *inner; /* V100R001C23..., NULL unknown */
	const char *compatible;
	const char **found; /* set_env.sh of all installations */
	size_t nfound;
	/* the driver, from its files */
	const char *driver, *driver_file; /* directory and version.info */
	const char *driver_version, *driver_inner, *driver_compatible;
	const char *firmware, *firmware_file, *driver_firmware;
};

struct host;
const struct cann *cann_get(struct host *);
/* 1 when home is usable: loaded now, by the script, or by -F sh. */
int cann_ready(struct host *);
/* The nnal set_env.sh, NULL: none. */
const char *cann_nnal(struct host *);

#endif
