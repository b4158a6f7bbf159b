#include <stdlib.h>
#include <string.h>

#include "inject.h"
#include "path.h"
#include "strs.h"
#include "utf8.h"

enum { PLAN_COLUMN = 15 };

static void
plan_row(struct buf *b, const struct text *label, const char *value)
{
	const char *s = text_raw(label);

	buf_adds(b, "  ");
	buf_adds(b, s);
	for (size_t n = utf8_width(s, strlen(s)); n < PLAN_COLUMN; n++)
		buf_addc(b, ' ');
	buf_adds(b, value);
	buf_addc(b, '\n');
}

/* A value that says what should stand there. */
static int
plan_is_placeholder(const char *s)
{
	static const char *const words[] = { "your", "Your", "YOUR", "path",
		"/path/to", "<", "xxx", "None" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strncmp(s, words[i], strlen(words[i])) == 0)
			return 1;
	return 0;
}

/* The model: by the options that name it, else by its tokenizer. *option is
 * the one that did, or NULL. */
static void
plan_model(const struct launch *x, struct buf *b, const char **option)
{
	static const char *const names[] = { "--model-type-hf",
		"--model.model_id", "--model.model_name_or_path",
		"--tokenizer-name-or-path", "--tokenizer-model", "--load" };
	struct buf v = { 0 };

	*option = NULL;
	for (size_t i = 0; x->call && i < sizeof names / sizeof *names; i++) {
		if (training_value(x, names[i], &v) || v.len == 0 ||
		    plan_is_placeholder(v.s))
			continue;
		while (v.len > 1 && v.s[v.len - 1] == '/')
			v.s[--v.len] = '\0';
		/* The file in a model's directory is no name of a model. */
		char *file = v.s + strlen(v.s) - strlen(path_base(v.s));
		if (i > 1 && file > v.s + 1 &&
		    (str_ends(file, ".model") || str_ends(file, ".json")))
			file[-1] = '\0';
		else if (i > 1 && str_ends(file, ".model"))
			continue;
		buf_adds(b, i < 2 ? v.s : path_base(v.s));
		*option = names[i];
		break;
	}
	buf_add(b, "", 0);
	buf_free(&v);
}

static void
plan_range(struct buf *b, const struct profile_window *w)
{
	if (w->first == 0)
		return;
	if (w->last >= PROFILE_END)
		buf_addf(b, "%ld-", w->first);
	else if (w->first == w->last)
		buf_addf(b, "%ld", w->first);
	else
		buf_addf(b, "%ld-%ld", w->first, w->last);
}

static void
plan_window(
    const struct inject *in, enum profile_backend b, struct profile_window *w)
{
	profile_window(
	    &in->profile, b, in->training.loaded, in->training.ends, w);
}

/* Back ends that count from where a training resumes, which is not known. */
static int
plan_counts(const struct training *t)
{
	return t->backend != PROFILE_MCORE && t->backend != PROFILE_BACKENDS &&
	    (!t->loaded_known || t->loaded_unsure);
}

static void
plan_possible(const struct inject *in, struct buf *b)
{
	struct profile_window w;
	struct buf r[3] = { { 0 } };
	int one = 1;

	for (int i = 0; i < 3; i++) {
		plan_window(in, (enum profile_backend)i, &w);
		plan_range(&r[i], &w);
		if (r[i].len == 0)
			buf_addc(&r[i], '-');
		one &= w.first == w.last;
	}
	text_add(
	    b, one ? &T_P_POSSIBLE_ONE : &T_P_POSSIBLE, r[0].s, r[1].s, r[2].s);
	for (int i = 0; i < 3; i++)
		buf_free(&r[i]);
}

/* What it says for people where the framework is known. */
static void
plan_records(const struct inject *in, struct buf *b)
{
	const struct training *t = &in->training;
	struct profile_window w;
	struct buf r = { 0 }, n = { 0 }, first = { 0 };

	plan_window(in, t->backend, &w);
	plan_range(&r, &w);
	buf_addf(&first, "%ld", w.first);
	int one = w.first == w.last;
	buf_addf(&n, "%ld", w.written);
	if (w.first == 0)
		text_add(b, &T_P_NOTHING);
	else if (w.last >= PROFILE_END)
		text_add(b, &T_P_RECORDS_ON, first.s);
	else if (w.written == 0)
		text_add(b, one ? &T_P_RECORDS_END_ONE : &T_P_RECORDS_END, r.s);
	else
		text_add(b, one ? &T_P_RECORDS_ONE : &T_P_RECORDS, r.s, n.s);
	if (w.first != 0 && plan_counts(t))
		text_add(b, t->loaded_known ? &T_P_ONE_MORE : &T_P_FROM_LOADED);
	buf_free(&r);
	buf_free(&n);
	buf_free(&first);
}

static void
plan_backend(const struct inject *in, struct buf *b)
{
	static const char *const names[] = { "Mcore", "Mcore", "Mcore",
		"FSDP2" };
	const struct training *t = &in->training;

	if (t->without)
		text_add(b, &T_P_WITHOUT, t->name);
	else if (t->backend == PROFILE_BACKENDS)
		text_add(b, &T_P_UNKNOWN_BACKEND);
	else
		buf_adds(b, names[t->backend]);
	if (t->backend == PROFILE_MCORE_OLD)
		text_add(b, &T_P_OLD);
	if (in->profile.backend != PROFILE_BACKENDS && !in->yaml) {
		text_add(b, &T_P_GIVEN);
		return;
	}
	if (t->backend == PROFILE_MINDSPEED)
		text_add(b, &T_P_MINDSPEED);
	else if (t->name != NULL && !t->without)
		text_add(b, &T_P_FRAMEWORK, t->name,
		    t->version != NULL ? " " : "",
		    t->version != NULL ? t->version : "");
	if (t->how != NULL)
		text_add(b, &T_P_FOUND, t->how);
}

/* Where the training saves; nothing when it does not, or -x says so. */
static void
plan_checkpoint(const struct inject *in, const struct launch *x, struct buf *b)
{
	if (!in->stop && x->call != NULL)
		(void)training_saves(in, x, b);
}

static void
plan_ends(const struct inject *in, const struct launch *x, struct buf *b)
{
	struct buf n = { 0 }, dir = { 0 };
	const struct training *t = &in->training;

	plan_checkpoint(in, x, &dir);
	if (t->ends > 0)
		buf_addf(&n, "%ld", t->ends);
	if (t->ends == 0)
		text_add(b, &T_P_ENDS_UNKNOWN);
	else if (in->stop)
		text_add(b, &T_P_ENDS_STOP, n.s, t->ender);
	else
		text_add(b, &T_P_ENDS, n.s);
	if (dir.len != 0)
		text_add(b, &T_P_SAVES, dir.s);
	buf_free(&n);
	buf_free(&dir);
}

static void
plan_launch(const struct inject *in, const struct launch *x, struct buf *b)
{
	struct buf line = { 0 }, name = { 0 };

	for (size_t i = 0; i < in->nchosen; i++)
		buf_addf(&line, "%s%zu", i ? ", " : "", in->chosen[i]->line);
	for (size_t i = 0; i < x->argc && i <= x->entry; i++)
		if (i == 0 || i == x->entry) {
			size_t from = name.len;
			buf_adds(&name, i == 0 ? "" : " ");
			if (!shval_one(&x->argv[i], &name)) {
				name.len = from;
				buf_adds(&name, i == 0 ? "..." : " ...");
			}
		}
	buf_add(&name, "", 0);
	text_add(b, in->nchosen > 1 ? &T_P_LAUNCHES : &T_P_LAUNCH,
	    in->script.name, line.s, name.s);
	buf_free(&line);
	buf_free(&name);
}

/* The variable in whose assignment the value was written: " (NAME)". */
static void
plan_variable(const struct inject *in, const struct shval *v, struct buf *b)
{
	const struct shcmd *c = &in->cmd;

	if (v == NULL || v->npiece == 0 || v->piece[0].from.source == NULL ||
	    v->piece[0].from.source->cmd != c)
		return;
	uint32_t off = v->piece[0].from.off;
	for (size_t i = 0; i < c->nword; i++) {
		const struct shword *w = &c->word[i];
		if (!(w->flags & SHW_ASSIGN) || off < w->off || off >= w->end)
			continue;
		size_t n = strcspn(c->text + w->off, "=+[");
		buf_adds(b, " (");
		esc_add(b, c->text + w->off, n);
		buf_addc(b, ')');
		return;
	}
}

static void
plan_npus(const struct inject *in, const struct launch *x, struct buf *b)
{
	long npus = x->call ? launch_npus(x) : 0;
	long world = x->call ? launch_world(x) : 0;
	struct buf n = { 0 }, nodes = { 0 };

	buf_addf(&n, "%ld", npus);
	if (npus != 0)
		plan_variable(
		    in, launch_launcher_option(x, "--nproc_per_node"), &n);
	buf_addf(&nodes, "%ld", npus > 0 ? world / npus : 0);
	if (npus == 0)
		text_add(b, &T_P_NPUS_UNKNOWN);
	else if (world == 0 || world / npus == 1)
		text_add(b, world ? &T_P_ONE_NODE : &T_P_NPUS, n.s);
	else
		text_add(b, &T_P_NODES, n.s, nodes.s);
	buf_free(&n);
	buf_free(&nodes);
}

static void
plan_findings(const struct inject *in, struct buf *b)
{
	static const char *const names[] = { "note", "warning", "error" };

	for (size_t i = 0; i < in->nfinding; i++) {
		const struct finding *f = &in->finding[i];
		if (f->level == ERR_NOTE && in->quiet)
			continue;
		buf_addf(b, "  %s: ", names[f->level]);
		if (f->line != 0) {
			esc_add(b, in->script.name, strlen(in->script.name));
			buf_addf(b, ":%zu: ", f->line);
		}
		text_add(
		    b, f->text, f->arg[0], f->arg[1], f->arg[2], f->arg[3]);
		buf_addf(b, " [%s]\n", f->text->id);
		if (f->remedy == NULL)
			continue;
		buf_adds(b, "      ");
		text_add(
		    b, f->remedy, f->arg[0], f->arg[1], f->arg[2], f->arg[3]);
		buf_addc(b, '\n');
	}
}

/* One row of the request, in the words of the option. */
static void
plan_request(const struct inject *in, struct buf *b)
{
	static const struct {
		const struct text *label;
		const char *key;
	} rows[] = { { &T_L_CPU, "cpu" }, { &T_L_MEMORY, "memory" },
		{ &T_L_STACK, "stack" }, { &T_L_SHAPES, "shapes" },
		{ &T_L_OUTPUT, "save-path" }, { &T_L_EXPORT, "export-type" } };
	struct buf v = { 0 }, esc = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		buf_reset(&v);
		buf_reset(&esc);
		if (profile_get(&in->profile, rows[i].key, &v))
			continue;
		esc_add(&esc, v.s, v.len);
		if (strcmp(esc.s, "on") == 0)
			plan_row(b, rows[i].label, text_raw(&T_P_ON));
		else if (strcmp(esc.s, "off") == 0)
			plan_row(b, rows[i].label, text_raw(&T_P_OFF));
		else
			plan_row(b, rows[i].label, esc.s);
	}
	buf_free(&v);
	buf_free(&esc);
}

static void
plan_steps(const struct inject *in, struct buf *b)
{
	struct buf start = { 0 }, end = { 0 };

	profile_get(&in->profile, "step-start", &start);
	profile_get(&in->profile, "step-end", &end);
	text_add(b, in->profile.end == -1 ? &T_P_STEPS_END : &T_P_STEPS,
	    start.s, end.s);
	buf_free(&start);
	buf_free(&end);
}

static void
plan_kept(const struct inject *in, struct buf *b)
{
	struct buf v = { 0 };

	esc_add(&v, in->kept.s, in->kept.len);
	plan_row(b, &T_L_KEPT, v.s);
	buf_free(&v);
}

/* What comes of it; a script that was refused is not asked for that. */
static void
plan_follows(const struct inject *in, const struct launch *x, struct buf *b)
{
	struct buf v = { 0 };

	plan_backend(in, &v);
	plan_row(b, &T_L_BACKEND, v.s);
	buf_reset(&v);
	if (in->training.without)
		text_add(&v, &T_P_NOTHING);
	else if (in->training.backend == PROFILE_BACKENDS)
		plan_possible(in, &v);
	else
		plan_records(in, &v);
	plan_row(b, &T_L_RECORDS, v.s);
	buf_reset(&v);
	plan_ends(in, x, &v);
	plan_row(b, &T_L_ENDS, v.s);
	buf_free(&v);
}

/* What is to be recorded. */
static void
plan_asked(const struct inject *in, const struct launch *x, struct buf *b)
{
	struct buf v = { 0 };

	profile_get(&in->profile, "level", &v);
	plan_row(b, &T_L_LEVEL, v.s);
	buf_reset(&v);
	plan_steps(in, &v);
	plan_row(b, &T_L_STEPS, v.s);
	buf_reset(&v);
	profile_get(&in->profile, "ranks", &v);
	plan_row(b, &T_L_RANKS, v.s);
	plan_request(in, b);
	if (in->training.read)
		plan_follows(in, x, b);
	buf_free(&v);
}

static void
plan_table(const struct inject *in, const struct launch *x, struct buf *b)
{
	struct buf v = { 0 };
	const char *option;

	plan_launch(in, x, &v);
	plan_row(b, &T_L_SCRIPT, v.s);
	buf_reset(&v);
	struct buf model = { 0 };
	plan_model(x, &model, &option);
	esc_add(&v, model.s, model.len);
	if (option != NULL)
		buf_addf(&v, " (%s)", option);
	else
		text_add(&v, &T_P_MODEL_UNKNOWN);
	plan_row(b, &T_L_MODEL, v.s);
	buf_free(&model);
	buf_reset(&v);
	plan_npus(in, x, &v);
	plan_row(b, &T_L_NPUS, v.s);
	if (in->kept.len != 0) {
		plan_kept(in, b);
		buf_free(&v);
		return;
	}
	plan_asked(in, x, b);
	buf_reset(&v);
	choose_words(in, &v);
	if (in->verbose)
		plan_row(b, &T_L_ARGUMENTS, v.s);
	buf_free(&v);
}

/* Of a YAML file. */
static void
plan_file(const struct inject *in, const struct launch *x, struct buf *b)
{
	struct buf name = { 0 };

	esc_add(&name, in->script.name, strlen(in->script.name));
	plan_row(b, &T_L_SCRIPT, name.s);
	if (in->kept.len != 0)
		plan_kept(in, b);
	else
		plan_asked(in, x, b);
	buf_free(&name);
}

/* --- for machines --- */

static void
plan_put(const struct inject *in, const char *key, const struct buf *v,
    struct buf *b)
{
	const char *fields[] = { key, v->len == 0 ? NULL : v->s };

	rec_put(b, in->format, REC_PLAN, fields);
}

static void
plan_outcome(const struct inject *in, struct buf *b)
{
	const struct training *t = &in->training;
	struct profile_window w = { 0 };
	struct buf v = { 0 };

	if (t->read && t->backend != PROFILE_BACKENDS &&
	    (t->loaded_known || t->backend == PROFILE_MCORE))
		plan_window(in, t->backend, &w);
	plan_range(&v, &w);
	plan_put(in, "records", &v, b);
	buf_reset(&v);
	if (w.written != 0)
		buf_addf(&v, "%ld", w.written);
	plan_put(in, "written-after", &v, b);
	buf_reset(&v);
	if (in->training.ends != 0)
		buf_addf(&v, "%ld", in->training.ends);
	plan_put(in, "ends-after", &v, b);
	buf_free(&v);
}

static void
plan_machine(const struct inject *in, const struct launch *x, struct buf *b)
{
	static const char *const keys[] = { "level", "step-start", "step-end",
		"ranks", "cpu", "memory", "stack", "shapes", "save-path",
		"export-type" };
	struct buf v = { 0 };
	const char *option;
	int appends;

	plan_model(x, &v, &option);
	plan_put(in, "model", &v, b);
	buf_reset(&v);
	buf_adds(&v, in->script.name);
	plan_put(in, "script", &v, b);
	buf_reset(&v);
	if (x->call != NULL && launch_npus(x) > 0)
		buf_addf(&v, "%ld", launch_npus(x));
	plan_put(in, "npus", &v, b);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		buf_reset(&v);
		if (profile_get(&in->profile, keys[i], &v))
			buf_reset(&v);
		plan_put(in, keys[i], &v, b);
	}
	buf_reset(&v);
	if (in->training.read && in->training.backend != PROFILE_BACKENDS)
		buf_adds(&v, profile_backend_name(in->training.backend));
	plan_put(in, "backend", &v, b);
	buf_reset(&v);
	if (x->line != 0)
		buf_addf(&v, "%zu", x->line);
	plan_put(in, "line", &v, b);
	plan_outcome(in, b);
	buf_reset(&v);
	plan_checkpoint(in, x, &v);
	plan_put(in, "checkpoint", &v, b);
	buf_reset(&v);
	if (check_log(in, x, &v, &appends))
		buf_reset(&v);
	plan_put(in, "log", &v, b);
	buf_free(&v);
}

/* Messages of machine formats are English in every locale. */
static void
plan_message(struct buf *b, const struct text *t, const struct finding *f)
{
	const struct text en = { t->id, t->en, t->en };

	text_add(b, &en, f->arg[0], f->arg[1], f->arg[2], f->arg[3]);
}

static void
plan_warnings(const struct inject *in, struct buf *b)
{
	for (size_t i = 0; i < in->nfinding; i++) {
		const struct finding *f = &in->finding[i];
		struct buf line = { 0 }, message = { 0 }, remedy = { 0 };
		if (f->line != 0)
			buf_addf(&line, "%zu", f->line);
		plan_message(&message, f->text, f);
		if (f->remedy != NULL)
			plan_message(&remedy, f->remedy, f);
		const char *fields[] = { f->text->id, line.s, message.s,
			remedy.s };
		rec_put(b, in->format, REC_WARN, fields);
		buf_free(&line);
		buf_free(&message);
		buf_free(&remedy);
	}
}

static void
plan_sum(const struct inject *in, const char *verdict, struct buf *b)
{
	struct buf warnings = { 0 }, errors = { 0 };
	unsigned n[3] = { 0, 0, 0 };

	for (size_t i = 0; i < in->nfinding; i++)
		n[in->finding[i].level]++;
	buf_addf(&warnings, "warnings=%u", n[ERR_WARNING]);
	buf_addf(&errors, "errors=%u", n[ERR_ERROR]);
	const char *counts[] = { warnings.s, errors.s, NULL };
	rec_sum(b, in->format, verdict, counts);
	buf_free(&warnings);
	buf_free(&errors);
}

void
plan_print(struct inject *in, struct buf *b)
{
	static const struct launch none = { .dialect = LAUNCH_FSDP2,
		.broken = SH_NONE };
	int ready = find_status(in) == EXIT_YES;
	const struct launch *x = in->nchosen != 0 ? in->chosen[0] : NULL;

	if (in->yaml)
		x = &none;

	if (in->format != REC_TEXT) {
		if (x != NULL && in->kept.len == 0)
			plan_machine(in, x, b);
		plan_warnings(in, b);
		plan_sum(in, ready ? "ready" : "refused", b);
		return;
	}
	buf_addf(b, "%s: %s\n", err_program(),
	    text_raw(ready ? &T_READY : &T_REFUSED));
	if (in->yaml)
		plan_file(in, x, b);
	else if (x != NULL && x->dialect != LAUNCH_OTHER)
		plan_table(in, x, b);
	plan_findings(in, b);
}
