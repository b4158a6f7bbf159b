#include "gather.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "path.h"

char *
gather_copy(struct gather *g, const char *s, size_t n)
{
	return arena_dup(&g->scan->arena, s, n);
}

static const char *
gather_about(const struct shpiece *p)
{
	return p->s != NULL && p->s[0] != '\0' ? p->s : "...";
}

/* PIPESTATUS and the like: the shell's own variables. */
static int
gather_is_name(const char *s)
{
	return strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == strlen(s);
}

/* The text of an alternative, and of its known beginning. */
static void
gather_text(struct gather *g, const struct shval *v, struct setting *s)
{
	struct buf text = { 0 }, prefix = { 0 };
	const struct shpiece *unknown = NULL;

	for (size_t i = 0; i < v->npiece; i++) {
		const struct shpiece *p = &v->piece[i];
		if (p->why == SHVAL_KNOWN) {
			if (p->len == 0 && p->s != NULL && p->s[0] != '\0')
				s->unset = gather_copy(g, p->s, strlen(p->s));
			buf_add(&text, p->s, p->len);
			if (unknown == NULL)
				buf_add(&prefix, p->s, p->len);
			continue;
		}
		const char *about = gather_about(p);
		const char *form = p->why == SHVAL_GLOB ? "%s"
		    : p->why == SHVAL_COMMAND && !gather_is_name(about)
		    ? "$(%s)"
		    : "${%s}";
		buf_addf(&text, form, about);
		if (unknown == NULL)
			unknown = p;
	}
	if (unknown == NULL && v->split)
		unknown = shval_unknown_one(v);
	s->is = unknown == NULL ? SETTING_KNOWN : SETTING_UNKNOWN;
	s->text = gather_copy(g, text.s != NULL ? text.s : "", text.len);
	s->prefix =
	    gather_copy(g, prefix.s != NULL ? prefix.s : "", prefix.len);
	if (unknown != NULL) {
		s->why = unknown->why;
		const char *about = gather_about(unknown);
		s->about = gather_copy(g, about, strlen(about));
	}
	buf_free(&text);
	buf_free(&prefix);
}

/* The name before = when the word is an assignment of just what begins at
 * off, or NULL. */
static const char *
gather_assigned(struct gather *g, const struct shcmd *cmd,
    const struct shword *w, uint32_t off)
{
	const char *s = cmd->text + w->off, *from = cmd->text + off;

	if (!(w->flags & SHW_ASSIGN) || off < w->off || off >= w->end)
		return NULL;
	const char *equals = memchr(s, '=', w->end - w->off);
	if (equals == NULL || equals >= from)
		return NULL;
	for (const char *p = equals + 1; p < from; p++)
		if (strchr("\"'$(", *p) == NULL)
			return NULL;
	size_t n = (size_t)(equals - s);
	return gather_copy(g, s, n - (n > 0 && s[n - 1] == '+'));
}

/* The assignment that holds just the value that begins at off, or NULL. */
static const char *
gather_variable(struct gather *g, const struct shcmd *cmd, uint32_t off)
{
	uint32_t i = shcmd_node(cmd, off + 1) - 1;

	for (; i != SH_NONE; i = cmd->node[i].parent) {
		const struct shnode *node = &cmd->node[i];
		for (uint32_t k = 0; k < node->nword; k++) {
			const char *name = gather_assigned(
			    g, cmd, &cmd->word[node->word + k], off);
			if (name != NULL)
				return name;
		}
	}
	return NULL;
}

static void
gather_place(struct gather *g, const struct shval_call *call, uint32_t word,
    const struct shval *v, struct setting *s)
{
	const struct shcmd *cmd = call->source->cmd;
	struct shval_from from = { NULL, 0, 0 };

	for (size_t i = 0; i < v->npiece && from.source == NULL; i++)
		if (v->piece[i].from.source != NULL &&
		    shval_origin(v->piece[i].from.source, v->piece[i].from.off,
			&from) < 0)
			from.source = NULL;
	if (from.source != NULL) {
		s->line = shcmd_line(from.source->cmd, from.off);
		s->file = from.source->path;
		s->variable = gather_variable(g, from.source->cmd, from.off);
	} else if (call->source->made == NULL) {
		uint32_t off = word != SH_NONE ? cmd->word[word].off
					       : cmd->node[call->node].off;
		s->line = shcmd_line(cmd, off);
		s->file = call->source->path;
	}
	if (s->file != NULL)
		s->file = gather_copy(g, s->file, strlen(s->file));
}

void
gather_setting(struct gather *g, const struct shval_call *call, uint32_t word,
    const struct shval *v, struct setting *s)
{
	*s = (struct setting){ .about = "", .words = 1, .next = v->alt };
	gather_text(g, v, s);
	gather_place(g, call, word, v, s);
}

const char *
gather_path(struct gather *g, const struct shval_call *call, const char *text)
{
	struct buf dir = { 0 }, b = { 0 };
	const char *path = NULL;

	if (text[0] == '/' ||
	    (call->cwd != NULL && shval_known(call->cwd, &dir))) {
		while (text[0] == '.' && text[1] == '/')
			text += 2 + strspn(text + 2, "/");
		path_join(&b, text[0] == '/' ? "" : dir.s, text);
		if (strcmp(text, ".") == 0)
			b.s[b.len = dir.len] = '\0';
		path = gather_copy(g, b.s, b.len);
	}
	buf_free(&dir);
	buf_free(&b);
	return path;
}

static const struct text *
gather_why(enum shval_why why)
{
	switch (why) {
	case SHVAL_UNSET_CLUSTER: return &T_WHY_CLUSTER;
	case SHVAL_ARGUMENT: return &T_WHY_ARGUMENT;
	case SHVAL_COMMAND: return &T_WHY_COMMAND;
	case SHVAL_CHANGES: return &T_WHY_CHANGES;
	case SHVAL_READ: return &T_WHY_READ;
	case SHVAL_SOURCED: return &T_WHY_SOURCED;
	case SHVAL_BRANCH: return &T_WHY_BRANCH;
	case SHVAL_GLOB: return &T_WHY_GLOB;
	case SHVAL_KNOWN:
	case SHVAL_LIMIT: break;
	}
	return &T_WHY_LIMIT;
}

/* Places that no look at a file system can judge. */
static int
gather_elsewhere(const char *s)
{
	return strstr(s, "://") != NULL || str_begins(s, "REMOTE:") ||
	    strcmp(s, "ONLINE") == 0;
}

static void
gather_unknown(
    struct scan_item *item, const struct text *why, const char *about)
{
	item->flags |= SCAN_SET;
	found_set(&item->found, SCAN_UNKNOWN, why, NULL, about, NULL);
}

/* Of an unknown value the known directory above it can be judged. */
static void
gather_parent(struct gather *g, const struct shval_call *call,
    struct scan_item *item, const struct setting *s)
{
	const char *slash = strrchr(s->prefix, '/');

	gather_unknown(item, gather_why(s->why), s->about);
	if (slash == NULL || slash == s->prefix || s->prefix[0] == '-')
		return;
	item->path = gather_path(
	    g, call, gather_copy(g, s->prefix, (size_t)(slash - s->prefix)));
	if (item->path == NULL)
		return;
	item->flags |= SCAN_PARENT;
	item->flags &= ~(unsigned)SCAN_SET;
}

struct scan_item *
gather_item(struct gather *g, const struct gather_at *at, enum scan_kind kind,
    const char *name, const struct setting *s)
{
	int none = s->text[0] == '\0' || strcmp(s->text, "None") == 0;

	if (s->is == SETTING_ABSENT ||
	    (s->is == SETTING_KNOWN && none && (at->flags & SCAN_NONE)))
		return NULL;
	struct scan_item *item = scan_add(g->scan, kind);
	item->name = name;
	item->file = s->file;
	item->line = s->line;
	item->variable = s->variable;
	item->unset = s->unset;
	item->value = s->text;
	item->flags = at->flags;
	item->launch = at->number;
	item->call = at->call;
	item->group = at->launch != NULL ? at->launch->excludes : 0;
	if (at->launch != NULL && at->launch->where != LAUNCH_HERE) {
		gather_unknown(item, &T_WHY_REMOTE, "");
	} else if (s->is == SETTING_UNKNOWN) {
		gather_parent(g, at->call, item, s);
	} else if (gather_elsewhere(s->text)) {
		gather_unknown(item, &T_WHY_STORE, "");
	} else {
		item->path = gather_path(g, at->call, s->text);
		if (item->path == NULL)
			gather_unknown(item, &T_WHY_CWD, "");
	}
	return item;
}

static void
gather_call(const struct shval_call *call, void *data)
{
	struct gather *g = data;

	g->call = mem_more(g->call, g->ncall, &g->capcall, sizeof *g->call);
	g->call[g->ncall++] = call;
	shval_keep(call->run);
}

int
gather_open(struct gather *g, struct scan *scan, const struct shcmd *cmd,
    const struct shval_env *env, const char *const *entries, struct watch *w)
{
	*g = (struct gather){ .scan = scan, .watch = w };
	if (watch_step(w))
		return -1;
	launch_find(&g->launches, cmd, env, entries, gather_call, g);
	scan->launches = g->launches.n;
	commands_items(g);
	for (size_t i = 0; i < g->launches.n; i++) {
		rules_launch(g, &g->launches.launch[i], i + 1);
		syntax_launch(g, cmd, &g->launches.launch[i]);
	}
	return 0;
}

void
gather_close(struct gather *g)
{
	launch_free(&g->launches);
	mem_free(g->call);
	*g = (struct gather){ 0 };
}
