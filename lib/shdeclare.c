#include <string.h>

#include "shwalk.h"

/* export, declare, typeset, local, readonly */

int
shdeclare_is(const char *s, size_t len)
{
	static const char names[][9] = { "export", "declare", "local",
		"readonly", "typeset" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) == len && memcmp(names[i], s, len) == 0)
			return 1;
	}
	return 0;
}

struct declare {
	uint32_t on, off;
	int local, function, print, global;
};

static void
option(struct declare *d, const char *s)
{
	static const struct {
		char c;
		uint32_t flag;
	} flags[] = { { 'x', VAR_EXPORT }, { 'r', VAR_READONLY },
		{ 'i', VAR_INTEGER }, { 'a', VAR_ARRAY }, { 'A', VAR_ASSOC },
		{ 'l', VAR_LOWER }, { 'u', VAR_UPPER }, { 'n', VAR_NAMEREF } };
	int off = s[0] == '+';

	for (s++; *s != '\0'; s++) {
		for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
			if (flags[i].c != *s)
				continue;
			if (off)
				d->off |= flags[i].flag;
			else
				d->on |= flags[i].flag;
		}
		if (*s == 'f' || *s == 'F')
			d->function = 1;
		if (*s == 'p')
			d->print = 1;
		if (*s == 'g')
			d->global = 1;
	}
}

static size_t
options(struct shval_run *w, const struct shval *argv, size_t argc,
    const char *name, struct declare *d)
{
	size_t i = 1, n;

	*d = (struct declare){ 0 };
	for (; i < argc; i++) {
		const char *s = shval_cstr(w, &argv[i], &n);
		if (s == NULL || (s[0] != '-' && s[0] != '+') || n < 2)
			break;
		if (strcmp(s, "--") == 0) {
			i++;
			break;
		}
		if (name[0] == 'e' && strchr(s, 'n') != NULL) {
			d->off |= VAR_EXPORT;
			continue;
		}
		option(d, s);
	}
	if (name[0] == 'e' && !(d->off & VAR_EXPORT))
		d->on |= VAR_EXPORT;
	if (name[0] == 'r')
		d->on |= VAR_READONLY;
	if (name[0] == 'd' || name[0] == 't' || name[0] == 'l')
		d->local = !d->global;
	return i;
}

/* declare -a 'x=(...)' is an array, too. */
static int
begins_paren(struct shval_run *w, const struct shval *v)
{
	size_t n;
	const char *s = shval_head(w, v, &n);

	return s != NULL && n > 0 && s[0] == '(';
}

static void
declare_one(struct shval_run *w, const struct shval_call *call,
    const struct shval *v, uint32_t word, const struct declare *d)
{
	const struct shword *x = &call->source->cmd->word[word];
	const struct shval *value;
	struct shassign a;
	size_t len;
	const char *s;
	int append, array = 0;

	if ((x->flags & SHW_ARRAY) && shassign_read(w, word, &a)) {
		array = 1;
		s = a.name;
		len = a.len;
		value = NULL;
	} else {
		s = shassign_text(w, v, &len, &value, &append);
	}
	if (len == 0)
		return;
	if (d->local)
		shvar_local(w, s, len);
	const struct shvar *was = shvar_find(w, s, len);
	if (((was->flags & VAR_ASSOC) && (d->on & VAR_ARRAY)) ||
	    ((was->flags & VAR_ARRAY) && (d->on & VAR_ASSOC)))
		return;
	uint32_t early = d->on & ~(uint32_t)(VAR_READONLY);
	if (array && !(early & VAR_ASSOC))
		early |= VAR_ARRAY;
	if (value != NULL && (early & VAR_NAMEREF)) {
		shvar_flag(w, s, len, 0, VAR_NAMEREF);
		shvar_set(w, s, len, value, append);
		value = NULL;
	}
	shvar_flag(w, s, len, early, d->off & ~(uint32_t)VAR_READONLY);
	if (array)
		shassign_run(w, word);
	else if (value != NULL && (early & (VAR_ARRAY | VAR_ASSOC)) &&
	    begins_paren(w, value))
		shvar_vague(w, s, len, SHVAL_LIMIT, "declare");
	else if (value != NULL)
		shvar_set(w, s, len, value, append);
	if (d->on & VAR_READONLY)
		shvar_flag(w, s, len, VAR_READONLY, 0);
}

static int
in_function(const struct shval_run *w)
{
	const struct shframe *f = w->frame;

	while (f != NULL && f->name == NULL)
		f = f->up;
	return f != NULL;
}

int
shdeclare_run(struct shval_run *w, const struct shval_call *call,
    const struct shval *argv, size_t argc, const char *name)
{
	struct declare d;
	size_t i = options(w, argv, argc, name, &d);
	size_t shift = (size_t)(argv - call->argv);

	if (name[0] == 'l' && !in_function(w))
		return 1;
	if (d.function || d.print) {
		if (w->out != NULL)
			shout_value(w, shval_vague(w, SHVAL_LIMIT, name));
		return d.function && !d.print ? 0 : ST_UNKNOWN;
	}
	if (i == argc && w->out != NULL)
		shout_value(w, shval_vague(w, SHVAL_LIMIT, name));
	for (; i < argc; i++) {
		if (argv[i].split) {
			shwalk_clobber(w, SHVAL_COMMAND, "", 0, NULL);
			continue;
		}
		declare_one(w, call, &argv[i], call->argword[i + shift], &d);
	}
	return 0;
}

static void
unset_elem(struct shval_run *w, const char *s, size_t len)
{
	shvar_vague(w, s, len, SHVAL_LIMIT, shwalk_dup(w, s, len));
}

int
shunset_run(struct shval_run *w, const struct shval *argv, size_t argc)
{
	int function = 0, variable = 0;

	for (size_t i = 1; i < argc; i++) {
		size_t n;
		const char *s = shval_cstr(w, &argv[i], &n), *sub;
		if (s == NULL) {
			shwalk_clobber(w, SHVAL_BRANCH, "", 0, NULL);
			continue;
		}
		if (s[0] == '-') {
			function |= s[1] == 'f';
			variable |= s[1] == 'v';
			continue;
		}
		if ((sub = memchr(s, '[', n)) != NULL) {
			unset_elem(w, s, (size_t)(sub - s));
			continue;
		}
		if (!shname_valid(s, n))
			continue;
		struct shslot *slot = shslot_get(w, s, n);
		if (function ||
		    (!variable && slot->func.now != NULL &&
			shvar_isset(shvar_get(w, slot)) == 0))
			shloc_set(w, &slot->func, NULL);
		else if (!function)
			shvar_unset(w, s, n);
	}
	return 0;
}
