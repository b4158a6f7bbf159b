#include "cann.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "check-env.h"
#include "path.h"
#include "pkgver.h"

enum { FOUND_MAX = 64 };

static const char *
machine(struct host *h)
{
	struct utsname u;

	if (uname(&u) < 0)
		return "unknown";
	return host_str(h, "%s", u.machine);
}

static int
is_toolkit(struct host *h, const char *dir)
{
	return host_exists(h, host_str(h, "%s/lib64/libascendcl.so", dir)) ||
	    host_exists(h,
		host_str(
		    h, "%s/%s-linux/lib64/libascendcl.so", dir, machine(h)));
}

/* What a set_env.sh makes ASCEND_HOME_PATH of. */
static const char *
home_of(struct host *h, const char *set_env)
{
	const char *dir = host_dir(h, set_env);
	const char *latest = host_str(h, "%s/latest", dir);

	if (!is_toolkit(h, dir) && host_is_dir(h, latest))
		return latest;
	return dir;
}

static int
is_candidate(struct host *h, const char *set_env)
{
	return host_is_file(h, set_env) && host_access(h, set_env, R_OK) == 0 &&
	    is_toolkit(h, home_of(h, set_env));
}

static void
add_candidate(struct host *h, struct cann *c, const char *set_env)
{
	const char *real;

	if (c->nfound == FOUND_MAX || !is_candidate(h, set_env))
		return;
	real = host_real(h, home_of(h, set_env));
	for (size_t i = 0; i < c->nfound; i++)
		if (strcmp(host_real(h, home_of(h, c->found[i])), real) == 0)
			return;
	c->found[c->nfound++] = set_env;
}

static void
add_below(struct host *h, struct cann *c, const char *base)
{
	static const char *const fixed[] = { "cann", "ascend-toolkit" };
	static const char *const last[] = { "latest", "ascend-toolkit/latest" };
	const char **names, *best = NULL;
	size_t n;

	for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
		add_candidate(
		    h, c, host_str(h, "%s/%s/set_env.sh", base, fixed[i]));
	n = host_list(h, base, "cann-", &names);
	for (size_t i = 0; i < n; i++)
		if (best == NULL || version_compare(names[i], best) > 0)
			best = names[i];
	if (best != NULL)
		add_candidate(
		    h, c, host_str(h, "%s/%s/set_env.sh", base, best));
	for (size_t i = 0; i < n; i++)
		add_candidate(
		    h, c, host_str(h, "%s/%s/set_env.sh", base, names[i]));
	for (size_t i = 0; i < sizeof(last) / sizeof(*last); i++)
		add_candidate(
		    h, c, host_str(h, "%s/%s/set_env.sh", base, last[i]));
}

static void
find_installations(struct host *h, struct cann *c)
{
	static const char *const names[] = { "ASCEND_HOME_PATH",
		"ASCEND_TOOLKIT_HOME" };
	const char *user = getenv("HOME");

	c->found = arena_alloc(&h->arena, FOUND_MAX * sizeof(*c->found));
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *dir = getenv(names[i]);

		if (dir == NULL || dir[0] != '/')
			continue;
		add_candidate(h, c, host_str(h, "%s/set_env.sh", dir));
		add_candidate(
		    h, c, host_str(h, "%s/set_env.sh", host_dir(h, dir)));
	}
	if (geteuid() != 0 && user != NULL && user[0] == '/')
		add_below(h, c, host_str(h, "%s/Ascend", user));
	add_below(h, c, "/usr/local/Ascend");
	add_below(h, c, "/home/HwHiAiUser/Ascend");
}

static int
take_version(struct host *h, struct cann *c, const char *file, const char *key)
{
	const char *text = host_read(h, file);
	const char *v = host_key(h, text, key);

	if (v == NULL || *v == '\0')
		return 0;
	if (*v == '[' && strchr(v, ':') != NULL) {
		v = strchr(v, ':') + 1;
		v = arena_dup(&h->arena, v, strcspn(v, "]"));
	}
	if (c->version == NULL) {
		c->version = v;
		c->file = file;
	}
	if (c->inner == NULL) {
		c->inner = host_key(h, text, "innerversion");
		c->compatible = host_key(h, text, "compatible_version");
	}
	return 1;
}

static void
read_versions(struct host *h, struct cann *c)
{
	static const struct {
		const char *file, *key;
	} places[] = {
		{ "compiler/version.info", "version_dir" },
		{ "opp/version.info", "version_dir" },
		{ "compiler/version.info", "Version" },
		{ "opp/version.info", "Version" },
		{ "version.cfg", "runtime_running_version" },
	};
	const char **packages;
	size_t n;

	take_version(h, c,
	    host_str(h, "%s/%s-linux/ascend_toolkit_install.info", c->home,
		machine(h)),
	    "version");
	n = host_list(h, host_str(h, "%s/share/info", c->home), "", &packages);
	for (size_t i = 0; i < n; i++) {
		const char *dir =
		    host_str(h, "%s/share/info/%s", c->home, packages[i]);

		take_version(
		    h, c, host_str(h, "%s/version.info", dir), "version_dir");
		take_version(h, c, host_str(h, "%s/ascend_install.info", dir),
		    "version");
	}
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (c->version == NULL)
			take_version(h, c,
			    host_str(h, "%s/%s", c->home, places[i].file),
			    places[i].key);
	if (c->version == NULL) {
		const char *base = path_base(host_real(h, c->home));

		if (str_begins(base, "cann-"))
			base += 5;
		if (base[0] >= '0' && base[0] <= '9')
			c->version = base;
	}
}

static void
read_driver(struct host *h, struct cann *c)
{
	const char *info = host_read(h, "/etc/ascend_install.info");
	const char *base = host_key(h, info, "Driver_Install_Path_Param");
	const char *text;

	c->driver = host_str(h, "%s/driver",
	    base != NULL && base[0] == '/' ? base : "/usr/local/Ascend");
	c->driver_file = host_str(h, "%s/version.info", c->driver);
	text = host_read(h, c->driver_file);
	c->driver_version = host_key(h, text, "Version");
	c->driver_inner = host_key(h, text, "Innerversion");
	c->driver_compatible = host_key(h, text, "compatible_version");
	c->driver_firmware = host_key(h, text, "compatible_version_fw");
	c->firmware_file = host_str(h, "%s/firmware/version.info",
	    base != NULL && base[0] == '/' ? base : "/usr/local/Ascend");
	c->firmware = host_key(h, host_read(h, c->firmware_file), "Version");
}

/* ASCEND_HOME_PATH may have outlived LD_LIBRARY_PATH: sudo drops that. */
static int
has_library(struct host *h)
{
	const char *list = host_paths(h, "LD_LIBRARY_PATH"), *dir;

	while (host_entry(h, &list, &dir))
		if (*dir != '\0' &&
		    host_exists(h, host_str(h, "%s/libascendcl.so", dir)))
			return 1;
	return 0;
}

static void
find_home(struct host *h, struct cann *c)
{
	const char *now = host_env(h, "ASCEND_HOME_PATH");

	if (now == NULL || *now == '\0')
		now = host_env(h, "ASCEND_TOOLKIT_HOME");
	if (now != NULL && *now != '\0')
		c->home = now;
	c->set_env = c->nfound > 0 ? c->found[0] : NULL;
	if (h->need.set_env != NULL) {
		c->by_script = 1;
		c->set_env = h->need.set_env;
		if (!need_var(h, "ASCEND_HOME_PATH", &now) || now == NULL ||
		    *now != '/' || !host_is_dir(h, now))
			c->home = home_of(h, c->set_env);
	} else if (c->home == NULL && h->eval && c->set_env != NULL) {
		c->by_eval = 1;
		c->home = home_of(h, c->set_env);
	} else if (h->eval && c->set_env != NULL && !has_library(h)) {
		c->by_eval = 1;
	}
}

const struct cann *
cann_get(struct host *h)
{
	struct cann *c = &h->cann;

	if (h->has_cann)
		return c;
	h->has_cann = 1;
	read_driver(h, c);
	find_installations(h, c);
	find_home(h, c);
	if (c->home != NULL && c->home[0] == '/')
		read_versions(h, c);
	return c;
}

int
cann_ready(struct host *h)
{
	const struct cann *c = cann_get(h);

	return c->home != NULL && c->home[0] == '/' && host_is_dir(h, c->home);
}

const char *
cann_nnal(struct host *h)
{
	const char *user = getenv("HOME");
	const char *s = "/usr/local/Ascend/nnal/atb/set_env.sh";

	if (host_is_file(h, s))
		return s;
	if (user == NULL || user[0] != '/')
		return NULL;
	s = host_str(h, "%s/Ascend/nnal/atb/set_env.sh", user);
	return host_is_file(h, s) ? s : NULL;
}
