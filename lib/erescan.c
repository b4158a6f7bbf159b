#include <stdlib.h>
#include <string.h>

#include "ere.h"
#include "erein.h"
#include "err.h"
#include "mem.h"

/*
 * A deterministic automaton that is built while it runs. A state is the set of
 * instructions that wait for a byte, without those that wait in every state
 * because an expression may begin anywhere. States are found again in a hash
 * table; when they take too much memory all are thrown away and those that are
 * needed come back.
 */
enum { ERE_TABLE = 4096, ERE_MEMORY = 4 << 20 };

struct ere_state {
	uint32_t *pc;
	const uint32_t *rule; /* found on the way into it */
	size_t npc, nrule;
	uint32_t hash;
	int ends; /* 1: something waits for the line's end; -1 not known */
	struct ere_state *chain;
	struct ere_state **slow; /* by class: those with rules */
	struct ere_state
	    *next[]; /* by class: those without; NULL: look again */
};

struct ere *
ere_new(void)
{
	return mem_zero(1, sizeof(struct ere));
}

static void
ere_forget(struct ere *e)
{
	for (size_t i = 0; e->table != NULL && i < ERE_TABLE; i++) {
		for (struct ere_state *s = e->table[i], *next; s != NULL;
		     s = next) {
			next = s->chain;
			mem_free(s);
		}
		e->table[i] = NULL;
	}
	e->memory = 0;
	e->state = e->begin = NULL;
}

void
ere_free(struct ere *e)
{
	if (e == NULL)
		return;
	ere_forget(e);
	for (size_t i = 0; e->first != NULL && i < e->nclass; i++)
		mem_free(e->first[i]);
	mem_free(e->inst);
	mem_free(e->set);
	mem_free(e->start);
	mem_free(e->sample);
	mem_free(e->first);
	mem_free(e->nfirst);
	mem_free(e->initial);
	mem_free(e->mark);
	mem_free(e->rulemark);
	mem_free(e->stack);
	mem_free(e->kernel);
	mem_free(e->found);
	mem_free(e->hits);
	mem_free(e->table);
	mem_free(e);
}

static int
ere_has(const struct ere *e, int32_t set, uint8_t c)
{
	return (int)(e->set[set].bit[c >> 6] >> (c & 63) & 1);
}

/* Bytes that no set tells apart are one class; the newline is its own. */
static void
ere_classes(struct ere *e)
{
	uint8_t renamed[256][2];
	size_t n = 2;

	for (int c = 0; c < 256; c++)
		e->class[c] = c == '\n';
	for (size_t i = 0; i < e->nset; i++) {
		size_t m = 0;
		uint8_t used[256][2];
		memset(used, 0, sizeof used);
		for (int c = 0; c < 256; c++) {
			int in = ere_has(e, (int32_t)i, (uint8_t)c);
			uint8_t old = e->class[c];
			if (!used[old][in]) {
				used[old][in] = 1;
				renamed[old][in] = (uint8_t)m++;
			}
			e->class[c] = renamed[old][in];
		}
		n = m;
	}
	e->nclass = n;
	e->sample = mem_zero(n, 1);
	for (int c = 255; c >= 0; c--)
		e->sample[e->class[c]] = (uint8_t)c;
}

/*
 * Follows what takes no byte from pc on. What waits for a byte or for the
 * line's end goes to kernel, what was found to found.
 */
static void
ere_follow(struct ere *e, uint32_t pc, int bol, int eol)
{
	size_t n = 0;

	e->stack[n++] = pc;
	while (n > 0) {
		pc = e->stack[--n];
		if (e->mark[pc] == e->stamp)
			continue;
		e->mark[pc] = e->stamp;
		const struct ere_inst *i = &e->inst[pc];
		switch (i->op) {
		case ERE_SET:
			if (e->initial == NULL || !e->initial[pc])
				e->kernel[e->nkernel++] = pc;
			break;
		case ERE_SPLIT:
			e->stack[n++] = (uint32_t)((int32_t)pc + i->x);
			e->stack[n++] = (uint32_t)((int32_t)pc + i->y);
			break;
		case ERE_JUMP:
			e->stack[n++] = (uint32_t)((int32_t)pc + i->x);
			break;
		case ERE_BOL:
			if (bol)
				e->stack[n++] = pc + 1;
			break;
		case ERE_EOL:
			if (eol)
				e->stack[n++] = pc + 1;
			else
				e->kernel[e->nkernel++] = pc;
			break;
		case ERE_MATCH: e->found[e->nfound++] = (uint32_t)i->x; break;
		default: err_bug();
		}
	}
}

static void
ere_begin_set(struct ere *e)
{
	if (++e->stamp == 0) {
		memset(e->mark, 0, (e->ninst + 1) * sizeof *e->mark);
		e->stamp = 1;
	}
	e->nkernel = e->nfound = 0;
}

/* For each class the instructions behind the first bytes of expressions. */
static void
ere_firsts(struct ere *e)
{
	e->first = mem_zero(e->nclass, sizeof *e->first);
	e->nfirst = mem_zero(e->nclass, sizeof *e->nfirst);
	ere_begin_set(e);
	for (size_t i = 0; i < e->nrule; i++)
		ere_follow(e, e->start[i], 0, 0);
	uint8_t *initial = mem_zero(e->ninst + 1, 1);
	for (size_t c = 0; c < e->nclass; c++) {
		size_t cap = 0;
		for (size_t i = 0; i < e->nkernel; i++) {
			uint32_t pc = e->kernel[i];
			initial[pc] = 1;
			if (e->inst[pc].op != ERE_SET ||
			    !ere_has(e, e->inst[pc].x, e->sample[c]))
				continue;
			e->first[c] = mem_more(
			    e->first[c], e->nfirst[c], &cap, sizeof **e->first);
			e->first[c][e->nfirst[c]++] = pc + 1;
		}
	}
	e->initial = initial;
}

static void
ere_prepare(struct ere *e)
{
	size_t n = e->ninst + 1;

	ere_classes(e);
	e->mark = mem_zero(n, sizeof *e->mark);
	e->stack = mem_zero(2 * n, sizeof *e->stack);
	e->kernel = mem_zero(n, sizeof *e->kernel);
	e->found = mem_zero(n, sizeof *e->found);
	e->hits = mem_zero(e->nrule + 1, sizeof *e->hits);
	e->rulemark = mem_zero(e->nrule + 1, sizeof *e->rulemark);
	e->table = mem_zero(ERE_TABLE, sizeof(struct ere_state *));
	e->hit = e->hits;
	ere_firsts(e);
	e->fresh = 1;
}

static int
ere_compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* The state of what ere_follow has gathered. */
static struct ere_state *
ere_intern(struct ere *e)
{
	uint32_t hash = 2166136261u;

	if (e->nkernel > 1)
		qsort(e->kernel, e->nkernel, sizeof *e->kernel, ere_compare);
	for (size_t i = 0; i < e->nkernel; i++)
		hash = (hash ^ e->kernel[i]) * 16777619u;
	for (size_t i = 0; i < e->nfound; i++)
		hash = (hash ^ (e->found[i] + 77)) * 16777619u;
	struct ere_state **at = &e->table[hash % ERE_TABLE], *s;
	for (s = *at; s != NULL; s = s->chain)
		if (s->hash == hash && s->npc == e->nkernel &&
		    s->nrule == e->nfound &&
		    memcmp(s->pc, e->kernel, s->npc * sizeof *s->pc) == 0 &&
		    memcmp(s->rule, e->found, s->nrule * sizeof *s->rule) == 0)
			return s;
	size_t links = 2 * e->nclass * sizeof(struct ere_state *);
	size_t size =
	    sizeof *s + links + (e->nkernel + e->nfound) * sizeof(uint32_t);
	s = mem_zero(1, size);
	e->memory += size;
	s->slow = s->next + e->nclass;
	s->pc = (uint32_t *)(void *)(s->slow + e->nclass);
	uint32_t *rule = s->pc + e->nkernel;
	memcpy(s->pc, e->kernel, e->nkernel * sizeof *s->pc);
	memcpy(rule, e->found, e->nfound * sizeof *rule);
	s->rule = rule;
	s->npc = e->nkernel;
	s->nrule = e->nfound;
	s->hash = hash;
	s->ends = -1;
	s->chain = *at;
	*at = s;
	return s;
}

static struct ere_state *
ere_beginning(struct ere *e)
{
	if (e->begin != NULL)
		return e->begin;
	ere_begin_set(e);
	for (size_t i = 0; i < e->nrule; i++)
		ere_follow(e, e->start[i], 1, 0);
	return e->begin = ere_intern(e);
}

static struct ere_state *
ere_step(struct ere *e, struct ere_state *s, size_t class)
{
	struct ere_state *next = s->slow[class];

	if (next != NULL)
		return next;
	ere_begin_set(e);
	for (size_t i = 0; i < s->npc; i++) {
		const struct ere_inst *inst = &e->inst[s->pc[i]];
		if (inst->op == ERE_SET &&
		    ere_has(e, inst->x, e->sample[class]))
			ere_follow(e, s->pc[i] + 1, 0, 0);
	}
	for (size_t i = 0; i < e->nfirst[class]; i++)
		ere_follow(e, e->first[class][i], 0, 0);
	if (e->memory > ERE_MEMORY) {
		ere_forget(e);
		return ere_intern(e);
	}
	next = ere_intern(e);
	if (next->nrule == 0)
		s->next[class] = next;
	else
		s->slow[class] = next;
	return next;
}

static void
ere_hit(struct ere *e, const uint32_t *rule, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (e->rulemark[rule[i]] == e->linestamp)
			continue;
		e->rulemark[rule[i]] = e->linestamp;
		e->hits[e->nhit++] = rule[i];
	}
}

/* Whether something in this state, or at the start of an expression, waits
 * for the end of the line: found there. */
static void
ere_line_end(struct ere *e, struct ere_state *s)
{
	if (s->ends == 0)
		return;
	ere_begin_set(e);
	s->ends = 0;
	for (size_t i = 0; i < s->npc; i++)
		if (e->inst[s->pc[i]].op == ERE_EOL) {
			s->ends = 1;
			ere_follow(e, s->pc[i] + 1, 0, 1);
		}
	ere_hit(e, e->found, e->nfound);
}

static void
ere_line_begin(struct ere *e)
{
	if (++e->linestamp == 0) {
		memset(e->rulemark, 0, (e->nrule + 1) * sizeof *e->rulemark);
		e->linestamp = 1;
	}
	e->nhit = 0;
	e->fresh = 0;
}

int
ere_next(struct ere *e, const char **from, const char *end)
{
	const unsigned char *s = (const unsigned char *)*from;
	const unsigned char *stop = (const unsigned char *)end;

	if (e->table == NULL)
		ere_prepare(e);
	if (e->fresh) {
		ere_line_begin(e);
		e->from = *from;
	} else {
		e->from = NULL;
	}
	struct ere_state *state =
	    e->state != NULL ? e->state : ere_beginning(e);
	for (;;) {
		struct ere_state *next = state;
		while (s < stop && (next = state->next[e->class[*s]]) != NULL) {
			state = next;
			s++;
		}
		if (s == stop)
			break;
		if (*s++ != '\n') {
			state = ere_step(e, state, e->class[s[-1]]);
			ere_hit(e, state->rule, state->nrule);
			continue;
		}
		ere_line_end(e, state);
		e->line++;
		state = ere_beginning(e);
		if (e->nhit > 0 || e->every) {
			e->state = state;
			e->fresh = 1;
			*from = (const char *)s;
			return 1;
		}
		ere_line_begin(e);
		e->from = (const char *)s;
	}
	e->state = state;
	*from = end;
	return 0;
}

int
ere_end(struct ere *e)
{
	if (e->state == NULL || e->fresh)
		return 0;
	ere_line_end(e, e->state);
	e->line++;
	e->fresh = 1;
	e->from = NULL;
	e->state = NULL;
	return e->nhit > 0 || e->every;
}

void
ere_reset(struct ere *e)
{
	e->state = NULL;
	e->line = 0;
	e->fresh = 1;
	e->nhit = 0;
}
