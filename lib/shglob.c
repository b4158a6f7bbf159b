#include <string.h>

#include "shwalk.h"

/* A match in progress; left bounds the work, vague tells that bytes beyond
 * ASCII met a pattern whose meaning depends on the locale. */
struct glob {
	int flags;
	long left;
	int vague;
};

static int match(
    struct glob *, const char *, const char *, const char *, const char *);

static int
fold(const struct glob *g, int c)
{
	if ((g->flags & GLOB_NOCASE) && c >= 'A' && c <= 'Z')
		return c + 32;
	return c;
}

static int
in_class(const char *name, size_t n, int c)
{
	static const struct {
		const char *name, *ranges;
	} classes[] = { { "alpha", "azAZ" }, { "digit", "09" },
		{ "alnum", "azAZ09" }, { "upper", "AZ" }, { "lower", "az" },
		{ "space", "\t\r  " }, { "blank", "\t\t  " },
		{ "xdigit", "09afAF" }, { "punct", "!/:@[`{~" },
		{ "cntrl", "\1\37\177\177" }, { "print", " ~" },
		{ "graph", "!~" }, { "word", "azAZ09__" } };

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (strlen(classes[i].name) != n ||
		    strncmp(classes[i].name, name, n) != 0)
			continue;
		for (const char *r = classes[i].ranges; *r; r += 2) {
			if (c >= r[0] && c <= r[1])
				return 1;
		}
	}
	return 0;
}

/* The end of a bracket expression that begins at p, or NULL. */
static const char *
bracket_end(const char *p, const char *pe)
{
	const char *q = p + 1;

	if (q < pe && (*q == '!' || *q == '^'))
		q++;
	if (q < pe && *q == ']')
		q++;
	for (; q < pe && *q != ']'; q++) {
		if (*q == '\\' && q + 1 < pe) {
			q++;
		} else if (*q == '[' && q + 1 < pe &&
		    (q[1] == ':' || q[1] == '.' || q[1] == '=')) {
			const char *r = q + 2;
			while (r + 1 < pe && !(r[0] == q[1] && r[1] == ']'))
				r++;
			if (r + 1 < pe)
				q = r + 1;
		}
	}
	return q < pe ? q + 1 : NULL;
}

static int
bracket(struct glob *g, const char *p, const char *end, int c)
{
	int not = 0, hit = 0;

	p++;
	end--;
	if (*p == '!' || *p == '^')
		not = 1, p++;
	while (p < end) {
		if (p[0] == '[' && p + 1 < end &&
		    (p[1] == '.' || p[1] == '=')) {
			g->vague = 1;
			return 0;
		}
		if (p[0] == '[' && p + 1 < end && p[1] == ':') {
			const char *r = p + 2;
			while (r + 1 < end && !(r[0] == ':' && r[1] == ']'))
				r++;
			if (r + 1 < end) {
				hit |= in_class(p + 2, (size_t)(r - p - 2), c);
				p = r + 2;
				continue;
			}
		}
		if (*p == '\\' && p + 1 < end)
			p++;
		int a = (unsigned char)*p++, b = a;
		if (p + 1 < end && *p == '-') {
			p++;
			if (*p == '\\' && p + 1 < end)
				p++;
			b = (unsigned char)*p++;
		}
		if (a >= 0x80 || b >= 0x80)
			g->vague = 1;
		if ((c >= a && c <= b) ||
		    (fold(g, c) >= fold(g, a) && fold(g, c) <= fold(g, b)))
			hit = 1;
	}
	return hit != not ;
}

/* The ) of a group whose ( is at p, or NULL. */
static const char *
group_end(const char *p, const char *pe)
{
	int depth = 0;

	for (; p < pe; p++) {
		if (*p == '\\' && p + 1 < pe) {
			p++;
		} else if (*p == '[') {
			const char *e = bracket_end(p, pe);
			if (e != NULL)
				p = e - 1;
		} else if (*p == '(') {
			depth++;
		} else if (*p == ')' && --depth == 0) {
			return p;
		}
	}
	return NULL;
}

/* The next alternative of a group: the | or the end. */
static const char *
group_next(const char *p, const char *end)
{
	int depth = 0;

	for (; p < end; p++) {
		if (*p == '\\' && p + 1 < end)
			p++;
		else if (*p == '(')
			depth++;
		else if (*p == ')')
			depth--;
		else if (*p == '|' && depth == 0)
			break;
	}
	return p;
}

static int
any_of(struct glob *g, const char *p, const char *end, const char *s,
    const char *to)
{
	for (;;) {
		const char *q = group_next(p, end);
		if (match(g, p, q, s, to))
			return 1;
		if (q >= end)
			return 0;
		p = q + 1;
	}
}

static int
group(struct glob *g, char kind, const char *p, const char *close,
    const char *pe, const char *s, const char *se)
{
	if ((kind == '?' || kind == '*') && match(g, close + 1, pe, s, se))
		return 1;
	for (const char *to = s; to <= se; to++) {
		int hit = any_of(g, p, close, s, to);
		if (kind == '!') {
			if (!hit && match(g, close + 1, pe, to, se))
				return 1;
		} else if (hit) {
			if (match(g, close + 1, pe, to, se))
				return 1;
			if ((kind == '*' || kind == '+') && to > s &&
			    group(g, '*', p, close, pe, to, se))
				return 1;
		}
		if (g->left <= 0)
			return 0;
	}
	return 0;
}

static int
star(struct glob *g, const char *p, const char *pe, const char *s,
    const char *se)
{
	while (p < pe && *p == '*' &&
	    !((g->flags & GLOB_EXT) && p + 1 < pe && p[1] == '('))
		p++;
	if (p == pe)
		return 1;
	for (; s <= se; s++) {
		if (match(g, p, pe, s, se))
			return 1;
		if (g->left <= 0)
			return 0;
	}
	return 0;
}

/* One element of the pattern against one byte: where the pattern goes on, or
 * NULL. */
static const char *
single(struct glob *g, const char *p, const char *pe, int c)
{
	const char *end;

	if (*p == '?' || *p == '[') {
		end = *p == '[' ? bracket_end(p, pe) : p + 1;
		if (end != NULL) {
			if (c >= 0x80)
				g->vague = 1;
			return *p == '?' || bracket(g, p, end, c) ? end : NULL;
		}
	}
	if (*p == '\\' && p + 1 < pe)
		p++;
	if ((g->flags & GLOB_NOCASE) && c >= 0x80)
		g->vague = 1;
	return fold(g, (unsigned char)*p) == fold(g, c) ? p + 1 : NULL;
}

static int
match(struct glob *g, const char *p, const char *pe, const char *s,
    const char *se)
{
	while (p < pe) {
		if (--g->left <= 0)
			return 0;
		if ((g->flags & GLOB_EXT) && p + 1 < pe && p[1] == '(' &&
		    memchr("?*+@!", *p, 5) != NULL) {
			const char *close = group_end(p + 1, pe);
			if (close != NULL)
				return group(g, *p, p + 2, close, pe, s, se);
		}
		if (*p == '*')
			return star(g, p + 1, pe, s, se);
		if (s == se)
			return 0;
		p = single(g, p, pe, (unsigned char)*s++);
		if (p == NULL)
			return 0;
	}
	return s == se;
}

int
shglob_match(
    const char *pattern, size_t plen, const char *s, size_t len, int flags)
{
	struct glob g = { flags, 20000 + 16 * (long)len, 0 };
	int r = match(&g, pattern, pattern + plen, s, s + len);

	return g.vague || g.left <= 0 ? -1 : r;
}

int
shglob_magic(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '*' || s[i] == '?')
			return 1;
		if (s[i] == '[' && memchr(s + i, ']', n - i) != NULL)
			return 1;
	}
	return 0;
}

int
shglob_pattern(const struct shval *v, struct buf *b)
{
	for (size_t i = 0; i < v->npiece; i++) {
		const struct shpiece *p = &v->piece[i];

		if (p->why != SHVAL_KNOWN)
			return 0;
		if (!p->quoted) {
			buf_add(b, p->s, p->len);
			continue;
		}
		for (size_t k = 0; k < p->len; k++) {
			if (memchr("*?[]\\()|!+@-^", p->s[k], 13) != NULL)
				buf_addc(b, '\\');
			buf_addc(b, p->s[k]);
		}
	}
	return 1;
}
