#include <stdlib.h>

#include "io.h"
#include "run.h"
#include "spawn.h"

/*
 * The number at the launch's stage in what the trap wrote; -1 when it wrote
 * nothing, or of another pipeline.
 */
static int
status_trap(const struct run_follow *f)
{
	struct buf b = { 0 };
	int found = -1, n = 0;

	if (f->start->status == NULL ||
	    io_slurp_file(f->start->status, &b, 4096) < 0 || b.len == 0) {
		buf_free(&b);
		return -1;
	}
	for (char *s = b.s, *end;; s = end, n++) {
		long value = strtol(s, &end, 10);
		if (end == s)
			break;
		if (n == f->place->stage && value >= 0 && value <= 255)
			found = (int)value;
	}
	buf_free(&b);
	return n == f->place->stages ? found : -1;
}

void
status_find(struct run_status *s, const struct run_follow *f)
{
	int trap = status_trap(f);

	s->script = spawn_status(f->wait_status);
	s->from = trap >= 0 ? FROM_PIPE : FROM_SCRIPT;
	s->exit = trap >= 0 ? trap : s->script;
	if (f->signal != 0)
		s->exit = 128 + f->signal;
	else if (f->late)
		s->exit = 124;
}

void
status_judge(struct run_status *s, const struct run_follow *f,
    const struct symptom_report *r)
{
	if (s->exit != 0 || f->signal != 0 || f->late || !r->proof)
		return;
	s->exit = EXIT_NO;
	s->from = FROM_LOG;
}
