#include "script.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io.h"
#include "mem.h"

static const char script_mark[] = "# msp: end script=";

static int
script_fail(const struct script *s, const struct text *t)
{
	err_say(ERR_ERROR, ((struct err_at){ s->name, 0, 0 }), t);
	return -1;
}

static int
script_unreadable(const char *name)
{
	err_say(ERR_ERROR, ERR_NOWHERE, &T_LIB_READ, name, strerror(errno));
	return -1;
}

/* What a regular file on standard input is called, or NULL. */
static char *
script_stdin_path(void)
{
	char name[PATH_MAX];
	struct stat in, file;

	if (fstat(0, &in) < 0 || !S_ISREG(in.st_mode))
		return NULL;
	ssize_t n = readlink("/proc/self/fd/0", name, sizeof name - 1);
	if (n <= 0)
		return NULL;
	name[n] = '\0';
	if (stat(name, &file) < 0 || file.st_dev != in.st_dev ||
	    file.st_ino != in.st_ino)
		return NULL;
	return mem_dup(name, (size_t)n);
}

/*
 * Takes the closing comment off the text. Its path goes to *path, NULL when
 * it says "-" or is damaged.
 */
static int
script_open(struct buf *b, char **path)
{
	const size_t mark = sizeof script_mark - 1;
	size_t at;

	*path = NULL;
	if (b->len == 0 || b->s[b->len - 1] != '\n')
		return 0;
	for (at = b->len - 1; at > 0 && b->s[at - 1] != '\n';)
		at--;
	if (b->len - at <= mark + 1 ||
	    memcmp(b->s + at, script_mark, mark) != 0)
		return 0;
	const char *value = b->s + at + mark;
	size_t n = b->len - 1 - at - mark;
	struct buf plain = { 0 };
	if (!(n == 1 && *value == '-') && esc_undo(&plain, value, n) == 0)
		*path = buf_take(&plain);
	buf_free(&plain);
	b->len = at;
	b->s[at] = '\0';
	return 1;
}

/* The tool whose text report the bytes are, or NULL. */
static const char *
script_report(const struct buf *b)
{
	static const char *const tools[] = { "msp-check-env", "msp-scan-paths",
		"msp-inject", "msp-run", "msp-verify" };

	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		size_t n = strlen(tools[i]);
		if (b->len > n && memcmp(b->s, tools[i], n) == 0 &&
		    b->s[n] == ':')
			return tools[i];
	}
	return NULL;
}

static int
script_load(struct script *s, const char *file)
{
	int r = file != NULL ? io_slurp_file(file, &s->text, SCRIPT_MAX)
			     : io_slurp(0, &s->text, SCRIPT_MAX);

	if (r < 0)
		return script_unreadable(
		    file != NULL ? file : text_raw(&T_LIB_STDIN));
	if (r > 0)
		return script_fail(s, &T_LIB_TOO_BIG);
	if (s->text.len == 0 && file == NULL) {
		err_say(ERR_NOTE, ERR_NOWHERE, &T_LIB_NOTHING);
		return -1;
	}
	if (s->text.len == 0)
		return script_fail(s, &T_LIB_EMPTY);
	const char *tool = script_report(&s->text);
	if (tool != NULL) {
		err_say(ERR_ERROR, ERR_NOWHERE, &T_LIB_REPORT, tool);
		return -1;
	}
	return 0;
}

static void
script_choose_path(
    struct script *s, const char *option, const char *file, char *comment)
{
	struct stat st;

	if (option != NULL)
		s->path = mem_strdup(option);
	else if (file != NULL)
		s->path = mem_strdup(file);
	else if (comment != NULL)
		s->path = mem_strdup(comment);
	else
		s->path = script_stdin_path();
	if (s->path != NULL)
		s->name = s->path;
	if (s->path != NULL && stat(s->path, &st) == 0)
		s->mode = (int)(st.st_mode & 0777);
}

int
script_read(struct script *s, int argc, char **argv, const char *path_option,
    int *status)
{
	const char *file =
	    argc > 0 && strcmp(argv[0], "-") != 0 ? argv[0] : NULL;
	char *comment = NULL;

	*s = (struct script){ .name = "stdin" };
	s->args = argc > 0 ? argv + 1 : argv;
	s->nargs = argc > 0 ? argc - 1 : 0;
	if (path_option != NULL || file != NULL)
		s->name = path_option != NULL ? path_option : file;
	*status = EXIT_FAILED;
	if (script_load(s, file) < 0)
		return -1;
	s->closed = script_open(&s->text, &comment);
	script_choose_path(s, path_option, file, comment);
	mem_free(comment);
	if (memchr(s->text.s, '\0', s->text.len) != NULL) {
		*status = EXIT_REFUSED;
		return script_fail(s, &T_LIB_NUL);
	}
	return 0;
}

void
script_free(struct script *s)
{
	buf_free(&s->text);
	mem_free(s->path);
	*s = (struct script){ 0 };
}

void
script_close(struct buf *b, const char *text, size_t len, const char *path)
{
	buf_add(b, text, len);
	if (len > 0 && text[len - 1] == '\\')
		buf_adds(b, "\n\n");
	else if (len > 0 && text[len - 1] != '\n')
		buf_addc(b, '\n');
	else if (len > 1 && text[len - 2] == '\\')
		buf_addc(b, '\n');
	buf_adds(b, script_mark);
	esc_field(b, path);
	buf_addc(b, '\n');
}
