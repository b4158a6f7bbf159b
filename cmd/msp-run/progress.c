#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run.h"
#include "spawn.h"

enum { PROGRESS_EVERY = 10000 }; /* milliseconds between iterations said */

void
progress_say(struct run_follow *f, unsigned long long behind,
    const struct text *t, const char *a, const char *b)
{
	struct buf line = { 0 };
	char stamp[16] = "";
	time_t now = time(NULL);
	struct tm tm;

	if (localtime_r(&now, &tm) != NULL)
		(void)strftime(stamp, sizeof stamp, "%H:%M:%S ", &tm);
	buf_adds(&line, stamp);
	text_add(&line, t, a, b);
	buf_addc(&line, '\n');
	copy_say(&f->copy, behind, line.s);
	buf_free(&line);
}

/* The name as seen from here, where it lies below. */
static const char *
progress_path(const char *s)
{
	char here[4096];
	size_t n;

	if (getcwd(here, sizeof here) == NULL)
		return s;
	n = strlen(here);
	return strncmp(s, here, n) == 0 && s[n] == '/' ? s + n + 1 : s;
}

static void
progress_recording(struct run_follow *f, unsigned long long end)
{
	const struct profile *p = &f->place->want;
	struct profile_window w;
	struct buf steps = { 0 }, ranks = { 0 };

	if (f->announced || !f->place->profiles)
		return;
	profile_window(p,
	    p->backend == PROFILE_BACKENDS ? PROFILE_MCORE : p->backend, 0, 0,
	    &w);
	if (w.first <= 0 || f->iteration < w.first - 1)
		return;
	f->announced = 1;
	if (f->iteration > w.last)
		return;
	buf_addf(&steps, "%ld", w.first);
	if (w.last > w.first && w.last < PROFILE_END)
		buf_addf(&steps, "-%ld", w.last);
	if (profile_get(p, "ranks", &ranks) < 0)
		buf_adds(&ranks, "?");
	progress_say(f, end, &T_RECORDING, steps.s, ranks.s);
	buf_free(&steps);
	buf_free(&ranks);
}

static void
progress_iteration(
    struct run_follow *f, unsigned long long end, long number, long total)
{
	struct buf n = { 0 }, m = { 0 };
	long now = spawn_clock();

	f->iteration = number;
	if (f->said == 0 || f->verbose || now - f->said >= PROGRESS_EVERY) {
		f->said = now;
		buf_addf(&n, "%ld", number);
		buf_addf(&m, "%ld", total);
		progress_say(f, end, total > 0 ? &T_ITERATION_OF : &T_ITERATION,
		    n.s, m.s);
		buf_free(&n);
		buf_free(&m);
	}
	progress_recording(f, end);
}

void
progress_event(void *data, enum symptom_event event, unsigned long long end,
    long number, long total, const char *text)
{
	struct run_follow *f = data;

	if (f->own.path != NULL)
		end = f->bytes;
	switch (event) {
	case SYMPTOM_ITERATION:
		progress_iteration(f, end, number, total);
		break;
	case SYMPTOM_PARSING:
		if (text != NULL && text[0] != '\0' &&
		    !strs_has(&f->parsed, text))
			strs_add(&f->parsed, text);
		progress_say(f, end, &T_PARSING, "", "");
		break;
	case SYMPTOM_WRITTEN:
		progress_say(f, end, &T_WRITTEN,
		    f->parsed.n > 0
			? progress_path(f->parsed.s[f->parsed.n - 1])
			: "",
		    "");
		break;
	case SYMPTOM_CHECKPOINT:
		progress_say(f, end, &T_CHECKPOINT, "", "");
		break;
	}
}
