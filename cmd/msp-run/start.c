#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io.h"
#include "mem.h"
#include "path.h"
#include "run.h"
#include "shquote.h"
#include "spawn.h"

extern char **environ;

/*
 * What bash reads before the script: it puts the user's own BASH_ENV back and
 * sets the trap. The trap's output and its trace go nowhere, whatever the
 * script has set, and it changes no status.
 */
static void
start_text(struct buf *b, const char *status, const char *user)
{
	struct buf trap = { 0 };

	buf_adds(&trap, "{ builtin printf '%s ' \"${PIPESTATUS[@]}\" >|");
	shquote_word(&trap, status, strlen(status));
	buf_adds(&trap, "; } 2>/dev/null || :");
	buf_adds(b, "trap ");
	shquote_word(b, trap.s, trap.len);
	buf_adds(b, " EXIT\n");
	buf_free(&trap);
	if (user == NULL) {
		buf_adds(b, "unset BASH_ENV\n");
		return;
	}
	buf_adds(b, "BASH_ENV=");
	shquote_word(b, user, strlen(user));
	if (user[0] == '\0') {
		buf_addc(b, '\n');
		return;
	}
	/* bash expands its value as in double quotes */
	struct buf word = { 0 };
	for (const char *s = user; *s != '\0'; s++) {
		if (*s == '"')
			buf_addc(&word, '\\');
		buf_addc(&word, *s);
	}
	buf_addf(b, "\nif [ -f \"%s\" ]; then . \"%s\"; fi\n", word.s, word.s);
	buf_free(&word);
}

static char *
start_file(const char *dir, const char *name)
{
	struct buf b = { 0 };

	path_join(&b, dir, name);
	return buf_take(&b);
}

static char *
start_directory(const char *under)
{
	char *s = start_file(under, "msp-run.XXXXXX");

	if (under[0] == '/' && mkdtemp(s) != NULL)
		return s;
	mem_free(s);
	return NULL;
}

void
start_prepare(struct run_start *s, const struct run_place *place)
{
	const char *tmp = getenv("TMPDIR");
	struct buf b = { 0 };

	*s = (struct run_start){ 0 };
	if (place->stages == 0)
		return;
	s->private = start_directory(tmp != NULL ? tmp : "/tmp");
	if (s->private == NULL)
		s->private = start_directory("/tmp");
	if (s->private == NULL)
		return;
	s->env = start_file(s->private, "env");
	s->status = start_file(s->private, "status");
	start_text(&b, s->status, getenv("BASH_ENV"));
	int fd = io_open(s->env, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || io_write_all(fd, b.s, b.len) < 0) {
		if (fd >= 0)
			(void)close(fd);
		start_end(s);
	} else {
		(void)close(fd);
	}
	buf_free(&b);
}

void
start_end(struct run_start *s)
{
	if (s->env != NULL)
		(void)unlink(s->env);
	if (s->status != NULL)
		(void)unlink(s->status);
	if (s->private != NULL)
		(void)rmdir(s->private);
	mem_free(s->env);
	mem_free(s->status);
	mem_free(s->private);
	s->env = s->status = s->private = NULL;
}

/* 1 when the word may be given to bash in front of the script's name. */
static int
start_harmless(const char *s, size_t n)
{
	static const char letters[] = "abefhkmpruvxBCEHPTlo";

	if (n > 2 && s[0] == '-' && s[1] == '-')
		return memchr(s, '=', n) == NULL;
	if (n < 2 || (s[0] != '-' && s[0] != '+'))
		return 0;
	for (size_t i = 1; i < n; i++)
		if (strchr(letters, s[i]) == NULL)
			return 0;
	return 1;
}

static int
start_is(const char *s, size_t n, const char *name)
{
	size_t len = strlen(name);

	while (n > 0 && memchr(s, '/', n) != NULL) {
		const char *slash = memchr(s, '/', n);
		n -= (size_t)(slash + 1 - s);
		s = slash + 1;
	}
	return n == len && memcmp(s, name, n) == 0;
}

void
start_options(struct strs *l, const char *text, size_t len)
{
	static const char blanks[] = " \t\r";
	const char *end = memchr(text, '\n', len);
	int bash = 0, value = 0;

	if (len < 2 || memcmp(text, "#!", 2) != 0)
		return;
	end = end != NULL ? end : text + len;
	for (const char *s = text + 2; s < end;) {
		const char *w = s;
		while (s < end && memchr(blanks, *s, 3) == NULL)
			s++;
		size_t n = (size_t)(s - w);
		s += s < end;
		if (n == 0)
			continue;
		if (!bash) {
			bash = start_is(w, n, "bash");
			if (!bash && !start_is(w, n, "env") &&
			    !(n == 2 && memcmp(w, "-S", 2) == 0))
				return;
			continue;
		}
		if (!value && !start_harmless(w, n))
			return;
		char *word = mem_dup(w, n);
		strs_add(l, word);
		value = !value && w[1] != '-' && w[n - 1] == 'o';
		mem_free(word);
	}
}

/* The environment with BASH_ENV naming our file. */
static char **
start_environ(const struct run_start *s, struct buf *ours)
{
	size_t n = 0, m = 0;

	while (environ[n] != NULL)
		n++;
	char **envp = mem_zero(n + 2, sizeof *envp);
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "BASH_ENV=", 9) != 0)
			envp[m++] = environ[i];
	buf_addf(ours, "BASH_ENV=%s", s->env);
	envp[m] = ours->s;
	return envp;
}

static int
start_failed(int e)
{
	int status = e == ENOENT ? 127 : e == EACCES ? 126 : EXIT_NOTRUN;

	err_tell(
	    ERR_ERROR, ERR_NOWHERE, &T_NO_BASH, &T_NO_BASH_DO, strerror(e));
	return status;
}

int
start_script(struct run_start *s, const struct run_names *names,
    const struct script *script, int tell)
{
	struct strs option = { 0 };
	struct buf ours = { 0 };
	char **envp = s->env != NULL ? start_environ(s, &ours) : NULL;
	const char **argv;
	size_t n = 0;

	start_options(&option, script->text.s, script->text.len);
	argv = mem_zero(option.n + (size_t)script->nargs + 4, sizeof *argv);
	argv[n++] = "bash";
	for (size_t i = 0; i < option.n; i++)
		argv[n++] = option.s[i];
	argv[n++] = "--";
	argv[n++] = names->sh;
	for (int i = 0; i < script->nargs; i++)
		argv[n++] = script->args[i];
	struct spawn spawn = { .argv = argv,
		.envp = envp,
		.fd = { -1, names->fd, names->fd },
		.group = 1,
		.keep_signals = 1,
		.tell = tell };
	int e = spawn_start(&spawn, &s->pid);
	mem_free(argv);
	mem_free(envp);
	buf_free(&ours);
	strs_free(&option);
	if (e == 0)
		return 0;
	s->pid = 0;
	return start_failed(e);
}
