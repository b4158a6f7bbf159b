/*
 * The inside of shval.h: words, parameters, arithmetic and patterns, which
 * need the state of the walk and are needed by it.
 */
#ifndef SHEXPAND_H
#define SHEXPAND_H

#include "shwalk.h"

/* --- words (shword.c, shfield.c, shbrace.c) --- */
enum {
	EXP_DQ = 1, /* in double quotes */
	EXP_ASSIGN = 2, /* an assignment's value: ~ also behind : */
	EXP_INSIDE = 4 /* not at a word's beginning: no ~ */
};
void shword_tokens(struct shval_run *, uint32_t tok, uint32_t end, int mode);
/* Expands tokens to one value, not split. */
const struct shval *shword_value(
    struct shval_run *, uint32_t tok, uint32_t end, int mode);
/* Expands a word to fields, which are added to w->word. */
void shword_fields(struct shval_run *, uint32_t word);
/* The same for tokens of a word that holds several (an array). */
void shword_range(
    struct shval_run *, uint32_t tok, uint32_t end, uint32_t word);
/* When there are braces to expand: does it all, 1. */
int shbrace_range(
    struct shval_run *, uint32_t tok, uint32_t end, uint32_t word);
void shword_literal(
    struct shval_run *, uint32_t off, uint32_t end, int mode, int last);
void shfield_take(struct shval_run *, size_t item, uint32_t word);
/* A word that is this piece, which is neither split nor a pattern. */
void shfield_plain(struct shval_run *, const struct shpiece *, uint32_t word);
/* The items from there on as one value, not split. */
const struct shval *shfield_join(struct shval_run *, size_t item);
void shitem_piece(struct shval_run *, const struct shpiece *, int flag);
void shitem_text(
    struct shval_run *, const char *, size_t, struct shval_from, int quoted);
void shitem_mark(struct shval_run *, int flag);
void shitem_value(struct shval_run *, const struct shval *, int quoted);
void shitem_vague(struct shval_run *, enum shval_why, const char *,
    struct shval_from, int quoted);
/* The closing token of the pair that opens at tok; or end. */
uint32_t shtok_close(const struct shcmd *, uint32_t tok, uint32_t end);
/* The IFS in force; NULL when it is not known. */
const char *shwalk_ifs(struct shval_run *);

/* --- parameters (shparam.c, shspecial.c, shoper.c) --- */
void shparam_name(
    struct shval_run *, const char *, size_t, struct shval_from, int mode);
uint32_t shparam_brace(
    struct shval_run *, uint32_t tok, uint32_t end, int mode);
const struct shval *shparam_special(struct shval_run *, const char *, size_t);
const struct shval *shparam_positional(
    struct shval_run *, const char *, size_t);
int shparam_isdigits(const char *, size_t);
/* BASH_SOURCE, whose element 0 is special. */
int shparam_issource(const char *, size_t);
/* An operator of ${x...} with its operands expanded. */
struct shoper {
	char kind; /* # % / ^ , @ : */
	int twice; /* ## %% // ^^ ,, */
	char where; /* of /: # or % anchors */
	const char *pattern;
	size_t len;
	const struct shval *with;
	long long off, count;
	int counted;
	enum shval_why why;
	const char *what;
};
void shoper_read(
    struct shval_run *, struct shoper *, uint32_t pop, uint32_t end);
/* What it makes of a value: of each of its alternatives. */
const struct shval *shoper_apply(
    struct shval_run *, const struct shoper *, const struct shval *);
/* off and count of ":" for something this long: from..to. 0 not valid */
int shoper_range(
    const struct shoper *, long long len, size_t *from, size_t *to);

/* --- arithmetic (sharith.c, shnum.c) --- */
struct shnum {
	long long n;
	enum shval_why why;
	const char *what;
};
struct shnum sharith_value(struct shval_run *, const struct shval *);
/* The same where an error ends what runs now: then nothing is known. */
struct shnum sharith_must(struct shval_run *, const struct shval *);
/* The same within an expression that is so deep. */
struct shnum sharith_deep(struct shval_run *, const struct shval *, int);
/* Evaluates text; the byte SHARITH_HOLE stands for what is not known because
 * of *value. 0 when it is no expression. */
enum { SHARITH_HOLE = 1 };
int sharith_text(
    struct shval_run *, const char *, size_t, int depth, struct shnum *value);
struct shnum sharith_tokens(struct shval_run *, uint32_t tok, uint32_t end);
/* The subscript of an array: index, or key of an associative one. 0 unknown */
int sharith_subscript(struct shval_run *, const struct shvar *, uint32_t tok,
    uint32_t end, struct shelem *);

/* --- patterns (shglob.c) --- */
/* 1 yes, 0 no, -1 cannot tell. */
int shglob_match(
    const char *pattern, size_t plen, const char *s, size_t len, int flags);
enum { GLOB_EXT = 1, GLOB_NOCASE = 2 };
/* A value as a pattern: quoted bytes get a backslash. 0 when not known. */
int shglob_pattern(const struct shval *, struct buf *);
int shglob_magic(const char *, size_t);

#endif
