#include <string.h>

#include "launchin.h"

/* The chain of commands that lead to a launch, from the script's on. */
enum { CHAIN = 64 };
struct chain {
	const struct shcmd *cmd[CHAIN];
	uint32_t node[CHAIN];
	size_t n;
};

static void
chain_of(const struct launch *x, struct chain *c)
{
	const struct launch_text *t = x->text;
	const struct shval_call *p = x->call;

	for (c->n = 0; p != NULL && c->n < CHAIN; c->n++) {
		c->cmd[c->n] = p->source->cmd;
		c->node[c->n] = p->node;
		p = launch_above(p, &t);
	}
	for (size_t i = 0; i < c->n / 2; i++) {
		size_t k = c->n - 1 - i;
		const struct shcmd *cmd = c->cmd[i];
		uint32_t node = c->node[i];
		c->cmd[i] = c->cmd[k];
		c->node[i] = c->node[k];
		c->cmd[k] = cmd;
		c->node[k] = node;
	}
}

/* Which child of its parent a node is, from 0. */
static uint32_t
tree_index(const struct shcmd *cmd, uint32_t node)
{
	uint32_t i = 0, k = cmd->node[cmd->node[node].parent].child;

	for (; k != node && k != SH_NONE; k = cmd->node[k].next)
		i++;
	return i;
}

static uint32_t
tree_children(const struct shcmd *cmd, uint32_t node)
{
	uint32_t n = 0, k = cmd->node[node].child;

	for (; k != SH_NONE; k = cmd->node[k].next)
		n++;
	return n;
}

/* The ancestor of node that is a child of top, or SH_NONE. */
static uint32_t
tree_below(const struct shcmd *cmd, uint32_t node, uint32_t top)
{
	while (node != SH_NONE && cmd->node[node].parent != top)
		node = cmd->node[node].parent;
	return node;
}

static uint32_t
tree_common(const struct shcmd *cmd, uint32_t a, uint32_t b)
{
	for (; a != SH_NONE; a = cmd->node[a].parent)
		for (uint32_t k = b; k != SH_NONE; k = cmd->node[k].parent)
			if (k == a)
				return a;
	return SH_NONE;
}

static int
tree_word_is(const struct shcmd *cmd, uint32_t node, const char *s)
{
	const struct shnode *n = &cmd->node[node];

	if (n->kind != SH_SIMPLE || n->nword <= n->nassign)
		return 0;
	const struct shword *w = &cmd->word[n->word + n->nassign];
	return w->end - w->off == strlen(s) &&
	    memcmp(cmd->text + w->off, s, strlen(s)) == 0;
}

/* Does the script end behind node before it leaves the list under top? */
static int
tree_exits(const struct shcmd *cmd, uint32_t node, uint32_t top)
{
	if (tree_word_is(cmd, node, "exec"))
		return 1;
	for (; node != top; node = cmd->node[node].parent) {
		uint32_t up = cmd->node[node].parent;
		if (up == top || cmd->node[up].kind != SH_LIST)
			continue;
		for (uint32_t k = cmd->node[node].next; k != SH_NONE;
		     k = cmd->node[k].next)
			if (tree_word_is(cmd, k, "exit") ||
			    tree_word_is(cmd, k, "return") ||
			    tree_word_is(cmd, k, "exec"))
				return 1;
	}
	return 0;
}

/* Do two commands of one text never run both? */
static int
tree_excludes(const struct shcmd *cmd, uint32_t a, uint32_t b)
{
	uint32_t top = tree_common(cmd, a, b);

	if (top == SH_NONE || a == top || b == top)
		return 0;
	uint32_t x = tree_below(cmd, a, top), y = tree_below(cmd, b, top);
	uint32_t i = tree_index(cmd, x), k = tree_index(cmd, y);
	if (cmd->node[top].kind == SH_IF) {
		uint32_t n = tree_children(cmd, top);
		int body = i % 2 == 1 || (n % 2 == 1 && i == n - 1);
		int other = k % 2 == 1 || (n % 2 == 1 && k == n - 1);
		return body && other && i != k;
	}
	if (cmd->node[top].kind == SH_CASE)
		return i != k && cmd->node[i < k ? x : y].op == OP_DSEMI;
	/* [ x ] && a || b; a || b: the second when the first fails */
	if (cmd->node[top].kind == SH_ANDOR)
		return cmd->node[i < k ? y : x].op == OP_ORIF;
	if (cmd->node[top].kind != SH_LIST || i == k)
		return 0;
	uint32_t first = i < k ? a : b, statement = i < k ? x : y;
	return cmd->node[statement].kind != SH_SIMPLE &&
	    tree_exits(cmd, first, top);
}

static int
launch_excludes(const struct launch *a, const struct launch *b)
{
	struct chain x, y;

	chain_of(a, &x);
	chain_of(b, &y);
	for (size_t i = 0; i < x.n && i < y.n; i++) {
		/* strings that one command runs, in branches or turns */
		if (x.cmd[i] != y.cmd[i])
			return i != 0;
		if (x.node[i] != y.node[i])
			return tree_excludes(x.cmd[i], x.node[i], y.node[i]);
	}
	return 0;
}

/* Beyond so many launches nobody asks which exclude each other. */
enum { GROUPS_MAX = 500 };

/* Does launch i exclude launch k and all that are in k's group? */
static int
launch_joins(const struct launches *l, size_t i, size_t k)
{
	uint32_t group = l->launch[k].excludes;

	if (!launch_excludes(&l->launch[k], &l->launch[i]))
		return 0;
	for (size_t j = 0; group != 0 && j < i; j++)
		if (l->launch[j].excludes == group &&
		    !launch_excludes(&l->launch[j], &l->launch[i]))
			return 0;
	return 1;
}

static void
launch_group(struct launches *l)
{
	uint32_t next = 1;

	for (size_t i = 0; i < l->n && l->n <= GROUPS_MAX; i++) {
		size_t k = 0;
		while (k < i && !launch_joins(l, i, k))
			k++;
		if (k == i)
			continue;
		if (l->launch[k].excludes == 0)
			l->launch[k].excludes = next++;
		l->launch[i].excludes = l->launch[k].excludes;
	}
}

/* Does an exit stand before the launch that no condition guards? */
static int
launch_unreachable(const struct launch *x)
{
	struct chain c;

	chain_of(x, &c);
	for (size_t i = 0; i < c.n; i++) {
		const struct shcmd *cmd = c.cmd[i];
		for (uint32_t k = c.node[i]; k != 0 && k != SH_NONE;
		     k = cmd->node[k].parent) {
			uint32_t s = cmd->node[cmd->node[k].parent].child;
			if (cmd->node[cmd->node[k].parent].kind != SH_LIST)
				continue;
			for (; s != k && s != SH_NONE; s = cmd->node[s].next)
				if (tree_word_is(cmd, s, "exit") ||
				    tree_word_is(cmd, s, "return"))
					return 1;
		}
	}
	return 0;
}

/* A launch that does not run here counts when it is the other arm of one
 * that does, or when there is no other. */
static void
launch_bury(struct launches *l)
{
	size_t kept = 0, alive = 0;

	for (size_t i = 0; i < l->n; i++)
		alive += !l->launch[i].dead;
	for (size_t i = 0; i < l->n; i++) {
		int keep = alive == 0 ? !launch_unreachable(&l->launch[i])
				      : !l->launch[i].dead;
		for (size_t k = 0; k < l->n && !keep && l->n <= GROUPS_MAX; k++)
			keep = !l->launch[k].dead &&
			    launch_excludes(&l->launch[i], &l->launch[k]);
		if (keep)
			l->launch[kept++] = l->launch[i];
	}
	l->n = kept;
}

/* The first simple command within a statement. */
static uint32_t
tree_first(const struct shcmd *cmd, uint32_t node)
{
	while (node != SH_NONE && cmd->node[node].kind != SH_SIMPLE)
		node = cmd->node[node].child;
	return node;
}

/* The command behind the launch when it looks like more of its arguments. */
static uint32_t
launch_cut_off(const struct shcmd *cmd, uint32_t node)
{
	while (cmd->node[node].parent != SH_NONE &&
	    cmd->node[cmd->node[node].parent].kind != SH_LIST)
		node = cmd->node[node].parent;
	node = tree_first(cmd, cmd->node[node].next);
	if (node == SH_NONE)
		return SH_NONE;
	const struct shnode *n = &cmd->node[node];
	if (n->nword <= n->nassign)
		return SH_NONE;
	const struct shword *w = &cmd->word[n->word + n->nassign];
	const char *s = cmd->text + w->off;
	size_t len = w->end - w->off;
	if (len > 2 && s[0] == '-' && s[1] == '-')
		return node;
	for (size_t i = 0; s[0] == '$' && i + 4 <= len; i++)
		if (memcmp(s + i, "ARGS", 4) == 0 ||
		    memcmp(s + i, "args", 4) == 0)
			return node;
	return SH_NONE;
}

/* Where the launch stands in the script's own text. */
static void
launch_stands(const struct launches *l, struct launch *x)
{
	struct chain c;
	size_t i;

	chain_of(x, &c);
	for (i = c.n; i > 0 && c.cmd[i - 1] != l->cmd; i--)
		;
	x->in_eval = x->text != NULL;
	for (const struct shval_call *p = x->call; p != NULL; p = p->caller) {
		x->in_function |= p != x->call && p->function != NULL;
		x->in_eval |= p->source->made != NULL;
	}
	if (i == 0)
		return;
	const struct shcmd *cmd = l->cmd;
	x->node = c.node[i - 1];
	x->line = shcmd_line(cmd, cmd->node[x->node].off);
	uint32_t node = x->node, pipe;
	for (uint32_t k = node; k != SH_NONE; k = cmd->node[k].parent)
		x->background |= (cmd->node[k].flags & SHN_BACKGROUND) != 0;
	pipe = cmd->node[node].parent;
	if (pipe != SH_NONE && cmd->node[pipe].kind == SH_PIPE)
		x->pipe_index = (int)tree_index(cmd, node);
	else
		pipe = node;
	x->last_pipe = c.n == 1 && !x->background &&
	    cmd->node[pipe].parent == 0 && cmd->node[pipe].next == SH_NONE &&
	    !(pipe == node && tree_word_is(cmd, node, "exec"));
	if (c.cmd[c.n - 1] == l->cmd)
		x->broken = launch_cut_off(cmd, node);
}

void
launch_order(struct launches *l)
{
	launch_bury(l);
	launch_group(l);
	for (size_t i = 0; i < l->n; i++)
		launch_stands(l, &l->launch[i]);
}
