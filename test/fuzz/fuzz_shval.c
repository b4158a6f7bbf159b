/*
 * Static expansion of any bytes: it ends, and what it says about where bytes
 * came from is true.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "mem.h"
#include "shval.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
check_value(const struct shval *v)
{
	struct buf b = { 0 };

	for (; v != NULL; v = v->alt) {
		if (v->alt == NULL && !v->split &&
		    (shval_known(v, &b) == 1) != (shval_unknown(v) == NULL))
			abort();
		for (size_t i = 0; i < v->npiece; i++) {
			const struct shpiece *p = &v->piece[i];
			const struct shval_source *s = p->from.source;
			if (p->why == SHVAL_KNOWN && p->len > 0 &&
			    memchr(p->s, '\0', p->len) != NULL)
				abort();
			if (p->why != SHVAL_KNOWN && strlen(p->s) != p->len)
				abort();
			if (s != NULL &&
			    (p->from.off > p->from.end ||
				p->from.end > s->cmd->len))
				abort();
		}
		for (size_t i = 0; i < v->nwords; i++)
			check_value(&v->words[i]);
		shval_line(v);
	}
	buf_free(&b);
}

static void
check_call(const struct shval_call *c, void *data)
{
	struct shval_from from;
	const struct shnode *n = &c->source->cmd->node[c->node];

	(void)data;
	if (n->kind != SH_SIMPLE)
		abort();
	for (size_t i = 0; i < c->argc; i++) {
		check_value(&c->argv[i]);
		if (c->argword[i] >= c->source->cmd->nword)
			abort();
	}
	for (uint32_t i = 0; i < n->nredir; i++)
		check_value(&c->redir[i]);
	check_value(c->cwd);
	if (shval_origin(c->source, n->off, &from) == 0 &&
	    from.off > from.source->cmd->len)
		abort();
	check_value(shval_var(c->run, "A"));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *args[] = { (char *)"one", (char *)"two words" };
	static char *variables[] = { (char *)"HOME=/home/u", (char *)"A=a b",
		NULL };
	const struct shval_env env = { .script = "/s/train.sh",
		.args = args,
		.nargs = 2,
		.environ = variables,
		.cwd = "/",
		.root = "/nowhere",
		.dead = size % 2 == 1 };
	struct shcmd cmd;
	struct shval_run *run;
	char *text = malloc(size + 1);

	if (text == NULL || memchr(data, '\0', size) != NULL) {
		mem_free(text);
		return 0;
	}
	memcpy(text, data, size);
	shcmd_parse(&cmd, text, size);
	run = shval_walk(&cmd, &env, check_call, NULL);
	check_value(shval_var(run, "A"));
	shval_free(run);
	shcmd_free(&cmd);
	mem_free(text);
	return 0;
}
