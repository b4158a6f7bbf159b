#include "fault.h"

#ifdef MSP_FAULT

#include <stdlib.h>
#include <string.h>

int
fault_now(enum fault_kind kind)
{
	static const char *const name[] = { "mem:", "read:", "write:" };
	static long left[3] = { -1, -1, -1 };

	if (left[kind] == -1) {
		const char *s = getenv("MSP_FAULT");
		size_t n = strlen(name[kind]);
		left[kind] = 0;
		if (s != NULL && strncmp(s, name[kind], n) == 0)
			left[kind] = strtol(s + n, NULL, 10);
	}
	return left[kind] > 0 && --left[kind] == 0;
}

#else

/* ISO C wants a declaration in every file. */
typedef int fault_unused;

#endif
