#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "path.h"
#include "shwalk.h"

/* cd, pushd, popd, set, shopt: the state of the shell itself. */

void
shcd_go(struct shval_run *w, const struct shval *dir)
{
	const struct shvar *pwd = shvar_find(w, "PWD", 3);

	shvar_set(w, "OLDPWD", 6,
	    shvar_isset(pwd) == 1 ? shvar_scalar(w, pwd)
				  : shval_vague(w, SHVAL_LIMIT, "PWD"),
	    0);
	shloc_set(w, &w->cwd, dir);
	shvar_set(w, "PWD", 3, dir, 0);
}

/* Where one alternative of the argument leads. */
static const struct shval *
destination(struct shval_run *w, const struct shval *arg)
{
	const struct shval *slash = shval_string(w, "/", 1, shval_nowhere);
	struct buf b = { 0 }, folded = { 0 };
	const struct shval *v = arg;
	size_t n;
	const char *s = shval_head(w, arg, &n);

	if (s == NULL || n == 0 || s[0] != '/') {
		v = shval_concat(w, w->cwd.now, slash);
		v = shval_concat(w, v, arg);
	}
	if (shval_known(v, &b)) {
		path_fold(&folded, b.s ? b.s : "/");
		while (folded.len > 1 && folded.s[folded.len - 1] == '/')
			folded.len--;
		v = shval_string(w, shwalk_dup(w, folded.s, folded.len),
		    folded.len,
		    arg->npiece > 0 ? arg->piece[0].from : shval_nowhere);
	}
	buf_free(&b);
	buf_free(&folded);
	return v;
}

static int
is_directory(struct shval_run *w, const struct shval *v)
{
	struct buf b = { 0 };
	int r = -1;

	if (shwalk_path(w, v, &b))
		r = shtest_file(w, 'd', b.s);
	buf_free(&b);
	return r;
}

static int
change(struct shval_run *w, const struct shval *arg)
{
	const struct shval *to = NULL, *cdpath;
	int there = 1;

	for (const struct shval *a = arg; a != NULL; a = a->alt) {
		struct shval *one = shval_make(w, a->piece, a->npiece);
		if (shval_isempty(one) == 1)
			return 0;
		const struct shval *d = destination(w, one);
		there &= is_directory(w, d) == 1 && is_directory(w, one) == 1;
		to = to == NULL ? d : shval_either(w, to, d);
	}
	cdpath = shvar_scalar(w, shvar_find(w, "CDPATH", 6));
	if (shval_isempty(cdpath) != 1) {
		to = shval_vague(w, SHVAL_LIMIT, "CDPATH");
		there = 0;
	}
	if (there) {
		shcd_go(w, to);
		return 0;
	}
	w->wish = to;
	return ST_UNKNOWN;
}

static void
push_dir(struct shval_run *w)
{
	struct shdirs *d = shwalk_alloc(w, sizeof(*d));

	*d = (struct shdirs){ w->cwd.now, w->dirs.now };
	shloc_set(w, &w->dirs, d);
}

static int
pop_dir(struct shval_run *w)
{
	const struct shdirs *d = w->dirs.now;

	if (d == NULL) {
		w->wish = shval_vague(w, SHVAL_LIMIT, "popd");
		return ST_UNKNOWN;
	}
	shloc_set(w, &w->dirs, d->next);
	shcd_go(w, d->dir);
	return 0;
}

static const struct shval *
named(struct shval_run *w, const char *name)
{
	const struct shvar *var = shvar_find(w, name, strlen(name));

	return shvar_isset(var) == 1 ? shvar_scalar(w, var)
				     : shval_vague(w, SHVAL_LIMIT, name);
}

int
shcd_run(struct shval_run *w, const struct shval *argv, size_t argc,
    const char *name)
{
	size_t i = 1, n;
	int physical = 0, status;

	if (w->out != NULL && name[0] == 'p')
		shout_value(w, shval_vague(w, SHVAL_LIMIT, name));
	for (; i < argc; i++) {
		const char *s = shval_cstr(w, &argv[i], &n);
		if (s == NULL || s[0] != '-' || n < 2)
			break;
		physical |= strchr(s, 'P') != NULL || s[1] == 'n';
		if (s[1] == '-') {
			i++;
			break;
		}
	}
	if (strcmp(name, "popd") == 0)
		return argc == 1
		    ? pop_dir(w)
		    : (w->wish = shval_vague(w, SHVAL_LIMIT, name), ST_UNKNOWN);
	if (i + 1 < argc && !argv[i + 1].split)
		return 1;
	const struct shval *arg = i < argc ? &argv[i] : NULL;
	if (arg == NULL && name[0] == 'p') {
		w->wish = shval_vague(w, SHVAL_LIMIT, name);
		return ST_UNKNOWN;
	}
	if (arg == NULL) {
		arg = named(w, "HOME");
	} else {
		const char *s = shval_cstr(w, arg, &n);
		if (s != NULL && strcmp(s, "-") == 0) {
			arg = named(w, "OLDPWD");
			if (w->out != NULL)
				shout_value(
				    w, shval_vague(w, SHVAL_LIMIT, name));
		} else if (s != NULL && name[0] == 'p' &&
		    (s[0] == '+' || s[0] == '-')) {
			arg = shval_vague(w, SHVAL_LIMIT, name);
		}
	}
	if (physical)
		arg = shval_vague(w, SHVAL_LIMIT, "cd -P");
	if (name[0] == 'p')
		push_dir(w);
	status = change(w, arg);
	if (name[0] == 'p' && status != 0)
		shloc_set(w, &w->dirs, NULL);
	return status;
}

static void
switch_option(struct shval_run *w, uint32_t flag, int on)
{
	const struct shopts *old = w->opts.now;
	struct shopts *o;

	if (flag == 0)
		return;
	o = shwalk_alloc(w, sizeof(*o));
	*o = *old;
	o->on = on ? o->on | flag : o->on & ~flag;
	o->vague &= ~flag;
	shloc_set(w, &w->opts, o);
}

static uint32_t
option_named(const char *s)
{
	static const struct {
		const char *name;
		uint32_t flag;
	} names[] = { { "errexit", OPT_ERREXIT }, { "nounset", OPT_NOUNSET },
		{ "noglob", OPT_NOGLOB }, { "pipefail", OPT_PIPEFAIL },
		{ "allexport", OPT_ALLEXPORT }, { "extglob", OPT_EXTGLOB },
		{ "nocasematch", OPT_NOCASEMATCH },
		{ "lastpipe", OPT_LASTPIPE }, { "nullglob", OPT_NULLGLOB },
		{ "inherit_errexit", OPT_INHERIT },
		{ "errtrace", OPT_ERRTRACE }, { "functrace", OPT_FUNCTRACE },
		{ "expand_aliases", OPT_ALIASES } };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i].name, s) == 0)
			return names[i].flag;
	}
	return 0;
}

static uint32_t
option_letter(char c)
{
	switch (c) {
	case 'e': return OPT_ERREXIT;
	case 'u': return OPT_NOUNSET;
	case 'E': return OPT_ERRTRACE;
	case 'T': return OPT_FUNCTRACE;
	case 'f': return OPT_NOGLOB;
	case 'a': return OPT_ALLEXPORT;
	default: return 0;
	}
}

static void
set_args(struct shval_run *w, const struct shval *v, size_t n)
{
	struct shargs *a = shwalk_alloc(w, sizeof(*a));
	size_t k = 0;

	while (k < n && !v[k].split)
		k++;
	*a = (struct shargs){ v, k, k < n };
	shloc_set(w, &w->args, a);
}

int
shset_run(struct shval_run *w, const struct shval *argv, size_t argc)
{
	size_t i = 1, n;

	if (argc == 1 && w->out != NULL)
		shout_value(w, shval_vague(w, SHVAL_LIMIT, "set"));
	for (; i < argc; i++) {
		const char *s =
		    argv[i].split ? NULL : shval_cstr(w, &argv[i], &n);
		if (s == NULL || (s[0] != '-' && s[0] != '+') || n == 0)
			break;
		if (n == 1 || strcmp(s, "--") == 0) {
			if (n > 1 || i + 1 < argc)
				set_args(w, argv + i + 1, argc - i - 1);
			return 0;
		}
		for (const char *p = s + 1; *p != '\0'; p++) {
			switch_option(w, option_letter(*p), s[0] == '-');
			if (*p != 'o' || i + 1 >= argc)
				continue;
			const char *o = shval_cstr(w, &argv[++i], &n);
			if (o != NULL)
				switch_option(w, option_named(o), s[0] == '-');
		}
	}
	if (i < argc)
		set_args(w, argv + i, argc - i);
	return 0;
}

int
shshopt_run(struct shval_run *w, const struct shval *argv, size_t argc)
{
	int on = -1;
	size_t n;

	for (size_t i = 1; i < argc; i++) {
		const char *s = shval_cstr(w, &argv[i], &n);
		if (s == NULL)
			continue;
		if (s[0] == '-') {
			if (strchr(s, 's') != NULL)
				on = 1;
			if (strchr(s, 'u') != NULL)
				on = 0;
		} else if (on >= 0) {
			switch_option(w, option_named(s), on);
		}
	}
	if (on < 0 && w->out != NULL)
		shout_value(w, shval_vague(w, SHVAL_COMMAND, "shopt"));
	return on < 0 ? ST_UNKNOWN : 0;
}
