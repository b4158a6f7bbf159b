#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "symptomin.h"

/* A line's text behind prefixes that say who wrote it. */
struct symptom_text {
	const char *s;
	size_t n;
	long rank; /* -1 not known */
};

static int
symptom_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int
symptom_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int
symptom_starts(const char *s, size_t n, const char *with)
{
	size_t len = strlen(with);

	return n >= len && memcmp(s, with, len) == 0;
}

static const char *
symptom_find(const char *s, size_t n, const char *what)
{
	size_t len = strlen(what);

	for (const char *end = s + n; (size_t)(end - s) >= len; s++) {
		s = memchr(s, what[0], (size_t)(end - s) - len + 1);
		if (s == NULL)
			return NULL;
		if (memcmp(s, what, len) == 0)
			return s;
	}
	return NULL;
}

static int
symptom_has(const struct symptom_text *t, const char *what)
{
	return symptom_find(t->s, t->n, what) != NULL;
}

/* The number at s, -1 none; *used is its length. */
static long
symptom_number(const char *s, size_t n, size_t *used)
{
	long value = 0;
	size_t i = 0;

	for (; i < n && i < 12 && symptom_digit(s[i]); i++)
		value = value * 10 + (s[i] - '0');
	*used = i;
	return i > 0 ? value : -1;
}

/* "[rank3]:" and the like: the length of the prefix, 0 none. */
static size_t
symptom_rank_prefix(const char *s, size_t n, const char *word, long *rank)
{
	size_t len = strlen(word), used;

	if (!symptom_starts(s, n, word))
		return 0;
	long r = symptom_number(s + len, n - len, &used);
	if (r < 0 || !symptom_starts(s + len + used, n - len - used, "]:"))
		return 0;
	*rank = r;
	len += used + 2;
	return len + (len < n && s[len] == ' ');
}

/* An escape sequence that colours: its length. */
static size_t
symptom_colour(const char *s, size_t n)
{
	if (!symptom_starts(s, n, "\033["))
		return 0;
	size_t i = 2;
	while (i < n && (symptom_digit(s[i]) || s[i] == ';'))
		i++;
	return i < n ? i + 1 : n;
}

/* "node7: " of pdsh, "worker-1: ": lower case with a digit in it. */
static size_t
symptom_host(const char *s, size_t n)
{
	int digit = 0;
	size_t i = 0;

	for (; i < n && s[i] != ':'; i++) {
		digit = digit || symptom_digit(s[i]);
		if (!symptom_digit(s[i]) && !(s[i] >= 'a' && s[i] <= 'z') &&
		    s[i] != '-' && s[i] != '.' && s[i] != '_')
			return 0;
	}
	return digit && s[0] >= 'a' && symptom_starts(s + i, n - i, ": ")
	    ? i + 2
	    : 0;
}

/* "(TaskRunner pid=1234) " of Ray. */
static size_t
symptom_task(const char *s, size_t n)
{
	const char *close;

	if (n == 0 || s[0] != '(' ||
	    (close = memchr(s, ')', n < 80 ? n : 80)) == NULL ||
	    symptom_find(s, (size_t)(close - s), "pid=") == NULL)
		return 0;
	size_t len = (size_t)(close + 1 - s);
	return len + (len < n && s[len] == ' ');
}

static void
symptom_prefix(struct symptom_text *t)
{
	while (t->n > 0 && t->s[t->n - 1] == '\r')
		t->n--;
	for (size_t i = t->n; i > 0; i--)
		if (t->s[i - 1] == '\r') {
			t->s += i;
			t->n -= i;
			break;
		}
	for (size_t skip = 1; skip > 0 && t->n > 0;
	     t->s += skip, t->n -= skip) {
		skip = symptom_colour(t->s, t->n);
		if (skip == 0)
			skip =
			    symptom_rank_prefix(t->s, t->n, "[rank", &t->rank);
		if (skip == 0)
			skip = symptom_rank_prefix(
			    t->s, t->n, "[default", &t->rank);
		if (skip == 0)
			skip = symptom_task(t->s, t->n);
		if (skip == 0)
			skip = symptom_host(t->s, t->n);
	}
}

/* The rank that a line without prefix names itself. */
static long
symptom_rank(const struct symptom_text *t)
{
	static const char *const words[] = { "RankID:", "[Rank " };
	size_t used;

	for (size_t i = 0; t->rank < 0 && i < 2; i++) {
		const char *s = symptom_find(t->s, t->n, words[i]);
		if (s == NULL)
			continue;
		s += strlen(words[i]);
		return symptom_number(s, (size_t)(t->s + t->n - s), &used);
	}
	return t->rank;
}

/* "package.SomeError: message", or the name alone. */
static int
symptom_is_exception(const struct symptom_text *t)
{
	size_t i = 0, last = 0;
	int lower = 0;

	for (; i < t->n &&
	     (symptom_letter(t->s[i]) || t->s[i] == '.' ||
		 symptom_digit(t->s[i]));
	     i++) {
		if (t->s[i] == '.')
			last = i + 1;
		lower = lower || (t->s[i] >= 'a' && t->s[i] <= 'z');
	}
	return i > last && lower && t->s[last] >= 'A' && t->s[last] <= 'Z' &&
	    (i == t->n ||
		(t->s[i] == ':' && (i + 1 == t->n || t->s[i + 1] == ' ')));
}

/* The text of an exception, wherever in the line it stands. */
static int
symptom_names_exception(const struct symptom_text *t)
{
	static const char *const words[] = {
		"Error:", "Exception:", "Interrupt"
	};

	for (size_t i = 0; i < 3; i++) {
		const char *s = symptom_find(t->s, t->n, words[i]);
		if (s != NULL && s > t->s && symptom_letter(s[-1]))
			return 1;
	}
	return 0;
}

enum { TRACE_NONE, TRACE_OPEN, TRACE_ENDED };
enum { TRACE_FOREIGN = 50 };
enum symptom_role {
	ROLE_NONE,
	ROLE_FRAME, /* within a traceback, or between chained ones */
	ROLE_END, /* the exception at its end */
	ROLE_MORE /* further lines of its message */
};

static struct symptom_trace *
symptom_trace_of(struct symptom *s, long rank)
{
	return &s->trace[(size_t)(rank + 1) % SYMPTOM_RANKS];
}

/* A line that is none of its own stands in an open traceback: 1 when it is
 * still worth waiting for its end. */
static int
symptom_trace_waits(struct symptom_trace *trace)
{
	if (trace->state == TRACE_OPEN && ++trace->foreign > TRACE_FOREIGN)
		trace->state = TRACE_NONE;
	return trace->state == TRACE_OPEN;
}

static enum symptom_role
symptom_traceback(struct symptom *s, const struct symptom_text *t, int header)
{
	struct symptom_trace *trace = symptom_trace_of(s, t->rank);
	int indented = t->n == 0 || t->s[0] == ' ' || t->s[0] == '\t';

	if (header) {
		*trace = (struct symptom_trace){ .state = TRACE_OPEN };
		return ROLE_FRAME;
	}
	if (symptom_starts(t->s, t->n, "During handling of the above") ||
	    symptom_starts(t->s, t->n, "The above exception was the direct"))
		return ROLE_FRAME;
	switch (trace->state) {
	case TRACE_OPEN:
		if (indented)
			return ROLE_FRAME;
		if (symptom_is_exception(t)) {
			trace->state = TRACE_ENDED;
			trace->line = (size_t)s->ere->line;
			return ROLE_END;
		}
		(void)symptom_trace_waits(trace);
		return ROLE_NONE;
	case TRACE_ENDED:
		if (indented)
			return t->n == 0 ? ROLE_FRAME : ROLE_MORE;
		trace->state = TRACE_NONE;
		return ROLE_NONE;
	default: return ROLE_NONE;
	}
}

/* A line such as a program writes when all is well. */
static int
symptom_ordinary(const struct symptom_text *t)
{
	static const char *const words[] = { "rror", "ERROR", "arning", "WARN",
		"xception", "EXCEPTION", "ail", "FAIL", "atal", "FATAL",
		"abort", "Abort", "illed", "SIG", "core dumped", "Traceback" };

	if (t->n == 0 || t->s[0] == '\t' || t->s[0] == '=' || t->s[0] == '-' ||
	    t->s[0] == '*' || (t->n > 1 && t->s[0] == ' ' && t->s[1] == ' '))
		return 0;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (symptom_has(t, words[i]))
			return 0;
	return !(t->s[0] == '[' && t->n > 3 && t->s[2] == ']');
}

static void
symptom_place_set(struct symptom_place *p, const struct symptom_log *log,
    const struct symptom_text *t, size_t line, int fatal)
{
	symptom_place_free(p);
	p->line = line;
	p->fatal = fatal;
	p->block = log->block;
	p->epoch = log->epoch;
	p->rank = symptom_rank(t);
	memcpy(p->stamp, log->stamp, sizeof p->stamp);
	p->len = t->n < SYMPTOM_TEXT ? t->n : SYMPTOM_TEXT;
	while (p->len > 0 && t->s[p->len - 1] == ' ')
		p->len--;
	p->text = mem_dup(t->s, p->len);
}

static void
symptom_hit(struct symptom *s, struct symptom_log *log, size_t rule,
    const struct symptom_text *t, int ends)
{
	struct symptom_slot *slot = &log->slot[rule];
	const struct symptom_rule *r = &s->rule[rule];
	size_t line = (size_t)s->ere->line;
	int weak = (r->flags & SYMPTOM_WEAK) != 0;
	int counts = ends || (r->flags & SYMPTOM_KEPT) != 0 ||
	    (!weak && !symptom_names_exception(t));
	int fatal = ends && t->rank >= 0;
	struct symptom_place *first = &slot->first, *last = &slot->last,
			     *tail = &slot->tail;

	slot->count++;
	log->dirty = 1;
	log->fatal = log->fatal || fatal;
	if ((r->flags & SYMPTOM_PROOF) != 0)
		log->proof = 1;
	if (counts && r->kind == SYMPTOM_PRIMARY) {
		log->open = 1;
		log->sure = log->sure || !weak || fatal;
	}
	if (slot->any.line == 0)
		symptom_place_set(&slot->any, log, t, line, fatal);
	if (counts && (first->line == 0 || (fatal && !first->fatal)))
		symptom_place_set(first, log, t, line, fatal);
	if (counts &&
	    (last->line == 0 || last->block != log->block ||
		(fatal && !last->fatal)))
		symptom_place_set(last, log, t, line, fatal);
	if (tail->line == 0 || tail->block != log->block)
		symptom_place_set(tail, log, t, line, fatal);
}

/* A further line of an exception's message says more than its first did. */
static void
symptom_better(
    struct symptom *s, struct symptom_log *log, const struct symptom_text *t)
{
	struct symptom_slot *exc = &log->slot[s->exc];
	size_t line = symptom_trace_of(s, t->rank)->line;
	int gone = 0;

	for (size_t i = 0; i < SYMPTOM_PLACES; i++) {
		struct symptom_place *p = symptom_slot_place(exc, i);
		if (p->line == 0 || p->line != line)
			continue;
		symptom_place_free(p);
		gone = 1;
	}
	exc->count -= (size_t)gone;
}

static void
symptom_event(struct symptom *s, enum symptom_event event,
    unsigned long long end, long number, long total, const char *text)
{
	if (s->fn != NULL)
		s->fn(s->data, event, end, number, total, text);
}

static void
symptom_new_block(struct symptom *s, struct symptom_log *log)
{
	log->block++;
	log->open = 0;
	s->watching = 0;
}

/* again: an iteration that was there before, as after a restart. */
static void
symptom_progress(struct symptom *s, struct symptom_log *log, int again)
{
	log->progress = 1;
	if (!log->dirty && !s->watching)
		return;
	int waits =
	    s->watching && symptom_trace_waits(symptom_trace_of(s, s->watched));
	if ((log->proof || log->open || log->sure || log->late > 0) && !again &&
	    log->late < SYMPTOM_LATE) {
		log->late++;
		log->epoch++;
		symptom_new_block(s, log);
		s->watching = waits;
		return;
	}
	symptom_forget(s, log);
	if (waits)
		return;
	memset(s->trace, 0, sizeof s->trace);
	s->watching = s->rooting = 0;
}

static void
symptom_iteration(struct symptom *s, struct symptom_log *log,
    const struct symptom_text *t, unsigned long long end)
{
	const char *stop = t->s + t->n, *p = t->s;
	long number = -1, total = -1;
	size_t used;

	while (number < 0 &&
	    (p = symptom_find(p, (size_t)(stop - p), "iteration")) != NULL) {
		p += strlen("iteration");
		p += p < stop && *p == ':';
		while (p < stop && *p == ' ')
			p++;
		number = symptom_number(p, (size_t)(stop - p), &used);
		p += used;
	}
	if (number < 0)
		return;
	if (p < stop && *p == '/') {
		for (p++; p < stop && *p == ' '; p++)
			;
		total = symptom_number(p, (size_t)(stop - p), &used);
	}
	symptom_progress(s, log, number <= s->report.iteration);
	s->report.iteration = number;
	s->report.iterations = total;
	symptom_event(s, SYMPTOM_ITERATION, end, number, total, NULL);
}

/* "2026-03-02 10:11:12" as 20260302101112. */
static void
symptom_stamp(struct symptom_log *log, const struct symptom_text *t)
{
	static const char form[] = "dddd-dd-dd?dd:dd:dd";
	const char *p = t->s, *stop = t->s + t->n;

	for (; (p = symptom_find(p, (size_t)(stop - p), "20")) != NULL; p++) {
		size_t n = 0, i = 0;
		char stamp[SYMPTOM_STAMP];
		for (; form[i] != '\0' && p + i < stop; i++) {
			if (form[i] == 'd' ? !symptom_digit(p[i])
					   : form[i] != '?' && form[i] != p[i])
				break;
			if (form[i] == 'd')
				stamp[n++] = p[i];
		}
		if (form[i] != '\0')
			continue;
		stamp[n] = '\0';
		memcpy(log->stamp, stamp, n + 1);
		return;
	}
}

static void
symptom_parsing(
    struct symptom *s, const struct symptom_text *t, unsigned long long end)
{
	const char *p = symptom_find(t->s, t->n, " mode at:");
	char *path;

	if (p == NULL)
		return;
	p += strlen(" mode at:");
	while (p < t->s + t->n && *p == ' ')
		p++;
	path = mem_dup(p, (size_t)(t->s + t->n - p));
	symptom_event(s, SYMPTOM_PARSING, end, 0, 0, path);
	mem_free(path);
}

static void
symptom_marked(struct symptom *s, struct symptom_log *log, int mark,
    const struct symptom_text *t, unsigned long long end)
{
	switch (mark) {
	case MARK_ITERATION: symptom_iteration(s, log, t, end); break;
	case MARK_DONE:
		symptom_progress(s, log, 0);
		s->report.done = 1;
		break;
	case MARK_PARSING: symptom_parsing(s, t, end); break;
	case MARK_WRITTEN:
		s->report.written++;
		symptom_event(s, SYMPTOM_WRITTEN, end, 0, 0, NULL);
		break;
	case MARK_ROOT: s->rooting = 16; break;
	case MARK_STAMP: symptom_stamp(log, t); break;
	default: break;
	}
}

/* "  rank      : 3 (local_rank: 3)" */
static void
symptom_root(struct symptom_log *log, const struct symptom_text *t)
{
	struct {
		const char *name;
		char **to;
	} keys[] = { { "host ", &log->host }, { "rank ", &log->rank },
		{ "exitcode ", &log->exitcode } };
	const char *s = t->s, *end = t->s + t->n;

	while (s < end && *s == ' ')
		s++;
	for (size_t i = 0; i < 3; i++) {
		const char *colon;
		if (!symptom_starts(s, (size_t)(end - s), keys[i].name) ||
		    (colon = memchr(s, ':', (size_t)(end - s))) == NULL)
			continue;
		for (s = colon + 1; s < end && *s == ' '; s++)
			;
		const char *stop = memchr(s, ' ', (size_t)(end - s));
		mem_free(*keys[i].to);
		*keys[i].to = mem_dup(s, (size_t)((stop ? stop : end) - s));
		return;
	}
}

/* Ends the block that a failure stands in when a line shows that somebody
 * goes on: not one of another rank than the one that failed, nor one that
 * another stream put into its traceback. */
static void
symptom_ends_block(
    struct symptom *s, struct symptom_log *log, const struct symptom_text *t)
{
	if (!symptom_ordinary(t) ||
	    (t->rank >= 0 && s->watched >= 0 && t->rank != s->watched) ||
	    symptom_trace_waits(symptom_trace_of(s, s->watched)))
		return;
	symptom_new_block(s, log);
}

void
symptom_line(struct symptom *s, const char *line, size_t n, const uint32_t *hit,
    size_t nhit, unsigned long long end)
{
	struct symptom_log *log = &s->log[s->nlog - 1];
	struct symptom_text t = { line, n < SYMPTOM_LINE ? n : SYMPTOM_LINE,
		-1 };
	size_t first = s->nrule;
	int header = 0;

	for (size_t i = 0; i < nhit; i++) {
		size_t rule = s->ruleof[hit[i]];
		const struct symptom_rule *r = &s->rule[rule];
		if (r->kind != SYMPTOM_MARK)
			first = rule < first ? rule : first;
		else if (r->flags == MARK_TRACEBACK)
			header = 1;
		else
			symptom_marked(s, log, r->flags, &t, end);
	}
	if (first == s->nrule && !header && !s->watching && s->rooting == 0) {
		s->ere->every = 0;
		return;
	}
	symptom_prefix(&t);
	enum symptom_role role = symptom_traceback(s, &t, header);
	int ends = role == ROLE_END || role == ROLE_MORE;
	if (role == ROLE_FRAME)
		first = s->nrule; /* the text of a program */
	else if (first == s->nrule && role == ROLE_END)
		first = s->exc;
	else if (first < s->nrule && role == ROLE_MORE)
		symptom_better(s, log, &t);
	if (first < s->nrule) {
		symptom_hit(s, log, first, &t, ends);
		if (s->rule[first].kind == SYMPTOM_WARNING &&
		    strncmp(s->rule[first].cause.id, "OK03", 4) == 0)
			symptom_event(s, SYMPTOM_CHECKPOINT, end, 0, 0, NULL);
	}
	if (s->rooting > 0) {
		s->rooting--;
		symptom_root(log, &t);
	}
	if (header ||
	    (first < s->nrule && (s->rule[first].flags & SYMPTOM_KEPT) == 0)) {
		s->watching = 1;
		s->watched = t.rank;
	} else if (s->watching && role == ROLE_NONE && first == s->nrule) {
		symptom_ends_block(s, log, &t);
	}
	s->ere->every = s->watching || s->rooting > 0;
}
