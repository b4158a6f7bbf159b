#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "io.h"
#include "mem.h"
#include "run.h"

enum { DEPTH = 64 }; /* of parents */

/*
 * Which processes belong to a training is asked of /proc where there is one:
 * ranks may have left the group for sessions of their own. Elsewhere the
 * group is all that is known.
 */
struct group_process {
	pid_t pid, parent, group;
	char state;
	char name[32];
	unsigned long long start; /* tells a pid that was used again */
};

struct group_table {
	struct group_process *p;
	size_t n, cap;
};

static int
group_parse(struct group_process *p, const char *s)
{
	const char *open = strchr(s, '('), *close = strrchr(s, ')');
	long pid, parent, group;

	if (open == NULL || close == NULL || close < open ||
	    sscanf(s, "%ld", &pid) != 1 ||
	    sscanf(close + 1, " %c %ld %ld", &p->state, &parent, &group) != 3)
		return -1;
	p->pid = (pid_t)pid;
	p->parent = (pid_t)parent;
	p->group = (pid_t)group;
	size_t len = (size_t)(close - open - 1);
	len = len < sizeof p->name ? len : sizeof p->name - 1;
	memcpy(p->name, open + 1, len);
	p->name[len] = '\0';
	p->start = 0;
	s = close + 1;
	for (int field = 2; field < 22 && s != NULL; field++)
		s = strchr(s + 1, ' ');
	if (s != NULL)
		p->start = strtoull(s, NULL, 10);
	return 0;
}

/* What /proc says of a process; -1 nothing. */
static int
group_read(struct group_process *p, const char *pid)
{
	struct buf b = { 0 }, name = { 0 };

	buf_addf(&name, "/proc/%s/stat", pid);
	int r = io_slurp_file(name.s, &b, 4096) < 0 || b.len == 0
	    ? -1
	    : group_parse(p, b.s);
	buf_free(&b);
	buf_free(&name);
	return r;
}

/* Those that live. -1 where there is no /proc. */
static int
group_table(struct group_table *t)
{
	DIR *d = opendir("/proc");
	struct group_process p;

	*t = (struct group_table){ 0 };
	if (d == NULL)
		return -1;
	for (struct dirent *e; (e = readdir(d)) != NULL;) {
		if (e->d_name[0] < '1' || e->d_name[0] > '9')
			continue;
		if (group_read(&p, e->d_name) < 0 || p.state == 'Z' ||
		    p.state == 'X')
			continue;
		t->p = mem_more(t->p, t->n, &t->cap, sizeof *t->p);
		t->p[t->n++] = p;
	}
	closedir(d);
	if (t->n > 0)
		return 0;
	mem_free(t->p);
	return -1;
}

static int
group_is_known(const struct run_group *g, const struct group_process *p)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->known[i].pid == p->pid && g->known[i].start == p->start)
			return 1;
	return 0;
}

static int
group_parent_known(
    const struct run_group *g, const struct group_table *t, pid_t parent)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->p[i].pid == parent)
			return group_is_known(g, &t->p[i]);
	return 0;
}

/* Notes all that belong to the training; parents may stand behind their
 * children, so it goes on until nothing new is found. */
static void
group_note(struct run_group *g, const struct group_table *t)
{
	for (int more = 1; more;) {
		more = 0;
		for (size_t i = 0; i < t->n; i++) {
			const struct group_process *p = &t->p[i];
			if (p->pid == g->except || p->pid == getpid() ||
			    group_is_known(g, p))
				continue;
			if (p->group != g->leader && p->parent != g->root &&
			    !group_parent_known(g, t, p->parent))
				continue;
			g->known =
			    mem_more(g->known, g->n, &g->cap, sizeof *g->known);
			g->known[g->n++] = *p;
			more = 1;
		}
	}
}

void
group_adopt(void)
{
#if defined(__linux__) && defined(PR_SET_CHILD_SUBREAPER)
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
}

void
group_start(struct run_group *g, pid_t leader, pid_t root, pid_t except)
{
	*g = (struct run_group){
		.leader = leader, .root = root, .except = except
	};
}

void
group_look(struct run_group *g)
{
	struct group_table t;

	if (group_table(&t) < 0)
		return;
	group_note(g, &t);
	mem_free(t.p);
}

int
group_alive(const struct run_group *g)
{
	struct group_table t;
	int alive = 0;

	if (kill(-g->leader, 0) < 0 && errno == ESRCH)
		return 0;
	if (group_table(&t) < 0)
		return 1;
	for (size_t i = 0; i < t.n && !alive; i++)
		alive = t.p[i].group == g->leader;
	mem_free(t.p);
	return alive;
}

void
group_signal(const struct run_group *g, int signal)
{
	(void)kill(-g->leader, signal);
	(void)kill(-g->leader, SIGCONT);
}

size_t
group_others(struct run_group *g, int signal)
{
	struct group_table t;
	size_t n = 0;

	if (group_table(&t) < 0)
		return 0;
	group_note(g, &t);
	for (size_t i = 0; i < t.n; i++) {
		if (!group_is_known(g, &t.p[i]) || t.p[i].group == g->leader)
			continue;
		if (signal != 0)
			(void)kill(t.p[i].pid, signal);
		n++;
	}
	mem_free(t.p);
	return n;
}

void
group_kill(struct run_group *g)
{
	struct group_table t;

	group_look(g);
	(void)kill(-g->leader, SIGKILL);
	if (group_table(&t) < 0)
		return;
	group_note(g, &t);
	for (size_t i = 0; i < t.n; i++)
		if (group_is_known(g, &t.p[i]))
			(void)kill(t.p[i].pid, SIGKILL);
	mem_free(t.p);
}

int
group_of_another(pid_t pid)
{
	struct group_process self, p = { .parent = pid };
	char name[24];

	if (group_read(&self, "self") < 0)
		return 0;
	for (int i = 0; i < DEPTH && p.parent > 1; i++) {
		snprintf(name, sizeof name, "%ld", (long)p.parent);
		if (group_read(&p, name) < 0 || p.pid == self.pid)
			return 0;
		if (strcmp(p.name, self.name) == 0)
			return 1;
	}
	return 0;
}

size_t
group_names(struct run_group *g, struct buf *b)
{
	struct group_table t;
	size_t n = 0;

	/* neither a group nor a child, adopted ones included: nothing to read */
	if (kill(-g->leader, 0) < 0 && errno == ESRCH &&
	    waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD)
		return 0;
	if (group_table(&t) < 0)
		return 0;
	group_note(g, &t);
	for (size_t i = 0; i < t.n; i++) {
		if (!group_is_known(g, &t.p[i]))
			continue;
		if (n < 8)
			buf_addf(b, "%s%ld (%s)", n > 0 ? ", " : "",
			    (long)t.p[i].pid, t.p[i].name);
		n++;
	}
	if (n > 8)
		buf_adds(b, ", ...");
	mem_free(t.p);
	return n;
}

void
group_free(struct run_group *g)
{
	mem_free(g->known);
	g->known = NULL;
	g->n = g->cap = 0;
}
