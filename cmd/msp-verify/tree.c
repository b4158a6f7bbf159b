/*
 * The rank directories below the operands: those named *_ascend_pt (or _ms),
 * and those that were renamed but hold what a profiler leaves.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "list.h"
#include "mem.h"
#include "path.h"
#include "verify.h"

struct search {
	struct verify *v;
	size_t operand, before; /* rank directories of earlier operands */
	struct buf path;
	size_t seen; /* entries outside rank directories */
	size_t unreadable; /* that were told of */
	int bare; /* PROF directories in what was listed last */
};

const char *
rank_path(struct rank *r, const char *a, const char *b, const char *c)
{
	const char *const names[] = { a, b, c };
	struct buf s = { 0 };

	buf_adds(&s, r->path);
	for (int i = 0; i < 3; i++)
		if (names[i] != NULL)
			buf_addf(&s, "/%s", names[i]);
	return buf_keep(&s, &r->arena);
}

static int
mindspore(struct verify *v, const char *name, const char *path)
{
	if (!str_ends(name, "_ascend_ms"))
		return 0;
	if (v->nms++ == 0)
		v->ms = arena_strdup(&v->arena, path);
	return 1;
}

/* Found below an operand before this one; below one there is each but once. */
static int
known(const struct search *s, const struct stat *st)
{
	for (size_t i = 0; i < s->before; i++)
		if (s->v->rank[i]->ino == st->st_ino &&
		    s->v->rank[i]->dev == st->st_dev)
			return 1;
	return 0;
}

/* The directory is a rank's: reads it. */
static void
search_rank(struct search *s, int at, const char *name, int follow)
{
	struct verify *v = s->v;
	struct rank *r;
	struct stat st;
	int fd = at;

	if (mindspore(v, path_base(s->path.s), s->path.s))
		return;
	if (fstatat(at, name, &st, follow ? 0 : AT_SYMLINK_NOFOLLOW) < 0 ||
	    known(s, &st))
		return;
	r = mem_zero(1, sizeof *r);
	r->path = arena_dup(&r->arena, s->path.s, s->path.len);
	r->name = path_base(r->path);
	r->operand = s->operand;
	r->dev = st.st_dev;
	r->ino = st.st_ino;
	if (follow) {
		fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		name = ".";
	}
	rank_read(v, r, fd, name);
	if (fd != at && fd >= 0)
		close(fd);
	v->rank = mem_more(v->rank, v->nrank, &v->rank_cap, sizeof *v->rank);
	v->rank[v->nrank++] = r;
}

/* Does it hold what a rank directory does? PROF alone is msprof's. */
static int
holds(struct search *s, const struct listing *l)
{
	int found = 0;

	s->bare = 0;
	for (size_t i = 0; i < l->n; i++) {
		const char *name = l->v[i].name;

		if (S_ISREG(l->v[i].mode)) {
			found |= info_name_rank(name) >= -1;
		} else if (S_ISDIR(l->v[i].mode)) {
			found |= strcmp(name, "FRAMEWORK") == 0 ||
			    strcmp(name, "ASCEND_PROFILER_OUTPUT") == 0;
			s->bare |= str_begins(name, "PROF_");
		}
	}
	return found;
}

static void
bare_prof(struct search *s)
{
	struct verify *v = s->v;

	if (v->nbare++ == 0)
		v->bare = arena_dup(&v->arena, s->path.s, s->path.len);
}

static void search_dir(struct search *, int, const char *, unsigned);

static void
search_below(struct search *s, const struct listing *l, unsigned depth)
{
	for (size_t i = 0; i < l->n; i++) {
		const char *name = l->v[i].name;
		size_t len = s->path.len;

		if (++s->seen > LIMIT_ENTRIES) {
			s->v->capped = 1;
			return;
		}
		buf_addf(
		    &s->path, s->path.s[len - 1] == '/' ? "%s" : "/%s", name);
		if (S_ISDIR(l->v[i].mode) && profile_is_trace(name))
			search_rank(s, l->fd, name, 0);
		else if (S_ISDIR(l->v[i].mode))
			search_dir(s, l->fd, name, depth + 1);
		else if (S_ISLNK(l->v[i].mode) && profile_is_trace(name))
			find_add(&s->v->finds,
			    (struct find){ .id = CHECK_R04,
				.text = &T_R04_BELOW,
				.remedy = &T_R04_BELOW_DO,
				.path = s->path.s });
		s->path.len = len;
		s->path.s[len] = 0;
	}
}

static void
unreadable(struct search *s, int e)
{
	if (s->unreadable++ >= LIMIT_NOTICED)
		return;
	find_add(&s->v->finds,
	    (struct find){ .id = CHECK_R02,
		.path = s->path.s,
		.arg = { s->path.s, strerror(e) } });
}

static void
search_dir(struct search *s, int at, const char *name, unsigned depth)
{
	struct listing l;

	if (list_open(&l, at, name, depth == 0, LIMIT_ENTRIES) < 0) {
		if (list_hidden(errno) || depth == 0)
			unreadable(s, errno);
		return;
	}
	if (l.error != 0)
		unreadable(s, l.error);
	if (l.capped)
		s->v->capped = 1;
	if (holds(s, &l)) {
		if (depth == 0 && !s->v->expect->record)
			find_add(&s->v->finds,
			    (struct find){
				.id = CHECK_R08, .path = s->path.s });
		search_rank(s, depth == 0 ? AT_FDCWD : at, name, depth == 0);
	} else if (s->bare) {
		bare_prof(s);
	} else if (depth < LIMIT_DIR_DEPTH) {
		search_below(s, &l, depth);
	}
	list_close(&l);
}

static void
search_link(struct search *s, const char *operand)
{
	char *real = realpath(operand, NULL);

	find_add(&s->v->finds,
	    (struct find){ .id = CHECK_R04,
		.path = operand,
		.expected = real,
		.arg = { operand, real != NULL ? real : operand } });
	mem_free(real);
}

static void
search_operand(struct search *s, const char *operand)
{
	struct find f = { .path = operand, .arg = { operand } };
	struct stat st;

	if (lstat(operand, &st) == 0 && S_ISLNK(st.st_mode) &&
	    stat(operand, &st) == 0)
		search_link(s, operand);
	if (stat(operand, &st) < 0) {
		f.id =
		    errno == ENOENT || errno == ENOTDIR ? CHECK_R01 : CHECK_R02;
		f.arg[1] = strerror(errno);
		if (f.id == CHECK_R01 && s->v->expect->record) {
			f.text = &T_R01_GONE;
			f.remedy = &T_R01_GONE_DO;
		}
		find_add(&s->v->finds, f);
	} else if (!S_ISDIR(st.st_mode)) {
		f.id = CHECK_R03;
		find_add(&s->v->finds, f);
	} else if (profile_is_trace(path_base(operand))) {
		if (!s->v->expect->record) {
			f.id = CHECK_R08;
			find_add(&s->v->finds, f);
		}
		search_rank(s, AT_FDCWD, operand, 1);
	} else if (str_begins(path_base(operand), "PROF_")) {
		bare_prof(s);
	} else {
		search_dir(s, AT_FDCWD, operand, 0);
	}
}

static int
rank_order(const void *a, const void *b)
{
	const struct rank *x = *(struct rank *const *)a,
			  *y = *(struct rank *const *)b;

	if (x->number != y->number) {
		if (x->number < 0 || y->number < 0)
			return x->number < 0 ? 1 : -1;
		return x->number < y->number ? -1 : 1;
	}
	return strcmp(x->path, y->path);
}

/* A run that left nothing: was it even begun? Directories that stand there
 * are those of other runs. */
static void
search_nothing(struct verify *v)
{
	const char *path = v->expect->profile.save_path;
	struct stat st;

	if (stat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR))
		find_add(&v->finds,
		    (struct find){
			.id = CHECK_R01, .path = path, .arg = { path } });
}

/* Whether it is a part of a rank's directory. */
static void
search_around(struct verify *v, const char *operand)
{
	char *real = realpath(operand, NULL), *end = real;

	while (
	    end != NULL && (end = strrchr(real, '/')) != NULL && end > real) {
		*end = 0;
		if (!profile_is_trace(path_base(real)))
			continue;
		v->around = arena_strdup(&v->arena, real);
		break;
	}
	mem_free(real);
}

void
tree_find(struct verify *v)
{
	struct search s = { .v = v };
	size_t n;

	for (size_t i = 0; i < v->noperand; i++) {
		s.operand = i;
		s.before = v->nrank;
		buf_reset(&s.path);
		buf_adds(&s.path, v->operand[i]);
		for (n = s.path.len; n > 1 && s.path.s[n - 1] == '/';)
			s.path.s[--n] = 0;
		s.path.len = n;
		if (n > 0)
			search_operand(&s, s.path.s);
	}
	buf_free(&s.path);
	if (v->noperand == 0)
		search_nothing(v);
	else if (v->nrank == 0)
		search_around(v, v->operand[0]);
	if (v->nrank > 1)
		qsort(v->rank, v->nrank, sizeof *v->rank, rank_order);
}
