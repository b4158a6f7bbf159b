#include <stdlib.h>
#include <string.h>

#include "edit.h"
#include "inject.h"
#include "mem.h"

extern char **environ;

/* Files that tee writes, for the warning about the last run's log. */
static void
inject_tee(struct inject *in, const struct shval_call *c)
{
	struct buf b = { 0 };
	int tee, appends = 0;

	tee = c->argc > 1 && c->source->cmd == &in->cmd &&
	    shval_known(&c->argv[0], &b) && strcmp(b.s, "tee") == 0;
	for (size_t i = 1; tee && i < c->argc; i++) {
		buf_reset(&b);
		buf_add(&b, "", 0);
		if (shval_known(&c->argv[i], &b) && b.s[0] == '-') {
			appends |= b.s[1] == '-' ? strcmp(b.s, "--append") == 0
						 : strchr(b.s, 'a') != NULL;
			continue;
		}
		in->log =
		    mem_more(in->log, in->nlog, &in->caplog, sizeof *in->log);
		in->log[in->nlog++] =
		    (struct logfile){ c->node, &c->argv[i], appends };
		shval_keep(c->run);
	}
	buf_free(&b);
}

static void
inject_call(const struct shval_call *c, void *data)
{
	struct inject *in = data;

	inject_tee(in, c);
	if (!in->remembers)
		return;
	in->call =
	    mem_more(in->call, in->ncall, &in->capcall, sizeof *in->call);
	in->call[in->ncall++] = c;
	shval_keep(c->run);
}

void
inject_walk(struct inject *in)
{
	in->nlog = in->ncall = 0;
	launch_find_way(&in->found, &in->cmd, &in->env,
	    (const char *const *)in->entry, inject_call, in, in->way,
	    (size_t)in->line);
}

static void
inject_choose(struct inject *in)
{
	inject_walk(in);
	if (shval_limited(in->found.run))
		find_refuse(in, 0, &T_LIMITED, NULL);
	choose_launches(in);
}

static void
inject_parse(struct inject *in)
{
	shcmd_parse(&in->cmd, in->script.text.s, in->script.text.len);
	if (in->said == 0) {
		hygiene_check(in);
		in->said = in->nfinding + 1;
	}
	in->env = (struct shval_env){ .script = in->script.path,
		.brief = in->mode != INJECT_OVERRIDE,
		.args = in->script.args,
		.nargs = (size_t)in->script.nargs,
		.args_unknown = in->script.nargs == 0,
		.environ = environ,
		.dead = 1 };
	size_t said = in->nfinding;
	in->remembers = in->mode == INJECT_OVERRIDE || in->line != 0;
	inject_choose(in);
	if (in->remembers || !place_is_deep(in))
		return;
	/* what else is given the string in which text lands is asked for */
	launch_free(&in->found);
	find_cut(in, said);
	in->remembers = 1;
	inject_choose(in);
}

void
inject_forget(struct inject *in)
{
	launch_free(&in->found);
	shcmd_free(&in->cmd);
}

/* Old arguments go first; the script without them is read anew. */
static void
inject_remove(struct inject *in, struct edit *e)
{
	struct buf text = { 0 }, before = { 0 }, after = { 0 }, list = { 0 };
	struct olds o = { 0 };
	size_t said = in->nfinding;

	existing_collect(in, &o, NULL);
	existing_list(&o, &list);
	size_t line = o.old[0].line;
	(void)remove_state(in, e, 0, &before);
	if (edit_apply(e, in->script.text.s, 0, in->script.text.len, &text))
		err_bug();
	inject_forget(in);
	buf_free(&in->script.text);
	in->script.text = text;
	inject_parse(in);
	size_t left = remove_state(in, e, 1, &after);
	find_drop(in, said);
	if (left != 0 || before.len != after.len ||
	    memcmp(before.s, after.s, before.len) != 0) {
		find_cut(in, said);
		find_error(in, EXIT_REFUSED, line, &T_CANNOT_REMOVE,
		    &T_CANNOT_REMOVE_DO, list.s);
	}
	mem_free(o.old);
	buf_free(&before);
	buf_free(&after);
	buf_free(&list);
}

/* What one launch is given beside the profile's own arguments. */
static void
inject_add(struct inject *in, size_t i)
{
	const struct launch *x = in->chosen[i];

	existing_undo(in, x, &in->added[i]);
	if (in->stop)
		stop_plan(in, x, &in->added[i]);
}

static void
inject_tell(struct inject *in, const struct launch *x)
{
	struct buf line = { 0 };

	buf_addf(&line, "%zu", x->line);
	if (in->verbose && !in->plan)
		find_add(in, ERR_NOTE, 0, x->line, &T_ADDED, NULL, line.s,
		    FIND_NONE);
	buf_free(&line);
}

static void
inject_edit(struct inject *in)
{
	struct edit e = { 0 };

	in->added = mem_zero(in->nchosen, sizeof *in->added);
	training_read(in, in->chosen[0], &in->training);
	check_request(in);
	inject_add(in, 0);
	struct training first = in->training;
	for (size_t i = 1; i < in->nchosen; i++) {
		training_read(in, in->chosen[i], &in->training);
		check_launch(in, in->chosen[i]);
		inject_add(in, i);
		training_free(&in->training);
	}
	in->training = first;
	if (find_status(in) <= EXIT_NO) {
		for (size_t i = 0; i < in->nchosen; i++) {
			place_launch(in, i, &e);
			inject_tell(in, in->chosen[i]);
		}
		place_apply(in, &e);
	}
	edit_free(&e);
}

static void
inject_way(struct inject *in)
{
	struct edit e = { 0 };

	inject_parse(in);
	if (in->nchosen != 0 && find_status(in) <= EXIT_NO) {
		int keep = existing_check(in, &e);
		if (keep)
			script_close(&in->out, in->script.text.s,
			    in->script.text.len, in->script.path);
		else if (find_status(in) <= EXIT_NO && e.n != 0)
			inject_remove(in, &e);
		if (!keep && find_status(in) <= EXIT_NO)
			inject_edit(in);
	}
	edit_free(&e);
}

static void
inject_undo(struct inject *in)
{
	inject_forget(in);
	training_free(&in->training);
	for (size_t i = 0; in->added != NULL && i < in->nchosen; i++)
		buf_free(&in->added[i]);
	mem_free(in->added);
	in->added = NULL;
	in->nchosen = 0;
}

/* Where a string that is run is also used otherwise, another place than the
 * usual one may do. What is said in the end is said of the usual one. */
void
inject_script(struct inject *in)
{
	for (int tries = 0; tries <= LAUNCH_WAYS; tries++) {
		in->way = (enum launch_way)(tries % LAUNCH_WAYS);
		in->unplaced = 0;
		inject_way(in);
		if (!in->unplaced || tries == LAUNCH_WAYS)
			return;
		find_cut(in, in->said - 1);
		inject_undo(in);
	}
}

void
inject_free(struct inject *in)
{
	inject_undo(in);
	find_free(in);
	script_free(&in->script);
	profile_free(&in->profile);
	buf_free(&in->out);
	buf_free(&in->kept);
	mem_free(in->chosen);
	mem_free(in->log);
	mem_free(in->call);
	mem_free(in->entry);
}
