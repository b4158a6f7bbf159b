/* Where the profile goes, and the room to write and parse it. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "check-env.h"
#include "mem.h"
#include "path.h"

enum {
	MIB = 1 << 20,
	SPACE_MIN = 20,
	SPACE_RANK = 2048,
	INODES_MIN = 10000,
	LOG_MIN = 100,
	SHM_BAD = 16,
	SHM_GOOD = 1024,
	CORE_ROOM = 51200,
	FILES_MIN = 65536,
	PROCS_MIN = 4096
};

static const char *
out_dir(struct host *h)
{
	struct buf b = { 0 };

	if (h->out != NULL)
		return h->out;
	if (h->need.save != NULL)
		return h->need.save;
	path_join(
	    &b, h->need.cwd == NULL ? "." : h->need.cwd, "profiling_output");
	return host_keep(h, &b);
}

/* As a person would write it. */
static const char *
out_shown(struct host *h)
{
	const char *dir = out_dir(h);
	char here[4096];
	size_t n;

	if (getcwd(here, sizeof(here)) == NULL)
		return dir;
	n = strlen(here);
	if (strncmp(dir, here, n) == 0 && dir[n] == '/')
		return host_str(h, ".%s", dir + n);
	if (dir[0] != '/' && dir[0] != '.')
		return host_str(h, "./%s", dir);
	return dir;
}

/* The nearest directory that exists; NULL also when nothing answers. */
static const char *
out_ancestor(struct host *h)
{
	struct buf b = { 0 };
	const char *s = NULL;

	if (!host_answers(h, out_dir(h)))
		return NULL;
	if (path_ancestor(&b, out_dir(h)) == 0)
		s = host_keep(h, &b);
	buf_free(&b);
	return s;
}

static long
room(const char *dir, struct statvfs *v)
{
	if (dir == NULL || statvfs(dir, v) < 0)
		return -1;
	return (long)((unsigned long long)v->f_bavail * v->f_frsize / MIB);
}

static const char *
size(struct host *h, long mib)
{
	return mib >= 10240 ? host_str(h, "%ld GiB", mib / 1024)
	    : mib >= 1024
	    ? host_str(h, "%ld.%ld GiB", mib / 1024, mib % 1024 * 10 / 1024)
	    : host_str(h, "%ld MiB", mib);
}

/* Two digits are enough to compare reports of one host. */
static long
about(long n)
{
	long unit = 1;

	while (n / unit >= 100)
		unit *= 10;
	return n - n % unit;
}

static long
ranks(struct host *h)
{
	long need = h->npus > 0 ? h->npus : h->need.npus;

	return need > 0 ? need : 1;
}

/* The first component, but the last, that is a symbolic link. */
static const char *
link_within(struct host *h, const char *path)
{
	struct stat st;

	for (size_t n = 1; path[n] != '\0'; n++) {
		const char *part = arena_dup(&h->arena, path, n);

		if (path[n] == '/' && lstat(part, &st) == 0 &&
		    S_ISLNK(st.st_mode))
			return part;
	}
	return NULL;
}

void
check_out_dir(struct host *h, struct finding *f)
{
	const char *dir = out_dir(h), *above = out_ancestor(h);
	const char *shown = out_shown(h), *link;
	struct stat st;
	int there;

	find_set(f, ST_PASS);
	find_value(f, "%s", shown);
	if (!host_answers(h, dir)) {
		find_say(f, ST_FAIL, &T_OUT_SILENT, shown);
		find_remedy(f, &T_DO_OUT);
		return;
	}
	link = link_within(h, dir);
	there = stat(dir, &st) == 0;
	if (lstat(dir, &st) == 0 && S_ISLNK(st.st_mode))
		find_say(f, ST_FAIL, &T_OUT_LINK, shown);
	else if (there && !S_ISDIR(st.st_mode))
		find_say(f, ST_FAIL, &T_OUT_FILE, shown);
	else if (above == NULL || access(above, W_OK | X_OK) < 0)
		find_say(f, ST_FAIL, &T_OUT_DENIED, shown,
		    above == NULL ? "?" : above);
	else if (there && geteuid() != 0 && st.st_uid != geteuid())
		find_say(f, ST_FAIL, &T_OUT_OWNER, shown);
	else if (link != NULL)
		find_say(f, ST_WARN, &T_OUT_LINK_ABOVE, shown, link);
	if (f->status != ST_PASS)
		find_remedy(f, &T_DO_OUT);
}

void
check_out_space(struct host *h, struct finding *f)
{
	struct statvfs v;
	long mib = room(out_ancestor(h), &v);
	long want = ranks(h) * SPACE_RANK;

	find_set(f, mib < 0 ? ST_SKIP : ST_PASS);
	if (mib < 0)
		return;
	find_value(f, "%ld", about(mib));
	find_say(f, ST_PASS, &T_OUT_ROOM, size(h, mib), out_shown(h));
	if (mib < SPACE_MIN)
		find_say(f, ST_FAIL, &T_OUT_FULL, size(h, mib), out_shown(h));
	else if (mib < want)
		find_say(f, ST_WARN, &T_OUT_SMALL, size(h, mib), out_shown(h),
		    size(h, want));
	if (f->status != ST_PASS)
		find_remedy(f, &T_DO_OUT);
}

void
check_out_inodes(struct host *h, struct finding *f)
{
	struct statvfs v;

	if (room(out_ancestor(h), &v) < 0 || v.f_files == 0) {
		find_set(f, ST_SKIP);
		return;
	}
	find_set(f, ST_PASS);
	find_value(f, "%ld", about((long)v.f_favail));
	if (v.f_favail >= INODES_MIN)
		return;
	find_say(f, ST_WARN, &T_OUT_INODES,
	    host_str(h, "%lu", (unsigned long)v.f_favail), out_shown(h));
	find_remedy(f, &T_DO_OUT);
}

/* The type of the file system that holds a path, by the longest mount. */
static const char *
fs_type(struct host *h, const char *path)
{
	const char *s = host_read(h, "/proc/self/mountinfo"), *line;
	const char *best = NULL;
	size_t longest = 0;

	while (host_next(h, &s, &line)) {
		const char *at = line, *type = strstr(line, " - ");
		size_t n;

		for (int i = 0; i < 4 && at != NULL; i++)
			at = strchr(at, ' ') == NULL ? NULL
						     : strchr(at, ' ') + 1;
		if (at == NULL || type == NULL)
			continue;
		n = strcspn(at, " ");
		if (n < longest || strncmp(path, at, n) != 0 ||
		    (n > 1 && path[n] != '/' && path[n] != '\0'))
			continue;
		longest = n;
		best = arena_dup(&h->arena, type + 3, strcspn(type + 3, " "));
	}
	return best;
}

void
check_out_fs(struct host *h, struct finding *f)
{
	static const char *const slow[] = { "nfs", "fuse", "overlay", "ceph",
		"lustre", "gpfs", "glusterfs", "cifs", "smb", "9p", "beegfs",
		"virtiofs", "dpc" };
	const char *above = out_ancestor(h), *type = NULL;
	char *real = above == NULL ? NULL : realpath(above, NULL);

	if (real != NULL)
		type = fs_type(h, real);
	mem_free(real);
	find_set(f, type == NULL ? ST_SKIP : ST_PASS);
	if (type == NULL)
		return;
	find_value(f, "%s", type);
	for (size_t i = 0; i < sizeof(slow) / sizeof(*slow); i++)
		if (str_begins(type, slow[i])) {
			find_say(f, ST_WARN, &T_OUT_FS, out_shown(h), type);
			find_remedy(f, &T_DO_FS);
			return;
		}
}

void
check_out_home(struct host *h, struct finding *f)
{
	const char *log = host_env(h, "ASCEND_PROCESS_LOG_PATH");
	const char *home = host_env(h, "HOME");
	struct buf b = { 0 };
	struct statvfs v;
	long mib;

	if (log == NULL || *log == '\0')
		log = home == NULL || *home != '/'
		    ? NULL
		    : host_str(h, "%s/ascend/log", home);
	if (log == NULL || !host_answers(h, host_path(h, log)) ||
	    path_ancestor(&b, host_path(h, log)) < 0) {
		find_set(f, ST_SKIP);
		buf_free(&b);
		return;
	}
	find_set(f, ST_PASS);
	find_value(f, "%s", log);
	mib = room(b.s, &v);
	if (access(b.s, W_OK) < 0)
		find_say(f, ST_WARN, &T_LOG_DENIED, log);
	else if (mib >= 0 && mib < LOG_MIN)
		find_say(f, ST_WARN, &T_LOG_FULL, log, size(h, mib));
	if (f->status != ST_PASS)
		find_remedy(f, &T_DO_LOG);
	buf_free(&b);
}

void
check_mem_shm(struct host *h, struct finding *f)
{
	struct statvfs v;
	long mib, total;

	find_set(f, ST_SKIP);
	mib = room(host_path(h, "/dev/shm"), &v);
	if (mib < 0)
		return;
	total = (long)((unsigned long long)v.f_blocks * v.f_frsize / MIB);
	find_set(f, ST_PASS);
	find_value(f, "%ld", total);
	if (mib < SHM_BAD && ranks(h) > 1)
		find_say(f, ST_FAIL, &T_SHM_FULL, size(h, mib));
	else if (total < SHM_GOOD)
		find_say(f, ST_WARN, &T_SHM_SMALL, size(h, total));
	if (f->status != ST_PASS)
		find_remedy(
		    f, proc_container(h) != NULL ? &T_DO_SHM_CTR : &T_DO_SHM);
}

/* MiB that are left below a limit of the memory group; -1: no limit. */
static long
group_left(struct host *h)
{
	static const char *const names[][2] = {
		{ "/sys/fs/cgroup/memory.max",
		    "/sys/fs/cgroup/memory.current" },
		{ "/sys/fs/cgroup/memory/memory.limit_in_bytes",
		    "/sys/fs/cgroup/memory/memory.usage_in_bytes" }
	};

	for (size_t i = 0; i < 2; i++) {
		const char *max = host_line(h, names[i][0]);
		const char *now = host_line(h, names[i][1]);
		unsigned long long limit, used;

		if (max == NULL || now == NULL || *max < '0' || *max > '9')
			continue;
		limit = strtoull(max, NULL, 10) / MIB;
		used = strtoull(now, NULL, 10) / MIB;
		if (limit < 1ULL << 30)
			return limit < used ? 0 : (long)(limit - used);
	}
	return -1;
}

void
check_mem_avail(struct host *h, struct finding *f)
{
	const char *s = host_read(h, "/proc/meminfo");
	long mib, group = group_left(h), want = ranks(h) * SPACE_RANK;

	s = s == NULL ? NULL : strstr(s, "MemAvailable:");
	find_set(f, s == NULL ? ST_SKIP : ST_PASS);
	if (s == NULL)
		return;
	mib = strtol(s + strlen("MemAvailable:"), NULL, 10) / 1024;
	if (group >= 0 && group < mib)
		mib = group;
	find_value(f, "%ld", about(mib));
	if (mib >= want)
		return;
	find_say(f, ST_WARN, &T_MEM_SMALL, size(h, mib), size(h, want));
	find_remedy(f, &T_DO_MEM);
}

void
check_lim_nofile(struct host *h, struct finding *f)
{
	struct rlimit r;

	(void)h;
	find_set(f, ST_PASS);
	if (getrlimit(RLIMIT_NOFILE, &r) < 0 || r.rlim_cur == RLIM_INFINITY)
		return;
	find_value(f, "%lu", (unsigned long)r.rlim_cur);
	if (r.rlim_cur >= FILES_MIN)
		return;
	find_say(f, ST_WARN, &T_LIM_FILES, f->value);
	find_remedy(f, &T_DO_NOFILE);
}

void
check_lim_nproc(struct host *h, struct finding *f)
{
	static const char *const names[] = { "/sys/fs/cgroup/pids.max",
		"/sys/fs/cgroup/pids/pids.max" };
	long least = -1;

#ifdef RLIMIT_NPROC
	struct rlimit r;

	if (geteuid() != 0 && getrlimit(RLIMIT_NPROC, &r) == 0 &&
	    r.rlim_cur != RLIM_INFINITY)
		least = (long)r.rlim_cur;
#endif
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		long n = host_number(h, names[i]);

		if (n >= 0 && (least < 0 || n < least))
			least = n;
	}
	find_set(f, ST_PASS);
	if (least < 0)
		return;
	find_value(f, "%ld", least);
	if (least >= PROCS_MIN)
		return;
	find_say(f, ST_WARN, &T_LIM_PROCS, f->value);
	find_remedy(f, &T_DO_NPROC);
}

void
check_lim_core(struct host *h, struct finding *f)
{
	struct rlimit r;
	struct statvfs v;
	long mib = room(".", &v);

	find_set(f, ST_PASS);
	if (getrlimit(RLIMIT_CORE, &r) < 0 || r.rlim_cur != RLIM_INFINITY ||
	    mib < 0 || mib >= CORE_ROOM)
		return;
	find_value(f, "%ld", mib);
	find_say(f, ST_INFO, &T_LIM_CORE, size(h, mib));
	find_remedy(f, &T_DO_CORE);
}

void
check_lim_umask(struct host *h, struct finding *f)
{
	mode_t mask = umask(0);

	(void)h;
	umask(mask);
	find_set(f, ST_PASS);
	find_value(f, "%04o", (unsigned)mask);
	if ((mask & 027) != 027)
		find_say(f, ST_INFO, &T_LIM_UMASK, f->value);
}
