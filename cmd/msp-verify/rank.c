#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "list.h"
#include "mem.h"
#include "verify.h"

/* Where in a rank directory the walk is. */
enum place {
	AT_RANK,
	AT_PROF,
	AT_HOST,
	AT_DEVICE,
	AT_DATA,
	AT_FRAMEWORK,
	AT_OUTPUT,
	AT_LOGS,
	AT_PARSED,
	AT_OTHER
};

struct walk {
	struct verify *v;
	struct rank *r;
	struct side *side; /* the one that the walk is in, or NULL */
	struct buf path;
};

static struct find
walk_find(struct walk *w, enum check_id id, const char *name)
{
	const char *path = w->path.s;

	if (name != NULL)
		path = arena_printf(&w->r->arena, "%s/%s", path, name);
	return (struct find){ .id = id, .path = path };
}

static int
readable(const struct entry *e, int dirfd, uid_t me)
{
	if (me == 0 || (e->uid == me && (e->mode & S_IRUSR) != 0) ||
	    (e->uid != me && (e->mode & S_IROTH) != 0 &&
		(e->mode & S_IRGRP) != 0))
		return 1;
	return faccessat(dirfd, e->name, R_OK, AT_EACCESS) == 0;
}

/* What concerns every entry, whatever it is. */
static void
account(struct walk *w, int dirfd, const struct entry *e, enum part part)
{
	struct rank *r = w->r;
	size_t len = w->path.len + 1 + strlen(e->name);

	if (e->mode == 0)
		return;
	if (len > r->longest)
		r->longest = len;
	if (e->mtime > r->newest)
		r->newest = e->mtime;
	if (S_ISLNK(e->mode)) {
		notice(r, walk_find(w, CHECK_X05, e->name));
		return;
	}
	if (!S_ISREG(e->mode) && !S_ISDIR(e->mode)) {
		notice(r, walk_find(w, CHECK_X06, e->name));
		return;
	}
	if ((e->mode & S_IWOTH) != 0)
		notice(r, walk_find(w, CHECK_X02, e->name));
	if (e->uid != w->v->euid && w->v->euid != 0)
		notice(r, walk_find(w, CHECK_X03, e->name));
	if (!S_ISREG(e->mode))
		return;
	if (!readable(e, dirfd, w->v->euid)) {
		notice(r, walk_find(w, CHECK_X01, e->name));
	}
	r->files++;
	r->bytes += e->size;
	r->part_files[part]++;
	r->part_bytes[part] += e->size;
}

static int
is_side(const char *name)
{
	return strcmp(name, "host") == 0 ||
	    (str_begins(name, "device_") && name[7] >= '0' && name[7] <= '9');
}

static enum place
place_below(enum place at, const char *name)
{
	static const char *const parsed[] = { "mindstudio_profiler_output",
		"mindstudio_profiler_log", "analyze", "sqlite", "summary",
		"timeline", NULL };

	for (size_t i = 0; parsed[i] != NULL; i++)
		if (at != AT_RANK && strcmp(name, parsed[i]) == 0)
			return AT_PARSED;
	switch (at) {
	case AT_RANK:
		if (str_begins(name, "PROF_"))
			return AT_PROF;
		if (strcmp(name, "FRAMEWORK") == 0)
			return AT_FRAMEWORK;
		if (strcmp(name, "ASCEND_PROFILER_OUTPUT") == 0)
			return AT_OUTPUT;
		return strcmp(name, "logs") == 0 ? AT_LOGS : AT_OTHER;
	case AT_PROF:
		if (!is_side(name))
			return AT_OTHER;
		return name[0] == 'h' ? AT_HOST : AT_DEVICE;
	case AT_HOST:
	case AT_DEVICE: return strcmp(name, "data") == 0 ? AT_DATA : AT_OTHER;
	case AT_PARSED: return AT_PARSED;
	default: return AT_OTHER;
	}
}

static enum part
part_of(const struct walk *w, enum place at)
{
	switch (at) {
	case AT_FRAMEWORK: return PART_FRAMEWORK;
	case AT_OUTPUT: return PART_OUTPUT;
	case AT_LOGS: return PART_LOGS;
	case AT_PARSED: return PART_PARSED;
	case AT_HOST: return PART_HOST;
	case AT_DEVICE: return PART_DEVICE;
	case AT_DATA: return w->side->device >= 0 ? PART_DEVICE : PART_HOST;
	default: return PART_OTHER;
	}
}

/* PROF_<digits>_<digits>_<letters and digits>, perhaps with the process. */
static void
prof_begin(struct rank *r, const char *name)
{
	struct prof *p;
	const char *s = name + 5;
	size_t n;

	for (int i = 0; i < 2; i++) {
		n = strspn(s, "0123456789");
		if (n == 0 || s[n] != '_')
			return;
		s += n + 1;
	}
	r->prof = mem_more(r->prof, r->nprof, &r->prof_cap, sizeof *r->prof);
	p = &r->prof[r->nprof++];
	*p = (struct prof){ arena_strdup(&r->arena, name), -1, 0 };
	n = strspn(s, "0123456789");
	p->digits = n > 0;
	if (n == 8 && strlen(s) == 16)
		p->pid = strtol(s, NULL, 10);
}

static struct side *
side_begin(struct rank *r, const char *name)
{
	struct side *s;

	if (r->nprof == 0)
		return NULL;
	r->side = mem_more(r->side, r->nside, &r->side_cap, sizeof *r->side);
	s = &r->side[r->nside++];
	*s = (struct side){ .name = arena_strdup(&r->arena, name),
		.prof = r->nprof - 1,
		.device = name[0] == 'h'
		    ? -1
		    : (int)(strtol(name + 7, NULL, 10) & 0xffff),
		.level = -1 };
	return s;
}

static void
see_framework(struct rank *r, const struct entry *e)
{
	if (e->size == 0)
		return;
	if (str_begins(e->name, "torch.op_range"))
		r->op_range = 1;
	else if (str_begins(e->name, "torch.memory_usage"))
		r->memory_usage = 1;
	else if (str_begins(e->name, "torch.python_tracer_func") ||
	    str_begins(e->name, "torch.python_func_call"))
		r->tracer = 1;
}

static void
see_file(struct walk *w, int dirfd, const struct entry *e, enum place at)
{
	struct rank *r = w->r;

	switch (at) {
	case AT_RANK:
		if (info_name_rank(e->name) >= -1)
			info_read(r, dirfd, e->name);
		else if (strcmp(e->name, "profiler_metadata.json") == 0)
			meta_read(r, dirfd, e->name);
		break;
	case AT_HOST:
	case AT_DEVICE:
		if (w->side != NULL)
			side_read(r, w->side, dirfd, e->name);
		break;
	case AT_FRAMEWORK: see_framework(r, e); break;
	case AT_OUTPUT: out_read(w->v, r, dirfd, e); break;
	default: break;
	}
}

static void walk_dir(struct walk *, int, const char *, enum place, unsigned);

/* A directory entry, one level down. */
static void
walk_below(
    struct walk *w, int dirfd, const char *name, enum place at, unsigned depth)
{
	struct rank *r = w->r;
	struct side *side = w->side;
	enum place below = place_below(at, name);
	size_t len = w->path.len;

	if (depth == LIMIT_WALK_DEPTH)
		return;
	if (below == AT_PROF) {
		size_t before = r->nprof;

		prof_begin(r, name);
		if (r->nprof == before)
			below = AT_OTHER;
	}
	if (below == AT_HOST || below == AT_DEVICE)
		w->side = side_begin(r, name);
	if (below == AT_DATA && w->side != NULL)
		w->side->data = 1;
	if (below == AT_PARSED && w->side != NULL &&
	    strcmp(name, "sqlite") == 0)
		w->side->sqlite = 1;
	buf_addf(&w->path, "/%s", name);
	walk_dir(w, dirfd, name, below, depth + 1);
	w->path.len = len;
	w->path.s[len] = 0;
	w->side = side;
}

static void
walk_dir(
    struct walk *w, int at, const char *name, enum place place, unsigned depth)
{
	struct rank *r = w->r;
	struct listing l;

	if (list_open(&l, at, name, 0, LIMIT_ENTRIES) < 0) {
		notice_blind(r, w->path.s);
		return;
	}
	if (l.capped)
		notice(r, walk_find(w, CHECK_X07, NULL));
	errno = l.error;
	if (l.error != 0)
		notice_blind(r, w->path.s);
	if (place == AT_FRAMEWORK)
		r->framework = 1;
	if (place == AT_OUTPUT)
		r->out.there = 1;
	for (size_t i = 0; i < l.n; i++) {
		account(w, l.fd, &l.v[i], part_of(w, place));
		if (S_ISDIR(l.v[i].mode))
			walk_below(w, l.fd, l.v[i].name, place, depth);
		else if (S_ISREG(l.v[i].mode))
			see_file(w, l.fd, &l.v[i], place);
	}
	if (place == AT_DATA && w->side != NULL)
		raw_data(r, w->side, &l);
	if (place == AT_LOGS)
		logs_read(r, &l);
	list_close(&l);
}

/* worker_pid_time_ascend_pt, read from the right: a worker may hold "_". */
static void
name_read(struct rank *r)
{
	const char *end, *time, *pid;
	size_t n;

	r->pid = -1;
	r->renamed = 1;
	n = strlen(r->name);
	if (!str_ends(r->name, "_ascend_pt"))
		return;
	end = r->name + n - strlen("_ascend_pt");
	for (time = end; time > r->name && time[-1] >= '0' && time[-1] <= '9';)
		time--;
	if ((end - time != 17 && end - time != 14) || time - r->name < 3 ||
	    time[-1] != '_')
		return;
	memcpy(r->time, time, (size_t)(end - time));
	for (pid = --time; pid > r->name && pid[-1] >= '0' && pid[-1] <= '9';)
		pid--;
	if (pid == time || time - pid > 10 || pid == r->name || pid[-1] != '_')
		return;
	r->pid = strtol(pid, NULL, 10);
	r->renamed = 0;
}

static long
rank_number(const struct rank *r)
{
	if (r->info.file_rank >= 0)
		return r->info.file_rank;
	if (r->info.rank >= 0)
		return r->info.rank;
	return r->meta.rank;
}

void
rank_read(struct verify *v, struct rank *r, int dirfd, const char *name)
{
	struct walk w = { v, r, NULL, { 0 } };
	struct stat st;

	r->finds.arena = &r->arena;
	info_init(&r->info);
	r->meta.rank = r->meta.world = -1;
	name_read(r);
	buf_adds(&w.path, r->path);
	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		if ((st.st_mode & S_IWOTH) != 0)
			notice(r, walk_find(&w, CHECK_X02, NULL));
		r->newest = st.st_mtime;
	}
	walk_dir(&w, dirfd, name, AT_RANK, 0);
	buf_free(&w.path);
	r->number = rank_number(r);
}

const char *
rank_label(struct rank *r)
{
	return r->number >= 0 ? say_number(&r->arena, r->number) : r->name;
}

void
rank_free(struct rank *r)
{
	mem_free(r->prof);
	mem_free(r->side);
	mem_free(r->out.step);
	mem_free(r->deep.step);
	mem_free(r->noticed.v);
	mem_free(r->finds.v);
	arena_free(&r->arena);
	mem_free(r);
}
