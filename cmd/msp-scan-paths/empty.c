/*
 * An option with nothing behind it: which variable stands there, and where it
 * got its empty value.
 */
#include <string.h>

#include "gather.h"

/* The place behind the option's name in the text where it is written. */
static int
empty_behind(
    const struct launch *l, const char *option, struct shval_from *from)
{
	int found = -1;

	for (size_t i = l->entry + 1; i < l->argc; i++) {
		struct buf b = { 0 };
		const struct shval *v = &l->argv[i];
		if (v->npiece == 1 && shval_known(v, &b) &&
		    strcmp(b.s, option) == 0 &&
		    v->piece[0].from.source != NULL &&
		    shval_origin(v->piece[0].from.source, v->piece[0].from.off,
			from) == 0)
			found = 0;
		buf_free(&b);
	}
	if (found == 0)
		from->off += (uint32_t)strlen(option);
	return found;
}

/* $NAME or ${NAME} there; NULL when it is something else. */
static const char *
empty_variable(struct gather *g, const struct shcmd *cmd, uint32_t off)
{
	static const char letters[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
	struct buf text = { 0 };
	const char *s, *name = NULL;

	if (off < cmd->len)
		buf_add(&text, cmd->text + off, cmd->len - off);
	s = text.s != NULL ? text.s : "";
	s += strspn(s, " \t\n\\\"");
	if (*s == '$') {
		s += 1 + (s[1] == '{');
		size_t n = strspn(s, letters);
		if (n > 0 && (s[-1] == '$' || s[n] == '}'))
			name = gather_copy(g, s, n);
	}
	buf_free(&text);
	return name;
}

/* The last assignment to it before a place; SH_NONE: there is none. */
static uint32_t
empty_assigned(const struct shcmd *cmd, const char *name, uint32_t before)
{
	size_t n = strlen(name);
	uint32_t last = SH_NONE;

	for (uint32_t i = 0; i < cmd->nword; i++) {
		const struct shword *w = &cmd->word[i];
		if ((w->flags & SHW_ASSIGN) && w->off < before &&
		    w->end - w->off > n && cmd->text[w->off + n] == '=' &&
		    memcmp(cmd->text + w->off, name, n) == 0)
			last = w->off;
	}
	return last;
}

void
empty_place(struct gather *g, const struct launch *l, const char *option,
    struct scan_item *item)
{
	struct shval_from from;

	if (empty_behind(l, option, &from) < 0)
		return;
	const struct shcmd *cmd = from.source->cmd;
	const char *name = empty_variable(g, cmd, from.off);
	uint32_t at = name != NULL
	    ? empty_assigned(cmd, name, cmd->node[l->call->node].off)
	    : SH_NONE;

	if (name == NULL)
		return;
	if (at == SH_NONE) {
		item->unset = name;
		return;
	}
	item->variable = name;
	item->line = shcmd_line(cmd, at);
	if (from.source->path != NULL)
		item->file = gather_copy(
		    g, from.source->path, strlen(from.source->path));
}
