#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io.h"
#include "path.h"
#include "shwalk.h"

/* Files and programs whose effect on variables is known without reading. */
static const char *const cann_names[] = { "PATH", "LD_LIBRARY_PATH",
	"PYTHONPATH", "CMAKE_PREFIX_PATH", "LD_PRELOAD", "ASCEND_*", "CANN_*",
	"TOOLCHAIN_*", "ATB_*", "ASDOPS_*", "LCAL_*", "LCCL_*", "MKI_*",
	"HCCL_*", "TBE_*", "ACL_*", "OPP_*", "TIK_*", "BISHENG_*", "DDK_*",
	"NPU_*", "MINDIE_*", "MIES_*", "path", "arch", "arg", "arg_num",
	"atb_path", "cxx_abi", "cur_*", "curpath", "lib_path", "param_*",
	"_ascend*", "dir", "pkg", NULL };
static const char *const python_names[] = { "PATH", "VIRTUAL_ENV*", "PS1",
	"PYTHONHOME", "_OLD_*", "CONDA_*", "_CE_*", "__conda_*", "_CONDA_*",
	"LD_LIBRARY_PATH", "MAMBA_*", "GSETTINGS_*", "XML_*", "ask_conda",
	"JAVA_*", "PYTHON*", "PKG_CONFIG_*", "CMAKE_*", "PYENV_*", "SSL_*",
	"MANPATH", NULL };

static const char *const module_names[] = { "PATH", "LD_LIBRARY_PATH",
	"LIBRARY_PATH", "CPATH", "MANPATH", "PYTHONPATH", "PKG_CONFIG_PATH",
	"CMAKE_PREFIX_PATH", "LD_PRELOAD", "LOADEDMODULES", "_LMFILES_*",
	"MODULE*", "LMOD_*", "__LMOD*", "ASCEND_*", "CUDA_*", "CC", "CXX", "FC",
	"MPI_*", NULL };

/* Commands that shell functions of their tools make change variables. */
void
shsource_program(struct shval_run *w, const char *name)
{
	static const struct {
		const char *name;
		const char *const *changes;
	} tools[] = { { "conda", python_names }, { "mamba", python_names },
		{ "micromamba", python_names }, { "pyenv", python_names },
		{ "deactivate", python_names }, { "workon", python_names },
		{ "module", module_names }, { "ml", module_names },
		{ "spack", module_names } };

	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		if (strcmp(tools[i].name, name) != 0)
			continue;
		shwalk_clobber(w, SHVAL_COMMAND, name, 0, tools[i].changes);
		if (tools[i].changes == module_names)
			shwalk_clobber(w, SHVAL_COMMAND, name, 1, NULL);
	}
}

/* s holds the word, letters of either case. */
static int
holds(const char *s, size_t n, const char *word)
{
	size_t len = strlen(word);

	for (size_t i = 0; i + len <= n; i++) {
		size_t k = 0;
		while (k < len && (s[i + k] | 32) == word[k])
			k++;
		if (k == len)
			return 1;
	}
	return 0;
}

static int
ends(const char *s, size_t n, const char *tail)
{
	size_t len = strlen(tail);

	return n >= len && memcmp(s + n - len, tail, len) == 0 &&
	    (n == len || s[n - len - 1] == '/');
}

static const char *const *
names_of(const char *s, size_t n)
{
	static const char *const places[] = { "ascend", "cann", "nnal", "atb",
		"toolkit", "mindie" };

	if (ends(s, n, "activate") || ends(s, n, "conda.sh") ||
	    ends(s, n, "mamba.sh"))
		return python_names;
	if (!ends(s, n, "set_env.sh") && !ends(s, n, "setenv.bash"))
		return NULL;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (holds(s, n, places[i]))
			return cann_names;
	}
	return NULL;
}

/* The text of a value, unknown pieces left out, to look at its name. */
static const char *
rough(struct shval_run *w, const struct shval *v, size_t *len)
{
	struct buf b = { 0 };
	const char *s;

	for (size_t i = 0; i < v->npiece; i++)
		buf_add(&b, v->piece[i].s, v->piece[i].len);
	*len = b.len;
	s = shwalk_dup(w, b.s ? b.s : "", b.len);
	buf_free(&b);
	return s;
}

static struct shval_source *
source_new(struct shval_run *w, const char *path, const char *text, size_t n)
{
	struct shval_source *s = shwalk_alloc(w, sizeof(*s));
	struct shcmd *c = shwalk_alloc(w, sizeof(*c));

	w->steps -= (long)(n / 256);
	w->room -= n * 2 < w->room ? n * 2 : w->room;
	shcmd_parse(c, text, n);
	*s = (struct shval_source){ .path = path, .cmd = c, .call = w->call };
	s->next = w->sources;
	w->sources = s;
	shval_keep(w);
	return s;
}

static void
restore_locals(struct shval_run *w, struct shframe *f)
{
	for (struct shlocal *l = f->locals; l != NULL; l = l->next) {
		const struct shvar *now = shvar_get(w, l->slot);
		if (now->scope == f->depth)
			shvar_put(w, l->slot, l->old);
		else if (now->scope == SCOPE_MIXED)
			shvar_put(w, l->slot, shvar_join(w, l->old, now));
	}
}

/* Walks a node of another text as a function or sourced file does. */
static int
walk_in(struct shval_run *w, const struct shval_call *call,
    const struct shval_source *src, uint32_t node, const char *function,
    const struct shargs *args)
{
	const struct shval_source *was = w->src;
	const struct shval_call *caller = w->call;
	const void *old = w->args.now;
	struct shframe f = { w->frame, function, src, NULL,
		(uint32_t)w->depth + 1 };
	struct shtarget t;
	int status, backquotes = w->backquotes;

	w->depth++;
	w->input = NULL;
	w->backquotes = 0;
	shtarget_open(w, &t, TARGET_CALL);
	w->frame = &f;
	w->src = src;
	w->call = call;
	if (args != NULL)
		shloc_set(w, &w->args, args);
	status = shwalk_node(w, node);
	if (w->flow == FLOW_RETURN) {
		w->flow = FLOW_GO;
		status = w->status;
	} else if (w->flow == FLOW_GO) {
		w->status = status;
	}
	shtarget_close(w, &t);
	status = w->status;
	if (function != NULL)
		restore_locals(w, &f);
	if (args != NULL)
		shloc_set(w, &w->args, old);
	w->frame = f.up;
	w->backquotes = backquotes;
	w->src = was;
	w->call = caller;
	w->depth--;
	return status;
}

static const struct shargs *
args_from(struct shval_run *w, const struct shval *v, size_t n)
{
	struct shargs *a = shwalk_alloc(w, sizeof(*a));
	size_t k = 0;

	while (k < n && !v[k].split)
		k++;
	*a = (struct shargs){ v, k, k < n };
	return a;
}

int
shcall_run(
    struct shval_run *w, const struct shval_call *call, const struct shfunc *f)
{
	int active = 0;

	for (const struct shframe *up = w->frame; up != NULL; up = up->up)
		active += up->name == f->name && up->source == f->source;
	if (w->depth >= SHWALK_DEPTH || (active > 2 && w->maybe > 0)) {
		shwalk_clobber(w, SHVAL_LIMIT, f->name, 0, NULL);
		return ST_UNKNOWN;
	}
	((struct shval_call *)(uintptr_t)call)->function = f->name;
	return walk_in(w, call, f->source, f->body, f->name,
	    args_from(w, call->argv + 1, call->argc - 1));
}

/* --- source --- */

/* Where the file is: through PATH when its name has no slash. */
static int
locate(struct shval_run *w, const struct shval *arg, struct buf *b)
{
	size_t n, len;
	const char *s = shval_cstr(w, arg, &n), *p;

	if (s == NULL)
		return 0;
	if (memchr(s, '/', n) == NULL) {
		p = shval_cstr(
		    w, shvar_scalar(w, shvar_find(w, "PATH", 4)), &len);
		while (p != NULL && *p != '\0') {
			size_t k = strcspn(p, ":");
			buf_reset(b);
			buf_adds(b, w->env->root ? w->env->root : "");
			buf_add(b, p, k);
			buf_addc(b, '/');
			buf_add(b, s, n);
			if (k > 0 && access(b->s, R_OK) == 0 &&
			    shtest_file(w, 'f', b->s) == 1)
				return 1;
			p += k + (p[k] == ':');
		}
		buf_reset(b);
	}
	return shwalk_path(w, arg, b);
}

static void
remember(struct shval_run *w, const struct shval *file,
    const struct shval_call *call, int read)
{
	struct shval_sourced *s = shwalk_alloc(w, sizeof(*s));

	if (w->quiet > 0 || w->dead > 0)
		return;
	*s = (struct shval_sourced){ file, call, read, NULL };
	shval_keep(w);
	*w->sourcedp = s;
	w->sourcedp = &s->next;
}

/* missing: its path, where no file has it. */
static int
not_read(struct shval_run *w, const struct shval *arg, const char *missing,
    const char *const *names)
{
	size_t n;
	const char *what = rough(w, arg, &n);
	int soft = missing != NULL && !shfiles_changed(w, missing, FILES_MADE);

	shwalk_clobber(w, SHVAL_SOURCED, what, soft, names);
	return ST_UNKNOWN;
}

static int
walk_file(struct shval_run *w, const struct shval_call *call,
    const struct shval *argv, size_t argc, const char *path, struct buf *text)
{
	struct shval_source *src =
	    source_new(w, shwalk_dup(w, path, strlen(path)),
		shwalk_dup(w, text->s ? text->s : "", text->len), text->len);

	src->call = call;
	return walk_in(w, call, src, 0, NULL,
	    argc > 2 ? args_from(w, argv + 2, argc - 2) : NULL);
}

int
shsource_run(struct shval_run *w, const struct shval_call *call,
    const struct shval *argv, size_t argc)
{
	const char *const *names;
	struct buf path = { 0 }, text = { 0 };
	struct stat st;
	size_t n;
	int status;

	if (argc < 2)
		return ST_UNKNOWN;
	const char *s = rough(w, &argv[1], &n);
	names = names_of(s, n);
	int found = argv[1].alt == NULL && locate(w, &argv[1], &path);
	int exists = found && shwalk_stat(w, path.s, &st) == 0;
	int there = exists && S_ISREG(st.st_mode) && access(path.s, R_OK) == 0;
	if (there && names == NULL && w->nfiles < SHWALK_FILES &&
	    w->depth < SHWALK_DEPTH &&
	    !shfiles_changed(w, path.s, FILES_MADE | FILES_REMOVED) &&
	    io_slurp_file(path.s, &text, SHWALK_FILE) == 0) {
		w->nfiles++;
		remember(w, &argv[1], call, 1);
		status = walk_file(w, call, argv, argc, s, &text);
	} else {
		remember(w, &argv[1], call, there);
		status = not_read(
		    w, &argv[1], found && !exists ? path.s : NULL, names);
	}
	buf_free(&path);
	buf_free(&text);
	return status;
}

void
shsource_start(struct shval_run *w)
{
	const struct shvar *var = shvar_find(w, "BASH_ENV", 8);
	const struct shval *v = shvar_scalar(w, var);
	struct buf text = { 0 }, path = { 0 };
	struct stat st;
	size_t n;
	const char *s = shval_cstr(w, v, &n);

	if (n == 0 || s == NULL)
		return;
	if (strpbrk(s, "$`") != NULL) {
		shwalk_clobber(w, SHVAL_SOURCED, "BASH_ENV", 0, NULL);
	} else if (shwalk_path(w, v, &path) && stat(path.s, &st) == 0 &&
	    S_ISREG(st.st_mode) &&
	    io_slurp_file(path.s, &text, SHWALK_FILE) == 0) {
		struct shval_source *src = source_new(w, s,
		    shwalk_dup(w, text.s ? text.s : "", text.len), text.len);
		w->quiet++;
		walk_in(w, NULL, src, 0, NULL, NULL);
		w->quiet--;
	}
	buf_free(&text);
	buf_free(&path);
}

/* --- eval --- */

/* The words joined, as one value; what is not known becomes a variable that
 * holds it. */
static const struct shval *
eval_text(struct shval_run *w, const struct shval *argv, size_t argc)
{
	const struct shval *blank = shval_string(w, " ", 1, shval_nowhere);
	const struct shval *v = &shval_empty;
	size_t n, first = 1;
	const char *s = argc > 1 ? shval_cstr(w, &argv[1], &n) : NULL;

	if (s != NULL && strcmp(s, "--") == 0)
		first = 2;
	for (size_t i = first; i < argc; i++) {
		if (i > first)
			v = shval_concat(w, v, blank);
		struct shval one = argv[i];
		one.split = 0;
		v = shval_concat(w, v, &one);
	}
	return v;
}

static const struct shval *
fill_holes(struct shval_run *w, const struct shval *v, int *wild)
{
	struct shval *r = shval_make(w, v->piece, v->npiece);
	struct buf b = { 0 };

	for (size_t i = 0; i < r->npiece && !w->limited; i++) {
		struct shpiece *p = &r->piece[i];
		if (p->why == SHVAL_KNOWN)
			continue;
		if (p->why != SHVAL_CHANGES)
			*wild = 1;
		buf_reset(&b);
		buf_addf(&b, "__msp_hole_%zu", i);
		shvar_set(w, shwalk_dup(w, b.s, b.len), b.len,
		    shval_make(w, p, 1), 0);
		buf_reset(&b);
		buf_addf(&b, "${__msp_hole_%zu}", i);
		p->why = SHVAL_KNOWN;
		p->s = shwalk_dup(w, b.s, b.len);
		p->len = b.len;
	}
	buf_free(&b);
	return r;
}

static int
eval_one(
    struct shval_run *w, const struct shval_call *call, const struct shval *v)
{
	int wild = 0, status, backquotes = w->backquotes;
	const struct shval *full = fill_holes(w, v, &wild);
	struct shval_source *src;
	const struct shval_source *was = w->src;
	const struct shval_call *caller = w->call;
	size_t n;
	const char *s = shval_cstr(w, full, &n);

	if (s == NULL || w->depth >= SHWALK_DEPTH) {
		shwalk_clobber(w, SHVAL_LIMIT, "eval", 0, NULL);
		return ST_UNKNOWN;
	}
	src = source_new(w, w->src->path, s, n);
	src->made = full;
	src->call = call;
	w->depth++;
	w->input = NULL;
	w->backquotes = 0;
	w->src = src;
	w->call = call;
	status = shwalk_node(w, 0);
	w->src = was;
	w->call = caller;
	w->backquotes = backquotes;
	w->depth--;
	if (wild) {
		const struct shpiece *p = shval_unknown_one(v);
		const char *const *names = NULL;
		if (p != NULL &&
		    (holds(p->s, p->len, "conda") ||
			holds(p->s, p->len, "mamba") ||
			holds(p->s, p->len, "pyenv")))
			names = python_names;
		shwalk_clobber(
		    w, p ? p->why : SHVAL_COMMAND, p ? p->s : "", 0, names);
		status = ST_UNKNOWN;
	}
	return status;
}

int
sheval_run(struct shval_run *w, const struct shval_call *call,
    const struct shval *argv, size_t argc)
{
	const struct shval *v = eval_text(w, argv, argc);
	struct shfork f;

	if (v->alt == NULL)
		return eval_one(w, call, v);
	shfork_open(w, &f);
	w->maybe++;
	for (; v != NULL && !w->limited; v = v->alt) {
		struct shval one = *v;
		one.alt = NULL;
		w->status = eval_one(w, call, &one);
		shfork_arm(w, &f);
	}
	w->maybe--;
	shfork_close(w, &f);
	return w->status;
}
