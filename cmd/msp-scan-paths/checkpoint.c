#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "path.h"
#include "scan.h"

static const char ckpt_tracker[] = "latest_checkpointed_iteration.txt";

enum { CKPT_RANKS = 65536, CKPT_TRACKER_MAX = 64 };

/* The layout of mp_rank_TT[_PPP][_EEE] directories. */
struct ckpt_layout {
	int parts; /* numbers in their names; 0: there are none */
	int mixed; /* names with more and with fewer numbers */
	long tp, ab; /* how many of the first and of the second */
};

/* The numbers in "mp_rank_01_002" to at; how many there are, 0: none. */
static int
ckpt_rank(const char *name, long at[3])
{
	static const char start[] = "mp_rank_";
	const char *s = name + sizeof start - 1;
	int n = 0;

	if (!str_begins(name, start))
		return 0;
	for (; n < 3; n++) {
		char *end;
		if (*s < '0' || *s > '9')
			return 0;
		at[n] = strtol(s, &end, 10);
		if (at[n] >= CKPT_RANKS)
			return 0;
		if (*end == '\0')
			return n + 1;
		if (*end != '_')
			return 0;
		s = end + 1;
	}
	return 0;
}

static void
ckpt_read_layout(const struct strs *names, struct ckpt_layout *l)
{
	*l = (struct ckpt_layout){ 0 };
	for (size_t i = 0; i < names->n; i++) {
		long at[3];
		int n = ckpt_rank(names->s[i], at);
		if (n == 0)
			continue;
		if (l->parts != 0 && l->parts != n)
			l->mixed = 1;
		if (n > l->parts)
			l->parts = n;
		if (at[0] + 1 > l->tp)
			l->tp = at[0] + 1;
		if (n > 1 && at[1] + 1 > l->ab)
			l->ab = at[1] + 1;
	}
}

/* 1 when a directory of this tensor and pipeline rank is among the names. */
static int
ckpt_there(const struct strs *names, long tp, long pp, int piped)
{
	for (size_t i = 0; i < names->n; i++) {
		long at[3];
		int n = ckpt_rank(names->s[i], at);
		if (n > 0 && at[0] == tp && (!piped || (n > 1 && at[1] == pp)))
			return 1;
	}
	return 0;
}

/* "TP 2, PP 4", as far as the names tell it. */
static void
ckpt_say_layout(struct buf *b, const struct ckpt_layout *l, int expert)
{
	buf_addf(b, "TP %ld", l->tp);
	if (l->parts == 3 || (l->parts == 2 && !expert))
		buf_addf(b, " PP %ld", l->ab);
	else if (l->parts == 1)
		buf_adds(b, " PP 1");
}

/* With the place where it is set, when that is what does not fit. */
static void
ckpt_say_wanted(struct buf *b, const char *name, long n, const char *at)
{
	buf_addf(b, "%s %ld", name, n);
	if (at != NULL)
		buf_addf(b, " (%s)", at);
}

/* A rank's directory without weights in it. */
static void
ckpt_judge_ranks(const struct look *look, const char *dir,
    const struct strs *names, struct scan_found *f)
{
	for (size_t i = 0; i < names->n && f->status == SCAN_OK; i++) {
		struct strs in;
		struct buf b = { 0 };
		struct stat st;
		long at[3];
		int weights = 0;
		if (ckpt_rank(names->s[i], at) == 0)
			continue;
		path_join(&b, dir, names->s[i]);
		size_t len = b.len;
		buf_adds(&b, "/model_optim_rng.pt");
		if (look_stat(look, b.s, &st) < 0 && errno == ENOENT) {
			b.s[b.len = len] = '\0';
			if (look_list(look, b.s, &in) == 0) {
				for (size_t k = 0; k < in.n; k++)
					weights |= str_ends(in.s[k], ".pt");
				strs_free(&in);
				if (!weights)
					found_set(f, SCAN_MISSING,
					    &T_CKPT_EMPTY_RANK, b.s,
					    names->s[i], NULL);
			}
		}
		buf_free(&b);
	}
}

static void
ckpt_judge_layout(const struct look *look, const struct scan_item *item,
    const char *dir, const struct strs *names, struct scan_found *f)
{
	const struct scan_want *w = item->want;
	struct ckpt_layout l;
	struct buf has = { 0 }, wants = { 0 };

	ckpt_read_layout(names, &l);
	if (w == NULL || w->tp == 0 || w->pp == 0 || w->ep == 0 || l.mixed)
		return;
	int parts = 1 + (w->pp > 1) + (w->ep > 1);
	int fits =
	    l.parts == parts && l.tp == w->tp && (w->pp == 1 || l.ab == w->pp);
	for (long t = 0; fits && t < w->tp; t++)
		for (long p = 0; fits && p < w->pp; p++)
			fits = ckpt_there(names, t, p, w->pp > 1);
	if (!fits) {
		int part = w->nodes != 1 && l.parts == parts && l.tp <= w->tp &&
		    (w->pp == 1 || l.ab <= w->pp);
		ckpt_say_layout(&has, &l, w->ep > 1);
		long pp = l.parts == 1 ? 1 : l.ab;
		ckpt_say_wanted(
		    &wants, "TP", w->tp, l.tp == w->tp ? NULL : w->tp_at);
		ckpt_say_wanted(
		    &wants, " PP", w->pp, pp == w->pp ? NULL : w->pp_at);
		if (w->ep > 1)
			buf_addf(&wants, " EP %ld", w->ep);
		found_set(f, part ? SCAN_WARN : SCAN_WRONG,
		    part ? &T_CKPT_PART : &T_CKPT_LAYOUT, dir, has.s, wants.s);
	}
	buf_free(&has);
	buf_free(&wants);
	if (fits)
		ckpt_judge_ranks(look, dir, names, f);
}

/* One iteration's directory. */
static void
ckpt_judge_iteration(const struct look *look, const struct scan_item *item,
    const char *dir, const char *said, struct scan_found *f)
{
	struct strs names;
	struct stat st;
	int ranks = 0, sharded = 0;
	long at[3];

	if (look_stat(look, dir, &st) < 0) {
		int e = errno;
		judge_absent(look, item, dir, 1, f);
		if (e == ENOENT && said != NULL)
			found_set(f, SCAN_MISSING, &T_CKPT_NO_ITERATION, dir,
			    said, NULL);
		return;
	}
	if (judge_dir(look, item, dir, f) || look_list(look, dir, &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		ranks |= ckpt_rank(names.s[i], at) > 0;
		sharded |= str_begins(names.s[i], "metadata.json") ||
		    str_begins(names.s[i], ".metadata") ||
		    str_ends(names.s[i], ".distcp") ||
		    str_ends(names.s[i], ".pt");
	}
	if (ranks && !sharded)
		ckpt_judge_layout(look, item, dir, &names, f);
	else if (!ranks && !sharded)
		found_set(f, SCAN_MISSING, &T_CKPT_NO_RANKS, dir, NULL, NULL);
	strs_free(&names);
}

/* The last iter_ directory among the names, or NULL. */
static const char *
ckpt_last(const struct strs *names)
{
	for (size_t i = names->n; i > 0; i--)
		if (str_begins(names->s[i - 1], "iter_"))
			return names->s[i - 1];
	return NULL;
}

static void
ckpt_no_tracker(const struct scan_item *item, const struct strs *names,
    struct scan_found *f)
{
	const char *last = ckpt_last(names);
	struct buf b = { 0 };
	long at[3];

	for (size_t i = 0; i < names->n; i++)
		if (ckpt_rank(names->s[i], at) > 0) {
			path_dir(&b, item->path);
			found_set(f, SCAN_WRONG, &T_CKPT_INSIDE, item->path,
			    b.s, NULL);
			buf_free(&b);
			return;
		}
	path_join(&b, item->path, ckpt_tracker);
	if (item->want != NULL && item->want->must_load)
		found_set(f, SCAN_MISSING, &T_CKPT_MUST, b.s, NULL, NULL);
	else if (last != NULL)
		found_set(f, SCAN_WARN, &T_CKPT_UNTRACKED, b.s, last, NULL);
	else
		found_set(f, SCAN_WARN, &T_CKPT_NO_TRACKER, b.s, NULL, NULL);
	buf_free(&b);
}

/* Appends "release" or "iter_0000001" for what the tracker says; 0, or -1. */
static int
ckpt_iteration(const char *said, struct buf *b)
{
	char *end;
	long n = strtol(said, &end, 10);

	if (strcmp(said, "release") == 0) {
		buf_adds(b, said);
		return 0;
	}
	if (end == said || *end != '\0' || n < 0)
		return -1;
	buf_addf(b, "iter_%07ld", n);
	return 0;
}

static void
ckpt_tracked(
    const struct look *look, const struct scan_item *item, struct scan_found *f)
{
	struct buf file = { 0 }, said = { 0 }, dir = { 0 };

	path_join(&file, item->path, ckpt_tracker);
	if (look_read(look, file.s, &said, CKPT_TRACKER_MAX) < 0) {
		judge_absent(look, item, file.s, 0, f);
	} else {
		const char *blank = " \t\r\n";
		while (said.len > 0 && strchr(blank, said.s[said.len - 1]))
			said.s[--said.len] = '\0';
		buf_adds(&said, "");
		const char *s = said.s + strspn(said.s, blank);
		path_join(&dir, item->path, "");
		if (ckpt_iteration(s, &dir) < 0)
			found_set(
			    f, SCAN_WRONG, &T_CKPT_TRACKER, file.s, s, NULL);
		else
			ckpt_judge_iteration(look, item, dir.s, s, f);
	}
	buf_free(&file);
	buf_free(&said);
	buf_free(&dir);
}

static void
ckpt_step(
    const struct look *look, const struct scan_item *item, struct scan_found *f)
{
	struct buf dir = { 0 };

	path_join(&dir, item->path, "");
	buf_addf(&dir, "iter_%07ld", item->want->step);
	ckpt_judge_iteration(look, item, dir.s, NULL, f);
	buf_free(&dir);
}

/* Hugging Face weights that the training converts before it starts. */
static void
ckpt_convert(
    const struct look *look, const struct scan_item *item, struct scan_found *f)
{
	const struct scan_want *w = item->want;
	struct buf cache = { 0 };
	struct scan_found out = { .status = SCAN_OK };

	hf_judge(look, item, 1, f);
	if (f->status == SCAN_OK && w != NULL && w->convert && !w->cache) {
		path_join(&cache, item->path, "");
		buf_addf(&cache, "megatron_cache_tp%ldpp%ldep%ld",
		    w->tp > 0 ? w->tp : 1, w->pp > 0 ? w->pp : 1,
		    w->ep > 0 ? w->ep : 1);
		judge_output(look, item, cache.s, 1, &out);
		if (out.status == SCAN_UNREADABLE)
			found_set(f, SCAN_UNREADABLE, &T_CKPT_CACHE, cache.s,
			    item->path, NULL);
		found_free(&out);
		buf_free(&cache);
	}
}

/* A directory that does not exist yet, given as --load and --save; what else
 * is loaded has to be there. */
static int
ckpt_begins(
    const struct look *look, const struct scan_item *item, struct scan_found *f)
{
	const struct scan_want *w = item->want;
	struct stat st;

	if (w == NULL || !w->fresh || strcmp(item->name, "--load") != 0 ||
	    w->must_load || w->convert ||
	    placeholder_is(item->value) != PLACEHOLDER_NO ||
	    look_stat(look, item->path, &st) == 0 || errno != ENOENT)
		return 0;
	found_set(f, SCAN_WARN, &T_CKPT_FRESH, item->path, NULL, NULL);
	return 1;
}

void
checkpoint_judge(
    const struct look *look, const struct scan_item *item, struct scan_found *f)
{
	const struct scan_want *w = item->want;
	struct strs names;
	int weights = 0;

	if (ckpt_begins(look, item, f) ||
	    judge_dir(look, item, item->path, f) ||
	    look_list(look, item->path, &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++)
		weights |= hf_weight(names.s[i]);
	int tracked = look_has(&names, ckpt_tracker);
	if ((w != NULL && w->convert) || (weights && !tracked))
		ckpt_convert(look, item, f);
	else if (w != NULL && w->step > 0)
		ckpt_step(look, item, f);
	else if (tracked)
		ckpt_tracked(look, item, f);
	else
		ckpt_no_tracker(item, &names, f);
	strs_free(&names);
}
