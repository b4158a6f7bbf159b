/* The script's launch: can it be judged from here at all. */
#include "check-env.h"

void
check_script_where(struct host *h, struct finding *f)
{
	const struct need *n = &h->need;

	find_set(f, n->script == NULL ? ST_SKIP : ST_PASS);
	if (n->script == NULL || n->where == NEED_HERE)
		return;
	find_value(f, "%s", n->where == NEED_REMOTE ? "remote" : "container");
	find_say(f, h->force ? ST_WARN : ST_FAIL,
	    n->where == NEED_REMOTE ? &T_SCRIPT_REMOTE : &T_SCRIPT_CONTAINER,
	    n->script, host_str(h, "%zu", n->line));
	find_remedy(
	    f, n->where == NEED_REMOTE ? &T_DO_REMOTE : &T_DO_CONTAINER);
}

void
check_script_launch(struct host *h, struct finding *f)
{
	const struct need *n = &h->need;

	find_set(f, n->script == NULL ? ST_SKIP : ST_PASS);
	if (n->script == NULL)
		return;
	find_value(f, "%zu", n->nlaunch);
	if (n->nlaunch == 0)
		find_say(f, ST_INFO, &T_SCRIPT_NO_LAUNCH, n->script);
}

void
check_script_env(struct host *h, struct finding *f)
{
	const struct need *n = &h->need;

	find_set(f, n->script == NULL ? ST_SKIP : ST_PASS);
	if (n->script == NULL || n->loads == NULL)
		return;
	find_value(f, "%s", n->loads);
	find_say(f, ST_INFO, &T_SCRIPT_LOADS, n->script,
	    host_str(h, "%zu", n->loads_line), n->loads);
}
