#include <string.h>

#include "shwalk.h"

enum { ITEMS_MAX = 1 << 20 };

static struct shitem *
item_new(struct shval_run *w)
{
	if (w->nitem >= ITEMS_MAX) {
		w->limited = 1;
		w->nitem = ITEMS_MAX - 1;
	}
	if (w->nitem == w->capitem)
		w->item =
		    mem_more(w->item, w->nitem, &w->capitem, sizeof(*w->item));
	return &w->item[w->nitem++];
}

void
shitem_piece(struct shval_run *w, const struct shpiece *p, int flag)
{
	struct shitem *it = item_new(w);

	it->p = *p;
	it->alts = NULL;
	it->flag = (uint8_t)flag;
}

void
shitem_text(struct shval_run *w, const char *s, size_t n,
    struct shval_from from, int quoted)
{
	struct shitem *it = item_new(w);

	it->p = (struct shpiece){ SHVAL_KNOWN, quoted, s, n, from };
	it->alts = NULL;
	it->flag = 0;
}

void
shitem_mark(struct shval_run *w, int flag)
{
	static const struct shpiece none = { SHVAL_KNOWN, 1, "", 0,
		{ NULL, 0, 0 } };

	shitem_piece(w, &none, flag);
}

void
shitem_vague(struct shval_run *w, enum shval_why why, const char *what,
    struct shval_from from, int quoted)
{
	struct shpiece p = { why, quoted, what, strlen(what), from };

	shitem_piece(w, &p, quoted ? 0 : IT_SPLIT);
}

void
shitem_value(struct shval_run *w, const struct shval *v, int quoted)
{
	int flag = quoted ? 0 : IT_SPLIT;

	if (v->split || v->alt != NULL) {
		shitem_mark(w, flag | (v->split ? IT_MANY : IT_ALTS));
		w->item[w->nitem - 1].alts = v;
		return;
	}
	for (size_t i = 0; i < v->npiece && !w->limited; i++) {
		struct shpiece p = v->piece[i];
		p.quoted = quoted;
		shitem_piece(w, &p, flag);
	}
}

uint32_t
shtok_close(const struct shcmd *c, uint32_t tok, uint32_t end)
{
	int depth = 0;
	uint8_t kind = c->tok[tok].kind;

	for (uint32_t i = tok; i < end; i++) {
		if (c->tok[i].kind != kind)
			continue;
		if (!(c->tok[i].flags & SHTOK_CLOSE))
			depth++;
		else if (--depth == 0)
			return i;
	}
	return end;
}

static void
home_of(struct shval_run *w, const char *name, size_t n, struct shval_from from)
{
	static const struct {
		const char *prefix, *variable;
	} homes[] = { { "~", "HOME" }, { "~+", "PWD" }, { "~-", "OLDPWD" } };

	for (size_t i = 0; i < sizeof(homes) / sizeof(homes[0]); i++) {
		if (strlen(homes[i].prefix) != n ||
		    memcmp(homes[i].prefix, name, n) != 0)
			continue;
		const char *var = homes[i].variable;
		const struct shvar *v = shvar_find(w, var, strlen(var));
		if (shvar_isset(v) == 1)
			shitem_value(w, shvar_scalar(w, v), 1);
		else if (shvar_isset(v) == 0 && i > 0)
			shitem_text(w, name, n, from, 0);
		else
			shitem_vague(w, SHVAL_COMMAND, "~", from, 1);
		return;
	}
	shitem_vague(w, SHVAL_COMMAND, shwalk_dup(w, name, n), from, 1);
}

/* Expands a tilde prefix at off. How many bytes it took, 0 none. */
static uint32_t
tilde(struct shval_run *w, uint32_t off, uint32_t end, int mode, int last)
{
	const char *s = w->src->cmd->text;
	uint32_t to = off + 1;

	while (
	    to < end && s[to] != '/' && !((mode & EXP_ASSIGN) && s[to] == ':'))
		to++;
	if (to == end && !last)
		return 0;
	home_of(w, s + off, to - off, (struct shval_from){ w->src, off, to });
	return to - off;
}

static void
plain(struct shval_run *w, uint32_t off, uint32_t end)
{
	if (end > off)
		shitem_text(w, w->src->cmd->text + off, end - off,
		    (struct shval_from){ w->src, off, end }, 0);
}

/* Literal bytes, some of them ~. */
static void
with_tildes(struct shval_run *w, uint32_t off, uint32_t end, int mode, int last,
    int start)
{
	const char *s = w->src->cmd->text;
	uint32_t from = off, n;

	while (off < end) {
		if (start && s[off] == '~') {
			plain(w, from, off);
			from = off;
			n = tilde(w, off, end, mode, last);
			from += n;
			off += n > 0 ? n : 1;
			start = 0;
			continue;
		}
		start = (mode & EXP_ASSIGN) && s[off] == ':';
		off++;
	}
	plain(w, from, end);
}

/* Unquoted literal bytes, with tildes. last: the word ends behind them. */
void
shword_literal(
    struct shval_run *w, uint32_t off, uint32_t end, int mode, int last)
{
	const char *s = w->src->cmd->text;
	int start = !(mode & EXP_INSIDE);

	if (memchr(s + off, '~', end - off) == NULL) {
		plain(w, off, end);
		return;
	}
	with_tildes(w, off, end, mode, last, start);
}

/* Takes away the backslashes that the backquotes around a token eat. */
static const char *
eaten(struct shval_run *w, const struct shtok *t, const char *s, size_t *n)
{
	if (!(t->flags & SHTOK_BQLEVEL) || memchr(s, '\\', *n) == NULL)
		return s;
	for (int level = 0; level < w->backquotes; level++) {
		char *to = shwalk_alloc(w, *n + 1);
		size_t k = 0;
		for (size_t i = 0; i < *n; i++) {
			if (s[i] == '\\' && i + 1 < *n &&
			    (memchr("$`\\", s[i + 1], 3) != NULL ||
				(s[i + 1] == '"' && w->backquoted)))
				i++;
			to[k++] = s[i];
		}
		s = to;
		*n = k;
	}
	return s;
}

/* '...' and $'...' */
static void
single_quoted(struct shval_run *w, const struct shtok *t)
{
	const char *text = w->src->cmd->text, *s = text + t->off;
	size_t n = shlex_inner(&s, shtok_len(t));
	uint32_t off = (uint32_t)(s - text);
	struct shval_from from = { w->src, off, off + (uint32_t)n };

	shitem_mark(w, IT_FORCE);
	s = eaten(w, t, s, &n);
	if (t->kind == TOK_DSQ && memchr(s, '\\', n) != NULL) {
		struct buf b = { 0 };
		shlex_dsq(&b, s, n);
		n = b.len;
		s = shwalk_dup(w, b.s ? b.s : "", n);
		buf_free(&b);
	}
	shitem_text(w, s, n, from, 1);
}

/* The quotes at i hold nothing but "$@" or "${a[@]}". */
static int
only_at(const struct shcmd *c, uint32_t i, uint32_t end)
{
	const struct shtok *t = &c->tok[i + 1];
	uint32_t close;

	if (i + 2 >= end)
		return 0;
	if (t->kind == TOK_PARAM)
		return shtok_len(t) == 2 && c->text[t->off + 1] == '@' &&
		    c->tok[i + 2].kind == TOK_DQ;
	if (t->kind != TOK_BRACE)
		return 0;
	close = shtok_close(c, i + 1, end);
	if (close + 1 >= end || c->tok[close + 1].kind != TOK_DQ)
		return 0;
	for (uint32_t k = i + 2; k < close; k++) {
		t = &c->tok[k];
		if (t->kind == TOK_POP)
			break;
		if (t->kind != TOK_CMD &&
		    memchr(c->text + t->off, '@', shtok_len(t)) != NULL)
			return 1;
	}
	return 0;
}

static void
escape(struct shval_run *w, const struct shtok *t)
{
	const char *s = w->src->cmd->text + t->off;
	uint32_t n = shtok_len(t), k = 0;

	/* within backquotes several backslashes come before the byte */
	while (k + 1 < n && s[k] == '\\')
		k++;
	shitem_text(w, s + k, n - k,
	    (struct shval_from){ w->src, t->off, t->off + n }, 1);
}

static uint32_t
arithmetic(struct shval_run *w, uint32_t i, uint32_t end)
{
	const struct shcmd *c = w->src->cmd;
	uint32_t close = shtok_close(c, i, end);
	struct shval_from from = { w->src, c->tok[i].off,
		close < end ? shtok_end(&c->tok[close]) : c->tok[i].off };
	struct shnum n = sharith_tokens(w, i + 1, close);

	if (n.why == SHVAL_KNOWN)
		shitem_value(w, shval_number(w, n.n, from), 1);
	else
		shitem_vague(w, n.why, n.what, from, 1);
	return close < end ? close + 1 : end;
}

/* A substitution of commands, or of a process. */
static uint32_t
commands(struct shval_run *w, uint32_t i, uint32_t end, int dq)
{
	const struct shcmd *c = w->src->cmd;
	uint32_t off = c->tok[i].off, node = SH_NONE, to;

	for (uint32_t k = shcmd_node(c, off);
	     k < c->nnode && c->node[k].off == off; k++) {
		if (c->node[k].kind == SH_SUBST)
			node = k;
	}
	if (node == SH_NONE) {
		shitem_vague(w, SHVAL_LIMIT, "",
		    (struct shval_from){ w->src, off, off }, dq);
		to = shtok_close(c, i, end);
		return to < end ? to + 1 : end;
	}
	shsubst_expand(w, node, dq);
	to = shcmd_token(c, c->node[node].end);
	return to > i ? to : i + 1;
}

/* One token, or what it opens. Gives the token behind. */
static uint32_t
one_token(struct shval_run *w, uint32_t i, uint32_t end, int mode, int dq)
{
	const struct shcmd *c = w->src->cmd;
	const struct shtok *t = &c->tok[i];
	struct shval_from from = { w->src, t->off, shtok_end(t) };
	const char *s = c->text + t->off;
	size_t n = shtok_len(t);

	switch (t->kind) {
	case TOK_LIT:
	case TOK_SUB:
		if (dq) {
			s = eaten(w, t, s, &n);
			shitem_text(w, s, n, from, 1);
		} else
			shword_literal(w, t->off, from.end, mode, i + 1 == end);
		return i + 1;
	case TOK_ESC: escape(w, t); return i + 1;
	case TOK_SQ:
	case TOK_DSQ: single_quoted(w, t); return i + 1;
	case TOK_PARAM:
		if (memchr(s, '\\', n) != NULL) /* a continuation in the name */
			shitem_vague(w, SHVAL_LIMIT, "", from, dq);
		else
			shparam_name(w, s + 1, n - 1, from, dq ? EXP_DQ : 0);
		return i + 1;
	case TOK_BRACE: return shparam_brace(w, i, end, dq ? EXP_DQ : 0);
	case TOK_ARITH: return arithmetic(w, i, end);
	case TOK_CMD:
	case TOK_BQ:
	case TOK_PROC: return commands(w, i, end, dq);
	default:
		s = eaten(w, t, s, &n);
		shitem_text(w, s, n, from, t->kind == TOK_HDBODY || dq);
		return i + 1;
	}
}

void
shword_tokens(struct shval_run *w, uint32_t i, uint32_t end, int mode)
{
	const struct shcmd *c = w->src->cmd;
	int dq = mode & EXP_DQ;

	while (i < end && !w->limited) {
		const struct shtok *t = &c->tok[i];
		if (t->kind == TOK_CONT || t->kind == TOK_EATEN) {
			i++;
			continue;
		}
		if (t->kind == TOK_DQ) {
			dq = !(t->flags & SHTOK_CLOSE) || (mode & EXP_DQ);
			if (!(t->flags & SHTOK_CLOSE) && !only_at(c, i, end))
				shitem_mark(w, IT_FORCE);
			i++;
		} else {
			i = one_token(w, i, end, mode, dq);
		}
		mode |= EXP_INSIDE;
	}
}

static const struct shval *
literal(struct shval_run *w, const struct shtok *t, int quoted)
{
	struct shpiece p = { SHVAL_KNOWN, quoted, w->src->cmd->text + t->off,
		shtok_len(t), { w->src, t->off, shtok_end(t) } };

	return shval_make(w, &p, 1);
}

const struct shval *
shword_value(struct shval_run *w, uint32_t tok, uint32_t end, int mode)
{
	const struct shcmd *c = w->src->cmd;
	size_t base = w->nitem;
	const struct shval *v;

	/* bytes alone, quoted or not */
	if (end == tok + 3 && c->tok[tok].kind == TOK_DQ &&
	    c->tok[tok + 1].kind == TOK_LIT &&
	    !(c->tok[tok + 1].flags & SHTOK_BQLEVEL))
		return literal(w, &c->tok[tok + 1], 1);
	if (end == tok + 1 && c->tok[tok].kind == TOK_LIT && !(mode & EXP_DQ) &&
	    memchr(c->text + c->tok[tok].off, '~', shtok_len(&c->tok[tok])) ==
		NULL)
		return literal(w, &c->tok[tok], 0);
	shword_tokens(w, tok, end, mode);
	v = shfield_join(w, base);
	w->nitem = base;
	return v;
}

/* Behind name= at tok, which continuations may split; tok: there is none. */
static uint32_t
behind_assign(const struct shcmd *c, uint32_t tok, uint32_t end)
{
	for (uint32_t i = tok; i < end; i++) {
		if (c->tok[i].flags & SHTOK_ASSIGN)
			return i + 1;
		if (c->tok[i].kind != TOK_LIT && c->tok[i].kind != TOK_CONT)
			break;
	}
	return tok;
}

/* A token that is one word as it stands, as most of a training's are. */
static int
is_plain(const struct shcmd *c, const struct shtok *t)
{
	static const unsigned char special[256] = {
		['*'] = 1, ['?'] = 1, ['['] = 1, ['('] = 1, ['{'] = 1, ['~'] = 1
	};

	if (t->kind != TOK_LIT ||
	    (t->flags & (SHTOK_ASSIGN | SHTOK_BQLEVEL)) != 0)
		return 0;
	for (uint32_t i = 0; i < shtok_len(t); i++)
		if (special[(unsigned char)c->text[t->off + i]])
			return 0;
	return 1;
}

void
shword_range(struct shval_run *w, uint32_t tok, uint32_t end, uint32_t word)
{
	const struct shcmd *c = w->src->cmd;
	const struct shtok *t = &c->tok[tok];
	size_t base = w->nitem;

	if (end == tok + 1 && is_plain(c, t)) {
		struct shpiece p = { SHVAL_KNOWN, 0, c->text + t->off,
			shtok_len(t), { w->src, t->off, shtok_end(t) } };
		shfield_plain(w, &p, word);
		return;
	}
	uint32_t value = behind_assign(c, tok, end);
	if (shbrace_range(w, tok, end, word))
		return;
	if (value > tok) { /* an argument like name=~/x */
		shword_tokens(w, tok, value, EXP_INSIDE);
		shword_tokens(w, value, end, EXP_ASSIGN);
	} else {
		shword_tokens(w, tok, end, 0);
	}
	shfield_take(w, base, word);
	w->nitem = base;
}

void
shword_fields(struct shval_run *w, uint32_t word)
{
	const struct shword *x = &w->src->cmd->word[word];

	shword_range(w, x->tok, x->tok + x->ntok, word);
}
