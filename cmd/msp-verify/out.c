/*
 * ASCEND_PROFILER_OUTPUT: what the heads and tails of its files tell.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csv.h"
#include "json.h"
#include "list.h"
#include "mem.h"
#include "verify.h"

#define OUT "ASCEND_PROFILER_OUTPUT"

enum { SHOWN = 20 }; /* bytes of the end of a trace that was cut */

const char *const out_names[OUT_FILES] = {
	[OUT_TRACE] = "trace_view.json",
	[OUT_KERNEL] = "kernel_details.csv",
	[OUT_STEP] = "step_trace_time.csv",
	[OUT_OPERATOR] = "operator_details.csv",
	[OUT_COMMUNICATION] = "communication.json",
	[OUT_MATRIX] = "communication_matrix.json",
	[OUT_OP_STATISTIC] = "op_statistic.csv",
	[OUT_API_STATISTIC] = "api_statistic.csv",
	[OUT_MODULE_MEM] = "npu_module_mem.csv",
	[OUT_MEMORY_RECORD] = "memory_record.csv",
	[OUT_OPERATOR_MEMORY] = "operator_memory.csv",
	[OUT_DB] = "ascend_pytorch_profiler.db",
	[OUT_ANALYSIS_DB] = "analysis.db",
	[OUT_DONE] = "analyse.done",
	[OUT_INSIGHT] = "mindstudio_insight_data.db",
};

/* Columns that must be there for a file to be of use. */
static const struct {
	enum out_file file;
	const char *column[2];
} columns[] = {
	{ OUT_STEP, { "Step", "Computing" } },
	{ OUT_KERNEL, { "Name", "Duration(us)" } },
	{ OUT_OPERATOR, { "Name", "Host Self Duration(us)" } },
	{ OUT_OPERATOR_MEMORY, { "Name", "Size(KB)" } },
	{ OUT_MEMORY_RECORD, { "Component", "Total Reserved(MB)" } },
	{ OUT_OP_STATISTIC, { "OP Type", "Count" } },
	{ OUT_API_STATISTIC, { "API Name", "Count" } },
};

struct reading {
	struct verify *v;
	struct rank *r;
	int dirfd, fd;
	const struct entry *e;
	enum out_file file; /* OUT_FILES: none of those known */
	unsigned char head[LIMIT_HEAD], tail[LIMIT_HEAD];
	size_t nhead, ntail;
	int unreadable;
};

static struct find
out_find(struct reading *g, enum check_id id, const char *observed,
    const char *expected)
{
	return (struct find){ .id = id,
		.path = rank_path(g->r, OUT, g->e->name, NULL),
		.observed = observed,
		.expected = expected,
		.arg = { g->e->name } };
}

static size_t
read_at(struct reading *g, unsigned char *s, size_t n, unsigned long long at)
{
	ssize_t got = list_pread(g->fd, s, n, at);

	if (got < 0) {
		notice_unreadable(g->r, rank_path(g->r, OUT, g->e->name, NULL));
		g->unreadable = 1;
	}
	return got > 0 ? (size_t)got : 0;
}

/* Head and tail; of a small file one read serves as both. */
static void
read_ends(struct reading *g)
{
	unsigned long long size = g->e->size;

	g->nhead = read_at(g, g->head, sizeof g->head, 0);
	if (size <= sizeof g->head) {
		g->ntail = g->nhead;
		memcpy(g->tail, g->head, g->nhead);
	} else {
		g->ntail =
		    read_at(g, g->tail, sizeof g->tail, size - sizeof g->tail);
	}
}

static int
blank(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* What the first and last bytes say of trace_view.json. */
static void
see_trace(struct reading *g)
{
	const struct text *text = NULL;
	size_t i = 0, n = g->ntail;

	while (i < g->nhead && blank(g->head[i]))
		i++;
	while (n > 0 && blank(g->tail[n - 1]))
		n--;
	if (i == g->nhead || g->head[i] != '[')
		text = &T_O07_HEAD;
	else if (n > 0 && g->tail[n - 1] == '}')
		text = &T_O07_HALF;
	else if (n == 0 || g->tail[n - 1] != ']')
		text = &T_O07;
	if (text == NULL) {
		for (n--; n > 0 && blank(g->tail[n - 1]);)
			n--;
		if (n > 0 && g->tail[n - 1] == ',')
			text = &T_O07_COMMA;
	}
	if (text == NULL && n > 0 && g->tail[n - 1] == '[' &&
	    g->e->size <= sizeof g->head) {
		notice(g->r, out_find(g, CHECK_O08, "[]", NULL));
		return;
	}
	if (text != NULL) {
		struct find f = out_find(g, CHECK_O07, NULL, "]");
		size_t from = n > SHOWN ? n - SHOWN : 0;

		f.text = text;
		f.observed = arena_dup(
		    &g->r->arena, (const char *)g->tail + from, n - from);
		notice(g->r, f);
		return;
	}
	g->r->out.trace_good = 1;
}

static void
see_header(struct reading *g)
{
	struct json_text t = { (const char *)g->head, g->nhead };
	struct csv c = { .read = json_read_text, .from = &t };

	if (g->nhead >= 3 && memcmp(g->head, "\xef\xbb\xbf", 3) == 0) {
		t.s += 3;
		t.len -= 3;
	}
	if (csv_row(&c) == 1)
		for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
			for (int k = 0; columns[i].file == g->file && k < 2;
			     k++)
				if (csv_column(&c, columns[i].column[k]) < 0)
					notice(g->r,
					    out_find(g, CHECK_O16, NULL,
						columns[i].column[k]));
	csv_free(&c);
}

static void
see_csv(struct reading *g)
{
	const unsigned char *nl;

	if (g->ntail > 0 && g->tail[g->ntail - 1] != '\n') {
		notice(g->r, out_find(g, CHECK_O17, NULL, "\\n"));
		return;
	}
	nl = memchr(g->head, '\n', g->nhead);
	if (g->file != OUT_STEP && nl != NULL &&
	    g->e->size == (unsigned long long)(nl + 1 - g->head))
		notice(g->r, out_find(g, CHECK_O18, NULL, NULL));
	see_header(g);
}

static double
cell(const struct csv *c, int column)
{
	if (column < 0 || (size_t)column >= c->nkept)
		return 0;
	return strtod(c->field[column], NULL);
}

static long
whole(const struct csv *c, int column)
{
	char *end;
	long n;

	if (column < 0 || (size_t)column >= c->nkept ||
	    *c->field[column] < '0' || *c->field[column] > '9')
		return -1;
	n = strtol(c->field[column], &end, 10);
	while (blank((unsigned char)*end))
		end++;
	return *end == 0 ? n : -1;
}

static void
see_steps(struct reading *g)
{
	struct csv c = { .read = json_read_fd, .from = &g->fd };
	struct out *o = &g->r->out;
	int step, device, computing, communication, exposed, spare, stage;

	if (csv_row(&c) == 1 && (step = csv_column(&c, "Step")) >= 0) {
		device = csv_column(&c, "Device_id");
		computing = csv_column(&c, "Computing");
		communication = csv_column(&c, "Communication");
		exposed = csv_column(&c, "Communication(Not Overlapped)");
		spare = csv_column(&c, "Free");
		stage = csv_column(&c, "Stage");
		o->steps_read = 1;
		while (csv_row(&c) == 1) {
			if (c.nfield == 1 && c.len[0] == 0)
				continue;
			if (o->nstep == LIMIT_STEPS) {
				o->steps_more = 1;
				break;
			}
			o->step = mem_more(
			    o->step, o->nstep, &o->step_cap, sizeof *o->step);
			o->step[o->nstep++] = (struct step){ whole(&c, step),
				whole(&c, device), cell(&c, computing),
				cell(&c, communication), cell(&c, exposed),
				cell(&c, spare), cell(&c, stage) };
		}
	}
	if (c.error != 0) {
		errno = c.error;
		notice_unreadable(g->r, rank_path(g->r, OUT, g->e->name, NULL));
		o->steps_read = 0;
	}
	csv_free(&c);
}

static unsigned long long
be(const unsigned char *s, int n)
{
	unsigned long long x = 0;

	while (n-- > 0)
		x = x << 8 | *s++;
	return x;
}

/* Something beside the database says that it is still being written. */
static int
journal(struct reading *g)
{
	static const char *const ends[] = { "-wal", "-journal" };
	struct buf b = { 0 };
	struct stat st;
	int found = 0;

	for (int i = 0; i < 2; i++) {
		buf_reset(&b);
		buf_addf(&b, "%s%s", g->e->name, ends[i]);
		found |= fstatat(g->dirfd, b.s, &st, AT_SYMLINK_NOFOLLOW) == 0;
	}
	buf_free(&b);
	return found;
}

static void
see_db(struct reading *g)
{
	static const char magic[16] = "SQLite format 3";
	struct find f = out_find(g, CHECK_O25, NULL, NULL);
	unsigned long long page, size;

	if (g->nhead < 100 || memcmp(g->head, magic, sizeof magic) != 0) {
		f.text = &T_O25_NONE;
	} else {
		page = be(g->head + 16, 2);
		size = (page == 1 ? 65536 : page) * be(g->head + 28, 4);
		if (size == g->e->size ||
		    be(g->head + 24, 4) != be(g->head + 92, 4) || journal(g)) {
			g->r->out.db_good |= g->file == OUT_DB;
			return;
		}
		f.observed = say_number(&g->r->arena, (long long)g->e->size);
		f.expected = say_number(&g->r->arena, (long long)size);
	}
	notice(g->r, f);
}

static void
see_json(struct reading *g)
{
	struct json j = { .read = json_read_fd, .from = &g->fd };
	size_t n = g->ntail;
	enum json_result result = JSON_OK;

	while (n > 0 && blank(g->tail[n - 1]))
		n--;
	if (g->e->size <= LIMIT_SMALL || g->v->deep)
		result = json_scan(&j);
	else if (n == 0 || g->tail[n - 1] != '}')
		result = JSON_CUT;
	errno = j.error;
	if (result == JSON_READ)
		notice_unreadable(g->r, rank_path(g->r, OUT, g->e->name, NULL));
	else if (result != JSON_OK)
		notice(g->r, out_find(g, CHECK_O24, NULL, NULL));
}

static enum out_file
file_of(const char *name)
{
	if (str_begins(name, "ascend_pytorch_profiler") &&
	    str_ends(name, ".db"))
		return OUT_DB;
	if (str_ends(name, "mindstudio_insight_data.db"))
		return OUT_INSIGHT;
	for (int i = 0; i < OUT_FILES; i++)
		if (strcmp(name, out_names[i]) == 0)
			return (enum out_file)i;
	return OUT_FILES;
}

static void
see_whole(struct reading *g)
{
	if (!g->v->deep || lseek(g->fd, 0, SEEK_SET) < 0)
		return;
	if (str_ends(g->e->name, ".csv"))
		deep_csv(g->r, g->fd, g->e->name);
	else if (g->file == OUT_TRACE)
		deep_json(g->r, g->fd, g->e->name, 1);
}

static void
see_content(struct reading *g)
{
	read_ends(g);
	if (g->unreadable)
		return;
	if (g->file == OUT_TRACE)
		see_trace(g);
	else if (str_ends(g->e->name, ".csv"))
		see_csv(g);
	else if (g->file == OUT_DB || g->file == OUT_ANALYSIS_DB)
		see_db(g);
	else if (g->file == OUT_COMMUNICATION || g->file == OUT_MATRIX)
		see_json(g);
	if (g->file == OUT_STEP)
		see_steps(g);
	see_whole(g);
}

static void
see_size(struct reading *g)
{
	unsigned long long size = g->e->size;

	if (size == 0 && g->file != OUT_DONE &&
	    strstr(g->e->name, ".db-") == NULL)
		notice(g->r, out_find(g, CHECK_O15, NULL, NULL));
	if (g->file == OUT_TRACE && size > LIMIT_TRACE_SLOW) {
		struct find f =
		    out_find(g, CHECK_O09, say_size(&g->r->arena, size), NULL);

		f.sev = size > LIMIT_TRACE_MAX ? SEV_FAIL : SEV_WARN;
		f.text = size > LIMIT_TRACE_MAX ? &T_O09_MAX : NULL;
		f.expected = size > LIMIT_TRACE_MAX ? "<= 10 GiB" : "<= 1 GiB";
		notice(g->r, f);
	}
}

void
out_read(struct verify *v, struct rank *r, int dirfd, const struct entry *e)
{
	struct reading *g;
	struct out *o = &r->out;
	enum out_file file = file_of(e->name);

	o->files++;
	o->bytes += e->size;
	o->json_files += (size_t)str_ends(e->name, ".json");
	if (file < OUT_FILES) {
		o->has[file] = 1;
		o->size[file] = e->size;
	}
	if (file == OUT_DB)
		o->db_name = arena_strdup(&r->arena, e->name);
	if (file == OUT_INSIGHT)
		return;
	g = mem_alloc(sizeof *g);
	*g = (struct reading){ .v = v, .r = r, .dirfd = dirfd, .e = e };
	g->file = file;
	see_size(g);
	if (e->size > 0 && (file < OUT_DONE || str_ends(e->name, ".csv"))) {
		g->fd = list_file(dirfd, e->name);
		if (g->fd >= 0) {
			see_content(g);
			close(g->fd);
		} else {
			notice_unreadable(r, rank_path(r, OUT, e->name, NULL));
		}
	}
	mem_free(g);
}
