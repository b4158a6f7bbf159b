/*
 * Why no NPU is usable, as far as files can tell: the first row that holds
 * gives the cause and what to do.
 */
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "check-env.h"

struct facts {
	struct host *h;
	const struct smi *smi;
	long ret;
	long pci; /* Ascend devices on the bus, -1 unknown */
	size_t nodes; /* /dev/davinciN */
	int manager; /* /dev/davinci_manager is there */
	int readable; /* and may be used */
	int in_ctr, has_driver, loaded, modules;
	const char *group;
};

/* Modules of this kernel; -1 when the kernel's directory is not there. */
static int
has_modules(struct host *h)
{
	struct utsname u;
	const char **names, *dir;
	size_t n;

	if (uname(&u) < 0)
		return -1;
	dir = host_str(h, "/lib/modules/%s", u.release);
	if (!host_is_dir(h, dir))
		return -1;
	n = host_list(h, host_str(h, "%s/updates", dir), "drv_", &names);
	n += host_list(h, host_str(h, "%s/updates", dir), "ascend_", &names);
	n += host_list(h, host_str(h, "%s/extra", dir), "drv_", &names);
	return n > 0;
}

/* The driver's files are newer than the running system. */
static int
upgraded(const struct facts *f)
{
	const char *s = host_read(f->h, "/proc/stat");
	struct stat st;

	s = s == NULL ? NULL : strstr(s, "\nbtime ");
	if (s == NULL ||
	    stat(host_path(f->h, cann_get(f->h)->driver_file), &st) < 0)
		return 0;
	return (long)st.st_mtime > npusmi_number(host_str(f->h, "%.*s",
				       (int)strcspn(s + 7, "\n"), s + 7));
}

static int
is_occupied(const struct facts *f)
{
	return f->ret == -8020;
}

static int
is_other_generation(const struct facts *f)
{
	return f->ret == -8255;
}

static int
is_not_ready(const struct facts *f)
{
	return f->ret == -8006 || f->ret == -8012;
}

static int
lacks_libraries(const struct facts *f)
{
	return f->smi->loader && !f->smi->mended;
}

static int
lacks_devices_ctr(const struct facts *f)
{
	return f->in_ctr && (f->nodes == 0 || !f->manager);
}

static int
lacks_driver_ctr(const struct facts *f)
{
	return f->in_ctr && !f->has_driver;
}

static int
lacks_smi_ctr(const struct facts *f)
{
	return f->in_ctr && f->smi->end == SMI_MISSING;
}

static int
needs_login(const struct facts *f)
{
	return f->manager && !f->readable && proc_group_lists(f->h, f->group) &&
	    !proc_group_effective(f->h, f->group);
}

static int
lacks_permission(const struct facts *f)
{
	return f->manager && !f->readable;
}

static int
lacks_hardware(const struct facts *f)
{
	return f->h->input == NULL && f->pci <= 0 && f->nodes == 0 &&
	    !f->manager && !f->has_driver;
}

static int
lacks_driver(const struct facts *f)
{
	return f->pci > 0 && !f->has_driver;
}

static int
kernel_changed(const struct facts *f)
{
	return f->has_driver && !f->loaded && !f->manager && f->modules == 0;
}

static int
not_loaded(const struct facts *f)
{
	return f->has_driver && !f->manager;
}

static int
not_rebooted(const struct facts *f)
{
	return f->ret != 0 && f->has_driver && upgraded(f);
}

static int
driver_silent(const struct facts *f)
{
	return f->ret == -8005;
}

static int
card_lost(const struct facts *f)
{
	return smi_failed(f->smi);
}

static int
cards_down(const struct facts *f)
{
	return f->pci > 0 || f->nodes > 0;
}

static const struct {
	int (*holds)(const struct facts *);
	const struct text *cause, *remedy;
} causes[] = {
	{ is_occupied, &T_CAUSE_OCCUPIED, &T_DO_OCCUPIED },
	{ is_other_generation, &T_CAUSE_GENERATION, &T_DO_GENERATION },
	{ is_not_ready, &T_CAUSE_NOT_READY, &T_DO_AGAIN },
	{ lacks_hardware, &T_CAUSE_HARDWARE, &T_DO_ELSEWHERE },
	{ lacks_devices_ctr, &T_CAUSE_DEVICES_CTR, &T_DO_DEVICES },
	{ lacks_libraries, &T_CAUSE_LIBRARIES, &T_DO_LIBS },
	{ lacks_driver_ctr, &T_CAUSE_DRIVER_CTR, &T_DO_MOUNT_DRIVER },
	{ lacks_smi_ctr, &T_CAUSE_SMI_CTR, &T_DO_MOUNT_SMI },
	{ needs_login, &T_CAUSE_LOGIN, &T_DO_LOGIN },
	{ lacks_permission, &T_CAUSE_PERMISSION, &T_DO_GROUP },
	{ lacks_driver, &T_CAUSE_DRIVER, &T_DO_INSTALL },
	{ kernel_changed, &T_CAUSE_KERNEL, &T_DO_REINSTALL },
	{ not_loaded, &T_CAUSE_NOT_LOADED, &T_DO_LOAD },
	{ not_rebooted, &T_CAUSE_REBOOT, &T_DO_REBOOT },
	{ card_lost, &T_CAUSE_LOST, &T_DO_DMESG },
	{ driver_silent, &T_CAUSE_SILENT, &T_DO_DRIVER },
	{ cards_down, &T_CAUSE_DOWN, &T_DO_DMESG },
};

static void
facts_read(struct facts *f, struct host *h)
{
	static const char manager[] = "/dev/davinci_manager";
	long *ids;

	*f = (struct facts){ .h = h, .smi = smi_get(h), .pci = -1 };
	f->ret = f->smi->table.ret;
	f->group = proc_group(h);
	if (h->input != NULL)
		return; /* it tells of another host, or of another time */
	f->pci = device_pci(h);
	f->nodes = device_nodes(h, &ids);
	f->manager = host_exists(h, manager);
	f->readable = host_access(h, manager, R_OK | W_OK) == 0;
	f->in_ctr = proc_container(h) != NULL;
	f->has_driver = host_is_dir(h, cann_get(h)->driver);
	f->loaded = device_driver(h);
	f->modules = has_modules(h);
}

void
cause_tell(struct host *h, struct finding *to)
{
	struct facts f;
	size_t i = 0;

	facts_read(&f, h);
	if (f.pci > 0)
		find_detail(to, &T_FACT_PCI, host_str(h, "%ld", f.pci));
	if (f.ret != 0)
		find_detail(to, &T_FACT_RET, host_str(h, "%ld", f.ret));
	else if (f.smi->end == SMI_MISSING && h->program == NULL)
		find_detail(to, &T_SMI_MISSING);
	else if (f.smi->end == SMI_MISSING)
		find_detail(to, &T_SMI_NO_PROGRAM, h->program);
	else if (f.smi->end == SMI_DENIED)
		find_detail(
		    to, &T_SMI_DENIED, f.smi->program, strerror(f.smi->error));
	while (i < sizeof(causes) / sizeof(*causes) && !causes[i].holds(&f))
		i++;
	if (i == sizeof(causes) / sizeof(*causes)) {
		if (h->input == NULL)
			find_detail(to, &T_CAUSE_UNKNOWN);
		return;
	}
	find_detail(to, causes[i].cause, f.group, cann_get(h)->driver,
	    f.smi->library == NULL ? "" : f.smi->library);
	find_remedy(to, causes[i].remedy,
	    causes[i].remedy == &T_DO_GROUP || causes[i].remedy == &T_DO_LOGIN
		? f.group
		: cann_get(h)->driver);
}
