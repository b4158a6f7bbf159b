/*
 * What holds for every text that shcmd_parse has read, whatever its bytes:
 * shcheck gives NULL, or what is wrong.
 */
#ifndef SHCHECK_H
#define SHCHECK_H

#include <stdint.h>
#include <string.h>

#include "buf.h"
#include "shcmd.h"

/* Tokens tile the text; a closing one matches the last that opened there. */
static const char *
shcheck_tokens(const struct shcmd *c)
{
	uint8_t open[256] = { 0 };
	uint32_t at = 0;
	size_t i;

	for (i = 0; i < c->ntok; i++) {
		const struct shtok *t = &c->tok[i];

		if (t->off != at || shtok_len(t) == 0)
			return "tokens do not tile the text";
		if (t->kind >= TOK_KINDS)
			return "a token of no kind";
		at += shtok_len(t);
		if (t->kind < TOK_DQ || t->kind == TOK_PARAM ||
		    t->kind == TOK_PNAME || t->kind == TOK_POP ||
		    t->kind > TOK_GROUP || t->depth == 255)
			continue;
		if ((t->flags & SHTOK_CLOSE) == 0)
			open[t->depth] = t->kind;
		else if (open[t->depth] != t->kind)
			return "a token closes what is not open";
	}
	return at == c->len ? NULL : "tokens end before the text";
}

static const char *
shcheck_word(const struct shcmd *c, const struct shword *w)
{
	const struct shtok *first = &c->tok[w->tok], *last;

	if (w->ntok == 0 || w->tok + w->ntok > c->ntok)
		return "a word without tokens";
	last = first + w->ntok - 1;
	if (first->off != w->off || shtok_end(last) != w->end)
		return "a word's tokens are not its bytes";
	if (last->depth == first->depth && last->depth < 255 &&
	    (last->kind == TOK_CONT || last->kind == TOK_LONEBS))
		return "a word ends in a continuation";
	return NULL;
}

static const char *
shcheck_redir(const struct shcmd *c, const struct shredir *r)
{
	uint32_t i, at = r->body;

	if (r->word >= c->nword || c->word[r->word].end != r->end ||
	    r->off >= r->end)
		return "a redirection without its target";
	if (r->op != OP_DLESS && r->op != OP_DLESSDASH)
		return NULL;
	for (i = r->bodytok; i < r->bodytok + r->nbodytok; i++) {
		if (c->tok[i].off != at)
			return "a body's tokens are not its bytes";
		at += shtok_len(&c->tok[i]);
	}
	return at == r->bodyend ? NULL : "a body is longer than its tokens";
}

static const char *
shcheck_node(const struct shcmd *c, uint32_t i)
{
	const struct shnode *n = &c->node[i], *up;
	uint32_t k, at = n->off;
	const char *bad;

	if (n->off > n->end || n->end > c->len || n->nassign > n->nword)
		return "a node's range is none";
	if (i > 0) {
		up = &c->node[n->parent];
		if (n->parent >= i || n->off < c->node[i - 1].off)
			return "nodes are not in the order of their beginnings";
		if (n->off < up->off ||
		    (n->end > up->end && n->kind != SH_SUBST &&
			(up->flags & SHN_BROKEN) == 0))
			return "a node lies outside its parent";
	}
	for (k = n->word; k < n->word + n->nword; k++) {
		if ((bad = shcheck_word(c, &c->word[k])) != NULL)
			return bad;
		if (c->word[k].off < at)
			return "words overlap";
		at = c->word[k].end;
	}
	if (at > n->end)
		return "words stand behind their node";
	for (k = n->redir; k < n->redir + n->nredir; k++)
		if ((bad = shcheck_redir(c, &c->redir[k])) != NULL)
			return bad;
	return NULL;
}

/* Children and siblings are the nodes that name their parent. */
static const char *
shcheck_links(const struct shcmd *c)
{
	size_t reached = 1;
	uint32_t i, k;

	for (i = 0; i < c->nnode; i++)
		for (k = c->node[i].child; k != SH_NONE; k = c->node[k].next) {
			if (k <= i || c->node[k].parent != i)
				return "a child has another parent";
			reached++;
		}
	return reached == c->nnode ? NULL : "nodes are lost";
}

static const char *
shcheck(const struct shcmd *c)
{
	const char *bad;
	uint32_t i;

	if ((bad = shcheck_tokens(c)) != NULL ||
	    (bad = shcheck_links(c)) != NULL)
		return bad;
	for (i = 0; i < c->nnode; i++)
		if ((bad = shcheck_node(c, i)) != NULL)
			return bad;
	for (i = 0; i < c->nerror; i++)
		if (c->error[i].off > c->len)
			return "an error outside the text";
	if ((c->verdict == SH_COMPLETE) != (c->nerror == 0))
		return "a verdict without reason";
	return NULL;
}

/* Whether the node is within a substitution. */
static inline int
shcheck_nested(const struct shcmd *c, uint32_t node)
{
	while (node != SH_NONE && c->node[node].kind != SH_SUBST)
		node = c->node[node].parent;
	return node != SH_NONE;
}

/*
 * A command's arguments can be lengthened where shcmd_argsend says. Not so
 * behind a backslash that ends what backquotes hold: it would quote the blank.
 */
static inline const char *
shcheck_insert(const struct shcmd *c, uint32_t node)
{
	const struct shnode *n = &c->node[node], *m;
	uint32_t at = shcmd_argsend(c, node);
	struct buf b = { 0 };
	struct shcmd d;
	const char *bad = NULL;

	if (c->text[at - 1] == '\\' && shcheck_nested(c, node))
		return NULL;
	buf_add(&b, c->text, at);
	buf_adds(&b, " --x");
	if (at < c->len && (c->text[at] == '<' || c->text[at] == '>'))
		buf_adds(&b, " ");
	buf_add(&b, c->text + at, c->len - at);
	shcmd_parse(&d, b.s, b.len);
	m = &d.node[node];
	if (d.nnode != c->nnode || d.nword != c->nword + 1 ||
	    m->nword != n->nword + 1 || m->nredir != n->nredir ||
	    d.verdict != c->verdict)
		bad = "an argument that was added is not read as one";
	else if (d.word[m->word + m->nword - 1].off != at + 1 ||
	    d.word[m->word + m->nword - 1].end != at + 4)
		bad = "an argument that was added is not the last one";
	shcmd_free(&d);
	buf_free(&b);
	return bad;
}

#endif
