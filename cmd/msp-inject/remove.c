#include <stdlib.h>
#include <string.h>

#include "edit.h"
#include "inject.h"
#include "mem.h"

/* --- words in the script's text: of the shell, or of a string --- */

static const struct shtok *
word_token(const struct shcmd *c, uint32_t off)
{
	uint32_t i = shcmd_token(c, off + 1);

	return &c->tok[i - (i > 0)];
}

static int
word_part(const struct shtok *t)
{
	return t->kind >= TOK_LIT && t->kind != TOK_ARRAY &&
	    t->kind != TOK_HDEND;
}

/* Behind the part of a word in a string that begins at an offset: before a
 * blank, or what would end it where the string is run; behind the quote that
 * closes the one at its beginning. */
static uint32_t
word_string(const char *s, uint32_t at, uint32_t end)
{
	int open = s[at] == '"' || s[at] == '\'';
	const char *quote =
	    open ? memchr(s + at + 1, s[at], end - at - 1) : NULL;

	if (quote != NULL)
		return (uint32_t)(quote - s) + 1;
	while (at < end && strchr(" \t\n;|&<>()'\"", s[at]) == NULL)
		at++;
	return at;
}

/* Behind the word that begins at an offset. Within double quotes \" opens and
 * closes a word of the string, or ends the one before it. */
static uint32_t
word_end(const struct shcmd *c, uint32_t off)
{
	const struct shtok *t = word_token(c, off), *last = c->tok + c->ntok;
	uint8_t depth = t->depth;
	int open = 0;

	for (; t < last && t->depth >= depth; t++) {
		uint32_t end = shtok_end(t);
		int single = t->kind == TOK_SQ || t->kind == TOK_DSQ;
		int string = t->kind == TOK_HDBODY ||
		    (t->kind == TOK_LIT && (t->flags & SHTOK_QUOTED)) ||
		    (single && t->off < off);
		int quote = t->kind == TOK_ESC && (t->flags & SHTOK_QUOTED) &&
		    c->text[end - 1] == '"';
		if (t->depth > depth)
			continue;
		if (!word_part(t))
			return t->off;
		if (quote && t->off > off)
			return open ? end : t->off;
		open |= quote;
		if (!string || open)
			continue;
		uint32_t at = word_string(c->text, t->off < off ? off : t->off,
		    end - (uint32_t)single);
		if (at < end)
			return at;
	}
	return t < last ? t->off : (uint32_t)c->len;
}

/* The word behind an offset, past blanks, newlines and continuations; the
 * script's length when none follows in the same place. */
static uint32_t
word_next(const struct shcmd *c, uint32_t off)
{
	const struct shtok *t = word_token(c, off);
	uint32_t at = off;

	while (at < c->len &&
	    (strchr(" \t\n", c->text[at]) != NULL ||
		(c->text[at] == '\\' && at + 1 < c->len &&
		    c->text[at + 1] == '\n')))
		at++;
	if (at == c->len)
		return at;
	const struct shtok *u = word_token(c, at);
	int closes = (u->flags & SHTOK_CLOSE) != 0 ||
	    ((u->kind == TOK_SQ || u->kind == TOK_DSQ) && u->off < at &&
		at == shtok_end(u) - 1);
	return word_part(u) && !closes && u->depth == t->depth
	    ? at
	    : (uint32_t)c->len;
}

/* Is the byte quoted by a backslash, which is not quoted itself? */
static int
word_quoted(const char *s, uint32_t off)
{
	uint32_t at = off;

	while (at > 0 && s[at - 1] == '\\')
		at--;
	return (off - at) % 2;
}

/* Blanks and continuations before an offset belong to what follows; a blank
 * behind a backslash does not. */
static uint32_t
word_joint(const char *s, uint32_t off)
{
	for (;;) {
		uint32_t at = off;
		while (at > 0 && (s[at - 1] == ' ' || s[at - 1] == '\t') &&
		    !word_quoted(s, at - 1))
			at--;
		if (at < 2 || s[at - 1] != '\n' || !word_quoted(s, at - 1))
			return at;
		off = at - 2;
	}
}

/* Behind the values of an old argument, as they are written. Its words tell
 * how many there are; what is written as an expansion may be none of them,
 * or several. */
static uint32_t
word_values(const struct shcmd *c, const struct old *o, uint32_t end)
{
	size_t k = o->n - 1, n = 0;
	const char *s = c->text;
	int expanded = 0;

	for (; o->takes != PROFILE_FLAG; n++) {
		uint32_t at = word_next(c, end), in = at;
		if (at == c->len || (o->takes == PROFILE_ONE && n == 1))
			break;
		while (in < c->len && strchr("\\\"", s[in]) != NULL)
			in++;
		int expands = in < c->len && strchr("$`", s[in]) != NULL;
		int option = s[at] == '-' && at + 1 < c->len &&
		    !(s[at + 1] >= '0' && s[at + 1] <= '9');
		if (option ||
		    (n == 0 ? k == 0 && !expands
			    : n >= k || (expands && expanded)))
			break;
		expanded |= expands;
		end = word_end(c, at);
	}
	return end;
}

/* --- the edits --- */

/* 1 when the range goes with another one; -1 when it overlaps. */
static int
remove_again(const struct edit *e, uint32_t off, uint32_t end)
{
	for (size_t i = 0; i < e->n; i++) {
		uint32_t from = e->item[i].off, to = from + e->item[i].del;
		if (from <= off && end <= to)
			return 1;
		if (from < end && off < to)
			return -1;
	}
	return 0;
}

static int
remove_old(const struct inject *in, const struct old *o, struct edit *e)
{
	const struct shcmd *c = &in->cmd;
	struct buf b = { 0 };
	uint32_t off = o->off;

	if (off == OLD_NOWHERE)
		return -1;
	for (size_t i = 0; i < o->word->npiece; i++)
		if (o->word->piece[i].why == SHVAL_KNOWN)
			buf_add(&b, o->word->piece[i].s, o->word->piece[i].len);
	int same = o->name <= b.len && o->name <= c->len - off &&
	    memcmp(b.s, c->text + off, o->name) == 0;
	buf_free(&b);
	if (!same)
		return -1;
	if (off > 0 && o->word->piece[0].quoted &&
	    strchr("\"'", c->text[off - 1]) != NULL)
		off--;
	uint32_t end = word_values(c, o, word_end(c, off));
	off = word_joint(c->text, off);
	int again = remove_again(e, off, end);
	if (again == 0)
		edit_delete(e, off, end - off);
	return again < 0 ? -1 : 0;
}

/*
 * What an earlier msp-inject wrote stands at the end of the command, in the
 * words in which it would be written now, whatever the quotes around it.
 */
static void
remove_own(const struct inject *in, const struct launch *x,
    const struct olds *o, struct edit *e)
{
	struct buf text = { 0 }, b = { 0 };
	size_t from = x->argc, first = x->argc;

	for (size_t i = o->n; i-- > 0;) {
		const struct old *k = &o->old[i];
		if (k->launch != x || k->word < x->argv ||
		    k->word + k->n != x->argv + from)
			continue;
		from = (size_t)(k->word - x->argv);
		buf_reset(&b);
		if (shval_one(k->word, &b) &&
		    (strcmp(b.s, "--profile") == 0 ||
			strcmp(b.s, "--training.profile") == 0)) {
			first = from;
			break;
		}
	}
	int known = first < x->argc && x->nplace == 1;
	for (size_t i = first; i < x->argc && known; i++) {
		buf_reset(&b);
		known = shval_known(&x->argv[i], &b);
		buf_addc(&text, ' ');
		if (known)
			place_word(x->place, b.s, &text);
	}
	uint32_t end = known ? x->place->off : 0;
	if (known && end >= text.len &&
	    memcmp(in->cmd.text + end - text.len, text.s, text.len) == 0) {
		uint32_t off =
		    word_joint(in->cmd.text, end - (uint32_t)text.len + 1);
		edit_delete(e, off, end - off);
	}
	buf_free(&text);
	buf_free(&b);
}

void
remove_plan(struct inject *in, const struct olds *o, struct edit *e)
{
	for (size_t i = 0; i < in->nchosen && o->n != 0; i++)
		remove_own(in, in->chosen[i], o, e);
	for (size_t i = 0; i < o->n; i++) {
		if (remove_old(in, &o->old[i], e) == 0)
			continue;
		struct buf b = { 0 };
		const struct olds one = { &o->old[i], 1, 1 };
		existing_list(&one, &b);
		find_error(in, EXIT_REFUSED, o->old[i].line, &T_CANNOT_REMOVE,
		    &T_CANNOT_REMOVE_DO, b.s);
		buf_free(&b);
		return;
	}
}

/* --- the proof --- */

void
remove_print(struct buf *b, const struct shval *v)
{
	for (; v != NULL; v = v->alt) {
		for (size_t i = 0; i < v->npiece; i++) {
			const struct shpiece *p = &v->piece[i];
			if (p->why == SHVAL_KNOWN)
				buf_add(b, p->s, p->len);
			else
				buf_addf(b, "%c%d %s", '\1', (int)p->why, p->s);
		}
		buf_addc(b, v->alt == NULL ? '\n' : '\2');
	}
}

static int
state_compare(const void *a, const void *b)
{
	const struct shval_call *const *x = a, *const *y = b;

	return (*x > *y) - (*x < *y);
}

/* The calls that lead to the chosen launches, sorted. */
struct leads {
	const struct shval_call **call;
	size_t n, cap;
};

static void
state_leads(const struct inject *in, struct leads *l)
{
	for (size_t i = 0; i < in->nchosen; i++)
		for (const struct launch *x = in->chosen[i]; x != NULL;
		     x = x->again) {
			const struct launch_text *t = x->text;
			const struct shval_call *c = x->call;
			for (; c != NULL; c = launch_above(c, &t)) {
				l->call = mem_more(
				    l->call, l->n, &l->cap, sizeof *l->call);
				l->call[l->n++] = c;
			}
		}
	if (l->n != 0)
		qsort(l->call, l->n, sizeof *l->call, state_compare);
}

/* Does an edit lie in this command of the script? */
static int
state_edited(const struct inject *in, const struct shval_call *c,
    const struct edit *e, int after)
{
	uint32_t gone = 0, come = 0;

	if (c->source->cmd != &in->cmd)
		return 0;
	const struct shnode *n = &in->cmd.node[c->node];
	for (size_t i = 0; i < e->n; i++) {
		const struct edit_item *x = &e->item[i];
		uint32_t off = x->off, end = off + x->del;
		if (after) {
			off = off - gone + come;
			end = off + (uint32_t)x->len;
			gone += x->del;
			come += (uint32_t)x->len;
		}
		if (n->off <= end && off <= n->end)
			return 1;
	}
	return 0;
}

/* Does the value hold the entry of a chosen launch? */
static int
state_shows(const struct inject *in, const struct shval *v)
{
	struct buf text = { 0 }, entry = { 0 };
	int shows = 0;

	remove_print(&text, v);
	for (size_t k = 0; k < in->nchosen && !shows; k++) {
		const struct launch *x = in->chosen[k];
		buf_reset(&entry);
		shows = x->call != NULL &&
		    shval_one(&x->argv[x->entry], &entry) && entry.len != 0 &&
		    strstr(text.s, entry.s) != NULL;
	}
	buf_free(&text);
	buf_free(&entry);
	return shows;
}

static int
state_listed(const struct shval *v, const char *const *names)
{
	struct buf b = { 0 };
	int found = 0;

	if (shval_known(v, &b))
		for (; *names != NULL && !found; names++)
			found = strcmp(b.s, *names) == 0;
	buf_free(&b);
	return found;
}

/* Commands whose effect shows in others, or that show the launch itself. */
static int
state_passes(const struct inject *in, const struct shval_call *c)
{
	static const char *const own[] = { "export", "local", "declare",
		"typeset", "readonly", "set", "eval", "test", "[", NULL };
	static const char *const show[] = { "echo", "printf", "cat", "logger",
		NULL };
	const struct shnode *n = &c->source->cmd->node[c->node];

	if (c->argc == 0 || c->function != NULL ||
	    state_listed(&c->argv[0], own))
		return 1;
	if (!state_listed(&c->argv[0], show))
		return 0;
	for (size_t i = 1; i < c->argc; i++)
		if (state_shows(in, &c->argv[i]))
			return 1;
	for (size_t i = 0; i < n->nredir; i++)
		if (state_shows(in, &c->redir[i]))
			return 1;
	return 0;
}

size_t
remove_state(
    const struct inject *in, const struct edit *e, int after, struct buf *b)
{
	struct olds o = { 0 };
	struct leads l = { 0 };

	buf_addf(b, "%d %zu\n", (int)in->cmd.verdict, in->cmd.nerror);
	existing_collect(in, &o, b);
	state_leads(in, &l);
	for (size_t i = 0; i < in->ncall; i++) {
		const struct shval_call *c = in->call[i];
		if ((l.n != 0 &&
			bsearch(&c, l.call, l.n, sizeof c, state_compare)) ||
		    state_edited(in, c, e, after) || state_passes(in, c))
			continue;
		const struct shnode *n = &c->source->cmd->node[c->node];
		buf_addf(b, "%d\n", c->maybe);
		for (size_t k = 0; k < c->argc; k++)
			remove_print(b, &c->argv[k]);
		for (size_t k = 0; k < n->nredir; k++)
			remove_print(b, &c->redir[k]);
		for (size_t k = 0; k < n->nassign; k++)
			remove_print(b, &c->assign[k]);
	}
	mem_free(o.old);
	mem_free(l.call);
	return o.n;
}
