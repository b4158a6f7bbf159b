#include <stdlib.h>

#include "mem.h"
#include "shcheck.h"
#include "tap.h"

/*
 * A node is (NAME OP FLAGS WORDS REDIRECTIONS CHILDREN): the name abbreviated,
 * the operator before it where it has one, & ! t i x for its flags.
 */
static const char *const names[] = { "list", "andor", "pipe", "do", "{}", "()",
	"if", "while", "until", "for", "select", "for((", "case", "arm", "func",
	"((", "[[", "coproc", "$" };
static const char *const ops[] = { "", "", "&", "&&", "||", "|", "|&", ";;",
	";&", ";;&" };

static void
dump(const struct shcmd *c, uint32_t i, struct buf *b)
{
	static const char flags[] = "&!tix";
	const struct shnode *n = &c->node[i];
	uint32_t k;

	if (n->kind == SH_LIST && n->child == SH_NONE) {
		buf_adds(b, "()");
		return;
	}
	buf_addf(b, "(%s%s", names[n->kind],
	    n->op < sizeof ops / sizeof *ops ? ops[n->op] : "?");
	for (k = 0; k < 5; k++)
		if (n->flags >> k & 1)
			buf_addc(b, flags[k]);
	for (k = 0; k < n->nword; k++) {
		buf_adds(b, k == n->nassign && k > 0 ? " : " : " ");
		esc_add(b, c->text + c->word[n->word + k].off,
		    c->word[n->word + k].end - c->word[n->word + k].off);
	}
	for (k = n->redir; k < n->redir + n->nredir; k++) {
		const struct shredir *r = &c->redir[k];

		buf_adds(b, " ");
		esc_add(b, c->text + r->off, r->end - r->off);
		if (r->op != OP_DLESS && r->op != OP_DLESSDASH)
			continue;
		buf_adds(b, r->bodyquoted ? "='" : "=");
		esc_add(b, c->text + r->body, r->bodyend - r->body);
	}
	for (k = n->child; k != SH_NONE; k = c->node[k].next) {
		buf_addc(b, ' ');
		dump(c, k, b);
	}
	buf_addc(b, ')');
}

static const struct {
	const char *text, *want;
} trees[] = { { "", "()" }, { "a", "(list (do a))" },
	{ "a;b\nc &", "(list (do a) (do b) (do& c))" },
	{ "a && b || c; d", "(list (andor (do a) (do&& b) (do|| c)) (do d))" },
	{ "a | b |& c", "(list (pipe (do a) (do| b) (do|& c)))" },
	{ "! a | b && time -p c &",
	    "(list (andor& (pipe! (do a) (do| b)) (pipe&&t (do c))))" },
	{ "a |\n b &&\n\n c", "(list (andor (pipe (do a) (do| b)) (do&& c)))" },
	{ "A=1 B=2 c d=3", "(list (do A=1 B=2 : c d=3))" },
	{ "A=1 b[c d]+=2", "(list (do A=1 b[c d]+=2))" },
	{ "a=(b \"c d\" #e )\n f) g",
	    "(list (do a=(b \"c d\" #e )\\n f) : g))" },
	{ "declare -a a=(b c) d", "(list (do declare -a a=(b c) d))" },
	{ ">x a 2>&1 b <<<c {d}>&- 3<>e",
	    "(list (do a b >x 2>&1 <<<c {d}>&- 3<>e))" },
	{ "a 2 >b", "(list (do a 2 >b))" },
	{ "a >&2>b", "(list (do a >&2 >b))" },
	{ "a >&-b", "(list (do a b >&-))" },
	{ "a <b &>c &>>d >|e", "(list (do a <b &>c &>>d >|e))" },
	{ "{ a; } >b", "(list ({} >b (list (do a))))" },
	{ "(a;b) 2>c | d",
	    "(list (pipe (() 2>c (list (do a) (do b))) (do| d)))" },
	{ "{ (a); (b) }",
	    "(list ({} (list (() (list (do a))) (() (list (do b))))))" },
	{ "if a; then b; elif c; then d; else e; fi",
	    "(list (if (list (do a)) (list (do b)) (list (do c)) (list (do d)) "
	    "(list (do e))))" },
	{ "while a; b; do c; done <d",
	    "(list (while <d (list (do a) (do b)) (list (do c))))" },
	{ "until a\ndo b\ndone &",
	    "(list (until& (list (do a)) (list (do b))))" },
	{ "for a in b c; do d; done", "(list (fori a b c (list (do d))))" },
	{ "for a\ndo b; done", "(list (for a (list (do b))))" },
	{ "for a; { b; }", "(list (for a (list (do b))))" },
	{ "for a in; do b; done", "(list (fori a (list (do b))))" },
	{ "for ((i=0; i<3; i++)); do a; done", "(list (for(( (list (do a))))" },
	{ "select a in b; do c; done", "(list (selecti a b (list (do c))))" },
	{ "case a in b|c) d;; (e) f;& esac",
	    "(list (case a (arm;; b c (list (do d))) (arm;& e (list (do f)))))" },
	{ "case a in\n b) ;;\n c)\nesac",
	    "(list (case a (arm;; b ()) (arm c ())))" },
	{ "case a in esac", "(list (case a))" },
	{ "case a in (esac) b;; esac",
	    "(list (case a (arm;; esac (list (do b)))))" },
	{ "case a in @(b|c)d) e; esac",
	    "(list (case a (arm @(b|c)d (list (do e)))))" },
	{ "f() { a; } >b", "(list (func f ({} >b (list (do a)))))" },
	{ "function f { a; }; function g () (b)",
	    "(list (func f ({} (list (do a)))) (func g (() (list (do b)))))" },
	{ "f ()\n\n((1))", "(list (func f ((()))" },
	{ "((1 << 2)) && a", "(list (andor ((() (do&& a)))" },
	{ "((a); (b)) | c",
	    "(list (pipe (() (list (() (list (do a))) (() (list (do b))))) (do| "
	    "c)))" },
	{ "[[ a == b* && ! ( -f c ) || d =~ ^(e|f g)$ ]] >h",
	    "(list ([[ a == b* && ! ( -f c ) || d =~ ^(e|f g)$ >h))" },
	{ "[[ -n a\n&& b < c ]]", "(list ([[ -n a && b < c))" },
	{ "coproc a b >c", "(list (coproc (do a b >c)))" },
	{ "coproc A { b; } >c", "(list (coproc A ({} >c (list (do b)))))" },
	{ "coproc { a; }", "(list (coproc ({} (list (do a)))))" },
	{ "a $(b $(c)) `d`",
	    "(list (do a $(b $(c)) `d` ($ (list (do b $(c) ($ (list (do c)))))) ($ "
	    "(list (do d)))))" },
	{ "$(a) | b", "(list (pipe (do $(a) ($ (list (do a)))) (do| b)))" },
	{ "a=$(b) && c",
	    "(list (andor (do a=$(b) ($ (list (do b)))) (do&& c)))" },
	{ "a \"${b:-$(c)}\" <(d) ${e[$(f)]}",
	    "(list (do a \"${b:-$(c)}\" <(d) ${e[$(f)]} ($ (list (do c))) ($ (list "
	    "(do d))) ($ (list (do f)))))" },
	{ "a `b \\`c\\``",
	    "(list (do a `b \\\\`c\\\\`` ($ (list (do b \\\\`c\\\\` ($ (list (do "
	    "c))))))))" },
	{ "for a in $(b); do c; done",
	    "(list (fori a $(b) ($ (list (do b))) (list (do c))))" },
	{ "case $(a) in $(b)) c;; esac",
	    "(list (case $(a) ($ (list (do a))) (arm;; $(b) ($ (list (do b))) "
	    "(list (do c)))))" },
	{ "cat <<A <<-'B' | c\na $(b)\nA\n\tb\n\tB\nd",
	    "(list (pipe (do cat <<A=a $(b)\\n <<-'B'='\\tb\\n ($ (list (do b)))) "
	    "(do| c)) (do d))" },
	{ "cat <<A; $(cat <<B\nA\nB\n)\nb\nA",
	    "(list (do cat <<A=b\\n) (do $(cat <<B\\nA\\nB\\n) ($ (list (do cat "
	    "<<B=A\\n)))))" },
	{ "a=$(cat <<E\n)\nE)",
	    "(list (do a=$(cat <<E\\n)\\nE) ($ (list (do cat "
	    "<<E=)\\n)))))" },
	{ "cat <<A$(b `c`)\nd\nA$(b `c`)\ne",
	    "(list (do cat <<A$(b `c`)=d\\n) (do e))" },
	{ "cat <<A\nb \\\nA\nA\nc",
	    "(list (do cat <<A=b \\\\\\nA\\n) (do c))" },
	{ "tor\\\nch a\\\n | b", "(list (pipe (do tor\\\\\\nch a) (do| b)))" },
	{ "a\\\nb=c d", "(list (do a\\\\\\nb=c : d))" },
	{ "a\\\n+\\\n=\\\n(b) c",
	    "(list (do a\\\\\\n+\\\\\\n=\\\\\\n(b) : c))" },
	{ "a\\\n[b]\\\n=c d", "(list (do a\\\\\\n[b]\\\\\\n=c : d))" },
	{ "function a (b)", "(list (func a (() (list (do b)))))" },
	{ "function a ( \\\n ) (b)", "(list (func a (() (list (do b)))))" },
	{ "i\\\nf a; then b; fi", "(list (if (list (do a)) (list (do b))))" },
	{ "a &\\\n& b", "(list (andor (do a) (do&& b)))" },
	{ "echo if then } { ! [[ esac",
	    "(list (do echo if then } { ! [[ esac))" },
	{ "a | time b", "(list (pipe (do a) (do| time b)))" },
	{ "time", "(list (pipet))" },
	{ "!(a)", "(list (pipe! (() (list (do a)))))" },
	{ "shopt -s extglob\n!(a)", "(list (do shopt -s extglob) (do !(a)))" },
	{ "echo !(a|b) ?(c)d", "(list (do echo !(a|b) ?(c)d))" },
	{ "x=${ a; } b", "(list (do x=${ a; } : b ($ (list (do a)))))" },
	/* errors: reading goes on at the next line */
	{ "A=<b>\nc", "(listx (dox A= <b) (do c))" },
	{ "if a; then\nb ) c\nd; fi\ne",
	    "(listx (ifx (list (do a)) (listx (do b) (do d))) (do e))" },
	{ "a $(b ; ; c) d\ne",
	    "(listx (dox a $(b ; ; c) d ($x (listx (do b)))) (do e))" },
	{ "fi\na", "(listx (do a))" }, { "a ;; b\nc", "(listx (do a) (do c))" },
	{ "a | | b <<E\nc\nE\nd", "(listx (pipex (do a)) (do d))" },
	{ "a `b (` c", "(listx (dox a `b (` c ($x (listx (funcx b)))))" } };

static void
test_trees(void)
{
	struct buf b = { 0 }, name = { 0 };
	const char *bad;
	struct shcmd c;
	size_t i;

	for (i = 0; i < sizeof trees / sizeof *trees; i++) {
		buf_reset(&b);
		buf_reset(&name);
		shcmd_parse(&c, trees[i].text, strlen(trees[i].text));
		bad = shcheck(&c);
		if (bad != NULL)
			buf_adds(&b, bad);
		else
			dump(&c, 0, &b);
		esc_add(&name, trees[i].text, strlen(trees[i].text));
		tap_is(b.s, trees[i].want, name.s != NULL ? name.s : "nothing");
		shcmd_free(&c);
	}
	buf_free(&b);
	buf_free(&name);
}

static const struct {
	const char *text;
	enum sh_verdict verdict;
	enum shlex_error what;
	uint32_t off;
} errors[] = { { "a 'b", SH_INCOMPLETE, SHLEX_OPEN_SQ, 2 },
	{ "a $'b\\'", SH_INCOMPLETE, SHLEX_OPEN_SQ, 2 },
	{ "a \"b $c", SH_INCOMPLETE, SHLEX_OPEN_DQ, 2 },
	{ "a `b", SH_INCOMPLETE, SHLEX_OPEN_BQ, 2 },
	{ "a $(b", SH_INCOMPLETE, SHLEX_OPEN_CMD, 2 },
	{ "a <(b", SH_INCOMPLETE, SHLEX_OPEN_CMD, 2 },
	{ "a \"$(b", SH_INCOMPLETE, SHLEX_OPEN_CMD, 3 },
	{ "a ${b", SH_INCOMPLETE, SHLEX_OPEN_BRACE, 2 },
	{ "a $((b", SH_INCOMPLETE, SHLEX_OPEN_ARITH, 2 },
	{ "a $((b)", SH_INCOMPLETE, SHLEX_OPEN_CMD, 2 },
	{ "((a", SH_INCOMPLETE, SHLEX_OPEN_ARITH, 0 },
	{ "a=(b", SH_INCOMPLETE, SHLEX_OPEN_ARRAY, 2 },
	{ "a[b", SH_INCOMPLETE, SHLEX_OPEN_SUB, 1 },
	{ "a @(b", SH_INCOMPLETE, SHLEX_OPEN_GROUP, 3 },
	{ "a; (b", SH_INCOMPLETE, SHLEX_OPEN_COMPOUND, 3 },
	{ "a; { b;", SH_INCOMPLETE, SHLEX_OPEN_COMPOUND, 3 },
	{ "while a; do if b; then c", SH_INCOMPLETE, SHLEX_OPEN_COMPOUND, 12 },
	{ "case a in b) c", SH_INCOMPLETE, SHLEX_OPEN_COMPOUND, 0 },
	{ "a $(cat <<E\nb)", SH_INCOMPLETE, SHLEX_OPEN_HEREDOC, 8 },
	{ "a; (cat <<E\nb)", SH_INCOMPLETE, SHLEX_OPEN_HEREDOC, 8 },
	{ "a |", SH_INCOMPLETE, SHLEX_OPEN_COMPOUND, 0 },
	{ "a >\\", SH_INCOMPLETE, SHLEX_OPEN_COMPOUND, 0 },
	{ "a >", SH_INVALID, SHLEX_UNEXPECTED, 3 },
	{ "if a; then b >", SH_INVALID, SHLEX_UNEXPECTED, 14 },
	{ "for a { b; }", SH_INVALID, SHLEX_UNEXPECTED, 6 },
	{ "a=<b>\nc", SH_INVALID, SHLEX_UNEXPECTED, 5 },
	{ "a\nb )", SH_INVALID, SHLEX_UNEXPECTED, 4 },
	{ "if a; fi", SH_INVALID, SHLEX_UNEXPECTED, 6 },
	{ "{ }", SH_INVALID, SHLEX_UNEXPECTED, 2 },
	{ "a=(b & c)", SH_INVALID, SHLEX_UNEXPECTED, 5 },
	{ "f() a", SH_INVALID, SHLEX_UNEXPECTED, 4 },
	{ "[[ a b ]]", SH_INVALID, SHLEX_UNEXPECTED, 5 },
	{ "a & && b", SH_INVALID, SHLEX_UNEXPECTED, 4 },
	{ "in a", SH_INVALID, SHLEX_UNEXPECTED, 0 },
	{ "for ((a;b)); do c; done", SH_INVALID, SHLEX_UNEXPECTED, 4 },
	{ "for ((a;b;c;d)); do e; done", SH_INVALID, SHLEX_UNEXPECTED, 4 },
	{ "for ((a;b", SH_INCOMPLETE, SHLEX_OPEN_ARITH, 4 },
	{ "coproc a fi", SH_INVALID, SHLEX_UNEXPECTED, 9 },
	{ "a `b (`", SH_COMPLETE, SHLEX_OK, 0 },
	{ "cat <<E\n$(b (\nE\n", SH_COMPLETE, SHLEX_OK, 0 },
	{ "cat <<E\na", SH_COMPLETE, SHLEX_OK, 0 } };

static void
test_errors(void)
{
	struct buf name = { 0 };
	struct shcmd c;
	size_t i;

	for (i = 0; i < sizeof errors / sizeof *errors; i++) {
		shcmd_parse(&c, errors[i].text, strlen(errors[i].text));
		buf_reset(&name);
		esc_add(&name, errors[i].text, strlen(errors[i].text));
		if (!tap_ok(c.verdict == errors[i].verdict &&
			    (c.nerror == 0) == (errors[i].what == SHLEX_OK) &&
			    (c.nerror == 0 ||
				(c.error[0].what == errors[i].what &&
				    c.error[0].off == errors[i].off)),
			"error in %s", name.s))
			printf("# verdict %d, error %d at %lu\n",
			    (int)c.verdict,
			    c.nerror > 0 ? (int)c.error[0].what : 0,
			    c.nerror > 0 ? (unsigned long)c.error[0].off : 0);
		shcmd_free(&c);
	}
	buf_free(&name);
}

static const struct {
	const char *text, *want; /* want: W at OFFSET; for each warning */
} warnings[] = { { "a \\ \nb", "0@2;" }, { "a \"\n b \\  \n c\"", "0@7;" },
	{ "a '\\ \n' # \\ \nb", "" }, { "a=(\n b \\ \n)", "0@7;" },
	{ "a\r\nb\r\n", "1@1;" }, { "a\rb\n", "" },
	{ "\xef\xbb\xbf#!/bin/sh\n", "2@0;" }, { "a \\", "3@2;" },
	{ "a\\", "3@1;" }, { "a; cat <<E\nb\n", "4@7;" }, { "a <<E", "4@2;" } };

static void
test_warnings(void)
{
	struct buf b = { 0 }, name = { 0 };
	struct shcmd c;
	size_t i, k;

	for (i = 0; i < sizeof warnings / sizeof *warnings; i++) {
		buf_reset(&b);
		buf_reset(&name);
		shcmd_parse(&c, warnings[i].text, strlen(warnings[i].text));
		for (k = 0; k < c.nwarning; k++)
			buf_addf(&b, "%d@%lu;", (int)c.warning[k].what,
			    (unsigned long)c.warning[k].off);
		buf_adds(&b, "");
		esc_add(&name, warnings[i].text, strlen(warnings[i].text));
		tap_is(b.s, warnings[i].want, name.s);
		shcmd_free(&c);
	}
	buf_free(&b);
	buf_free(&name);
}

static const struct {
	const char *word, *want; /* NULL: it has expansions */
} literals[] = { { "a", "a" }, { "a\\ b", "a b" },
	{ "'a b'\"c d\"e", "a bc de" }, { "\"a\\$b\\c\\\"\"", "a$b\\c\"" },
	{ "$'a\\tb\\x41\\101\\u00e9'", "a\tbAA\xc3\xa9" },
	{ "$'a\\'b\\\\'", "a'b\\" }, { "$'a\\0b'c", "ac" }, { "$\"a\"", "a" },
	{ "tor\\\nch", "torch" }, { "a$", "a$" }, { "@(a|'b')", "@(a|b)" },
	{ "''", "" }, { "$a", NULL }, { "\"$a\"", NULL }, { "`a`", NULL },
	{ "a$(b)", NULL }, { "$((1))", NULL }, { "<(a)", NULL },
	{ "\xb0\xa1\xff", "\xb0\xa1\xff" } };

static void
test_literals(void)
{
	struct buf b = { 0 }, text = { 0 };
	struct shcmd c;
	size_t i;
	int got;

	for (i = 0; i < sizeof literals / sizeof *literals; i++) {
		buf_reset(&text);
		buf_adds(&text, "echo ");
		buf_adds(&text, literals[i].word);
		buf_adds(&text, "\n");
		shcmd_parse(&c, text.s, text.len);
		buf_reset(&b);
		got = shcmd_literal(&c, c.node[1].word + 1, &b);
		if (!tap_ok(literals[i].want == NULL
			    ? got == -1 && b.len == 0
			    : got == 0 && strcmp(b.s, literals[i].want) == 0,
			"literal %zu", i))
			printf("# got %d %s\n", got, b.s);
		shcmd_free(&c);
	}
	buf_free(&b);
	buf_free(&text);
}

static void
test_places(void)
{
	const char *text = "a\nbb\n\n  torchrun x \\\n   --y 1\\\n | tee z\n";
	size_t line, col, i;
	struct buf b = { 0 };
	struct shcmd c;
	uint32_t node;

	shcmd_parse(&c, text, strlen(text));
	shcmd_place(&c, 0, &line, &col);
	tap_ok(line == 1 && col == 1, "the first byte");
	shcmd_place(&c, 4, &line, &col);
	tap_ok(line == 2 && col == 3, "a newline belongs to its line");
	shcmd_place(&c, 8, &line, &col);
	tap_ok(line == 4 && col == 3, "an indented command");
	shcmd_place(&c, (uint32_t)strlen(text), &line, &col);
	tap_ok(line == 7 && col == 1, "the end");
	for (node = 0; c.node[node].kind != SH_PIPE; node++)
		;
	tap_ok(shcmd_argsend(&c, c.node[node].child) == 29,
	    "a continuation glued to the last word is not in it");
	tap_ok(shcmd_node(&c, c.node[node].off) <= node &&
		shcmd_node(&c, 0) == 0 &&
		shcmd_node(&c, (uint32_t)strlen(text)) == c.nnode,
	    "nodes by their offsets");
	shcmd_free(&c);
	for (i = 0; i < 3 * SH_BLOCK; i++)
		buf_addc(&b, i % 7 == 0 ? '\n' : 'x');
	shcmd_parse(&c, b.s, b.len);
	for (i = 0, line = 1; i < b.len; line += b.s[i++] == '\n')
		if (shcmd_line(&c, (uint32_t)i) != line)
			break;
	tap_ok(i == b.len, "every byte's line, over several blocks");
	shcmd_free(&c);
	buf_free(&b);
}

/* An argument can be added to every command. */
static void
test_insert(void)
{
	static const char *const texts[] = { "a b>c | d\\\n | e \\\n",
		"f() { a \"$(b c)\"; }\nfor x in y; do z; done",
		"a `b c` <<E 2>&1\n$(d e)\nE\n",
		"if a; then b; fi; [[ c ]] && d e&f",
		"case a in b) c;; d) e f\nesac; (g; h) ; i 2>j; A=1 k\\\n\n" };
	struct shcmd c;
	const char *bad;
	uint32_t node;
	size_t i;

	for (i = 0; i < sizeof texts / sizeof *texts; i++) {
		shcmd_parse(&c, texts[i], strlen(texts[i]));
		bad = NULL;
		for (node = 0; node < c.nnode && bad == NULL; node++)
			if (c.node[node].kind == SH_SIMPLE)
				bad = shcheck_insert(&c, node);
		tap_ok(bad == NULL, "arguments added to %zu%s%s", i,
		    bad != NULL ? ": " : "", bad != NULL ? bad : "");
		shcmd_free(&c);
	}
}

int
main(void)
{
	test_trees();
	test_errors();
	test_warnings();
	test_literals();
	test_places();
	test_insert();
	return tap_done();
}
