/* Processes, users, groups, containers: from files, without NSS. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check-env.h"

enum { DEPTH = 64, CAP_SYS_ADMIN = 21 };

/* A field of "name:x:ID:..." in passwd or group; NULL: no such line. */
static const char *
name_of(struct host *h, const char *file, long id)
{
	const char *s = host_read(h, file), *line;

	while (host_next(h, &s, &line)) {
		size_t n = strcspn(line, ":");
		const char *p =
		    line[n] == ':' ? strchr(line + n + 1, ':') : NULL;

		if (p != NULL && strtol(p + 1, NULL, 10) == id)
			return arena_dup(&h->arena, line, n);
	}
	return NULL;
}

const char *
proc_user(struct host *h, long pid)
{
	struct stat st;
	const char *name;

	if (pid <= 0 ||
	    stat(host_path(h, host_str(h, "/proc/%ld", pid)), &st) < 0)
		return NULL;
	name = name_of(h, "/etc/passwd", (long)st.st_uid);
	return name != NULL ? name : host_str(h, "%ld", (long)st.st_uid);
}

const char *
proc_command(struct host *h, long pid)
{
	const char *s;

	if (pid <= 0)
		return NULL;
	s = host_line(h, host_str(h, "/proc/%ld/comm", pid));
	return s != NULL && *s != '\0' ? s : NULL;
}

static long
proc_parent(struct host *h, const char *pid)
{
	const char *s = host_read(h, host_str(h, "/proc/%s/status", pid));

	s = s == NULL ? NULL : strstr(s, "\nPPid:");
	return s == NULL ? -1 : strtol(s + strlen("\nPPid:"), NULL, 10);
}

static int
proc_descends(struct host *h, long pid, long ancestor)
{
	for (int i = 0; i < DEPTH && pid > 1; i++) {
		if (pid == ancestor)
			return 1;
		pid = proc_parent(h, host_str(h, "%ld", pid));
	}
	return 0;
}

/* What our parent started, and what started us. */
int
proc_own(struct host *h, long pid)
{
	long parent = proc_parent(h, "self");

	if (pid <= 1 || parent <= 1)
		return 0;
	return proc_descends(h, pid, parent) || proc_descends(h, parent, pid);
}

const char *
proc_container(struct host *h)
{
	static const struct {
		const char *word, *kind;
	} groups[] = { { "kubepods", "kubernetes" }, { "docker", "docker" },
		{ "libpod", "podman" }, { "containerd", "container" },
		{ "lxc", "container" } };
	const char *s;

	if (getenv("KUBERNETES_SERVICE_HOST") != NULL)
		return "kubernetes";
	if (host_exists(h, "/.dockerenv"))
		return "docker";
	if (host_exists(h, "/run/.containerenv"))
		return "podman";
	s = host_read(h, "/proc/1/cgroup");
	for (size_t i = 0; s != NULL && i < sizeof(groups) / sizeof(*groups);
	     i++)
		if (strstr(s, groups[i].word) != NULL)
			return groups[i].kind;
	s = host_line(h, "/proc/1/sched");
	if (s != NULL && strstr(s, "(1,") == NULL && strchr(s, '(') != NULL)
		return "container";
	return NULL;
}

int
proc_privileged(struct host *h)
{
	const char *s = host_read(h, "/proc/self/status");

	s = s == NULL ? NULL : strstr(s, "\nCapEff:");
	if (s == NULL)
		return -1;
	return strtoull(s + strlen("\nCapEff:"), NULL, 16) >> CAP_SYS_ADMIN & 1;
}

const char *
proc_group(struct host *h)
{
	const char *info = host_read(h, "/etc/ascend_install.info");
	const char *group = host_key(h, info, "UserGroup");

	return group != NULL && *group != '\0' ? group : "HwHiAiUser";
}

/* The line of a group: its id and members. */
static const char *
group_line(struct host *h, const char *group, long *gid)
{
	const char *s = host_read(h, "/etc/group"), *line;
	size_t n = strlen(group);

	while (host_next(h, &s, &line)) {
		const char *p;

		if (!str_begins(line, group) || line[n] != ':')
			continue;
		p = strchr(line + n + 1, ':');
		if (p == NULL)
			return NULL;
		*gid = strtol(p + 1, NULL, 10);
		p = strchr(p + 1, ':');
		return p == NULL ? "" : p + 1;
	}
	return NULL;
}

int
proc_group_lists(struct host *h, const char *group)
{
	const char *user = name_of(h, "/etc/passwd", (long)geteuid());
	long gid;
	const char *members = group_line(h, group, &gid);

	while (user != NULL && members != NULL && *members != '\0') {
		size_t n = strcspn(members, ", ");

		if (n == strlen(user) && strncmp(members, user, n) == 0)
			return 1;
		members += n + (members[n] != '\0');
	}
	return 0;
}

int
proc_group_effective(struct host *h, const char *group)
{
	long gid;
	gid_t *have;
	int n;

	if (group_line(h, group, &gid) == NULL)
		return 0;
	if ((long)getegid() == gid)
		return 1;
	n = getgroups(0, NULL);
	if (n <= 0)
		return 0;
	have = arena_alloc(&h->arena, (size_t)n * sizeof(*have));
	n = getgroups(n, have);
	for (int i = 0; i < n; i++)
		if ((long)have[i] == gid)
			return 1;
	return 0;
}
