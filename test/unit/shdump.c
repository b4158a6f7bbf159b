/*
 * Prints how a script on standard input is read.
 *
 *	shdump     a line per simple command: START END LINE WORDS
 *	shdump -v  the verdict, then errors and warnings: what, offset, length
 *	shdump -t  a line per token: OFFSET LENGTH KIND FLAGS DEPTH TEXT
 *	shdump -n  a line per node, indented
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "shcmd.h"

static const char *const tok_names[] = { "blank", "newline", "cont", "comment",
	"lonebs", "op", "redir", "io", "lit", "esc", "sq", "dsq", "dq", "param",
	"brace", "pname", "pop", "sub", "cmd", "bq", "arith", "proc", "array",
	"group", "hdbody", "hdend", "eaten" };
static const char *const node_names[] = { "list", "andor", "pipe", "simple",
	"group", "subshell", "if", "while", "until", "for", "select",
	"arithfor", "case", "arm", "func", "arith", "cond", "coproc", "subst" };
static const char *const verdicts[] = { "complete", "incomplete", "invalid" };

static void
print_text(const struct shcmd *c, uint32_t off, uint32_t end)
{
	struct buf b = { 0 };

	esc_add(&b, c->text + off, end - off);
	printf(" %s", b.s != NULL ? b.s : "");
	buf_free(&b);
}

static void
print_commands(const struct shcmd *c)
{
	size_t i;

	for (i = 0; i < c->nnode; i++) {
		const struct shnode *n = &c->node[i];
		uint32_t start;

		if (n->kind != SH_SIMPLE || n->nword <= n->nassign)
			continue;
		start = c->word[n->word + n->nassign].off;
		printf("%lu %lu %zu %lu\n", (unsigned long)start,
		    (unsigned long)shcmd_argsend(c, (uint32_t)i),
		    shcmd_line(c, start),
		    (unsigned long)(n->nword - n->nassign));
	}
}

static void
print_verdict(const struct shcmd *c)
{
	size_t i;

	printf("%s\n", verdicts[c->verdict]);
	for (i = 0; i < c->nerror; i++)
		printf("error %d %lu %lu\n", (int)c->error[i].what,
		    (unsigned long)c->error[i].off,
		    (unsigned long)c->error[i].len);
	for (i = 0; i < c->nwarning; i++)
		printf("warning %d %lu\n", (int)c->warning[i].what,
		    (unsigned long)c->warning[i].off);
}

static void
print_tokens(const struct shcmd *c)
{
	size_t i;

	for (i = 0; i < c->ntok; i++) {
		const struct shtok *t = &c->tok[i];

		printf("%lu %lu %s %d %d", (unsigned long)t->off,
		    (unsigned long)shtok_len(t), tok_names[t->kind], t->flags,
		    t->depth);
		print_text(c, t->off, shtok_end(t));
		putchar('\n');
	}
}

static void
print_nodes(const struct shcmd *c)
{
	size_t i;
	uint32_t k;

	for (i = 0; i < c->nnode; i++) {
		const struct shnode *n = &c->node[i];

		for (k = n->parent; k != SH_NONE; k = c->node[k].parent)
			printf("  ");
		printf("%s %lu-%lu op %d flags %d", node_names[n->kind],
		    (unsigned long)n->off, (unsigned long)n->end, n->op,
		    n->flags);
		for (k = n->word; k < n->word + n->nword; k++) {
			printf(" |");
			print_text(c, c->word[k].off, c->word[k].end);
		}
		for (k = n->redir; k < n->redir + n->nredir; k++) {
			printf(" >");
			print_text(c, c->redir[k].off, c->redir[k].end);
			if (c->redir[k].bodyend > c->redir[k].body)
				print_text(
				    c, c->redir[k].body, c->redir[k].bodyend);
		}
		putchar('\n');
	}
}

int
main(int argc, char **argv)
{
	struct buf in = { 0 };
	struct shcmd c;
	size_t n;
	int how = argc > 1 && argv[1][0] == '-' ? argv[1][1] : 0;

	while ((n = fread(buf_room(&in, 1 << 16), 1, 1 << 16, stdin)) > 0)
		in.len += n;
	shcmd_parse(&c, in.s, in.len);
	switch (how) {
	case 'v': print_verdict(&c); break;
	case 't': print_tokens(&c); break;
	case 'n': print_nodes(&c); break;
	default: print_commands(&c);
	}
	shcmd_free(&c);
	buf_free(&in);
	return ferror(stdin) || fflush(stdout) != 0 ? 2 : 0;
}
