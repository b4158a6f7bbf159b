#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "inject.h"
#include "io.h"
#include "mem.h"
#include "opt.h"
#include "path.h"
#include "yaml.h"

enum { TRAINING_FILE = 4 << 20 };

/* The directory in which the launch runs, as far as it is known. */
static void
training_dir(const struct launch *x, struct buf *b)
{
	if (x->call == NULL || x->call->cwd == NULL ||
	    !shval_known(x->call->cwd, b) || b->len == 0) {
		buf_reset(b);
		buf_addc(b, '.');
	}
}

/* A file by its name where the launch runs: 0, or -1. */
static int
training_slurp(const struct launch *x, const char *name, struct buf *text)
{
	struct buf dir = { 0 }, path = { 0 };

	training_dir(x, &dir);
	path_join(&path, dir.s, name);
	buf_reset(text);
	int bad = io_slurp_file(path.s, text, TRAINING_FILE) < 0;
	buf_free(&dir);
	buf_free(&path);
	return bad ? -1 : 0;
}

static int
training_has(const struct buf *b, const char *s)
{
	size_t n = strlen(s);
	const char *p = b->s;

	while (b->len != 0 && n <= (size_t)(b->s + b->len - p)) {
		p = memchr(p, s[0], (size_t)(b->s + b->len - p) - n + 1);
		if (p == NULL)
			return 0;
		if (memcmp(p, s, n) == 0)
			return 1;
		p++;
	}
	return 0;
}

static const char training_llm[] = "MindSpeed-LLM",
		  training_link[] = "ModelLink",
		  training_ascend[] = "AscendSpeed";

/* Files by whose texts the frameworks' generations are told apart. */
static const struct {
	const char *file, *text, *name;
	enum profile_backend backend;
} training_signs[] = {
	{ "mindspeed_llm/training/training.py",
	    "profile_step_start - args.iteration", training_llm,
	    PROFILE_MCORE },
	{ "mindspeed_llm/training/training.py", "profile_step_start",
	    training_llm, PROFILE_MCORE_OLD },
	{ "modellink/training/training.py", "profile_step_start", training_link,
	    PROFILE_MCORE_OLD },
	{ "modellink/training.py", "profile_step_start", training_link,
	    PROFILE_MCORE_OLD },
	{ "mindspeed/functional/profile/adaptor.py", "profile", NULL,
	    PROFILE_MINDSPEED },
};

static void
training_version(const char *dir, struct training *t)
{
	struct buf path = { 0 }, text = { 0 };

	path_join(&path, dir, "setup.py");
	if (io_slurp_file(path.s, &text, TRAINING_FILE) == 0) {
		const char *s = strstr(text.s, "__version__");
		const char *end = s == NULL ? NULL : strpbrk(s, "'\"");
		if (end != NULL) {
			s = end + 1;
			end = strpbrk(s, "'\"\n");
			/* 0.0.1 is what was never set. */
			if (end != NULL && end - s < 40 &&
			    strncmp(s, "0.0.", 4) != 0)
				t->version = mem_dup(s, (size_t)(end - s));
		}
	}
	buf_free(&path);
	buf_free(&text);
}

/* Files in which the generations define their options. */
static void
training_options(const char *dir, struct training *t)
{
	static const struct {
		const char *file, *name;
	} files[] = {
		{ "mindspeed_llm/features_manager/functional/profiling.py",
		    training_llm },
		{ "mindspeed_llm/training/arguments.py", training_llm },
		{ "modellink/training/arguments.py", training_link },
		{ "modellink/arguments.py", training_link },
		{ "ascendspeed/arguments.py", training_ascend }
	};
	struct buf path = { 0 };

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		buf_reset(&path);
		path_join(&path, dir, files[i].file);
		if (io_slurp_file(path.s, &t->options, TRAINING_FILE) == 0 &&
		    t->name == NULL)
			t->name = files[i].name;
	}
	buf_free(&path);
}

/* 1 when the framework's sources stand in this directory. */
static int
training_look(const char *dir, struct training *t)
{
	const size_t n = sizeof training_signs / sizeof *training_signs;
	struct buf path = { 0 }, text = { 0 };
	int found = 0;

	for (size_t i = 0; i < n && !found; i++) {
		buf_reset(&path);
		buf_reset(&text);
		path_join(&path, dir, training_signs[i].file);
		if (io_slurp_file(path.s, &text, TRAINING_FILE) ||
		    !training_has(&text, training_signs[i].text))
			continue;
		t->backend = training_signs[i].backend;
		t->name = training_signs[i].name;
		t->ranks_listed = t->name != NULL &&
		    training_has(&text, "in args.profile_ranks") &&
		    !training_has(&text, "[-1]");
		if (t->name != NULL)
			training_version(dir, t);
		found = 1;
	}
	training_options(dir, t);
	t->without = !found && t->options.len != 0;
	found |= t->without;
	buf_free(&path);
	buf_free(&text);
	return found;
}

/* The directories of PYTHONPATH, as the script has it there. */
static int
training_python_path(const struct inject *in, struct training *t)
{
	struct buf b = { 0 };
	const struct shval *v = in->found.run == NULL
	    ? NULL
	    : shval_var(in->found.run, "PYTHONPATH");
	int found = 0;

	if (v != NULL)
		for (size_t i = 0; i < v->npiece; i++)
			if (v->piece[i].why == SHVAL_KNOWN)
				buf_add(&b, v->piece[i].s, v->piece[i].len);
	for (char *s = b.s; s != NULL && !found;) {
		char *colon = strchr(s, ':');
		if (colon != NULL)
			*colon = '\0';
		found = *s != '\0' && training_look(s, t);
		s = colon == NULL ? NULL : colon + 1;
	}
	buf_free(&b);
	return found;
}

static void
training_backend(
    const struct inject *in, const struct launch *x, struct training *t)
{
	struct buf dir = { 0 }, entry = { 0 }, path = { 0 }, beside = { 0 };

	t->backend = PROFILE_BACKENDS;
	training_dir(x, &dir);
	if (x->argc > x->entry)
		(void)shval_one(&x->argv[x->entry], &entry);
	buf_add(&entry, "", 0);
	path_join(&path, dir.s, entry.s);
	path_dir(&beside, path.s);
	int found = training_look(beside.s, t);
	if (found)
		t->how = mem_strdup(path_base(entry.s));
	else if (training_python_path(in, t))
		t->how = mem_strdup("PYTHONPATH");
	if (choose_dotted(in, x))
		t->backend = PROFILE_FSDP2;
	if (in->profile.backend != PROFILE_BACKENDS)
		t->backend = in->profile.backend;
	t->without &= t->backend == PROFILE_BACKENDS;
	buf_free(&dir);
	buf_free(&entry);
	buf_free(&path);
	buf_free(&beside);
}

/* Could a field of training be there that was not found? */
static int
training_hides(const struct yaml *y)
{
	uint32_t t = yaml_find(y, "training"), i = YAML_NONE;

	if (y->error != YAML_OK || t == YAML_NONE)
		return y->error != YAML_OK;
	if (y->item[t].kind == YAML_FLOW || y->item[t].kind == YAML_ALIAS)
		return 1;
	while ((i = yaml_next(y, t, i)) != YAML_NONE)
		if (yaml_is(y, i, "<<"))
			return 1;
	return 0;
}

int
training_field(
    const struct launch *x, const char *field, struct buf *b, size_t *line)
{
	struct buf name = { 0 }, text = { 0 };
	struct yaml y;
	int bad = -1;

	if (x->yaml == 0 || x->yaml >= x->argc ||
	    !shval_one(&x->argv[x->yaml], &name) ||
	    training_slurp(x, name.s, &text)) {
		buf_free(&name);
		buf_free(&text);
		return -1;
	}
	yaml_parse(&y, text.s, text.len);
	uint32_t i = yaml_find(&y, field);
	if (i != YAML_NONE)
		bad = yaml_value(&y, i, b);
	else if (training_hides(&y))
		bad = 1;
	if (i != YAML_NONE && line != NULL)
		*line = yaml_line(&y, y.item[i].key);
	yaml_free(&y);
	buf_free(&name);
	buf_free(&text);
	return bad;
}

int
training_value(const struct launch *x, const char *option, struct buf *b)
{
	size_t n = 0;
	const struct shval *v = launch_option(x, option, &n);

	buf_reset(b);
	buf_add(b, "", 0);
	/* Several words are a placeholder that fell apart: "your path". */
	if (v != NULL)
		return n <= 1 && shval_known(v, b) ? 0 : -1;
	if (x->dialect == LAUNCH_FSDP2 && strncmp(option, "--", 2) == 0)
		return training_field(x, option + 2, b, NULL);
	return -1;
}

int
training_number(const struct launch *x, const char *option, long *n)
{
	struct buf b = { 0 };
	int bad = training_value(x, option, &b);

	if (!bad)
		bad = opt_number(b.s, -1, 999999999, n);
	buf_free(&b);
	return bad;
}

void
training_resume(struct training *t, struct buf *b)
{
	static const char named[] = "global_step_";

	t->loaded_known = 1;
	if (b->len == 0 || strcmp(b->s, "null") == 0 || strcmp(b->s, "~") == 0)
		return;
	while (b->len > 1 && b->s[b->len - 1] == '/')
		b->s[--b->len] = '\0';
	const char *s = path_base(b->s);
	t->loaded_known = strncmp(s, named, sizeof named - 1) == 0 &&
	    opt_number(s + sizeof named - 1, 0, 999999999, &t->loaded) == 0;
}

static void
training_resumed(const struct launch *x, struct training *t)
{
	static const char option[] = "--training.resume_from_checkpoint";
	struct buf b = { 0 };

	if (training_value(x, option, &b) == 0)
		training_resume(t, &b);
	else
		t->loaded_known = launch_option(x, option, NULL) == NULL;
	buf_free(&b);
}

int
training_saves(const struct inject *in, const struct launch *x, struct buf *dir)
{
	int dotted = choose_dotted(in, x);
	const char *option = dotted ? "--training.output_dir" : "--save";
	long steps, epochs;

	if (dotted &&
	    training_number(x, "--training.save_steps", &steps) == 0 &&
	    steps <= 0 &&
	    training_number(x, "--training.save_epochs", &epochs) == 0 &&
	    epochs == 0)
		return 0;
	if (training_value(x, option, dir) == 0)
		return dir->len != 0;
	buf_reset(dir);
	return launch_option(x, option, NULL) != NULL;
}

/*
 * The iteration from which the training resumes, by the tracker in --load.
 * Converted weights have 1 in it and 0 or 1 within: which cannot be told.
 */
static void
training_loaded(const struct launch *x, struct training *t)
{
	struct buf b = { 0 }, name = { 0 };
	const struct shval *load = launch_option(x, "--load", NULL);

	t->loaded_known = 1;
	if (t->backend == PROFILE_FSDP2) {
		training_resumed(x, t);
	} else if (load == NULL ||
	    launch_option(x, "--finetune", NULL) != NULL) {
		/* a fresh count */
	} else if (!shval_known(load, &name) || name.len == 0) {
		t->loaded_known = 0;
	} else {
		buf_adds(&name, "/latest_checkpointed_iteration.txt");
		if (training_slurp(x, name.s, &b)) {
			t->loaded_known = errno == ENOENT || errno == ENOTDIR;
		} else {
			while (b.len > 0 && strchr(" \t\r\n", b.s[b.len - 1]))
				b.s[--b.len] = '\0';
			if (opt_number(b.s, 0, 999999999, &t->loaded))
				t->loaded = 0;
			t->loaded_unsure = t->loaded == 1;
			t->loaded -= t->loaded_unsure;
		}
	}
	buf_free(&b);
	buf_free(&name);
}

/* The last iteration, as far as the script says it; of --exit-interval, which
 * -x replaces, the first multiple. */
static void
training_ends(
    const struct inject *in, const struct launch *x, struct training *t)
{
	long every;

	t->limit = t->backend == PROFILE_FSDP2 ? "--training.max_steps"
					       : "--train-iters";
	if (training_number(x, t->limit, &t->iters) || t->iters < 0)
		t->iters = 0;
	if (t->backend != PROFILE_FSDP2 && !in->stop && t->loaded_known &&
	    training_number(x, "--exit-interval", &every) == 0 && every > 0) {
		long first = (t->loaded / every + 1) * every;
		if (t->iters == 0 || first < t->iters) {
			t->iters = first;
			t->limit = "--exit-interval";
		}
	}
	t->ends = t->iters;
	t->ender = t->limit;
}

void
training_read(struct inject *in, const struct launch *x, struct training *t)
{
	*t = (struct training){ .backend = PROFILE_BACKENDS, .read = 1 };
	if (x->call == NULL) {
		t->backend = in->profile.backend;
		t->limit = t->ender = "--train-iters";
		return;
	}
	training_backend(in, x, t);
	training_loaded(x, t);
	training_ends(in, x, t);
}

int
training_takes(const struct training *t, const char *word)
{
	struct buf b = { 0 };

	buf_addf(&b, "%s'", word);
	int takes = training_has(&t->options, b.s);
	b.s[b.len - 1] = '"';
	takes = takes || training_has(&t->options, b.s);
	buf_free(&b);
	return takes;
}

void
training_free(struct training *t)
{
	mem_free(t->version);
	mem_free(t->how);
	buf_free(&t->options);
	*t = (struct training){ 0 };
}
