/* The PCI bus, device nodes, containers. Nodes are asked, never opened. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "check-env.h"

static int
is_950(const struct smi *smi)
{
	const char *gen = smi == NULL ? NULL : smi->chip[0].gen;

	return gen != NULL && strcmp(gen, "A5") == 0;
}

/* Nodes that a chip of the table needs: dies with one Phy-ID share one. */
static size_t
nodes_wanted(const struct smi *smi)
{
	const struct npusmi *t = &smi->table;
	size_t n = 0;

	for (size_t i = 0; i < t->nchip; i++) {
		size_t k = 0;

		while (k < i &&
		    (t->id != NPUSMI_ID_PHY || t->chip[k].id == NULL ||
			t->chip[i].id == NULL ||
			strcmp(t->chip[k].id, t->chip[i].id) != 0))
			k++;
		n += k == i;
	}
	return n;
}

void
check_pci_count(struct host *h, struct finding *f)
{
	const struct smi *smi = smi_chips(h);
	long pci = device_pci(h);

	if (smi == NULL || pci < 1 || proc_container(h) != NULL) {
		find_set(f, ST_SKIP);
		return;
	}
	find_set(f, ST_PASS);
	find_value(f, "%ld", pci);
	if (pci <= (long)nodes_wanted(smi))
		return;
	find_say(f, ST_WARN, &T_PCI_MORE, host_str(h, "%ld", pci),
	    host_str(h, "%zu", smi->table.nchip));
	find_remedy(f, &T_DO_DMESG);
}

/* "--device=/dev/davinci0 ...", ready to paste. */
static const char *
device_options(struct host *h, size_t n, int new)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < n; i++)
		buf_addf(&b, "--device=/dev/davinci%zu ", i);
	buf_addf(&b,
	    "--device=/dev/davinci_manager --device=/dev/%s "
	    "--device=/dev/hisi_hdc",
	    new ? "asdrv_svm" : "devmm_svm");
	return host_keep(h, &b);
}

void
check_dev_nodes(struct host *h, struct finding *f)
{
	const struct smi *smi = smi_chips(h);
	const char *const names[] = { "/dev/davinci_manager", "/dev/hisi_hdc",
		is_950(smi) ? "/dev/asdrv_svm" : "/dev/devmm_svm" };
	long *ids;
	size_t n = device_nodes(h, &ids), lacks = 0;

	find_set(f, smi == NULL ? ST_SKIP : ST_PASS);
	if (smi == NULL)
		return;
	find_value(f, "%zu", n);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!host_exists(h, names[i])) {
			lacks++;
			find_detail(f, &T_DEV_LACKS, names[i]);
		}
	if (n == 0)
		find_say(f, ST_WARN, &T_DEV_NONE,
		    host_str(h, "%zu", smi->table.nchip));
	else if (lacks > 0)
		find_say(f, ST_FAIL, &T_DEV_MANAGER);
	else if (n < nodes_wanted(smi))
		find_say(f, ST_WARN, &T_DEV_FEW, host_str(h, "%zu", n),
		    host_str(h, "%zu", smi->table.nchip));
	else
		return;
	if (n == 0)
		f->ndetail = 0;
	if (proc_container(h) != NULL)
		find_remedy(f, &T_DO_PASTE,
		    device_options(h, nodes_wanted(smi), is_950(smi)));
	else
		find_remedy(f, &T_DO_REINSTALL);
}

void
check_dev_access(struct host *h, struct finding *f)
{
	static const char *const names[] = { "davinci_manager", "hisi_hdc",
		"devmm_svm", "asdrv_svm" };
	const char *first = NULL;
	size_t bad = 0, seen = 0, n;
	long *ids;

	n = device_nodes(h, &ids);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names) + n; i++) {
		const char *path = i < n
		    ? host_str(h, "/dev/davinci%ld", ids[i])
		    : host_str(h, "/dev/%s", names[i - n]);

		if (!host_exists(h, path))
			continue;
		seen++;
		if (host_access(h, path, R_OK | W_OK) == 0)
			continue;
		if (bad++ == 0)
			first = path;
	}
	find_set(f, seen == 0 ? ST_SKIP : ST_PASS);
	if (bad == 0)
		return;
	find_say(f, ST_FAIL, &T_DEV_DENIED, first, host_str(h, "%zu", bad));
	find_value(f, "%s", first);
	if (proc_group_lists(h, proc_group(h)))
		find_remedy(f, &T_DO_LOGIN, proc_group(h));
	else
		find_remedy(f, &T_DO_GROUP, proc_group(h));
}

void
check_dev_group(struct host *h, struct finding *f)
{
	const char *group = proc_group(h);

	find_set(f, ST_PASS);
	find_value(f, "%s", group);
	if (!proc_group_lists(h, group) || proc_group_effective(h, group))
		return;
	find_say(f, ST_WARN, &T_GROUP_LATE, group);
	find_remedy(f, &T_DO_LOGIN, group);
}

void
check_ctr_kind(struct host *h, struct finding *f)
{
	const char *kind = proc_container(h);

	find_set(f, ST_PASS);
	if (kind == NULL)
		return;
	find_say(f, ST_INFO, &T_CTR_KIND, kind);
	find_value(f, "%s", kind);
}

void
check_ctr_privileged(struct host *h, struct finding *f)
{
	int privileged = proc_privileged(h);

	if (proc_container(h) == NULL || privileged < 0) {
		find_set(f, ST_SKIP);
		return;
	}
	find_set(f, ST_PASS);
	find_value(f, "%s", privileged ? "yes" : "no");
	if (!privileged)
		find_say(f, ST_INFO, &T_CTR_OWN_TABLE);
}

void
check_ctr_mounts(struct host *h, struct finding *f)
{
	const char *driver = cann_get(h)->driver;
	const char *const names[] = { "/usr/local/dcmi",
		"/usr/local/bin/npu-smi", host_str(h, "%s/lib64", driver),
		host_str(h, "%s/version.info", driver),
		"/etc/ascend_install.info" };
	struct buf b = { 0 };

	if (proc_container(h) == NULL || smi_chips(h) == NULL) {
		find_set(f, ST_SKIP);
		return;
	}
	find_set(f, ST_PASS);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!host_exists(h, names[i]))
			buf_addf(&b, "%s-v %s:%s", b.len == 0 ? "" : " ",
			    names[i], names[i]);
	if (b.len > 0) {
		find_say(f, ST_WARN, &T_CTR_MOUNTS);
		find_value(f, "%s", b.s);
		find_remedy(f, &T_DO_PASTE, b.s);
	}
	buf_free(&b);
}

void
check_ctr_driver_ro(struct host *h, struct finding *f)
{
	const char *s = host_read(h, "/proc/self/mountinfo"), *line;
	const char *driver = cann_get(h)->driver;

	if (proc_container(h) == NULL || s == NULL) {
		find_set(f, ST_SKIP);
		return;
	}
	find_set(f, ST_PASS);
	while (host_next(h, &s, &line)) {
		const char *at = strstr(line, driver);
		const char *end = at == NULL ? NULL : at + strlen(driver);

		if (at != NULL && at > line && at[-1] == ' ' &&
		    (str_begins(end, " ro,") || str_begins(end, " ro "))) {
			find_say(f, ST_INFO, &T_CTR_RO, driver);
			return;
		}
	}
}
