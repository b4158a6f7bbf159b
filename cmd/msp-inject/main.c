/*
 * msp-inject: adds the profiler's arguments to a script's training launch.
 */
#include <stdlib.h>
#include <string.h>

#include "edit.h"
#include "inject.h"
#include "mem.h"

extern char **environ;

/* Files that tee writes, for the warning about the last run's log. */
static void
main_call(const struct shval_call *c, void *data)
{
	struct inject *in = data;
	struct buf b = { 0 };
	int tee, appends = 0;

	tee = c->argc > 1 && c->source->cmd == &in->cmd &&
	    shval_known(&c->argv[0], &b) && strcmp(b.s, "tee") == 0;
	for (size_t i = 1; tee && i < c->argc; i++) {
		buf_reset(&b);
		buf_add(&b, "", 0);
		if (shval_known(&c->argv[i], &b) && b.s[0] == '-') {
			appends |= strcmp(b.s, "-a") == 0 ||
			    strcmp(b.s, "--append") == 0;
			continue;
		}
		in->log =
		    mem_more(in->log, in->nlog, &in->caplog, sizeof *in->log);
		in->log[in->nlog++] =
		    (struct logfile){ c->node, &c->argv[i], appends };
	}
	buf_free(&b);
}

static void
main_parse(struct inject *in)
{
	shcmd_parse(&in->cmd, in->script.text.s, in->script.text.len);
	in->env = (struct shval_env){ .script = in->script.path,
		.args = in->script.args,
		.nargs = (size_t)in->script.nargs,
		.args_unknown = in->script.nargs == 0,
		.environ = environ,
		.dead = 1 };
	in->nlog = 0;
	launch_find(&in->found, &in->cmd, &in->env,
	    (const char *const *)in->entry, main_call, in);
	choose_launches(in);
}

static void
main_forget(struct inject *in)
{
	launch_free(&in->found);
	shcmd_free(&in->cmd);
}

/* Old arguments go first; the script without them is read anew. */
static void
main_remove(struct inject *in, struct edit *e)
{
	struct buf text = { 0 };
	size_t nodes = in->cmd.nnode;
	struct edit none = { 0 };

	if (edit_apply(e, in->script.text.s, in->script.text.len, &text))
		err_bug();
	main_forget(in);
	buf_free(&in->script.text);
	in->script.text = text;
	size_t said = in->nfinding;
	main_parse(in);
	find_drop(in, said);
	if (in->cmd.nnode != nodes || in->nchosen == 0)
		err_bug();
	in->mode = INJECT_ASK;
	(void)existing_check(in, &none);
	edit_free(&none);
}

static void
main_edit(struct inject *in)
{
	struct edit e = { 0 };

	training_read(in, in->chosen[0], &in->training);
	check_request(in);
	if (in->stop)
		stop_plan(in);
	if (find_status(in) <= EXIT_NO) {
		for (size_t i = 0; i < in->nchosen; i++)
			place_launch(in, in->chosen[i], &e);
		place_apply(in, &e);
	}
	edit_free(&e);
}

static void
main_script(struct inject *in)
{
	struct edit e = { 0 };

	main_parse(in);
	hygiene_check(in);
	if (in->nchosen != 0 && find_status(in) <= EXIT_NO) {
		int keep = existing_check(in, &e);
		if (keep)
			script_close(&in->out, in->script.text.s,
			    in->script.text.len, in->script.path);
		else if (find_status(in) <= EXIT_NO && e.n != 0)
			main_remove(in, &e);
		if (!keep && find_status(in) <= EXIT_NO)
			main_edit(in);
	}
	edit_free(&e);
}

static int
main_write(const struct buf *b)
{
	struct io out;

	io_start(&out, 1, text_raw(&T_LIB_STDOUT));
	io_add(&out, b->s, b->len);
	return io_close(&out) < 0 ? EXIT_FAILED : EXIT_YES;
}

static int
main_end(struct inject *in)
{
	int status = find_status(in);
	struct buf plan = { 0 };

	if (in->plan)
		plan_print(in, &plan);
	else
		find_say(in);
	if (in->plan && main_write(&plan) != EXIT_YES)
		status = EXIT_FAILED;
	if (!in->plan && status == EXIT_YES)
		status = main_write(&in->out);
	buf_free(&plan);
	return status;
}

int
main(int argc, char **argv)
{
	struct inject in = { 0 };
	int operands = 0, refused;

	err_init("msp-inject", EXIT_FAILED);
	profile_init(&in.profile);
	int status = request_read(&in, argc, argv, &operands);
	err_quiet(in.quiet);
	if (status < 0 &&
	    script_read(&in.script, argc - operands, argv + operands,
		in.path_option, &refused) < 0)
		status = refused;
	if (status < 0) {
		if (in.yaml)
			yamlfile_edit(&in);
		else
			main_script(&in);
		status = main_end(&in);
	}
	main_forget(&in);
	training_free(&in.training);
	find_free(&in);
	script_free(&in.script);
	profile_free(&in.profile);
	buf_free(&in.out);
	buf_free(&in.added);
	free(in.chosen);
	free(in.log);
	free(in.entry);
	return status;
}
