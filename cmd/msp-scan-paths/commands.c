#include <stdlib.h>
#include <string.h>

#include "gather.h"
#include "path.h"

/* The name of the program or builtin that a command runs, or "". */
static const char *
command_name(const struct shval_call *call, struct buf *b)
{
	if (call->argc == 0 || !shval_known(&call->argv[0], b))
		return "";
	return path_base(b->s);
}

static void
command_item(struct gather *g, const struct gather_at *at, enum scan_kind kind,
    const char *name, uint32_t word, const struct shval *v)
{
	struct gather_at one = *at;
	struct setting s;

	if (v->alt != NULL)
		one.flags |= SCAN_CHOICE;
	for (; v != NULL; v = v->alt) {
		gather_setting(g, at->call, word, v, &s);
		if (str_begins(s.text, "/dev/") || str_begins(s.text, "/proc/"))
			continue;
		(void)gather_item(g, &one, kind, name, &s);
	}
}

static uint32_t
command_word(const struct shval_call *call, size_t i)
{
	return call->argword != NULL ? call->argword[i] : SH_NONE;
}

/* All operands: the words that are no options. */
static void
command_operands(struct gather *g, const struct gather_at *at,
    enum scan_kind kind, const char *name)
{
	const struct shval_call *call = at->call;

	for (size_t i = 1; i < call->argc; i++) {
		const struct shval *v = &call->argv[i];
		int option = v->npiece > 0 && v->piece[0].why == SHVAL_KNOWN &&
		    v->piece[0].len > 0 && v->piece[0].s[0] == '-';
		if (!option && v->npiece > 0)
			command_item(
			    g, at, kind, name, command_word(call, i), v);
	}
}

static void
command_redirections(struct gather *g, const struct gather_at *at)
{
	static const struct {
		enum shop op;
		enum scan_kind kind;
		const char *name;
	} table[] = {
		{ OP_LESS, SCAN_FILE, "<" },
		{ OP_GREAT, SCAN_LOG, ">" },
		{ OP_CLOBBER, SCAN_LOG, ">|" },
		{ OP_DGREAT, SCAN_LOG, ">>" },
		{ OP_AMPGREAT, SCAN_LOG, "&>" },
		{ OP_AMPDGREAT, SCAN_LOG, "&>>" },
		{ OP_GREATAMP, SCAN_LOG, ">&" },
		{ OP_LESSGREAT, SCAN_LOG, "<>" },
	};
	const struct shcmd *cmd = at->call->source->cmd;
	const struct shnode *node = &cmd->node[at->call->node];

	for (uint32_t i = 0; i < node->nredir; i++) {
		const struct shredir *r = &cmd->redir[node->redir + i];
		const struct shval *v = &at->call->redir[i];
		if (syntax_left(cmd, r))
			return;
		struct buf b = { 0 };
		int number = shval_known(v, &b) && b.len > 0 &&
		    strspn(b.s, "0123456789-") == b.len;
		for (size_t k = 0; k < sizeof table / sizeof *table; k++)
			if (r->op == table[k].op && v->npiece > 0 &&
			    !(r->op == OP_GREATAMP && number))
				command_item(g, at, table[k].kind,
				    table[k].name, r->word, v);
		buf_free(&b);
	}
}

/* Words of a command that come from a variable called HOSTFILE or so. */
static void
command_hostfiles(struct gather *g, const struct gather_at *at)
{
	const struct shval_call *call = at->call;

	for (size_t i = 1; i < call->argc; i++) {
		struct setting s;
		if (call->argv[i].alt != NULL)
			continue;
		gather_setting(
		    g, call, command_word(call, i), &call->argv[i], &s);
		if (s.is == SETTING_KNOWN && s.variable != NULL &&
		    (str_ends(s.variable, "HOSTFILE") ||
			str_ends(s.variable, "hostfile")))
			(void)gather_item(g, at, SCAN_FILE, s.variable, &s);
	}
}

static int
command_reads(const char *name)
{
	static const char *const readers[] = { "cat", "head", "tail", "wc",
		"awk", "sed", "grep", "sort", "cut", "mapfile", "readarray" };

	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
		if (strcmp(name, readers[i]) == 0)
			return 1;
	return 0;
}

/* 1 when the script goes on by itself if the command fails. */
static int
command_optional(const struct shval_call *call)
{
	const struct shcmd *cmd = call->source->cmd;
	uint32_t next = cmd->node[call->node].next;

	if (cmd->node[call->node].nredir > 0)
		return 1;
	return next != SH_NONE && cmd->node[next].op == OP_ORIF;
}

static void
command_sourced(struct gather *g, const struct shval_sourced *s)
{
	struct gather_at at = { .call = s->call };
	struct setting set;
	struct scan_item *item;

	if (s->file == NULL || s->file->npiece == 0 ||
	    (s->call->guard && !s->read))
		return;
	gather_setting(g, s->call, SH_NONE, s->file, &set);
	if (str_begins(set.text, "/dev/") || str_begins(set.text, "/proc/"))
		return;
	if (s->call->maybe || command_optional(s->call) ||
	    strchr(set.text, '/') == NULL)
		at.flags |= SCAN_MAYBE;
	item = gather_item(g, &at, SCAN_SOURCE, "source", &set);
	if (item != NULL && s->read) {
		item->flags |= SCAN_SET;
		found_set(&item->found, SCAN_OK, NULL, NULL, NULL, NULL);
	}
}

static void
command_script(struct gather *g, const struct launch_script *s)
{
	struct gather_at at = { .call = s->call };

	if (s->call->maybe || s->call->guard)
		at.flags |= SCAN_MAYBE;
	command_item(g, &at, SCAN_SCRIPT, "bash", SH_NONE, s->file);
}

void
commands_items(struct gather *g)
{
	for (size_t i = 0; i < g->ncall; i++) {
		struct gather_at at = { .call = g->call[i] };
		struct buf b = { 0 };
		const char *name = command_name(at.call, &b);
		if (at.call->maybe || at.call->guard)
			at.flags |= SCAN_MAYBE;
		if (strcmp(name, "tee") == 0)
			command_operands(g, &at, SCAN_LOG, "tee");
		else if (strcmp(name, "cd") == 0 || strcmp(name, "pushd") == 0)
			command_operands(g, &at, SCAN_CD, "cd");
		else if (command_reads(name))
			command_hostfiles(g, &at);
		command_redirections(g, &at);
		buf_free(&b);
	}
	for (const struct shval_sourced *s = shval_sourced(g->launches.run);
	     s != NULL; s = s->next)
		command_sourced(g, s);
	for (size_t i = 0; i < g->launches.nscript; i++)
		if (!g->launches.script[i].elsewhere)
			command_script(g, &g->launches.script[i]);
}
