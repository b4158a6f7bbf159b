#include "need.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "check-env.h"
#include "path.h"

extern char **environ;

static const char *
known(struct host *h, const struct shval *v)
{
	struct buf b = { 0 };
	const char *s = NULL;

	if (v != NULL && v->alt == NULL && shval_known(v, &b))
		s = arena_dup(&h->arena, b.len == 0 ? "" : b.s, b.len);
	buf_free(&b);
	return s;
}

static size_t
call_line(const struct need *n, const struct shval_call *call)
{
	while (call->caller != NULL && call->source->cmd != &n->cmd)
		call = call->caller;
	if (call->source->cmd != &n->cmd)
		return 0;
	return shcmd_line(&n->cmd, n->cmd.node[call->node].off);
}

static int
is_one_of(const char *s, const char *const *names)
{
	for (; *names != NULL; names++)
		if (strcmp(s, *names) == 0)
			return 1;
	return 0;
}

/* What no set_env.sh sets, though its value counts as unknown behind one. */
static const char *const kept_names[NEED_KEPT] = { "ASCEND_RT_VISIBLE_DEVICES",
	"ASCEND_VISIBLE_DEVICES", "ASCEND_DEVICE_ID", "NPU_VISIBLE_DEVICES",
	"ASCEND_LAUNCH_BLOCKING", "ASCEND_GLOBAL_LOG_LEVEL",
	"ASCEND_SLOG_PRINT_TO_STDOUT", "ASCEND_PROCESS_LOG_PATH",
	"HCCL_IF_BASE_PORT" };

static void
keep_values(struct host *h, struct shval_run *run)
{
	for (size_t i = 0; i < NEED_KEPT; i++) {
		const struct shval *v = shval_var(run, kept_names[i]);
		const struct shpiece *p = v == NULL ? NULL : shval_unknown(v);

		if (p != NULL && p->why == SHVAL_SOURCED)
			continue;
		h->need.kept[i] = v == NULL || v->unset ? NULL : known(h, v);
	}
}

/* Called for each command; notes those that set up an environment in ways
 * that are not followed. */
static void
note_call(const struct shval_call *call, void *data)
{
	static const char *const names[] = { "conda", "mamba", "micromamba",
		"module", "ml", "spack", "pyenv", "workon", "pipenv", "poetry",
		"uv", NULL };
	struct host *h = data;
	const char *name = call->argc == 0 ? NULL : known(h, &call->argv[0]);

	keep_values(h, call->run);
	if (name == NULL || h->need.loads != NULL ||
	    !is_one_of(path_base(name), names))
		return;
	h->need.loads = name;
	h->need.loads_line = call_line(&h->need, call);
}

/* set_env.sh of CANN itself, not of what is built upon it. */
static int
is_cann(const char *path)
{
	static const char *const others[] = { "nnal", "/atb", "mindie",
		"vendors", "atb-models", "llm_model" };

	if (strcmp(path_base(path), "set_env.sh") != 0)
		return 0;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (strstr(path, others[i]) != NULL)
			return 0;
	return 1;
}

static const char *
seen_from(struct host *h, const struct shval *cwd, const char *path)
{
	const char *dir = known(h, cwd);
	struct buf b = { 0 };

	if (path[0] != '/' && dir == NULL)
		return path;
	path_join(&b, path[0] == '/' ? "" : dir, path);
	return host_keep(h, &b);
}

static void
note_sourced(struct host *h, const struct shval_sourced *s)
{
	struct need *n = &h->need;
	const char *file = known(h, s->file);
	size_t line = call_line(n, s->call);

	if (n->line != 0 && line > n->line)
		return;
	if (file != NULL)
		file = seen_from(h, s->call->cwd, file);
	if (file != NULL && s->read && is_cann(file)) {
		n->set_env = file;
		n->set_env_line = line;
		return;
	}
	if (file != NULL && !s->read && is_cann(file) &&
	    !host_exists(h, file)) {
		n->gone = file;
		n->gone_line = line;
	}
	if (file != NULL &&
	    (s->read ? strcmp(path_base(file), "activate") != 0
		     : !host_exists(h, file)))
		return;
	if (n->loads == NULL) {
		n->loads = file != NULL ? file : "source";
		n->loads_line = line;
	}
}

/* Where the launch listens: only the node of rank 0 does. */
static const char *
launch_port(struct host *h, const struct launch *l)
{
	const char *rank = known(h, launch_launcher_option(l, "--node_rank"));
	const char *port = known(h, launch_launcher_option(l, "--master_port"));
	const char *end =
	    known(h, launch_launcher_option(l, "--rdzv_endpoint"));

	if (rank != NULL && strcmp(rank, "0") != 0)
		return NULL;
	if (port == NULL && end != NULL && strrchr(end, ':') != NULL)
		port = strrchr(end, ':') + 1;
	if (port != NULL || launch_launcher_option(l, "--master_port") != NULL)
		return port;
	if (!need_var(h, "MASTER_PORT", &port))
		return NULL;
	return port != NULL ? port : "29500";
}

static void
choose_launch(struct host *h)
{
	struct need *n = &h->need;
	size_t values;

	n->nlaunch = n->launches.n;
	for (size_t i = 0; i < n->launches.n; i++) {
		const struct launch *l = &n->launches.launch[i];

		if (l->dead)
			continue;
		if (n->launch == NULL ||
		    (l->where == LAUNCH_HERE &&
			n->launch->where != LAUNCH_HERE))
			n->launch = l;
		if (l->where == LAUNCH_HERE && launch_npus(l) > n->npus) {
			n->npus = launch_npus(l);
			n->launch = l;
		}
	}
	if (n->launch == NULL)
		return;
	n->line = n->launch->line;
	n->where = n->launch->where == LAUNCH_HERE ? NEED_HERE
	    : n->launch->where == LAUNCH_REMOTE    ? NEED_REMOTE
						   : NEED_CONTAINER;
	n->port = launch_port(h, n->launch);
	n->cwd = known(h, n->launch->call->cwd);
	n->save =
	    known(h, launch_option(n->launch, "--profile-save-path", &values));
	if (n->save != NULL)
		n->save = seen_from(h, n->launch->call->cwd, n->save);
}

void
need_read(struct host *h, const struct script *script, const char *root)
{
	struct need *n = &h->need;

	n->env = (struct shval_env){ .script = script->path,
		.brief = 1,
		.args = script->args,
		.nargs = (size_t)script->nargs,
		.environ = environ,
		.root = root[0] == '\0' ? NULL : root };
	n->script = script->name;
	shcmd_parse(&n->cmd, script->text.s == NULL ? "" : script->text.s,
	    script->text.len);
	launch_find(&n->launches, &n->cmd, &n->env, NULL, note_call, h);
	n->walked = 1;
	choose_launch(h);
	for (const struct shval_sourced *s = shval_sourced(n->launches.run);
	     s != NULL; s = s->next)
		note_sourced(h, s);
}

void
need_free(struct need *n)
{
	if (!n->walked)
		return;
	launch_free(&n->launches);
	shcmd_free(&n->cmd);
	n->walked = 0;
}

/* NAME=VALUE before the launch: assignments, and words of env(1). */
static int
launch_assigns(struct host *h, const char *name, const char **value)
{
	const struct launch *l = h->need.launch;
	const struct shval_call *call = l->call;
	const struct shcmd *cmd = call->source->cmd;
	const struct shnode *node = &cmd->node[call->node];
	size_t len = strlen(name);
	size_t words = call->argc > l->argc ? call->argc - l->argc : 0;

	for (size_t i = 0; i < words; i++) {
		const char *s = known(h, &call->argv[i]);

		if (s != NULL && strncmp(s, name, len) == 0 && s[len] == '=') {
			*value = s + len + 1;
			return 1;
		}
	}
	for (uint32_t i = 0; call->assign != NULL && i < node->nassign; i++) {
		const struct shword *w = &cmd->word[node->word + i];

		if (w->end - w->off <= len || cmd->text[w->off + len] != '=' ||
		    strncmp(cmd->text + w->off, name, len) != 0)
			continue;
		*value = known(h, &call->assign[i]);
		return *value != NULL ? 1 : -1;
	}
	return 0;
}

int
need_var(struct host *h, const char *name, const char **value)
{
	const struct need *n = &h->need;
	const struct shval *v;
	const struct shpiece *p;
	int r;

	*value = NULL;
	if (!n->walked)
		return 0;
	r = n->launch == NULL ? 0 : launch_assigns(h, name, value);
	if (r != 0)
		return r > 0;
	v = shval_var(n->launches.run, name);
	if (v == NULL || v->unset)
		return 1;
	p = shval_unknown(v);
	for (size_t i = 0; i < NEED_KEPT; i++)
		if (p != NULL && p->why == SHVAL_SOURCED &&
		    strcmp(name, kept_names[i]) == 0) {
			*value = n->kept[i];
			return 1;
		}
	*value = known(h, v);
	return *value != NULL;
}
