/*
 * Whatever the bytes: either nothing comes out, or the script with
 * insertions; then a second injection is refused, and one that overrides
 * gives the same bytes.
 *
 * links: cmd/msp-inject/inject.c cmd/msp-inject/choose.c cmd/msp-inject/place.c cmd/msp-inject/existing.c cmd/msp-inject/remove.c cmd/msp-inject/find.c cmd/msp-inject/check.c cmd/msp-inject/hygiene.c cmd/msp-inject/stop.c cmd/msp-inject/training.c cmd/msp-inject/plan.c cmd/msp-inject/yamlfile.c
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmd/msp-inject/inject.h"
#include "mem.h"

/* err_bug ends the program: here that is a finding. */
void _exit(int status);
void
_exit(int status)
{
	(void)status;
	abort();
}

static int
inject(
    const char *s, size_t len, enum inject_mode mode, int yaml, struct buf *out)
{
	struct inject in = { .mode = mode, .all = 1, .stop = 1, .force = 1 };
	struct buf plan = { 0 };

	profile_init(&in.profile);
	in.script.name = "fuzz";
	buf_add(&in.script.text, s, len);
	if (yaml)
		yamlfile_edit(&in);
	else
		inject_script(&in);
	int status = find_status(&in);
	plan_print(&in, &plan);
	if (status == EXIT_YES) {
		buf_add(out, in.script.text.s, in.ahead);
		buf_add(out, in.out.s, in.out.len);
	}
	buf_free(&plan);
	inject_free(&in);
	return status;
}

/* The original must be in the result, in order. */
static void
check_kept(const char *s, size_t len, const struct buf *b)
{
	size_t k = 0;

	for (size_t i = 0; i < b->len && k < len; i++)
		k += b->s[i] == s[k];
	if (k != len)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf once = { 0 }, twice = { 0 };
	static const char mark[] = "\n# msp: end script=-\n";
	const size_t close = sizeof mark - 2;

	if (size < 2 || size > 1 << 16 || memchr(data, '\0', size) != NULL)
		return 0;
	int yaml = data[0] == 'y';
	const char *s = (const char *)data + 1;
	size--;
	if (inject(s, size, INJECT_ASK, yaml, &once) == EXIT_YES) {
		if (!yaml)
			check_kept(s, size, &once);
		size_t len = yaml ? once.len : once.len - close;
		if (inject(once.s, len, INJECT_ASK, yaml, &twice) !=
			EXIT_REFUSED &&
		    yaml)
			abort();
		buf_reset(&twice);
		if (!yaml &&
		    inject(once.s, len, INJECT_OVERRIDE, 0, &twice) ==
			EXIT_YES &&
		    (twice.len != once.len ||
			memcmp(twice.s, once.s, once.len) != 0))
			abort();
	}
	buf_free(&once);
	buf_free(&twice);
	return 0;
}
