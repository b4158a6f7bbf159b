/* The reader of "npu-smi info": recorded tables, and what damage does. */
#include <stdlib.h>

#include "../../cmd/msp-check-env/npusmi.c"
#include "../../cmd/msp-check-env/smicell.c"
#include "buf.h"
#include "io.h"
#include "tap.h"

static const char *
shown(const char *s)
{
	return s == NULL ? "-" : s;
}

static void
add_number(struct buf *b, long n)
{
	if (n < 0)
		buf_adds(b, "?");
	else
		buf_addf(b, "%ld", n);
}

static void
add_notes(struct buf *b, const struct npusmi *t)
{
	size_t from = b->len;

	if (t->ret != 0)
		buf_addf(b, ",ret=%ld", t->ret);
	if (t->orphans > 0)
		buf_adds(b, ",orphan");
	if (t->warning)
		buf_adds(b, ",warning");
	if (b->len == from)
		buf_adds(b, ",-");
	memmove(b->s + from, b->s + from + 1, b->len - from);
	b->len--;
}

/* The table in the form of expected.tsv. */
static void
render(struct buf *b, const char *name, const struct npusmi *t)
{
	static const char *const layouts[] = { "None", "packed", "split" };
	static const char *const ids[] = { "-", "logic", "phy" };
	size_t notok = 0;

	for (size_t i = 0; i < t->nchip; i++)
		notok += t->chip[i].health == NULL ||
		    strcmp(t->chip[i].health, "OK") != 0;
	buf_addf(b, "F\t%s\t%s\t%s\t%s\t", name, shown(t->tool),
	    shown(t->driver), layouts[t->layout]);
	buf_addf(b,
	    "npus=%zu\tchips=%zu\tnotok=%zu\tprocs=%zu\tidle=%zu\t"
	    "id=%s\tutil=%s\tnotes=",
	    npusmi_npus(t), t->nchip, notok, t->nproc, t->nidle, ids[t->id],
	    shown(t->util));
	add_notes(b, t);
	buf_addc(b, '\n');
	for (size_t i = 0; i < t->nchip; i++) {
		const struct npusmi_chip *c = &t->chip[i];

		buf_addf(b, "C\t%s\t", name);
		add_number(b, c->npu);
		buf_addf(b, "\t%ld\t%s\t%s\t%s\t%s\t", c->chip, shown(c->id),
		    c->npu < 0 ? "?" : shown(c->name),
		    c->npu < 0 ? "?" : shown(c->health), shown(c->bus));
		buf_addf(b, "%s\t%s/%s\t%s/%s\t%s\t%s\n", shown(c->util),
		    shown(c->mem), shown(c->mem_total), shown(c->hbm),
		    shown(c->hbm_total), c->npu < 0 ? "?" : shown(c->power),
		    c->npu < 0 ? "?" : shown(c->temp));
	}
	for (size_t i = 0; i < t->nproc; i++) {
		const struct npusmi_proc *p = &t->proc[i];

		buf_addf(b, "P\t%s\t%ld\t%ld\t%s\t%s\t%s\t%s\n", name, p->npu,
		    p->chip, p->pid, p->name, p->mb, shown(p->cpid));
	}
}

static void
read_render(struct buf *b, const char *name, const struct buf *text)
{
	struct npusmi t;

	buf_reset(b);
	npusmi_read(&t, text->s, text->len);
	render(b, name, &t);
	npusmi_free(&t);
}

static void
slurp(struct buf *b, const char *dir, const char *name)
{
	struct buf path = { 0 };

	buf_addf(&path, "%s/%s.txt", dir, name);
	buf_reset(b);
	buf_adds(b, "");
	if (io_slurp_file(path.s, b, 1 << 20) != 0)
		tap_ok(0, "read %s", path.s);
	buf_free(&path);
}

enum { MAX_NAMES = 64, MAX_NAME = 48 };

/* The lines of expected.tsv that belong to a name. */
static void
expected_of(struct buf *out, const char *all, const char *name)
{
	size_t n = strlen(name);

	buf_reset(out);
	while (*all != '\0') {
		size_t len = strcspn(all, "\n");

		if (strncmp(all + 2, name, n) == 0 && all[2 + n] == '\t')
			buf_add(out, all, len + 1);
		all += len + (all[len] == '\n');
	}
}

static size_t
names_of(const char *all, char names[MAX_NAMES][MAX_NAME])
{
	size_t n = 0;

	while (*all != '\0') {
		size_t len = strcspn(all, "\n"), tab;

		tab = strcspn(all + 2, "\t");
		if (*all == 'F' && n < MAX_NAMES && tab < MAX_NAME) {
			memcpy(names[n], all + 2, tab);
			names[n++][tab] = '\0';
		}
		all += len + (all[len] == '\n');
	}
	return n;
}

typedef void damage(struct buf *out, const char *s, size_t len);

static void
crlf(struct buf *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '\n')
			buf_addc(out, '\r');
		buf_addc(out, s[i]);
	}
}

static void
colour(struct buf *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] == 'O')
			buf_adds(out, "\033[1;32m");
		buf_addc(out, s[i]);
		if (s[i] == 'K' || s[i] == '\n')
			buf_adds(out, "\033[0m");
	}
}

static void
indent(struct buf *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		buf_addc(out, s[i]);
		if (s[i] == '\n')
			buf_adds(out, "  \t");
	}
}

/* One blank more before each bar. */
static void
wider(struct buf *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '|')
			buf_addc(out, ' ');
		buf_addc(out, s[i]);
	}
}

/* One blank less where there are three. */
static void
narrower(struct buf *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (i + 3 < len && memcmp(s + i, "   ", 3) == 0)
			i++;
		buf_addc(out, s[i]);
	}
}

/* A cell more at the end of each row. */
static void
column(struct buf *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		int version = 0;

		if (s[i] == '\n')
			for (size_t k = i; k-- > 0 && s[k] != '\n';)
				version |= s[k] == 'V' || s[k] == 'f';
		if (s[i] == '\n' && i > 1 && s[i - 1] == '|' && !version)
			buf_adds(out, " more |");
		buf_addc(out, s[i]);
	}
}

static const struct {
	const char *name;
	damage *make;
} damages[] = {
	{ "CRLF", crlf },
	{ "colours", colour },
	{ "indented", indent },
	{ "wider", wider },
	{ "narrower", narrower },
	{ "a cell more", column },
};

static size_t
rows(const char *s, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += s[i] == '|' && (i == 0 || s[i - 1] == '\n');
	return n;
}

/* Every prefix: what is read is among what the whole says. */
static int
prefixes(const struct buf *text, const char *whole)
{
	struct npusmi t;
	struct buf b = { 0 };
	int good = 1;

	for (size_t n = 0; n <= text->len && good; n++) {
		char *line;

		npusmi_read(&t, text->s, n);
		buf_reset(&b);
		render(&b, "x", &t);
		good = t.nchip <= rows(text->s, n);
		line = strchr(b.s, '\n') + 1;
		for (size_t len; good && *line != '\0'; line += len + 1) {
			len = strcspn(line, "\n");
			line[len] = '\0';
			good = strstr(whole, line) != NULL;
			if (!good)
				printf("# cut at %zu: %s\n", n, line);
		}
		npusmi_free(&t);
	}
	buf_free(&b);
	return good;
}

static void
test_expected(const char *dir, const char *expected)
{
	struct buf all = { 0 }, want = { 0 }, got = { 0 }, text = { 0 };
	struct buf bad = { 0 };
	char names[MAX_NAMES][MAX_NAME];
	size_t n;

	if (io_slurp_file(expected, &all, 1 << 20) != 0) {
		tap_ok(1, "recorded outputs # skip %s is not there", expected);
		return;
	}
	n = names_of(all.s, names);
	for (size_t i = 0; i < n; i++) {
		slurp(&text, dir, names[i]);
		expected_of(&want, all.s, names[i]);
		read_render(&got, names[i], &text);
		tap_is(got.s, want.s, names[i]);
		for (size_t d = 0; d < sizeof(damages) / sizeof(*damages);
		     d++) {
			buf_reset(&bad);
			buf_adds(&bad, "");
			damages[d].make(&bad, text.s, text.len);
			read_render(&got, names[i], &bad);
			if (strcmp(got.s, want.s) != 0)
				printf("# got: %s", got.s);
			tap_ok(strcmp(got.s, want.s) == 0, "%s, %s", names[i],
			    damages[d].name);
		}
		read_render(&got, "x", &text);
		tap_ok(
		    prefixes(&text, got.s), "%s, cut at every byte", names[i]);
	}
	tap_ok(n > 0, "%zu recorded outputs", n);
	buf_free(&all);
	buf_free(&want);
	buf_free(&got);
	buf_free(&text);
	buf_free(&bad);
}

static void
read_string(struct npusmi *t, const char *s)
{
	npusmi_read(t, s, strlen(s));
}

#define HEAD1 \
	"| NPU   Name | Health | Power(W) Temp(C) Hugepages-Usage(page)|\n"
#define HEAD2 \
	"| Chip       | Bus-Id | AICore(%) Memory-Usage(MB) HBM-Usage(MB)|\n"
#define RULE "+=====+=====+=====+\n"
#define PROCS "| NPU Chip | Process id | Process name | Process memory(MB) |\n"

static void
test_damage(void)
{
	struct npusmi t;

	read_string(&t, HEAD1 HEAD2 RULE "| 0 910B3 | OK | 90.1 30 0/0 |\n");
	tap_ok(t.nchip == 0 && t.cut, "row 1 alone is no chip, and a cut");
	npusmi_free(&t);

	read_string(
	    &t, HEAD1 HEAD2 RULE "| 0 | 0000:C1:00.0 | 0 0 / 0 5/9 |\n" RULE);
	tap_ok(t.nchip == 1 && t.orphans == 1 && t.chip[0].npu == -1,
	    "row 2 alone is an orphan");
	tap_is(t.chip[0].hbm_total, "9", "its memory is known");
	npusmi_free(&t);

	read_string(&t,
	    HEAD1 HEAD2 RULE "| 0 910B3 | 90.1 30 0/0 |\n"
			     "| 0 | 0 0 / 0 5/9 |\n" RULE);
	tap_ok(t.nchip == 0 && t.bad == 2, "a cell less is no row");
	npusmi_free(&t);

	read_string(&t,
	    "| NPU Name | Health | Vendor | Power(W) AI(%) Temp(C) |\n"
	    "| Chip | Bus-Id | X | AICore(%) Memory-Usage(MB) New(MB) "
	    "HBM-Usage(MB) |\n" RULE "| 3 910B3 | OK | v | 90.1 7 31 |\n"
	    "| 0 | 0000:C1:00.0 | y | 4 1/2 77 3/4 |\n" RULE);
	tap_ok(t.nchip == 1 && !t.cut && t.bad == 0, "columns between");
	tap_is(t.chip[0].temp, "31", "temperature by its header");
	tap_is(t.chip[0].hbm, "3", "memory by its header");
	npusmi_free(&t);

	read_string(&t,
	    PROCS RULE "| 0 0 | 77 | a | b|| c | 12 |\n"
		       "| 1 0 | x | a | 12 |\n");
	tap_ok(t.nproc == 1 && t.bad == 1, "a process without a pid is none");
	tap_is(t.proc[0].name, "a | b|| c", "bars in a name");
	tap_is(t.proc[0].mb, "12", "the memory behind it");
	npusmi_free(&t);

	read_string(&t,
	    "[WARNING]The driver package may not be complete\n"
	    "dcmi failed. ret is -8020\nalso ret is -9005\n");
	tap_ok(t.ret == -8020 && t.warning && t.layout == NPUSMI_NONE,
	    "the first code counts");
	npusmi_free(&t);

	npusmi_read(&t, "\0| a\0|\n", 7);
	tap_ok(t.nchip == 0 && t.text, "NUL bytes");
	npusmi_free(&t);
	read_string(&t, "");
	tap_ok(!t.text && !t.cut, "nothing");
	npusmi_free(&t);
}

/* Rows in any order and lines of a mebibyte: no chip without its row. */
static void
test_permuted(void)
{
	struct buf b = { 0 };
	struct npusmi t;

	buf_adds(&b, HEAD1 HEAD2 RULE);
	for (int i = 7; i >= 0; i--)
		buf_addf(&b,
		    "| %d 910B3 | OK | 90.1 30 0/0 |\n"
		    "| 0 | 0000:0%d:00.0 | 0 0/0 5/9 |\n" RULE,
		    i, i);
	npusmi_read(&t, b.s, b.len);
	tap_ok(t.nchip == 8 && t.chip[0].npu == 7 && t.bad == 0, "permuted");
	npusmi_free(&t);
	buf_addc(&b, '|');
	for (int i = 0; i < 1 << 19; i++)
		buf_adds(&b, "| ");
	buf_adds(&b, "|\n");
	npusmi_read(&t, b.s, b.len);
	tap_ok(t.nchip == 8 && t.bad == 1, "a line of a mebibyte");
	npusmi_free(&t);
	buf_free(&b);
}

int
main(void)
{
	test_expected("test/data/npu-smi", "test/data/npu-smi/expected.tsv");
	test_expected(
	    "../shared/data/npu-smi", "../shared/data/npu-smi/expected.tsv");
	test_damage();
	test_permuted();
	return tap_done();
}
