#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "err.h"
#include "io.h"
#include "mem.h"
#include "symptom.h"
#include "tap.h"

enum { PRIMARY, SECONDARY, WARNING, MARK };
/* Flags that matter here; the marks' own are of no interest. */
enum {
	MARK_ITERATION,
	MARK_DONE,
	MARK_PARSING,
	MARK_WRITTEN,
	MARK_TRACEBACK,
	MARK_ROOT,
	MARK_STAMP
};
static const struct sample {
	const char *id;
	int kind, flags;
	const char *line;
} samples[] = {
#define SYMPTOM(                                                      \
    id, kind, flags, ere, cause, cause_zh, remedy, remedy_zh, sample) \
	{ id, kind, flags, sample },
#include "symptoms.def"
#undef SYMPTOM
};
enum { SAMPLES = sizeof samples / sizeof *samples };

/* One log, fed in pieces of a size; the report lives until symptom_free. */
static const struct symptom_report *
diagnose(struct symptom **s, const struct buf *log, size_t piece,
    enum symptom_run run)
{
	*s = symptom_new();
	symptom_log(*s, "train.log");
	for (size_t i = 0; i < log->len; i += piece)
		symptom_feed(*s, log->s + i,
		    log->len - i < piece ? log->len - i : piece);
	return symptom_report(*s, run);
}

/* The ids that were found in one line, with blanks between them. */
static char *
ids_of_line(const char *line)
{
	struct buf log = { 0 }, ids = { 0 };
	struct symptom *s;

	buf_addf(&log, "%s\n", line);
	const struct symptom_report *r = diagnose(&s, &log, 7, SYMPTOM_FAILED);
	buf_adds(&ids, "");
	for (size_t i = 0; i < r->n; i++)
		buf_addf(
		    &ids, "%s%s", i > 0 ? " " : "", r->found[i].rule->cause.id);
	/* what matches but does not count stands in no list */
	symptom_free(s);
	buf_free(&log);
	return buf_take(&ids);
}

static void
test_samples(void)
{
	for (size_t i = 0; i < SAMPLES; i++) {
		if (samples[i].kind == MARK || samples[i].line[0] == '\0')
			continue;
		char *ids = ids_of_line(samples[i].line);
		char name[40];
		snprintf(name, sizeof name, "%s: its sample", samples[i].id);
		tap_is(ids, samples[i].id, name);
		mem_free(ids);
	}
}

/* The catalogue that the rules were made from, where it is there. */
static void
test_catalogue(void)
{
	struct buf b = { 0 };
	size_t n = 0, wrong = 0;

	if (io_slurp_file("../shared/facts/symptoms.tsv", &b, 1 << 20) != 0) {
		tap_ok(1, "the catalogue # skip it is not here");
		return;
	}
	for (char *line = b.s, *next; line < b.s + b.len; line = next) {
		char *field[7] = { line };
		next = strchr(line, '\n');
		*next++ = '\0';
		for (int i = 1; i < 7 && field[i - 1] != NULL; i++) {
			field[i] = strchr(field[i - 1], '\t');
			if (field[i] != NULL)
				*field[i]++ = '\0';
		}
		if (field[6] == NULL || field[1][0] == 'I' ||
		    field[1][1] != '\0')
			continue;
		char *ids = ids_of_line(field[6]);
		n++;
		if (strcmp(ids, field[0]) != 0) {
			printf(
			    "# %s: got %s for %s\n", field[0], ids, field[6]);
			wrong++;
		}
		mem_free(ids);
	}
	tap_ok(n > 100 && wrong == 0, "%zu lines of the catalogue", n);
	buf_free(&b);
}

static const char *const bait[] = {
	"No module named 'apex', using the fallback",
	"WARNING: FileNotFoundError: [Errno 2] No such file or directory: 'a'",
	"Traceback (most recent call last):",
	"  File \"cache.py\", line 7, in read",
	"    return open(name)",
	"FileNotFoundError: [Errno 2] No such file or directory: 'index.npy'",
	"index.npy is not there yet: it is built now",
	"helper.sh: line 3: npu-smi: command not found",
	"Signal 15 (SIGTERM) handler installed",
	" > building train, validation, and test datasets for GPT ...",
	"consumed samples: 107020 so far",
	"PermissionError: [Errno 13] Permission denied: '/proc/1/root' (ignored)",
	" > finished creating GPT datasets ...",
};

static size_t
add_bait(struct buf *b)
{
	for (size_t i = 0; i < sizeof bait / sizeof *bait; i++)
		buf_addf(b, "%s\n", bait[i]);
	return sizeof bait / sizeof *bait;
}

static size_t
add_iteration(struct buf *b, long n)
{
	buf_addf(b,
	    " [2026-03-02 10:11:%02ld] iteration %8ld/%8d | consumed samples: "
	    "%12ld | elapsed time per iteration (ms): 412.5 | learning rate: "
	    "1.25E-06 | lm loss: 1.10702E+01 | number of skipped iterations:   "
	    "0 | number of nan iterations:   0 |\n",
	    n % 60, n, 2000, n * 16);
	return 1;
}

static size_t
add_summary(struct buf *b)
{
	buf_adds(b,
	    "EI0006: [PID: 9] Getting socket times out. Reason: x\n"
	    "[2026-03-02 10:12:00] torch.distributed.elastic: [WARNING] "
	    "Sending process 7 closing signal SIGTERM\n"
	    "Traceback (most recent call last):\n"
	    "  File \"/usr/bin/torchrun\", line 8, in <module>\n"
	    "torch.distributed.elastic.multiprocessing.errors."
	    "ChildFailedError: \n"
	    "====================\n"
	    "pretrain_gpt.py FAILED\n"
	    "--------------------\n"
	    "Root Cause (first observed failure):\n"
	    "[0]:\n"
	    "  time      : 2026-03-02_10:12:00\n"
	    "  host      : node-3\n"
	    "  rank      : 0 (local_rank: 0)\n"
	    "  exitcode  : 1 (pid: 7)\n"
	    "====================\n");
	return 15;
}

static int
is_exception(const char *s)
{
	return strstr(s, "Error:") != NULL || strstr(s, "Exception:") != NULL ||
	    strcmp(s, "KeyboardInterrupt") == 0;
}

/* The failure, as a process that ends itself tells it; its line. */
static size_t
add_failure(struct buf *b, size_t line, const char *sample)
{
	char prefix[16] = "";

	if (strncmp(sample, "[rank", 5) == 0) {
		memcpy(prefix, sample, 9);
		sample += 9;
	}
	if (is_exception(sample)) {
		buf_addf(b, "%sTraceback (most recent call last):\n", prefix);
		buf_addf(b, "%s  File \"pretrain_gpt.py\", line 5\n", prefix);
		buf_addf(b, "%s    main()\n", prefix);
		line += 3;
	}
	buf_addf(b, "%s%s\n", prefix, sample);
	return line + 1;
}

static void
test_staged(void)
{
	unsigned staged = 0, right = 0;

	for (size_t i = 0; i < SAMPLES; i++) {
		if (samples[i].kind != PRIMARY || samples[i].line[0] == '\0' ||
		    (samples[i].flags & SYMPTOM_KEPT) != 0 ||
		    ((samples[i].flags & SYMPTOM_WEAK) != 0 &&
			!is_exception(samples[i].line)))
			continue;
		for (int iterations = 0; iterations < 4; iterations += 3) {
			struct buf b = { 0 };
			struct symptom *s;
			size_t line = add_bait(&b);
			for (int n = 1; n <= iterations; n++) {
				line += add_bait(&b);
				line += add_iteration(&b, n);
			}
			line += add_bait(&b);
			line = add_failure(&b, line, samples[i].line);
			add_summary(&b);
			const struct symptom_report *r =
			    diagnose(&s, &b, 4096, SYMPTOM_FAILED);
			const struct symptom_found *f = r->found;
			int good = r->cause == SYMPTOM_FIRST &&
			    strcmp(f->rule->cause.id, samples[i].id) == 0 &&
			    f->line == line;
			staged++;
			right += (unsigned)good;
			if (!good)
				printf("# %s after %d iterations: got %s, line "
				       "%zu want %zu\n",
				    samples[i].id, iterations,
				    r->n > 0 ? f->rule->cause.id : "nothing",
				    r->n > 0 ? f->line : 0, line);
			symptom_free(s);
			buf_free(&b);
		}
	}
	tap_ok(staged > 150 && right == staged,
	    "%u of %u staged failures among bait have the right cause", right,
	    staged);
}

/* Logs whose cause takes thought: the lines are separated by newlines, {}
 * stands for progress, the cause is the line that begins with >. */
static const struct {
	const char *name, *want, *log;
} hard[] = {
	{ "no rule knows it", "EXC01",
	    "{}Traceback (most recent call last):\n  File \"x\"\n"
	    ">ValueError: the moon\n" },
	{ "the message's second line says more", "DAT01",
	    "[rank2]: Traceback (most recent call last):\n[rank2]:   File\n"
	    "[rank2]: RuntimeError: Error(s) in loading state_dict:\n"
	    ">[rank2]: \tsize mismatch for w: copying a param with shape\n" },
	{ "a chain begins with the cause", "DAT14",
	    "Traceback (most recent call last):\n  File\n"
	    ">FileNotFoundError: [Errno 2] No such file: 'x'\n\n"
	    "During handling of the above exception, another exception "
	    "occurred:\n\nTraceback (most recent call last):\n  File\n"
	    "RuntimeError: unable to read\n" },
	{ "all ranks tell the same: the first counts", "IMP01",
	    "Traceback (most recent call last):\n  File\n"
	    ">ModuleNotFoundError: No module named 'megatron'\n"
	    "loading on another rank\n"
	    "Traceback (most recent call last):\n  File\n"
	    "ModuleNotFoundError: No module named 'megatron'\n" },
	{ "tracebacks of ranks line by line", "MEM01",
	    "{}[rank1]: Traceback (most recent call last):\n"
	    "[rank0]: Traceback (most recent call last):\n"
	    "[rank1]:   File\n[rank0]:   File\n"
	    ">[rank1]: RuntimeError: NPU out of memory. Tried to allocate\n"
	    "[rank0]: RuntimeError: The Inner error is reported as above.\n" },
	{ "another stream's lines within a traceback", "EXC01",
	    "{}[rank1]: Traceback (most recent call last):\nloading\n"
	    "{}[rank1]:   File\n>[rank1]: ValueError: the moon\n" },
	{ "the source in a traceback is no message", "EXC01",
	    "Traceback (most recent call last):\n  File \"x\"\n"
	    "    raise OSError('No space left on device')\n"
	    ">CustomError: 7\n" },
	{ "consequences alone: elsewhere", "NET03",
	    "{}>EI0006: [PID: 7] Getting socket times out.\n"
	    "torch.distributed.elastic.multiprocessing.errors."
	    "ChildFailedError: \n" },
	{ "colours, progress bars and prefixes", "DSK01",
	    "{}>10%|#  |\r20%|## |\r\033[31m(Worker pid=7) OSError: [Errno 28] "
	    "No space left on device\033[0m\n" },
	{ "the failure comes before what it causes", "MEM07",
	    "{}>failed (exitcode: -9) local_rank: 2 (pid: 7)\n"
	    "Segmentation fault (core dumped)\n" },
	{ "npu-smi alone, when nothing else is there", "DEV22",
	    "loading\n>train.sh: line 4: npu-smi: command not found\n" },
	{ "CRLF", "IMP02",
	    "Traceback (most recent call last):\r\n  File\r\n"
	    ">ModuleNotFoundError: No module named 'mindspeed'\r\n" },
	{ "no newline at the end", "NUM02",
	    "{}Traceback (most recent call last):\n  File\n"
	    ">AssertionError: found NaN in local grad norm" },
	{ "the port, named before the traceback", "NET01",
	    ">[W socket.cpp:436] [c10d] failed to bind to [::]:6000 (errno: 98 "
	    "- Address already in use).\n"
	    "Traceback (most recent call last):\n  File\n"
	    "RuntimeError: failed to listen (errno: 98 - Address already in "
	    "use).\n" },
};

static void
test_hard(void)
{
	for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
		struct buf b = { 0 };
		struct symptom *s;
		size_t line = 1, want = 0;
		for (const char *p = hard[i].log; *p != '\0'; p++) {
			if (strncmp(p, "{}", 2) == 0) {
				line += add_iteration(&b, 1);
				p++;
				continue;
			}
			if (*p == '>' && want == 0) {
				want = line;
				continue;
			}
			line += *p == '\n';
			buf_addc(&b, *p);
		}
		for (size_t piece = 1; piece < 5000; piece = piece * 7 + 1) {
			const struct symptom_report *r =
			    diagnose(&s, &b, piece, SYMPTOM_FAILED);
			int good = r->n > 0 &&
			    strcmp(r->found[0].rule->cause.id, hard[i].want) ==
				0 &&
			    r->found[0].line == want;
			if (piece == 1 || !good)
				tap_ok(good, "%s: %s, line %zu (got %s, %zu)",
				    hard[i].name, hard[i].want, want,
				    r->n > 0 ? r->found[0].rule->cause.id : "-",
				    r->n > 0 ? r->found[0].line : 0);
			symptom_free(s);
		}
		buf_free(&b);
	}
}

/*
 * Output through tee comes later than errors, by any number of lines: however
 * the two are merged, the cause is the cause.
 */
static void
test_streams(void)
{
	static const char *const output[] = { "torchrun starts",
		"index.npy is not there yet: it is built now",
		" > building the data set helpers ...", "",
		" [2026-03-02 10:00:01] iteration        1/       6 | x",
		" [2026-03-02 10:00:02] iteration        2/       6 | x",
		" [2026-03-02 10:00:03] iteration        3/       6 | x",
		"[2026-03-02 10:00:03] [INFO] [7] profiler.py: Start parsing "
		"profiling data in sync mode at: p/vm_7_2026_ascend_pt",
		"[2026-03-02 10:00:03] [INFO] [7] profiler.py: All profiling "
		"data parsed in a total time of 0:00:00.020000",
		" [2026-03-02 10:00:04] iteration        4/       6 | x" };
	static const char *const errors[] = {
		"Traceback (most recent call last):",
		"  File \"cache.py\", line 7, in read", "    return open(name)",
		"FileNotFoundError: [Errno 2] No such file or directory: 'i'",
		"helper.sh: line 3: npu-smi: command not found",
		"[rank1]: Traceback (most recent call last):",
		"[rank1]:   File \"pretrain_gpt.py\", line 120, in <module>",
		"[rank1]:     main()", NULL,
		"[2026-03-02 10:00:04] torch.distributed.elastic: [WARNING] "
		"Sending process 13361 closing signal SIGTERM",
		"[2026-03-02 10:00:04] torch.distributed.elastic: [ERROR] "
		"failed (exitcode: 1) local_rank: 1 (pid: 12562) of binary: py"
	};
	static const struct {
		const char *id, *line;
	} causes[] = {
		{ "MEM01",
		    "[rank1]: RuntimeError: NPU out of memory. Tried to "
		    "allocate 2.00 GiB" },
		{ "DSK01",
		    "[rank1]: OSError: [Errno 28] No space left on device" },
		{ "DAT14",
		    "[rank1]: FileNotFoundError: [Errno 2] No such file or "
		    "directory: 'data.idx'" },
		{ "EXC01", "[rank1]: ValueError: the moon is wrong" },
	};
	enum { NOUT = sizeof output / sizeof *output };
	enum { NERR = sizeof errors / sizeof *errors, MERGES = 1000 };
	unsigned seed = 1;

	for (size_t c = 0; c < sizeof causes / sizeof *causes; c++) {
		size_t wrong = 0;
		for (int merge = 0; merge < MERGES; merge++) {
			struct buf b = { 0 };
			struct symptom *s;
			size_t i = 0, j = 0, late = 0, line = 0, at = 0;
			seed = seed * 1103515245 + 12345;
			late = seed >> 16 & 7;
			while (i < NOUT || j < NERR) {
				seed = seed * 1103515245 + 12345;
				if (j == NERR ||
				    (i < NOUT && (seed >> 16 & 7) >= late)) {
					buf_addf(&b, "%s\n", output[i++]);
				} else {
					const char *e = errors[j++];
					at = e == NULL ? line + 1 : at;
					buf_addf(&b, "%s\n",
					    e == NULL ? causes[c].line : e);
				}
				line++;
			}
			const struct symptom_report *r =
			    diagnose(&s, &b, 4096, SYMPTOM_FAILED);
			if (r->cause != SYMPTOM_FIRST ||
			    r->found[0].line != at ||
			    strcmp(r->found[0].rule->cause.id, causes[c].id) !=
				0) {
				if (wrong++ == 0)
					printf("%s\n", b.s);
			}
			symptom_free(s);
			buf_free(&b);
		}
		tap_ok(wrong == 0, "%s: %zu of %d merges wrong", causes[c].id,
		    wrong, (int)MERGES);
	}
}

static void
test_report(void)
{
	struct buf b = { 0 };
	struct symptom *s;

	add_iteration(&b, 5);
	buf_adds(&b,
	    "[rank3]: Traceback (most recent call last):\n[rank3]:  x\n"
	    "[rank3]: RuntimeError: NPU out of memory. Tried to "
	    "allocate 2.00 GiB\n");
	add_summary(&b);
	const struct symptom_report *r = diagnose(&s, &b, 50, SYMPTOM_FAILED);
	tap_ok(r->found[0].rank == 3 && r->iteration == 5 &&
		r->iterations == 2000 && r->proof && !r->done,
	    "rank, iteration, proof");
	tap_is(r->rank, "0", "torchrun's rank");
	tap_is(r->host, "node-3", "torchrun's host");
	b.len = 0;
	symptom_put(&b, REC_TSV, r);
	tap_ok(strncmp(b.s,
		   "cause\t1\tP\tMEM01\ttrain.log\t4\t1\t"
		   "RuntimeError: NPU out",
		   46) == 0,
	    "the record");
	symptom_free(s);
	buf_free(&b);
}

/* Several logs: the earliest by the times in them. */
static void
test_logs(void)
{
	static const char *const logs[] = {
		"[2026-03-02 10:00:09] step\nEI0002: The wait execution of the "
		"Notify register times out.\n",
		"[2026-03-02 10:00:07] step\n"
		"2026-03-02 10:00:08 failed (exitcode: -11) local_rank: 1\n",
		"[2026-03-02 10:00:05] x\nOSError: [Errno 28] No space left on "
		"device\nTraceback (most recent call last):\n  File\n"
		"OSError: [Errno 28] No space left on device\n",
	};
	struct symptom *s = symptom_new();

	for (int i = 0; i < 3; i++) {
		symptom_log(s, (const char *[]){ "n0", "n1", "n2" }[i]);
		symptom_feed(s, logs[i], strlen(logs[i]));
	}
	const struct symptom_report *r = symptom_report(s, SYMPTOM_UNKNOWN);
	tap_is(r->found[0].file, "n2", "the node that failed first");
	tap_ok(r->n == 3, "the others follow");
	symptom_free(s);
}

/* Much healthy log full of bait: nothing, and at the same size of memory. */
static void
test_healthy(void)
{
	struct buf b = { 0 };
	struct symptom *s = symptom_new();
	struct timespec from, to;
	size_t total = 0;

	add_bait(&b);
	for (long n = 1; n < 60; n++) {
		if (n % 7 == 0)
			add_bait(&b);
		add_iteration(&b, n);
	}
	symptom_log(s, "healthy.log");
	clock_gettime(CLOCK_MONOTONIC, &from);
	for (; total < 50000000; total += b.len)
		symptom_feed(s, b.s, b.len);
	clock_gettime(CLOCK_MONOTONIC, &to);
	b.len = 0;
	buf_adds(
	    &b, "[after training is done] datetime: 2026-03-02 10:11:12\n");
	add_bait(&b);
	symptom_feed(s, b.s, b.len);
	const struct symptom_report *r = symptom_report(s, SYMPTOM_ENDED);
	tap_ok(r->n == 0 && r->cause == SYMPTOM_NONE && !r->proof && r->done,
	    "50 MB of healthy log: no cause (%zu found)", r->n);
	double t = (double)(to.tv_sec - from.tv_sec) +
	    (double)(to.tv_nsec - from.tv_nsec) / 1e9;
	printf("# %.0f MB/s\n", (double)total / 1e6 / t);
	symptom_free(s);
	buf_free(&b);
}

static void
test_rules(void)
{
	static const char good[] =
	    "# mine\nMINE1\tP\tthe moon( is)? wrong\tthe "
	    "moon\twait\nMEM01\tP\tNPU out\tmy own\tx\n";
	static const char *const bad[] = { "A\tP\tx\tc\n", "A\tQ\tx\tc\tr\n",
		"A\tP\t(x\tc\tr\n", "A\tP\t\tc\tr\n" };
	char name[] = "/tmp/t_symptom.XXXXXX";
	int fd = mkstemp(name);
	struct symptom *s = symptom_new();

	tap_ok(io_write_all(fd, good, sizeof good - 1) == 0 &&
		symptom_rules(s, name) == 0,
	    "a file of rules");
	symptom_log(s, "x");
	symptom_feed(
	    s, "sad: the moon is wrong\nNPU out of memory. Tried to\n", 50);
	const struct symptom_report *r = symptom_report(s, SYMPTOM_FAILED);
	tap_ok(r->n == 2 && strcmp(r->found[0].rule->cause.id, "MINE1") == 0 &&
		strcmp(r->found[1].rule->cause.en, "my own") == 0,
	    "they come first and replace those of the same id");
	symptom_free(s);
	for (size_t i = 0; i < 4; i++) {
		s = symptom_new();
		tap_ok(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0 &&
			io_write_all(fd, bad[i], strlen(bad[i])) == 0 &&
			symptom_rules(s, name) < 0,
		    "refused: rule %zu", i);
		symptom_free(s);
	}
	close(fd);
	unlink(name);
}

int
main(void)
{
	err_init("t_symptom", EXIT_FAILED);
	test_samples();
	test_catalogue();
	test_staged();
	test_hard();
	test_streams();
	test_report();
	test_logs();
	test_healthy();
	test_rules();
	return tap_done();
}
