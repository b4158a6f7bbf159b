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

int
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

/* Files by whose texts the frameworks' generations are told apart. */
static const struct {
	const char *file, *text;
	enum profile_backend backend;
} training_signs[] = {
	{ "mindspeed_llm/training/training.py",
	    "profile_step_start - args.iteration", PROFILE_MCORE },
	{ "mindspeed_llm/training/training.py", "profile_step_start",
	    PROFILE_MCORE_OLD },
	{ "modellink/training/training.py", "profile_step_start",
	    PROFILE_MCORE_OLD },
	{ "modellink/training.py", "profile_step_start", PROFILE_MCORE_OLD },
	{ "mindspeed/functional/profile/adaptor.py", "profile",
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
			if (end != NULL && end - s < 40)
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
	static const char *const files[] = {
		"mindspeed_llm/features_manager/functional/profiling.py",
		"mindspeed_llm/training/arguments.py",
		"modellink/training/arguments.py", "modellink/arguments.py"
	};
	struct buf path = { 0 };

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		buf_reset(&path);
		path_join(&path, dir, files[i]);
		(void)io_slurp_file(path.s, &t->options, TRAINING_FILE);
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
		if (i < 4)
			training_version(dir, t);
		found = 1;
	}
	training_options(dir, t);
	found |= t->options.len != 0;
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
	buf_free(&dir);
	buf_free(&entry);
	buf_free(&path);
	buf_free(&beside);
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

/*
 * The iteration from which the training resumes, by the tracker in --load.
 * Converted weights have 1 in it and 0 within: which one cannot be told.
 */
static void
training_loaded(const struct launch *x, struct training *t)
{
	struct buf b = { 0 }, name = { 0 };
	const struct shval *load = launch_option(x, "--load", NULL);

	t->loaded_known = 1;
	if (t->backend == PROFILE_FSDP2 || load == NULL ||
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

void
training_read(struct inject *in, const struct launch *x, struct training *t)
{
	*t = (struct training){ .backend = PROFILE_BACKENDS };
	if (x->call == NULL) {
		t->backend = in->profile.backend;
		return;
	}
	training_backend(in, x, t);
	training_loaded(x, t);
	if (training_number(x,
		t->backend == PROFILE_FSDP2 ? "--training.max_steps"
					    : "--train-iters",
		&t->iters) ||
	    t->iters < 0)
		t->iters = 0;
	t->ends = t->iters;
}

void
training_free(struct training *t)
{
	mem_free(t->version);
	mem_free(t->how);
	buf_free(&t->options);
	*t = (struct training){ 0 };
}
