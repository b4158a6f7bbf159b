#include <string.h>

#include "shwalk.h"

enum { SETS = 8 };

/* The alternatives that stand in a word: each combination is one choice. */
struct choice {
	const struct shval *set[SETS];
	const struct shval *now[SETS];
	const struct shval
	    *only[SETS]; /* not known, where there are too many */
	const struct shval *rest; /* of sets beyond those */
	size_t size[SETS];
	size_t nset, total;
};

const char *
shwalk_ifs(struct shval_run *w)
{
	const struct shvar *var;
	size_t n;

	if (w->ifsslot == NULL)
		w->ifsslot = shslot_get(w, "IFS", 3);
	var = shvar_get(w, w->ifsslot);

	if (var == w->ifsvar)
		return w->ifs;
	w->ifsvar = var;
	if (shvar_isset(var) == 0)
		w->ifs = " \t\n";
	else
		w->ifs = shval_cstr(w, shvar_scalar(w, var), &n);
	return w->ifs;
}

/* Of what would be too many combinations only what is shared is known. */
static void
choices(struct shval_run *w, size_t lo, size_t hi, struct choice *c)
{
	size_t k;

	*c = (struct choice){ .total = 1 };
	for (size_t i = lo; i < hi; i++) {
		const struct shval *a = w->item[i].alts;
		if (!(w->item[i].flag & IT_ALTS))
			continue;
		for (k = 0; k < c->nset && c->set[k] != a; k++)
			continue;
		if (k < c->nset)
			continue;
		if (k == SETS) {
			c->rest = shval_vague(w, SHVAL_BRANCH, "");
			continue;
		}
		c->set[k] = c->now[k] = a;
		c->only[k] = NULL;
		c->size[k] = 0;
		for (; a != NULL; a = a->alt)
			c->size[k]++;
		if (c->total * c->size[k] > SHWALK_ALTS) {
			c->only[k] = shval_shared(w, c->set[k]);
			c->size[k] = 1;
		}
		c->total *= c->size[k];
		c->nset++;
	}
}

static void
choose(struct choice *c, size_t n)
{
	for (size_t k = 0; k < c->nset; k++) {
		c->now[k] = c->only[k] != NULL ? c->only[k] : c->set[k];
		for (size_t i = n % c->size[k]; i > 0; i--)
			c->now[k] = c->now[k]->alt;
		n /= c->size[k];
	}
}

static const struct shval *
chosen(const struct choice *c, const struct shitem *it)
{
	for (size_t k = 0; k < c->nset; k++) {
		if (c->set[k] == it->alts)
			return c->now[k];
	}
	return c->rest != NULL ? c->rest : it->alts;
}

static void
add_piece(struct shval_run *w, const struct shpiece *p)
{
	if (w->npiece == w->cappiece)
		w->piece = mem_more(
		    w->piece, w->npiece, &w->cappiece, sizeof(*w->piece));
	w->piece[w->npiece++] = *p;
}

/* --- splitting --- */

struct field {
	uint32_t word;
	int started, split, after_blank, magic;
	unsigned char last; /* no byte above this one is in IFS */
};

static int
open_bracket(struct shval_run *w, size_t i, size_t at)
{
	const struct shpiece *p = &w->piece[i];

	if (memchr(p->s + at, ']', p->len - at) != NULL)
		return 1;
	for (i++; i < w->npiece; i++) {
		p = &w->piece[i];
		if (p->why != SHVAL_KNOWN || memchr(p->s, ']', p->len) != NULL)
			return 1;
	}
	return 0;
}

/* Where in piece i a pattern begins that would name files; or its length. */
static size_t
magic_at(struct shval_run *w, size_t i)
{
	static const unsigned char magic[256] = {
		['*'] = 1, ['?'] = 1, ['['] = 1, ['('] = 1
	};
	const struct shpiece *p = &w->piece[i];
	const struct shopts *o = w->opts.now;

	if (p->why != SHVAL_KNOWN || p->quoted)
		return p->len;
	for (size_t k = 0; k < p->len; k++) {
		char c = p->s[k];
		if (!magic[(unsigned char)c])
			continue;
		if (c == '*' || c == '?')
			return k;
		if (c == '[' && open_bracket(w, i, k))
			return k;
		if (c == '(' && k > 0 && memchr("+@!", p->s[k - 1], 3) &&
		    ((o->on | o->vague) & OPT_EXTGLOB))
			return k - 1;
	}
	return p->len;
}

static void
mark_globs(struct shval_run *w, struct field *f)
{
	size_t n = w->npiece;

	if (((const struct shopts *)w->opts.now)->on & OPT_NOGLOB)
		return;
	for (size_t i = 0; i < n; i++) {
		struct shpiece p = w->piece[i], head;
		size_t at = magic_at(w, i);
		if (at == p.len)
			continue;
		f->split = 1;
		while (at > 0 && p.s[at - 1] != '/')
			at--;
		head = p;
		head.len = at;
		p.why = SHVAL_GLOB;
		p.s = shwalk_dup(w, p.s + at, p.len - at);
		p.len -= at;
		if (p.from.end - p.from.off == at + p.len) {
			head.from.end = p.from.off + (uint32_t)at;
			p.from.off += (uint32_t)at;
		}
		w->piece[i] = p;
		if (at == 0)
			continue;
		add_piece(w, &p);
		memmove(w->piece + i + 1, w->piece + i,
		    (w->npiece - 1 - i) * sizeof(p));
		w->piece[i++] = head;
		n++;
	}
}

static void
push_word(struct shval_run *w, const struct shval *v, uint32_t word)
{
	if (w->nword == w->capword) {
		size_t cap = w->capword ? w->capword * 2 : 64;
		w->word = mem_resize(w->word, cap, sizeof(*w->word));
		w->wordof = mem_resize(w->wordof, cap, sizeof(*w->wordof));
		w->capword = cap;
	}
	w->word[w->nword] = *v;
	w->wordof[w->nword++] = word;
}

static void
end_field(struct shval_run *w, struct field *f)
{
	if (f->started) {
		if (f->magic)
			mark_globs(w, f);
		struct shval v;
		shval_fill(w, &v, w->piece, w->npiece);
		v.split = f->split;
		push_word(w, &v, f->word);
	}
	w->npiece = 0;
	f->started = f->split = f->magic = 0;
}

/* Few bytes, looked for in each byte of a text: faster than strchr. */
static int
separates(const char *ifs, char c)
{
	while (*ifs != '\0' && *ifs != c)
		ifs++;
	return *ifs != '\0';
}

static void
split_piece(struct shval_run *w, struct field *f, const struct shpiece *p,
    const char *ifs)
{
	size_t i = 0, from = 0;
	int exact = p->from.end - p->from.off == p->len;

	for (; i < p->len; i++) {
		char c = p->s[i];
		if ((unsigned char)c > f->last || !separates(ifs, c))
			continue;
		if (i > from) {
			struct shpiece q = *p;
			q.s += from;
			q.len = i - from;
			if (exact) {
				q.from.off += (uint32_t)from;
				q.from.end = q.from.off + (uint32_t)q.len;
			}
			add_piece(w, &q);
			f->started = 1;
			f->after_blank = 0;
		}
		from = i + 1;
		if (c == ' ' || c == '\t' || c == '\n') {
			if (f->started) {
				end_field(w, f);
				f->after_blank = 1;
			}
			continue;
		}
		if (!f->after_blank) {
			f->started = 1;
			end_field(w, f);
		}
		f->after_blank = 0;
	}
	if (p->len > from || p->len == 0) {
		struct shpiece q = *p;
		q.s += from;
		q.len -= from;
		if (exact)
			q.from.off += (uint32_t)from;
		if (q.len > 0) {
			f->started = 1;
			f->after_blank = 0;
		}
		add_piece(w, &q);
	}
}

static void
one_piece(struct shval_run *w, struct field *f, const struct shpiece *p,
    int flag, const char *ifs)
{
	struct shpiece q = *p;

	q.quoted = !(flag & IT_SPLIT) && p->quoted;
	if (p->why == SHVAL_KNOWN && !q.quoted)
		f->magic = 1;
	if (p->why != SHVAL_KNOWN) {
		if (flag & IT_SPLIT)
			f->split = 1;
		f->started = 1;
		f->after_blank = 0;
		add_piece(w, &q);
	} else if (!(flag & IT_SPLIT)) {
		if (p->len > 0) {
			f->started = 1;
			f->after_blank = 0;
		}
		add_piece(w, &q);
	} else if (ifs == NULL && p->len > 0) {
		q.why = SHVAL_SOURCED;
		q.s = "IFS";
		q.len = 3;
		f->started = f->split = 1;
		add_piece(w, &q);
	} else {
		split_piece(w, f, &q, ifs);
	}
}

/* Splits the items lo..hi, which hold no IT_BREAK, into fields. */
static void
split_items(struct shval_run *w, size_t lo, size_t hi, uint32_t word,
    const struct choice *c)
{
	struct field f = { .word = word };
	const char *ifs = shwalk_ifs(w);

	for (const char *s = ifs; s != NULL && *s != '\0'; s++)
		if ((unsigned char)*s > f.last)
			f.last = (unsigned char)*s;

	w->npiece = 0;
	for (size_t i = lo; i < hi && !w->limited; i++) {
		const struct shitem *it = &w->item[i];
		if (it->flag & IT_FORCE) {
			f.started = 1;
			f.after_blank = 0;
		} else if (it->flag & IT_ALTS) {
			const struct shval *v = chosen(c, it);
			int flag = it->flag & IT_SPLIT;
			for (size_t k = 0; k < v->npiece; k++) {
				struct shpiece p = v->piece[k];
				p.quoted = !flag;
				one_piece(w, &f, &p, flag, ifs);
			}
		} else {
			one_piece(w, &f, &it->p, it->flag, ifs);
		}
	}
	end_field(w, &f);
}

/* --- alternatives --- */

static int
same_word(const struct shval *a, const struct shval *b)
{
	return a->alt == NULL && b->alt == NULL && shval_same(a, b);
}

/* words[at..at+n) as one alternative that stands for all of them. */
static struct shval *
as_words(struct shval_run *w, size_t at, size_t n)
{
	struct shval *v = shwalk_alloc(w, sizeof(*v));
	struct shval *words = shwalk_alloc(w, (n + 1) * sizeof(*words));
	const struct shpiece blank = { SHVAL_KNOWN, 0, " ", 1, { NULL, 0, 0 } };

	w->npiece = 0;
	for (size_t i = 0; i < n; i++) {
		words[i] = w->word[at + i];
		if (i > 0)
			add_piece(w, &blank);
		for (size_t k = 0; k < words[i].npiece; k++)
			add_piece(w, &words[i].piece[k]);
	}
	*v = *shval_make(w, w->piece, w->npiece);
	v->split = 1;
	v->words = words;
	v->nwords = n;
	return v;
}

/* The lists words[start[i]..start[i+1]) are what each choice gives: merges
 * them into one list at start[0]. */
static void
merge(struct shval_run *w, const size_t *start, size_t n, uint32_t word)
{
	size_t min = start[1] - start[0], head = 0, tail = 0, i, len = min;
	int even = 1;

	for (i = 1; i < n; i++) {
		len = start[i + 1] - start[i];
		even &= len == start[1] - start[0];
		min = len < min ? len : min;
	}
#define WORD(list, k) (&w->word[start[list] + (k)])
#define BACK(list, k) (&w->word[start[(list) + 1] - 1 - (k)])
	for (;; head++) {
		for (i = 1; i < n && head < min; i++) {
			if (!same_word(WORD(0, head), WORD(i, head)))
				break;
		}
		if (i < n || head >= min)
			break;
	}
	for (;; tail++) {
		for (i = 1; i < n && tail < min - head; i++) {
			if (!same_word(BACK(0, tail), BACK(i, tail)))
				break;
		}
		if (i < n || tail >= min - head)
			break;
	}
	if (even) {
		for (size_t k = head; k < min - tail; k++) {
			const struct shval *v = shval_make(
			    w, WORD(0, k)->piece, WORD(0, k)->npiece);
			for (i = 1; i < n; i++)
				v = shval_either(w, v, WORD(i, k));
			*WORD(0, k) = *v;
		}
		w->nword = start[1];
		return;
	}
	struct shval *first = NULL, **end = &first;
	for (i = 0; i < n; i++) {
		*end = as_words(
		    w, start[i] + head, start[i + 1] - start[i] - head - tail);
		end = &(*end)->alt;
	}
	size_t to = start[0] + head, from = start[n] - tail;
	w->word[to] = *first;
	w->wordof[to] = word;
	for (i = 0; i < tail; i++)
		w->word[to + 1 + i] = w->word[from + i];
	w->nword = to + 1 + tail;
#undef WORD
#undef BACK
}

static void
take_part(struct shval_run *w, size_t lo, size_t hi, uint32_t word)
{
	struct choice c;
	size_t start[SHWALK_ALTS + 1] = { 0 }, many = 0, alts = 0;

	for (size_t i = lo; i < hi; i++) {
		many += (w->item[i].flag & IT_MANY) != 0;
		alts += (w->item[i].flag & IT_ALTS) != 0;
	}
	if (many == 1 && hi - lo == 1) {
		push_word(w, w->item[lo].alts, word);
		return;
	}
	if (many > 0) {
		struct shval v = *shval_vague(w, SHVAL_BRANCH, "");
		v.split = 1;
		push_word(w, &v, word);
		return;
	}
	if (alts == 0) {
		split_items(w, lo, hi, word, NULL);
		return;
	}
	choices(w, lo, hi, &c);
	for (size_t i = 0; i < c.total; i++) {
		start[i] = w->nword;
		choose(&c, i);
		split_items(w, lo, hi, word, &c);
	}
	start[c.total] = w->nword;
	merge(w, start, c.total, word);
}

void
shfield_plain(struct shval_run *w, const struct shpiece *p, uint32_t word)
{
	struct shval v;

	shval_fill(w, &v, p, 1);
	push_word(w, &v, word);
}

void
shfield_take(struct shval_run *w, size_t item, uint32_t word)
{
	size_t lo = item;

	for (size_t i = item; i < w->nitem; i++) {
		if (!(w->item[i].flag & IT_BREAK))
			continue;
		take_part(w, lo, i, word);
		lo = i + 1;
	}
	take_part(w, lo, w->nitem, word);
}

static void
join_items(struct shval_run *w, size_t item, const struct choice *c)
{
	w->npiece = 0;
	for (size_t i = item; i < w->nitem && !w->limited; i++) {
		const struct shitem *it = &w->item[i];
		if (it->flag & IT_BREAK) {
			add_piece(w, &it->p);
		} else if (it->flag & IT_MANY) {
			struct shpiece p = *shval_unknown(it->alts);
			p.quoted = 1;
			add_piece(w, &p);
		} else if (it->flag & IT_ALTS) {
			const struct shval *v = chosen(c, it);
			for (size_t k = 0; k < v->npiece; k++) {
				struct shpiece p = v->piece[k];
				p.quoted = !(it->flag & IT_SPLIT);
				add_piece(w, &p);
			}
		} else if (!(it->flag & IT_FORCE)) {
			struct shpiece p = it->p;
			if (it->flag & IT_SPLIT)
				p.quoted = 0;
			add_piece(w, &p);
		}
	}
}

static int
any_alternatives(const struct shval_run *w, size_t item)
{
	int flags = 0;

	for (size_t i = item; i < w->nitem; i++)
		flags |= w->item[i].flag;
	return flags & IT_ALTS;
}

const struct shval *
shfield_join(struct shval_run *w, size_t item)
{
	struct choice c;
	const struct shval *r = NULL;

	if (w->nitem == item)
		return &shval_empty;
	if (!any_alternatives(w, item)) {
		join_items(w, item, NULL);
		return shval_make(w, w->piece, w->npiece);
	}
	choices(w, item, w->nitem, &c);
	for (size_t i = 0; i < c.total; i++) {
		choose(&c, i);
		join_items(w, item, &c);
		const struct shval *v = shval_make(w, w->piece, w->npiece);
		r = r == NULL ? v : shval_either(w, r, v);
	}
	return r;
}
