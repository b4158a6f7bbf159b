#include "symptom.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "io.h"
#include "mem.h"
#include "symptomin.h"

enum { SYMPTOM_PIECE = 64 << 10, SYMPTOM_RULES = 1 << 20 };

static const struct symptom_rule builtin[] = {
#define SYMPTOM(                                                      \
    id, kind, flags, ere, cause, cause_zh, remedy, remedy_zh, sample) \
	{ SYMPTOM_##kind, flags, ere, { id, cause, cause_zh },        \
		{ "", remedy, remedy_zh } },
#include "symptoms.def"
#undef SYMPTOM
};
enum { BUILTIN = sizeof builtin / sizeof *builtin };

static int
symptom_known(const struct symptom *s, const char *id)
{
	for (size_t i = 0; i < s->nrule; i++)
		if (strcmp(s->rule[i].cause.id, id) == 0)
			return 1;
	return 0;
}

/* NULL, or what is wrong with the expression. */
static const char *
symptom_rule_add(struct symptom *s, const struct symptom_rule *r)
{
	const char *why = NULL;

	if (r->ere[0] != '\0') {
		long n = ere_add(s->ere, r->ere, &why);
		if (n < 0)
			return why;
		s->ruleof = mem_more(
		    s->ruleof, (size_t)n, &s->capruleof, sizeof *s->ruleof);
		s->ruleof[n] = (uint32_t)s->nrule;
	}
	s->rule = mem_more(s->rule, s->nrule, &s->caprule, sizeof *s->rule);
	s->rule[s->nrule++] = *r;
	return NULL;
}

struct symptom *
symptom_new(void)
{
	struct symptom *s = mem_zero(1, sizeof *s);

	s->ere = ere_new();
	s->report.iteration = s->report.iterations = -1;
	return s;
}

/* The built-in rules come behind the user's own. */
static void
symptom_builtin(struct symptom *s)
{
	if (s->builtin)
		return;
	s->builtin = 1;
	for (size_t i = 0; i < BUILTIN; i++) {
		if (symptom_known(s, builtin[i].cause.id))
			continue;
		if (builtin[i].ere[0] == '\0')
			s->exc = s->nrule;
		if (symptom_rule_add(s, &builtin[i]) != NULL)
			err_bug();
	}
}

/* One line of a file of rules: NULL, or what is wrong with it. */
static const char *
symptom_rule_line(struct symptom *s, const char *line, size_t n)
{
	static const char letters[] = "PSWI";
	char *field[5];
	size_t i = 0;

	for (const char *end = line + n; i < 5; i++) {
		const char *tab = memchr(line, '\t', (size_t)(end - line));
		const char *stop = tab != NULL && i < 4 ? tab : end;
		field[i] = arena_dup(&s->own, line, (size_t)(stop - line));
		if (stop == end)
			break;
		line = stop + 1;
	}
	if (i < 4)
		return "there are no five fields with tabs between them";
	const char *kind = strchr(letters, field[1][0]);
	if (field[1][0] == '\0' || field[1][1] != '\0' || kind == NULL)
		return "the kind is none of P S W I";
	if (field[2][0] == '\0')
		return "there is no expression";
	struct symptom_rule r = { .kind = (enum symptom_kind)(kind - letters),
		.flags = *kind == 'W' ? SYMPTOM_KEPT : 0,
		.ere = field[2],
		.cause = { field[0], field[3], field[3] },
		.remedy = { "", field[4], field[4] } };
	if (r.kind == SYMPTOM_MARK)
		r.flags = MARK_DONE;
	return symptom_rule_add(s, &r);
}

int
symptom_rules(struct symptom *s, const char *file)
{
	struct buf b = { 0 };
	struct err_at at = { file, 0, 0 };

	int r = io_slurp_file(file, &b, SYMPTOM_RULES);
	if (r != 0) {
		err_say(ERR_ERROR, ERR_NOWHERE, &T_LIB_READ, file,
		    strerror(r < 0 ? errno : EFBIG));
		buf_free(&b);
		return -1;
	}
	r = 0;
	for (char *line = b.s, *end = b.s + b.len; line < end;) {
		size_t n = (size_t)(end - line);
		char *nl = memchr(line, '\n', n);
		n = nl != NULL ? (size_t)(nl - line) : n;
		at.line++;
		const char *why = NULL;
		if (n > 0 && line[0] != '#')
			why = symptom_rule_line(s, line, n);
		if (why != NULL) {
			err_say(ERR_ERROR, at, &T_SYMPTOM_RULE, why);
			r = -1;
		}
		line += n + 1;
	}
	buf_free(&b);
	return r;
}

void
symptom_watch(struct symptom *s, symptom_fn *fn, void *data)
{
	s->fn = fn;
	s->data = data;
}

void
symptom_place_free(struct symptom_place *p)
{
	mem_free(p->text);
	*p = (struct symptom_place){ 0 };
}

struct symptom_place *
symptom_slot_place(struct symptom_slot *slot, size_t k)
{
	struct symptom_place *const all[SYMPTOM_PLACES] = { &slot->any,
		&slot->first, &slot->last, &slot->tail };

	return all[k];
}

void
symptom_forget(struct symptom *s, struct symptom_log *log)
{
	for (size_t i = 0; i < s->nrule; i++) {
		struct symptom_slot *slot = &log->slot[i];
		if (slot->count == 0 || (s->rule[i].flags & SYMPTOM_KEPT) != 0)
			continue;
		slot->count = 0;
		for (size_t k = 0; k < SYMPTOM_PLACES; k++)
			symptom_place_free(symptom_slot_place(slot, k));
	}
	log->block = 0;
	log->proof = log->dirty = log->open = log->late = 0;
	log->sure = log->fatal = 0;
}

/* The line that the log ended in, if any. */
static void
symptom_close(struct symptom *s)
{
	if (s->nlog == 0)
		return;
	if (s->head.len > 0 && ere_end(s->ere))
		symptom_line(s, s->head.s, s->head.len, s->ere->hit,
		    s->ere->nhit, s->before);
	buf_reset(&s->head);
	s->log[s->nlog - 1].lines = (size_t)s->ere->line;
	ere_reset(s->ere);
	memset(s->trace, 0, sizeof s->trace);
	s->watching = s->ere->every = s->rooting = 0;
	s->before = 0;
}

void
symptom_log(struct symptom *s, const char *name)
{
	symptom_builtin(s);
	symptom_close(s);
	s->log = mem_more(s->log, s->nlog, &s->caplog, sizeof *s->log);
	s->log[s->nlog++] = (struct symptom_log){ .name = mem_strdup(name),
		.slot = mem_zero(s->nrule, sizeof *s->log->slot) };
}

static void
symptom_add_head(struct symptom *s, const char *from, const char *end)
{
	size_t room =
	    s->head.len < SYMPTOM_LINE ? SYMPTOM_LINE - s->head.len : 0;
	size_t n = (size_t)(end - from);

	buf_add(&s->head, from, n < room ? n : room);
}

void
symptom_feed(struct symptom *s, const char *piece, size_t n)
{
	const char *at = piece, *end = piece + n;
	struct ere *e = s->ere;

	while (ere_next(e, &at, end)) {
		const char *text = e->from, *stop = at - 1;
		if (text == NULL) {
			symptom_add_head(s, piece, stop);
			text = s->head.s;
			stop = text + s->head.len;
		}
		symptom_line(s, text, (size_t)(stop - text), e->hit, e->nhit,
		    s->before + (unsigned long long)(at - piece));
		buf_reset(&s->head);
	}
	if (e->from != NULL) {
		buf_reset(&s->head);
		symptom_add_head(s, e->from, end);
	} else {
		symptom_add_head(s, piece, end);
	}
	s->before += n;
}

int
symptom_file(struct symptom *s, const char *name)
{
	int in = strcmp(name, "-") == 0;
	int fd = in ? STDIN_FILENO : io_open(name, O_RDONLY, 0);
	char piece[SYMPTOM_PIECE];
	ssize_t n = -1;

	if (fd >= 0) {
		symptom_log(s, name);
		while ((n = read(fd, piece, sizeof piece)) > 0 ||
		    (n < 0 && errno == EINTR))
			if (n > 0)
				symptom_feed(s, piece, (size_t)n);
	}
	if (n < 0)
		err_say(
		    ERR_ERROR, ERR_NOWHERE, &T_LIB_READ, name, strerror(errno));
	if (fd >= 0 && !in)
		(void)close(fd);
	return n < 0 ? -1 : 0;
}

void
symptom_free(struct symptom *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->nlog; i++) {
		struct symptom_log *log = &s->log[i];
		for (size_t j = 0; j < s->nrule; j++)
			for (size_t k = 0; k < SYMPTOM_PLACES; k++)
				symptom_place_free(
				    symptom_slot_place(&log->slot[j], k));
		mem_free(log->slot);
		mem_free(log->name);
		mem_free(log->host);
		mem_free(log->rank);
		mem_free(log->exitcode);
	}
	arena_free(&s->own);
	mem_free(s->log);
	mem_free(s->rule);
	mem_free(s->ruleof);
	mem_free(s->report.found);
	buf_free(&s->head);
	ere_free(s->ere);
	mem_free(s);
}
