#include <string.h>
#include <unistd.h>

#include "json.h"
#include "path.h"
#include "scan.h"

enum { HF_INDEX_MAX = 64 << 20, HF_NAME_MAX = 96 };

int
hf_weight(const char *name)
{
	return str_ends(name, ".safetensors") ||
	    (str_begins(name, "pytorch_model") && str_ends(name, ".bin"));
}

static int
hf_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '_';
}

/* NAME or OWNER/NAME: letters, digits, _ . - , a letter at either end. */
int
hf_hub_name(const char *s)
{
	int slashes = 0;
	size_t n = strlen(s);

	if (n == 0 || n > HF_NAME_MAX || !hf_letter(s[0]) ||
	    !hf_letter(s[n - 1]) || str_ends(s, ".git"))
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '/') {
			if (++slashes > 1 || !hf_letter(s[i + 1]))
				return 0;
		} else if (!hf_letter(s[i]) && s[i] != '.' && s[i] != '-') {
			return 0;
		}
		if (i > 0 && (s[i] == '.' || s[i] == '-') && s[i - 1] == s[i])
			return 0;
	}
	return 1;
}

/* 1 when the path is not there but a hub could know the name. */
static int
hf_absent(
    const struct look *look, const struct scan_item *item, struct scan_found *f)
{
	struct stat st;

	if (look_stat(look, item->path, &st) == 0 || item->kind == SCAN_CKPT ||
	    item->kind == SCAN_HF || !hf_hub_name(item->value))
		return 0;
	found_set(f, SCAN_HUB, &T_HUB, item->path, NULL, NULL);
	return 1;
}

/* A file that the index names and that is not among the names. */
static void
hf_judge_index(const struct look *look, const char *dir, const char *index,
    const struct strs *names, struct scan_found *f)
{
	struct buf path = { 0 }, text = { 0 }, key = { 0 }, file = { 0 },
		   last = { 0 };
	const char *s;
	int first = 1;

	path_join(&path, dir, index);
	if (look_read(look, path.s, &text, HF_INDEX_MAX) == 0 &&
	    text.len < HF_INDEX_MAX) {
		buf_adds(&text, "");
		s = json_member(text.s, "weight_map");
		while (s != NULL && (s = json_next(s, first, &key)) != NULL) {
			first = 0;
			buf_reset(&key);
			buf_reset(&file);
			if (json_string(s, &file) < 0)
				break;
			if (last.s != NULL && strcmp(last.s, file.s) == 0)
				continue;
			buf_reset(&last);
			buf_adds(&last, file.s);
			if (look_has(names, file.s) ||
			    strchr(file.s, '/') != NULL)
				continue;
			buf_reset(&path);
			path_join(&path, dir, file.s);
			found_set(f, SCAN_MISSING, &T_HF_SHARD, path.s, index,
			    file.s);
			break;
		}
	}
	buf_free(&path);
	buf_free(&text);
	buf_free(&key);
	buf_free(&file);
	buf_free(&last);
}

/* Weights that the training reads: as its loader looks for them. */
static void
hf_judge_weights(const struct look *look, const struct scan_item *item,
    const struct strs *names, struct scan_found *f)
{
	static const char *const index[] = { "model.safetensors.index.json",
		"pytorch_model.bin.index.json" };
	int any = 0;

	for (size_t i = 0; i < names->n; i++)
		any |= hf_weight(names->s[i]) ||
		    (item->kind == SCAN_MODEL &&
			(str_ends(names->s[i], ".bin") ||
			    str_ends(names->s[i], ".pt")));
	for (size_t i = 0; i < 2; i++)
		if (look_has(names, index[i])) {
			hf_judge_index(look, item->path, index[i], names, f);
			return;
		}
	if (!any)
		found_set(
		    f, SCAN_MISSING, &T_HF_WEIGHTS, item->path, NULL, NULL);
}

void
hf_judge(const struct look *look, const struct scan_item *item, int weights,
    struct scan_found *f)
{
	struct strs names;
	struct buf b = { 0 };

	if (hf_absent(look, item, f) || judge_dir(look, item, item->path, f) ||
	    look_list(look, item->path, &names) < 0)
		return;
	if (!look_has(&names, "config.json")) {
		path_join(&b, item->path, "config.json");
		found_set(f, SCAN_MISSING,
		    look_has(&names, "latest_checkpointed_iteration.txt")
			? &T_HF_MEGATRON
			: &T_HF_CONFIG,
		    b.s, NULL, NULL);
		buf_free(&b);
	} else if (weights && !(item->want != NULL && item->want->scratch)) {
		hf_judge_weights(look, item, &names, f);
	}
	strs_free(&names);
}

static int
hf_tokenizer_file(const char *s)
{
	static const char *const start[] = { "tokenizer", "tokenization",
		"vocab", "merges.txt", "spiece.model", "tekken.json" };
	static const char *const end[] = { ".model", ".tiktoken", ".vocab" };

	for (size_t i = 0; i < sizeof start / sizeof *start; i++)
		if (str_begins(s, start[i]))
			return 1;
	for (size_t i = 0; i < sizeof end / sizeof *end; i++)
		if (str_ends(s, end[i]))
			return 1;
	return 0;
}

void
hf_tokenizer(
    const struct look *look, const struct scan_item *item, struct scan_found *f)
{
	struct strs names;
	struct buf b = { 0 };
	struct stat st;
	const char *type = item->want != NULL ? item->want->tokenizer : NULL;
	int any = 0;

	if (hf_absent(look, item, f))
		return;
	if (look_stat(look, item->path, &st) == 0 && !S_ISDIR(st.st_mode)) {
		path_dir(&b, item->path);
		found_set(f, SCAN_WRONG, &T_TOKENIZER_FILE, item->path, b.s,
		    type != NULL ? type : item->name);
		buf_free(&b);
		return;
	}
	if (judge_dir(look, item, item->path, f) ||
	    look_list(look, item->path, &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++)
		any |= hf_tokenizer_file(names.s[i]);
	strs_free(&names);
	if (!any) {
		path_join(&b, item->path, "tokenizer_config.json");
		found_set(f, SCAN_MISSING, &T_TOKENIZER_NONE, b.s, NULL, NULL);
		buf_free(&b);
	}
}
