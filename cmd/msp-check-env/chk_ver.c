/* What goes together: driver, firmware, CANN, torch and torch_npu. */
#include <string.h>

#include "check-env.h"
#include "pkgver.h"

void
check_ver_driver_cann(struct host *h, struct finding *f)
{
	const struct cann *c = cann_get(h);
	const char *line;

	find_set(f, ST_SKIP);
	if (c->inner == NULL || c->driver_compatible == NULL)
		return;
	find_set(f, ST_PASS);
	find_value(f, "%s %s", c->version,
	    c->driver_version == NULL ? "-" : c->driver_version);
	line = arena_dup(
	    &h->arena, c->inner, strlen(c->inner) < 11 ? strlen(c->inner) : 11);
	if (version_lists(c->driver_compatible, line))
		return;
	if (c->driver_inner != NULL && c->compatible != NULL) {
		size_t n = strlen(c->driver_inner);

		line = arena_dup(&h->arena, c->driver_inner, n < 11 ? n : 11);
		if (version_lists(c->compatible, line))
			return;
	}
	find_say(f, ST_WARN, &T_VER_DRIVER_CANN, c->version,
	    c->driver_version == NULL ? "-" : c->driver_version,
	    c->driver_compatible);
	find_remedy(f, &T_DO_DRIVER_CANN);
}

void
check_ver_driver_fw(struct host *h, struct finding *f)
{
	const struct cann *c = cann_get(h);

	find_set(f, ST_SKIP);
	if (c->firmware == NULL || c->driver_firmware == NULL)
		return;
	find_set(f, ST_PASS);
	find_value(f, "%s", c->firmware);
	if (version_in(h, c->driver_firmware, c->firmware))
		return;
	find_say(f, ST_WARN, &T_VER_DRIVER_FW, c->firmware,
	    c->driver_version == NULL ? "-" : c->driver_version,
	    c->driver_firmware);
	find_remedy(f, &T_DO_FIRMWARE);
}

void
check_ver_reboot(struct host *h, struct finding *f)
{
	const struct cann *c = cann_get(h);
	const struct smi *smi = smi_chips(h);
	const char *running = smi == NULL ? NULL : smi->table.driver;

	find_set(f, ST_SKIP);
	if (running == NULL || c->driver_version == NULL || h->input != NULL)
		return;
	find_set(f, ST_PASS);
	find_value(f, "%s", running);
	if (strcmp(running, c->driver_version) == 0)
		return;
	find_say(f, ST_WARN, &T_VER_REBOOT, c->driver_version, running);
	find_remedy(f, &T_DO_REBOOT);
}

void
check_nnal_loaded(struct host *h, struct finding *f)
{
	const char *home = host_env(h, "ATB_HOME_PATH");
	const char *found = cann_nnal(h);

	find_set(f, ST_PASS);
	if (home != NULL && host_is_dir(h, home)) {
		find_value(f, "%s", home);
		return;
	}
	find_say(f, ST_INFO, found == NULL ? &T_NO_NNAL : &T_NNAL_NOT_LOADED,
	    found == NULL ? "" : found);
}

void
check_py_torch_npu(struct host *h, struct finding *f)
{
	const char *v = python_package(h, "torch_npu", NULL);

	find_set(f, ST_PASS);
	if (v != NULL) {
		find_value(f, "%s", v);
		return;
	}
	find_say(f, ST_WARN, &T_NO_TORCH_NPU);
	find_remedy(f, &T_DO_TORCH_NPU);
}

/* Up to the third number: 2.1.0.post12 and 2.1.0+cpu are 2.1.0. */
static size_t
release(const char *v)
{
	size_t n = 0;

	for (int part = 0; part < 3; part++) {
		size_t len = strspn(v + n, "0123456789");

		if (len == 0)
			return n;
		n += len;
		if (part < 2 && v[n] == '.')
			n++;
	}
	return n;
}

void
check_py_match(struct host *h, struct finding *f)
{
	const char *torch = python_package(h, "torch", NULL);
	const char *npu = python_package(h, "torch_npu", NULL);
	size_t n;

	find_set(f, ST_SKIP);
	if (torch == NULL || npu == NULL)
		return;
	find_set(f, ST_PASS);
	find_value(f, "%s %s", torch, npu);
	n = release(torch);
	if (n == release(npu) && strncmp(torch, npu, n) == 0)
		return;
	find_say(f, ST_WARN, &T_TORCH_DIFFERS, torch, npu);
	find_remedy(f, &T_DO_TORCH_MATCH, torch);
}

void
check_py_shadow(struct host *h, struct finding *f)
{
	static const char *const names[] = { "torch_npu", "torch" };
	const char *cwd = h->need.cwd == NULL ? "." : h->need.cwd;

	find_set(f, ST_PASS);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *path = host_str(h, "%s/%s", cwd, names[i]);

		if (!host_is_dir(h, path))
			continue;
		find_value(f, "%s", path);
		find_say(f, ST_WARN, &T_PY_SHADOW, path);
		find_remedy(f, &T_DO_SHADOW, names[i]);
		return;
	}
}

void
check_py_version(struct host *h, struct finding *f)
{
	const char *v = python_version(h);

	find_set(f, v == NULL ? ST_SKIP : ST_PASS);
	if (v == NULL)
		return;
	find_value(f, "%s", v);
	if (version_compare(v, "3.7") >= 0)
		return;
	find_say(f, ST_WARN, &T_PY_OLD, v);
	find_remedy(f, &T_DO_PY_NEWER);
}
