/*
 * What a launch script needs of the host: read from the script alone, by the
 * library's expansion.
 */
#ifndef NEED_H
#define NEED_H

#include <stddef.h>

#include "launch.h"
#include "script.h"

enum { NEED_KEPT = 9 };
enum need_where { NEED_HERE, NEED_REMOTE, NEED_CONTAINER };

struct need {
	const char *script; /* its name; NULL: there is none */
	size_t nlaunch;
	size_t line; /* of the launch */
	long npus; /* 0 unknown */
	enum need_where where;
	const char *set_env; /* the CANN set_env.sh that it sources, readable */
	size_t set_env_line;
	const char *loads; /* what may set up an environment and cannot be
	                      followed: an activation, an unreadable file */
	size_t loads_line;
	const char
	    *gone; /* a set_env.sh that it sources and that is not there */
	size_t gone_line;
	const char *port; /* on which the launch will listen here; NULL: it will
	                     not, or that is not known */
	const char *save; /* where the launch already writes its profile */
	const char *cwd; /* where the launch runs; NULL unknown */
	/* the rest is private */
	int walked;
	struct shcmd cmd;
	struct shval_env env;
	const char *kept[NEED_KEPT];
	struct launches launches;
	const struct launch *launch;
};

struct host;
void need_read(struct host *, const struct script *, const char *root);
void need_free(struct need *);
/* A variable as the launch has it: 1 and *value (NULL: unset); 0 when it
 * cannot be known or there is no script. */
int need_var(struct host *, const char *name, const char **value);

#endif
