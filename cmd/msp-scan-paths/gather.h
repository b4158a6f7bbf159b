/*
 * From the expanded script to items: what gather.c, rules.c and fsdp2.c
 * share.
 */
#ifndef GATHER_H
#define GATHER_H

#include "launch.h"
#include "scan.h"
#include "watch.h"
#include "yaml.h"

struct gather {
	struct scan *scan;
	struct launches launches;
	const struct shval_call **call; /* in the order of running */
	size_t ncall, capcall;
	struct watch *watch;
};

/* A value as it will be judged. */
struct setting {
	enum { SETTING_ABSENT, SETTING_KNOWN, SETTING_UNKNOWN } is;
	const char *text; /* unknown pieces as ${NAME} */
	const char *prefix; /* unknown: the known beginning */
	enum shval_why why; /* unknown */
	const char *about; /* what that is about, "" at least */
	const char *file; /* where it is written, NULL unknown */
	size_t line;
	const char *variable; /* that holds just this, or NULL */
	const char *unset; /* a variable in it that is not set, or NULL */
	size_t words; /* known: it was this many arguments */
	const struct shval *next; /* the alternatives that are left */
};

/*
 * The item's place in the script: the launch (number from 1, 0: another
 * command) and the command, by whose directory relative paths go.
 */
struct gather_at {
	const struct shval_call *call;
	const struct launch *launch;
	size_t number;
	unsigned flags;
};

/* Reads one alternative of a value; word: index in the source's words of
 * what stands there, for an empty one, or SH_NONE. */
void gather_setting(struct gather *, const struct shval_call *, uint32_t word,
    const struct shval *, struct setting *);

/* The path as the command would open it, or NULL: its directory is not
 * known. Memory of the scan's arena. */
const char *gather_path(
    struct gather *, const struct shval_call *, const char *);

/* Adds the item for a setting; NULL when there is nothing to judge. */
struct scan_item *gather_item(struct gather *, const struct gather_at *,
    enum scan_kind, const char *name, const struct setting *);

char *gather_copy(struct gather *, const char *, size_t);

/* Says of the item of an option without a value where that comes from. */
void empty_place(struct gather *, const struct launch *, const char *option,
    struct scan_item *);

/* All that one launch needs. */
void rules_launch(struct gather *, const struct launch *, size_t number);

/* What the script's other commands need and write. */
void commands_items(struct gather *);

/* What was judged missing may be made by an earlier command of the script:
 * then it is unknown. */
void made_excuse(struct gather *);

/* The whole script: adds items to scan. 0, or -1: reading what the script
 * reads is a step that is left out. */
int gather_open(struct gather *, struct scan *, const struct shcmd *,
    const struct shval_env *, const char *const *entries, struct watch *);
void gather_close(struct gather *);

/* What is wrong with the script's text. */
void syntax_items(struct scan *, const struct shcmd *);
/* Is it the < of NAME=<...>, a placeholder that bash reads without error? */
int syntax_left(const struct shcmd *, const struct shredir *);
/* A launch that ends before its last arguments. */
void syntax_launch(
    struct gather *, const struct shcmd *, const struct launch *);

/* The FSDP2 configuration behind the entry. */
struct fsdp2 {
	struct buf text;
	struct yaml yaml;
	const char *file; /* NULL: there is none, or it cannot be read */
};
void fsdp2_open(struct gather *, const struct gather_at *, struct fsdp2 *);
void fsdp2_close(struct fsdp2 *);
/* The setting of a key, as "model.cache_dir". */
void fsdp2_get(
    struct gather *, const struct fsdp2 *, const char *key, struct setting *);
/* Items for data.dataset or data.eval_dataset. get looks a key up, on the
 * command line first. */
struct rules;
void fsdp2_dataset(struct gather *, const struct gather_at *,
    const struct rules *, const char *name, const struct setting *);

/* A key's setting, on the command line or in the YAML. */
struct rules {
	struct gather *g;
	struct gather_at at;
	struct fsdp2 *yaml; /* NULL for other back ends */
	struct scan_want *want;
};
void rules_get(const struct rules *, const char *option, struct setting *);

#endif
