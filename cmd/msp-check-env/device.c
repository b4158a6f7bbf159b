/* Ascend devices on the PCI bus and their nodes; nothing is opened but sysfs. */
#include <stdlib.h>
#include <string.h>

#include "check-env.h"

static int
is_ascend(struct host *h, const char *device)
{
	static const char *const ids[] = { "0xd100", "0xd105", "0xd500",
		"0xd801", "0xd802", "0xd803", "0xd806" };
	const char *dir = host_str(h, "/sys/bus/pci/devices/%s", device);
	const char *vendor = host_line(h, host_str(h, "%s/vendor", dir));
	const char *id;

	if (vendor == NULL || strcmp(vendor, "0x19e5") != 0)
		return 0;
	id = host_line(h, host_str(h, "%s/device", dir));
	for (size_t i = 0; id != NULL && i < sizeof(ids) / sizeof(*ids); i++)
		if (strcmp(id, ids[i]) == 0)
			return 1;
	return 0;
}

long
device_pci(struct host *h)
{
	const char **names;
	size_t n;
	long found = 0;

	if (!host_is_dir(h, "/sys/bus/pci/devices"))
		return -1;
	n = host_list(h, "/sys/bus/pci/devices", "", &names);
	for (size_t i = 0; i < n; i++)
		found += is_ascend(h, names[i]);
	return found;
}

int
device_driver(struct host *h)
{
	const char *s = host_read(h, "/proc/modules"), *line;

	while (host_next(h, &s, &line))
		if (str_begins(line, "drv_") || str_begins(line, "ascend"))
			return 1;
	return 0;
}

static int
by_number(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return x < y ? -1 : x > y;
}

size_t
device_nodes(struct host *h, long **ids)
{
	const char **names;
	size_t n = host_list(h, "/dev", "davinci", &names), kept = 0;

	*ids = arena_alloc(&h->arena, (n + 1) * sizeof(**ids));
	for (size_t i = 0; i < n; i++) {
		const char *s = names[i] + strlen("davinci");

		if (strspn(s, "0123456789") == strlen(s) && *s != '\0')
			(*ids)[kept++] = npusmi_number(s);
	}
	qsort(*ids, kept, sizeof(**ids), by_number);
	return kept;
}
