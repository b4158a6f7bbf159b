#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "mem.h"
#include "shcmd.h"
#include "shread.h"

/*
 * Where each node belongs: those that wrap others were made after them and
 * name in child the node they go before; of two before the same one the later
 * goes first.
 */
static void
tree_places(const struct shnode *node, size_t n, uint32_t *at, uint32_t *count)
{
	uint32_t i, place = 0;

	for (i = 0; i < n; i++)
		if (node[i].child != SH_NONE)
			count[node[i].child]++;
	for (i = 0; i < n; i++) {
		if (node[i].child != SH_NONE)
			continue;
		place += count[i];
		count[i] = 0;
		at[i] = place++;
	}
	for (i = 0; i < n; i++)
		if (node[i].child != SH_NONE)
			at[i] = at[node[i].child] - ++count[node[i].child];
}

static void
tree_order(struct shcmd *c)
{
	uint32_t *at = mem_zero(2 * c->nnode, sizeof *at);
	struct shnode *node = mem_resize(NULL, c->nnode, sizeof *node), *n;
	size_t i;

	tree_places(c->node, c->nnode, at, at + c->nnode);
	for (i = 0; i < c->nnode; i++) {
		n = &node[at[i]];
		*n = c->node[i];
		n->child = SH_NONE;
		if (n->parent != SH_NONE)
			n->parent = at[n->parent];
	}
	free(at);
	free(c->node);
	c->node = node;
	c->capnode = c->nnode;
}

/* Children and siblings; what holds something broken is broken. */
static void
tree_link(struct shcmd *c)
{
	size_t i;

	for (i = c->nnode; i-- > 1;) {
		struct shnode *n = &c->node[i], *up = &c->node[n->parent];

		n->next = up->child;
		up->child = (uint32_t)i;
		up->flags |= n->flags & SHN_BROKEN;
	}
}

static void
tree_lines(struct shcmd *c)
{
	const char *s = c->text, *end = s + c->len, *nl;

	for (;;) {
		if (c->nline == c->capline)
			c->line = mem_more(
			    c->line, c->nline, &c->capline, sizeof *c->line);
		c->line[c->nline++] = (uint32_t)(s - c->text);
		nl = s < end ? memchr(s, '\n', (size_t)(end - s)) : NULL;
		if (nl == NULL)
			break;
		s = nl + 1;
		if (s == end)
			break;
	}
}

void
shtree_finish(struct shcmd *c, size_t nwrap)
{
	if (nwrap > 0)
		tree_order(c);
	tree_link(c);
	tree_lines(c);
}

void
shcmd_free(struct shcmd *c)
{
	free(c->tok);
	free(c->node);
	free(c->word);
	free(c->redir);
	free(c->error);
	free(c->warning);
	free(c->line);
	memset(c, 0, sizeof *c);
}

size_t
shcmd_line(const struct shcmd *c, uint32_t off)
{
	size_t low = 0, high = c->nline;

	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (c->line[mid] <= off)
			low = mid;
		else
			high = mid;
	}
	return low + 1;
}

void
shcmd_place(const struct shcmd *c, uint32_t off, size_t *line, size_t *col)
{
	*line = shcmd_line(c, off);
	*col = off - c->line[*line - 1] + 1;
}

uint32_t
shcmd_argsend(const struct shcmd *c, uint32_t node)
{
	const struct shnode *n = &c->node[node];

	return n->nword > 0 ? c->word[n->word + n->nword - 1].end : n->end;
}

uint32_t
shcmd_within(const struct shcmd *c, uint32_t node, enum sh_kind kind)
{
	do
		node = c->node[node].parent;
	while (node != SH_NONE && c->node[node].kind != kind);
	return node;
}

/* Text within one level of backquotes: what their backslashes leave. */
static void
add_eaten(struct buf *b, const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (s[i] == '\\' && i + 1 < n &&
		    (s[i + 1] == '\\' || s[i + 1] == '$' || s[i + 1] == '`'))
			i++;
		buf_addc(b, s[i]);
	}
}

int
shcmd_literal(const struct shcmd *c, uint32_t word, struct buf *b)
{
	const struct shword *w = &c->word[word];
	const struct shtok *t = c->tok + w->tok;
	size_t start = b->len;
	struct buf raw = { 0 };
	uint32_t i;

	buf_adds(b, "");
	for (i = 0; i < w->ntok; i++, t++) {
		const char *s = c->text + t->off;
		size_t n = t->len;

		buf_reset(&raw);
		if ((t->flags & SHTOK_BQLEVEL) != 0)
			add_eaten(&raw, s, n);
		else
			buf_add(&raw, s, n);
		s = raw.s;
		n = raw.len;
		switch (t->kind) {
		case TOK_CONT:
		case TOK_EATEN:
		case TOK_DQ: break;
		case TOK_OP:
		case TOK_GROUP:
		case TOK_IO:
		case TOK_LIT: buf_add(b, s, n); break;
		case TOK_ESC: buf_add(b, s + 1, n - 1); break;
		case TOK_SQ:
			n = shlex_inner(&s, n);
			buf_add(b, s, n);
			break;
		case TOK_DSQ:
			n = shlex_inner(&s, n);
			shlex_dsq(b, s, n);
			break;
		default:
			b->len = start;
			b->s[start] = '\0';
			buf_free(&raw);
			return -1;
		}
	}
	buf_free(&raw);
	return 0;
}
