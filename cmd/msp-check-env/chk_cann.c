/* CANN: loaded, whole, one and the right one. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "check-env.h"
#include "io.h"
#include "path.h"

static const char default_set_env[] =
    "/usr/local/Ascend/ascend-toolkit/set_env.sh";

/* 1 when CANN is there to be looked at; else the check is skipped. */
static int
ready(struct host *h, struct finding *f)
{
	find_set(f, cann_ready(h) ? ST_PASS : ST_SKIP);
	return f->status == ST_PASS;
}

static const char *
source_of(struct host *h, const struct cann *c)
{
	if (c->by_script)
		return host_str(
		    h, "%s:%zu", h->need.script, h->need.set_env_line);
	return "";
}

void
check_cann_loaded(struct host *h, struct finding *f)
{
	const struct cann *c = cann_get(h);

	find_set(f, ST_PASS);
	if (c->home != NULL)
		find_value(f, "%s", c->home);
	if (cann_ready(h)) {
		if (c->by_script)
			find_say(
			    f, ST_PASS, &T_CANN_BY_SCRIPT, source_of(h, c));
		return;
	}
	if (c->home == NULL)
		find_say(f, ST_FAIL, &T_CANN_NOT_LOADED);
	else if (c->home[0] == '/')
		find_say(f, ST_FAIL, &T_CANN_GONE, c->home);
	else
		find_set(f, ST_SKIP);
	if (f->status == ST_FAIL && h->need.gone != NULL)
		find_detail(f, &T_CANN_SCRIPT_GONE, h->need.script,
		    host_str(h, "%zu", h->need.gone_line), h->need.gone);
	if (f->status == ST_FAIL)
		find_remedy(f, &T_DO_SOURCE,
		    c->set_env != NULL ? c->set_env : default_set_env);
}

void
check_cann_relative(struct host *h, struct finding *f)
{
	const struct cann *c = cann_get(h);

	find_set(f, c->home == NULL ? ST_SKIP : ST_PASS);
	if (c->home == NULL || c->home[0] == '/')
		return;
	find_value(f, "%s", c->home);
	find_say(f, ST_FAIL, &T_CANN_RELATIVE, c->home);
	find_remedy(
	    f, &T_DO_BASH, c->set_env != NULL ? c->set_env : default_set_env);
}

/* Not when the environment is only to be made: nothing is set then. */
static const char *
opp_path(struct host *h)
{
	const struct cann *c = cann_get(h);
	const char *opp = host_env(h, "ASCEND_OPP_PATH");

	if ((c->by_script || c->by_eval) && (opp == NULL || opp[0] != '/'))
		return host_str(h, "%s/opp", c->home);
	return opp;
}

void
check_cann_opp(struct host *h, struct finding *f)
{
	const char *opp;

	if (!ready(h, f))
		return;
	opp = opp_path(h);
	if (opp == NULL || *opp == '\0') {
		find_say(f, ST_FAIL, &T_OPP_UNSET);
	} else {
		find_value(f, "%s", opp);
		if (!host_is_dir(h, opp))
			find_say(f, ST_FAIL, &T_OPP_GONE, opp);
		else if (!host_exists(h, host_str(h, "%s/built-in", opp)))
			find_say(f, ST_FAIL, &T_OPP_EMPTY, opp);
	}
	if (f->status == ST_FAIL)
		find_remedy(f, &T_DO_OPP,
		    cann_get(h)->set_env != NULL ? cann_get(h)->set_env
						 : default_set_env);
}

void
check_cann_parts(struct host *h, struct finding *f)
{
	const char *home = cann_get(h)->home;

	if (!ready(h, f) ||
	    host_exists(h, host_str(h, "%s/lib64/libruntime.so", home)))
		return;
	if (host_exists(h, host_str(h, "%s/runtime", home)) &&
	    host_exists(h, host_str(h, "%s/compiler", home)))
		return;
	find_value(f, "%s", home);
	find_say(f, ST_FAIL, &T_CANN_PARTS, home);
	find_remedy(f, &T_DO_TOOLKIT);
}

/* --- libraries ------------------------------------------------------------ */

static int
in_cache(struct host *h, const char *lib)
{
	const char *path = host_path(h, "/etc/ld.so.cache");
	struct buf b = { 0 };
	size_t n = strlen(lib);
	int found = 0;

	if (host_is_file(h, "/etc/ld.so.cache") &&
	    io_slurp_file(path, &b, 16 << 20) >= 0)
		for (size_t i = 0; !found && i + n < b.len; i++)
			found =
			    b.s[i] == lib[0] && memcmp(b.s + i, lib, n) == 0;
	buf_free(&b);
	return found;
}

/* Where LD_LIBRARY_PATH finds it; "" for the loader's cache; NULL nowhere. */
static const char *
reach(struct host *h, const char *lib)
{
	const struct cann *c = cann_get(h);
	const char *list = host_paths(h, "LD_LIBRARY_PATH"), *dir;
	const char *const sets[] = { host_str(h, "%s/lib64", c->home),
		host_str(h, "%s/runtime/lib64", c->home),
		host_str(h, "%s/lib64", c->driver),
		host_str(h, "%s/lib64/driver", c->driver),
		host_str(h, "%s/lib64/common", c->driver) };

	while (host_entry(h, &list, &dir)) {
		const char *path = host_str(h, "%s/%s", dir, lib);

		if (*dir != '\0' && host_exists(h, path))
			return path;
	}
	if (c->by_script || c->by_eval)
		for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
			const char *path = host_str(h, "%s/%s", sets[i], lib);

			if (host_exists(h, path))
				return path;
		}
	return in_cache(h, lib) ? "" : NULL;
}

void
check_cann_libs(struct host *h, struct finding *f)
{
	static const char *const libs[] = { "libascendcl.so", "libhccl.so",
		"libascend_hal.so" };
	size_t lacks = 0;

	if (!ready(h, f))
		return;
	for (size_t i = 0; i < sizeof(libs) / sizeof(*libs); i++) {
		if (reach(h, libs[i]) != NULL)
			continue;
		if (lacks++ == 0) {
			find_say(f, i == 0 ? ST_FAIL : ST_WARN, &T_CANN_LIBS,
			    libs[i]);
			find_value(f, "%s", libs[i]);
		} else {
			find_detail(f, &T_ALSO, libs[i]);
		}
	}
	if (lacks > 0)
		find_remedy(f, &T_DO_SOURCE,
		    cann_get(h)->set_env != NULL ? cann_get(h)->set_env
						 : default_set_env);
}

static int
ends_in(const char *s, const char *word)
{
	size_t n = strlen(s), w = strlen(word);

	while (n > 0 && s[n - 1] == '/')
		n--;
	return n > w && s[n - w - 1] == '/' && memcmp(s + n - w, word, w) == 0;
}

void
check_cann_stub(struct host *h, struct finding *f)
{
	const char *list = host_paths(h, "LD_LIBRARY_PATH"), *dir;
	const char *lib64 = host_str(h, "%s/lib64", cann_get(h)->driver);

	find_set(f, ST_PASS);
	while (host_entry(h, &list, &dir)) {
		if (str_begins(dir, lib64))
			return;
		if (!ends_in(dir, "devlib") && !ends_in(dir, "stub") &&
		    !ends_in(dir, "stubs"))
			continue;
		find_value(f, "%s", dir);
		find_say(f, ST_WARN, &T_CANN_STUB, dir);
		find_remedy(f, &T_DO_STUB);
		return;
	}
}

/* The installation that a path belongs to: up to its CANN directory. */
static const char *
installation(struct host *h, const char *path)
{
	const char *real = host_real(h, path);
	size_t n;

	for (n = strlen(real); n > 0; n--) {
		const char *dir = arena_dup(&h->arena, real, n);

		if (real[n] != '/' && real[n] != '\0')
			continue;
		if (host_exists(h, host_str(h, "%s/set_env.sh", dir)) ||
		    host_exists(h, host_str(h, "%s/version.cfg", dir)) ||
		    host_exists(h, host_str(h, "%s/compiler", dir)))
			return dir;
	}
	return NULL;
}

static const char *
first_cann_entry(struct host *h)
{
	const char *list = host_paths(h, "LD_LIBRARY_PATH"), *dir;

	while (host_entry(h, &list, &dir))
		if (dir[0] == '/' &&
		    host_exists(h, host_str(h, "%s/libascendcl.so", dir)))
			return dir;
	return NULL;
}

void
check_cann_mixed(struct host *h, struct finding *f)
{
	const char *const names[] = { "ASCEND_OPP_PATH", "ASCEND_TOOLKIT_HOME",
		"LD_LIBRARY_PATH" };
	const char *const values[] = { host_env(h, names[0]),
		host_env(h, names[1]), first_cann_entry(h) };
	const char *home;

	if (!ready(h, f))
		return;
	home = installation(h, cann_get(h)->home);
	for (size_t i = 0; home != NULL && i < sizeof(names) / sizeof(*names);
	     i++) {
		const char *other = values[i] == NULL || values[i][0] != '/'
		    ? NULL
		    : installation(h, values[i]);

		if (other == NULL || strcmp(other, home) == 0)
			continue;
		find_value(f, "%s", values[i]);
		find_say(f, ST_WARN, &T_CANN_MIXED, home, names[i], values[i]);
		find_remedy(f, &T_DO_ONE_CANN);
		return;
	}
}

void
check_cann_dup(struct host *h, struct finding *f)
{
	static const char *const names[] = { "LD_LIBRARY_PATH", "PATH",
		"PYTHONPATH" };

	find_set(f, ST_PASS);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *list = host_paths(h, names[i]), *entry;

		while (host_entry(h, &list, &entry)) {
			const char *rest = list, *other;
			size_t n = 1;

			while (host_entry(h, &rest, &other))
				n += strcmp(entry, other) == 0;
			if (n <= 3 || *entry == '\0')
				continue;
			find_value(f, "%zu", n);
			find_say(f, ST_INFO, &T_CANN_DUP, entry,
			    host_str(h, "%zu", n), names[i]);
			return;
		}
	}
}

void
check_cann_many(struct host *h, struct finding *f)
{
	const struct cann *c = cann_get(h);

	find_set(f, ST_PASS);
	if (c->nfound > 0)
		find_value(f, "%zu", c->nfound);
	if (c->nfound < 2)
		return;
	find_say(f, ST_INFO, &T_CANN_MANY, host_str(h, "%zu", c->nfound));
	for (size_t i = 0; i < c->nfound; i++)
		find_detail(f, &T_PLAIN, c->found[i]);
}

/* The machine that an ELF file is for: e_machine, -1 when it is none. */
static long
elf_machine(struct host *h, const char *path)
{
	unsigned char head[20];
	ssize_t n;
	int fd;

	if (!host_is_file(h, path))
		return -1;
	fd = io_open(host_path(h, path), O_RDONLY, 0);
	if (fd < 0)
		return -1;
	n = read(fd, head, sizeof(head));
	close(fd);
	if (n < (ssize_t)sizeof(head) || memcmp(head, "\177ELF", 4) != 0)
		return -1;
	return head[5] == 2 ? head[18] << 8 | head[19]
			    : head[19] << 8 | head[18];
}

void
check_cann_arch(struct host *h, struct finding *f)
{
	static const struct {
		long elf;
		const char *name;
	} machines[] = { { 62, "x86_64" }, { 183, "aarch64" } };
	const char *lib = cann_ready(h) ? reach(h, "libascendcl.so") : NULL;
	struct utsname u;
	long elf = lib == NULL || *lib == '\0' ? -1 : elf_machine(h, lib);

	find_set(f, ST_SKIP);
	if (elf < 0 || uname(&u) < 0)
		return;
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		if (machines[i].elf != elf)
			continue;
		find_set(f, ST_PASS);
		find_value(f, "%s", machines[i].name);
		if (strcmp(machines[i].name, u.machine) == 0)
			return;
		find_say(
		    f, ST_FAIL, &T_CANN_ARCH, lib, machines[i].name, u.machine);
		find_remedy(f, &T_DO_ARCH, u.machine);
	}
}

void
check_cann_msprof(struct host *h, struct finding *f)
{
	const char *list = host_paths(h, "PATH"), *dir, *home;

	if (!ready(h, f))
		return;
	while (host_entry(h, &list, &dir)) {
		const char *path = host_str(h, "%s/msprof", dir);

		if (*dir == '\0' || !host_is_file(h, path))
			continue;
		find_value(f, "%s", path);
		return;
	}
	home = cann_get(h)->home;
	dir = host_str(h, "%s/tools/profiler/bin", home);
	if (host_is_file(h, host_str(h, "%s/msprof", dir)) ||
	    host_is_file(h, host_str(h, "%s/bin/msprof", home))) {
		find_value(f, "%s", dir);
		return;
	}
	find_say(f, ST_WARN, &T_NO_MSPROF, home);
	find_remedy(f, &T_DO_MSPROF);
}
