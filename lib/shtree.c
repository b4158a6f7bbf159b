#include <string.h>

#include "buf.h"
#include "mem.h"
#include "shcmd.h"
#include "shcmdin.h"

enum { FEW = 32 }; /* nodes that are moved at once */

uint32_t
node_new(struct parser *p, enum sh_kind kind, uint32_t up, uint32_t off)
{
	struct shcmd *c = p->c;
	struct shnode *n;

	if (c->nnode == c->capnode)
		c->node = mem_more(c->node, c->nnode, &c->capnode, sizeof *n);
	n = &c->node[c->nnode];
	memset(n, 0, sizeof *n);
	n->kind = (uint8_t)kind;
	n->off = n->end = off;
	n->parent = up;
	n->child = n->next = SH_NONE;
	return (uint32_t)c->nnode++;
}

/* Makes the node the at-th by moving those from there on. */
static void
node_insert(struct parser *p, uint32_t at)
{
	struct shcmd *c = p->c;
	struct shnode *n = c->node, new = n[c->nnode - 1];
	size_t i;

	memmove(&n[at + 1], &n[at], (c->nnode - 1 - at) * sizeof *n);
	n[at] = new;
	n[at + 1].parent = at;
	for (i = at + 2; i < c->nnode; i++) {
		n[i].parent += n[i].parent >= at;
		n[i].child += n[i].child != SH_NONE;
	}
	for (i = p->lx.nhd; i > 0 && p->lx.hd[i - 1].off >= new.off; i--)
		p->lx.hd[i - 1].node += p->lx.hd[i - 1].node >= at;
}

/*
 * Behind child there may be many nodes below it: then the new one stays
 * behind them, and its child names the node that it goes before.
 */
uint32_t
node_wrap(struct parser *p, enum sh_kind kind, uint32_t child)
{
	struct shcmd *c = p->c;
	uint32_t node =
	    node_new(p, kind, c->node[child].parent, c->node[child].off);
	struct shnode *n = &c->node[child], *w = &c->node[node];

	w->op = n->op;
	n->op = OP_NONE;
	if (n->child == SH_NONE && node - child <= FEW) {
		node_insert(p, child);
		return child;
	}
	w->child = n->child != SH_NONE ? n->child : child;
	n->parent = node;
	p->nwrap++;
	return node;
}

void
node_forget(struct parser *p, uint32_t off)
{
	struct shcmd *c = p->c;
	const struct shnode *n = &c->node[c->nnode - 1];
	size_t i;

	for (; n->off > off || (n->off == off && n->kind == SH_ARITH); n--) {
		p->nwrap -= n->child != SH_NONE;
		c->nnode--;
	}
	while (c->nword > 0 && c->word[c->nword - 1].off > off)
		c->nword--;
	while (c->nredir > 0 && c->redir[c->nredir - 1].off > off)
		c->nredir--;
	for (i = p->lx.nhd; i > 0 && p->lx.hd[i - 1].off > off; i--) {
		p->lx.hd[i - 1].redir = SH_NONE;
		p->lx.hd[i - 1].node = 0;
	}
	if (p->cur != SH_NONE && p->cur >= c->nnode)
		p->cur = SH_NONE;
}

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
	mem_free(at);
	mem_free(c->node);
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

void
shtree_finish(struct parser *p)
{
	if (p->nwrap > 0)
		tree_order(p->c);
	tree_link(p->c);
}

/* Bytes that are seldom meant: the first NUL, the first CR of a line end. */
void
shtree_scan(struct parser *p)
{
	const char *s = p->c->text, *end = s + p->c->len, *q;

	if (s == end)
		return;
	if ((q = memchr(s, '\0', p->c->len)) != NULL)
		error_at(p, SHLEX_NUL, (uint32_t)(q - s), 1);
	for (q = s; (q = memchr(q, '\r', (size_t)(end - q))) != NULL; q++)
		if (q + 1 < end && q[1] == '\n') {
			shlex_warn(&p->lx, SHWARN_CR, (uint32_t)(q - s));
			break;
		}
}

void
shcmd_free(struct shcmd *c)
{
	mem_free(c->tok);
	mem_free(c->node);
	mem_free(c->word);
	mem_free(c->redir);
	mem_free(c->error);
	mem_free(c->warning);
	mem_free(c->line);
	memset(c, 0, sizeof *c);
}

/* How many newlines there are, in lanes that compilers count side by side. */
static uint32_t
count_newlines(const char *s, size_t n)
{
	enum { LANES = 16, MOST = 255 * LANES };
	uint32_t count = 0;

	while (n >= LANES) {
		uint8_t lane[LANES] = { 0 };
		size_t m = n < MOST ? n / LANES : 255;
		n -= m * LANES;
		for (; m > 0; m--, s += LANES)
			for (int k = 0; k < LANES; k++)
				lane[k] = (uint8_t)(lane[k] + (s[k] == '\n'));
		for (int k = 0; k < LANES; k++)
			count += lane[k];
	}
	for (; n > 0; n--)
		count += *s++ == '\n';
	return count;
}

/* Numbers the lines when one is asked for first: line[0] tells. */
static void
number_lines(const struct shcmd *c)
{
	size_t i;

	c->line[0] = 1;
	for (i = 0; (i + 1) * SH_BLOCK <= c->len; i++)
		c->line[i + 1] = c->line[i] +
		    count_newlines(c->text + i * SH_BLOCK, SH_BLOCK);
}

size_t
shcmd_line(const struct shcmd *c, uint32_t off)
{
	uint32_t i = off / SH_BLOCK, at = i * SH_BLOCK;

	if (c->line[0] == 0)
		number_lines(c);
	return c->line[i] + count_newlines(c->text + at, off - at);
}

void
shcmd_place(const struct shcmd *c, uint32_t off, size_t *line, size_t *col)
{
	uint32_t start = off;

	while (start > 0 && c->text[start - 1] != '\n')
		start--;
	*line = shcmd_line(c, off);
	*col = off - start + 1;
}

/* Of n offsets that grow, stride bytes apart, the first that is not less. */
static uint32_t
first_from(const uint32_t *at, size_t n, size_t stride, uint32_t off)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		uint32_t x;
		memcpy(&x, (const char *)at + mid * stride, sizeof x);
		if (x < off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (uint32_t)lo;
}

uint32_t
shcmd_token(const struct shcmd *c, uint32_t off)
{
	return c->ntok == 0
	    ? 0
	    : first_from(&c->tok->off, c->ntok, sizeof *c->tok, off);
}

uint32_t
shcmd_node(const struct shcmd *c, uint32_t off)
{
	return first_from(&c->node->off, c->nnode, sizeof *c->node, off);
}

uint32_t
shcmd_own(const struct shcmd *c, uint32_t off)
{
	uint32_t i = shcmd_node(c, off + 1) - 1;

	while (i != 0 && c->node[i].parent != 0)
		i = c->node[i].parent;
	return i == 0 ? SH_NONE : i;
}

uint32_t
shcmd_argsend(const struct shcmd *c, uint32_t node)
{
	const struct shnode *n = &c->node[node];

	return n->nword > 0 ? c->word[n->word + n->nword - 1].end : n->end;
}

/* Text within backquotes: what their backslashes leave. */
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

/* Appends a token's bytes after quote removal; -1: it is none of text. */
static int
add_literal(struct buf *b, const struct shtok *t, const char *s, size_t n)
{
	switch (t->kind) {
	case TOK_CONT:
	case TOK_EATEN:
	case TOK_DQ: return 0;
	case TOK_OP:
	case TOK_GROUP:
	case TOK_IO:
	case TOK_LIT: break;
	case TOK_ESC: s++, n--; break;
	case TOK_SQ: n = shlex_inner(&s, n); break;
	case TOK_DSQ:
		n = shlex_inner(&s, n);
		shlex_dsq(b, s, n);
		return 0;
	default: return -1;
	}
	buf_add(b, s, n);
	return 0;
}

int
token_literal(const struct shtok *t, const char *s, struct buf *b)
{
	struct buf raw = { 0 };
	int bad;

	if ((t->flags & SHTOK_BQLEVEL) == 0 ||
	    memchr(s, '\\', shtok_len(t)) == NULL)
		return add_literal(b, t, s, shtok_len(t));
	if ((t->flags & SHTOK_BQDEEP) != 0)
		return -1;
	add_eaten(&raw, s, shtok_len(t));
	bad = add_literal(b, t, raw.s, raw.len);
	buf_free(&raw);
	return bad;
}

int
shcmd_literal(const struct shcmd *c, uint32_t word, struct buf *b)
{
	const struct shword *w = &c->word[word];
	const struct shtok *t = c->tok + w->tok, *end = t + w->ntok;
	size_t start = b->len;

	buf_adds(b, "");
	for (; t < end; t++)
		if (token_literal(t, c->text + t->off, b) != 0) {
			b->len = start;
			b->s[start] = '\0';
			return -1;
		}
	return 0;
}
