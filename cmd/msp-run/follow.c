#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run.h"
#include "spawn.h"

enum {
	FOLLOW_PIECE = 64 << 10,
	FOLLOW_TURN = 16, /* pieces before the other work gets its turn */
	FOLLOW_PAUSE = 50, /* milliseconds between looks at the log */
	FOLLOW_READER = 2, /* when a reader is behind */
	FOLLOW_ASLEEP = 1000, /* a reader that takes nothing for so long */
	FOLLOW_LAST = 5, /* when the script has ended */
	FOLLOW_LOOK = 200, /* between looks at the processes */
	FOLLOW_OUTPUT = 1000, /* at the directory for profiles */
	FOLLOW_DEAD = 10000 /* what cannot be killed is left alone */
};

struct follow_state {
	int exited, over;
	int ending; /* it has been told to end */
	int rest; /* so have those outside of its group */
	long kill_at; /* 0: not yet decided, or done */
	long leave_at; /* 0: not yet decided */
	long looked, listed;
	unsigned long long size; /* of the log when the script had ended */
};

/* Feeds what is new. 1 when there may be more at once. */
static int
follow_read(struct run_follow *f)
{
	char piece[FOLLOW_PIECE];
	struct stat st;

	for (int i = 0; i < FOLLOW_TURN; i++) {
		ssize_t n =
		    pread(f->names->fd, piece, sizeof piece, (off_t)f->bytes);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			f->unread = errno;
			return 0;
		}
		if (n == 0) {
			if (fstat(f->names->fd, &st) == 0 &&
			    (unsigned long long)st.st_size < f->bytes)
				f->bytes = f->copy.done = 0;
			return 0;
		}
		f->bytes += (unsigned long long)n;
		if (f->own.path == NULL)
			symptom_feed(f->symptom, piece, (size_t)n);
	}
	return 1;
}

/* What the training writes when the disk is full is lost, and it may not
 * notice. */
static void
follow_disk(struct run_follow *f)
{
	struct statvfs v;

	if (f->full || fstatvfs(f->names->fd, &v) < 0 || v.f_blocks == 0)
		return;
	if ((geteuid() == 0 ? v.f_bfree : v.f_bavail) == 0) {
		f->full = 1;
		progress_say(f, f->bytes, &T_DISK_FULL, f->names->log, "");
	}
}

static void
follow_children(struct run_follow *f, struct follow_state *s)
{
	struct stat st;
	int status;

	for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
		if (pid == f->start->pid) {
			s->exited = 1;
			f->wait_status = status;
			f->ended = spawn_clock();
			if (fstat(f->names->fd, &st) == 0)
				s->size = (unsigned long long)st.st_size;
		}
}

static void
follow_tell(struct run_follow *f, struct follow_state *s, int signal)
{
	group_look(&f->group);
	group_signal(&f->group, signal);
	s->ending = 1;
	s->kill_at = spawn_clock() + f->grace;
}

static void
follow_destroy(struct run_follow *f, struct follow_state *s)
{
	group_kill(&f->group);
	f->killed = 1;
	s->kill_at = 0;
	s->leave_at = spawn_clock() + FOLLOW_DEAD;
}

static void
follow_signals(struct run_follow *f, struct follow_state *s)
{
	for (int signal; (signal = signals_take()) != 0;) {
		if (f->signal == 0)
			f->signal = signal;
		if (s->ending) {
			f->hurried = !f->killed;
			follow_destroy(f, s);
		} else
			follow_tell(f, s, signal);
	}
}

static void
follow_clock(struct run_follow *f, struct follow_state *s)
{
	long now = spawn_clock();

	if (f->limit > 0 && !s->ending && !s->exited &&
	    now - f->began >= f->limit) {
		f->late = 1;
		follow_tell(f, s, SIGTERM);
	}
	if (s->kill_at != 0 && now >= s->kill_at)
		follow_destroy(f, s);
}

static void
follow_output(struct run_follow *f, struct follow_state *s)
{
	long now = spawn_clock();

	if (now - s->listed < FOLLOW_OUTPUT)
		return;
	s->listed = now;
	output_look(&f->output, f->place);
}

/* Whether the run has ended: the script has; and the group has, when it was
 * told to end, or when the launch is in the background. */
static int
follow_over(struct run_follow *f, struct follow_state *s)
{
	long now = spawn_clock();

	if (s->leave_at != 0 && now >= s->leave_at)
		return 1;
	if (!s->exited)
		return 0;
	if (!s->ending && !f->place->background)
		return 1;
	if (now - s->looked < FOLLOW_LOOK && s->looked != 0)
		return 0;
	s->looked = now;
	if (s->ending)
		group_look(&f->group);
	if (group_alive(&f->group))
		return 0;
	/* the group is gone: others of the training that never heard of it */
	if (s->ending && group_others(&f->group, s->rest++ == 0 ? SIGTERM : 0))
		return 0;
	f->ended = now;
	struct stat st;
	if (fstat(f->names->fd, &st) == 0)
		s->size = (unsigned long long)st.st_size;
	return 1;
}

/* What the script itself said, behind what its training did. */
static void
follow_script(struct run_follow *f)
{
	unsigned long long upto = f->bytes, at = 0;
	char piece[FOLLOW_PIECE];

	while (own_read(&f->own, f->symptom))
		continue;
	symptom_watch(f->symptom, NULL, NULL);
	symptom_log(f->symptom, f->names->log);
	while (at < upto) {
		ssize_t n = pread(f->names->fd, piece, sizeof piece, (off_t)at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		at += (unsigned long long)n;
		symptom_feed(f->symptom, piece, (size_t)n);
	}
}

void
follow_run(struct run_follow *f)
{
	struct follow_state s = { 0 };

	f->began = spawn_clock();
	f->epoch = (long long)time(NULL);
	f->wait_status = SIGKILL;
	copy_start(&f->copy, f->names->fd, f->quiet);
	symptom_watch(f->symptom, progress_event, f);
	symptom_log(
	    f->symptom, f->own.path != NULL ? f->own.path : f->names->log);
	progress_say(f, 0, &T_STARTED, "", "");
	for (;;) {
		int more = follow_read(f);
		more = own_read(&f->own, f->symptom) || more;
		int waits = copy_push(&f->copy, f->bytes) &&
		    spawn_clock() - f->copy.moved < FOLLOW_ASLEEP;
		if (s.over && (!more || f->bytes >= s.size))
			break;
		follow_children(f, &s);
		follow_signals(f, &s);
		follow_clock(f, &s);
		follow_disk(f);
		follow_output(f, &s);
		s.over = s.over || follow_over(f, &s);
		if (!more && !s.over)
			signals_wait(waits ? FOLLOW_READER
				: s.exited ? FOLLOW_LAST
					   : FOLLOW_PAUSE);
	}
	if (f->own.path != NULL)
		follow_script(f);
}

void
follow_free(struct run_follow *f)
{
	copy_free(&f->copy);
	own_free(&f->own);
	group_free(&f->group);
	strs_free(&f->parsed);
}
