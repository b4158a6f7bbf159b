#include <string.h>

#include "gather.h"

static const char *
syntax_copy(struct scan *scan, const char *s, size_t n)
{
	return arena_dup(&scan->arena, s, n);
}

static struct scan_item *
syntax_item(struct scan *scan, const struct shcmd *cmd, uint32_t off,
    enum scan_status status, const struct text *why)
{
	struct scan_item *item = scan_add(scan, SCAN_TEXT);

	item->line = shcmd_line(cmd, off);
	item->name = why->id;
	item->value = "";
	item->flags = SCAN_SET;
	found_set(&item->found, status, why, NULL, NULL, NULL);
	return item;
}

/* The line that holds an offset: its beginning and length. */
static const char *
syntax_line(const struct shcmd *cmd, uint32_t off, size_t *len)
{
	const char *s = cmd->text + off, *end = s;

	while (s > cmd->text && s[-1] != '\n')
		s--;
	while (end < cmd->text + cmd->len && *end != '\n')
		end++;
	*len = (size_t)(end - s);
	return s;
}

/* NAME=<...> in the line, unquoted: a placeholder that was left. */
static int
syntax_placeholder(struct scan *scan, const struct shcmd *cmd, uint32_t off,
    const struct text *why)
{
	size_t n;
	const char *line = syntax_line(cmd, off, &n);
	const char *open = memchr(line, '<', n);
	const char *close =
	    open != NULL ? memchr(open, '>', n - (size_t)(open - line)) : NULL;
	const char *name;

	if (open == NULL || open == line || open[-1] != '=' || close == NULL)
		return 0;
	for (name = open - 1; name > line && strchr(" \t;", name[-1]) == NULL;)
		name--;
	struct scan_item *item =
	    syntax_item(scan, cmd, off, SCAN_PLACEHOLDER, why);
	item->name = syntax_copy(scan, name, (size_t)(open - 1 - name));
	item->value = syntax_copy(scan, open, (size_t)(close - open + 1));
	item->line = shcmd_line(cmd, (uint32_t)(line - cmd->text));
	return 1;
}

static void
syntax_errors(struct scan *scan, const struct shcmd *cmd)
{
	for (size_t i = 0; i < cmd->nerror; i++) {
		uint32_t off = cmd->error[i].off;
		if (off > 0 && off >= cmd->len)
			off = (uint32_t)cmd->len - 1;
		if (!syntax_placeholder(scan, cmd, off, &T_PLACEHOLDER_SYNTAX))
			syntax_item(
			    scan, cmd, off, SCAN_WARN, &T_SCRIPT_SYNTAX);
	}
}

int
syntax_left(const struct shcmd *cmd, const struct shredir *r)
{
	size_t line = shcmd_line(cmd, r->off), n;

	if (r->op != OP_LESS || r->off == 0 || cmd->text[r->off - 1] != '=')
		return 0;
	for (size_t i = 0; i < cmd->nerror; i++)
		if (shcmd_line(cmd, cmd->error[i].off) == line)
			return 0;
	const char *s = syntax_line(cmd, r->off, &n);
	return memchr(s, '>', n) != NULL;
}

/* What bash takes for redirections without an error. */
static void
syntax_redirections(struct scan *scan, const struct shcmd *cmd)
{
	for (size_t i = 0; i < cmd->nredir; i++)
		if (syntax_left(cmd, &cmd->redir[i]))
			syntax_placeholder(scan, cmd, cmd->redir[i].off,
			    &T_PLACEHOLDER_SYNTAX);
}

void
syntax_items(struct scan *scan, const struct shcmd *cmd)
{
	static const struct {
		enum sh_warn what;
		const struct text *why;
	} table[] = {
		{ SHWARN_BSBLANK, &T_SCRIPT_BSBLANK },
		{ SHWARN_CR, &T_SCRIPT_CR },
		{ SHWARN_BOM, &T_SCRIPT_BOM },
		{ SHWARN_HDEOF, &T_SCRIPT_HDEOF },
	};
	static const char bang[] = "#！";

	if (cmd->len >= sizeof bang - 1 &&
	    memcmp(cmd->text, bang, sizeof bang - 1) == 0)
		syntax_item(scan, cmd, 0, SCAN_WARN, &T_SCRIPT_BANG);
	for (size_t i = 0; i < cmd->nwarning; i++)
		for (size_t k = 0; k < sizeof table / sizeof *table; k++)
			if (cmd->warning[i].what == table[k].what)
				syntax_item(scan, cmd, cmd->warning[i].off,
				    SCAN_WARN, table[k].why);
	syntax_errors(scan, cmd);
	syntax_redirections(scan, cmd);
}

void
syntax_launch(struct gather *g, const struct shcmd *cmd, const struct launch *l)
{
	if (l->broken == SH_NONE)
		return;
	struct scan_item *item = syntax_item(g->scan, cmd,
	    shcmd_argsend(cmd, l->node), SCAN_WARN, &T_SCRIPT_BROKEN);
	const struct shnode *next = &cmd->node[l->broken];
	if (next->nword > 0) {
		const struct shword *w = &cmd->word[next->word];
		item->value =
		    syntax_copy(g->scan, cmd->text + w->off, w->end - w->off);
	}
}
