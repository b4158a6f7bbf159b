#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "run.h"
#include "spawn.h"

static void
guard_pause(long milliseconds)
{
	struct timespec t = { milliseconds / 1000,
		milliseconds % 1000 * 1000000 };

	(void)nanosleep(&t, NULL);
}

/* Only the pipe stays open: a reader behind msp-run must see its end when
 * msp-run is gone. */
static int
guard_descriptors(int fd)
{
	int null = open("/dev/null", O_RDWR);

	for (int i = 0; i < 3 && null >= 0; i++)
		(void)dup2(null, i);
	fd = dup2(fd, 3);
	spawn_close(4, -1);
	return fd;
}

/* As follow_run ends a training when it is told to. */
static void
guard_finish(pid_t training, long grace)
{
	struct run_group g;

	group_start(&g, training, training, 0);
	group_look(&g);
	group_signal(&g, SIGTERM);
	int told = 0;
	for (long from = spawn_clock(); spawn_clock() - from < grace;) {
		guard_pause(50);
		group_look(&g);
		if (group_alive(&g))
			continue;
		if (group_others(&g, told++ == 0 ? SIGTERM : 0) == 0)
			break;
	}
	group_kill(&g);
	group_free(&g);
}

/* Runs in a process of its own until msp-run is gone: the end of the pipe. */
static void
guard_run(
    int fd, const struct run_start *start, struct run_names *names, long grace)
{
	pid_t training = 0, told;
	ssize_t n;

	signals_ignore();
	fd = guard_descriptors(fd);
	for (;;) {
		n = read(fd, &told, sizeof told);
		if (n < 0 && errno == EINTR)
			continue;
		if (n != sizeof told)
			break;
		training = told;
		(void)chdir("/");
	}
	if (training > 0)
		guard_finish(training, grace);
	else
		names_undo(names);
	start_end(&(struct run_start){ .private = start->private,
	    .env = start->env,
	    .status = start->status });
	_exit(0);
}

int
guard_start(struct run_guard *g, const struct run_start *start,
    const struct run_names *names, long grace)
{
	int fd[2];

	if (pipe(fd) < 0)
		return -1;
	(void)fcntl(fd[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(fd[1], F_SETFD, FD_CLOEXEC);
	g->pid = fork();
	if (g->pid == 0) {
		(void)setpgid(0, 0);
		(void)close(fd[1]);
		guard_run(fd[0], start,
		    &(struct run_names){
			.sh = names->sh, .log = names->log, .fd = names->fd },
		    grace);
	}
	int e = errno;
	(void)close(fd[0]);
	g->fd = fd[1];
	if (g->pid < 0) {
		(void)close(fd[1]);
		errno = e;
		return -1;
	}
	(void)setpgid(g->pid, g->pid);
	return 0;
}

void
guard_end(struct run_guard *g)
{
	int status;

	if (g->pid > 0) {
		(void)kill(g->pid, SIGKILL);
		(void)spawn_wait(g->pid, &status);
	}
	g->pid = 0;
	if (g->fd >= 0)
		(void)close(g->fd);
	g->fd = -1;
}
