#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "path.h"
#include "scan.h"

enum { DATA_INFO_MAX = 16 << 20 };

/* Suffixes of files that a preprocessing step reads. */
static int
data_suffix(const char *name)
{
	static const char *const known[] = { "parquet", "arrow", "csv", "json",
		"jsonl", "txt" };
	const char *dot = strrchr(path_base(name), '.');

	for (size_t i = 0; dot != NULL && i < sizeof known / sizeof *known; i++)
		if (strcmp(dot + 1, known[i]) == 0)
			return 1;
	return 0;
}

/* 1 for a file that holds raw data, or a directory of such. */
static int
data_is_raw(const struct look *look, const char *path)
{
	struct strs names;
	struct stat st;
	int raw = 0;

	if (look_stat(look, path, &st) < 0)
		return 0;
	if (!S_ISDIR(st.st_mode))
		return data_suffix(path);
	if (look_list(look, path, &names) < 0)
		return 0;
	for (size_t i = 0; i < names.n; i++)
		raw |= data_suffix(names.s[i]);
	strs_free(&names);
	return raw;
}

static int
data_exists(const struct look *look, const char *path, const char *end)
{
	struct buf b = { 0 };
	struct stat st;

	buf_adds(&b, path);
	buf_adds(&b, end);
	int r = look_stat(look, b.s, &st) == 0 && !S_ISDIR(st.st_mode);
	int e = errno;
	buf_free(&b);
	errno = e;
	return r;
}

/* 1 when both files of a prefix are there; else found is set. */
static int
data_pair(const struct look *look, const struct scan_item *item,
    const char *prefix, struct scan_found *f)
{
	static const char *const ends[] = { ".idx", ".bin" };

	for (int i = 0; i < 2; i++) {
		struct buf b = { 0 };
		buf_adds(&b, prefix);
		buf_adds(&b, ends[i]);
		judge_file(look, item, b.s, f);
		if (f->status == SCAN_MISSING &&
		    data_exists(look, prefix, ends[!i]))
			found_set(
			    f, SCAN_MISSING, &T_DATA_HALF, b.s, ends[!i], NULL);
		buf_free(&b);
		if (f->status != SCAN_OK)
			return 0;
	}
	return 1;
}

/* What lies beside a prefix: its packed files, and what else begins so. */
struct data_beside {
	struct strs names;
	struct buf dir;
	const char *base;
	size_t packed; /* how many names are <base>_packed_*_document* */
	const char *longer; /* a .bin whose name begins with base, or NULL */
};

static int
data_packed_name(const char *name, const char *base)
{
	size_t n = strlen(base);

	return str_begins(name, base) && str_begins(name + n, "_packed_") &&
	    strstr(name + n + 8, "_document") != NULL;
}

static void
data_look_beside(
    const struct look *look, const char *prefix, struct data_beside *d)
{
	size_t n = strlen(prefix);

	*d = (struct data_beside){ .base = path_base(prefix) };
	if (n > 0 && prefix[n - 1] == '/') {
		d->base = "";
		buf_adds(&d->dir, prefix);
	} else {
		path_dir(&d->dir, prefix);
	}
	if (look_list(look, d->dir.s, &d->names) < 0)
		return;
	for (size_t i = 0; i < d->names.n; i++) {
		const char *s = d->names.s[i];
		if (data_packed_name(s, d->base))
			d->packed++;
		else if (d->longer == NULL && str_begins(s, d->base) &&
		    str_ends(s, ".bin"))
			d->longer = s;
	}
}

static void
data_free_beside(struct data_beside *d)
{
	strs_free(&d->names);
	buf_free(&d->dir);
}

/* Every field of the packed files needs its .bin and .idx. */
static void
data_packed(const struct look *look, const struct scan_item *item,
    const struct data_beside *d, struct scan_found *f)
{
	const char *ids = item->want != NULL && item->want->pairwise
	    ? "_packed_chosen_input_ids_document"
	    : "_packed_input_ids_document";
	struct buf b = { 0 };

	for (size_t i = 0; i < d->names.n && f->status == SCAN_OK; i++) {
		const char *s = d->names.s[i], *end = NULL;
		if (!data_packed_name(s, d->base))
			continue;
		for (const char *p = s; (p = strstr(p, "_document")) != NULL;)
			end = p += strlen("_document");
		buf_reset(&b);
		path_join(&b, d->dir.s, "");
		buf_add(&b, s, (size_t)(end - s));
		data_pair(look, item, b.s, f);
	}
	if (f->status == SCAN_OK) {
		buf_reset(&b);
		buf_adds(&b, item->path);
		buf_adds(&b, ids);
		data_pair(look, item, b.s, f);
	}
	buf_free(&b);
}

/* The prefix without an end that was written by mistake; 0 when it has none. */
static int
data_cut(const char *path, const char *from, struct buf *b)
{
	const char *at = NULL;

	for (const char *p = path; (p = strstr(p, from)) != NULL; p++)
		at = p;
	if (at == NULL)
		return 0;
	buf_add(b, path, (size_t)(at - path));
	return 1;
}

/* Nothing fits the prefix: says why, from what is there. */
static void
data_explain(const struct look *look, const struct scan_item *item,
    const struct data_beside *d, int packed, struct scan_found *f)
{
	struct buf b = { 0 }, file = { 0 };
	struct stat st;
	const char *p = item->path;
	const char *end = packed ? "_packed_input_ids_document.bin" : ".bin";

	buf_adds(&file, p);
	buf_adds(&file, end);
	if (str_ends(p, ".bin") || str_ends(p, ".idx")) {
		buf_add(&b, p, strlen(p) - 4);
		found_set(f,
		    data_exists(look, p, "") ? SCAN_WRONG : SCAN_MISSING,
		    &T_DATA_SUFFIX, p, b.s, NULL);
	} else if (packed && data_exists(look, p, ".bin") &&
	    data_cut(p, "_packed_", &b)) {
		found_set(f, SCAN_WRONG, &T_DATA_FIELD, p, b.s, NULL);
	} else if (packed && data_exists(look, p, ".bin")) {
		found_set(f, SCAN_WRONG, &T_DATA_PLAIN, p, NULL, NULL);
	} else if (!packed && d->packed > 0) {
		found_set(f, SCAN_WRONG, &T_DATA_PACKED, p, NULL, NULL);
	} else if (look_stat(look, p, &st) == 0) {
		found_set(f, SCAN_WRONG,
		    S_ISDIR(st.st_mode) ? &T_DATA_DIR : &T_DATA_FILE, p, NULL,
		    NULL);
	} else if ((errno != ENOENT && errno != ENOTDIR) || data_suffix(p)) {
		judge_absent(look, item, p, 0, f);
	} else if (!packed && d->longer != NULL) {
		path_join(&b, d->dir.s, d->longer);
		b.s[b.len - 4] = '\0';
		found_set(f, SCAN_MISSING, &T_DATA_LONGER, file.s, b.s, NULL);
	} else if (look_alike(look, file.s, &b) && str_ends(b.s, end)) {
		b.s[b.len - strlen(end)] = '\0';
		found_set(f, SCAN_MISSING, &T_DATA_LONGER, file.s, b.s, NULL);
	} else {
		found_set(f, SCAN_MISSING,
		    packed ? &T_DATA_NO_PACKED : &T_DATA_NONE, file.s, p, NULL);
	}
	buf_free(&b);
	buf_free(&file);
}

static void
data_no_directory(const struct look *look, const struct scan_item *item,
    const char *dir, struct scan_found *f)
{
	judge_absent(look, item, dir, 1, f);
	if (f->why == &T_NO_DIR)
		f->why = &T_NO_PARENT;
}

void
data_judge(
    const struct look *look, const struct scan_item *item, struct scan_found *f)
{
	int packed = item->want != NULL ? item->want->packed : 0;
	struct data_beside d;
	struct stat st;

	if (item->first != NULL && data_is_raw(look, item->first)) {
		data_raw(look, item, f);
		return;
	}
	data_look_beside(look, item->path, &d);
	if (d.names.n == 0 && look_stat(look, d.dir.s, &st) < 0)
		data_no_directory(look, item, d.dir.s, f);
	else if (packed != 0 && d.packed > 0)
		data_packed(look, item, &d, f);
	else if (packed != 1 &&
	    (data_exists(look, item->path, ".bin") ||
		data_exists(look, item->path, ".idx")))
		data_pair(look, item, item->path, f);
	else
		data_explain(look, item, &d, packed == 1, f);
	data_free_beside(&d);
}

/* The parts of a list with commas; the whole may also be a name. */
static void
data_list(
    const struct look *look, const struct scan_item *item, struct scan_found *f)
{
	struct buf b = { 0 };
	struct stat st;

	for (const char *s = item->path; *s != '\0' && f->status == SCAN_OK;) {
		size_t n = strcspn(s, ",");
		buf_reset(&b);
		buf_add(&b, s, n);
		if (n > 0 && look_stat(look, b.s, &st) < 0)
			judge_absent(look, item, b.s, 0, f);
		s += n;
		s += *s == ',';
	}
	buf_free(&b);
}

void
data_raw(
    const struct look *look, const struct scan_item *item, struct scan_found *f)
{
	struct stat st;

	if (look_stat(look, item->path, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			(void)judge_dir(look, item, item->path, f);
		else
			judge_file(look, item, item->path, f);
	} else if (strchr(item->path, ',') != NULL) {
		data_list(look, item, f);
	} else {
		judge_absent(look, item, item->path, 0, f);
	}
}

/* The file that an entry of dataset_info.json names. */
static void
data_set_file(const struct look *look, const struct scan_item *item,
    const char *dir, const char *entry, struct scan_found *f)
{
	const char *value = json_member(entry, "file_name");
	struct buf name = { 0 }, path = { 0 };
	struct scan_item at = *item;

	if (value != NULL && json_string(value, &name) == 0) {
		path_join(&path, dir, name.s);
		at.path = path.s;
		data_raw(look, &at, f);
	} else if (value == NULL) {
		found_set(
		    f, SCAN_HUB, &T_SET_HUB, item->path, item->value, NULL);
	}
	buf_free(&name);
	buf_free(&path);
}

/* value: one dataset's name; path: dataset_info.json. */
void
data_set(
    const struct look *look, const struct scan_item *item, struct scan_found *f)
{
	struct buf text = { 0 }, dir = { 0 };

	judge_file(look, item, item->path, f);
	if (f->status == SCAN_OK &&
	    look_read(look, item->path, &text, DATA_INFO_MAX) == 0) {
		buf_adds(&text, "");
		const char *entry = json_member(text.s, item->value);
		path_dir(&dir, item->path);
		if (entry != NULL)
			data_set_file(look, item, dir.s, entry, f);
		else if (*json_blank(text.s) != '{' ||
		    json_skip(text.s) == NULL)
			found_set(
			    f, SCAN_WRONG, &T_SET_BAD, item->path, NULL, NULL);
		else
			found_set(f, SCAN_MISSING, &T_SET_NONE, item->path,
			    item->value, NULL);
	}
	buf_free(&text);
	buf_free(&dir);
}
