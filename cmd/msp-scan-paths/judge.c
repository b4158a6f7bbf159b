#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mem.h"
#include "path.h"
#include "scan.h"
#include "watch.h"

void
found_set(struct scan_found *f, enum scan_status status, const struct text *why,
    const char *resolved, const char *arg0, const char *arg1)
{
	found_free(f);
	f->status = status;
	f->why = why;
	f->resolved = resolved != NULL ? mem_strdup(resolved) : NULL;
	f->arg[0] = arg0 != NULL ? mem_strdup(arg0) : NULL;
	f->arg[1] = arg1 != NULL ? mem_strdup(arg1) : NULL;
}

void
found_free(struct scan_found *f)
{
	mem_free(f->resolved);
	mem_free(f->arg[0]);
	mem_free(f->arg[1]);
	*f = (struct scan_found){ .status = SCAN_OK };
}

/* 1 when nothing can be said of a path for which the system gave e. */
static int
judge_dumb(int e)
{
	return e != ENOENT && e != ENOTDIR && e != EACCES && e != ELOOP &&
	    e != ENAMETOOLONG && e != EPERM;
}

void
judge_absent(const struct look *look, const struct scan_item *item,
    const char *path, int directory, struct scan_found *f)
{
	struct buf b = { 0 };
	struct stat st;
	int e = errno;

	if (e == EACCES || e == EPERM) {
		found_set(
		    f, SCAN_UNREADABLE, &T_NO_PERMISSION, path, NULL, NULL);
	} else if (judge_dumb(e)) {
		found_set(
		    f, SCAN_UNKNOWN, &T_NO_ANSWER, path, strerror(e), NULL);
	} else if (look_real(look, path, &b) == 0 && lstat(b.s, &st) == 0 &&
	    S_ISLNK(st.st_mode)) {
		found_set(f, SCAN_MISSING, &T_DANGLING, path, NULL, NULL);
	} else if (str_begins(item->value, "~/")) {
		found_set(f, SCAN_MISSING, &T_TILDE, path, NULL, NULL);
	} else {
		buf_reset(&b);
		if (look_alike(look, path, &b)) {
			found_set(f, SCAN_MISSING,
			    directory ? &T_NO_DIR_ALIKE : &T_NO_FILE_ALIKE,
			    path, b.s, NULL);
		} else {
			found_set(f, SCAN_MISSING,
			    directory ? &T_NO_DIR : &T_NO_FILE, path, NULL,
			    NULL);
		}
	}
	buf_free(&b);
}

int
judge_dir(const struct look *look, const struct scan_item *item,
    const char *path, struct scan_found *f)
{
	struct stat st;
	struct buf up = { 0 };

	if (look_stat(look, path, &st) < 0) {
		judge_absent(look, item, path, 1, f);
		return 1;
	}
	if (!S_ISDIR(st.st_mode)) {
		path_dir(&up, path);
		found_set(f, SCAN_WRONG, &T_NOT_DIR, path, up.s, NULL);
		buf_free(&up);
		return 1;
	}
	if (look_may(look, path, R_OK | X_OK) < 0 && errno == EACCES) {
		found_set(
		    f, SCAN_UNREADABLE, &T_NO_PERMISSION, path, NULL, NULL);
		return 1;
	}
	return 0;
}

void
judge_file(const struct look *look, const struct scan_item *item,
    const char *path, struct scan_found *f)
{
	struct stat st;

	if (look_stat(look, path, &st) < 0)
		judge_absent(look, item, path, 0, f);
	else if (S_ISDIR(st.st_mode))
		found_set(f, SCAN_WRONG, &T_NOT_FILE, path, NULL, NULL);
	else if (look_may(look, path, R_OK) < 0 && errno == EACCES)
		found_set(
		    f, SCAN_UNREADABLE, &T_NO_PERMISSION, path, NULL, NULL);
}

/* Cuts b back to the nearest directory above it that is there. */
static int
judge_above(const struct look *look, struct buf *b, struct stat *st)
{
	for (;;) {
		struct buf up = { 0 };
		path_dir(&up, b->s);
		int stuck = strcmp(up.s, b->s) == 0;
		buf_free(b);
		*b = up;
		if (look_stat(look, b->s, st) == 0)
			return 0;
		if (stuck || (errno != ENOENT && errno != ENOTDIR))
			return -1;
	}
}

void
judge_output(const struct look *look, const struct scan_item *item,
    const char *path, int directory, struct scan_found *f)
{
	struct buf b = { 0 };
	struct stat st;
	int bits = directory ? W_OK | X_OK : W_OK;

	buf_adds(&b, path);
	if (look_stat(look, path, &st) == 0) {
		if (directory && !S_ISDIR(st.st_mode))
			found_set(
			    f, SCAN_WRONG, &T_OUT_NOT_DIR, path, NULL, NULL);
		else if (!directory && S_ISDIR(st.st_mode))
			found_set(
			    f, SCAN_WRONG, &T_OUT_NOT_FILE, path, NULL, NULL);
		else if (look_may(look, path, bits) < 0)
			found_set(f, SCAN_UNREADABLE, &T_NO_WRITING, path, path,
			    NULL);
	} else if (errno == EACCES) {
		found_set(f, SCAN_UNREADABLE, &T_NO_WRITING, path, path, NULL);
	} else if (judge_dumb(errno)) {
		found_set(
		    f, SCAN_UNKNOWN, &T_NO_ANSWER, path, strerror(errno), NULL);
	} else if (placeholder_is(item->value) == PLACEHOLDER_SURE) {
		found_set(
		    f, SCAN_PLACEHOLDER, &T_PLACEHOLDER_OUT, path, NULL, NULL);
	} else if (judge_above(look, &b, &st) < 0) {
		found_set(
		    f, SCAN_UNKNOWN, &T_NO_ANSWER, path, strerror(errno), NULL);
	} else if (!S_ISDIR(st.st_mode)) {
		found_set(f, SCAN_WRONG, &T_OUT_UNDER_FILE, path, b.s, NULL);
	} else if (look_may(look, b.s, W_OK | X_OK) < 0) {
		found_set(f, SCAN_UNREADABLE, &T_NO_WRITING, path, b.s, NULL);
	} else {
		found_set(f, SCAN_CREATE, NULL, path, NULL, NULL);
	}
	buf_free(&b);
}

/* The entry .py: a name that is nearly right is worth a word. */
static void
judge_entry(
    const struct look *look, const struct scan_item *item, struct scan_found *f)
{
	judge_file(look, item, item->path, f);
	if (f->status == SCAN_MISSING && f->why == &T_NO_FILE)
		found_set(f, SCAN_MISSING, &T_NO_ENTRY, item->path, NULL, NULL);
}

static void
judge_either(
    const struct look *look, const struct scan_item *item, struct scan_found *f)
{
	struct stat st;

	if (look_stat(look, item->path, &st) == 0)
		return;
	if ((errno == ENOENT || errno == ENOTDIR) && hf_hub_name(item->value))
		found_set(f, SCAN_HUB, &T_HUB, item->path, NULL, NULL);
	else
		judge_absent(look, item, item->path, 1, f);
}

/* Only the directory above what is not known. */
static void
judge_parent(
    const struct look *look, const struct scan_item *item, struct scan_found *f)
{
	struct stat st;
	int out = item->kind == SCAN_OUTPUT || item->kind == SCAN_LOG ||
	    item->kind == SCAN_PREFIX;

	if (out)
		judge_output(look, item, item->path, 1, f);
	else if (look_stat(look, item->path, &st) < 0)
		judge_absent(look, item, item->path, 1, f);
	else
		found_set(f, SCAN_UNKNOWN, item->found.why, NULL,
		    item->found.arg[0], NULL);
}

static void
judge_kind(
    const struct look *look, const struct scan_item *item, struct scan_found *f)
{
	switch (item->kind) {
	case SCAN_FILE:
	case SCAN_SOURCE:
	case SCAN_SCRIPT:
	case SCAN_YAML: judge_file(look, item, item->path, f); break;
	case SCAN_ENTRY: judge_entry(look, item, f); break;
	case SCAN_DIR:
	case SCAN_CD: (void)judge_dir(look, item, item->path, f); break;
	case SCAN_CKPT: checkpoint_judge(look, item, f); break;
	case SCAN_HF: hf_judge(look, item, 0, f); break;
	case SCAN_MODEL: hf_judge(look, item, 1, f); break;
	case SCAN_TOKENIZER: hf_tokenizer(look, item, f); break;
	case SCAN_EITHER: judge_either(look, item, f); break;
	case SCAN_DATA: data_judge(look, item, f); break;
	case SCAN_RAW: data_raw(look, item, f); break;
	case SCAN_DATASET: data_set(look, item, f); break;
	case SCAN_OUTPUT: judge_output(look, item, item->path, 1, f); break;
	case SCAN_PREFIX:
	case SCAN_LOG: judge_output(look, item, item->path, 0, f); break;
	case SCAN_TEXT:
	case SCAN_KINDS: break;
	}
}

const struct text *
judge_placeholder(const struct scan_item *item)
{
	const struct scan_want *w = item->want;

	switch (item->kind) {
	case SCAN_CKPT:
		return w != NULL && w->convert ? &T_PLACEHOLDER_MODEL
					       : &T_PLACEHOLDER_CKPT;
	case SCAN_HF:
	case SCAN_MODEL: return &T_PLACEHOLDER_MODEL;
	case SCAN_EITHER:
	case SCAN_TOKENIZER: return &T_PLACEHOLDER_TOKENIZER;
	case SCAN_DATA:
		if (strncmp(item->name, "--data.", 7) == 0)
			return &T_PLACEHOLDER_RAW;
		return w != NULL && w->packed == 1 ? &T_PLACEHOLDER_PACKED
						   : &T_PLACEHOLDER_DATA;
	case SCAN_RAW:
	case SCAN_DATASET: return &T_PLACEHOLDER_RAW;
	case SCAN_DIR:
	case SCAN_CD: return &T_PLACEHOLDER_DIR;
	case SCAN_OUTPUT:
	case SCAN_PREFIX:
	case SCAN_LOG: return &T_PLACEHOLDER_OUT;
	default: return &T_PLACEHOLDER_FILE;
	}
}

void
judge_item(
    const struct look *look, const struct scan_item *item, struct scan_found *f)
{
	const struct text *text = judge_placeholder(item);

	found_free(f);
	if (item->flags & SCAN_PARENT)
		judge_parent(look, item, f);
	else if (item->value[0] == '\0')
		found_set(f, SCAN_PLACEHOLDER, text, NULL, NULL, NULL);
	else
		judge_kind(look, item, f);
	if ((f->status == SCAN_MISSING || f->status == SCAN_HUB) &&
	    placeholder_is(item->value) != PLACEHOLDER_NO &&
	    !(item->flags & SCAN_PARENT))
		found_set(f, SCAN_PLACEHOLDER, text, item->path, NULL, NULL);
	else if (f->status >= SCAN_CREATE && (item->flags & SCAN_SAME))
		found_set(
		    f, SCAN_WARN, &T_SAVE_IS_LOAD, item->path, NULL, NULL);
	if (scan_fails(f->status) && (item->flags & SCAN_MAYBE))
		f->status = SCAN_WARN;
}

void
judge_items(struct scan *s, struct watch *w)
{
	for (size_t i = 0; i < s->n; i++) {
		struct scan_item *item = &s->item[i];
		struct scan_found f = { .status = SCAN_OK };
		if (item->flags & SCAN_SET)
			continue;
		if (watch_step(w))
			found_set(&f, SCAN_UNKNOWN, &T_NO_ANSWER, item->path,
			    strerror(ETIMEDOUT), NULL);
		else
			judge_item(&s->look, item, &f);
		found_free(&item->found);
		item->found = f;
	}
}
