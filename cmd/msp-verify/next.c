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
	n->command[n->n++] = arena_dup(&v->arena, b->s, b->len);
	buf_free(b);
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

static void
add_analyse(struct verify *v, struct next *n, const char *path)
{
	static const char import[] =
	    "from torch_npu.profiler.profiler import analyse";
	struct buf b = { 0 };

	if (plain(path)) {
		buf_addf(&b, "python3 -c \"%s; analyse('%s')\"", import, path);
	} else {
		buf_addf(&b,
		    "python3 -c 'import sys; %s; analyse(sys.argv[1])' ",
		    import);
		shquote_word(&b, path, strlen(path));
	}
	add(v, n, &b);
}

static const char *
parent(struct verify *v, const char *path)
{
	struct buf b = { 0 };
	const char *s;

	path_dir(&b, path);
	s = arena_dup(&v->arena, b.s, b.len);
	buf_free(&b);
	return s;
}

/* analyse() parses all below a directory anew: only where all need it. */
static int
whole(const struct verify *v, size_t from, const char *dir)
{
	size_t len = strlen(dir), n = 0;

	for (size_t i = 0; i < v->nrank; i++) {
		const struct rank *r = v->rank[i];

		if (strncmp(r->path, dir, len) != 0 || r->path[len] != '/')
			continue;
		if (r->verdict != VERDICT_UNPARSED || r->older)
			return 0;
		n += i >= from;
	}
	return n > 0;
}

static void
parse_again(struct verify *v, struct next *n)
{
	struct buf b = { 0 };
	const char *dir, *done = NULL;

	buf_adds(&b, "source " CANN);
	add(v, n, &b);
	for (size_t i = 0; i < v->nrank; i++) {
		struct rank *r = v->rank[i];

		if (r->older || r->verdict != VERDICT_UNPARSED)
			continue;
		dir = parent(v, r->path);
		if (done != NULL && strcmp(done, dir) == 0)
			continue;
		if (strcmp(r->path, v->operand[r->operand]) != 0 &&
		    whole(v, i, dir)) {
			done = dir;
			add_analyse(v, n, dir);
		} else {
			add_analyse(v, n, r->path);
		}
	}
}

/* The script that was run can be run again as it is. */
static void
collect_again(struct verify *v, struct next *n)
{
	struct buf b = { 0 };

	if (v->expect->script == NULL)
		return;
	buf_adds(&b, "msp-run <");
	shquote_word(&b, v->expect->script, strlen(v->expect->script));
	buf_adds(&b, " | msp-verify");
	add(v, n, &b);
}

static void
wait_more(struct verify *v, struct next *n)
{
	struct buf b = { 0 };

	buf_adds(&b, "msp-verify --wait 600");
	for (size_t i = 0; i < v->noperand; i++) {
		buf_addc(&b, ' ');
		shquote_word(&b, v->operand[i], strlen(v->operand[i]));
	}
	add(v, n, &b);
}

void
next_commands(struct verify *v, struct next *n)
{
	*n = (struct next){ 0 };
	if (v->verdict == VERDICT_UNPARSED)
		parse_again(v, n);
	else if (v->verdict == VERDICT_RUNNING)
		wait_more(v, n);
	else if (v->verdict == VERDICT_INCOMPLETE ||
	    v->verdict == VERDICT_MISSING)
		collect_again(v, n);
}
