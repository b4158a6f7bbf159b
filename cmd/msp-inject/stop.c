#include <string.h>

#include "inject.h"

enum { STOP_MARGIN = 3 };

/* Options under which an empty --save breaks the training or changes it. */
static const char *const stop_breaking[] = { "--enable-mg2hf-convert",
	"--enable-high-availability", "--enable-hbmfault-repair",
	"--enable-worker-reboot", "--enable-elastic-training",
	"--moe-use-upcycling", NULL };

static void
stop_word(struct buf *added, const char *s)
{
	buf_add(added, s, strlen(s) + 1);
}

static void
stop_number(struct buf *added, const char *option, long n)
{
	stop_word(added, option);
	buf_addf(added, "%ld", n);
	buf_addc(added, '\0');
}

/* Could words that are not known hold further options? */
static int
stop_vague(const struct launch *x)
{
	for (size_t i = x->entry + 1; i < x->argc; i++)
		if (x->argv[i].split && shval_unknown_one(&x->argv[i]))
			return 1;
	return 0;
}

static void
stop_fsdp2(struct inject *in, const struct launch *x, struct training *t,
    struct buf *added)
{
	long end = t->loaded + in->profile.end + STOP_MARGIN;

	if (!t->loaded_known)
		find_refuse(in, x->line, &T_STOP_LOAD, NULL);
	if (t->iters == 0 || t->iters > end) {
		stop_number(added, "--training.max_steps", end);
		t->ends = end;
	}
	stop_number(added, "--training.save_steps", 0);
	stop_word(added, "--training.save_hf_weights");
	stop_word(added, "false");
	stop_number(added, "--training.save_epochs", 0);
}

/* Is there an evaluation up to the last iteration? */
static int
stop_evaluates(const struct launch *x, long loaded, long last)
{
	long iters = 100, every = 1000;

	if (training_number(x, "--eval-iters", &iters) == 0 && iters == 0)
		return 0;
	if (launch_option(x, "--eval-interval", NULL) != NULL &&
	    training_number(x, "--eval-interval", &every))
		return 1;
	return every > 0 && last / every > loaded / every;
}

/* An empty directory for checkpoints: nothing is saved. */
static void
stop_save(struct inject *in, const struct launch *x, struct buf *added)
{
	const struct shval *save = launch_option(x, "--save", NULL);
	struct buf b = { 0 };

	if (save == NULL) {
		if (stop_vague(x))
			find_warn(in, x->line, &T_STOP_VAGUE, NULL);
		return;
	}
	if (shval_known(save, &b) && b.len == 0) {
		buf_free(&b);
		return;
	}
	buf_free(&b);
	for (const char *const *o = stop_breaking; *o != NULL; o++)
		if (launch_option(x, *o, NULL) != NULL)
			find_refuse(
			    in, x->line, &T_STOP_BREAKS, &T_STOP_BREAKS_DO, *o);
	if (launch_option(x, "--wandb-project", NULL) != NULL &&
	    launch_option(x, "--wandb-save-dir", NULL) == NULL)
		find_refuse(in, x->line, &T_STOP_BREAKS, &T_STOP_BREAKS_DO,
		    "--wandb-project");
	stop_word(added, "--save");
	stop_word(added, "");
}

static void
stop_mcore(struct inject *in, const struct launch *x, struct training *t,
    struct buf *added)
{
	int counts = t->backend != PROFILE_MCORE;
	long end = in->profile.end + STOP_MARGIN;

	if (counts)
		end += t->loaded;
	if (counts && !t->loaded_known) {
		if (t->backend == PROFILE_BACKENDS)
			find_warn(in, x->line, &T_STOP_LOAD, NULL);
		else
			find_refuse(in, x->line, &T_STOP_LOAD, NULL);
	}
	if (launch_option(x, "--exit-interval", NULL) != NULL)
		find_add(in, ERR_NOTE, 0, x->line, &T_STOP_INTERVAL, NULL,
		    FIND_NONE);
	if (launch_option(x, "--exit-duration-in-mins", NULL) != NULL)
		find_warn(in, x->line, &T_STOP_SAVES, NULL,
		    "--exit-duration-in-mins");
	if (launch_option(x, "--exit-signal-handler", NULL) != NULL)
		find_warn(
		    in, x->line, &T_STOP_SAVES, NULL, "--exit-signal-handler");
	stop_number(added, "--exit-interval", end);
	if (stop_evaluates(x, t->loaded, end)) {
		stop_word(added, "--eval-iters");
		stop_word(added, "0");
	}
	stop_save(in, x, added);
	if (t->iters == 0 || t->iters > end) {
		t->ends = end;
		t->ender = "--exit-interval";
	}
}

void
stop_plan(struct inject *in, const struct launch *x, struct buf *added)
{
	if (in->profile.end == -1 || x->call == NULL) {
		find_refuse(in, x->line,
		    x->call == NULL ? &T_STOP_UNKNOWN : &T_STOP_NO_END, NULL);
		in->stop = 0;
	} else if (choose_dotted(in, x))
		stop_fsdp2(in, x, &in->training, added);
	else
		stop_mcore(in, x, &in->training, added);
}
