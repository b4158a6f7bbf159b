/* What distorts a profile or takes what the training needs: variables, other
 * collectors, ports, the kernel's side. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "check-env.h"

enum {
	STALE = 900,
	PORT_DEFAULT = 29500,
	PORT_HCCL = 60000,
	PORTS_HCCL = 16,
	PORT_AGENT = 16666,
	PORT_MAX = 65535
};

struct setting {
	const char *name, *value; /* value NULL: set to anything */
	const struct text *what;
};

/* Every one that is set: the first as message, all as details. */
static void
find_settings(struct host *h, struct finding *f, const struct setting *s,
    size_t n, const struct text *message)
{
	size_t found = 0;

	find_set(f, ST_PASS);
	for (size_t i = 0; i < n; i++) {
		const char *now = host_env(h, s[i].name);

		if (now == NULL || *now == '\0' ||
		    (s[i].value != NULL && strcmp(now, s[i].value) != 0))
			continue;
		if (found++ == 0) {
			find_say(f, ST_WARN, message, s[i].name, now);
			find_value(f, "%s=%s", s[i].name, now);
			find_remedy(f, &T_DO_UNSET, s[i].name);
		}
		find_detail(f, s[i].what, s[i].name, now);
	}
}

void
check_env_slow(struct host *h, struct finding *f)
{
	static const struct setting settings[] = {
		{ "ASCEND_LAUNCH_BLOCKING", "1", &T_SLOW_BLOCKING },
		{ "ASCEND_GLOBAL_LOG_LEVEL", "0", &T_SLOW_LOG },
		{ "ASCEND_GLOBAL_LOG_LEVEL", "1", &T_SLOW_LOG },
		{ "ASCEND_SLOG_PRINT_TO_STDOUT", "1", &T_SLOW_STDOUT },
		{ "TASK_QUEUE_ENABLE", "0", &T_SLOW_QUEUE },
	};

	find_settings(
	    h, f, settings, sizeof(settings) / sizeof(*settings), &T_ENV_SLOW);
}

void
check_env_prof(struct host *h, struct finding *f)
{
	static const struct setting settings[] = {
		{ "PROFILING_MODE", "true", &T_PROF_MODE },
		{ "PROF_CONFIG_PATH", NULL, &T_PROF_CONFIG },
		{ "KINETO_USE_DAEMON", NULL, &T_PROF_DAEMON },
		{ "MSMONITOR_USE_DAEMON", NULL, &T_PROF_DAEMON },
	};

	find_settings(
	    h, f, settings, sizeof(settings) / sizeof(*settings), &T_ENV_PROF);
}

void
check_prof_running(struct host *h, struct finding *f)
{
	static const char *const collectors[] = { "msprof", "msprofbin",
		"dynolog", "dyno" };
	const char **pids;
	size_t n = host_list(h, "/proc", "", &pids);

	find_set(f, ST_PASS);
	for (size_t i = 0; i < n; i++) {
		const char *cmd;

		if (pids[i][0] < '0' || pids[i][0] > '9')
			continue;
		cmd = proc_command(h, npusmi_number(pids[i]));
		if (cmd == NULL)
			continue;
		for (size_t k = 0; k < sizeof(collectors) / sizeof(*collectors);
		     k++) {
			if (strcmp(cmd, collectors[k]) != 0)
				continue;
			find_value(f, "%s", pids[i]);
			find_say(f, ST_WARN, &T_PROF_RUNNING, collectors[k],
			    pids[i]);
			find_remedy(f, &T_DO_PROF_END);
			return;
		}
	}
}

void
check_prof_shm(struct host *h, struct finding *f)
{
	const char **names;
	size_t n = host_list(h, "/dev/shm", "DynamicProfileNpuShm", &names);

	find_set(f, ST_PASS);
	for (size_t i = 0; i < n; i++) {
		const char *path = host_str(h, "/dev/shm/%s", names[i]);
		struct stat st;

		if (stat(host_path(h, path), &st) < 0 ||
		    time(NULL) - st.st_mtime < STALE)
			continue;
		find_value(f, "%s", path);
		find_say(f, ST_WARN, &T_PROF_STALE, path);
		find_remedy(f, &T_DO_REMOVE, path);
		return;
	}
}

/* --- ports ------------------------------------------------------------------ */

enum { TABLES = 2, FIELDS = 10 };

/* The kernel's tables of sockets: long on a busy host, so read once. */
struct sockets {
	const char *table[TABLES];
};

/* The inode of a socket that listens on the port; NULL: none does. */
static const char *
listener(struct host *h, const struct sockets *k, long port)
{
	const char *want = host_str(h, ":%04lX ", (unsigned long)port);

	for (size_t i = 0; i < TABLES; i++) {
		const char *s = k->table[i];

		while (s != NULL && (s = strstr(s, want)) != NULL) {
			const char *field[FIELDS] = { NULL };
			size_t n = 1;

			while (n < FIELDS && *s != '\0' && *s != '\n') {
				s += strcspn(s, " \n");
				s += strspn(s, " ");
				field[n++] = s;
			}
			/* local address, remote one, state, ... inode */
			if (n == FIELDS && str_begins(field[2], "0A "))
				return arena_dup(&h->arena, field[8],
				    strcspn(field[8], " \n"));
		}
	}
	return NULL;
}

/* The process that holds the socket; NULL: not to be seen. */
static const char *
socket_owner(struct host *h, const char *inode)
{
	const char *want = host_str(h, "socket:[%s]", inode);
	const char **pids, **fds;
	size_t n = host_list(h, "/proc", "", &pids);

	for (size_t i = 0; i < n; i++) {
		const char *dir = host_str(h, "/proc/%s/fd", pids[i]);
		size_t m;

		if (pids[i][0] < '0' || pids[i][0] > '9')
			continue;
		m = host_list(h, dir, "", &fds);
		for (size_t k = 0; k < m; k++) {
			char s[64];
			ssize_t got = readlink(
			    host_path(h, host_str(h, "%s/%s", dir, fds[k])), s,
			    sizeof(s) - 1);

			if (got <= 0)
				continue;
			s[got] = '\0';
			if (strcmp(s, want) == 0)
				return pids[i];
		}
	}
	return NULL;
}

static int
port_taken(struct host *h, struct finding *f, const struct sockets *k,
    long port, const struct text *message, const struct text *remedy)
{
	const char *inode = listener(h, k, port), *pid;

	if (inode == NULL)
		return 0;
	find_value(f, "%ld", port);
	find_say(f, ST_WARN, message, f->value);
	pid = socket_owner(h, inode);
	if (pid != NULL)
		find_detail(f, &T_PORT_OWNER, pid,
		    proc_command(h, strtol(pid, NULL, 10)) == NULL
			? "-"
			: proc_command(h, strtol(pid, NULL, 10)));
	find_remedy(f, remedy);
	return 1;
}

void
check_net_port(struct host *h, struct finding *f)
{
	const char *alone = getenv("MASTER_PORT");
	long base = npusmi_number(host_env(h, "HCCL_IF_BASE_PORT"));
	long port = npusmi_number(h->need.port);
	const struct sockets k = { { host_read(h, "/proc/net/tcp"),
	    host_read(h, "/proc/net/tcp6") } };

	if (k.table[0] == NULL) {
		find_set(f, ST_SKIP);
		return;
	}
	find_set(f, ST_PASS);
	if (h->need.script == NULL)
		port = alone == NULL ? PORT_DEFAULT : npusmi_number(alone);
	if (port > 0 && port_taken(h, f, &k, port, &T_PORT_TAKEN, &T_DO_PORT))
		return;
	if (base < 1 || base > PORT_MAX)
		base = PORT_HCCL;
	for (long i = 0; i < PORTS_HCCL; i++)
		if (port_taken(
			h, f, &k, base + i, &T_PORT_HCCL, &T_DO_PORT_HCCL))
			return;
	(void)port_taken(h, f, &k, PORT_AGENT, &T_PORT_HCCL, &T_DO_PORT_HCCL);
}

/* --- the host's side -------------------------------------------------------- */

void
check_host_paranoid(struct host *h, struct finding *f)
{
	const char *s = host_line(h, "/proc/sys/kernel/perf_event_paranoid");

	find_set(f, s == NULL ? ST_SKIP : ST_PASS);
	if (s == NULL)
		return;
	find_value(f, "%s", s);
	if (npusmi_number(s) > 0)
		find_say(f, ST_INFO, &T_PARANOID, s);
}

void
check_host_load(struct host *h, struct finding *f)
{
	const char *s = host_line(h, "/proc/loadavg");
	const char *governor = host_line(
	    h, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	long load = s == NULL ? -1 : strtol(s, NULL, 10);

	find_set(f, s == NULL ? ST_SKIP : ST_PASS);
	if (s == NULL)
		return;
	find_value(f, "%ld", load);
	if (cpus > 0 && load >= cpus)
		find_say(
		    f, ST_INFO, &T_LOAD, f->value, host_str(h, "%ld", cpus));
	else if (governor != NULL && strcmp(governor, "performance") != 0)
		find_say(f, ST_INFO, &T_GOVERNOR, governor);
}

void
check_host_kernel(struct host *h, struct finding *f)
{
	struct utsname u;

	find_set(f, ST_SKIP);
	if (uname(&u) == 0)
		find_value(f, "%s", u.release);
	if (!host_is_file(h, "/proc/modules") ||
	    !host_is_dir(h, cann_get(h)->driver) || proc_container(h) != NULL)
		return;
	find_set(f, ST_PASS);
	if (device_driver(h))
		return;
	find_say(f, ST_WARN, &T_KERNEL, f->value == NULL ? "-" : f->value);
	find_remedy(f, &T_DO_REINSTALL);
}
