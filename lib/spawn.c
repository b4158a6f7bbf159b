#include "spawn.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "buf.h"
#include "io.h"
#include "path.h"

extern char **environ;

static void
spawn_default_signals(int keep)
{
	sigset_t none;

	for (int i = 1; i < 32; i++) {
		struct sigaction now;
		if (sigaction(i, NULL, &now) < 0)
			continue;
		if (keep && now.sa_handler == SIG_IGN && i != SIGPIPE)
			continue;
		signal(i, SIG_DFL);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

void
spawn_close(int from, int keep)
{
	DIR *d = opendir("/proc/self/fd");
	struct rlimit limit;
	long top = 256;

	if (d != NULL) {
		for (struct dirent *e; (e = readdir(d)) != NULL;) {
			long fd = strtol(e->d_name, NULL, 10);
			if (fd >= from && fd != keep && fd != dirfd(d))
				close((int)fd);
		}
		closedir(d);
		return;
	}
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	    limit.rlim_cur != RLIM_INFINITY)
		top = limit.rlim_cur < 4096 ? (long)limit.rlim_cur : 4096;
	for (int i = from; i < top; i++)
		if (i != keep)
			close(i);
}

/* Puts the wanted descriptors to 0, 1, 2 and closes all above but keep. */
static int
spawn_descriptors(const int *want, int keep)
{
	int fd[3];

	for (int i = 0; i < 3; i++) {
		fd[i] = want[i] < 0
		    ? open("/dev/null", i == 0 ? O_RDONLY : O_WRONLY)
		    : want[i];
		if (fd[i] >= 0)
			fd[i] = fcntl(fd[i], F_DUPFD, 3);
		if (fd[i] < 0)
			return -1;
	}
	for (int i = 0; i < 3; i++)
		if (dup2(fd[i], i) < 0)
			return -1;
	spawn_close(3, keep);
	return 0;
}

static void
spawn_child(const struct spawn *s, const char *program, int report)
{
	if (s->group)
		setpgid(0, 0);
	if (s->tell > 0) {
		pid_t self = getpid();
		(void)io_write_all(s->tell, &self, sizeof self);
	}
	spawn_default_signals(s->keep_signals);
	if (spawn_descriptors(s->fd, report) == 0 &&
	    (s->dir == NULL || chdir(s->dir) == 0)) {
		environ = s->envp != NULL ? (char **)s->envp : environ;
		execv(program, (char *const *)s->argv);
	}
	int e = errno;
	(void)io_write_all(report, &e, sizeof e);
	_exit(127);
}

int
spawn_start(const struct spawn *s, pid_t *pid)
{
	struct buf program = { 0 };
	int report[2], e = 0;

	if (path_find_program(&program, s->argv[0]) < 0) {
		e = strchr(s->argv[0], '/') != NULL ? errno : ENOENT;
		buf_free(&program);
		return e;
	}
	if (pipe(report) < 0) {
		e = errno;
		buf_free(&program);
		return e;
	}
	fcntl(report[1], F_SETFD, FD_CLOEXEC);
	*pid = fork();
	if (*pid == 0)
		spawn_child(s, program.s, report[1]);
	if (*pid < 0)
		e = errno;
	close(report[1]);
	buf_free(&program);
	if (*pid > 0) {
		if (s->group)
			setpgid(*pid, *pid);
		ssize_t n;
		do
			n = read(report[0], &e, sizeof e);
		while (n < 0 && errno == EINTR);
		if (n != sizeof e)
			e = 0;
		else
			(void)spawn_wait(*pid, &(int){ 0 });
	}
	close(report[0]);
	return e;
}

int
spawn_wait(pid_t pid, int *status)
{
	pid_t r;

	do
		r = waitpid(pid, status, 0);
	while (r < 0 && errno == EINTR);
	return r < 0 ? -1 : 0;
}

long
spawn_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

char
spawn_state(pid_t pid)
{
	char name[48];
	struct buf b = { 0 };
	char state = 0;

	snprintf(name, sizeof name, "/proc/%ld/stat", (long)pid);
	if (io_slurp_file(name, &b, 4096) >= 0 && b.len > 0) {
		const char *paren = strrchr(b.s, ')');
		if (paren != NULL && paren[1] == ' ')
			state = paren[2];
	}
	buf_free(&b);
	return state;
}

/*
 * Waits at most until the deadline; 0 when the child has ended. Polls, since
 * POSIX has no wait with a limit; most children are gone at the first look.
 */
static int
spawn_wait_until(pid_t pid, long deadline, int *status)
{
	for (long pause = 1;; pause = pause < 20 ? pause * 2 : pause) {
		pid_t r = waitpid(pid, status, WNOHANG);
		if (r == pid || (r < 0 && errno != EINTR))
			return r == pid ? 0 : -1;
		if (spawn_clock() >= deadline)
			return -1;
		struct timespec t = { 0, pause * 1000000L };
		nanosleep(&t, NULL);
	}
}

/*
 * Collects what comes until the end, the deadline, or until the child has
 * ended while a grandchild keeps the pipe open. 1 when the deadline came.
 */
static int
spawn_collect(int fd, pid_t pid, size_t max, long deadline, struct buf *out,
    struct spawn_run *run, int *reaped)
{
	for (;;) {
		long left = deadline - spawn_clock();
		if (left <= 0)
			return 1;
		struct pollfd p = { fd, POLLIN, 0 };
		int slice = left < 100 ? (int)left : 100;
		int r = poll(&p, 1, *reaped ? 0 : slice);
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0) {
			if (*reaped)
				return 0;
			*reaped = waitpid(pid, &run->status, WNOHANG) == pid;
			continue;
		}
		char piece[16 << 10];
		ssize_t n = read(fd, piece, sizeof piece);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			return 0;
		size_t room = max - out->len;
		if ((size_t)n > room)
			run->cut = 1;
		buf_add(out, piece, (size_t)n > room ? room : (size_t)n);
	}
}

void
spawn_capture(const char *const *argv, char *const *envp, size_t max, int limit,
    struct buf *out, struct spawn_run *run)
{
	struct spawn s = { .argv = argv, .envp = envp, .group = 1 };
	int fd[2], reaped = 0;
	pid_t pid;
	long deadline = spawn_clock() + limit;

	*run = (struct spawn_run){ .end = SPAWN_FAILED };
	if (pipe(fd) < 0) {
		run->status = errno;
		return;
	}
	fcntl(fd[0], F_SETFD, FD_CLOEXEC);
	fcntl(fd[0], F_SETFL, O_NONBLOCK);
	s.fd[0] = -1;
	s.fd[1] = s.fd[2] = fd[1];
	run->status = spawn_start(&s, &pid);
	close(fd[1]);
	if (run->status != 0) {
		close(fd[0]);
		return;
	}
	int late = spawn_collect(fd[0], pid, max, deadline, out, run, &reaped);
	close(fd[0]);
	if (!reaped && !late)
		reaped = spawn_wait_until(pid, deadline, &run->status) == 0;
	run->end = reaped ? SPAWN_EXITED : SPAWN_TIMEOUT;
	if (!reaped)
		run->state = spawn_state(pid);
	if (!reaped || late)
		kill(-pid, SIGKILL);
	if (!reaped)
		(void)spawn_wait_until(pid, spawn_clock() + 50, &run->status);
}

int
spawn_status(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
