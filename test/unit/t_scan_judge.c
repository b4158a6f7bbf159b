#include "scantest.h"

#define TRACKER "c/latest_checkpointed_iteration.txt"

static const struct scan_want plain = { .tp = 1, .pp = 1, .ep = 1, .nodes = 1 };
static const struct scan_want tp2 = { .tp = 2, .pp = 1, .ep = 1, .nodes = 1 };
static const struct scan_want tp2pp2 = {
	.tp = 2, .pp = 2, .ep = 1, .nodes = 1
};
static const struct scan_want pp2ep2 = {
	.tp = 1, .pp = 2, .ep = 2, .nodes = 1
};
static const struct scan_want nodes2 = { .tp = 2, .pp = 2, .ep = 1 };
static const struct scan_want unknown = { .tp = 0, .pp = 2, .ep = 1 };
static const struct scan_want must = {
	.tp = 1, .pp = 1, .ep = 1, .nodes = 1, .must_load = 1
};
static const struct scan_want step5 = {
	.tp = 1, .pp = 1, .ep = 1, .nodes = 1, .step = 5
};
static const struct scan_want fresh = {
	.tp = 1, .pp = 1, .ep = 1, .nodes = 1, .fresh = 1
};
static const struct scan_want hf2mg = {
	.tp = 1, .pp = 1, .ep = 1, .nodes = 1, .convert = 1
};
static const struct scan_want packed = { .packed = 1 };
static const struct scan_want lenient = { .packed = 2 };
static const struct scan_want pairs = { .packed = 1, .pairwise = 1 };
static const struct scan_want scratch = { .scratch = 1 };
static const struct scan_want hftype = { .tokenizer = "PretrainedFromHF" };

/* tree: what is there; first: of a data list; want_path: resolved, or NULL. */
static const struct row {
	const char *tree;
	enum scan_kind kind;
	const struct scan_want *want;
	const char *path, *first;
	enum scan_status status;
	const char *id, *resolved;
} rows[] = {
	/* files and directories */
	{ "f", SCAN_FILE, NULL, "f", NULL, SCAN_OK, NULL, NULL },
	{ "d/", SCAN_FILE, NULL, "d", NULL, SCAN_WRONG, "not-file", "d" },
	{ "", SCAN_FILE, NULL, "none.json", NULL, SCAN_MISSING, "no-file",
	    "none.json" },
	{ "abcdef.py", SCAN_ENTRY, NULL, "abcdeff.py", NULL, SCAN_MISSING,
	    "no-file", "abcdeff.py" },
	{ "", SCAN_ENTRY, NULL, "pretrain_gpt.py", NULL, SCAN_MISSING,
	    "no-entry", NULL },
	{ "f", SCAN_FILE, NULL, "f/g", NULL, SCAN_MISSING, "no-file", NULL },
	{ "l>gone", SCAN_FILE, NULL, "l", NULL, SCAN_MISSING, "dangling",
	    NULL },
	{ "d/ l>d", SCAN_DIR, NULL, "l", NULL, SCAN_OK, NULL, NULL },
	{ "f", SCAN_DIR, NULL, "f", NULL, SCAN_WRONG, "not-directory", NULL },
	{ "", SCAN_DIR, NULL, "d", NULL, SCAN_MISSING, "no-directory", NULL },
	/* outputs */
	{ "", SCAN_OUTPUT, NULL, "a/b/c", NULL, SCAN_CREATE, NULL, NULL },
	{ "a/", SCAN_OUTPUT, NULL, "a", NULL, SCAN_OK, NULL, NULL },
	{ "a", SCAN_OUTPUT, NULL, "a", NULL, SCAN_WRONG, "not-directory",
	    NULL },
	{ "a", SCAN_OUTPUT, NULL, "a/b", NULL, SCAN_WRONG, "not-directory",
	    NULL },
	{ "a/", SCAN_LOG, NULL, "a", NULL, SCAN_WRONG, "not-file", NULL },
	{ "a", SCAN_LOG, NULL, "a", NULL, SCAN_OK, NULL, NULL },
	{ "", SCAN_LOG, NULL, "logs/x.log", NULL, SCAN_CREATE, NULL, NULL },
	{ "", SCAN_OUTPUT, NULL, "your model save ckpt path", NULL,
	    SCAN_PLACEHOLDER, "placeholder", NULL },
	{ "", SCAN_OUTPUT, NULL, "out/your_model", NULL, SCAN_CREATE, NULL,
	    NULL },
	/* checkpoints */
	{ TRACKER "=1 c/iter_0000001/mp_rank_00/model_optim_rng.pt", SCAN_CKPT,
	    &plain, "c", NULL, SCAN_OK, NULL, NULL },
	{ TRACKER "=release c/release/mp_rank_00/model_optim_rng.pt", SCAN_CKPT,
	    &plain, "c", NULL, SCAN_OK, NULL, NULL },
	{ TRACKER "=2 c/iter_0000001/mp_rank_00/model_optim_rng.pt", SCAN_CKPT,
	    &plain, "c", NULL, SCAN_MISSING, "no-iteration", "c/iter_0000002" },
	{ TRACKER "=latest c/iter_0000001/mp_rank_00/model_optim_rng.pt",
	    SCAN_CKPT, &plain, "c", NULL, SCAN_WRONG, "bad-tracker", NULL },
	{ TRACKER "=1 c/iter_0000001/", SCAN_CKPT, &plain, "c", NULL,
	    SCAN_MISSING, "no-ranks", "c/iter_0000001" },
	{ TRACKER "=1 c/iter_0000001/mp_rank_00/", SCAN_CKPT, &plain, "c", NULL,
	    SCAN_MISSING, "empty-rank", "c/iter_0000001/mp_rank_00" },
	{ TRACKER "=1 c/iter_0000001/mp_rank_00/other.pt", SCAN_CKPT, &plain,
	    "c", NULL, SCAN_OK, NULL, NULL },
	{ TRACKER "=1 c/iter_0000001/.metadata", SCAN_CKPT, &tp2, "c", NULL,
	    SCAN_OK, NULL, NULL },
	{ TRACKER "=1 c/iter_0000001/mp_rank_00/a.pt", SCAN_CKPT, &tp2, "c",
	    NULL, SCAN_WRONG, "layout", "c/iter_0000001" },
	{ TRACKER "=1 c/iter_0000001/mp_rank_00/a.pt "
		  "c/iter_0000001/mp_rank_01/a.pt",
	    SCAN_CKPT, &tp2, "c", NULL, SCAN_OK, NULL, NULL },
	{ TRACKER "=1 c/iter_0000001/mp_rank_00/a.pt "
		  "c/iter_0000001/mp_rank_01/a.pt",
	    SCAN_CKPT, &plain, "c", NULL, SCAN_WRONG, "layout", NULL },
	{ TRACKER "=1 c/iter_0000001/mp_rank_00_000/a.pt "
		  "c/iter_0000001/mp_rank_01_000/a.pt "
		  "c/iter_0000001/mp_rank_00_001/a.pt "
		  "c/iter_0000001/mp_rank_01_001/a.pt",
	    SCAN_CKPT, &tp2pp2, "c", NULL, SCAN_OK, NULL, NULL },
	{ TRACKER "=1 c/iter_0000001/mp_rank_00_000/a.pt "
		  "c/iter_0000001/mp_rank_01_000/a.pt "
		  "c/iter_0000001/mp_rank_01_001/a.pt",
	    SCAN_CKPT, &tp2pp2, "c", NULL, SCAN_WRONG, "layout", NULL },
	{ TRACKER "=1 c/iter_0000001/mp_rank_00_000/a.pt", SCAN_CKPT, &nodes2,
	    "c", NULL, SCAN_WARN, "part-of-ranks", NULL },
	{ TRACKER "=1 c/iter_0000001/mp_rank_00_002/a.pt", SCAN_CKPT, &nodes2,
	    "c", NULL, SCAN_WRONG, "layout", NULL },
	{ TRACKER "=1 c/iter_0000001/mp_rank_07/a.pt", SCAN_CKPT, &unknown, "c",
	    NULL, SCAN_OK, NULL, NULL },
	{ TRACKER "=1 c/iter_0000001/mp_rank_00_000_000/a.pt "
		  "c/iter_0000001/mp_rank_00_001_001/a.pt",
	    SCAN_CKPT, &pp2ep2, "c", NULL, SCAN_OK, NULL, NULL },
	{ TRACKER "=1 c/iter_0000001/mp_rank_00_000/a.pt "
		  "c/iter_0000001/mp_rank_00_001/a.pt",
	    SCAN_CKPT, &pp2ep2, "c", NULL, SCAN_WRONG, "layout", NULL },
	{ "c/", SCAN_CKPT, &plain, "c", NULL, SCAN_WARN, "no-tracker",
	    TRACKER },
	{ "c/iter_0000100/", SCAN_CKPT, &plain, "c", NULL, SCAN_WARN,
	    "no-tracker", TRACKER },
	{ "c/", SCAN_CKPT, &must, "c", NULL, SCAN_MISSING, "no-tracker",
	    TRACKER },
	{ "c/mp_rank_00/a.pt", SCAN_CKPT, &plain, "c", NULL, SCAN_WRONG,
	    "inside", NULL },
	{ "c/iter_0000005/mp_rank_00/a.pt", SCAN_CKPT, &step5, "c", NULL,
	    SCAN_OK, NULL, NULL },
	{ TRACKER "=1 c/iter_0000001/mp_rank_00/a.pt", SCAN_CKPT, &step5, "c",
	    NULL, SCAN_MISSING, "no-directory", "c/iter_0000005" },
	{ "", SCAN_CKPT, &plain, "c", NULL, SCAN_MISSING, "no-directory",
	    NULL },
	{ "", SCAN_CKPT, &fresh, "c", NULL, SCAN_WARN, "fresh", NULL },
	{ "", SCAN_CKPT, &fresh, "your model path", NULL, SCAN_PLACEHOLDER,
	    "placeholder", NULL },
	{ "c", SCAN_CKPT, &plain, "c", NULL, SCAN_WRONG, "not-directory",
	    NULL },
	/* Hugging Face */
	{ "c/config.json c/model.safetensors", SCAN_CKPT, &hf2mg, "c", NULL,
	    SCAN_OK, NULL, NULL },
	{ "c/config.json c/model.safetensors", SCAN_CKPT, &plain, "c", NULL,
	    SCAN_OK, NULL, NULL },
	{ "c/model.safetensors", SCAN_CKPT, &hf2mg, "c", NULL, SCAN_MISSING,
	    "no-config", "c/config.json" },
	{ "c/config.json", SCAN_CKPT, &hf2mg, "c", NULL, SCAN_MISSING,
	    "no-weights", "c" },
	{ TRACKER "=1 c/iter_0000001/mp_rank_00/a.pt", SCAN_CKPT, &hf2mg, "c",
	    NULL, SCAN_MISSING, "no-config", NULL },
	{ "c/config.json c/a-1.safetensors c/model.safetensors.index.json="
	  "{\"weight_map\":{\"x\":\"a-1.safetensors\","
	  "\"y\":\"a-2.safetensors\"}}",
	    SCAN_MODEL, NULL, "c", NULL, SCAN_MISSING, "no-shard",
	    "c/a-2.safetensors" },
	{ "c/config.json c/a-1.safetensors c/model.safetensors.index.json="
	  "{\"metadata\":{\"n\":[1,{}]},\"weight_map\":{\"x\":"
	  "\"a-1.safetensors\"}}",
	    SCAN_MODEL, NULL, "c", NULL, SCAN_OK, NULL, NULL },
	{ "c/config.json", SCAN_MODEL, &scratch, "c", NULL, SCAN_OK, NULL,
	    NULL },
	{ "", SCAN_MODEL, NULL, "Qwen/Qwen3-8B", NULL, SCAN_HUB, "hub", NULL },
	{ "", SCAN_MODEL, NULL, "a/b/c", NULL, SCAN_MISSING, "no-directory",
	    NULL },
	{ "c/config.json", SCAN_HF, NULL, "c", NULL, SCAN_OK, NULL, NULL },
	{ "", SCAN_HF, NULL, "Qwen/Qwen3-8B", NULL, SCAN_MISSING,
	    "no-directory", NULL },
	/* tokenizers */
	{ "t/tokenizer.json", SCAN_TOKENIZER, &hftype, "t", NULL, SCAN_OK, NULL,
	    NULL },
	{ "t/tokenizer.json", SCAN_TOKENIZER, &hftype, "t/tokenizer.json", NULL,
	    SCAN_WRONG, "not-directory", NULL },
	{ "t/config.json", SCAN_TOKENIZER, &hftype, "t", NULL, SCAN_MISSING,
	    "no-tokenizer", "t/tokenizer_config.json" },
	{ "t/qwen.tiktoken", SCAN_TOKENIZER, &hftype, "t", NULL, SCAN_OK, NULL,
	    NULL },
	{ "", SCAN_TOKENIZER, &hftype, "your tokenizer path", NULL,
	    SCAN_PLACEHOLDER, "placeholder", NULL },
	{ "", SCAN_EITHER, NULL, "gpt2", NULL, SCAN_HUB, "hub", NULL },
	/* preprocessed data */
	{ "d/a_text_document.bin d/a_text_document.idx", SCAN_DATA, &plain,
	    "d/a_text_document", "d/a_text_document", SCAN_OK, NULL, NULL },
	{ "d/a_text_document.bin", SCAN_DATA, &plain, "d/a_text_document",
	    "d/a_text_document", SCAN_MISSING, "no-data",
	    "d/a_text_document.idx" },
	{ "d/a_text_document.idx", SCAN_DATA, &plain, "d/a_text_document",
	    "d/a_text_document", SCAN_MISSING, "no-data",
	    "d/a_text_document.bin" },
	{ "d/a_text_document.bin d/a_text_document.idx", SCAN_DATA, &plain,
	    "d/a", "d/a", SCAN_MISSING, "no-data", "d/a.bin" },
	{ "d/a.bin d/a.idx", SCAN_DATA, &plain, "d/a.bin", "d/a.bin",
	    SCAN_WRONG, "data-suffix", NULL },
	{ "d/", SCAN_DATA, &plain, "d/a", "d/a", SCAN_MISSING, "no-data",
	    "d/a.bin" },
	{ "", SCAN_DATA, &plain, "d/a", "d/a", SCAN_MISSING, "no-directory",
	    "d" },
	{ "d/x", SCAN_DATA, &plain, "d", "d", SCAN_WRONG, "data-directory",
	    NULL },
	{ "d/x.pt", SCAN_DATA, &plain, "d/x.pt", "d/x.pt", SCAN_WRONG,
	    "data-file", NULL },
	{ "d/a_packed_input_ids_document.bin d/a_packed_input_ids_document.idx",
	    SCAN_DATA, &plain, "d/a", "d/a", SCAN_WRONG, "data-packed", NULL },
	{ "", SCAN_DATA, &plain, "your data path", "your data path",
	    SCAN_PLACEHOLDER, "placeholder", NULL },
	{ "a.bin a.idx", SCAN_DATA, &plain, "a", "a", SCAN_OK, NULL, NULL },
	/* instruction data */
	{ "d/a_packed_input_ids_document.bin d/a_packed_input_ids_document.idx "
	  "d/a_packed_labels_document.bin d/a_packed_labels_document.idx",
	    SCAN_DATA, &packed, "d/a", "d/a", SCAN_OK, NULL, NULL },
	{ "d/a_packed_input_ids_document.bin d/a_packed_input_ids_document.idx "
	  "d/a_packed_labels_document.bin",
	    SCAN_DATA, &packed, "d/a", "d/a", SCAN_MISSING, "no-data",
	    "d/a_packed_labels_document.idx" },
	{ "d/a_packed_labels_document.bin d/a_packed_labels_document.idx",
	    SCAN_DATA, &packed, "d/a", "d/a", SCAN_MISSING, "no-file",
	    "d/a_packed_input_ids_document.idx" },
	{ "d/a_packed_chosen_input_ids_document.bin "
	  "d/a_packed_chosen_input_ids_document.idx",
	    SCAN_DATA, &pairs, "d/a", "d/a", SCAN_OK, NULL, NULL },
	{ "d/a_packed_input_ids_document.bin d/a_packed_input_ids_document.idx",
	    SCAN_DATA, &packed, "d/a_packed_input_ids_document",
	    "d/a_packed_input_ids_document", SCAN_WRONG, "data-field", NULL },
	{ "d/a_text_document.bin d/a_text_document.idx", SCAN_DATA, &packed,
	    "d/a_text_document", "d/a_text_document", SCAN_WRONG, "data-plain",
	    NULL },
	{ "d/", SCAN_DATA, &packed, "d/a", "d/a", SCAN_MISSING, "no-data",
	    "d/a_packed_input_ids_document.bin" },
	{ "d/_packed_input_ids_document.bin d/_packed_input_ids_document.idx",
	    SCAN_DATA, &packed, "d/", "d/", SCAN_OK, NULL, NULL },
	{ "d/a_packed_input_ids_document.bin d/a_packed_input_ids_document.idx",
	    SCAN_DATA, &lenient, "d/a", "d/a", SCAN_OK, NULL, NULL },
	{ "d/a.bin d/a.idx", SCAN_DATA, &lenient, "d/a", "d/a", SCAN_OK, NULL,
	    NULL },
	/* raw data */
	{ "d/a.parquet", SCAN_DATA, &packed, "d/a.parquet", "d/a.parquet",
	    SCAN_OK, NULL, NULL },
	{ "d/a.parquet", SCAN_DATA, &plain, "d", "d", SCAN_OK, NULL, NULL },
	{ "d/a.json", SCAN_DATA, &plain, "d/b.json", "d/a.json", SCAN_MISSING,
	    "no-file", "d/b.json" },
	{ "d/a.json", SCAN_RAW, NULL, "d/a.json", NULL, SCAN_OK, NULL, NULL },
	{ "d/a.json", SCAN_RAW, NULL, "d/a.json,d/c.json", NULL, SCAN_MISSING,
	    "no-file", "d/c.json" },
	{ "", SCAN_RAW, NULL, "your origin data path.example: /home/t.parquet",
	    NULL, SCAN_PLACEHOLDER, "placeholder", NULL },
};

static void
judge_row(size_t i, const struct row *r)
{
	char name[64];
	struct look look = { NULL };
	struct scan_item item = { .kind = r->kind, .want = r->want };

	snprintf(name, sizeof name, "row%zu", i);
	path_mkdirs(name);
	(void)!chdir(name);
	tree_make(r->tree);
	item.name = r->kind == SCAN_CKPT ? "--load" : "--x";
	item.value = item.path = r->path;
	item.first = r->first;
	judge_item(&look, &item, &item.found);
	const char *id = item.found.why != NULL ? item.found.why->id : NULL;
	int good = item.found.status == r->status &&
	    (r->id == NULL ? item.found.why == NULL
			   : id != NULL && strcmp(id, r->id) == 0) &&
	    (r->resolved == NULL ||
		(item.found.resolved != NULL &&
		    strcmp(item.found.resolved, r->resolved) == 0));
	tap_ok(
	    good, "%s with %s: %s", r->path, r->tree, report_status(r->status));
	if (!good)
		printf("# %s [%s] %s\n", report_status(item.found.status),
		    id == NULL ? "" : id,
		    item.found.resolved == NULL ? "" : item.found.resolved);
	found_free(&item.found);
	(void)!chdir("..");
}

/* What an item's flags make of a finding. */
static void
judge_flags(void)
{
	static const struct {
		unsigned flags;
		enum scan_kind kind;
		const char *path;
		enum scan_status status;
	} flag[] = {
		{ SCAN_MAYBE, SCAN_FILE, "gone", SCAN_WARN },
		{ SCAN_MAYBE, SCAN_FILE, "there", SCAN_OK },

		{ SCAN_PARENT, SCAN_CKPT, "dir", SCAN_UNKNOWN },
		{ SCAN_PARENT, SCAN_CKPT, "gone", SCAN_MISSING },
		{ SCAN_PARENT, SCAN_LOG, "gone", SCAN_CREATE },
		{ SCAN_SAME, SCAN_OUTPUT, "dir", SCAN_WARN },
		{ SCAN_SAME, SCAN_OUTPUT, "there", SCAN_WRONG },
	};
	struct look look = { NULL };

	tree_make("there dir/");
	for (size_t i = 0; i < sizeof flag / sizeof *flag; i++) {
		struct scan_item item = { .kind = flag[i].kind };
		item.name = "--x";
		item.value = item.path = flag[i].path;
		item.flags = flag[i].flags;
		judge_item(&look, &item, &item.found);
		tap_ok(item.found.status == flag[i].status,
		    "flags %u on %s: %s", flag[i].flags, flag[i].path,
		    report_status(item.found.status));
		found_free(&item.found);
	}
}

/* Below another root, links that begin with / stay below it. */
static void
judge_root(const char *dir)
{
	static const struct {
		const char *path;
		int there;
	} at[] = {
		{ "/data/f", 1 },
		{ "/link/f", 1 },
		{ "/rel/f", 1 },
		{ "/data/../data/f", 1 },
		{ "/../../data/f", 1 },
		{ "/loop/f", 0 },
		{ "/out/passwd", 0 },
		{ "/none", 0 },
	};
	char root[256];
	struct look look = { root };
	struct stat st;

	snprintf(root, sizeof root, "%s/root/", dir);
	tree_make("root/data/f root/link>/data root/rel>data root/loop>/loop "
		  "root/out>../../../../../../etc");
	for (size_t i = 0; i < sizeof at / sizeof *at; i++)
		tap_ok((look_stat(&look, at[i].path, &st) == 0) == at[i].there,
		    "below a root: %s", at[i].path);
	(void)!chdir(dir);
}

static void
judge_names(void)
{
	static const struct {
		const char *s;
		int hub;
	} name[] = {
		{ "Qwen/Qwen3-8B", 1 },
		{ "gpt2", 1 },
		{ "/a/b", 0 },
		{ "./a", 0 },
		{ "a/b/c", 0 },
		{ "a/b/", 0 },
		{ "", 0 },
		{ "a b", 0 },
		{ "~a", 0 },
		{ "a//b", 0 },
		{ "a..b", 0 },
	};
	static const struct {
		const char *s;
		enum placeholder is;
	} place[] = {
		{ "your model ckpt path", PLACEHOLDER_SURE },
		{ "Your data path (such as ./mmlu/test/)", PLACEHOLDER_SURE },
		{ "/path/to/weights", PLACEHOLDER_SURE },
		{ "path to save your model", PLACEHOLDER_SURE },
		{ "<data-path>", PLACEHOLDER_SURE },
		{ "/data/<model>/x", PLACEHOLDER_SURE },
		{ "请填写数据路径", PLACEHOLDER_SURE },
		{ "你的模型", PLACEHOLDER_SURE },
		{ "数据集路径", PLACEHOLDER_LIKELY },
		{ "/data/xxx/ckpt", PLACEHOLDER_LIKELY },
		{ "None", PLACEHOLDER_LIKELY },
		{ "", PLACEHOLDER_LIKELY },
		{ "/data/...", PLACEHOLDER_LIKELY },
		{ "/home/yourname/x", PLACEHOLDER_NO },
		{ "/data/Qwen3-8B", PLACEHOLDER_NO },
		{ "./none_text_document", PLACEHOLDER_NO },
		{ "/data/xxxl/a", PLACEHOLDER_NO },
		{ "/nonetheless", PLACEHOLDER_NO },
	};

	for (size_t i = 0; i < sizeof name / sizeof *name; i++)
		tap_ok(hf_hub_name(name[i].s) == name[i].hub, "hub name: %s",
		    name[i].s);
	for (size_t i = 0; i < sizeof place / sizeof *place; i++)
		tap_ok(placeholder_is(place[i].s) == place[i].is,
		    "placeholder: %s", place[i].s);
}

static void
judge_json(void)
{
	static const char text[] =
	    " {\"a\": {\"b\": [1, \"}\", {}]}, \"n\\u00e4\": \"x\\ty\" , "
	    "\"c\":\"\\ud83d\\ude00\"}";
	struct buf b = { 0 };
	const char *v = json_member(text, "nä");

	tap_ok(v != NULL && json_string(v, &b) == 0 && strcmp(b.s, "x\ty") == 0,
	    "a member behind nested ones");
	buf_reset(&b);
	v = json_member(text, "c");
	tap_ok(v != NULL && json_string(v, &b) == 0 && strcmp(b.s, "😀") == 0,
	    "a pair of surrogates");
	tap_ok(json_member(text, "b") == NULL, "not inside another value");
	tap_ok(json_member("{\"a\"", "a") == NULL, "cut short");
	tap_ok(json_member("nothing", "a") == NULL, "no object");
	tap_ok(json_skip("{\"a\": [1, 2") == NULL, "an open end");
	buf_free(&b);
}

int
main(void)
{
	char dir[64];

	err_init("t_scan_judge", EXIT_FAILED);
	tree_enter(dir);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		judge_row(i, &rows[i]);
	judge_flags();
	judge_root(dir);
	judge_names();
	judge_json();
	(void)!chdir("/");
	tree_clear(dir);
	return tap_done();
}
