#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "shwalk.h"

enum { BRACE_WORDS = 1024, BRACE_PARTS = 4096 };

/* A part of a word: tokens [tok, end); or, when end is 0, the bytes s[0..n)
 * of literal text. */
struct part {
	uint32_t tok, end;
	const char *s;
	size_t n;
	uint32_t off; /* of s in the source; UINT32_MAX: made */
};
struct parts {
	struct part *p;
	size_t n, cap;
};
struct words {
	struct parts *w;
	size_t n, cap, total;
};

static void
add(struct parts *to, struct part p)
{
	to->p = mem_more(to->p, to->n, &to->cap, sizeof(*to->p));
	to->p[to->n++] = p;
}

static int
is_literal(const struct shtok *t)
{
	return t->kind == TOK_LIT && !(t->flags & SHTOK_QUOTED);
}

/* The word as parts: literals byte by byte where they matter to braces. */
static void
take_apart(struct shval_run *w, uint32_t tok, uint32_t end, struct parts *to)
{
	const struct shcmd *c = w->src->cmd;

	for (uint32_t i = tok; i < end;) {
		const struct shtok *t = &c->tok[i];
		const char *s = c->text + t->off;
		if (!is_literal(t)) {
			uint32_t next = i + 1;
			if (!(t->flags & SHTOK_CLOSE) &&
			    (t->kind == TOK_DQ || t->kind == TOK_BRACE ||
				t->kind == TOK_CMD || t->kind == TOK_BQ ||
				t->kind == TOK_ARITH || t->kind == TOK_PROC)) {
				next = shtok_close(c, i, end);
				next += next < end;
			}
			add(to, (struct part){ i, next, NULL, 0, 0 });
			i = next;
			continue;
		}
		for (uint32_t k = 0; k < shtok_len(t);) {
			uint32_t n = 1;
			if (strchr("{},", s[k]) == NULL) {
				while (k + n < shtok_len(t) &&
				    strchr("{},", s[k + n]) == NULL)
					n++;
			}
			add(to, (struct part){ 0, 0, s + k, n, t->off + k });
			k += n;
		}
		i++;
	}
}

static int
is_byte(const struct part *p, char c)
{
	return p->end == 0 && p->n == 1 && p->s[0] == c;
}

/* The } of the { at i, and whether a comma stands between; 0 none. */
static size_t
brace_end(const struct part *p, size_t i, size_t n, int *comma)
{
	int depth = 0;

	*comma = 0;
	for (; i < n; i++) {
		if (is_byte(&p[i], '{'))
			depth++;
		else if (is_byte(&p[i], ',') && depth == 1)
			*comma = 1;
		else if (is_byte(&p[i], '}') && --depth == 0)
			return i;
	}
	return 0;
}

static int
sequence_number(const char *s, size_t n, long *v)
{
	char *end;

	if (n == 0 || n > 9)
		return 0;
	*v = strtol(s, &end, 10);
	return end == s + n && (s[0] == '-' || (s[0] >= '0' && s[0] <= '9'));
}

static int
has_zero(const char *s, size_t n)
{
	size_t minus = n > 0 && s[0] == '-';

	return n - minus > 1 && s[minus] == '0';
}

/* {a..b} and {a..b..c}: its words are added to the list. */
static int
sequence(struct shval_run *w, const struct part *p, struct parts *to)
{
	char s[64];
	const char *x[3] = { s, "", "" };
	size_t len[3] = { 0 };
	int k = 0, width = 0, letters;
	long a, b, by = 1;

	if (p->end != 0 || p->n >= sizeof(s))
		return 0;
	memcpy(s, p->s, p->n);
	s[p->n] = '\0';
	for (size_t i = 0; i < p->n; i++) {
		if (s[i] == '.' && s[i + 1] == '.' && k < 2) {
			s[i] = '\0';
			x[++k] = s + i + 2;
			i++;
		}
	}
	if (k == 0)
		return 0;
	for (int i = 0; i < 3; i++)
		len[i] = strlen(x[i]);
	letters = len[0] == 1 && len[1] == 1 && (x[0][0] | 32) >= 'a' &&
	    (x[0][0] | 32) <= 'z' && (x[1][0] | 32) >= 'a' &&
	    (x[1][0] | 32) <= 'z';
	if (letters) {
		a = x[0][0];
		b = x[1][0];
	} else if (!sequence_number(x[0], len[0], &a) ||
	    !sequence_number(x[1], len[1], &b)) {
		return 0;
	}
	if (k == 2 && !sequence_number(x[2], len[2], &by))
		return 0;
	by = by < 0 ? -by : by == 0 ? 1 : by;
	if (!letters && (has_zero(x[0], len[0]) || has_zero(x[1], len[1])))
		width = (int)(len[0] > len[1] ? len[0] : len[1]);
	for (long v = a; a <= b ? v <= b : v >= b; v += a <= b ? by : -by) {
		char o[32];
		int n = letters ? snprintf(o, sizeof(o), "%c", (int)v)
				: snprintf(o, sizeof(o), "%0*ld", width, v);
		if (to->n >= BRACE_WORDS)
			return 0;
		add(to,
		    (struct part){ 0, 0, shwalk_dup(w, o, (size_t)n), (size_t)n,
			UINT32_MAX });
	}
	return 1;
}

static void
copy(struct parts *to, const struct part *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add(to, p[i]);
}

static int
emit(struct words *out, const struct parts *word)
{
	struct parts copied = { 0 };

	out->total += word->n + 1;
	if (out->n >= BRACE_WORDS || out->total > BRACE_PARTS * 16)
		return 0;
	copy(&copied, word->p, word->n);
	out->w = mem_more(out->w, out->n, &out->cap, sizeof(*out->w));
	out->w[out->n++] = copied;
	return 1;
}

static int expand(
    struct shval_run *, const struct parts *, size_t, struct words *, int);

/* before + one + rest, expanded on from where one begins. */
static int
with(struct shval_run *w, const struct parts *word, size_t open, size_t close,
    const struct part *one, size_t n, struct words *out, int depth)
{
	struct parts next = { 0 };
	int ok;

	copy(&next, word->p, open);
	copy(&next, one, n);
	copy(&next, word->p + close + 1, word->n - close - 1);
	ok = next.n <= BRACE_PARTS && expand(w, &next, open, out, depth + 1);
	mem_free(next.p);
	return ok;
}

static int
items(struct shval_run *w, const struct parts *word, size_t open, size_t close,
    struct words *out, int depth)
{
	size_t from = open + 1;
	int level = 0;

	for (size_t i = open; i <= close; i++) {
		const struct part *p = &word->p[i];
		int ends = (is_byte(p, ',') && level == 1) || i == close;
		level += is_byte(p, '{');
		level -= is_byte(p, '}');
		if (!ends)
			continue;
		if (!with(w, word, open, close, word->p + from, i - from, out,
			depth))
			return 0;
		from = i + 1;
	}
	return 1;
}

/* The first pair of braces from part `from` on is expanded. */
static int
expand(struct shval_run *w, const struct parts *word, size_t from,
    struct words *out, int depth)
{
	int comma;

	if (depth > 64 || !shwalk_step(w))
		return 0;
	for (size_t i = from; i < word->n; i++) {
		size_t close;
		if (!is_byte(&word->p[i], '{') ||
		    (close = brace_end(word->p, i, word->n, &comma)) == 0)
			continue;
		if (comma)
			return items(w, word, i, close, out, depth);
		struct parts list = { 0 };
		if (close == i + 2 && sequence(w, &word->p[i + 1], &list)) {
			int ok = 1;
			for (size_t k = 0; k < list.n && ok; k++)
				ok = with(w, word, i, close, &list.p[k], 1, out,
				    depth);
			mem_free(list.p);
			return ok;
		}
		mem_free(list.p);
	}
	return emit(out, word);
}

static void
one_word(struct shval_run *w, const struct parts *p, uint32_t word)
{
	size_t base = w->nitem;
	int mode = 0;

	/* tildes between what braces put together are not followed */
	for (size_t i = 0; i < p->n; i++) {
		if (p->p[i].end == 0 && memchr(p->p[i].s, '~', p->p[i].n)) {
			shitem_vague(w, SHVAL_LIMIT, "~", shval_nowhere, 0);
			break;
		}
	}
	for (size_t i = 0; i < p->n; i++) {
		const struct part *x = &p->p[i];
		size_t n = x->n;
		if (x->end != 0) {
			shword_tokens(w, x->tok, x->end, mode);
		} else if (x->off == UINT32_MAX) {
			shitem_text(w, x->s, n, shval_nowhere, 0);
		} else {
			while (i + 1 < p->n && p->p[i + 1].end == 0 &&
			    p->p[i + 1].off == x->off + n)
				n += p->p[++i].n;
			shword_literal(w, x->off, x->off + (uint32_t)n, mode,
			    i + 1 == p->n);
		}
		mode = EXP_INSIDE;
	}
	shfield_take(w, base, word);
	w->nitem = base;
}

int
shbrace_range(struct shval_run *w, uint32_t tok, uint32_t end, uint32_t word)
{
	const struct shcmd *c = w->src->cmd;
	struct parts all = { 0 };
	struct words out = { 0 };
	int open = 0, close = 0, ok;

	for (uint32_t i = tok; i < end; i++) {
		const struct shtok *t = &c->tok[i];
		if (t->kind != TOK_LIT)
			continue;
		open |= memchr(c->text + t->off, '{', shtok_len(t)) != NULL;
		close |= memchr(c->text + t->off, '}', shtok_len(t)) != NULL;
	}
	if (!open || !close)
		return 0;
	take_apart(w, tok, end, &all);
	ok = all.n <= BRACE_PARTS && expand(w, &all, 0, &out, 0);
	for (size_t i = 0; ok && i < out.n; i++)
		one_word(w, &out.w[i], word);
	for (size_t i = 0; i < out.n; i++)
		mem_free(out.w[i].p);
	mem_free(out.w);
	mem_free(all.p);
	if (!ok) {
		size_t base = w->nitem;
		shitem_vague(w, SHVAL_LIMIT, "", shval_nowhere, 0);
		shfield_take(w, base, word);
		w->nitem = base;
	}
	return 1;
}
