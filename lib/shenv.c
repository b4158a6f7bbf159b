#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shwalk.h"

/* What bash gives a value of its own. */
enum own {
	OWN_CHANGES, /* another at each run */
	OWN_COMMAND, /* depends on the shell or the system */
	OWN_DEFAULT /* only where the environment has none */
};
static const struct {
	const char *name;
	enum own own;
	int dynamic;
	const char *value; /* NULL: not known */
} owns[] = {
	{ "RANDOM", OWN_CHANGES, 1, NULL },
	{ "SRANDOM", OWN_CHANGES, 1, NULL },
	{ "SECONDS", OWN_CHANGES, 1, NULL },
	{ "EPOCHSECONDS", OWN_CHANGES, 1, NULL },
	{ "EPOCHREALTIME", OWN_CHANGES, 1, NULL },
	{ "PPID", OWN_CHANGES, 1, NULL },
	{ "LINENO", OWN_COMMAND, 1, NULL },
	{ "PIPESTATUS", OWN_COMMAND, 1, NULL },
	{ "GROUPS", OWN_COMMAND, 1, NULL },
	{ "DIRSTACK", OWN_COMMAND, 1, NULL },
	{ "HISTCMD", OWN_COMMAND, 1, NULL },
	{ "COMP_WORDBREAKS", OWN_COMMAND, 1, NULL },
	{ "SHELLOPTS", OWN_COMMAND, 1, NULL },
	{ "FUNCNAME", OWN_COMMAND, 1, NULL },
	{ "_", OWN_COMMAND, 1, NULL },
	{ "SHLVL", OWN_COMMAND, 0, NULL },
	{ "IFS", OWN_COMMAND, 0, " \t\n" },
	{ "OPTIND", OWN_COMMAND, 0, "1" },
	{ "OPTERR", OWN_COMMAND, 0, "1" },
	{ "PS4", OWN_DEFAULT, 0, "+ " },
	{ "TERM", OWN_DEFAULT, 0, "dumb" },
	{ "PATH", OWN_DEFAULT, 0, NULL },
	{ "SHELL", OWN_DEFAULT, 0, NULL },
	{ "HOSTTYPE", OWN_DEFAULT, 0, NULL },
	{ "OSTYPE", OWN_DEFAULT, 0, NULL },
	{ "MACHTYPE", OWN_DEFAULT, 0, NULL },
	{ "LINES", OWN_DEFAULT, 0, NULL },
	{ "COLUMNS", OWN_DEFAULT, 0, NULL },
};

/* The bit of a name, of which names from outside may be one. */
static unsigned char *
outside(struct shval_run *w, const char *name, size_t len, unsigned *bit)
{
	uint32_t h = shname_hash(name, len);

	*bit = 1U << h % 8;
	return &w->outside[h / 8 % sizeof(w->outside)];
}

static void
outside_add(struct shval_run *w, const char *name, size_t len)
{
	unsigned bit;
	unsigned char *byte = outside(w, name, len, &bit);

	*byte = (unsigned char)(*byte | bit);
}

void
shenv_start(struct shval_run *w)
{
	static const char *const named[] = { "PWD", "OLDPWD", "UID", "EUID",
		"HOSTNAME", "PS1", "PS2" };

	for (char *const *e = w->env->environ; e != NULL && *e != NULL; e++)
		outside_add(w, *e, strcspn(*e, "="));
	for (size_t i = 0; i < sizeof(owns) / sizeof(owns[0]); i++)
		outside_add(w, owns[i].name, strlen(owns[i].name));
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		outside_add(w, named[i], strlen(named[i]));
}

static const char *
environ_find(const struct shval_env *env, const char *name, size_t len)
{
	const char *v = NULL;

	for (char *const *e = env->environ; e != NULL && *e != NULL; e++) {
		if ((*e)[0] == name[0] && strncmp(*e, name, len) == 0 &&
		    (*e)[len] == '=')
			v = *e + len + 1;
	}
	return v;
}

int
shenv_function(struct shval_run *w, const char *name)
{
	size_t n = strlen(name);

	for (char *const *e = w->env->environ; e != NULL && *e != NULL; e++) {
		if ((*e)[0] == 'B' && strncmp(*e, "BASH_FUNC_", 10) == 0 &&
		    strncmp(*e + 10, name, n) == 0 &&
		    (n == 0 || strncmp(*e + 10 + n, "%%=", 3) == 0))
			return 1;
	}
	return 0;
}

static const struct shvar *
from_environ(struct shval_run *w, const char *value)
{
	size_t n = strlen(value);
	const struct shval *v = shval_string(w, value, n, shval_nowhere);
	struct shvar *var = shvar_scalar_new(w, v, VAR_EXPORT);

	var->stamp = 0;
	return var;
}

static const struct shval *
host_name(struct shval_run *w)
{
	char s[256];

	if (gethostname(s, sizeof(s) - 1) != 0)
		return shval_vague(w, SHVAL_COMMAND, "hostname");
	s[sizeof(s) - 1] = '\0';
	return shval_string(
	    w, shwalk_dup(w, s, strlen(s)), strlen(s), shval_nowhere);
}

static const struct shval *
own_value(struct shval_run *w, const struct shslot *slot, size_t i)
{
	if (owns[i].value != NULL)
		return shval_string(
		    w, owns[i].value, strlen(owns[i].value), shval_nowhere);
	return shval_vague(w,
	    owns[i].own == OWN_CHANGES ? SHVAL_CHANGES : SHVAL_COMMAND,
	    slot->name);
}

static const struct shval *
by_name(struct shval_run *w, const struct shslot *slot, const char *env)
{
	const char *n = slot->name;
	struct stat st;

	if (strcmp(n, "PWD") == 0)
		return w->start;
	if (strcmp(n, "OLDPWD") == 0)
		return env && (stat(env, &st) != 0 || !S_ISDIR(st.st_mode))
		    ? &shval_unset_value
		    : NULL;
	if (strcmp(n, "UID") == 0)
		return shval_number(w, (long long)getuid(), shval_nowhere);
	if (strcmp(n, "EUID") == 0)
		return shval_number(w, (long long)geteuid(), shval_nowhere);
	if (strcmp(n, "HOSTNAME") == 0 && env == NULL)
		return host_name(w);
	if (strcmp(n, "PS1") == 0 || strcmp(n, "PS2") == 0)
		return &shval_unset_value;
	if (strncmp(n, "BASH", 4) == 0 && strcmp(n, "BASH_ENV") != 0 &&
	    (env == NULL || n[4] == '\0' || n[4] == '_'))
		return shval_vague(w, SHVAL_COMMAND, n);
	return NULL;
}

const struct shvar *
shenv_import(struct shval_run *w, struct shslot *slot)
{
	static const struct shvar unset = { &shval_unset_value, NULL, 0, 0, 0,
		0 };
	const struct shval *v;
	struct shvar *var;
	unsigned bit;

	if ((*outside(w, slot->name, slot->len, &bit) & bit) == 0 &&
	    slot->name[0] != 'B')
		return &unset;
	const char *env = environ_find(w->env, slot->name, slot->len);
	for (size_t i = 0; i < sizeof(owns) / sizeof(owns[0]); i++) {
		if (slot->name[0] != owns[i].name[0] ||
		    strcmp(slot->name, owns[i].name) != 0)
			continue;
		if (env != NULL && owns[i].own == OWN_DEFAULT)
			break;
		var = shvar_scalar_new(w, own_value(w, slot, i),
		    owns[i].dynamic ? VAR_DYNAMIC | VAR_MAYBE : 0);
		var->stamp = 0;
		return var;
	}
	v = by_name(w, slot, env);
	if (v == NULL && env != NULL)
		return from_environ(w, env);
	var = shvar_scalar_new(w, v ? v : &shval_unset_value, 0);
	if (strncmp(slot->name, "BASH_", 5) == 0)
		var->flags |= VAR_MAYBE;
	if (strcmp(slot->name, "PWD") == 0 || strcmp(slot->name, "OLDPWD") == 0)
		var->flags |= VAR_EXPORT;
	if (strcmp(slot->name, "UID") == 0 || strcmp(slot->name, "EUID") == 0)
		var->flags |= VAR_READONLY;
	var->stamp = 0;
	return var;
}
