#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "io.h"
#include "path.h"
#include "shwalk.h"

void
shout_value(struct shval_run *w, const struct shval *v)
{
	struct shout *o = w->out;

	if (v->split && v->alt == NULL && v->words == NULL) {
		struct shval one = *v;
		one.split = 0;
		o->v = o->v ? shval_concat(w, o->v, &one)
			    : shval_make(w, v->piece, v->npiece);
		return;
	}
	if (v->split)
		v = shval_vague(w, SHVAL_BRANCH, "");
	o->v = o->v != NULL ? shval_concat(w, o->v, v) : v;
}

void
shout_text(struct shval_run *w, const char *s, size_t n)
{
	shout_value(w, shval_string(w, s, n, shval_nowhere));
}

/* One alternative without the newlines at its end. */
static struct shval *
strip(struct shval_run *w, const struct shval *v, struct shval_from from)
{
	struct shval *r = shval_make(w, v->piece, v->npiece);
	struct shpiece *p;

	while (r->npiece > 0) {
		p = &r->piece[r->npiece - 1];
		if (p->why != SHVAL_KNOWN)
			break;
		int exact = p->from.end - p->from.off == p->len;
		while (p->len > 0 && p->s[p->len - 1] == '\n') {
			p->len--;
			p->from.end -= exact != 0;
		}
		if (p->len > 0)
			break;
		r->npiece--;
	}
	for (size_t i = 0; i < r->npiece; i++) {
		if (r->piece[i].from.source == NULL)
			r->piece[i].from = from;
	}
	return r;
}

/* set -e does not hold in a command substitution. */
static int
inside(struct shval_run *w, uint32_t list)
{
	const struct shopts *o = w->opts.now;
	struct shopts *without;
	size_t mark;
	int status;

	if (!((o->on | o->vague) & OPT_ERREXIT) || (o->on & OPT_INHERIT))
		return shwalk_subshell(w, list);
	mark = shmark_open(w);
	without = shwalk_alloc(w, sizeof(*without));
	*without = *o;
	without->on &= ~(uint32_t)OPT_ERREXIT;
	shloc_set(w, &w->opts, without);
	status = shwalk_subshell(w, list);
	shmark_undo(w, mark);
	shmark_close(w, mark);
	return status;
}

void
shsubst_expand(struct shval_run *w, uint32_t node, int quoted)
{
	const struct shcmd *c = w->src->cmd;
	const struct shnode *n = &c->node[node];
	uint32_t list = shnode_child(c, node);
	struct shval_from from = { w->src, n->off, n->end };
	struct shout out = { 0 }, *was = w->out;
	const struct shval *r = NULL;
	char first = c->text[n->off];
	const struct shopts *o = w->opts.now;
	int unsure = w->unsure, cond = w->cond, bq = w->backquotes,
	    bqdq = w->backquoted;

	if (list == SH_NONE || (first == '$' && c->text[n->off + 1] == '{')) {
		shitem_vague(w, SHVAL_LIMIT, "", from, quoted);
		return;
	}
	w->out = first == '<' || first == '>' ? NULL : &out;
	w->cond = 0;
	w->backquotes += first != '$' && first != '<' && first != '>';
	if (w->backquotes != bq)
		w->backquoted = quoted;
	int status = inside(w, list);
	w->cond = cond;
	w->backquotes = bq;
	w->backquoted = bqdq;
	w->out = was;
	if (first == '<' || first == '>') {
		shitem_vague(w, SHVAL_CHANGES, "/dev/fd", from, 1);
		return;
	}
	w->substat = status;
	if (w->noisy == 1 && ((o->on | o->vague) & OPT_ERRTRACE))
		out.lost |= w->unsure != unsure;
	if (w->noisy > 1 && ((o->on | o->vague) & OPT_FUNCTRACE))
		out.lost = 1;
	if (out.lost)
		out.v = shval_vague(w, SHVAL_BRANCH, "");
	for (const struct shval *v = out.v; v != NULL; v = v->alt) {
		const struct shval *s = strip(w, v, from);
		r = r == NULL ? s : shval_either(w, r, s);
	}
	if (r != NULL)
		shitem_value(w, r, quoted);
}

void
shout_echo(struct shval_run *w, const struct shval *v, size_t n)
{
	int newline = 1, escapes = 0;
	size_t len;

	for (; n > 0; v++, n--) {
		const char *s = v->split ? NULL : shval_cstr(w, v, &len);
		if (s == NULL || len < 2 || s[0] != '-' ||
		    strspn(s + 1, "neE") != len - 1)
			break;
		if (strchr(s, 'n') != NULL)
			newline = 0;
		if (strchr(s, 'e') != NULL)
			escapes = 1;
	}
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			shout_text(w, " ", 1);
		const char *s = escapes ? shval_cstr(w, &v[i], &len) : "";
		if (s == NULL || (escapes && memchr(s, '\\', len) != NULL))
			shout_value(w, shval_vague(w, SHVAL_LIMIT, "echo"));
		else
			shout_value(w, &v[i]);
	}
	if (newline)
		shout_text(w, "\n", 1);
}

/* --- programs whose output is known --- */

struct program {
	const struct shval *argv;
	size_t argc;
	const struct shval_call *call;
};

static int
vague(struct shval_run *w, enum shval_why why, const char *name)
{
	shout_value(w, shval_vague(w, why, shwalk_dup(w, name, strlen(name))));
	return ST_UNKNOWN;
}

/* A line of text that came from a value. */
static void
line(struct shval_run *w, const char *s, size_t n, const struct shval *from)
{
	shout_value(w,
	    shval_string(w, shwalk_dup(w, s, n), n,
		from->npiece > 0 ? from->piece[0].from : shval_nowhere));
	shout_text(w, "\n", 1);
}

static const struct shval *
dirname_one(struct shval_run *w, const struct shval *v)
{
	struct buf b = { 0 };
	size_t n;
	const char *s = shval_cstr(w, v, &n);
	const struct shval *r;

	if (s == NULL)
		return shval_vague(w, SHVAL_COMMAND, "dirname");
	path_dir(&b, s);
	r = b.len <= n && memcmp(b.s, s, b.len) == 0
	    ? shval_slice(w, v, 0, b.len)
	    : shval_string(w, shwalk_dup(w, b.s, b.len), b.len,
		  v->npiece > 0 ? v->piece[0].from : shval_nowhere);
	buf_free(&b);
	return r;
}

static const struct shval *
basename_one(struct shval_run *w, const struct shval *v, const char *suffix)
{
	size_t n, from, k = strlen(suffix);
	const char *s = shval_cstr(w, v, &n);

	if (s == NULL)
		return shval_vague(w, SHVAL_COMMAND, "basename");
	while (n > 1 && s[n - 1] == '/')
		n--;
	for (from = n; from > 0 && s[from - 1] != '/'; from--)
		continue;
	if (n == 1 && s[0] == '/')
		from = 0;
	if (k > 0 && n - from > k && memcmp(s + n - k, suffix, k) == 0)
		n -= k;
	return shval_slice(w, v, from, n);
}

static const struct shval *
resolve_one(struct shval_run *w, const struct shval *v, const char *name)
{
	struct buf b = { 0 }, dir = { 0 };
	char real[PATH_MAX];
	const struct shval *r = NULL;
	int ok = shwalk_path(w, v, &b) && w->env->root == NULL &&
	    !shfiles_changed(w, b.s, FILES_REMOVED);

	if (ok && realpath(b.s, real) == NULL) {
		path_dir(&dir, b.s);
		const char *base = path_base(b.s);
		size_t n;
		ok = !shfiles_changed(w, b.s, FILES_MADE) && base[0] != '.' &&
		    strchr(base, '/') == NULL && realpath(dir.s, real) != NULL;
		n = ok ? strlen(real) : 0;
		if (ok && n + strlen(base) + 2 < sizeof(real))
			snprintf(real + n, sizeof(real) - n, "%s%s",
			    n > 1 ? "/" : "", base);
		else
			ok = 0;
	}
	if (ok)
		r = shval_string(w, shwalk_dup(w, real, strlen(real)),
		    strlen(real),
		    v->npiece > 0 ? v->piece[0].from : shval_nowhere);
	buf_free(&b);
	buf_free(&dir);
	return r != NULL ? r : shval_vague(w, SHVAL_COMMAND, name);
}

/* The one path argument behind options that do not matter; NULL. */
static const struct shval *
path_argument(struct shval_run *w, const struct program *p, const char *allowed,
    int needed)
{
	size_t i = 1, n;
	int seen = 0;

	for (; i < p->argc; i++) {
		const char *s = shval_cstr(w, &p->argv[i], &n);
		if (p->argv[i].split)
			return NULL;
		if (s == NULL || s[0] != '-' || n == 1)
			break;
		if (strcmp(s, "--") == 0) {
			i++;
			break;
		}
		if (strspn(s + 1, allowed) != n - 1)
			return NULL;
		seen = 1;
	}
	if (i + 1 != p->argc || p->argv[i].split || (needed && !seen))
		return NULL;
	return &p->argv[i];
}

static int
do_path(struct shval_run *w, const struct program *p, const char *name)
{
	const struct shval *arg, *r = NULL, *suffix = NULL;
	struct program cut = *p;
	size_t n;
	const char *s = "";
	int link = strcmp(name, "readlink") == 0;

	if (name[0] == 'b' && p->argc == 3) {
		cut.argc = 2;
		suffix = &p->argv[2];
		s = suffix->split ? NULL : shval_cstr(w, suffix, &n);
	}
	arg = path_argument(w, &cut, name[0] == 'r' ? "fqe" : "", link);
	if (arg == NULL || s == NULL)
		return vague(w, SHVAL_COMMAND, name);
	for (const struct shval *v = arg; v != NULL; v = v->alt) {
		struct shval one = *v;
		one.alt = NULL;
		const struct shval *x = name[0] == 'd' ? dirname_one(w, &one)
		    : name[0] == 'b' ? basename_one(w, &one, s)
				     : resolve_one(w, &one, name);
		r = r == NULL ? x : shval_either(w, r, x);
	}
	shout_value(w, r);
	shout_text(w, "\n", 1);
	return shval_unknown(r) == NULL ? 0 : ST_UNKNOWN;
}

static int
do_hostname(struct shval_run *w, const struct program *p, const char *name)
{
	char s[256];

	if (p->argc > 1 || gethostname(s, sizeof(s) - 1) != 0)
		return vague(w, SHVAL_COMMAND, name);
	s[sizeof(s) - 1] = '\0';
	line(w, s, strlen(s), &shval_empty);
	return 0;
}

static int
do_uname(struct shval_run *w, const struct program *p, const char *name)
{
	struct utsname u;
	size_t n;
	const char *s = p->argc == 2 ? shval_cstr(w, &p->argv[1], &n) : "-s";

	if (p->argc > 2 || s == NULL || uname(&u) != 0 || strlen(s) != 2)
		return vague(w, SHVAL_COMMAND, name);
	const char *r = s[1] == 'm' ? u.machine
	    : s[1] == 's'           ? u.sysname
	    : s[1] == 'n'           ? u.nodename
	    : s[1] == 'r'           ? u.release
				    : NULL;
	if (r == NULL)
		return vague(w, SHVAL_COMMAND, name);
	line(w, r, strlen(r), &shval_empty);
	return 0;
}

static int
do_nproc(struct shval_run *w, const struct program *p, const char *name)
{
	struct buf b = { 0 };
	const char *s = NULL;
	char text[16];
	int n = 0;

	if (p->argc == 1 &&
	    shvar_isset(shvar_find(w, "OMP_NUM_THREADS", 15)) == 0 &&
	    shvar_isset(shvar_find(w, "OMP_THREAD_LIMIT", 16)) == 0 &&
	    io_slurp_file("/proc/self/status", &b, 1 << 16) == 0 && b.s)
		s = strstr(b.s, "Cpus_allowed:");
	for (s = s ? s + 13 : ""; *s != '\0' && *s != '\n'; s++) {
		const char *at = strchr("0123456789abcdef", *s);
		for (long k = at ? at - "0123456789abcdef" : 0; k > 0; k >>= 1)
			n += (int)(k & 1);
	}
	buf_free(&b);
	if (n == 0)
		return vague(w, SHVAL_COMMAND, name);
	line(w, text, (size_t)snprintf(text, sizeof(text), "%d", n),
	    &shval_empty);
	return 0;
}

static int
do_seq(struct shval_run *w, const struct program *p, const char *name)
{
	long v[3] = { 1, 1, 1 }, k[3];
	size_t n, count = p->argc - 1;
	char text[32];

	for (size_t i = 0; i < count && count <= 3; i++) {
		char *end;
		const char *s = p->argv[i + 1].split
		    ? NULL
		    : shval_cstr(w, &p->argv[i + 1], &n);
		if (s == NULL || n == 0 || n > 9)
			return vague(w, SHVAL_COMMAND, name);
		k[i] = strtol(s, &end, 10);
		if (*end != '\0' || (s[0] == '0' && n > 1) || s[0] == '-')
			return vague(w, SHVAL_COMMAND, name);
	}
	if (count < 1 || count > 3)
		return vague(w, SHVAL_COMMAND, name);
	v[2] = k[count - 1];
	if (count > 1)
		v[0] = k[0];
	if (count > 2)
		v[1] = k[1];
	if (v[1] <= 0 || (v[2] - v[0]) / v[1] > 1024)
		return vague(w, SHVAL_COMMAND, name);
	for (; v[0] <= v[2]; v[0] += v[1])
		line(w, text, (size_t)snprintf(text, sizeof(text), "%ld", v[0]),
		    &shval_empty);
	return 0;
}

/* cat of a here-document alone. */
static int
do_cat(struct shval_run *w, const struct program *p, const char *name)
{
	const struct shcmd *c = p->call->source->cmd;
	const struct shnode *n = &c->node[p->call->node];
	int op = n->nredir == 1 ? c->redir[n->redir].op : OP_NONE;

	if (p->argc != 1 ||
	    (op != OP_DLESS && op != OP_DLESSDASH && op != OP_TLESS))
		return shfilter_run(w, p->call, p->argv, p->argc, name)
		    ? 0
		    : vague(w, SHVAL_COMMAND, name);
	shout_value(w, &p->call->redir[0]);
	if (op == OP_TLESS)
		shout_text(w, "\n", 1);
	return 0;
}

static int
do_changes(struct shval_run *w, const struct program *p, const char *name)
{
	(void)p;
	return vague(w, SHVAL_CHANGES, name);
}

enum {
	PURE = 0,
	MAKES = FILES_MADE, /* anything */
	REMOVES = FILES_REMOVED,
	NAMED = 4 /* only what its arguments name */
};
typedef int program_fn(
    struct shval_run *, const struct program *, const char *);

/* What programs do to files, and what they print. Others may do anything. */
static const struct {
	const char *name;
	program_fn *fn;
	int does;
} programs[] = { { "awk", NULL, PURE }, { "basename", do_path, PURE },
	{ "cat", do_cat, PURE }, { "chmod", NULL, PURE },
	{ "chown", NULL, PURE }, { "cmp", NULL, PURE },
	{ "cp", NULL, MAKES | NAMED }, { "curl", NULL, MAKES },
	{ "cut", NULL, PURE }, { "date", do_changes, PURE },
	{ "df", NULL, PURE }, { "diff", NULL, PURE },
	{ "dirname", do_path, PURE }, { "du", NULL, PURE },
	{ "egrep", NULL, PURE }, { "expr", NULL, PURE },
	{ "fgrep", NULL, PURE }, { "free", NULL, PURE },
	{ "getconf", NULL, PURE }, { "grep", NULL, PURE },
	{ "head", NULL, PURE }, { "hostname", do_hostname, PURE },
	{ "id", NULL, PURE }, { "ip", NULL, PURE }, { "lscpu", NULL, PURE },
	{ "ls", NULL, PURE }, { "ln", NULL, MAKES | NAMED },
	{ "mkdir", NULL, MAKES | NAMED }, { "mktemp", do_changes, PURE },
	{ "mpirun", NULL, MAKES }, { "mv", NULL, MAKES | REMOVES | NAMED },
	{ "msrun", NULL, MAKES }, { "nproc", do_nproc, PURE },
	{ "npu-smi", NULL, PURE }, { "pgrep", NULL, PURE },
	{ "pip", NULL, PURE }, { "pip3", NULL, PURE }, { "pkill", NULL, PURE },
	{ "ps", NULL, PURE }, { "pwd", NULL, PURE }, { "python", NULL, MAKES },
	{ "python3", NULL, MAKES }, { "readlink", do_path, PURE },
	{ "realpath", do_path, PURE }, { "rm", NULL, REMOVES | NAMED },
	{ "rmdir", NULL, REMOVES | NAMED }, { "seq", do_seq, PURE },
	{ "sleep", NULL, PURE }, { "sort", NULL, PURE }, { "stat", NULL, PURE },
	{ "tail", NULL, PURE }, { "tee", NULL, MAKES | NAMED },
	{ "torchrun", NULL, MAKES }, { "touch", NULL, MAKES | NAMED },
	{ "tr", NULL, PURE }, { "uname", do_uname, PURE },
	{ "uniq", NULL, PURE }, { "unzip", NULL, MAKES },
	{ "uuidgen", do_changes, PURE }, { "wc", NULL, PURE },
	{ "wget", NULL, MAKES }, { "which", NULL, PURE },
	{ "whoami", NULL, PURE }, { "xargs", NULL, MAKES | REMOVES } };

int
shsubst_program(struct shval_run *w, const struct shval_call *call,
    const struct shval *argv, size_t argc, const char *name)
{
	const struct program p = { argv, argc, call };
	const char *base = path_base(name);

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		if (programs[i].name[0] != base[0] ||
		    strcmp(programs[i].name, base) != 0)
			continue;
		if (programs[i].does & NAMED)
			shfiles_arguments(
			    w, argv, argc, programs[i].does & ~NAMED);
		else
			w->touches |= programs[i].does;
		if (w->out == NULL)
			return ST_UNKNOWN;
		if (programs[i].fn != NULL)
			return programs[i].fn(w, &p, base);
		if (shfilter_run(w, call, argv, argc, base))
			return 0;
		return vague(w, SHVAL_COMMAND, base);
	}
	w->touches = MAKES | REMOVES;
	if (w->out != NULL)
		return vague(w, SHVAL_COMMAND, base);
	return ST_UNKNOWN;
}
