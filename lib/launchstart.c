#include <string.h>

#include "launchin.h"
#include "mem.h"

/* The class of a value as an entry; by its tail when that is all there is. */
static enum launch_class
walk_value_class(struct launches *l, const struct shval *v)
{
	const char *s = launch_word(l, v);

	if (s == NULL)
		s = launch_tail(l, v);
	return s == NULL ? CLASS_NONE : launch_entry_class(s, l->entries);
}

/* The class of a word; *unsure becomes 1 when its values have several. */
enum launch_class
walk_class(struct walk *w, size_t i, int *unsure)
{
	const struct shval *v = &w->argv[i];
	enum launch_class c = walk_value_class(w->l, v);

	for (v = v->alt; v != NULL; v = v->alt) {
		enum launch_class other = walk_value_class(w->l, v);
		*unsure |= other != c;
		if (c == CLASS_NONE)
			c = other;
	}
	return c;
}

static int
walk_is_yaml(const char *s)
{
	return s != NULL && (walk_ends(s, ".yaml") || walk_ends(s, ".yml"));
}

/* Which way of writing options the entry takes (FSDP2 reads a YAML that
 * stands right behind it; without one, dotted options tell). */
static enum launch_dialect
walk_dialect(struct walk *w, size_t entry, size_t *yaml)
{
	static const char *const groups[] = { "--training.", "--model.",
		"--data.", "--parallel.", "--optimization." };
	const char *s = walk_name(w, entry);
	int plain = 0;

	*yaml = 0;
	if (s == NULL || strstr(s, "train_fsdp2") == NULL)
		return LAUNCH_MCORE;
	if (walk_is_yaml(walk_name(w, entry + 1))) {
		*yaml = entry + 1;
		return LAUNCH_FSDP2;
	}
	for (size_t i = entry + 1; i < w->n; i++) {
		s = walk_word(w, i);
		for (size_t k = 0; s != NULL && k < 5; k++)
			if (strncmp(s, groups[k], strlen(groups[k])) == 0)
				return LAUNCH_FSDP2;
		plain |= s != NULL && s[0] == '-' && s[1] == '-';
	}
	/* Nothing known behind it: most likely the YAML's name. */
	return entry + 1 < w->n && !plain ? LAUNCH_FSDP2 : LAUNCH_MCORE;
}

void
walk_launch(struct walk *w, size_t first, size_t entry,
    enum launch_starter starter, enum launch_class class, int unsure)
{
	struct launches *l = w->l;

	l->launch = mem_more(l->launch, l->n, &l->cap, sizeof *l->launch);
	struct launch *x = &l->launch[l->n++];
	*x = (struct launch){ .call = w->call,
		.starter = starter,
		.where = w->where,
		.argv = w->argv + first,
		.argc = w->n - first,
		.entry = entry - first,
		.broken = SH_NONE,
		.dead = w->call->dead,
		.text = w->text,
		.launches = l };
	x->dialect = walk_dialect(w, entry, &x->yaml);
	if (x->yaml != 0)
		x->yaml -= first;
	const char *s = walk_name(w, entry);
	if (class == CLASS_OTHER ||
	    (x->dialect == LAUNCH_MCORE && s != NULL && l->trains == 0 &&
		!launch_entry_named(s, l->entries) &&
		launch_entry_foreign(s, w->argv + entry + 1, w->n - entry - 1)))
		x->dialect = LAUNCH_OTHER;
	if (unsure && l->trains == 0)
		x->problem = LAUNCH_UNSURE;
	for (size_t i = entry + 1; i < w->n; i++) {
		s = walk_word(w, i);
		if (s != NULL && strcmp(s, "--") == 0)
			x->problem = LAUNCH_DASHDASH;
	}
}

/* The Python file that word i names starts no training by its name: 1 when
 * its line says that it does. */
static int
walk_other(struct walk *w, size_t first, size_t i, enum launch_starter starter)
{
	struct launches *l = w->l;
	const struct launch_text *t = w->text;
	const struct shval_call *c = walk_own(w), *up;
	const struct shcmd *cmd = c->source->cmd;
	const struct shnode *n = &cmd->node[c->node];
	size_t line = shcmd_line(cmd, n->off);
	if (l->trains >= line && l->trains <= shcmd_line(cmd, n->end - 1)) {
		walk_launch(w, first, i, starter, CLASS_TRAINING, 0);
		return 1;
	}
	if (w->call->dead)
		return 0;
	for (c = w->call;
	     c->source->cmd != l->cmd && (up = launch_above(c, &t)) != NULL;
	     c = up)
		launch_seen(l, up->source->cmd)->calls[up->node]++;
	l->other =
	    mem_more(l->other, l->nother, &l->capother, sizeof *l->other);
	l->other[l->nother++] = (struct launch_other){ &w->argv[first],
		&w->argv[i], w->n - first, line };
	return 0;
}

/* The entry behind a launcher: the first word that names a Python file. */
int
walk_entry(struct walk *w, size_t first, size_t i, enum launch_starter starter)
{
	size_t unknown = 0;

	for (; i < w->n; i++) {
		int unsure = 0;
		const char *s = walk_word(w, i);
		const struct launch_program *p = walk_program(w, i);
		enum launch_class class = walk_class(w, i, &unsure);
		if (p != NULL && p->kind == KIND_SHELL && s != NULL)
			return walk_command(w, i);
		if (s != NULL && strcmp(s, "-m") == 0) {
			s = walk_word(w, i + 1);
			if (s == NULL || launch_module_class(s) != CLASS_OTHER)
				return 0;
			walk_launch(w, first, i + 1, starter, CLASS_OTHER, 0);
			return 1;
		}
		if (class != CLASS_NONE) {
			walk_launch(w, first, i, starter, class, unsure);
			return 1;
		}
		s = walk_name(w, i);
		if (s != NULL && walk_ends(s, ".py"))
			return walk_other(w, first, i, starter);
		if (s != NULL && walk_ends(s, ".sh") &&
		    starter == LAUNCH_TORCHRUN)
			return walk_script(w, &w->argv[i], i + 1);
		if (s == NULL && unknown == 0)
			unknown = i;
	}
	if (unknown != 0 && starter != LAUNCH_PYTHON &&
	    (walk_word(w, first) != NULL ||
		launch_tail(w->l, &w->argv[first]) != NULL))
		return walk_other(w, first, unknown, starter);
	return 0;
}

int
walk_module(struct walk *w, size_t first, size_t i)
{
	const char *s = walk_word(w, i);
	int starter = s == NULL ? -1 : launch_module_starter(s);

	if (starter >= 0)
		return walk_entry(
		    w, first, i + 1, (enum launch_starter)starter);
	if (s == NULL || launch_module_class(s) != CLASS_OTHER)
		return 0;
	walk_launch(w, first, i, LAUNCH_PYTHON, CLASS_OTHER, 0);
	return 1;
}

int
walk_python(struct walk *w, const struct launch_program *p, size_t first)
{
	size_t i = first + 1;

	for (; i < w->n; i++) {
		const char *s = walk_word(w, i);
		if (s == NULL || s[0] != '-')
			break;
		if (s[1] == '\0' || strcmp(s, "-c") == 0)
			return 0;
		if (strcmp(s, "-m") == 0)
			return walk_module(w, first, i + 1);
		if (launch_listed(p->valued, s))
			i++;
	}
	return walk_entry(w, first, i, LAUNCH_PYTHON);
}
