#include <stdio.h>
#include <string.h>

#include "edit.h"
#include "inject.h"
#include "opt.h"
#include "utf8.h"
#include "yaml.h"

/* A field that is to stand under "training:". */
struct field {
	const char *name;
	char value[64];
	const char *path; /* instead of value: quoted where it must be */
};
enum { FIELDS = 18 };
struct fields {
	struct field f[FIELDS];
	size_t n;
};

static struct field *
fields_add(struct fields *f, const char *name)
{
	struct field *x = &f->f[f->n++];

	*x = (struct field){ .name = name };
	return x;
}

/* The words of the command line as fields. */
static void
fields_profile(struct fields *f, const struct buf *words)
{
	const char *s = words->s, *end = words->s + words->len;
	const size_t group = strlen("--training.");
	struct field *x = NULL;

	for (; s < end; s += strlen(s) + 1) {
		if (strncmp(s, "--training.", group) == 0) {
			x = fields_add(f, s + group);
			continue;
		}
		if (strcmp(x->name, "profile_save_path") == 0) {
			x->path = s;
			continue;
		}
		size_t n = strlen(x->value);
		snprintf(x->value + n, sizeof x->value - n, "%s%s",
		    n == 0 ? "" : ", ", s);
	}
}

/* Between double quotes, what may not stand there or would be folded as an
 * escape. */
static void
fields_quoted(const char *s, struct buf *b)
{
	enum { FIRST = 0x4e00, LAST = 0x9fa5 }; /* CJK stays as it is */
	uint32_t code;

	buf_addc(b, '"');
	for (size_t n; *s != '\0'; s += n) {
		n = utf8_read(s, strlen(s), &code);
		if (n == 1 && (code < 0x20 || code == 0x7f)) {
			buf_addf(b, "\\x%02x", (unsigned)code);
		} else if (n > 1 && (code < FIRST || code > LAST)) {
			buf_addf(
			    b, n == 4 ? "\\U%08x" : "\\u%04x", (unsigned)code);
		} else {
			n += n == 0;
			if (*s == '"' || *s == '\\')
				buf_addc(b, '\\');
			buf_add(b, s, n);
		}
	}
	buf_addc(b, '"');
}

static void
fields_text(const struct field *x, struct buf *b)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz"
				    "0123456789_./";
	const char *s = x->path;

	if (strcmp(x->name, "profile_ranks") == 0)
		buf_addf(b, "[%s]", x->value);
	else if (s == NULL)
		buf_adds(b, x->value);
	else if (strchr("./", *s) != NULL && s[strspn(s, plain)] == '\0' &&
	    strpbrk(s, "/") != NULL)
		buf_adds(b, s);
	else
		fields_quoted(s, b);
}

static void
yamlfile_error(struct inject *in, const struct yaml *y)
{
	static const struct text *const texts[] = { NULL, &T_Y_TAB,
		&T_Y_DOCUMENTS, &T_Y_STYLE, &T_Y_OPEN, &T_Y_INDENT, &T_Y_SYNTAX,
		&T_Y_DEEP };

	find_error(
	    in, EXIT_REFUSED, yaml_line(y, y->at), texts[y->error], NULL);
}

static int
yamlfile_ours(const struct yaml *y, uint32_t item)
{
	const struct profile_option *o = profile_options;

	while (o->key != NULL && !yaml_is(y, item, o->fsdp2))
		o++;
	return o->key != NULL;
}

/* Old profiling fields: listed, or their lines deleted. */
static void
yamlfile_existing(
    struct inject *in, const struct yaml *y, uint32_t training, struct edit *e)
{
	struct buf list = { 0 };
	uint32_t i = YAML_NONE;
	size_t first = 0;

	while (training != YAML_NONE &&
	    (i = yaml_next(y, training, i)) != YAML_NONE) {
		const struct yaml_item *x = &y->item[i];
		if (!yamlfile_ours(y, i))
			continue;
		size_t line = yaml_line(y, x->line);
		buf_addf(&list, "%s%zu: ", list.len == 0 ? "" : "; ", line);
		buf_add(&list, y->text + x->key,
		    (x->valueend > x->key ? x->valueend : x->keyend) - x->key);
		if (first == 0)
			first = line;
		edit_delete(e, x->line, x->end - x->line);
	}
	if (first != 0 && in->mode == INJECT_ASK)
		find_error(in, EXIT_REFUSED, first, &T_PROFILED, &T_PROFILED_DO,
		    list.s);
	else if (first != 0 && in->mode == INJECT_KEEP)
		existing_keep(in, first, &list);
	buf_free(&list);
}

/* What the file's lines end with, and how its mappings are indented. */
static const char *
yamlfile_newline(const struct yaml *y)
{
	const char *p = memchr(y->text, '\n', y->len);

	return p != NULL && p > y->text && p[-1] == '\r' ? "\r\n" : "\n";
}

static uint32_t
yamlfile_indent(const struct yaml *y, uint32_t training)
{
	uint32_t i = yaml_next(y, training, YAML_NONE);

	if (i != YAML_NONE)
		return y->item[i].indent;
	for (size_t k = 0; k < y->n; k++)
		if (y->item[k].parent != YAML_NONE && y->item[k].indent > 0 &&
		    y->item[y->item[k].parent].parent == YAML_NONE)
			return y->item[k].indent;
	return 2;
}

/* Fields of -x may be there: their values are replaced. 1 when it was. */
static int
yamlfile_replace(const struct yaml *y, uint32_t training, const struct field *x,
    struct edit *e)
{
	struct buf name = { 0 }, text = { 0 };

	buf_addf(&name, "training.%s", x->name);
	uint32_t i = training == YAML_NONE ? YAML_NONE : yaml_find(y, name.s);
	buf_free(&name);
	if (i == YAML_NONE || strncmp(x->name, "profile", 7) == 0)
		return 0;
	const struct yaml_item *old = &y->item[i];
	uint32_t at = old->value;
	if (old->value == old->valueend) {
		for (at = old->keyend; y->text[at] != ':'; at++)
			;
		at++;
		buf_addc(&text, ' ');
	}
	fields_text(x, &text);
	edit_delete(e, at, old->valueend - old->value);
	edit_insert(e, at, text.s, text.len);
	buf_free(&text);
	return 1;
}

/*
 * Where fields are added: behind the last one. A newline that is missing
 * there would become part of a block scalar; then before the first one.
 */
static uint32_t
yamlfile_end(const struct yaml *y, uint32_t training)
{
	uint32_t end = (uint32_t)y->len, i = YAML_NONE;
	uint32_t first = yaml_next(y, training, YAML_NONE);

	if (training != YAML_NONE)
		end = y->item[training].end;
	else
		while ((i = yaml_next(y, YAML_NONE, i)) != YAML_NONE)
			end = y->item[i].end;
	if (end == 0 || y->text[end - 1] == '\n' || first == YAML_NONE ||
	    y->item[y->n - 1].kind != YAML_BLOCK)
		return end;
	return y->item[first].line;
}

static void
yamlfile_insert(const struct yaml *y, uint32_t training, const struct fields *f,
    struct edit *e)
{
	const char *newline = yamlfile_newline(y);
	struct buf b = { 0 };
	uint32_t at = yamlfile_end(y, training), indent = 2;

	if (training != YAML_NONE)
		indent = yamlfile_indent(y, training);
	if (at > 0 && y->text[at - 1] != '\n')
		buf_adds(&b, newline);
	if (training == YAML_NONE) {
		uint32_t first = yaml_next(y, YAML_NONE, YAML_NONE);
		uint32_t root = first == YAML_NONE ? 0 : y->item[first].indent;
		buf_addf(&b, "%*straining:%s", (int)root, "", newline);
		indent += root;
	}
	size_t empty = b.len;
	for (size_t i = 0; i < f->n; i++) {
		if (yamlfile_replace(y, training, &f->f[i], e))
			continue;
		for (uint32_t k = 0; k < indent; k++)
			buf_addc(&b, ' ');
		buf_addf(&b, "%s: ", f->f[i].name);
		fields_text(&f->f[i], &b);
		buf_adds(&b, newline);
	}
	if (b.len != empty)
		edit_insert(e, at, b.s, b.len);
	buf_free(&b);
}

static int
proof_field(const struct yaml *y, const struct field *f)
{
	struct buf name = { 0 }, want = { 0 }, got = { 0 };

	buf_addf(&name, "training.%s", f->name);
	uint32_t k = yaml_find(y, name.s);
	if (f->path != NULL)
		buf_adds(&want, f->path);
	else
		fields_text(f, &want);
	int bad = k == YAML_NONE || yaml_value(y, k, &got) ||
	    got.len != want.len || memcmp(got.s, want.s, got.len) != 0;
	buf_free(&name);
	buf_free(&want);
	buf_free(&got);
	return bad;
}

/* The next item below parent that must be as it was. */
static uint32_t
proof_next(
    const struct yaml *y, uint32_t parent, uint32_t i, const struct fields *f)
{
	for (;;) {
		i = yaml_next(y, parent, i);
		if (i == YAML_NONE)
			return i;
		int new = parent == YAML_NONE ? yaml_is(y, i, "training")
					      : yamlfile_ours(y, i);
		for (size_t k = 0; parent != YAML_NONE && k < f->n; k++)
			new |= yaml_is(y, i, f->f[k].name);
		if (!new)
			return i;
	}
}

/* Items are the same bytes; the file's last line may have got its newline. */
static int
proof_items(const struct yaml *old, uint32_t below, const struct yaml *new,
    uint32_t under, const struct fields *f)
{
	uint32_t a = YAML_NONE, b = YAML_NONE;

	for (;;) {
		a = proof_next(old, below, a, f);
		b = proof_next(new, under, b, f);
		if (a == YAML_NONE || b == YAML_NONE)
			return a != b;
		const struct yaml_item *p = &old->item[a], *q = &new->item[b];
		size_t n = p->end - p->line, m = q->end - q->line;
		int cut = p->end == old->len && old->text[p->end - 1] != '\n';
		if (m < n || (m > n && !cut) ||
		    memcmp(old->text + p->line, new->text + q->line, n) != 0)
			return 1;
	}
}

/* The result read again: every field is there with its value, every other
 * item is as it was. */
static int
yamlfile_proof(
    const struct yaml *old, const struct buf *text, const struct fields *f)
{
	struct yaml y;

	yaml_parse(&y, text->s, text->len);
	uint32_t was = yaml_find(old, "training");
	uint32_t is = yaml_find(&y, "training");
	int bad = y.error != YAML_OK || is == YAML_NONE;
	for (size_t i = 0; i < f->n && !bad; i++)
		bad = proof_field(&y, &f->f[i]);
	bad = bad || proof_items(old, YAML_NONE, &y, YAML_NONE, f) ||
	    (was != YAML_NONE && proof_items(old, was, &y, is, f));
	yaml_free(&y);
	return bad;
}

/* The steps of the training, 0 when they are not known. */
static long
yamlfile_steps(const struct yaml *y)
{
	struct buf b = { 0 };
	uint32_t i = yaml_find(y, "training.max_steps");
	long n = 0;

	if (i == YAML_NONE || yaml_value(y, i, &b) || b.len == 0 ||
	    opt_number(b.s, 1, 999999999, &n))
		n = 0;
	buf_free(&b);
	return n;
}

/* From which step the training resumes, as far as is known. */
static void
yamlfile_loaded(struct inject *in, const struct yaml *y)
{
	struct buf b = { 0 };
	uint32_t i = yaml_find(y, "training.resume_from_checkpoint");

	in->training.loaded_known = 1;
	if (i != YAML_NONE && yaml_value(y, i, &b) == 0)
		training_resume(&in->training, &b);
	buf_free(&b);
}

static void
yamlfile_stop(struct inject *in, const struct yaml *y, struct fields *f)
{
	uint32_t from = yaml_find(y, "training.resume_from_checkpoint");
	if (!in->training.loaded_known)
		find_refuse(
		    in, yaml_line(y, y->item[from].line), &T_STOP_LOAD, NULL);
	long end = in->training.loaded + in->profile.end + 3;
	long n = yamlfile_steps(y);

	in->training.ends = n > 0 && n < end ? n : end;
	if (n <= 0 || n > end)
		snprintf(fields_add(f, "max_steps")->value, 24, "%ld", end);
	snprintf(fields_add(f, "save_steps")->value, 8, "0");
	snprintf(fields_add(f, "save_hf_weights")->value, 8, "false");
	snprintf(fields_add(f, "save_epochs")->value, 8, "0");
}

/* Values that -x replaces must be scalars on one line. */
static void
yamlfile_scalars(
    struct inject *in, const struct yaml *y, const struct fields *f)
{
	for (size_t i = 0; i < f->n; i++) {
		struct buf name = { 0 };
		buf_addf(&name, "training.%s", f->f[i].name);
		uint32_t k = yaml_find(y, name.s);
		if (k != YAML_NONE && y->item[k].kind > YAML_DOUBLE &&
		    strncmp(f->f[i].name, "profile", 7) != 0)
			find_error(in, EXIT_REFUSED,
			    yaml_line(y, y->item[k].line), &T_Y_FIELD, NULL,
			    f->f[i].name);
		buf_free(&name);
	}
}

static int
yamlfile_readable(struct inject *in, const struct yaml *y, uint32_t training)
{
	uint32_t i = YAML_NONE;

	if (y->error != YAML_OK) {
		yamlfile_error(in, y);
		return 0;
	}
	i = training != YAML_NONE ? training
				  : yaml_next(y, YAML_NONE, YAML_NONE);
	if (i == YAML_NONE)
		return 1;
	const struct yaml_item *t = &y->item[i];
	int fine = t->key != t->keyend;
	if (training != YAML_NONE)
		fine &= (t->kind == YAML_MAP || t->kind == YAML_NULL) &&
		    t->flags == 0;
	i = YAML_NONE;
	while (training != YAML_NONE && fine &&
	    (i = yaml_next(y, training, i)) != YAML_NONE)
		fine = !yaml_is(y, i, "<<");
	if (!fine)
		find_error(in, EXIT_REFUSED, yaml_line(y, t->line),
		    &T_Y_TRAINING, NULL);
	return fine;
}

/* The checks that need no launch. */
static void
yamlfile_check(struct inject *in, const struct yaml *y, struct launch *x)
{
	in->training.iters = in->training.ends = yamlfile_steps(y);
	in->training.limit = in->training.ender = "max_steps";
	in->training.read = 1;
	yamlfile_loaded(in, y);
	in->profile.backend = in->training.backend = PROFILE_FSDP2;
	*x = (struct launch){ .dialect = LAUNCH_FSDP2, .broken = SH_NONE };
	in->chosen = NULL;
	if (in->profile.relative)
		profile_absolute(&in->profile, PROFILE_FSDP2, 0);
	check_steps(in, x);
	check_path(in, x);
	check_content(in, x);
	check_window(in, x);
	if (in->profile.which == PROFILE_EACH_NODE)
		find_error(in, EXIT_REFUSED, 0, &T_EACH_NODE, NULL);
	if (in->stop && in->profile.end == -1) {
		find_refuse(in, 0, &T_STOP_NO_END, NULL);
		in->stop = 0;
	}
}

void
yamlfile_edit(struct inject *in)
{
	struct yaml y;
	struct edit e = { 0 };
	struct fields f = { .n = 0 };
	struct buf words = { 0 };
	struct launch x;

	yaml_parse(&y, in->script.text.s, in->script.text.len);
	uint32_t training = yaml_find(&y, "training");
	if (yamlfile_readable(in, &y, training))
		yamlfile_existing(in, &y, training, &e);
	int keep = in->mode == INJECT_KEEP && e.n != 0;
	if (!keep)
		yamlfile_check(in, &y, &x);
	if (find_status(in) <= EXIT_NO && !keep) {
		/* those of -x first: --override leaves them where they are */
		if (in->stop)
			yamlfile_stop(in, &y, &f);
		profile_args(&in->profile, 1, &words);
		fields_profile(&f, &words);
		yamlfile_scalars(in, &y, &f);
	}
	if (find_status(in) <= EXIT_NO && keep) {
		buf_add(&in->out, y.text, y.len);
	} else if (find_status(in) <= EXIT_NO && f.n != 0) {
		yamlfile_insert(&y, training, &f, &e);
		if (edit_apply(&e, y.text, 0, y.len, &in->out))
			err_bug();
		if (yamlfile_proof(&y, &in->out, &f))
			find_error(in, EXIT_REFUSED, 0, &T_Y_SYNTAX, NULL);
	}
	edit_free(&e);
	buf_free(&words);
	yaml_free(&y);
}
