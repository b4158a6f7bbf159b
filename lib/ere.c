#include "ere.h"

#include <string.h>

#include "erein.h"
#include "mem.h"

enum { ERE_DEPTH = 200, ERE_MAX = 100000, ERE_REPEAT = 255 };

/* One expression as it is read. */
struct ere_parse {
	struct ere *e;
	const char *s;
	const char *why;
	int depth;
};

static int ere_alternation(struct ere_parse *);

static int
ere_wrong(struct ere_parse *p, const char *why)
{
	p->why = why;
	return -1;
}

static int
ere_emit(struct ere_parse *p, int op, int32_t x, int32_t y)
{
	struct ere *e = p->e;

	if (e->ninst >= ERE_MAX)
		return ere_wrong(p, "it is too large");
	e->inst = mem_more(e->inst, e->ninst, &e->capinst, sizeof *e->inst);
	e->inst[e->ninst++] =
	    (struct ere_inst){ .op = (uint8_t)op, .x = x, .y = y };
	return 0;
}

/* Puts an instruction in front of those from at on. Jumps are relative, and
 * none leads from outside into what is moved. */
static int
ere_insert(struct ere_parse *p, size_t at, int op, int32_t x, int32_t y)
{
	struct ere *e = p->e;

	if (ere_emit(p, op, x, y) < 0)
		return -1;
	struct ere_inst new = e->inst[e->ninst - 1];
	memmove(e->inst + at + 1, e->inst + at,
	    (e->ninst - 1 - at) * sizeof *e->inst);
	e->inst[at] = new;
	return 0;
}

static int
ere_copy(struct ere_parse *p, const struct ere_inst *block, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ere_emit(p, block[i].op, block[i].x, block[i].y) < 0)
			return -1;
	return 0;
}

static int
ere_emit_set(struct ere_parse *p, const struct ere_set *set)
{
	struct ere *e = p->e;
	size_t i = 0;

	while (i < e->nset && memcmp(&e->set[i], set, sizeof *set) != 0)
		i++;
	if (i == e->nset) {
		e->set = mem_more(e->set, e->nset, &e->capset, sizeof *e->set);
		e->set[e->nset++] = *set;
	}
	return ere_emit(p, ERE_SET, (int32_t)i, 0);
}

static void
ere_set_add(struct ere_set *set, unsigned char c)
{
	set->bit[c >> 6] |= UINT64_C(1) << (c & 63);
}

static int
ere_emit_byte(struct ere_parse *p, unsigned char c)
{
	struct ere_set set = { { 0 } };

	if (c == '\n')
		return ere_wrong(p, "a newline cannot stand in a line");
	if (p->e->single[c] != 0)
		return ere_emit(p, ERE_SET, p->e->single[c] - 1, 0);
	ere_set_add(&set, c);
	if (ere_emit_set(p, &set) < 0)
		return -1;
	p->e->single[c] = p->e->inst[p->e->ninst - 1].x + 1;
	return 0;
}

static int
ere_in(unsigned char c, const char *range)
{
	for (; range[0] != '\0'; range += 2)
		if (c >= (unsigned char)range[0] &&
		    c <= (unsigned char)range[1])
			return 1;
	return 0;
}

/* [:name:] */
static int
ere_named(struct ere_parse *p, struct ere_set *set)
{
	static const struct {
		const char *name, *range;
	} names[] = { { "alpha", "azAZ" }, { "digit", "09" },
		{ "alnum", "azAZ09" }, { "upper", "AZ" }, { "lower", "az" },
		{ "space", "  \t\r" }, { "blank", "  \t\t" },
		{ "punct", "!/:@[`{~" }, { "print", " ~" }, { "graph", "!~" },
		{ "cntrl", "\1\37\177\177" }, { "xdigit", "09afAF" } };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t n = strlen(names[i].name);
		if (strncmp(p->s, names[i].name, n) != 0 ||
		    strncmp(p->s + n, ":]", 2) != 0)
			continue;
		for (int c = 1; c < 256; c++)
			if (ere_in((unsigned char)c, names[i].range))
				ere_set_add(set, (unsigned char)c);
		p->s += n + 2;
		return 0;
	}
	return ere_wrong(p, "there is no such [:class:]");
}

/* One byte of a bracket expression, also as [.x.] or [=x=]. */
static int
ere_member(struct ere_parse *p, unsigned char *c)
{
	const char *s = p->s;

	if (s[0] == '[' && (s[1] == '.' || s[1] == '=')) {
		if (s[2] == '\0' || s[3] != s[1] || s[4] != ']')
			return ere_wrong(p, "[. .] and [= =] take one byte");
		*c = (unsigned char)s[2];
		p->s += 5;
		return 0;
	}
	if (s[0] == '\0')
		return ere_wrong(p, "a [ is not closed");
	*c = (unsigned char)s[0];
	p->s++;
	return 0;
}

static int
ere_bracket(struct ere_parse *p)
{
	struct ere_set set = { { 0 } };
	int negated = *p->s == '^';
	const char *begin = p->s += negated;

	while (*p->s != ']' || p->s == begin) {
		unsigned char from, to;
		if (p->s[0] == '[' && p->s[1] == ':') {
			p->s += 2;
			if (ere_named(p, &set) < 0)
				return -1;
			continue;
		}
		if (ere_member(p, &from) < 0)
			return -1;
		to = from;
		if (p->s[0] == '-' && p->s[1] != ']') {
			p->s++;
			if (ere_member(p, &to) < 0)
				return -1;
		}
		if (to < from)
			return ere_wrong(p, "a range is upside down");
		for (int c = from; c <= to; c++)
			ere_set_add(&set, (unsigned char)c);
	}
	p->s++;
	for (int i = 0; negated && i < 4; i++)
		set.bit[i] = ~set.bit[i];
	set.bit[0] &= ~(UINT64_C(1) << '\n');
	return ere_emit_set(p, &set);
}

static int
ere_any(struct ere_parse *p)
{
	struct ere_set set;

	memset(&set, 0xff, sizeof set);
	set.bit[0] &= ~(UINT64_C(1) << '\n');
	return ere_emit_set(p, &set);
}

static int
ere_escape(struct ere_parse *p)
{
	unsigned char c = (unsigned char)*p->s;

	if (c == '\0')
		return ere_wrong(p, "a backslash stands at its end");
	if (ere_in(c, "azAZ09"))
		return ere_wrong(p,
		    "a backslash before a letter or digit means nothing in "
		    "POSIX");
	p->s++;
	return ere_emit_byte(p, c);
}

static int
ere_group(struct ere_parse *p)
{
	if (++p->depth > ERE_DEPTH)
		return ere_wrong(p, "its groups are nested too deep");
	if (ere_alternation(p) < 0)
		return -1;
	if (*p->s != ')')
		return ere_wrong(p, "a ( is not closed");
	p->s++;
	p->depth--;
	return 0;
}

static int
ere_atom(struct ere_parse *p)
{
	char c = *p->s++;

	switch (c) {
	case '(': return ere_group(p);
	case '[': return ere_bracket(p);
	case '.': return ere_any(p);
	case '\\': return ere_escape(p);
	case '^': return ere_emit(p, ERE_BOL, 0, 0);
	case '$': return ere_emit(p, ERE_EOL, 0, 0);
	case '*':
	case '+':
	case '?': return ere_wrong(p, "nothing stands before a * + ?");
	default: return ere_emit_byte(p, (unsigned char)c);
	}
}

/* A number in an interval, -1 none. */
static long
ere_number(struct ere_parse *p)
{
	long n = -1;

	for (; *p->s >= '0' && *p->s <= '9'; p->s++) {
		n = (n < 0 ? 0 : n) * 10 + (*p->s - '0');
		if (n > ERE_REPEAT)
			n = ERE_REPEAT + 1;
	}
	return n;
}

static int
ere_loop(struct ere_parse *p, size_t at, char how)
{
	int32_t len = (int32_t)(p->e->ninst - at);

	if (how == '+')
		return ere_emit(p, ERE_SPLIT, -len, 1);
	if (ere_insert(p, at, ERE_SPLIT, 1, len + (how == '*' ? 2 : 1)) < 0)
		return -1;
	return how == '*' ? ere_emit(p, ERE_JUMP, -(len + 1), 0) : 0;
}

/* {m}, {m,} and {m,n}: copies of the instructions from at on. */
static int
ere_repeat(struct ere_parse *p, size_t at, long min, long max)
{
	size_t n = p->e->ninst - at;
	struct ere_inst *block = mem_alloc((n + 1) * sizeof *block);
	int bad = 0;

	if (n > 0)
		memcpy(block, p->e->inst + at, n * sizeof *block);
	p->e->ninst = at;
	for (long i = 0; i < min && !bad; i++) {
		at = p->e->ninst;
		bad = ere_copy(p, block, n);
	}
	if (max < 0 && min > 0)
		bad = bad || ere_loop(p, at, '+');
	for (long i = min; !bad && (max < 0 ? min == 0 && i == 0 : i < max);
	     i++) {
		at = p->e->ninst;
		bad = ere_copy(p, block, n) ||
		    ere_loop(p, at, max < 0 ? '*' : '?');
	}
	mem_free(block);
	return bad ? -1 : 0;
}

static int
ere_interval(struct ere_parse *p, size_t at)
{
	long min = ere_number(p), max = min;

	if (*p->s == ',') {
		p->s++;
		max = ere_number(p);
	}
	if (min < 0 || *p->s != '}')
		return ere_wrong(p, "a { begins no interval; write \\{");
	p->s++;
	if (min > ERE_REPEAT || max > ERE_REPEAT || (max >= 0 && max < min))
		return ere_wrong(p, "an interval is out of range");
	return ere_repeat(p, at, min, max);
}

static int
ere_piece(struct ere_parse *p)
{
	size_t at = p->e->ninst;

	if (*p->s == '{')
		return ere_wrong(p, "nothing stands before a {");
	if (ere_atom(p) < 0)
		return -1;
	for (;;) {
		char c = *p->s;
		if (c == '{') {
			p->s++;
			if (ere_interval(p, at) < 0)
				return -1;
		} else if (c == '*' || c == '+' || c == '?') {
			p->s++;
			if (ere_loop(p, at, c) < 0)
				return -1;
		} else {
			return 0;
		}
	}
}

static int
ere_alternation(struct ere_parse *p)
{
	size_t at = p->e->ninst;

	while (*p->s != '\0' && *p->s != '|' && *p->s != ')')
		if (ere_piece(p) < 0)
			return -1;
	if (*p->s != '|')
		return 0;
	p->s++;
	if (++p->depth > ERE_DEPTH)
		return ere_wrong(p, "it has too many alternatives");
	if (ere_insert(p, at, ERE_SPLIT, 1, 0) < 0 ||
	    ere_emit(p, ERE_JUMP, 0, 0) < 0)
		return -1;
	size_t jump = p->e->ninst - 1;
	p->e->inst[at].y = (int32_t)(p->e->ninst - at);
	if (ere_alternation(p) < 0)
		return -1;
	p->depth--;
	p->e->inst[jump].x = (int32_t)(p->e->ninst - jump);
	return 0;
}

/* Whether a match can be had without any byte. */
static int
ere_empty(struct ere *e, size_t pc, uint8_t *seen)
{
	while (!seen[pc]) {
		const struct ere_inst *i = &e->inst[pc];
		seen[pc] = 1;
		switch (i->op) {
		case ERE_MATCH: return 1;
		case ERE_SET: return 0;
		case ERE_SPLIT:
			if (ere_empty(e, (size_t)((int32_t)pc + i->y), seen))
				return 1;
			pc = (size_t)((int32_t)pc + i->x);
			break;
		case ERE_JUMP: pc = (size_t)((int32_t)pc + i->x); break;
		default: pc++; break;
		}
	}
	return 0;
}

long
ere_add(struct ere *e, const char *s, const char **why)
{
	struct ere_parse p = { .e = e, .s = s };
	size_t at = e->ninst;
	int bad = ere_alternation(&p);

	if (!bad && *p.s == ')')
		bad = ere_wrong(&p, "a ) is not open");
	bad = bad || ere_emit(&p, ERE_MATCH, (int32_t)e->nrule, 0);
	if (!bad) {
		uint8_t *seen = mem_zero(e->ninst, 1);
		if (ere_empty(e, at, seen))
			bad = ere_wrong(&p, "it matches every line");
		mem_free(seen);
	}
	if (bad) {
		*why = p.why;
		e->ninst = at;
		return -1;
	}
	e->start = mem_more(e->start, e->nrule, &e->caprule, sizeof *e->start);
	e->start[e->nrule] = (uint32_t)at;
	return (long)e->nrule++;
}
