#include "err.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io.h"
#include "path.h"

static struct {
	const char *name;
	int fatal;
	int quiet;
} program = { "msp", EXIT_FAILED, 0 };

/*
 * A closed standard descriptor is filled with one whose use fails, so that a
 * file opened later cannot take its place: writing to descriptor 0 and
 * reading from 1 and 2 is what nobody does.
 */
static void
err_open_standard(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

void
err_init(const char *name, int fatal)
{
	program.name = name;
	program.fatal = fatal;
	signal(SIGPIPE, SIG_DFL);
	sigset_t pipe;
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigprocmask(SIG_UNBLOCK, &pipe, NULL);
	err_open_standard();
	text_init();
}

const char *
err_program(void)
{
	return program.name;
}

void
err_quiet(int quiet)
{
	program.quiet = quiet;
}

static void
err_head(struct buf *b, enum err_level level, struct err_at at)
{
	static const char *const names[] = { "note", "warning", "error" };

	buf_addf(b, "%s: ", program.name);
	if (at.file != NULL) {
		esc_add(b, at.file, strlen(at.file));
		if (at.line != 0)
			buf_addf(b, ":%zu", at.line);
		if (at.line != 0 && at.col != 0)
			buf_addf(b, ":%zu", at.col);
		buf_adds(b, ": ");
	}
	buf_addf(b, "%s: ", names[level]);
}

void
err_put(enum err_level level, struct err_at at, const char *id,
    const char *text, const char *more)
{
	struct buf b = { 0 };

	if (level == ERR_NOTE && program.quiet)
		return;
	err_head(&b, level, at);
	buf_adds(&b, text);
	if (id[0] != '\0')
		buf_addf(&b, " [%s]", id);
	buf_addc(&b, '\n');
	for (size_t n; *more != '\0'; more += n + (more[n] == '\n')) {
		n = strcspn(more, "\n");
		buf_adds(&b, "    ");
		buf_add(&b, more, n);
		buf_addc(&b, '\n');
	}
	(void)io_write_all(2, b.s, b.len);
	buf_free(&b);
}

void
err_say_(enum err_level level, struct err_at at, const struct text *t, ...)
{
	struct buf b = { 0 };
	va_list ap;

	va_start(ap, t);
	text_vadd(&b, t, ap);
	va_end(ap);
	err_put(level, at, t->id, b.s, "");
	buf_free(&b);
}

void
err_tell_(enum err_level level, struct err_at at, const struct text *t,
    const struct text *remedy, ...)
{
	struct buf b = { 0 }, more = { 0 };
	va_list ap;

	va_start(ap, remedy);
	text_vadd(&b, t, ap);
	va_end(ap);
	va_start(ap, remedy);
	text_vadd(&more, remedy, ap);
	va_end(ap);
	err_put(level, at, t->id, b.s, more.s);
	buf_free(&b);
	buf_free(&more);
}

static void err_end(
    const struct text *, const char *, const char *) ERR_NORETURN;

/* Nothing here may allocate. */
static void
err_end(const struct text *t, const char *file, const char *line)
{
	char s[512];
	const char *arg[] = { file, line };
	const char *p = text_raw(t);
	int n = snprintf(s, sizeof s, "%s: error: ", program.name);
	size_t len = n < 0 ? 0 : (size_t)n;

	for (; *p != '\0' && len + 64 < sizeof s; p++) {
		if (*p != '%') {
			s[len++] = *p;
			continue;
		}
		p++;
		for (const char *a = arg[*p == '2']; *a != '\0'; a++)
			if (len + 64 < sizeof s)
				s[len++] = *a;
	}
	n = snprintf(s + len, sizeof s - len, " [%s]\n", t->id);
	(void)io_write_all(2, s, len + (n < 0 ? 0 : (size_t)n));
	_exit(program.fatal);
}

void
err_memory(void)
{
	err_end(&T_LIB_MEMORY, "", "");
}

void
err_bug_(const char *file, int line)
{
	char number[24];

	snprintf(number, sizeof number, "%d", line);
	err_end(&T_LIB_BUG, path_base(file), number);
}
