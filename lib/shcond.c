#include <regex.h>
#include <string.h>

#include "shwalk.h"

/* [[ ]]: its words one after the other. Answers: 1 yes, 0 no, -1 unknown. */
struct cond {
	struct shval_run *w;
	uint32_t at, end; /* words */
	int skip; /* not evaluated */
};

static int or_cond(struct cond *);

static int
word_is(struct cond *c, uint32_t word, const char *want)
{
	const struct shcmd *cmd = c->w->src->cmd;
	const struct shword *x;
	size_t n = strlen(want);

	if (word >= c->end)
		return 0;
	x = &cmd->word[word];
	return x->flags == 0 && x->end - x->off == n &&
	    memcmp(cmd->text + x->off, want, n) == 0;
}

static const struct shval *
value(struct cond *c, uint32_t word)
{
	const struct shword *x = &c->w->src->cmd->word[word];

	return shword_value(c->w, x->tok, x->tok + x->ntok, 0);
}

static void
remember(struct shval_run *w, const char *s, const regmatch_t *m, size_t n)
{
	struct shelem e[10];
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		size_t len =
		    m[i].rm_so < 0 ? 0 : (size_t)(m[i].rm_eo - m[i].rm_so);
		const struct shval *v = len > 0
		    ? shval_string(w, s + m[i].rm_so, len, shval_nowhere)
		    : &shval_empty;
		e[k++] = (struct shelem){ NULL, 0, (int64_t)i, v };
	}
	shvar_set_list(w, "BASH_REMATCH", 12, e, k, 0);
}

/* A pattern of =~: quoted bytes stand for themselves. */
static int
regex_text(const struct shval *v, struct buf *b)
{
	for (size_t i = 0; i < v->npiece; i++) {
		const struct shpiece *p = &v->piece[i];
		if (p->why != SHVAL_KNOWN)
			return 0;
		for (size_t k = 0; k < p->len; k++) {
			if ((unsigned char)p->s[k] >= 0x80)
				return 0;
			if (p->quoted &&
			    memchr(".[]\\()*+?{}|^$", p->s[k], 14) != NULL)
				buf_addc(b, '\\');
			buf_addc(b, p->s[k]);
		}
	}
	return v->alt == NULL && !v->split;
}

static int
match(struct cond *c, const struct shval *a, const struct shval *b)
{
	struct buf p = { 0 };
	regmatch_t m[10];
	regex_t re;
	size_t n;
	const char *s = shval_cstr(c->w, a, &n);
	const struct shopts *o = c->w->opts.now;
	int flags = REG_EXTENDED | (o->on & OPT_NOCASEMATCH ? REG_ICASE : 0);
	int r = -1;

	shvar_vague(c->w, "BASH_REMATCH", 12, SHVAL_BRANCH, "BASH_REMATCH");
	for (size_t i = 0; s != NULL && i < n; i++) {
		if ((unsigned char)s[i] >= 0x80)
			s = NULL;
	}
	if (s != NULL && n < 4096 && regex_text(b, &p) && p.len < 256 &&
	    regcomp(&re, p.s ? p.s : "", flags) == 0) {
		r = regexec(&re, s, 10, m, 0) == 0;
		if (r)
			remember(
			    c->w, s, m, re.re_nsub < 9 ? re.re_nsub + 1 : 10);
		regfree(&re);
	}
	buf_free(&p);
	return r;
}

static int
is_unary(struct cond *c)
{
	const struct shcmd *cmd = c->w->src->cmd;
	const struct shword *x = &cmd->word[c->at];

	return x->flags == 0 && x->end - x->off == 2 &&
	    cmd->text[x->off] == '-' && c->at + 1 < c->end &&
	    !word_is(c, c->at + 1, "&&") && !word_is(c, c->at + 1, "||") &&
	    !word_is(c, c->at + 1, ")");
}

static int
is_binary(struct cond *c, char *op)
{
	static const char ops[][4] = { "=", "==", "!=", "=~", "<", ">", "-eq",
		"-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef" };

	if (c->at + 2 >= c->end)
		return 0;
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (word_is(c, c->at + 1, ops[i])) {
			memcpy(op, ops[i], 4);
			return 1;
		}
	}
	return 0;
}

static int
term(struct cond *c)
{
	const struct shcmd *cmd = c->w->src->cmd;
	char op[4];
	int r;

	if (c->at >= c->end)
		return -1;
	if (word_is(c, c->at, "!")) {
		size_t guards = c->w->nguard;
		c->at++;
		r = term(c);
		c->w->nguard = guards;
		return r < 0 ? r : !r;
	}
	if (word_is(c, c->at, "(")) {
		c->at++;
		r = or_cond(c);
		if (word_is(c, c->at, ")"))
			c->at++;
		return r;
	}
	if (is_binary(c, op)) {
		uint32_t a = c->at, b = c->at + 2;
		c->at += 3;
		if (c->skip)
			return -1;
		const struct shval *x = value(c, a), *y = value(c, b);
		if (strcmp(op, "=~") == 0)
			return match(c, x, y);
		return shtest_binary(c->w, op, x, y, 1);
	}
	if (is_unary(c)) {
		char flag[3] = { '-', cmd->text[cmd->word[c->at].off + 1], 0 };
		c->at += 2;
		return c->skip ? -1
			       : shtest_unary(c->w, flag, value(c, c->at - 1));
	}
	c->at++;
	return c->skip ? -1 : shtest_unary(c->w, "-n", value(c, c->at - 1));
}

static int
and_cond(struct cond *c)
{
	int r = term(c), s;

	while (word_is(c, c->at, "&&")) {
		c->at++;
		c->skip += r == 0;
		s = term(c);
		c->skip -= r == 0;
		if (r != 0)
			r = s == 0 ? 0 : r < 0 || s < 0 ? -1 : 1;
	}
	return r;
}

static int
or_cond(struct cond *c)
{
	int r = and_cond(c), s;

	while (word_is(c, c->at, "||")) {
		c->at++;
		c->skip += r == 1;
		s = and_cond(c);
		c->skip -= r == 1;
		if (r != 1)
			r = s == 1 ? 1 : r < 0 || s < 0 ? -1 : 0;
	}
	return r;
}

int
shcond_run(struct shval_run *w, uint32_t node)
{
	const struct shnode *n = &w->src->cmd->node[node];
	struct cond c = { w, n->word, n->word + n->nword, 0 };
	int r = or_cond(&c);

	if (r < 0 || c.at != c.end || (n->flags & SHN_BROKEN))
		return ST_UNKNOWN;
	return !r;
}
