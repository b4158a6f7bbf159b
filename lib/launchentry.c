#include <fnmatch.h>
#include <string.h>

#include "launchin.h"

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
	"pretrain_qwen3_5.py", "posttrain_sora*.py", "posttrain_vlm*.py",
	"posttrain_flux*.py", "posttrain_qwen*.py", "rlhf_gpt.py", "ray_gpt.py",
	"train_grpo*.py", "train_dapo*.py", "train_ppo*.py",
	"train_text_to_image*.py", "train_dreambooth*.py",
	"train_controlnet*.py", "train_unconditional*.py", "trainer.py",
	"finetune_ocr2.py", "main_ppo.py", NULL };

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

enum launch_class
launch_entry_class(const char *path, const char *const *entries)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash == NULL ? path : slash + 1;
	size_t len = strlen(name);

	if (entry_matches(entries, name) || entry_matches(entries, path))
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

enum launch_class
launch_module_class(const char *module)
{
	if (entry_matches(entry_modules, module))
		return CLASS_OTHER;
	return CLASS_NONE;
}
