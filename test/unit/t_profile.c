#include "profile.h"

#include <stdlib.h>

#include "tap.h"

static void
words(struct buf *b)
{
	for (size_t i = 0; i + 1 < b->len; i++)
		if (b->s[i] == '\0')
			b->s[i] = ' ';
}

static void
test_default(void)
{
	struct profile p;
	struct buf b = { 0 };

	profile_init(&p);
	profile_args(&p, 0, &b);
	words(&b);
	tap_is(b.s,
	    "--profile --profile-step-start 2 --profile-step-end 4 "
	    "--profile-ranks 0 --profile-level level1 --profile-with-cpu "
	    "--profile-save-path ./profiling_output",
	    "the default on Mcore");
	buf_reset(&b);
	profile_args(&p, 1, &b);
	words(&b);
	tap_is(b.s,
	    "--training.profile true --training.profile_step_start 2 "
	    "--training.profile_step_end 4 --training.profile_ranks 0 "
	    "--training.profile_level level1 "
	    "--training.profile_with_cpu true "
	    "--training.profile_save_path ./profiling_output",
	    "the default on FSDP2");
	buf_free(&b);
	profile_free(&p);
}

static const struct {
	const char *key, *value, *get; /* get NULL: refused */
} sets[] = {
	{ "steps", "2:4", "2:4" },
	{ "steps", "+2:+4", "+2:+4" },
	{ "steps", "2:-1", "2:-1" },
	{ "steps", "+2:4", NULL },
	{ "steps", "2:+4", NULL },
	{ "steps", "2", NULL },
	{ "steps", ":", NULL },
	{ "steps", "2:4:6", NULL },
	{ "steps", " 2:4", NULL },
	{ "steps", "9999999999:4", NULL },
	{ "step-start", "0", "0" },
	{ "step-start", "-1", NULL },
	{ "step-end", "-1", "-1" },
	{ "step-end", "-2", NULL },
	{ "step-end", "", NULL },
	{ "ranks", "0", "0" },
	{ "ranks", "8,0,8", "0,8" },
	{ "ranks", "0-3", "0-3" },
	{ "ranks", "0-1,5,7-9", "0,1,5,7-9" },
	{ "ranks", "0 8", "0,8" },
	{ "ranks", "0, 8", "0,8" },
	{ "ranks", "-1", "all" },
	{ "ranks", "all", "all" },
	{ "ranks", "each-node", "each-node" },
	{ "ranks", "", NULL },
	{ "ranks", "0,", NULL },
	{ "ranks", ",0", NULL },
	{ "ranks", "0,,8", NULL },
	{ "ranks", "3-0", NULL },
	{ "ranks", "0;8", NULL },
	{ "ranks", "0-99999999", NULL },
	{ "ranks", "[0]", NULL },
	{ "level", "level2", "level2" },
	{ "level", "0", "level0" },
	{ "level", "2", "level2" },
	{ "level", "level_none", "level_none" },
	{ "level", "3", NULL },
	{ "level", "Level1", NULL },
	{ "cpu", "false", "off" },
	{ "memory", "1", "on" },
	{ "stack", "yes", "on" },
	{ "shapes", "ON", "on" },
	{ "shapes", "maybe", NULL },
	{ "save-path", "/a b", "/a b" },
	{ "save-path", "", NULL },
	{ "export-type", "db", "db" },
	{ "export-type", "", NULL },
	{ "export-type", "csv", NULL },
	{ "data-simplification", "true", "on" },
	{ "backend", "mindspeed", "mindspeed" },
	{ "backend", "megatron", NULL },
};

static void
test_set(void)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		struct profile p;
		profile_init(&p);
		const struct text *bad =
		    profile_set(&p, sets[i].key, sets[i].value);
		buf_reset(&b);
		profile_get(&p, sets[i].key, &b);
		tap_ok((bad == NULL) == (sets[i].get != NULL) &&
			(bad != NULL || strcmp(b.s, sets[i].get) == 0),
		    "%s %s (%s)", sets[i].key, sets[i].value,
		    b.s == NULL ? "" : b.s);
		profile_free(&p);
	}
	buf_free(&b);
}

static void
test_args(void)
{
	static const char *const set[][2] = { { "steps", "3:5" },
		{ "ranks", "0-2" }, { "level", "2" }, { "cpu", "no" },
		{ "memory", "yes" }, { "stack", "yes" }, { "shapes", "yes" },
		{ "export-type", "db" }, { "data-simplification", "yes" },
		{ "save-path", "-x" } };
	struct profile p;
	struct buf b = { 0 };

	profile_init(&p);
	for (size_t i = 0; i < sizeof set / sizeof *set; i++)
		profile_set(&p, set[i][0], set[i][1]);
	profile_args(&p, 0, &b);
	words(&b);
	tap_is(b.s,
	    "--profile --profile-step-start 3 --profile-step-end 5 "
	    "--profile-ranks 0 1 2 --profile-level level2 "
	    "--profile-with-memory --profile-with-stack "
	    "--profile-record-shapes --profile-save-path ./-x "
	    "--profile-export-type db --profile-data-simplification",
	    "all of it on Mcore");
	buf_reset(&b);
	profile_set(&p, "ranks", "all");
	profile_args(&p, 1, &b);
	words(&b);
	tap_is(b.s,
	    "--training.profile true --training.profile_step_start 3 "
	    "--training.profile_step_end 5 --training.profile_ranks -1 "
	    "--training.profile_level level2 "
	    "--training.profile_with_cpu false "
	    "--training.profile_with_memory true "
	    "--training.profile_with_stack true "
	    "--training.profile_record_shapes true "
	    "--training.profile_save_path ./-x "
	    "--training.profile_export_type db "
	    "--training.profile_data_simplification true",
	    "all of it on FSDP2");
	buf_free(&b);
	profile_free(&p);
}

static void
test_read(void)
{
	static const char *const mcore[] = { "pretrain_gpt.py", NULL,
		"--profile", "--profile-step-start=3", "--profile-ranks", "0",
		"8", "--profile-level", "level2", "--profile-with-memory",
		"--lr", "1" };
	static const char *const fsdp2[] = { "--training.profile",
		"--training.profile_ranks", "-1", "--training.profile_with_cpu",
		"true" };
	static const char *const off[] = { "--training.profile", "false" };
	struct profile p;
	struct buf b = { 0 };

	profile_init(&p);
	tap_ok(profile_read(&p, mcore, 12) == 1, "reads Mcore");
	for (const char *const *k = profile_keys; *k; k++) {
		buf_addf(&b, "%s=", *k);
		profile_get(&p, *k, &b);
		buf_addc(&b, ' ');
	}
	tap_is(b.s,
	    "level=level2 step-start=3 step-end=12 ranks=0,8 cpu=off "
	    "memory=on stack=off shapes=off save-path=./profile_dir "
	    "export-type= data-simplification=off backend= ",
	    "with the framework's own defaults");
	profile_free(&p);
	profile_init(&p);
	tap_ok(profile_read(&p, fsdp2, 5) && p.which == PROFILE_ALL && p.cpu &&
		p.end == -1,
	    "reads FSDP2");
	tap_ok(profile_read(&p, off, 2) == 0, "switched off");
	tap_ok(profile_read(&p, off, 0) == 0, "nothing");
	profile_free(&p);
	buf_free(&b);
}

/* What the frameworks' schedules record: start, end, the iteration resumed
 * from, the last iteration; for each backend outcome, first, last, written. */
enum {
	W = PROFILE_WHOLE,
	C = PROFILE_CUT,
	N = PROFILE_NO_STEPS,
	D = PROFILE_DELETED,
	O = PROFILE_NOTHING,
	E = PROFILE_ERROR
};
static const struct {
	long start, end, loaded, until;
	struct {
		int outcome;
		long first, last, written;
	} want[PROFILE_BACKENDS];
} windows[] = {
	{ 2, 4, 0, 0,
	    { { W, 2, 3, 3 }, { W, 4, 5, 5 }, { W, 3, 4, 4 },
		{ W, 3, 4, 4 } } },
	{ 1, 2, 0, 0,
	    { { W, 1, 1, 1 }, { W, 3, 3, 3 }, { W, 2, 2, 2 },
		{ W, 2, 2, 2 } } },
	{ 0, 2, 0, 0,
	    { { E, 0, 0, 0 }, { W, 2, 3, 3 }, { W, 1, 2, 2 },
		{ W, 1, 2, 2 } } },
	{ 2, -1, 0, 20,
	    { { W, 2, 2, 2 }, { W, 4, 4, 4 }, { W, 3, 3, 3 },
		{ W, 3, 20, 0 } } },
	{ 2, -1, 0, 0,
	    { { W, 2, 2, 2 }, { W, 4, 4, 4 }, { W, 3, 3, 3 },
		{ W, 3, PROFILE_END, 0 } } },
	{ 5, 5, 0, 0,
	    { { W, 5, 5, 5 }, { W, 7, 7, 7 }, { W, 6, 6, 6 },
		{ E, 0, 0, 0 } } },
	{ 50, 52, 0, 20,
	    { { O, 0, 0, 0 }, { O, 0, 0, 0 }, { O, 0, 0, 0 },
		{ O, 0, 0, 0 } } },
	{ 2, 4, 0, 2,
	    { { C, 2, 2, 0 }, { D, 0, 0, 0 }, { N, 0, 0, 0 },
		{ N, 0, 0, 0 } } },
	{ 3, 5, 0, 2,
	    { { N, 0, 0, 0 }, { O, 0, 0, 0 }, { O, 0, 0, 0 },
		{ D, 0, 0, 0 } } },
	{ 2, 4, 0, 3,
	    { { W, 2, 3, 3 }, { N, 0, 0, 0 }, { C, 3, 3, 0 },
		{ C, 3, 3, 0 } } },
	{ 2, 4, 1, 0,
	    { { W, 2, 3, 3 }, { W, 5, 6, 6 }, { W, 4, 5, 5 },
		{ W, 4, 5, 5 } } },
	{ 2, 4, 1000, 0,
	    { { E, 0, 0, 0 }, { W, 1004, 1005, 1005 }, { W, 1003, 1004, 1004 },
		{ W, 1003, 1004, 1004 } } },
	{ 1002, 1004, 1000, 0,
	    { { W, 1002, 1003, 1003 }, { W, 2004, 2005, 2005 },
		{ W, 2003, 2004, 2004 }, { W, 2003, 2004, 2004 } } },
	{ 2, 4, 100, 100,
	    { { E, 0, 0, 0 }, { O, 0, 0, 0 }, { O, 0, 0, 0 },
		{ O, 0, 0, 0 } } },
};

static void
test_window(void)
{
	for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
		struct profile p;
		profile_init(&p);
		p.start = windows[i].start;
		p.end = windows[i].end;
		for (int b = 0; b < PROFILE_BACKENDS; b++) {
			struct profile_window w;
			profile_window(&p, (enum profile_backend)b,
			    windows[i].loaded, windows[i].until, &w);
			tap_ok((int)w.outcome == windows[i].want[b].outcome &&
				w.first == windows[i].want[b].first &&
				w.last == windows[i].want[b].last &&
				w.written == windows[i].want[b].written,
			    "%s %ld:%ld from %ld until %ld: %d %ld-%ld, %ld",
			    profile_backend_name((enum profile_backend)b),
			    p.start, p.end, windows[i].loaded, windows[i].until,
			    (int)w.outcome, w.first, w.last, w.written);
		}
		profile_free(&p);
	}
}

static void
test_ranks(void)
{
	struct profile p;
	struct buf b = { 0 };

	profile_init(&p);
	profile_set(&p, "ranks", "each-node");
	profile_each_node(&p, 8, 32);
	profile_get(&p, "ranks", &b);
	tap_is(b.s, "0,8,16,24", "the first rank of each node");
	tap_ok(profile_has_rank(&p, 16) && !profile_has_rank(&p, 15),
	    "a rank is in it or not");
	profile_set(&p, "ranks", "all");
	tap_ok(profile_has_rank(&p, 123), "all");
	profile_set(&p, "steps", "+2:+4");
	profile_absolute(&p, PROFILE_MCORE, 1000);
	tap_ok(p.start == 1002 && p.end == 1004 && !p.relative,
	    "relative steps are absolute on Mcore");
	profile_set(&p, "steps", "+2:+4");
	profile_absolute(&p, PROFILE_FSDP2, 1000);
	tap_ok(p.start == 2 && p.end == 4, "and stay where steps are counted");
	buf_free(&b);
	profile_free(&p);
}

static void
test_check(void)
{
	struct profile p;

	profile_init(&p);
	tap_ok(profile_check(&p) == NULL, "the default is fine");
	p.start = 0;
	tap_is(profile_check(&p)->id, "step-start", "step 0");
	p.start = 4;
	tap_is(profile_check(&p)->id, "step-end", "no step");
	p.end = -1;
	tap_ok(profile_check(&p) == NULL, "to the end");
	profile_free(&p);
	const char *bad = profile_bad_path("/data/prof (1)");
	tap_is(bad, "(1)", "a byte that torch_npu rejects");
	tap_ok(profile_bad_path("./a_b-c/\xe6\x95\xb0\xe6\x8d\xae 1~") == NULL,
	    "what it takes");
	tap_is(profile_bad_path("\xe3\x80\x80"), "\xe3\x80\x80",
	    "an ideographic blank");
	tap_is(profile_bad_path("\xe6"), "\xe6", "a cut character");
}

int
main(void)
{
	test_default();
	test_set();
	test_args();
	test_read();
	test_window();
	test_ranks();
	test_check();
	return tap_done();
}
