#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch.h"
#include "mem.h"
#include "path.h"
#include "run.h"
#include "shcmd.h"
#include "shval.h"

extern char **environ;

struct place_walk {
	const struct shcmd *cmd; /* the script's own */
	struct strs needed; /* directories of files to be written */
	struct strs made; /* that the script makes itself */
	int traps; /* it sets traps */
	size_t waits; /* line of its last wait */
	struct buf *trace; /* what depends on the script's place, or NULL */
	char *here;
};

/* A value with all that is not known about it: equal for equal values. */
static void
place_trace(struct buf *b, const struct shval *v)
{
	for (; v != NULL; v = v->alt) {
		for (size_t i = 0; i < v->npiece; i++) {
			const struct shpiece *p = &v->piece[i];
			buf_addf(b, "%d:", (int)p->why);
			if (p->why == SHVAL_KNOWN)
				buf_add(b, p->s, p->len);
			else if (p->s != NULL)
				buf_adds(b, p->s);
			buf_addc(b, '\n');
		}
		buf_addc(b, '|');
	}
}

/* The path of a known value as seen from where the command runs; below the
 * current directory it is relative. NULL when it is not known. */
static char *
place_path(const struct place_walk *w, const struct shval_call *c,
    const struct shval *v)
{
	struct buf name = { 0 }, cwd = { 0 }, b = { 0 }, folded = { 0 };
	char *found = NULL;
	size_t n = strlen(w->here);

	if (shval_known(v, &name) && name.len > 0 &&
	    (name.s[0] == '/' ||
		(c->cwd != NULL && shval_known(c->cwd, &cwd) && cwd.len > 0))) {
		path_join(&b, cwd.len > 0 ? cwd.s : "", name.s);
		path_fold(&folded, b.s);
		if (n > 1 && strncmp(folded.s, w->here, n) == 0 &&
		    folded.s[n] == '/' && name.s[0] != '/')
			found = mem_strdup(folded.s + n + 1);
		else
			found = mem_strdup(folded.s);
	}
	buf_free(&name);
	buf_free(&cwd);
	buf_free(&b);
	buf_free(&folded);
	return found;
}

static void
place_need(
    struct place_walk *w, const struct shval_call *c, const struct shval *file)
{
	char *path = place_path(w, c, file);
	struct buf dir = { 0 };

	if (path == NULL)
		return;
	path_dir(&dir, path);
	if (!strs_has(&w->needed, dir.s))
		strs_add(&w->needed, dir.s);
	buf_free(&dir);
	mem_free(path);
}

static void
place_redirections(struct place_walk *w, const struct shval_call *c)
{
	const struct shcmd *cmd = c->source->cmd;
	const struct shnode *node = &cmd->node[c->node];

	for (uint32_t i = 0; i < node->nredir && c->redir != NULL; i++)
		switch (cmd->redir[node->redir + i].op) {
		case OP_GREAT:
		case OP_DGREAT:
		case OP_CLOBBER:
		case OP_AMPGREAT:
		case OP_AMPDGREAT: place_need(w, c, &c->redir[i]); break;
		default: break;
		}
}

/* Where the launch's output goes when it goes to a file. */
static void
place_own(
    struct run_place *p, const struct place_walk *w, const struct shval_call *c)
{
	const struct shcmd *cmd = c->source->cmd;
	const struct shnode *node = &cmd->node[c->node];

	for (uint32_t i = 0; i < node->nredir && c->redir != NULL; i++) {
		const struct shredir *r = &cmd->redir[node->redir + i];
		int both = r->op == OP_AMPGREAT || r->op == OP_AMPDGREAT;
		int file = r->op == OP_GREAT || r->op == OP_CLOBBER ||
		    r->op == OP_DGREAT;
		if (!both && !(file && (r->fd == SH_FD_DEFAULT || r->fd == 1)))
			continue;
		mem_free(p->own);
		p->own = place_path(w, c, &c->redir[i]);
		p->own_appends = r->op == OP_DGREAT || r->op == OP_AMPDGREAT;
	}
}

static void
place_operands(struct place_walk *w, const struct shval_call *c, int tee)
{
	for (size_t i = 1; i < c->argc; i++) {
		struct buf b = { 0 };
		int option = shval_known(&c->argv[i], &b) && b.s[0] == '-';
		buf_free(&b);
		if (option)
			continue;
		if (tee) {
			place_need(w, c, &c->argv[i]);
			continue;
		}
		char *path = place_path(w, c, &c->argv[i]);
		if (path != NULL)
			strs_add(&w->made, path);
		mem_free(path);
	}
}

static int
place_named(const char *name, const char *const *names)
{
	for (; *names != NULL; names++)
		if (strcmp(name, *names) == 0)
			return 1;
	return 0;
}

/* For each command that is reached. */
static void
place_call(const struct shval_call *c, void *data)
{
	static const char *const movers[] = { "cd", "pushd", "source", ".",
		"tee", NULL };
	struct place_walk *w = data;
	struct buf name = { 0 };

	place_redirections(w, c);
	if (c->argc == 0 || !shval_known(&c->argv[0], &name) || name.len == 0) {
		buf_free(&name);
		return;
	}
	const char *base = path_base(name.s);
	if (strcmp(base, "tee") == 0)
		place_operands(w, c, 1);
	else if (strcmp(base, "mkdir") == 0)
		place_operands(w, c, 0);
	else if (strcmp(name.s, "trap") == 0 && c->argc > 1)
		w->traps = 1;
	else if (strcmp(name.s, "wait") == 0 && c->source->cmd == w->cmd)
		w->waits = shcmd_line(
		    c->source->cmd, c->source->cmd->node[c->node].off);
	if (w->trace != NULL && place_named(base, movers)) {
		for (size_t i = 0; i < c->argc; i++)
			place_trace(w->trace, &c->argv[i]);
		place_trace(w->trace, c->cwd);
	}
	buf_free(&name);
}

static void
place_walk_free(struct place_walk *w)
{
	strs_free(&w->needed);
	strs_free(&w->made);
	mem_free(w->here);
}

static char *
place_here(void)
{
	char s[4096];

	return mem_strdup(getcwd(s, sizeof s) != NULL ? s : "/");
}

/* What would run if the script stood there. */
static void
place_as(struct buf *trace, const struct shcmd *cmd, const struct script *s,
    const char *path)
{
	struct shval_env env = { .script = path,
		.brief = 1,
		.args = s->args,
		.nargs = (size_t)s->nargs,
		.environ = environ };
	struct place_walk w = {
		.trace = trace, .cmd = cmd, .here = place_here()
	};
	struct launches l;

	launch_find(&l, cmd, &env, NULL, place_call, &w);
	for (size_t i = 0; i < l.n; i++) {
		for (size_t j = 0; j < l.launch[i].argc; j++)
			place_trace(trace, &l.launch[i].argv[j]);
		place_trace(trace, l.launch[i].call->cwd);
	}
	launch_free(&l);
	place_walk_free(&w);
}

static int
place_same_directory(const char *path, const char *dir)
{
	struct buf own = { 0 };
	struct stat a, b;

	path_dir(&own, path);
	int same = stat(own.s, &a) == 0 && stat(dir, &b) == 0 &&
	    a.st_dev == b.st_dev && a.st_ino == b.st_ino;
	buf_free(&own);
	return same;
}

/* Whether what runs depends on where the script stands, and it will stand
 * where it did not, or that is not known. */
static int
place_moves(const struct shcmd *cmd, const struct script *s, const char *dir)
{
	struct buf a = { 0 }, b = { 0 };

	if (s->path != NULL &&
	    (dir == NULL || place_same_directory(s->path, dir)))
		return 0;
	place_as(&a, cmd, s, "/msp/one/run.sh");
	place_as(&b, cmd, s, "/msp/two/run.sh");
	int moves =
	    a.len != b.len || (a.len > 0 && memcmp(a.s, b.s, a.len) != 0);
	buf_free(&a);
	buf_free(&b);
	return moves;
}

/* How many stages the pipeline of the launch has. */
static int
place_stages(const struct shcmd *cmd, uint32_t node)
{
	uint32_t parent = cmd->node[node].parent;
	int n = 0;

	if (parent == SH_NONE || cmd->node[parent].kind != SH_PIPE)
		return 1;
	for (uint32_t i = cmd->node[parent].child; i != SH_NONE;
	     i = cmd->node[i].next)
		n++;
	return n;
}

static void
place_status(struct run_place *p, const struct shcmd *cmd,
    const struct launch *l, const struct place_walk *w)
{
	p->found = 1;
	p->line = l->line;
	p->background = l->background && w->waits < l->line;
	if (!l->last_pipe || l->background || l->in_function || l->in_eval ||
	    l->where != LAUNCH_HERE || w->traps)
		return;
	p->stage = l->pipe_index;
	p->stages = place_stages(cmd, l->node);
}

static long
place_number(const struct launch *l, const char *name)
{
	const struct shval *v = launch_launcher_option(l, name);
	struct buf b = { 0 };
	long n = -1;

	if (v != NULL && shval_known(v, &b) && b.len > 0) {
		char *end;
		n = strtol(b.s, &end, 10);
		n = *end == '\0' && n >= 0 ? n : -1;
	}
	buf_free(&b);
	return n;
}

/* Which of the ranks that are asked for run on this node. */
static void
place_ranks(struct run_place *p, const struct launch *l)
{
	long npus = launch_npus(l), nodes = 1;
	struct buf b = { 0 };

	if (launch_launcher_option(l, "--nnodes") != NULL)
		nodes = place_number(l, "--nnodes");
	long node = nodes == 1 ? 0 : place_number(l, "--node-rank");

	if (npus <= 0 || node < 0)
		return;
	long first = node * npus, last = first + npus - 1;
	if (p->want.which == PROFILE_ALL) {
		buf_addf(&b, npus > 1 ? "%ld-%ld" : "%ld", first, last);
	} else {
		buf_adds(&b, "");
		for (size_t i = 0; i < p->want.nrank; i++)
			if (p->want.rank[i] >= first && p->want.rank[i] <= last)
				buf_addf(&b, "%s%ld", b.len > 0 ? "," : "",
				    p->want.rank[i]);
	}
	p->ranks_here = mem_strdup(b.s);
	buf_free(&b);
}

/* What the launch is asked to record; 0 when nothing. */
static int
place_request(const struct launch *l, struct profile *want)
{
	size_t from = (l->yaml != 0 ? l->yaml : l->entry) + 1;
	size_t n = l->argc > from ? l->argc - from : 0;
	const char **word = mem_zero(n + 1, sizeof *word);

	for (size_t i = 0; i < n; i++) {
		struct buf b = { 0 };
		if (shval_known(&l->argv[from + i], &b))
			word[i] = buf_take(&b);
		buf_free(&b);
	}
	int profiles = profile_read(want, word, n);
	for (size_t i = 0; i < n; i++)
		mem_free((char *)word[i]);
	mem_free(word);
	return profiles;
}

/* Of several launches the one that runs, then the one that profiles, then
 * the one whose status is the script's is what this run is about. */
static int
place_rank(const struct launch *l)
{
	struct profile want;

	profile_init(&want);
	int profiles = place_request(l, &want);
	profile_free(&want);
	return (l->dead ? 0 : 4) + (profiles ? 2 : 0) + (l->last_pipe ? 1 : 0);
}

static const struct launch *
place_choose(const struct launches *l)
{
	const struct launch *use = NULL;
	int best = -1;

	for (size_t i = 0; i < l->n; i++) {
		int rank = place_rank(&l->launch[i]);
		if (rank > best || (rank == best && l->launch[i].last_pipe)) {
			use = &l->launch[i];
			best = rank;
		}
	}
	return use;
}

static void
place_want(struct run_place *p, const struct launch *l, struct place_walk *w)
{
	const struct shval *batch;
	size_t values;

	if (l->where == LAUNCH_HERE)
		place_own(p, w, l->call);
	p->profiles = place_request(l, &p->want);
	if (l->yaml != 0 && p->want.backend == PROFILE_BACKENDS)
		p->want.backend = PROFILE_FSDP2;
	batch = launch_option(l, "--micro-batch-size", &values);
	if (batch != NULL)
		p->batch_line = shval_line(batch);
	if (!p->profiles || l->where != LAUNCH_HERE)
		return;
	place_ranks(p, l);
	struct shpiece piece = { .why = SHVAL_KNOWN,
		.s = p->want.save_path,
		.len = strlen(p->want.save_path) };
	struct shval save = { .piece = &piece, .npiece = 1 };
	p->save = place_path(w, l->call, &save);
}

/* Directories that are missing and that the script does not make itself:
 * its mkdir without -p would fail. */
static void
place_directories(struct run_place *p, const struct place_walk *w)
{
	struct stat st;

	for (size_t i = 0; i < w->needed.n; i++) {
		const char *dir = w->needed.s[i];
		int own = 0;
		for (size_t j = 0; j < w->made.n && !own; j++) {
			size_t n = strlen(w->made.s[j]);
			own = strncmp(dir, w->made.s[j], n) == 0 &&
			    (dir[n] == '\0' || dir[n] == '/');
		}
		if (!own && stat(dir, &st) < 0)
			strs_add(&p->dirs, dir);
	}
}

void
place_find(struct run_place *p, const struct script *s, const char *dir)
{
	struct shcmd cmd;
	struct shval_env env = { .script = s->path,
		.brief = 1,
		.args = s->args,
		.nargs = (size_t)s->nargs,
		.environ = environ };
	struct place_walk w = { .cmd = &cmd, .here = place_here() };
	struct launches l;

	*p = (struct run_place){ 0 };
	profile_init(&p->want);
	shcmd_parse(&cmd, s->text.s, s->text.len);
	launch_find(&l, &cmd, &env, NULL, place_call, &w);
	const struct launch *use = place_choose(&l);
	if (use != NULL) {
		place_status(p, &cmd, use, &w);
		place_want(p, use, &w);
	}
	place_directories(p, &w);
	launch_free(&l);
	p->moves = place_moves(&cmd, s, dir);
	place_walk_free(&w);
	shcmd_free(&cmd);
}

void
place_free(struct run_place *p)
{
	strs_free(&p->dirs);
	mem_free(p->save);
	mem_free(p->own);
	mem_free(p->ranks_here);
	profile_free(&p->want);
}
