/*
 * The commands to run next, ready to be copied: paths quoted for where they
 * stand.
 */
#include <stdlib.h>
#include <string.h>

#include "path.h"
#include "shquote.h"
#include "verify.h"

#define CANN "/usr/local/Ascend/ascend-toolkit/set_env.sh"

static void
add(struct verify *v, struct next *n, struct buf *b)
{
	n->command = mem_more(n->command, n->n, &n->cap, sizeof *n->command);
	n->command[n->n++] = buf_keep(b, &v->arena);
}

/* As one word; what would act on a terminal as $'\xHH'. */
static void
quote(struct buf *b, const char *s)
{
	struct buf shown = { 0 };
	size_t n = strlen(s), slashes = 0;
	int safe;

	esc_add(&shown, s, n);
	for (size_t i = 0; i < n; i++)
		slashes += s[i] == '\\';
	safe = shown.len == n + slashes;
	if (safe) {
		shquote_word(b, s, n);
	} else {
		buf_adds(b, "$'");
		for (size_t i = 0; i < n; i++)
			if ((unsigned char)s[i] < ' ' ||
			    (unsigned char)s[i] >= 0x7f || s[i] == '\'' ||
			    s[i] == '\\')
				buf_addf(b, "\\x%02X", (unsigned char)s[i]);
			else
				buf_addc(b, s[i]);
		buf_addc(b, '\'');
	}
	buf_free(&shown);
}

/* Stands for itself between single quotes within double quotes. */
static int
plain(const char *s)
{
	for (; *s != 0; s++)
		if ((unsigned char)*s < ' ' || (unsigned char)*s >= 0x7f ||
		    strchr("'\"\\$`!", *s) != NULL)
			return 0;
	return 1;
}

/* To be asked for, since what was asked for gave nothing of use; or NULL. */
static const char *
export_type(const struct rank *r)
{
	if (find_failed(&r->finds, CHECK_O09))
		return "db";
	return find_failed(&r->finds, CHECK_O26) ? "text" : NULL;
}

static void
add_analyse(
    struct verify *v, struct next *n, const struct rank *r, const char *path)
{
	static const char import[] =
	    "from torch_npu.profiler.profiler import analyse";
	const char *type = export_type(r);
	struct buf b = { 0 }, more = { 0 };
	char mark = plain(path) ? '\'' : '"';

	buf_adds(&more, "");
	if (type != NULL)
		buf_addf(&more, ", export_type=[%c%s%c]", mark, type, mark);
	if (plain(path)) {
		buf_addf(&b, "python3 -c \"%s; analyse('%s'%s)\"", import, path,
		    more.s);
	} else {
		buf_addf(&b,
		    "python3 -c 'import sys; %s; analyse(sys.argv[1]%s)' ",
		    import, more.s);
		quote(&b, path);
	}
	buf_free(&more);
	add(v, n, &b);
}

static const char *
parent(struct verify *v, const char *path)
{
	struct buf b = { 0 };

	path_dir(&b, path);
	return buf_keep(&b, &v->arena);
}

/* analyse() parses all below a directory anew: only where all need it, and
 * the same. */
static int
whole(const struct verify *v, size_t from, const char *dir)
{
	const char *type = export_type(v->rank[from]);
	size_t len = strlen(dir), n = 0;

	for (size_t i = 0; i < v->nrank; i++) {
		const struct rank *r = v->rank[i];

		if (strncmp(r->path, dir, len) != 0 || r->path[len] != '/')
			continue;
		if (r->verdict != VERDICT_UNPARSED || r->older ||
		    export_type(r) != type)
			return 0;
		n += i >= from;
	}
	return n > 0;
}

static void
parse_again(struct verify *v, struct next *n)
{
	struct buf b = { 0 };
	const char *dir, *done = NULL, *apart = NULL;

	buf_adds(&b, "source " CANN);
	add(v, n, &b);
	for (size_t i = 0; i < v->nrank; i++) {
		struct rank *r = v->rank[i];

		if (r->older || r->verdict != VERDICT_UNPARSED)
			continue;
		dir = parent(v, r->path);
		if (done != NULL && strcmp(done, dir) == 0)
			continue;
		if ((apart == NULL || strcmp(apart, dir) != 0) &&
		    strcmp(r->path, v->operand[r->operand]) != 0 &&
		    whole(v, i, dir)) {
			done = dir;
			add_analyse(v, n, r, dir);
		} else {
			apart = dir;
			add_analyse(v, n, r, r->path);
		}
	}
}

static void
add_word(struct buf *b, const char *option, const char *value)
{
	buf_addf(b, " %s", option);
	if (value == NULL)
		return;
	buf_addc(b, ' ');
	quote(b, value);
}

/* What of the request differs from msp-inject's defaults. */
static void
add_request(struct verify *v, struct buf *b)
{
	static const struct {
		const char *key, *option, *usual;
	} rows[] = {
		{ "ranks", "-r", "0" },
		{ "level", "-l", "level1" },
		{ "memory", "-m", "off" },
		{ "cpu", "--no-profile-with-cpu", "on" },
		{ "stack", "--profile-with-stack", "off" },
		{ "shapes", "--profile-record-shapes", "off" },
		{ "export-type", "--profile-export-type", "" },
		{ "save-path", "-o", "./profiling_output" },
	};
	const struct profile *p = &v->expect->profile;
	struct buf value = { 0 };

	if (p->start != 2 || p->end != 4)
		buf_addf(b, " -s %ld:%ld", p->start, p->end);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		buf_reset(&value);
		if (profile_get(p, rows[i].key, &value) < 0 ||
		    value.s == NULL || strcmp(value.s, rows[i].usual) == 0)
			continue;
		add_word(b, rows[i].option,
		    strcmp(value.s, "on") == 0 || strcmp(value.s, "off") == 0
			? NULL
			: value.s);
	}
	buf_free(&value);
}

/* A script of unknown path is the profiled one, which can be run as it is. */
static void
collect_again(struct verify *v, struct next *n)
{
	const char *script = v->expect->script;
	struct buf b = { 0 };

	if (script == NULL)
		return;
	if (strncmp(path_base(script), "run_profiling_", 14) == 0) {
		buf_adds(&b, "msp-run <");
		quote(&b, script);
	} else {
		buf_adds(&b, "msp-inject -x");
		add_request(v, &b);
		buf_adds(&b, script[0] == '-' ? " -- " : " ");
		quote(&b, script);
		buf_adds(&b, " | msp-run");
	}
	buf_adds(&b, " | msp-verify");
	add(v, n, &b);
}

/* The options that say what was asked for, as they were given. */
static void
add_asked(const struct verify *v, struct buf *b)
{
	static const struct {
		enum expect_key bit;
		const char *key, *option;
	} rows[] = {
		{ EXPECT_RANKS, "ranks", "-r" },
		{ EXPECT_LEVEL, "level", "-l" },
		{ EXPECT_BACKEND, "backend", "-b" },
		{ EXPECT_EXPORT, "export-type", "--profile-export-type" },
		{ EXPECT_CPU, "cpu", "--profile-with-cpu" },
		{ EXPECT_MEMORY, "memory", "--profile-with-memory" },
		{ EXPECT_STACK, "stack", "--profile-with-stack" },
		{ EXPECT_SHAPES, "shapes", "--profile-record-shapes" },
	};
	const struct expect *e = v->expect;
	struct buf value = { 0 };

	if ((e->known & EXPECT_STEPS) != 0)
		buf_addf(b, " -s %ld:%ld", e->profile.start, e->profile.end);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		buf_reset(&value);
		if ((e->known & (unsigned)rows[i].bit) == 0 ||
		    profile_get(&e->profile, rows[i].key, &value) < 0 ||
		    value.len == 0)
			continue;
		if (strcmp(value.s, "off") == 0)
			buf_addf(b, " --no-%s", rows[i].option + 2);
		else
			add_word(b, rows[i].option,
			    strcmp(value.s, "on") == 0 ? NULL : value.s);
	}
	buf_free(&value);
}

static void
wait_more(struct verify *v, struct next *n)
{
	struct buf b = { 0 };

	buf_adds(&b, "msp-verify --wait 600");
	if (v->deep)
		buf_adds(&b, " --deep");
	if (v->parsed_only)
		buf_adds(&b, " --parsed-only");
	add_asked(v, &b);
	if (v->noperand > 0 && v->operand[0][0] == '-')
		buf_adds(&b, " --");
	for (size_t i = 0; i < v->noperand; i++) {
		buf_addc(&b, ' ');
		quote(&b, v->operand[i]);
	}
	add(v, n, &b);
}

void
next_commands(struct verify *v, struct next *n)
{
	*n = (struct next){ 0 };
	if (v->verdict == VERDICT_UNPARSED && verify_has_raw(v))
		parse_again(v, n);
	else if (v->verdict == VERDICT_RUNNING)
		wait_more(v, n);
	else if (v->verdict == VERDICT_INCOMPLETE ||
	    (v->verdict == VERDICT_MISSING && v->noperand == 0))
		collect_again(v, n);
	if (v->verdict == VERDICT_INCOMPLETE && n->n == 0 &&
	    verify_has_raw(v)) {
		n->rest = 1;
		parse_again(v, n);
	}
}
