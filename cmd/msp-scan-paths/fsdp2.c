#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gather.h"
#include "json.h"
#include "path.h"

enum { FSDP2_YAML_MAX = 16 << 20 };

static const char fsdp2_datasets[] = "./configs/fsdp2/data";

void
fsdp2_open(struct gather *g, const struct gather_at *at, struct fsdp2 *f)
{
	const struct shval *v = &at->launch->argv[at->launch->yaml];
	struct buf name = { 0 };

	*f = (struct fsdp2){ .file = NULL };
	if (at->launch->where == LAUNCH_HERE && shval_known(v, &name)) {
		const char *path = gather_path(g, at->call, name.s);
		if (path != NULL && !watch_step(g->watch) &&
		    look_read(&g->scan->look, path, &f->text, FSDP2_YAML_MAX) ==
			0) {
			buf_adds(&f->text, "");
			yaml_parse(&f->yaml, f->text.s, f->text.len);
			f->file = gather_copy(g, name.s, name.len);
		}
	}
	buf_free(&name);
}

void
fsdp2_close(struct fsdp2 *f)
{
	if (f->file != NULL)
		yaml_free(&f->yaml);
	buf_free(&f->text);
	*f = (struct fsdp2){ .file = NULL };
}

static void
fsdp2_setting(
    struct gather *g, const struct fsdp2 *f, uint32_t i, struct setting *s)
{
	const struct yaml_item *item = &f->yaml.item[i];
	struct buf b = { 0 };

	s->about = "";
	s->text = "";
	s->words = 1;
	s->file = f->file;
	s->line = yaml_line(&f->yaml, item->line);
	if (item->kind == YAML_NULL)
		return;
	if (yaml_value(&f->yaml, i, &b) == 0) {
		s->is = SETTING_KNOWN;
		s->text = gather_copy(g, b.s != NULL ? b.s : "", b.len);
		if (item->kind == YAML_PLAIN && strcmp(s->text, "null") == 0)
			s->is = SETTING_ABSENT;
		if (item->kind == YAML_PLAIN && strcmp(s->text, "~") == 0)
			s->is = SETTING_ABSENT;
	} else {
		s->is = SETTING_UNKNOWN;
		s->prefix = "";
		s->why = SHVAL_LIMIT;
		s->about = f->file;
	}
	buf_free(&b);
}

void
fsdp2_get(
    struct gather *g, const struct fsdp2 *f, const char *key, struct setting *s)
{
	struct buf b = { 0 };
	uint32_t i = f->file != NULL ? yaml_find(&f->yaml, key) : YAML_NONE;

	*s = (struct setting){ .is = SETTING_ABSENT, .about = "", .text = "" };
	if (i != YAML_NONE && f->yaml.item[i].kind == YAML_MAP) {
		buf_addf(&b, "%s.file_name", key);
		i = yaml_find(&f->yaml, b.s);
		buf_free(&b);
		if (i == YAML_NONE)
			return;
		fsdp2_setting(g, f, i, s);
		s->words = 0;
		return;
	}
	if (i != YAML_NONE)
		fsdp2_setting(g, f, i, s);
}

/* Files of raw data: seen from the directory of datasets, or as they are. */
static void
fsdp2_files(struct gather *g, const struct gather_at *at, const char *name,
    const char *dir, const struct setting *s)
{
	struct setting one = *s;
	const char *first = NULL;
	struct scan_item *item;

	if (dir != NULL) {
		item = gather_item(g, at, SCAN_RAW, name, s);
		if (item != NULL && item->path != NULL && s->text[0] != '/') {
			struct buf b = { 0 };
			path_join(&b, dir, s->text);
			item->path = gather_path(g, at->call, b.s);
			buf_free(&b);
		}
		return;
	}
	for (const char *p = s->text; *p != '\0';) {
		size_t n = strcspn(p, ",");
		size_t blank = strspn(p, " ");
		one.text = gather_copy(g, p + (blank < n ? blank : n),
		    n - (blank < n ? blank : n));
		item = n > 0 ? gather_item(g, at, SCAN_DATA, name, &one) : NULL;
		if (item != NULL && first == NULL)
			first = item->path;
		if (item != NULL)
			item->first = first;
		p += n;
		p += *p == ',';
	}
}

/* Names in dataset_info.json. */
static void
fsdp2_names(struct gather *g, const struct gather_at *at, const char *name,
    const char *dir, const struct setting *s)
{
	struct buf b = { 0 };

	path_join(&b, dir, "dataset_info.json");
	const char *info = gather_path(g, at->call, b.s);
	for (const char *p = s->text; *p != '\0';) {
		struct setting one = *s;
		size_t n;
		p += strspn(p, ", ");
		n = strcspn(p, ",");
		while (n > 0 && p[n - 1] == ' ')
			n--;
		one.text = gather_copy(g, p, n);
		struct scan_item *item =
		    n > 0 ? gather_item(g, at, SCAN_DATASET, name, &one) : NULL;
		if (item != NULL && item->path != NULL)
			item->path = info;
		p += strcspn(p, ",");
	}
	buf_free(&b);
}

void
fsdp2_dataset(struct gather *g, const struct gather_at *at,
    const struct rules *r, const char *name, const struct setting *s)
{
	struct setting dir, manager, file = *s;
	struct buf b = { 0 };

	if (s->is != SETTING_KNOWN) {
		(void)gather_item(g, at, SCAN_RAW, name, s);
		return;
	}
	rules_get(r, "--data.dataset_dir", &dir);
	rules_get(r, "--data.data_manager_type", &manager);
	if (dir.is == SETTING_ABSENT)
		dir.text = fsdp2_datasets;
	int mg = manager.is == SETTING_KNOWN && strcmp(manager.text, "mg") == 0;
	int json = s->text[0] == '{';
	const char *value = json ? json_member(s->text, "file_name") : NULL;
	if (value != NULL && json_string(value, &b) == 0)
		file.text = gather_copy(g, b.s, b.len);
	buf_free(&b);
	if (dir.is == SETTING_UNKNOWN)
		(void)gather_item(g, at, SCAN_RAW, name, &dir);
	else if (value != NULL || s->words == 0)
		fsdp2_files(g, at, name, mg ? NULL : dir.text, &file);
	else if (json)
		(void)0;
	else
		fsdp2_names(g, at, name, dir.text, s);
}
