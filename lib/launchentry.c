#include <fnmatch.h>
#include <string.h>

#include "launchin.h"
#include "strs.h"

/* Beginnings of the names of entries that train. */
static const char *const entry_training[] = { "pretrain", "posttrain",
	"postrain", "train", "finetune", "sft", "tune", NULL };

/* Of these, the ones that train no model. */
static const char *const entry_nothing[] = { "*tokenizer*", "*preprocess*",
	"*inference*", "*evaluat*", "*convert*", NULL };

/*
 * Entries of other frameworks, which take no profiling options on their
 * command line: patterns of the last component.
 */
static const char *const entry_other[] = { "pretrain_sora.py",
	"pretrain_vlm.py", "pretrain_internvl.py", "pretrain_transformers.py",
	"pretrain_deepseekvl.py", "pretrain_llava.py", "pretrain_whisper.py",
	"pretrain_omni.py", "pretrain_lumina.py", "pretrain_ae.py",
	"pretrain_videoalign.py", "pretrain_vae.py", "pretrain_t2v*.py",
	"pretrain_qwen2vl.py", "pretrain_qwen3vl.py", "pretrain_qwen3_5.py",
	"pretrain_unillm.py", "posttrain_sora*.py", "posttrain_vlm*.py",
	"posttrain_flux*.py", "posttrain_qwen*.py", "posttrain_stepvideo*.py",
	"rlhf_gpt.py", "ray_gpt.py", "train_grpo*.py", "train_dapo*.py",
	"train_ppo*.py", "train_text_to_image*.py", "train_dreambooth*.py",
	"train_controlnet*.py", "train_unconditional*.py", "trainer.py",
	"finetune_ocr.py", "finetune_ocr2.py", "main_ppo.py", NULL };

/* Folders whose entries are of other frameworks. */
static const char *const entry_folders[] = { "mindspeed_mm/", "model_training/",
	NULL };

static const char *const entry_modules[] = { "verl.trainer.*", "mindspeed_rl.*",
	"mindspeed_mm.*", "recipe.*.main_*", NULL };

static int
entry_matches(const char *const *patterns, const char *s)
{
	for (; patterns != NULL && *patterns != NULL; patterns++)
		if (fnmatch(*patterns, s, 0) == 0)
			return 1;
	return 0;
}

static int
entry_in_folder(const char *path)
{
	for (const char *const *f = entry_folders; *f != NULL; f++) {
		const char *p = strstr(path, *f);
		if (p != NULL && (p == path || p[-1] == '/'))
			return 1;
	}
	return 0;
}

int
launch_entry_named(const char *path, const char *const *entries)
{
	const char *slash = strrchr(path, '/');

	return entry_matches(entries, path) ||
	    entry_matches(entries, slash == NULL ? path : slash + 1);
}

enum launch_class
launch_entry_class(const char *path, const char *const *entries)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash == NULL ? path : slash + 1;
	size_t len = strlen(name);

	if (launch_entry_named(path, entries))
		return CLASS_TRAINING;
	if (len < 4 || strcmp(name + len - 3, ".py") != 0)
		return CLASS_NONE;
	if (entry_matches(entry_nothing, name))
		return CLASS_NONE;
	if (entry_matches(entry_other, name))
		return CLASS_OTHER;
	for (const char *const *t = entry_training; *t != NULL; t++)
		if (strncmp(name, *t, strlen(*t)) == 0)
			return entry_in_folder(path) ? CLASS_OTHER
						     : CLASS_TRAINING;
	return CLASS_NONE;
}

/* Options of MindSpeed-MM; of Megatron; and of others that have no
 * underscore to tell them by. */
static const char entry_mm[] = "--mm-model --mm-data --mm-tool";
static const char entry_megatron[] =
    "--micro-batch-size --global-batch-size --train-iters --train-samples "
    "--num-layers --hidden-size --max-position-embeddings --tokenizer-type "
    "--tensor-model-parallel-size --pipeline-model-parallel-size "
    "--distributed-backend --use-mcore-models --use-checkpoint-args "
    "--lr-decay-style --yaml-cfg";
static const char entry_others[] =
    "--output-dir --model-name-or-path --epochs --num-epochs --batch-size "
    "--config --config-file --config-name --config-path";

/* An option's name, or what stands before a =, of what is known of a word:
 * "" when it is a value. */
static void
entry_option(const struct shval *v, char *name, size_t size)
{
	const struct shpiece *p = v->piece;
	size_t n = 0;

	if (v->npiece != 0 && p->why == SHVAL_KNOWN)
		n = p->len < size ? p->len : size - 1;
	const char *equals = n == 0 ? NULL : memchr(p->s, '=', n);
	if (equals != NULL)
		n = (size_t)(equals - p->s);
	else if (n < 2 || p->s[0] != '-' || p->s[1] != '-')
		n = 0;
	if (n != 0)
		memcpy(name, p->s, n);
	name[n] = '\0';
}

static int
entry_is_yaml(const struct shval *v)
{
	if (v->npiece == 0)
		return 0;
	const struct shpiece *p = &v->piece[v->npiece - 1];
	return p->why == SHVAL_KNOWN &&
	    ((p->len > 4 && memcmp(p->s + p->len - 4, ".yml", 4) == 0) ||
		(p->len > 5 && memcmp(p->s + p->len - 5, ".yaml", 5) == 0));
}

int
launch_entry_foreign(const char *name, const struct shval *argv, size_t n)
{
	const char *slash = strrchr(name, '/');
	int megatron = 0, other = 0;
	char s[256];

	if (slash != NULL)
		name = slash + 1;
	for (size_t i = 0; i < n; i++) {
		entry_option(&argv[i], s, sizeof s);
		if (str_begins(s, "--mm-") && launch_listed(entry_mm, s))
			return 1;
		if (megatron)
			continue;
		int option = s[0] == '-';
		megatron = option && launch_listed(entry_megatron, s);
		other |= option
		    ? strchr(s, '_') != NULL || launch_listed(entry_others, s)
		    : s[0] != '\0';
		other |= i == 0 && entry_is_yaml(&argv[i]);
	}
	return other && !megatron && strstr(name, "train_gpt") == NULL;
}

int
launch_module_starter(const char *module)
{
	if (launch_listed(
		"torch.distributed.launch torch.distributed.run "
		"torch.distributed.elastic accelerate.commands.launch "
		"deepspeed.launcher.runner",
		module))
		return LAUNCH_MODULE;
	if (launch_listed("debugpy pdb ipdb cProfile profile trace viztracer "
			  "memray scalene",
		module))
		return LAUNCH_PYTHON;
	return -1;
}

enum launch_class
launch_module_class(const char *module)
{
	if (entry_matches(entry_modules, module))
		return CLASS_OTHER;
	return CLASS_NONE;
}
