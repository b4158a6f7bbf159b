#include <stdlib.h>
#include <string.h>

#include "gather.h"
#include "path.h"

enum {
	MCORE = 1 << LAUNCH_MCORE,
	FSDP2 = 1 << LAUNCH_FSDP2,
	OTHER = 1 << LAUNCH_OTHER
};

/* Further properties of a rule. */
enum {
	NONE_OK = SCAN_NONE, /* None and "" mean that it is not given */
	LAUNCHER = 1 << 16, /* an option of torchrun, msrun, ... */
	MANY = 1 << 17 /* takes several values: data prefixes */
};

/*
 * Every option that takes a path: for which back ends, what it is, and for
 * which types of tokenizer it is read (NULL: always; "": where no type is
 * known).
 */
static const struct rule {
	const char *option;
	unsigned dialects;
	enum scan_kind kind;
	unsigned flags;
	const char *types;
} rules_table[] = {
	{ "--load", MCORE, SCAN_CKPT, NONE_OK, NULL },
	{ "--save", MCORE, SCAN_OUTPUT, NONE_OK, NULL },
	{ "--lora-load", MCORE, SCAN_CKPT, NONE_OK, NULL },
	{ "--ref-model", MCORE, SCAN_CKPT, NONE_OK, NULL },
	{ "--reward-model", MCORE, SCAN_CKPT, NONE_OK, NULL },
	{ "--pretrained-checkpoint", MCORE, SCAN_CKPT, NONE_OK, NULL },
	{ "--mg-save-dir", MCORE, SCAN_OUTPUT, NONE_OK, NULL },
	{ "--hf-save-dir", MCORE, SCAN_OUTPUT, NONE_OK, NULL },
	{ "--hf-cfg-dir", MCORE, SCAN_HF, NONE_OK, NULL },
	{ "--non-persistent-global-ckpt-dir", MCORE, SCAN_OUTPUT, NONE_OK,
	    NULL },
	{ "--non-persistent-local-ckpt-dir", MCORE, SCAN_OUTPUT, NONE_OK,
	    NULL },

	{ "--data-path", MCORE, SCAN_DATA, MANY, NULL },
	{ "--train-data-path", MCORE, SCAN_DATA, MANY, NULL },
	{ "--valid-data-path", MCORE, SCAN_DATA, MANY, NULL },
	{ "--test-data-path", MCORE, SCAN_DATA, MANY, NULL },
	{ "--data-args-path", MCORE, SCAN_FILE, 0, NULL },
	{ "--per-split-data-args-path", MCORE, SCAN_FILE, 0, NULL },
	{ "--data-cache-path", MCORE, SCAN_OUTPUT, NONE_OK, NULL },
	{ "--output-prefix", MCORE, SCAN_PREFIX, NONE_OK, NULL },

	{ "--tokenizer-name-or-path", MCORE, SCAN_TOKENIZER, 0,
	    "PretrainedFromHF" },
	{ "--tokenizer-name-or-path", MCORE, SCAN_EITHER, 0, "" },
	{ "--tokenizer-model", MCORE, SCAN_TOKENIZER, 0,
	    "HuggingFaceTokenizer MultimodalTokenizer" },
	{ "--tokenizer-model", MCORE, SCAN_FILE, 0,
	    "Llama2Tokenizer SentencePieceTokenizer GPTSentencePieceTokenizer "
	    "MagistralTokenizer TikTokenizer" },
	{ "--tokenizer-model", MCORE, SCAN_EITHER, 0, "" },
	{ "--vocab-file", MCORE, SCAN_FILE, 0,
	    "GPT2BPETokenizer BertWordPieceLowerCase BertWordPieceCase" },
	{ "--vocab-file", MCORE, SCAN_EITHER, 0, "" },
	{ "--merge-file", MCORE, SCAN_FILE, 0, "GPT2BPETokenizer" },
	{ "--merge-file", MCORE, SCAN_EITHER, 0, "" },
	{ "--prompt-type-path", MCORE, SCAN_FILE, 0, NULL },

	{ "--yaml-cfg", MCORE, SCAN_FILE, NONE_OK, NULL },
	{ "--layerzero-config", MCORE, SCAN_FILE, NONE_OK, NULL },
	{ "--fsdp2-config-path", MCORE | OTHER, SCAN_FILE, NONE_OK, NULL },
	{ "--deepspeed_config", MCORE | OTHER, SCAN_FILE, NONE_OK, NULL },
	{ "--mm-model", MCORE | OTHER, SCAN_FILE, NONE_OK, NULL },
	{ "--mm-data", MCORE | OTHER, SCAN_FILE, NONE_OK, NULL },
	{ "--mm-tool", MCORE | OTHER, SCAN_FILE, NONE_OK, NULL },

	{ "--tensorboard-dir", MCORE, SCAN_OUTPUT, NONE_OK, NULL },
	{ "--wandb-save-dir", MCORE, SCAN_OUTPUT, NONE_OK, NULL },
	{ "--profile-save-path", MCORE, SCAN_OUTPUT, NONE_OK, NULL },
	{ "--auto-settings-work-dir", MCORE, SCAN_OUTPUT, NONE_OK, NULL },
	{ "--memory-snapshot-path", MCORE, SCAN_PREFIX, NONE_OK, NULL },

	{ "--log_dir", MCORE | FSDP2 | OTHER, SCAN_OUTPUT, LAUNCHER, NULL },
	{ "--hostfile", MCORE | FSDP2 | OTHER, SCAN_FILE, LAUNCHER, NULL },
	{ "--config_file", MCORE | FSDP2 | OTHER, SCAN_FILE, LAUNCHER, NULL },

	{ "--model.model_name_or_path", FSDP2, SCAN_MODEL, 0, NULL },
	{ "--model.tokenizer_name_or_path", FSDP2, SCAN_TOKENIZER, NONE_OK,
	    NULL },
	{ "--model.new_special_tokens_config", FSDP2, SCAN_FILE, NONE_OK,
	    NULL },
	{ "--model.cache_dir", FSDP2, SCAN_OUTPUT, NONE_OK, NULL },
	{ "--data.dataset", FSDP2, SCAN_DATASET, NONE_OK, NULL },
	{ "--data.eval_dataset", FSDP2, SCAN_DATASET, NONE_OK, NULL },
	{ "--data.tokenized_path", FSDP2, SCAN_OUTPUT, NONE_OK, NULL },
	{ "--training.output_dir", FSDP2, SCAN_OUTPUT, 0, NULL },
	{ "--training.resume_from_checkpoint", FSDP2, SCAN_DIR, NONE_OK, NULL },
	{ "--training.profile_save_path", FSDP2, SCAN_OUTPUT, NONE_OK, NULL },
};

/* The word in the launch's command that an argument came from. */
static uint32_t
rules_word(const struct launch *l, const struct shval *v)
{
	const struct shval_call *call = l->call;

	if (call->argword != NULL && v >= call->argv &&
	    v < call->argv + call->argc)
		return call->argword[v - call->argv];
	return SH_NONE;
}

/* Several arguments behind an option that takes one: a value with blanks that
 * is not quoted. */
static void
rules_join(struct gather *g, const struct shval *v, size_t n, struct setting *s)
{
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < n && !v[i].split; i++) {
		if (i > 0)
			buf_addc(&b, ' ');
		if (!shval_known(&v[i], &b))
			break;
	}
	if (i == n) {
		s->text = gather_copy(g, b.s, b.len);
		s->words = n;
	}
	buf_free(&b);
}

static void
rules_option(const struct rules *r, const char *option, unsigned flags,
    struct setting *s)
{
	const struct launch *l = r->at.launch;
	size_t n = 1;
	const struct shval *v = flags & LAUNCHER
	    ? launch_launcher_option(l, option)
	    : launch_option(l, option, &n);

	*s = (struct setting){ .is = SETTING_ABSENT, .text = "", .about = "" };
	if (v == NULL)
		return;
	if (n == 0) {
		s->is = SETTING_KNOWN;
		s->words = 0;
		return;
	}
	gather_setting(r->g, l->call, rules_word(l, v), v, s);
	if (n > 1 && s->is == SETTING_KNOWN && l->dialect == LAUNCH_MCORE &&
	    !(flags & MANY))
		rules_join(r->g, v, n, s);
}

void
rules_get(const struct rules *r, const char *option, struct setting *s)
{
	rules_option(r, option, 0, s);
	if (s->is == SETTING_ABSENT && r->yaml != NULL)
		fsdp2_get(r->g, r->yaml, option + 2, s);
}

static int
rules_given(const struct rules *r, const char *option)
{
	return launch_option(r->at.launch, option, &(size_t){ 0 }) != NULL;
}

/* A number, and where it is written: absent is 1, not known 0. */
static long
rules_number(
    const struct rules *r, const char *option, long absent, const char **at)
{
	struct setting s;
	char *end;

	*at = NULL;
	rules_get(r, option, &s);
	if (s.is == SETTING_ABSENT)
		return absent;
	long n = s.is == SETTING_KNOWN && s.next == NULL
	    ? strtol(s.text, &end, 10)
	    : 0;
	if (s.line != 0)
		*at = arena_printf(&r->g->scan->arena, "%s:%zu",
		    s.file != NULL ? s.file : r->g->scan->name, s.line);
	return n > 0 && *end == '\0' ? n : 0;
}

static int
rules_true(const struct rules *r, const char *option)
{
	static const char *const yes[] = { "yes", "true", "True", "TRUE", "t",
		"y", "1" };
	struct setting s;

	rules_get(r, option, &s);
	for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
		if (s.is == SETTING_KNOWN && strcmp(s.text, yes[i]) == 0)
			return 1;
	return 0;
}

static void
rules_want(struct rules *r)
{
	struct scan_want *w = r->want;
	const struct launch *l = r->at.launch;
	struct buf entry = { 0 };
	struct setting s;
	long world = launch_world(l), npus = launch_npus(l);
	const char *at;

	w->tp = rules_number(r, "--tensor-model-parallel-size", 1, &w->tp_at);
	w->pp = rules_number(r, "--pipeline-model-parallel-size", 1, &w->pp_at);
	w->ep = rules_number(r, "--expert-model-parallel-size", 1, &at);
	w->step = rules_number(r, "--ckpt-step", 0, &at);
	w->nodes = npus > 0 ? world / npus : 0;
	w->convert = rules_given(r, "--enable-hf2mg-convert");
	w->cache = rules_given(r, "--mg-save-dir");
	w->must_load = rules_given(r, "--exit-on-missing-checkpoint");
	w->pairwise = rules_given(r, "--is-pairwise-dataset");
	if (w->pairwise || rules_given(r, "--is-instruction-dataset")) {
		int plain = shval_known(&l->argv[l->entry], &entry) &&
		    str_begins(path_base(entry.s), "pretrain");
		w->packed = plain ? 2 : 1;
	}
	buf_free(&entry);
	w->scratch = rules_true(r, "--model.train_from_scratch");
	rules_get(r, "--tokenizer-type", &s);
	if (s.is == SETTING_KNOWN && s.next == NULL)
		w->tokenizer = s.text;
}

/* 1 when a word of the list is this. */
static int
rules_listed(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; (p = strstr(p, word)) != NULL; p++)
		if ((p == list || p[-1] == ' ') &&
		    (p[n] == ' ' || p[n] == '\0'))
			return 1;
	return 0;
}

static int
rules_type_known(const char *type)
{
	if (strcmp(type, "NullTokenizer") == 0 ||
	    strcmp(type, "NullMultimodalTokenizer") == 0)
		return 1;
	for (size_t i = 0; i < sizeof rules_table / sizeof *rules_table; i++)
		if (rules_table[i].types != NULL &&
		    rules_listed(rules_table[i].types, type))
			return 1;
	return 0;
}

static int
rules_applies(const struct rules *r, const struct rule *rule)
{
	const char *type = r->want->tokenizer;

	if (!(rule->dialects & 1U << r->at.launch->dialect))
		return 0;
	if (rule->types == NULL)
		return 1;
	if (type == NULL || !rules_type_known(type))
		return rule->types[0] == '\0';
	return rules_listed(rule->types, type);
}

static void
rules_finish(
    const struct rules *r, struct scan_item *item, const struct setting *s)
{
	if (item == NULL)
		return;
	item->want = r->want;
	if (s->words > 1 && !(item->flags & SCAN_SET)) {
		enum scan_status status = SCAN_WRONG;
		const struct text *why = &T_UNQUOTED;
		if (placeholder_is(s->text) != PLACEHOLDER_NO) {
			status = SCAN_PLACEHOLDER;
			why = judge_placeholder(item);
		}
		found_set(&item->found, status, why, NULL, NULL, NULL);
		item->flags |= SCAN_SET;
	}
}

/* An option with nothing behind it. */
static void
rules_empty(const struct rules *r, const struct rule *rule, const char *name)
{
	const struct launch *l = r->at.launch;
	struct scan_item *item;

	item = scan_add(r->g->scan, rule->kind);
	item->name = name;
	item->value = "";
	item->line = l->line;
	empty_place(r->g, l, rule->option, item);
	item->launch = r->at.number;
	item->group = l->excludes;
	item->flags = SCAN_SET;
	found_set(
	    &item->found, SCAN_PLACEHOLDER, &T_NO_VALUE, NULL, NULL, NULL);
}

/* What float() of Python reads, but for words like "inf". */
static int
rules_is_weight(const char *s)
{
	char *end;

	if (*s == '\0' || strspn(s, "0123456789.eE+-") != strlen(s))
		return 0;
	(void)strtod(s, &end);
	return *end == '\0';
}

/* "your data path" without quotes: no word alone says so. */
static int
rules_fallen(
    const struct rules *r, const struct shval *v, size_t n, struct setting *s)
{
	const struct launch *l = r->at.launch;

	for (size_t i = 0; i < n; i++) {
		gather_setting(r->g, l->call, rules_word(l, &v[i]), &v[i], s);
		if (s->is != SETTING_KNOWN ||
		    placeholder_is(s->text) != PLACEHOLDER_NO)
			return 0;
	}
	gather_setting(r->g, l->call, rules_word(l, v), v, s);
	rules_join(r->g, v, n, s);
	return placeholder_is(s->text) != PLACEHOLDER_NO;
}

/*
 * Prefixes, or pairs of a weight and a prefix: an even number of values of
 * which every first is a number.
 */
static void
rules_data(const struct rules *r, const struct rule *rule, const char *name)
{
	const struct launch *l = r->at.launch;
	size_t n = 0, weights = 0, step;
	const struct shval *v = launch_option(l, rule->option, &n);
	const char *first = NULL;
	struct setting s;

	if (v == NULL || rules_given(r, "--mock-data"))
		return;
	if (n == 0)
		rules_empty(r, rule, name);
	for (size_t i = 0; i < n; i += 2) {
		gather_setting(r->g, l->call, rules_word(l, &v[i]), &v[i], &s);
		weights += s.is == SETTING_KNOWN && rules_is_weight(s.text);
	}
	step = n > 0 && n % 2 == 0 && weights == n / 2 ? 2 : 1;
	if (step == 1 && n > 1 && rules_fallen(r, v, n, &s)) {
		rules_finish(
		    r, gather_item(r->g, &r->at, rule->kind, name, &s), &s);
		return;
	}
	if (r->want->packed == 1)
		step = 1; /* the first word counts, a weight or not */
	if (r->want->packed != 0)
		n = n > 0;
	for (size_t i = step - 1; i < n; i += step) {
		gather_setting(r->g, l->call, rules_word(l, &v[i]), &v[i], &s);
		struct scan_item *item =
		    gather_item(r->g, &r->at, rule->kind, name, &s);
		if (item == NULL)
			continue;
		item->want = r->want;
		if (first == NULL)
			first = item->path;
		item->first = first;
	}
}

static void
rules_one(const struct rules *r, const struct rule *rule)
{
	const char *name = rule->option;
	struct rules one = *r;
	struct setting s;

	if (rule->flags & MANY) {
		rules_data(r, rule, name);
		return;
	}
	one.at.flags |= rule->flags & NONE_OK;
	rules_option(&one, rule->option, rule->flags, &s);
	if (s.is == SETTING_ABSENT && r->yaml != NULL)
		fsdp2_get(r->g, r->yaml, name + 2, &s);
	if (s.is == SETTING_KNOWN && s.words == 0 && s.text[0] == '\0') {
		rules_empty(r, rule, name);
		return;
	}
	if (s.next != NULL)
		one.at.flags |= SCAN_CHOICE;
	for (const struct shval *next = s.next;; next = s.next) {
		if (rule->kind == SCAN_DATASET)
			fsdp2_dataset(r->g, &one.at, r, name, &s);
		else
			rules_finish(r,
			    gather_item(r->g, &one.at, rule->kind, name, &s),
			    &s);
		if (next == NULL)
			break;
		gather_setting(r->g, r->at.call, SH_NONE, next, &s);
	}
}

/* An output that is also what is loaded. */
static void
rules_same(const struct rules *r, size_t from)
{
	struct scan *scan = r->g->scan;
	struct scan_item *load = NULL, *save = NULL;

	for (size_t i = from; i < scan->n; i++) {
		struct scan_item *item = &scan->item[i];
		if (strcmp(item->name, "--load") == 0)
			load = item;
		else if (strcmp(item->name, "--save") == 0)
			save = item;
	}
	if (load == NULL || save == NULL || load->path == NULL ||
	    save->path == NULL || (load->flags & SCAN_SET) ||
	    strcmp(load->path, save->path) != 0)
		return;
	save->flags |= SCAN_SAME;
	r->want->fresh = 1;
}

static void
rules_argument(
    const struct rules *r, enum scan_kind kind, const char *name, size_t i)
{
	const struct launch *l = r->at.launch;
	struct setting s;

	gather_setting(
	    r->g, l->call, rules_word(l, &l->argv[i]), &l->argv[i], &s);
	if (kind != SCAN_ENTRY || str_ends(s.text, ".py"))
		(void)gather_item(r->g, &r->at, kind, name, &s);
}

/* Everything that one way of the launch needs. */
static void
rules_variant(struct rules *r)
{
	const struct launch *l = r->at.launch;
	struct fsdp2 yaml = { .file = NULL };
	size_t from = r->g->scan->n;

	r->want = arena_alloc(&r->g->scan->arena, sizeof *r->want);
	*r->want = (struct scan_want){ 0 };
	rules_argument(r, SCAN_ENTRY, "entry", l->entry);
	if (l->dialect == LAUNCH_FSDP2 && l->yaml != 0) {
		rules_argument(r, SCAN_YAML, "yaml", l->yaml);
		fsdp2_open(r->g, &r->at, &yaml);
		r->yaml = &yaml;
	}
	rules_want(r);
	for (size_t i = 0; i < sizeof rules_table / sizeof *rules_table; i++)
		if (rules_applies(r, &rules_table[i]))
			rules_one(r, &rules_table[i]);
	rules_same(r, from);
	fsdp2_close(&yaml);
}

/* The index of the entry among other words of the same launch. */
static size_t
rules_entry(const struct launch *l, const struct shval *argv, size_t argc)
{
	struct buf want = { 0 }, b = { 0 };
	size_t at = l->entry;

	if (shval_one(&l->argv[l->entry], &want))
		for (size_t i = 0; i < argc; i++) {
			buf_reset(&b);
			if (!shval_one(&argv[i], &b) ||
			    strcmp(b.s, want.s) != 0)
				continue;
			at = i;
			break;
		}
	buf_free(&want);
	buf_free(&b);
	return at;
}

/* In all ways in which its words can turn out. */
static void
rules_turn(struct gather *g, const struct launch *launch, size_t number,
    unsigned flags)
{
	for (size_t k = 0;; k++) {
		struct launch l = *launch;
		struct rules r = { .g = g,
			.at = { .call = l.call,
			    .launch = &l,
			    .number = number,
			    .flags = flags } };
		size_t other;
		if (k > 0) {
			l.argv = launch_variant(launch, k, &l.argc);
			if (l.argv == NULL)
				return;
			l.entry = rules_entry(launch, l.argv, l.argc);
			if (launch->yaml != 0)
				l.yaml =
				    l.entry + (launch->yaml - launch->entry);
			if (l.entry >= l.argc || l.yaml >= l.argc)
				return;
		}
		if (k > 0 || launch_variant(launch, 1, &other) != NULL)
			r.at.flags |= SCAN_CHOICE;
		rules_variant(&r);
	}
}

void
rules_launch(struct gather *g, const struct launch *launch, size_t number)
{
	unsigned flags = 0;

	for (const struct launch *l = launch->again; l != NULL; l = l->again)
		if (l->call->maybe || launch->call->maybe)
			flags = SCAN_CHOICE;
	rules_turn(g, launch, number, flags);
	for (const struct launch *l = launch->again; l != NULL; l = l->again) {
		struct launch turn = *l;
		turn.line = launch->line;
		turn.excludes = launch->excludes;
		if (!l->dead)
			rules_turn(g, &turn, number, flags);
	}
}
