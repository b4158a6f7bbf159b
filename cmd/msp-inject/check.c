#include <string.h>
#include <sys/stat.h>
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
	int ascend = t->name != NULL && strcmp(t->name, "AscendSpeed") == 0;
	struct buf words = { 0 }, all = { 0 };

	profile_args(&in->profile, 0, &words);
	for (const char *s = words.s; s < words.s + words.len;
	     s += strlen(s) + 1) {
		int dotted, own;
		const char *value;
		const struct profile_option *o =
		    profile_option(s, &dotted, &value);
		if (o == NULL || (o - profile_options < MEGATRON && !ascend))
			continue;
		own = strcmp(o->key, "export-type") != 0 &&
		    strcmp(o->key, "data-simplification") != 0;
		if (t->options.len != 0
			? training_takes(t, s)
			: t->backend != PROFILE_MINDSPEED || own)
			continue;
		if (t->without)
			buf_addf(&all, "%s%s", all.len != 0 ? ", " : "", s);
		else
			find_warn(in, x->line, &T_REJECTED, NULL, s);
	}
	if (all.len != 0)
		find_warn(in, x->line, &T_REJECTED, NULL, all.s);
	else if (in->profile.level == PROFILE_LEVEL_NONE &&
	    (t->options.len != 0 ? !training_takes(t, "level_none")
				 : t->backend == PROFILE_MINDSPEED))
		find_warn(in, x->line, &T_REJECTED, NULL,
		    "--profile-level level_none");
	buf_free(&words);
	buf_free(&all);
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
	} else if (p->which == PROFILE_ALL && in->training.ranks_listed) {
		find_refuse(in, x->line, &T_NO_ALL, &T_NO_ALL_DO,
		    check_number(world > 0 ? world - 1 : 7).s);
	} else if (p->which == PROFILE_LIST && world > 0 && p->nrank > 0 &&
	    p->rank[p->nrank - 1] >= world) {
		find_refuse(in, x->line,
		    world == 1 ? &T_NO_RANK_ONE : &T_NO_RANK, NULL,
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

/* The training is too short: how long it must be, and which window of this
 * size it has room for. */
static void
check_too_short(struct inject *in, const struct launch *x)
{
	const struct training *t = &in->training;
	struct profile p = in->profile;
	struct profile_window w;

	profile_window(&p, t->backend, t->loaded, 0, &w);
	struct number need = check_number(w.last);
	p.end -= p.start;
	p.start = t->backend == PROFILE_MCORE ? t->loaded + 2 : 1;
	p.end += p.start;
	profile_window(&p, t->backend, t->loaded, t->iters, &w);
	int room = w.outcome == PROFILE_WHOLE && in->profile.end != -1;
	struct buf steps = { 0 };
	buf_addf(&steps, "%ld:%ld", p.start, p.end);
	find_refuse(in, x->line, &T_FEW_ITERS,
	    room ? &T_FEW_ITERS_ROOM : &T_FEW_ITERS_DO,
	    check_number(t->iters).s, need.s, t->limit, steps.s);
	buf_free(&steps);
}

void
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
		if (w.outcome != PROFILE_WHOLE && !t->without)
			find_warn(in, x->line, &T_ITERS_MAYBE, NULL, iters.s);
		return;
	}
	profile_window(&in->profile, t->backend, t->loaded, t->iters, &w);
	if (w.outcome == PROFILE_CUT)
		find_warn(in, x->line, &T_WINDOW_CUT, NULL, iters.s);
	else if (w.outcome != PROFILE_WHOLE && w.outcome != PROFILE_ERROR)
		check_too_short(in, x);
}

/* The second number of --split: is there anything to evaluate with? */
static int
check_validates(const struct launch *x)
{
	struct buf b = { 0 };
	int none = 0;

	if (training_value(x, "--split", &b) == 0) {
		const char *s = strpbrk(b.s, ",/");
		none = s != NULL && s[1] == '0' &&
		    strspn(s + 1, "0.") == strcspn(s + 1, ",/");
	}
	buf_free(&b);
	return !none;
}

/* An evaluation within the window makes its iterations look slow. */
static void
check_evaluation(struct inject *in, const struct launch *x)
{
	const struct training *t = &in->training;
	long every, iters = 100;
	struct profile_window w;

	if (x->call == NULL || choose_dotted(in, x) || in->stop || t->without ||
	    !t->loaded_known || training_number(x, "--eval-interval", &every) ||
	    every <= 0 ||
	    (training_number(x, "--eval-iters", &iters) == 0 && iters == 0) ||
	    !check_validates(x))
		return;
	profile_window(&in->profile,
	    t->backend == PROFILE_BACKENDS ? PROFILE_MCORE : t->backend,
	    t->loaded, t->iters, &w);
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
		struct stat st;
		if (stat(path.s, &st) == 0 && S_ISREG(st.st_mode) &&
		    st.st_size > 0) {
			int here = access(file.s, F_OK) == 0;
			const char *from = here ? file.s : path.s;
			struct buf old = { 0 }, words = { 0 };
			buf_addf(&old, "%s.old", from);
			shquote_word(&words, from, strlen(from));
			buf_addc(&words, ' ');
			shquote_word(&words, old.s, old.len);
			find_warn(in, x->line, &T_LOG_OVERWRITTEN,
			    &T_LOG_OVERWRITTEN_DO, file.s, words.s);
			buf_free(&old);
			buf_free(&words);
		}
	}
	buf_free(&file);
	buf_free(&dir);
	buf_free(&path);
}

/* Does the training end with the window, if not before? */
static int
check_ends_with(const struct inject *in)
{
	const struct training *t = &in->training;
	struct profile_window w;

	if (t->backend == PROFILE_BACKENDS)
		return t->without;
	profile_window(&in->profile, t->backend, t->loaded, t->iters, &w);
	return w.written == 0 || (t->iters != 0 && t->iters <= w.written);
}

static void
check_runs_on(struct inject *in, const struct launch *x)
{
	struct buf b = { 0 };
	int over = check_ends_with(in), saves;

	if (in->stop || x->call == NULL)
		return;
	saves = training_saves(in, x, &b);
	if (saves && b.len != 0)
		find_warn(in, x->line, over ? &T_ENDS_SAVE : &T_RUNS_ON_SAVE,
		    !over                       ? &T_RUNS_ON_DO
			: in->profile.end != -1 ? &T_ENDS_SAVE_DO
						: NULL,
		    b.s);
	else if (saves && !over)
		find_warn(in, x->line, &T_RUNS_ON_SOME, &T_RUNS_ON_DO,
		    choose_dotted(in, x) ? "--training.output_dir" : "--save");
	else if (!over)
		find_warn(in, x->line, &T_RUNS_ON, &T_RUNS_ON_DO);
	buf_free(&b);
}

/*
 * Where the value at off is written as it is, in an assignment or behind its
 * option: the start of the name, else off.
 */
static uint32_t
check_named(const char *s, uint32_t off, const char *option)
{
	uint32_t at = off;
	size_t n = strlen(option);

	if (at > n && (s[at - 1] == ' ' || s[at - 1] == '=') &&
	    strncmp(s + at - 1 - n, "--", 2) == 0 &&
	    strncmp(s + at - 5, option + n - 4, 4) == 0)
		return at - 1 - (uint32_t)n;
	if (at > 0 && (s[at - 1] == '"' || s[at - 1] == '\''))
		at--;
	if (at < 2 || s[at - 1] != '=')
		return off;
	uint32_t name = --at;
	while (name > 0 && strchr(" \t\n;&|()\"'`$={}:-", s[name - 1]) == NULL)
		name--;
	return name < at && (name == 0 || strchr(" \t\n;&|(", s[name - 1]))
	    ? name
	    : off;
}

/* A rank of the node that is written in the script: the same on all. */
static void
check_written_rank(
    struct inject *in, const struct launch *x, const struct shval *rank)
{
	const struct shpiece *p = rank->piece;
	size_t n = rank->npiece;
	const char *s = in->cmd.text;
	struct buf v = { 0 }, name = { 0 }, old = { 0 }, new = { 0 };

	for (; n > 1 && p->len == 0 && p->why == SHVAL_KNOWN; n--)
		p++;
	if (n == 1 && p->from.source != NULL &&
	    p->from.source->cmd == &in->cmd && shval_known(rank, &v) &&
	    p->from.end - p->from.off == v.len &&
	    memcmp(s + p->from.off, v.s, v.len) == 0) {
		uint32_t at = check_named(s, p->from.off, "--node_rank");
		n = strcspn(s + at, " =");
		buf_add(&name, s + at, n);
		buf_add(&new, s + at, n + 1);
		buf_adds(&new, "$N");
		buf_add(&old, s + at, p->from.end - at);
		if (p->from.off - at > n + 1) { /* a quote on both sides */
			old.s[n + 1] = '.';
			buf_addc(&old, '.');
		}
		if (at != p->from.off)
			find_warn(in, x->line, &T_NODE_RANK, &T_NODE_RANK_DO,
			    v.s, name.s, old.s, new.s);
	}
	buf_free(&v);
	buf_free(&name);
	buf_free(&old);
	buf_free(&new);
}

static void
check_node_rank(struct inject *in, const struct launch *x)
{
	const struct shval *nodes, *rank;
	struct buf b = { 0 };

	if (x->call == NULL)
		return;
	nodes = launch_launcher_option(x, "--nnodes");
	rank = launch_launcher_option(x, "--node_rank");
	int several = launch_npus(x) > 0 && launch_world(x) > launch_npus(x);
	if (!several && nodes != NULL && shval_known(nodes, &b))
		several = strcmp(b.s, "1") != 0 && b.s[0] >= '1' &&
		    b.s[0] <= '9' && strchr(b.s, ':') == NULL;
	if (several && rank != NULL)
		check_written_rank(in, x, rank);
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

	int counts =
	    t->backend != PROFILE_MCORE && t->backend != PROFILE_BACKENDS;
	if (in->profile.relative && !t->loaded_known && !counts)
		find_error(in, EXIT_REFUSED, x->line, &T_RELATIVE, NULL);
	else if (in->profile.relative)
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
		find_drop(in, said);
}
