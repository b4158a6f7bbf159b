#include <stdlib.h>
#include <string.h>

#include "edit.h"
#include "inject.h"
#include "mem.h"

/* The innermost simple command whose arguments end at an offset. */
static uint32_t
place_node(const struct shcmd *cmd, uint32_t off)
{
	uint32_t best = SH_NONE, own = shcmd_own(cmd, off);

	for (size_t i = own; i < cmd->nnode; i++) {
		const struct shnode *n = &cmd->node[i];
		if (n->off >= off)
			break;
		if (n->kind == SH_SIMPLE && off <= n->end)
			best = (uint32_t)i;
	}
	return best;
}

/*
 * The continuation and indentation with which the command goes on over
 * lines, or nothing where it stands on one.
 */
static void
place_joint(const struct shcmd *cmd, uint32_t off, struct buf *b)
{
	uint32_t node = place_node(cmd, off), at = 0;

	if (node == SH_NONE)
		return;
	const struct shnode *n = &cmd->node[node];
	int depth = -1;
	for (uint32_t i = shcmd_token(cmd, n->off);
	     i < cmd->ntok && cmd->tok[i].off < off; i++) {
		const struct shtok *t = &cmd->tok[i];
		if (depth < 0)
			depth = t->depth;
		if (t->kind == TOK_CONT && !(t->flags & SHTOK_QUOTED) &&
		    t->depth == depth)
			at = shtok_end(t);
	}
	if (at == 0)
		return;
	uint32_t end = at;
	while (end < off && (cmd->text[end] == ' ' || cmd->text[end] == '\t'))
		end++;
	buf_adds(b, " \\\n");
	buf_add(b, cmd->text + at, end - at);
}

void
place_word(const struct launch_place *p, const char *s, struct buf *b)
{
	struct buf from = { 0 }, to = { 0 };

	shquote_word(&from, s, strlen(s));
	for (int i = 0; i < p->nlevel; i++) {
		buf_reset(&to);
		shquote_level(&to, p->level[i], from.s, from.len);
		struct buf swap = from;
		from = to;
		to = swap;
	}
	buf_add(b, from.s, from.len);
	buf_free(&from);
	buf_free(&to);
}

/* The words that the i-th launch is given, each ended by a NUL. */
static void
place_words(const struct inject *in, size_t i, struct buf *b)
{
	profile_args(&in->profile, choose_dotted(in, in->chosen[i]), b);
	buf_add(b, in->added[i].s, in->added[i].len);
}

void
place_launch(struct inject *in, size_t i, struct edit *e)
{
	const struct launch *x = in->chosen[i];
	struct buf words = { 0 }, text = { 0 };

	place_words(in, i, &words);
	for (size_t k = 0; k < x->nplace; k++) {
		const struct launch_place *p = &x->place[k];
		buf_reset(&text);
		if (!p->inline_only)
			place_joint(&in->cmd, p->off, &text);
		for (const char *s = words.s; s < words.s + words.len;
		     s += strlen(s) + 1) {
			if (s != words.s || text.len == 0)
				buf_addc(&text, ' ');
			place_word(p, s, &text);
		}
		if (p->off < in->cmd.len &&
		    strchr("<>", in->cmd.text[p->off]) != NULL)
			buf_addc(&text, ' ');
		edit_insert(e, p->off, text.s, text.len);
	}
	buf_free(&words);
	buf_free(&text);
}

/* --- the proof --- */

/*
 * What stands before the command of the script that is edited first was read
 * the same way before: when nothing was wrong with the script, the result is
 * made and read again from there on. new->text is the new text from there on;
 * its nodes are those of old behind node, but for the script's own.
 */
struct proof {
	const struct inject *in;
	const struct shcmd *old, *new;
	const struct edit *edit;
	const size_t *owner; /* of the edits: its launch, by its order */
	uint32_t off, node;
};

/* The first edit at or behind an offset. */
static size_t
proof_edit(const struct proof *p, uint32_t off)
{
	size_t lo = 0, hi = p->edit->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (p->edit->item[mid].off < off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static int
proof_word(const struct proof *p, uint32_t a, uint32_t b)
{
	const struct shword *x = &p->old->word[a], *y = &p->new->word[b];
	uint32_t more = 0;

	for (size_t i = proof_edit(p, x->off + 1);
	     i < p->edit->n && p->edit->item[i].off < x->end; i++)
		more += (uint32_t)p->edit->item[i].len;
	if (y->end - y->off != x->end - x->off + more)
		return -1;
	if (more != 0)
		return 0;
	return memcmp(
	    p->old->text + x->off, p->new->text + y->off, x->end - x->off);
}

/* Words that a command has more must be the ones that were asked for. */
static int
proof_added(
    const struct proof *p, const struct shnode *x, const struct shnode *y)
{
	struct buf words = { 0 };
	uint32_t at = shcmd_argsend(p->old, (uint32_t)(x - p->old->node));
	size_t edit = proof_edit(p, at);
	int bad = 0;

	if (edit == p->edit->n || p->edit->item[edit].off != at)
		return -1;
	size_t which = p->owner[p->edit->item[edit].order];
	const struct launch *l = p->in->chosen[which];
	place_words(p->in, which, &words);
	const char *s = words.s;
	for (uint32_t i = x->nword; i < y->nword && !bad; i++) {
		struct buf want = { 0 };
		place_word(&l->place[0], s, &want);
		const struct shword *w = &p->new->word[y->word + i];
		bad = want.len != w->end - w->off ||
		    memcmp(want.s, p->new->text + w->off, want.len) != 0;
		buf_free(&want);
		s += strlen(s) + 1;
		bad |= s > words.s + words.len;
	}
	bad |= s != words.s + words.len;
	buf_free(&words);
	return bad ? -1 : 0;
}

static int
proof_node(const struct proof *p, uint32_t i)
{
	const struct shnode *x = &p->old->node[p->node + i];
	const struct shnode *y = &p->new->node[i];
	uint32_t parent = y->parent == 0 ? 0 : p->node + y->parent;
	int first = i == 1 && p->off != 0; /* joined to what is not there */

	if (x->kind != y->kind || (x->op != y->op && !first) ||
	    x->flags != y->flags || x->parent != parent ||
	    x->nassign != y->nassign || x->nredir != y->nredir ||
	    x->nword > y->nword)
		return -1;
	for (uint32_t k = 0; k < x->nword; k++)
		if (proof_word(p, x->word + k, y->word + k))
			return -1;
	for (uint32_t k = 0; k < x->nredir; k++) {
		const struct shredir *a = &p->old->redir[x->redir + k];
		const struct shredir *b = &p->new->redir[y->redir + k];
		if (a->op != b->op || a->fd != b->fd)
			return -1;
	}
	return y->nword > x->nword ? proof_added(p, x, y) : 0;
}

static int
proof_commands(const struct proof *p)
{
	if (p->old->nnode != p->node + p->new->nnode ||
	    p->old->verdict != p->new->verdict ||
	    (p->off == 0 && p->old->nerror != p->new->nerror))
		return -1;
	for (size_t i = 1; i < p->new->nnode; i++)
		if (proof_node(p, (uint32_t)i))
			return -1;
	return 0;
}

/* The last of the script's own commands that begins a line before the first
 * edit, when the reader has learned nothing on its way there. */
static void
proof_begin(struct proof *p)
{
	const struct shcmd *c = p->old;
	uint32_t i = shcmd_own(c, p->edit->item[0].off);

	if (c->verdict != SH_COMPLETE || c->nerror != 0 || c->extglob ||
	    i == SH_NONE)
		return;
	while (i > 1 &&
	    (c->node[i].parent != 0 || c->text[c->node[i].off - 1] != '\n'))
		i--;
	if (c->node[i].off == 0 || c->text[c->node[i].off - 1] != '\n')
		return;
	p->off = c->node[i].off;
	p->node = i - 1;
}

/* Appends what the text becomes from p->off on, if that is right. */
static int
proof_text(struct proof *p, struct edit *e, struct buf *text)
{
	const struct buf *s = &p->in->script.text;
	struct shcmd new;

	if (edit_apply(e, s->s, p->off, s->len, text))
		err_bug();
	shcmd_parse(&new, text->s, text->len);
	p->new = &new;
	int bad = proof_commands(p);
	shcmd_free(&new);
	return bad;
}

static int
proof_same(const struct shval *a, const struct shval *b)
{
	struct buf x = { 0 }, y = { 0 };
	int known = shval_one(a, &x), also = shval_one(b, &y);
	int same = known == also &&
	    (!known ||
		(x.len == y.len &&
		    (x.len == 0 || memcmp(x.s, y.s, x.len) == 0)));

	buf_free(&x);
	buf_free(&y);
	return same;
}

/* The launch as the expansion sees it: its old words, then the new ones. */
static int
proof_launch(const struct inject *in, size_t which, const struct launch *old,
    const struct launch *new)
{
	struct buf words = { 0 };
	size_t i;
	int bad = 0;

	if (new->argc < old->argc)
		return -1;
	for (i = 0; i < old->argc && !bad; i++)
		bad = !proof_same(&old->argv[i], &new->argv[i]);
	place_words(in, which, &words);
	const char *s = words.s;
	for (; i < new->argc && !bad; i++) {
		struct buf got = { 0 };
		bad = s >= words.s + words.len ||
		    !shval_known(&new->argv[i], &got) || strlen(s) != got.len ||
		    (got.len != 0 && memcmp(got.s, s, got.len) != 0);
		buf_free(&got);
		s += strlen(s) + 1;
	}
	bad |= s != words.s + words.len;
	buf_free(&words);
	return bad ? -1 : 0;
}

/* The same each time that the place is reached. */
static int
proof_turns(const struct inject *in, size_t which, const struct launch *old,
    const struct launch *new)
{
	for (; old != NULL && new != NULL; old = old->again, new = new->again)
		if (proof_launch(in, which, old, new))
			return -1;
	return old == new ? 0 : -1;
}

/* What trains nothing is started with the same words. */
static int
proof_started(const struct launches *old, const struct launches *new)
{
	if (old->nother != new->nother)
		return -1;
	for (size_t i = 0; i < old->nother; i++) {
		const struct launch_other *a = &old->other[i];
		const struct launch_other *b = &new->other[i];
		if (a->argc != b->argc)
			return -1;
		for (size_t k = 0; k < a->argc; k++)
			if (!proof_same(&a->argv[k], &b->argv[k]))
				return -1;
	}
	return 0;
}

/* The other commands are given what they were given before. */
static int
proof_others(const struct inject *in, struct inject *new, const struct edit *e)
{
	struct buf before = { 0 }, after = { 0 };

	(void)remove_state(in, e, 0, &before);
	(void)remove_state(new, e, 1, &after);
	int bad = before.len != after.len ||
	    memcmp(before.s, after.s, before.len) != 0;
	buf_free(&before);
	buf_free(&after);
	return bad;
}

/* Needed where text landed in a string that is read by a shell later. */
static int
proof_launches(
    const struct inject *in, const struct buf *text, const struct edit *e)
{
	struct inject new = *in;
	int bad;

	new.call = NULL;
	new.log = NULL;
	new.ncall = new.capcall = new.nlog = new.caplog = 0;
	new.chosen = mem_alloc(in->nchosen * sizeof *new.chosen);
	memcpy(new.chosen, in->chosen, in->nchosen * sizeof *new.chosen);
	shcmd_parse(&new.cmd, text->s, text->len);
	inject_walk(&new);
	bad = new.found.n != in->found.n ||
	    new.found.ncall != in->found.ncall ||
	    proof_started(&in->found, &new.found);
	for (size_t i = 0; i < in->found.n && !bad; i++) {
		const struct launch *x = &in->found.launch[i];
		size_t k = 0;
		while (k < in->nchosen && in->chosen[k] != x)
			k++;
		if (k == in->nchosen)
			continue;
		new.chosen[k] = &new.found.launch[i];
		bad = proof_turns(in, k, x, new.chosen[k]);
	}
	bad = bad || proof_others(in, &new, e);
	inject_forget(&new);
	mem_free(new.chosen);
	mem_free(new.call);
	mem_free(new.log);
	return bad;
}

/* Moves the text into out and closes it: no copy of the whole is made. */
static void
place_close(struct inject *in, size_t ahead, struct buf *text)
{
	enum { SEEN = 2 }; /* what script_close looks at */
	struct buf tail = { 0 };
	size_t n = text->len < SEEN ? text->len : SEEN;

	script_close(&tail, text->s + text->len - n, n, in->script.path);
	in->ahead = ahead;
	in->out = *text;
	*text = (struct buf){ 0 };
	buf_add(&in->out, tail.s + n, tail.len - n);
	buf_free(&tail);
}

int
place_is_deep(const struct inject *in)
{
	int deep = 0;

	for (size_t i = 0; i < in->nchosen; i++)
		for (size_t k = 0; k < in->chosen[i]->nplace; k++)
			deep |= in->chosen[i]->place[k].inline_only;
	return deep;
}

void
place_apply(struct inject *in, struct edit *e)
{
	struct buf text = { 0 };
	size_t *owner = mem_alloc(e->n * sizeof *owner), n = 0;
	struct proof p = { in, &in->cmd, NULL, e, owner, 0, 0 };
	int deep = place_is_deep(in);

	for (size_t i = 0; i < in->nchosen; i++)
		for (size_t k = 0; k < in->chosen[i]->nplace; k++)
			owner[n++] = i;
	if (n == 0 || n != e->n)
		err_bug();
	edit_sort(e);
	if (!deep)
		proof_begin(&p);
	int bad = proof_text(&p, e, &text);
	if (bad && p.off != 0) {
		p.off = p.node = 0;
		buf_reset(&text);
		bad = proof_text(&p, e, &text);
	}
	if (!bad && deep)
		bad = proof_launches(in, &text, e);
	if (bad && deep) {
		struct buf words = { 0 };
		choose_words(in, &words);
		in->unplaced = 1;
		find_error(in, EXIT_REFUSED, in->chosen[0]->line, &T_NOT_SAFE,
		    &T_NOT_SAFE_DO, in->script.name, words.s);
		buf_free(&words);
	} else if (bad) {
		err_bug();
	} else {
		place_close(in, p.off, &text);
	}
	buf_free(&text);
	mem_free(owner);
}
