/*
 * Whatever the bytes, the properties of shcheck.h hold: for every prefix of
 * hard texts, for files, for random bytes; and tokens are what they should be.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "mem.h"
#include "shcheck.h"
#include "tap.h"

static const char *const hard[] = {
	"echo 'a' \"b\" $'c\\'d' $\"e\" f\\ g \\\nh # i\n",
	"echo \"${x:-\"a b\"}\" ${y#'}'} \"${z/\\//'}'}\" ${#a[@]} ${!b*} ${c@Q}\n",
	"echo \"$(echo \"$(echo \"a )\")\")\" `echo \\`echo \\\\\\`a\\\\\\`\\``\n",
	"x=$((1 << (2))) ; ((x > 1 && y[2]++)); z=$[1+2]; echo $((a); (b))\n",
	"cat <<A <<-'B' 2>&1 | tee {fd}>x &>>y\n$x `y` ${z:-'}'}\nA\n\tb\n\tB\n",
	"cat <<A; echo $(cat <<B\nA\nB\n)\na\nA\n",
	"a=(1 [2]=3 \"b c\" # d )\n\t$(e) [f]+=g) b+=(h) c[i j]=k d[${l[m]}]=n\n",
	"if a; then b; elif c; then d; else e; fi >f; while g; do h; done <i\n",
	"for x in a b; do c; done; for ((;;)) { d; }; for y; do e; done\n",
	"case $x in (a|b*) c;; [d]) e;& f) g;;& *) h; esac; select i in j; do k; done\n",
	"[[ a =~ ^(b|c)+$ && ( -f d || ! e < f ) ]] && [[ @(a|b) == +([0-9]) ]]\n",
	"f() { g; }; function h { i; }; function j() ( k ); coproc L { m; }\n",
	"! time -p a | b |& c && d || e & f\n",
	"echo <(a <(b)) >(c) ${d:-<(e)}; x=${ f; } y=${| g; }\n",
	("\xef\xbb\xbf"
	 "a\r\n\xb0\xa1\\\xff\x80 \t\\ \n\\"),
	"MASTER=<address>\necho ok\nif true\nfi\n) x\n;; y\necho more\n",
	"echo \"a $b", "echo 'a", "echo $(a", "echo ${a", "echo $((a", "a=(b",
	"a[b", "echo `a", "echo @(a", "{ a", "(", "if a", "while a; do",
	"case a in", "case a in b", "[[ a", "[[ a =~ (b", "f()", "a |", "a &&",
	"!", "time", "cat <<A", "cat <<A\n", "cat <<'A\n", "$(cat <<A\n)",
	"a <", "for", "for a", "for a in", "for ((", "coproc", "function",
	"select", "\"${a:-'b}\"", "${", "${ ", "`\\`", "`\\", "$'\\", "\"\\",
	"a\\", "#", "\\"
};

static void
check(const char *name, const char *text, size_t len)
{
	struct buf b = { 0 };
	struct shcmd c;
	const char *bad;
	size_t line, col;
	uint32_t i;

	shcmd_parse(&c, text, len);
	bad = shcheck(&c);
	if (bad != NULL) {
		esc_add(&b, text, len);
		tap_ok(0, "%s: %s in %s", bad, name, b.s);
	}
	for (i = 0; i < c.nword; i++) {
		buf_reset(&b);
		shcmd_literal(&c, i, &b);
	}
	for (i = 0; i < c.nnode; i++)
		shcmd_place(&c, c.node[i].off, &line, &col);
	shcmd_free(&c);
	buf_free(&b);
}

/* Every prefix, and every suffix. */
static void
check_parts(const char *name, const char *text, size_t len)
{
	char *part;
	size_t n;

	for (n = 0; n <= len; n++) {
		/* of its own size, so that a byte too many is noticed */
		part = mem_dup(text, n);
		part = mem_resize(part, n, 1);
		check(name, part, n);
		memcpy(part, text + len - n, n);
		check(name, part, n);
		mem_free(part);
	}
}

static void
test_hard(void)
{
	int before = tap_failed;
	size_t i;

	for (i = 0; i < sizeof hard / sizeof *hard; i++)
		check_parts("a hard text", hard[i], strlen(hard[i]));
	tap_ok(tap_failed == before, "every part of the hard texts");
}

/* Around the depth from which on tokens do not tell it. */
static void
test_depths(struct buf *b)
{
	static const char cut[] = "\"``${\"``${''\"````\"``'''$(\\#\"$'";
	int before = tap_failed;
	struct shcmd c;
	size_t i, k;

	for (i = 245; i < 265; i++) {
		buf_reset(b);
		buf_adds(b, "[[");
		for (k = 0; k < i; k++)
			buf_adds(b, "(");
		buf_adds(b, cut);
		check("a text of some depth", b->s, b->len);
		buf_reset(b);
		for (k = 0; k < i; k++)
			buf_adds(b, "( ");
		buf_adds(b, "for ((a;b;c)); do d; done");
		for (k = 0; k < i; k++)
			buf_adds(b, ")");
		shcmd_parse(&c, b->s, b->len);
		if (c.verdict != SH_COMPLETE)
			tap_ok(0, "for (( )) %zu deep", i);
		shcmd_free(&c);
	}
	tap_ok(tap_failed == before, "texts of some depth");
}

/* What nests deeper than is allowed: the stack holds, and all is read. */
static void
test_deep(void)
{
	static const char *const nests[] = { "(", "{ ", "((", "$((", "$(", "`",
		"\"$(", "${a:-", "\"${a:-", "\"${a:-'", "<(", "a=(", "a[", "@(",
		"$[", "[[ (", "if a; then ", "if ", "while a; do ",
		"for a; do ", "case a in a) ", "f() { ", "function f { ",
		"coproc { ", "cat <<A\n$(", "! ", "time ", "a | { ", "a && (",
		"${ ", "((a) " };
	int before = tap_failed;
	struct buf b = { 0 };
	size_t i, k;

	for (i = 0; i < sizeof nests / sizeof *nests; i++) {
		buf_reset(&b);
		for (k = 0; k < 3 * SHLEX_DEPTH; k++)
			buf_adds(&b, nests[i]);
		check("a deep text", b.s, b.len);
	}
	tap_ok(tap_failed == before, "deep texts");
	test_depths(&b);
	buf_free(&b);
}

static uint32_t
rnd(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static void
test_random(void)
{
	static const char bytes[] =
	    "\"\"''``$$(())[[]]{{}}<<>>||&&;;##!!\\\\==++"
	    "**??@@--//::~~%%^^,, \n\n\ta1x0";
	static const char *const bits[] = { "if ", "then ", "fi\n", "do ",
		"done\n", "case x in ", "esac\n", "for x in ", "((", "))",
		"$((", "$(", "${", "<<A\n", "\nA\n", "[[ ", " ]]", "a=(", "a[",
		"\\\n", "`", "\\`", "$'", "=~ ", "@(", "function ", "coproc ",
		"time ", "{ ", "; }", "\"${x:-'" };
	int before = tap_failed;
	uint32_t s = 1, i, k;
	struct buf b = { 0 };

	for (i = 0; i < 20000; i++) {
		buf_reset(&b);
		for (k = rnd(&s) % 24; k > 0; k--)
			if (rnd(&s) % 2 != 0)
				buf_adds(&b,
				    bits[rnd(&s) %
					(sizeof bits / sizeof *bits)]);
			else
				buf_addc(
				    &b, bytes[rnd(&s) % (sizeof bytes - 1)]);
		check(b.s != NULL ? b.s : "", b.s, b.len);
	}
	for (i = 0; i < 2000; i++) {
		buf_reset(&b);
		for (k = rnd(&s) % 64; k > 0; k--)
			buf_addc(&b, (char)(rnd(&s) >> 8));
		check("random bytes", b.s, b.len);
	}
	buf_free(&b);
	tap_ok(tap_failed == before, "random texts");
}

static void
test_file(const char *path)
{
	struct buf b = { 0 };
	FILE *f = fopen(path, "rb");
	size_t n;

	if (f == NULL)
		return;
	while ((n = fread(buf_room(&b, 4096), 1, 4096, f)) > 0)
		b.len += n;
	fclose(f);
	if (b.len < 2000)
		check_parts(path, b.s, b.len);
	else
		check(path, b.s, b.len);
	buf_free(&b);
}

/* All files in a directory, where there is one. */
static void
test_files(const char *dir)
{
	int before = tap_failed, n = 0;
	struct buf path = { 0 };
	struct dirent *e;
	DIR *d = opendir(dir);

	if (d == NULL)
		return;
	while ((e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		buf_reset(&path);
		buf_addf(&path, "%s/%s", dir, e->d_name);
		test_file(path.s);
		n++;
	}
	closedir(d);
	buf_free(&path);
	tap_ok(n > 0 && tap_failed == before, "every part of the files in %s",
	    dir);
}

/* Kinds of the tokens but blanks, with < > for opening and closing ones. */
static void
kinds(const char *text, const char *want)
{
	static const char names[] = "_n\\#!;><lesdQpbNO[cBa%=gHEx";
	struct buf b = { 0 }, name = { 0 };
	struct shcmd c;
	size_t i;

	shcmd_parse(&c, text, strlen(text));
	for (i = 0; i < c.ntok; i++) {
		if (c.tok[i].kind == TOK_BLANK)
			continue;
		buf_addc(&b, names[c.tok[i].kind]);
		if (c.tok[i].flags & SHTOK_CLOSE)
			buf_addc(&b, '.');
	}
	buf_adds(&b, "");
	esc_add(&name, text, strlen(text));
	tap_is(b.s, want, name.s);
	shcmd_free(&c);
	buf_free(&b);
	buf_free(&name);
}

static void
test_kinds(void)
{
	kinds("a 'b'c\"d\"$'e'\\f", "lslQlQ.de");
	kinds("a \\\n b # c\n", "l\\l#n");
	kinds("$a${b}${c:-d}${#e}", "pbNb.bNOlb.bNb.");
	kinds("${a[1]}${a[b]:2}", "bN[l[.b.bN[l[.Olb.");
	kinds("${a/b/c}${a//b}", "bNOlOlb.bNOlb.");
	kinds("\"${a#'b'}${a-'b'}\"", "QbNOsb.bNOlb.Q.");
	kinds("$(a)`b`<(c)", "clc.BlB.%l%.");
	kinds("`a \\`b\\` \\$c`", "BlBlB.xpB.");
	kinds("`a\\\nb\\\\\nc \\\\\\\\\\\\\n`", "Bl\\l\\le\\B.");
	kinds("$((1+a))$[2]", "ala.ala.");
	kinds("((1)); a=(b [c]=d)", "ala.;l=l[l[.l=.");
	kinds("a 2>b 3<<c {d}>e &>f\ng\nc\n", "l<>l<>l<>l>lnHE");
	kinds("@(a|b)", "lglg.");
	kinds("$ \"$\" $\"a\"", "lQlQ.QlQ.");
	kinds("a\\", "l!");
	kinds("cat <<A\n$b \\$ c\nA\n", "l>lnpHeHE");
	kinds("cat <<\\A\n$b\nA\n", "l>enHE");
	kinds("${ a; }", "cl;c.");
}

int
main(void)
{
	test_kinds();
	test_hard();
	test_deep();
	test_random();
	test_files("test/data/shell");
	test_files("test/data/demo");
	test_files("test/data/shval");
	test_files("test/fuzz/corpus/shlex");
	test_files("../shared/cases/shell");
	return tap_done();
}
