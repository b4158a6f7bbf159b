/*
 * msp-inject: adds the profiler's arguments to a script's training launch.
 */
#include "inject.h"
#include "io.h"

static int
main_end(struct inject *in)
{
	int status = find_status(in);
	struct buf plan = { 0 };

	if (in->plan)
		plan_print(in, &plan);
	else
		find_say(in);
	if (in->plan && io_put(&plan) < 0)
		status = EXIT_FAILED;
	if (!in->plan && status == EXIT_YES)
		status =
		    io_put_behind(in->script.text.s, in->ahead, &in->out) < 0
		    ? EXIT_FAILED
		    : EXIT_YES;
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
			inject_script(&in);
		status = main_end(&in);
	}
	inject_free(&in);
	return status;
}
