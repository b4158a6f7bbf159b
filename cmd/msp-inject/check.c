#include <string.h>
#include <unistd.h>

#include "inject.h"
#include "path.h"

enum { STEPS_USUAL = 3, STEPS_MOST = 10 };

struct number {
	char s[24];
};

static struct number
check_number(long n)
{
	struct number out;
	unsigned long u = n < 0 ? 0 : (unsigned long)n;
	size_t i = sizeof out.s;

	out.s[--i] = '\0';
	do
		out.s[--i] = (char)('0' + u % 10);
	while ((u /= 10) != 0 && i > 0);
	memmove(out.s, out.s + i, sizeof out.s - i);
	return out;
}

void
check_steps(struct inject *in, const struct launch *x)
{
	long n = in->profile.end - in->profile.start;

	if (in->profile.end == -1 && choose_dotted(in, x))
		find_refuse(in, x->line, &T_TO_END, NULL);
	else if (in->profile.end == -1)
		find_refuse(in, x->line, &T_NO_END, &T_NO_END_DO,
		    check_number(in->profile.start).s,
		    check_number(in->profile.start + 2).s);
	else if (n > STEPS_MOST)
		find_refuse(
		    in, x->line, &T_MANY_STEPS, NULL, check_number(n).s);
	else if (n > STEPS_USUAL)
		find_warn(in, x->line, &T_SOME_STEPS, NULL, check_number(n).s);
}

void
check_path(struct inject *in, const struct launch *x)
{
	const char *bad = profile_bad_path(in->profile.save_path);
	char c[5] = { 0 };

	if (bad == NULL)
		return;
	for (int i = 0; i < 4 && bad[i] != '\0' &&
	     (i == 0 || ((unsigned char)bad[i] & 0xc0) == 0x80);
	     i++)
		c[i] = bad[i];
	find_refuse(in, x->line, &T_BAD_PATH, NULL, in->profile.save_path, c);
}

/* Options that this framework's sources do not define. */
static void
check_rejected(struct inject *in, const struct launch *x)
{
	enum { MEGATRON = 4 }; /* the first are Megatron-LM's own */
	const struct training *t = &in->training;
	struct buf words = { 0 };

	profile_args(&in->profile, 0, &words);
	for (const char *s = words.s; s < words.s + words.len;
	     s += strlen(s) + 1) {
		int dotted, own;
		const char *value;
		const struct profile_option *o =
		    profile_option(s, &dotted, &value);
		if (o == NULL || o - profile_options < MEGATRON)
			continue;
		own = strcmp(o->key, "export-type") != 0 &&
		    strcmp(o->key, "data-simplification") != 0;
		if (t->options.len != 0
			? !training_has(&t->options, s)
			: t->backend == PROFILE_MINDSPEED && !own)
			find_warn(in, x->line, &T_REJECTED, NULL, s);
	}
	if (in->profile.level == PROFILE_LEVEL_NONE &&
	    (t->options.len != 0 ? !training_has(&t->options, "level_none")
				 : t->backend == PROFILE_MINDSPEED))
		find_warn(in, x->line, &T_REJECTED, NULL,
		    "--profile-level level_none");
	buf_free(&words);
}

void
check_content(struct inject *in, const struct launch *x)
{
	const struct profile *p = &in->profile;

	if (!p->cpu && (p->memory || p->stack))
		find_warn(in, x->line, &T_WITHOUT_CPU, NULL,
		    p->memory ? "--profile-with-memory"
			      : "--profile-with-stack");
	if (!choose_dotted(in, x))
		check_rejected(in, x);
}

static void
check_ranks(struct inject *in, const struct launch *x)
{
	long npus = x->call ? launch_npus(x) : 0;
	long world = x->call ? launch_world(x) : 0;
	struct profile *p = &in->profile;

	if (p->which == PROFILE_EACH_NODE) {
		if (npus > 0 && world > 0)
			profile_each_node(p, npus, world);
		else
			find_error(
			    in, EXIT_REFUSED, x->line, &T_EACH_NODE, NULL);
	} else if (p->which == PROFILE_LIST && world > 0 && p->nrank > 0 &&
	    p->rank[p->nrank - 1] >= world) {
		find_refuse(in, x->line, &T_NO_RANK, NULL,
		    check_number(p->rank[p->nrank - 1]).s,
		    check_number(world).s, check_number(world - 1).s);
	}
}

/* The iteration that the training starts from against the start. */
static void
check_loaded(struct inject *in, const struct launch *x)
{
	const struct training *t = &in->training;
	const struct profile *p = &in->profile;
	long from = t->loaded + t->loaded_unsure;
	struct number start = check_number(p->start);
	struct number loaded = check_number(from);

	if (from == 0 || p->start > from)
		return;
	if (t->backend == PROFILE_MCORE && !t->loaded_unsure)
		find_refuse(in, x->line, &T_START_LOADED, &T_START_LOADED_DO,
		    start.s, loaded.s, check_number(from + 2).s,
		    check_number(from + 4).s);
	else if (t->backend == PROFILE_MCORE ||
	    (t->backend == PROFILE_BACKENDS && !choose_dotted(in, x)))
		find_warn(in, x->line, &T_START_MAYBE, &T_START_LOADED_DO,
		    start.s, loaded.s, check_number(from + 2).s,
		    check_number(from + 4).s);
}

static void
check_window(struct inject *in, const struct launch *x)
{
	const struct training *t = &in->training;
	struct profile_window w;
	struct number iters = check_number(t->iters);

	if (t->iters == 0)
		return;
	if (t->backend == PROFILE_BACKENDS) {
		profile_window(
		    &in->profile, PROFILE_MCORE_OLD, t->loaded, t->iters, &w);
		if (w.outcome != PROFILE_WHOLE)
			find_warn(in, x->line, &T_ITERS_MAYBE, NULL, iters.s);
		return;
	}
	profile_window(&in->profile, t->backend, t->loaded, t->iters, &w);
	if (w.outcome == PROFILE_CUT)
		find_warn(in, x->line, &T_WINDOW_CUT, NULL, iters.s);
	else if (w.outcome != PROFILE_WHOLE && w.outcome != PROFILE_ERROR)
		find_refuse(in, x->line, &T_FEW_ITERS, &T_FEW_ITERS_DO, iters.s,
		    check_number(in->profile.start).s,
		    choose_dotted(in, x) ? "--training.max_steps"
					 : "--train-iters");
}

/* An evaluation within the window makes its iterations look slow. */
static void
check_evaluation(struct inject *in, const struct launch *x)
{
	const struct training *t = &in->training;
	long every, iters = 100;
	struct profile_window w;

	if (x->call == NULL || choose_dotted(in, x) || in->stop ||
	    training_number(x, "--eval-interval", &every) || every <= 0 ||
	    (training_number(x, "--eval-iters", &iters) == 0 && iters == 0))
		return;
	profile_window(&in->profile,
	    t->backend == PROFILE_BACKENDS ? PROFILE_MCORE : t->backend,
	    t->loaded, 0, &w);
	if (w.first != 0 && w.last / every > (w.first - 1) / every)
		find_warn(in, x->line, &T_EVALUATION, NULL,
		    check_number(w.last / every * every).s);
}

/* The file that tee writes behind the launch, or NULL with a reason. */
int
check_log(const struct inject *in, const struct launch *x, struct buf *b,
    int *appends)
{
	const struct shcmd *cmd = &in->cmd;
	uint32_t k = x->node;

	*appends = 0;
	if (x->call == NULL || cmd->node[k].parent == SH_NONE ||
	    cmd->node[cmd->node[k].parent].kind != SH_PIPE)
		return -1;
	for (k = cmd->node[k].next; k != SH_NONE; k = cmd->node[k].next)
		for (size_t i = 0; i < in->nlog; i++) {
			const struct logfile *f = &in->log[i];
			if (f->node != k)
				continue;
			*appends = f->appends;
			return shval_known(f->file, b) ? 0 : -1;
		}
	return -1;
}

/* A file that the launch is redirected to, where it is not appended to. */
static int
check_redirected(const struct inject *in, const struct launch *x, struct buf *b)
{
	const struct shnode *n = &in->cmd.node[x->node];

	if (x->call == NULL || x->call->source->cmd != &in->cmd ||
	    x->call->node != x->node)
		return -1;
	for (uint32_t i = 0; i < n->nredir; i++) {
		uint8_t op = in->cmd.redir[n->redir + i].op;
		buf_reset(b);
		if ((op == OP_GREAT || op == OP_CLOBBER || op == OP_AMPGREAT) &&
		    shval_known(&x->call->redir[i], b) && b->len != 0 &&
		    strncmp(b->s, "/dev/", 5) != 0)
			return 0;
	}
	return -1;
}

static void
check_overwritten(struct inject *in, const struct launch *x)
{
	struct buf file = { 0 }, dir = { 0 }, path = { 0 };
	int appends;

	if ((check_log(in, x, &file, &appends) == 0
		    ? !appends
		    : check_redirected(in, x, &file) == 0) &&
	    file.len != 0) {
		if (x->call->cwd == NULL || !shval_known(x->call->cwd, &dir))
			buf_reset(&dir);
		buf_add(&dir, "", 0);
		path_join(&path, dir.s, file.s);
		if (access(path.s, F_OK) == 0)
			find_warn(in, x->line, &T_LOG_OVERWRITTEN,
			    &T_LOG_OVERWRITTEN_DO, file.s);
	}
	buf_free(&file);
	buf_free(&dir);
	buf_free(&path);
}

static void
check_runs_on(struct inject *in, const struct launch *x)
{
	const char *option =
	    choose_dotted(in, x) ? "--training.output_dir" : "--save";
	struct buf b = { 0 };

	if (in->stop || x->call == NULL)
		return;
	if (training_value(x, option, &b) == 0 && b.len != 0)
		find_warn(in, x->line, &T_RUNS_ON_SAVE, &T_RUNS_ON_DO, b.s);
	else if (launch_option(x, option, NULL) != NULL)
		find_warn(in, x->line, &T_RUNS_ON_SOME, &T_RUNS_ON_DO, option);
	else
		find_warn(in, x->line, &T_RUNS_ON, &T_RUNS_ON_DO);
	buf_free(&b);
}

/* A rank of the node that is written in the script: the same on all. */
static void
check_node_rank(struct inject *in, const struct launch *x)
{
	const struct shval *nodes, *rank;
	struct buf b = { 0 };

	if (x->call == NULL)
		return;
	nodes = launch_launcher_option(x, "--nnodes");
	rank = launch_launcher_option(x, "--node_rank");
	if (nodes != NULL && rank != NULL && shval_known(nodes, &b) &&
	    strcmp(b.s, "1") != 0 && b.s[0] >= '1' && b.s[0] <= '9') {
		buf_reset(&b);
		if (shval_known(rank, &b) && rank->npiece > 0 &&
		    rank->piece[0].from.source != NULL)
			find_warn(
			    in, x->line, &T_NODE_RANK, &T_NODE_RANK_DO, b.s);
	}
	buf_free(&b);
}

void
check_launch(struct inject *in, const struct launch *x)
{
	check_ranks(in, x);
	check_loaded(in, x);
	check_window(in, x);
	check_evaluation(in, x);
	check_overwritten(in, x);
	check_runs_on(in, x);
	check_node_rank(in, x);
	if (x->starter == LAUNCH_MSRUN)
		find_warn(in, x->line, &T_MINDSPORE, NULL);
}

/* -b chooses the words: those of the other dialect start no profile. */
static void
check_backend(struct inject *in, const struct launch *x)
{
	if (x->call == NULL || in->profile.backend == PROFILE_BACKENDS)
		return;
	if (choose_dotted(in, x) && x->dialect == LAUNCH_MCORE)
		find_refuse(
		    in, x->line, &T_NOT_FSDP2, NULL, "--training.profile");
	else if (!choose_dotted(in, x) && x->dialect == LAUNCH_FSDP2)
		find_refuse(in, x->line, &T_NOT_MCORE, NULL, "--profile");
}

void
check_request(struct inject *in)
{
	const struct launch *x = in->chosen[0];
	struct training *t = &in->training;

	if (in->profile.relative && !t->loaded_known)
		find_error(in, EXIT_REFUSED, x->line, &T_RELATIVE, NULL);
	if (in->profile.relative)
		profile_absolute(&in->profile,
		    t->backend == PROFILE_BACKENDS ? PROFILE_MCORE : t->backend,
		    t->loaded);
	size_t said = in->nfinding;
	check_backend(in, x);
	check_steps(in, x);
	check_path(in, x);
	check_content(in, x);
	check_launch(in, x);
	/* Nothing will run: what it would do is not worth a word. */
	if (find_status(in) > EXIT_NO)
		find_drop(in, said, 1);
}
