#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"
#include "io.h"
#include "shwalk.h"
#include "tap.h"

/* A walk of a text, and all its calls, each on a line. */
struct walked {
	struct shcmd cmd;
	struct shval_env env;
	struct shval_run *run;
	struct buf calls;
	struct shval_call call[64];
	size_t n;
	int forgets; /* call is not looked at: calls need not last */
};

static void
show(struct buf *b, const struct shval *v)
{
	for (; v != NULL; v = v->alt) {
		for (size_t i = 0; i < v->npiece; i++) {
			const struct shpiece *p = &v->piece[i];
			if (p->why != SHVAL_KNOWN)
				buf_addf(b, "<%d:", (int)p->why);
			buf_add(b, p->s, p->len);
			if (p->why != SHVAL_KNOWN)
				buf_addc(b, '>');
		}
		if (v->unset)
			buf_adds(b, "<unset>");
		if (v->split)
			buf_addf(b, "<split %zu>", v->nwords);
		if (v->alt != NULL)
			buf_adds(b, "<or>");
	}
}

static void
on_call(const struct shval_call *c, void *data)
{
	struct walked *k = data;

	if (k->n < 64)
		k->call[k->n++] = *c;
	if (!k->forgets)
		shval_keep(c->run);
	for (size_t i = 0; i < c->argc; i++) {
		if (i > 0)
			buf_addc(&k->calls, '|');
		show(&k->calls, &c->argv[i]);
	}
	buf_addf(&k->calls, "%s%s%s\n", c->maybe ? " maybe" : "",
	    c->guard ? " guard" : "", c->dead ? " dead" : "");
}

static char *no_environ[] = { (char *)"HOME=/home/u", (char *)"LANG=C", NULL };

static void
walk(struct walked *k, const char *text)
{
	struct shval_env env = k->env;
	int forgets = k->forgets;

	memset(k, 0, sizeof(*k));
	k->env = env;
	k->forgets = forgets;
	if (k->env.script == NULL)
		k->env.script = "/s/train.sh";
	if (k->env.environ == NULL)
		k->env.environ = no_environ;
	if (k->env.cwd == NULL)
		k->env.cwd = "/";
	shcmd_parse(&k->cmd, text, strlen(text));
	k->run = shval_walk(&k->cmd, &k->env, on_call, k);
}

static void
done(struct walked *k)
{
	shval_free(k->run);
	shcmd_free(&k->cmd);
	buf_free(&k->calls);
	memset(k, 0, sizeof(*k));
}

static void
test_calls(void)
{
	static const struct {
		const char *text, *calls;
	} t[] = {
		{ "torchrun a.py", "torchrun|a.py\n" },
		{ "A=1 B=2", "" },
		{ ">x", "\n" },
		{ "A=1; cmd $A \"$A b\" '$A' $U", "cmd|1|1 b|$A\n" },
		{ "A='x  y'; cmd $A", "cmd|x|y\n" },
		{ "A=\"--a 1 \\\n  --b 2\\\n\"\ncmd $A", "cmd|--a|1|--b|2\n" },
		{ "a=(x 'y z'); cmd ${a[@]} \"${a[@]}\"", "cmd|x|y|z|x|y z\n" },
		{ "set -- p 'q r'; cmd \"$@\" \"$#\"",
		    "set|--|p|q r\n"
		    "cmd|p|q r|2\n" },
		{ "f() { cmd \"$@\"; }; f a b", "f|a|b\ncmd|a|b\n" },
		{ "for i in 1 2; do cmd $i; done", "cmd|1\ncmd|2\n" },
		{ "cmd {a,b}{1..2}", "cmd|a1|a2|b1|b2\n" },
		{ "cmd ~ ~/x a=~/y", "cmd|/home/u|/home/u/x|a=/home/u/y\n" },
		{ "cmd *.py x/y[ab]",
		    "cmd|<8:*.py><split 0>|"
		    "x/<8:y[ab]><split 0>\n" },
		{ "set -f; cmd *.py", "set|-f\ncmd|*.py\n" },
		{ "x=$(date +%s); cmd $x a$x",
		    "date|+%s\n"
		    "cmd|<4:date><split 0>|"
		    "a<4:date><split 0>\n" },
		{ "cmd \"$RANDOM\"", "cmd|<4:RANDOM>\n" },
		{ "cmd --p $((RANDOM % 9))", "cmd|--p|<4:RANDOM>\n" },
		{ "eval 'cmd a; cmd b'", "eval|cmd a; cmd b\ncmd|a\ncmd|b\n" },
		{ "C='cmd a'; eval \"$C b\"", "eval|cmd a b\ncmd|a|b\n" },
		{ "(cmd a) | cmd b", "cmd|a\ncmd|b\n" },
		{ "cmd a && cmd b || cmd c",
		    "cmd|a\ncmd|b maybe\ncmd|c maybe\ncmd|c maybe\n" },
		{ "true && cmd b || cmd c", "true\ncmd|b\ncmd|c maybe\n" },
		{ "if true; then cmd a; else cmd b; fi", "true\ncmd|a\n" },
		{ "if x; then cmd a; else cmd b; fi",
		    "x\ncmd|a maybe\ncmd|b maybe\n" },
		{ "case $1 in a) cmd a;; *) cmd b;; esac", "cmd|b\n" },
		{ "exit; cmd a", "exit\n" },
		{ "x && exit; cmd a", "x\nexit maybe\ncmd|a\n" },
		{ "f() { return; cmd a; }; f; cmd b", "f\nreturn\ncmd|b\n" },
		{ "while x; do cmd a; done", "x\nx maybe\ncmd|a maybe\n" },
		{ "cmd <<E\n$HOME\nE\n", "cmd\n" },
		{ "A=1 cmd $A", "cmd\n" },
		{ "A=`echo \\`echo x\\``; cmd $A", "echo|x\necho|x\ncmd|x\n" },
		{ "exec cmd a\ncmd b", "exec|cmd|a\n" },
		{ "[ -f /etc/hostname-not ] && . /etc/hostname-not",
		    "[|-f|/etc/hostname-not|]\n" },
	};
	struct walked k = { .forgets = 1 };

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		walk(&k, t[i].text);
		tap_is(k.calls.s ? k.calls.s : "", t[i].calls, t[i].text);
		done(&k);
	}
}

static void
test_branches(void)
{
	static const struct {
		const char *text, *calls;
	} t[] = {
		{ "if x; then A=1; else A=2; fi\ncmd $A", "x\ncmd|1<or>2\n" },
		{ "if x; then A=1; fi\ncmd \"$A\"", "x\ncmd|1<or>\n" },
		{ "if x; then A=1; else A=1; fi\ncmd $A", "x\ncmd|1\n" },
		{ "if x; then E='--a 1'; else E=; fi\ncmd p $E q",
		    "x\ncmd|p|--a 1<split 2><or><split 0>|q\n" },
		{ "G='a b'; if x; then G=\"$G c\"; fi\ncmd $G",
		    "x\ncmd|a|b|c<split 1><or><split 0>\n" },
		{ "a=(p); if x; then a+=(q r); fi; a+=(s); cmd \"${a[@]}\"",
		    "x\ncmd|p|q r<split 2><or><split 0>|s\n" },
		{ "if x; then A=1; B=1; else A=2; B=2; fi\ncmd $A-$A",
		    "x\ncmd|1-1<or>2-2\n" },
		{ "if x; then A=/a/; else A=/b; fi\ncmd ${A%/}",
		    "x\ncmd|/a<or>/b\n" },
		{ "A=1; if x; then A=2; exit; fi\ncmd $A",
		    "x\nexit maybe\ncmd|1\n" },
		{ "f() { if x; then r=1; return; fi; r=2; }; f; cmd $r",
		    "f\nx\nreturn maybe\ncmd|2<or>1\n" },
		{ "for i in a b; do x && break; done; cmd $i",
		    "x\nbreak maybe\nx maybe\nbreak maybe\ncmd|b<or>a\n" },
		{ "n=0; while x; do n=$((n+1)); done; cmd $n",
		    "x\nx maybe\ncmd|<7:n><split 0>\n" },
		{ "(A=1); cmd \"$A\"", "cmd|\n" },
		{ "A=1 | B=2; cmd \"$A$B\"", "cmd|\n" },
		{ "if x; then set -- a; fi; cmd \"$@\"",
		    "x\nset|--|a maybe\ncmd|<2:@><split 0>\n" },
		{ "if x; then f() { A=1; }; fi; f; cmd \"$A\"",
		    "x\nf\ncmd|<or>1\n" },
	};
	struct walked k = { .forgets = 1 };

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		walk(&k, t[i].text);
		tap_is(k.calls.s ? k.calls.s : "", t[i].calls, t[i].text);
		done(&k);
	}
}

static void
test_reasons(void)
{
	static const struct {
		const char *value;
		enum shval_why why;
		const char *what;
	} t[] = {
		{ "$(cat /x)", SHVAL_COMMAND, "cat" },
		{ "$(npu-smi info | grep -c x)", SHVAL_COMMAND, "npu-smi" },
		{ "$(date)", SHVAL_CHANGES, "date" },
		{ "$$", SHVAL_CHANGES, "$" },
		{ "$(mktemp -d)/x", SHVAL_CHANGES, "mktemp" },
		{ "$SECONDS", SHVAL_CHANGES, "SECONDS" },
		{ "$READ", SHVAL_READ, "READ" },
		{ "$3", SHVAL_ARGUMENT, "3" },
		{ "${3:?usage}", SHVAL_ARGUMENT, "3" },
		{ "$(if [ \"$READ\" ]; then echo a; fi)", SHVAL_BRANCH, "" },
		{ "${BASH_VERSION}", SHVAL_COMMAND, "BASH_VERSION" },
		{ "$(< /etc/hostname)", SHVAL_COMMAND, "<" },
	};
	struct walked k = { .forgets = 1 };
	struct buf b = { 0 };

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		buf_reset(&b);
		buf_addf(&b, "read READ; V=%s", t[i].value);
		k.env.args_unknown = 1;
		walk(&k, b.s);
		const struct shval *v = shval_var(k.run, "V");
		const struct shpiece *p = v ? shval_unknown(v) : NULL;
		tap_ok(p != NULL && p->why == t[i].why &&
			strcmp(p->s, t[i].what) == 0,
		    "%s is unknown: %d %s", t[i].value, (int)t[i].why,
		    t[i].what);
		done(&k);
	}
	buf_free(&b);
}

/* Where the text of the n-th call's argument i was written. */
static void
test_origin(void)
{
	static const struct {
		const char *text;
		size_t call, arg, piece;
		const char *at; /* the text from there on */
		size_t line;
	} t[] = {
		{ "cmd --profile", 0, 1, 0, "--profile", 1 },
		{ "A='--x 1\n  --profile'\ncmd $A", 0, 3, 0, "--profile'", 2 },
		{ "A=\"\n --x 1 \\\n --profile \\\n\"\ncmd $A", 0, 3, 0,
		    "--profile \\", 3 },
		{ "A=(a \\\n --profile)\ncmd \"${A[@]}\"", 0, 2, 0,
		    "--profile)", 2 },
		{ "A=a\\\nb; cmd $A", 0, 1, 1, "b; cmd", 2 },
		{ "A=${B:---profile}; cmd $A", 0, 1, 0, "--profile}", 1 },
		{ "f() { cmd $1; }\nf x", 1, 1, 0, "x", 2 },
		{ "A=$(echo --profile); cmd $A", 1, 1, 0, "--profile)", 1 },
		{ "A=/a/b/c\ncmd ${A##*/}", 0, 1, 0, "c\ncmd", 1 },
	};
	struct walked k = { 0 };

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		walk(&k, t[i].text);
		const struct shval *v = &k.call[t[i].call].argv[t[i].arg];
		const struct shpiece *p = &v->piece[t[i].piece];
		tap_ok(p->from.source != NULL &&
			strncmp(k.cmd.text + p->from.off, t[i].at,
			    strlen(t[i].at)) == 0 &&
			memcmp(k.cmd.text + p->from.off, p->s, p->len) == 0,
		    "%s: written at %s", t[i].text, t[i].at);
		if (t[i].piece == 0)
			tap_ok(shval_line(v) == t[i].line, "on line %zu",
			    t[i].line);
		done(&k);
	}
}

static void
test_eval_origin(void)
{
	const char *text = "P='pretrain.py --x'\n"
			   "C=\"torchrun $P \\\n  --y\"\neval \"$C | tee l\"";
	struct walked k = { 0 };
	struct shval_from from;

	walk(&k, text);
	tap_ok(k.n == 3, "eval of a pipeline: three calls");
	const struct shval_call *c = &k.call[1];
	tap_ok(c->source->made != NULL && c->caller == c->source->call,
	    "its source is a string");
	const struct shval *last = &c->argv[c->argc - 1];
	tap_ok(shval_line(last) == 3, "the last argument is on line 3");
	uint32_t end = shcmd_argsend(c->source->cmd, c->node);
	tap_ok(shval_origin(c->source, end - 1, &from) == 0 &&
		strncmp(text + from.off, "y\"\neval", 7) == 0,
	    "the end of the arguments is in the assignment");
	tap_ok(shval_origin(c->source, 10, &from) == 0 &&
		strncmp(text + from.off, "retrain.py", 10) == 0,
	    "the program is in the variable before");
	done(&k);
}

static void
test_state(void)
{
	struct walked k = { 0 };
	struct buf b = { 0 };

	walk(&k, "cd /usr; cmd; cd /no/such || exit 1; cmd; N=$V/x");
	show(&b, k.call[1].cwd);
	tap_is(b.s, "/usr", "cwd of a command");
	buf_reset(&b);
	show(&b, k.call[k.n - 1].cwd);
	tap_is(b.s, "/no/such", "cwd behind cd || exit");
	const struct shval *v = shval_var(k.run, "N");
	tap_ok(v->npiece == 2 && v->piece[0].len == 0 &&
		strcmp(v->piece[0].s, "V") == 0,
	    "a variable that was not set leaves its name");
	tap_ok(shval_var(k.run, "V") == NULL, "it is not set");
	tap_ok(shval_known(v, &b), "and the value is known");
	done(&k);

	buf_reset(&b);
	walk(&k, "cd /no/such; cmd");
	show(&b, k.call[1].cwd);
	tap_is(b.s, "/<or>/no/such", "a cd that may fail: both");
	done(&k);

	buf_reset(&b);
	walk(&k, "A=1 B=$HOME/x cmd >$HOME/log <<E\nto $HOME\nE\n");
	show(&b, &k.call[0].assign[1]);
	buf_addc(&b, ' ');
	show(&b, &k.call[0].redir[0]);
	buf_addc(&b, ' ');
	show(&b, &k.call[0].redir[1]);
	tap_is(b.s, "/home/u/x /home/u/log to /home/u\n",
	    "assignments before, targets, here-documents");
	tap_ok(shval_var(k.run, "A") == NULL, "they do not last");
	done(&k);

	k.env.brief = 1;
	walk(&k, "export A=1 B='x y'; export C=$A; cmd \"$A\" \"$B\"");
	tap_is(k.calls.s, "export|C=1\ncmd|1|x y\n", "brief: plain exports");
	tap_ok(shvar_find(k.run, "A", 1)->flags & VAR_EXPORT, "exported");
	done(&k);

	k.env.brief = 1;
	walk(&k,
	    "echo a ${C:=d}; echo b >f; [ -f x ] || echo c | tee; "
	    "echo() { cmd \"$1\"; }; echo e; cmd \"$C\"");
	tap_is(k.calls.s, "echo|b\necho|c\ntee\necho|e\ncmd|e\ncmd|d\n",
	    "brief: what starts and makes nothing");
	done(&k);

	k.env.dead = 1;
	walk(&k, "if false; then cmd a; fi; [ x ] || cmd b; cmd c");
	tap_is(k.calls.s, "false\ncmd|a dead\n[|x|]\ncmd|b dead\ncmd|c\n",
	    "dead: also what does not run");
	done(&k);
	buf_free(&b);
}

/* Much comes and goes between a value and its use. */
static void
test_lasting(void)
{
	struct walked k = { .forgets = 1 };
	struct buf b = { 0 }, r = { 0 };

	buf_adds(&b,
	    "A=$(echo made up)\nL=(one \"$A\" [5]=five)\ndeclare -A M\n"
	    "M[$A]=key\nset -f\ncd /usr\n"
	    "if x; then B=$A; else B=2; fi\nf() { echo $1; }\n"
	    "N=\nS=start\n");
	for (int i = 0; i < 30000; i++)
		buf_addf(&b,
		    "T=$(echo %d)x; T=${T%%x}; W%d=$T; S=${S#?}%d; "
		    "cmd%d $T\n",
		    i, i % 1000, i % 10, i);
	buf_adds(&b,
	    "R=\"$A|${L[*]}|${M[made up]}|$PWD|$N|$W999|$S|$B|*\"; Q=$(f x)");
	walk(&k, b.s);
	show(&r, shval_var(k.run, "R"));
	tap_ok(!shval_limited(k.run), "many commands are no limit");
	const char *want = "made up|one made up five|key|/usr||";
	tap_ok(
	    strncmp(r.s, want, strlen(want)) == 0, "values last: %.60s", r.s);
	want = "||29999|56789|made up|*<or>";
	tap_ok(strstr(r.s, want) != NULL && strstr(r.s, "|2|*") != NULL,
	    "alternatives last, and values that were replaced");
	buf_reset(&r);
	show(&r, shval_var(k.run, "Q"));
	tap_is(r.s, "x", "a function lasts");
	buf_free(&b);
	buf_free(&r);
	done(&k);
}

static void
test_source(const char *dir)
{
	struct walked k = { 0 };
	struct buf text = { 0 }, b = { 0 };
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/env.sh", dir);
	f = fopen(path, "w");
	fputs("export A=from:$1\ncmd in\n[ -z \"$R\" ] && return\nA=no\n", f);
	fclose(f);
	buf_addf(&text, "B=1; . %s arg; cmd out $A $B", path);
	walk(&k, text.s);
	buf_addf(&b,
	    ".|%s|arg\nexport|A=from:arg\ncmd|in\n[|-z||]\nreturn\ncmd|out|from:arg|1\n",
	    path);
	tap_is(k.calls.s, b.s, "a file that can be read is followed");
	const struct shval_sourced *s = shval_sourced(k.run);
	tap_ok(s != NULL && s->read && s->next == NULL, "and remembered");
	tap_ok(strcmp(k.call[1].source->path, path) == 0 &&
		k.call[1].caller == k.call[1].source->call,
	    "its commands name it");
	done(&k);

	walk(&k, "A=1; . /no/such/env.sh; cmd $A $B");
	tap_is(k.calls.s,
	    ".|/no/such/env.sh\ncmd|1|<6:/no/such/env.sh><split 0>\n",
	    "a missing one: what was not set is unknown");
	tap_ok(!shval_sourced(k.run)->read, "it was not read");
	done(&k);

	walk(&k, "A=1 C=2; . $X$(x)/env.sh; C=3; cmd $A $C");
	tap_is(strstr(k.calls.s, "cmd"), "cmd|<6:x/env.sh><split 0>|3\n",
	    "an unknown one: but for what is set behind");
	done(&k);

	walk(&k, "A=1; . $(x)/ascend-toolkit/set_env.sh; cmd $A \"$PATH\"");
	tap_is(strstr(k.calls.s, "cmd"),
	    "cmd|1|<6:x/ascend-toolkit/set_env.sh>\n",
	    "that of CANN changes only its own");
	done(&k);

	char *functions[] = { (char *)"BASH_FUNC_f%%=() {  A=2; }", NULL };
	k.env.environ = functions;
	walk(&k, "A=1; f; cmd $A; g; B=1; cmd $B");
	tap_is(k.calls.s, "f\ncmd|<3:f><split 0>\ng\ncmd|1\n",
	    "a function of the environment may do anything");
	done(&k);
	walk(&k,
	    "A=1 B=1; trap 'A=$?; h' ERR INT; h() { B=2; }; C=3\n"
	    "trap 'C=0' EXIT; cmd $A $B $C");
	tap_is(strstr(k.calls.s, "cmd"),
	    "cmd|<3:trap><split 0>|<3:trap><split 0>|3\n",
	    "what a handler assigns");
	done(&k);
	walk(&k, "A=1; conda activate x; cmd $A \"$PATH\" $CONDA_PREFIX");
	tap_is(strstr(k.calls.s, "cmd"), "cmd|1|<3:conda>|<3:conda><split 0>\n",
	    "conda activate");
	done(&k);

	char var[600];
	snprintf(var, sizeof(var), "BASH_ENV=%s", path);
	char *start[] = { var, NULL };
	k.env.environ = start;
	walk(&k, "cmd $A");
	tap_is(k.calls.s, "cmd|from:\n", "the file that BASH_ENV names");
	done(&k);

	buf_reset(&text);
	buf_addf(&text, "if [ -f %s ]; then . %s; fi", path, path);
	walk(&k, text.s);
	tap_ok(k.call[1].guard && !k.call[1].maybe, "a guard that holds");
	done(&k);
	walk(&k, "E=$(x)/env.sh; if [ -f \"$E\" ]; then . \"$E\"; cmd; fi");
	tap_ok(k.call[2].guard && k.call[2].maybe && !k.call[3].guard,
	    "a guard that may hold");
	done(&k);
	unlink(path);
	buf_free(&text);
	buf_free(&b);
}

/* What is there now decides, unless a command before may have changed it. */
static void
test_files(void)
{
	static const struct {
		const char *text;
		int maybe;
	} t[] = {
		{ "[ -d /usr ] && cmd", 0 },
		{ "[ -d /usr/nope ] || cmd", 0 },
		{ "mkdir -p logs; [ -d /usr/nope ] || cmd", 0 },
		{ "mkdir -p /usr/nope/x; [ -d /usr/nope ] || cmd", 1 },
		{ "tee /usr/nope; [ -f /usr/nope ] || cmd", 1 },
		{ "touch $(x); [ -f /usr/nope ] || cmd", 1 },
		{ "echo >/usr/nope; [ -f /usr/nope ] || cmd", 1 },
		{ "python x.py; [ -f /usr/nope ] || cmd", 1 },
		{ "python x.py; [ -d /usr ] && cmd", 0 },
		{ "rm -rf /usr/nope/x; [ -d /usr ] && cmd", 0 },
		{ "rm -rf /us*; [ -d /usr ] && cmd", 1 },
		{ "./x.sh; [ -d /usr ] && cmd", 1 },
		{ "[ -d $(x) ] && cmd", 1 },
	};
	struct walked k = { 0 };

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		walk(&k, t[i].text);
		const struct shval_call *c = &k.call[k.n - 1];
		struct buf b = { 0 };
		tap_ok(shval_known(&c->argv[0], &b) &&
			strcmp(b.s, "cmd") == 0 && c->maybe == t[i].maybe,
		    "%s: %s", t[i].text, t[i].maybe ? "may run" : "runs");
		buf_free(&b);
		done(&k);
	}
	walk(&k, "A=1; mkdir -p logs; . /no/such; cmd $A");
	tap_ok(strstr(k.calls.s, "cmd|1\n") != NULL,
	    "a directory made is no sourced file");
	done(&k);
}

/* Names that a data file says are unknown. */
static int
listed(const char *text, const char *name)
{
	const char *at = strstr(text, "# unknown: ");
	size_t n = strlen(name);

	if (at == NULL)
		return 0;
	for (at += 11; *at != '\n'; at += *at == ' ') {
		size_t k = strcspn(at, " \n");
		if ((k == n && memcmp(at, name, n) == 0) || *at == '*')
			return 1;
		at += k;
	}
	return 0;
}

static int
is_known(struct shval_run *w, struct shslot *s)
{
	const struct shvar *var = shvar_get(w, s);
	struct buf b = { 0 };
	int ok = !(var->flags & VAR_MAYBE);

	if (var->flags & (VAR_DYNAMIC | VAR_NAMEREF) ||
	    strncmp(s->name, "BASH", 4) == 0)
		return 1;
	for (size_t i = 0; i < var->nelem; i++)
		ok &= shval_known(var->elem[i].v, &b);
	if (!(var->flags & (VAR_ARRAY | VAR_ASSOC)))
		ok &= shval_known(var->v, &b);
	buf_free(&b);
	return ok;
}

/* All that these scripts compute is known but what they name. That it is
 * right, bash itself says (test/soundness). */
static void
test_known(const char *dir)
{
	static char *here[] = { (char *)"HOME=/tmp", NULL };
	DIR *d = opendir(dir);
	struct dirent *e;
	char cwd[4096];

	if (getcwd(cwd, sizeof(cwd)) == NULL)
		return;

	tap_ok(d != NULL, "%s is there", dir);
	while (d != NULL && (e = readdir(d)) != NULL) {
		struct buf path = { 0 }, text = { 0 };
		struct walked k = { 0 };
		buf_addf(&path, "%s/%s", dir, e->d_name);
		if (strstr(e->d_name, ".sh") == NULL ||
		    io_slurp_file(path.s, &text, 1 << 20) != 0) {
			buf_free(&path);
			continue;
		}
		int bad = 0;
		k.env.script = path.s;
		k.env.environ = here;
		k.env.cwd = cwd;
		walk(&k, text.s);
		for (size_t i = 0; i < k.run->ntable; i++) {
			struct shslot *s = k.run->table[i];
			for (; s != NULL; s = s->next) {
				if (is_known(k.run, s) ||
				    listed(text.s, s->name))
					continue;
				bad++;
				printf("# %s\n", s->name);
			}
		}
		tap_ok(!bad, "%s: all is known", e->d_name);
		done(&k);
		buf_free(&path);
		buf_free(&text);
	}
	if (d != NULL)
		closedir(d);
}

/* Nothing may hang or grow without end. */
static void
test_hostile(void)
{
	static const char *const t[] = {
		"f() { f; }; f; A=1",
		"f() { if x; then f; else f; fi; }; f",
		"while :; do A=$A$A; done",
		"A=x; while :; do A=$A$A; done",
		"a=(x); while :; do a+=(\"${a[@]}\"); done",
		"for i in {1..1000}{1..1000}; do :; done",
		"echo {1..99999999}",
		"for ((;;)); do for ((;;)); do :; done; done",
		"A=$(A=$(A=$(A=$(echo x))))",
		"set -- x; while [ $# -gt 0 ]; do set -- \"$@\" \"$@\"; done",
		("s=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; "
		 "[[ $s == *a*a*a*a*a*a*a*a*a*b ]]"),
		"eval 'eval \"eval eval\"'; A='eval \"$A\"'; eval \"$A\"",
		"x=x; echo $((x)) ${x[x[x[x]]]}",
		"x=y y=x; echo $((x))",
		". /dev/zero; . /dev/stdin",
		"printf '%99999999d' 1; A=$(printf '%s' {1..1000})",
		"case x in x) ;& y) ;& esac; declare -n a=b b=a; a=1; c=$a",
	};
	struct walked k = { 0 };
	struct buf b = { 0 };

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		walk(&k, t[i]);
		tap_ok(1, "ends: %s", t[i]);
		done(&k);
	}
	for (int i = 0; i < 5000; i++)
		buf_adds(&b, "if x; then A=$A1; f() { ");
	walk(&k, b.s);
	tap_ok(1, "ends: deep nesting");
	done(&k);
	buf_reset(&b);
	for (int i = 0; i < 400; i++)
		buf_addf(&b, "x && A%d=%d || B=$A%d;", i % 50, i, i % 7);
	walk(&k, b.s);
	tap_ok(!shval_limited(k.run), "many small branches are followed");
	done(&k);
	buf_free(&b);
}

int
main(void)
{
	char dir[] = "/tmp/t_shval.XXXXXX";

	err_init("t_shval", 2);
	if (mkdtemp(dir) == NULL)
		return 2;
	test_calls();
	test_branches();
	test_reasons();
	test_origin();
	test_eval_origin();
	test_state();
	test_lasting();
	test_source(dir);
	test_files();
	test_known("test/data/shval");
	test_hostile();
	rmdir(dir);
	return tap_done();
}
