/*
 * Whether a launch lacks the script's arguments: the script is read once as
 * it is run, without any, and once with words that can be found again. Where
 * these stand in the launch and nothing stands there now, one is missing.
 */
#include <stdio.h>
#include <string.h>

#include "launch.h"
#include "run.h"
#include "shcmd.h"

extern char **environ;

enum { ARGS_MAX = 12, ARGS_LEN = 15 };

static const char args_stem[] = "msp-argument-";

static void
args_join(struct buf *b, const struct shval *v)
{
	for (; v != NULL; v = v->alt)
		for (size_t i = 0; i < v->npiece; i++) {
			const struct shpiece *p = &v->piece[i];
			if (p->why == SHVAL_KNOWN)
				buf_add(b, p->s, p->len);
			else
				buf_addf(b, "\n%d %s\n", (int)p->why,
				    p->s != NULL ? p->s : "");
		}
}

/* $1 ... $9 or ${1...}: most scripts have none, and are not read for it. */
static int
args_used(const struct buf *text)
{
	for (size_t i = 1; i < text->len; i++) {
		const char *s = text->s + i;
		if (s[0] >= '1' && s[0] <= '9' &&
		    (s[-1] == '$' || (i > 1 && s[-1] == '{' && s[-2] == '$')))
			return 1;
	}
	return 0;
}

/* The words of the launches, one behind the other: a word that is missing is
 * like one that is empty. */
static void
args_launches(struct buf *b, const struct shcmd *cmd, const struct script *s,
    char *const *args, size_t nargs)
{
	struct shval_env env = { .script = s->path,
		.brief = 1,
		.args = args,
		.nargs = nargs,
		.environ = environ };
	struct launches l;

	buf_adds(b, "");
	launch_find(&l, cmd, &env, NULL, NULL, NULL);
	for (size_t i = 0; i < l.n; i++) {
		const struct launch *one = &l.launch[i];
		if (one->dead)
			continue;
		buf_addf(b, "\n%zu ", one->line);
		for (size_t j = 0; j < one->argc; j++)
			args_join(b, &one->argv[j]);
	}
	launch_free(&l);
}

/* The number of the word that begins here, or 0. */
static size_t
args_at(const char *s)
{
	size_t n = sizeof args_stem - 1;

	if (strncmp(s, args_stem, n) != 0 || s[n] < '0' || s[n] > '1' ||
	    s[n + 1] < '0' || s[n + 1] > '9')
		return 0;
	return (size_t)(s[n] - '0') * 10 + (size_t)(s[n + 1] - '0');
}

/*
 * Those that follow each other: how many, and the first whose place counts.
 * "$@" gives all to the last, and may well be empty.
 */
static size_t
args_group(const char *s, size_t *first)
{
	size_t n = 0;

	*first = 0;
	while (args_at(s + n * ARGS_LEN) != 0) {
		size_t from = args_at(s + n * ARGS_LEN), run = 1;
		while (args_at(s + (n + run) * ARGS_LEN) == from + run)
			run++;
		if (*first == 0 && (run == 1 || from + run - 1 != ARGS_MAX))
			*first = from;
		n += run;
	}
	return n;
}

/* Where a part is first, or, the last one, at the end. */
static const char *
args_find(const char *s, const char *part, size_t n, int last)
{
	size_t len = strlen(s);

	if (last)
		return len >= n && memcmp(s + len - n, part, n) == 0
		    ? s + len - n
		    : NULL;
	for (; len >= n; s++, len--)
		if (memcmp(s, part, n) == 0)
			return s;
	return NULL;
}

/*
 * The first argument in the one text in whose place the other has nothing;
 * what has something else there has a default.
 */
static size_t
args_missing(const char *now, const char *with)
{
	size_t missing = 0;

	while (*with != '\0') {
		size_t first, n = args_group(with, &first);
		with += n * ARGS_LEN;
		const char *next = strstr(with, args_stem);
		size_t len =
		    next != NULL ? (size_t)(next - with) : strlen(with);
		const char *at = args_find(now, with, len, next == NULL);
		if (at == NULL || (n == 0 && at != now))
			return 0;
		if (at == now && missing == 0)
			missing = first;
		now = at + len;
		with += len;
	}
	return *now == '\0' ? missing : 0;
}

size_t
args_lacking(const struct script *s)
{
	char word[ARGS_MAX][ARGS_LEN + 1], *args[ARGS_MAX];
	struct buf now = { 0 }, with = { 0 };
	struct shcmd cmd;

	if (s->nargs > 0 || !args_used(&s->text))
		return 0;
	for (int i = 0; i < ARGS_MAX; i++) {
		snprintf(word[i], ARGS_LEN + 1, "%s%02d", args_stem, i + 1);
		args[i] = word[i];
	}
	shcmd_parse(&cmd, s->text.s, s->text.len);
	args_launches(&now, &cmd, s, NULL, 0);
	args_launches(&with, &cmd, s, args, ARGS_MAX);
	size_t first = args_missing(now.s, with.s);
	buf_free(&now);
	buf_free(&with);
	shcmd_free(&cmd);
	return first;
}
