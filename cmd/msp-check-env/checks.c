/* The table of checks, and running them. */
#include <fnmatch.h>
#include <string.h>

#include "check-env.h"
#include "mem.h"

const struct check checks[] = {
#define CHECK(name, id, worst, fails, en, zh) \
	{ id, worst, fails, check_##name, { "", en, zh } },
#include "checks.def"
#undef CHECK
};
const size_t nchecks = sizeof(checks) / sizeof(*checks);

int
check_matches(const char *id, char *const *patterns, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *s = patterns[i];

		while (*s != '\0') {
			size_t len = strcspn(s, ",");
			char *one = mem_dup(s, len);
			int yes = fnmatch(one, id, 0) == 0;

			mem_free(one);
			if (yes)
				return 1;
			s += len + (s[len] == ',');
		}
	}
	return 0;
}

int
check_selected(const struct check *c, char *const *select, size_t n)
{
	if (n == 0 || check_matches(c->id, select, n))
		return 1;
	if (c->decide != check_npu_present)
		return 0;
	for (size_t i = 0; i < nchecks; i++)
		if (str_begins(checks[i].id, "npu.") &&
		    check_matches(checks[i].id, select, n))
			return 1;
	return 0;
}

static int
is_ignored(const struct finding *f, char *const *ignore, size_t n)
{
	return check_matches(f->check->id, ignore, n) ||
	    (f->value != NULL && check_matches(f->value, ignore, n));
}

/*
 * What the status becomes after all: errors about software that the script's
 * own environment may bring are warnings, and so is, with -f, what cannot be
 * told.
 */
static void
adjust(const struct host *h, struct finding *f)
{
	if (f->status != ST_FAIL)
		return;
	if (h->need.loads != NULL &&
	    (str_begins(f->check->id, "cann.") ||
		str_begins(f->check->id, "py.")))
		f->status = ST_WARN;
	if (h->force && f->fails == V_UNKNOWN)
		f->status = ST_WARN;
}

size_t
check_run(struct host *h, char *const *select, size_t nselect,
    char *const *ignore, size_t nignore, struct finding **out)
{
	struct finding *list = mem_zero(nchecks, sizeof(*list));
	size_t n = 0;
	int elsewhere = 0;

	for (size_t i = 0; i < nchecks; i++) {
		struct finding *f = &list[n];

		if (!check_selected(&checks[i], select, nselect))
			continue;
		n++;
		*f = (struct finding){
			.host = h, .check = &checks[i], .fails = checks[i].fails
		};
		if (elsewhere) {
			find_set(f, ST_SKIP);
			continue;
		}
		checks[i].decide(h, f);
		adjust(h, f);
		if ((f->status == ST_FAIL || f->status == ST_WARN ||
			f->status == ST_INFO) &&
		    is_ignored(f, ignore, nignore))
			f->status = ST_IGNORED;
		elsewhere |= checks[i].decide == check_script_where &&
		    h->need.where != NEED_HERE;
	}
	*out = list;
	return n;
}

size_t
check_count(const struct finding *f, size_t n, enum status status)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += f[i].status == status;
	return count;
}

enum verdict
check_verdict(const struct finding *f, size_t n, int warnings)
{
	enum verdict worst = V_READY;

	for (size_t i = 0; i < n; i++)
		if (f[i].status == ST_FAIL && f[i].fails > worst)
			worst = f[i].fails;
	if (worst == V_READY && warnings && check_count(f, n, ST_WARN) > 0)
		return V_NOT_READY;
	return worst;
}
