#include "launch.h"

#include "tap.h"

/* What is expected of each launch: "starter dialect entry line where flags",
 * flags: b background, f in a function, e in a string, p last pipe, x
 * excludes another, c cut off. */
static const struct {
	const char *script, *want;
} cases[] = {
	{ "torchrun pretrain_gpt.py\n", "0 0 1 1 0 p0" },
	{ "#x\n\ntorchrun --nnodes 1 pretrain_gpt.py | tee x", "0 0 3 3 0 p0" },
	{ "cat | torchrun pretrain_gpt.py", "0 0 1 1 0 p1" },
	{ "torchrun pretrain_gpt.py | tee x; echo", "0 0 1 1 0" },
	{ "torchrun pretrain_gpt.py &", "0 0 1 1 0 b" },
	{ "python -m torch.distributed.run pretrain_gpt.py", "1 0 3 1 0 p0" },
	{ "msrun --worker_num=8 pretrain_gpt.py", "2 0 2 1 0 p0" },
	{ "nohup python3 train.py", "3 0 1 1 0 p0" },
	{ "accelerate launch train.py", "4 0 2 1 0 p0" },
	{ "deepspeed train.py", "5 0 1 1 0 p0" },
	{ "torchrun train_fsdp2.py x.yaml", "0 1 1 1 0 p0" },
	{ "torchrun train_fsdp2.py --lr 1", "0 0 1 1 0 p0" },
	{ "python rlhf_gpt.py", "3 2 1 1 0 p0" },
	{ "torchrun mindspeed_mm/train.py", "0 2 1 1 0 p0" },
	{ "f() {\ntorchrun pretrain_gpt.py\n}\nf", "0 0 1 2 0 f" },
	{ "f() { torchrun pretrain_gpt.py; }\nf\nf", "0 0 1 1 0 f" },
	{ "eval 'torchrun pretrain_gpt.py'", "0 0 1 1 0 e" },
	{ "bash -c 'torchrun pretrain_gpt.py'", "0 0 1 1 0 e" },
	{ "ssh h torchrun pretrain_gpt.py", "0 0 1 1 1 e" },
	{ "docker exec c torchrun pretrain_gpt.py", "0 0 1 1 2 p0" },
	{ "srun torchrun pretrain_gpt.py", "0 0 1 1 1 p0" },
	{ "exec torchrun pretrain_gpt.py", "0 0 1 1 0" },
	{ "if a; then\ntorchrun pretrain_gpt.py\nelse\npython train.py\nfi",
	    "0 0 1 2 0 x;3 0 1 4 0 x" },
	{ "if a; then\ntorchrun train.py\nexit\nfi\ntorchrun train.py 2",
	    "0 0 1 2 0 x;0 0 1 5 0 xp0" },
	{ "torchrun train.py\ntorchrun train.py 2", "0 0 1 1 0;0 0 1 2 0 p0" },
	{ "torchrun train.py\n  --lr 1", "0 0 1 1 0 c" },
	{ "torchrun train.py\n  $GPT_ARGS", "0 0 1 1 0 c" },
	{ "exit 0\ntorchrun train.py", "" },
	{ "torchrun train.py\nexit\npython train.py 2", "0 0 1 1 0" },
	{ "torchrun inference.py\necho torchrun train.py", "" },
	{ "function torchrun { echo; }\ntorchrun train.py", "" },
};

static char *const no_environment[] = { NULL };

static void
find(struct launches *l, struct shcmd *cmd, const char *script)
{
	static const struct shval_env env = { .script = "t.sh",
		.args_unknown = 1,
		.environ = no_environment,
		.dead = 1 };

	shcmd_parse(cmd, script, strlen(script));
	launch_find(l, cmd, &env, NULL, NULL, NULL);
}

static void
test_found(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct launches l;
		struct shcmd cmd;
		struct buf b = { 0 };
		buf_add(&b, "", 0);
		find(&l, &cmd, cases[i].script);
		for (size_t k = 0; k < l.n; k++) {
			const struct launch *x = &l.launch[k];
			buf_addf(&b, "%s%d %d %zu %zu %d", k ? ";" : "",
			    (int)x->starter, (int)x->dialect, x->entry, x->line,
			    (int)x->where);
			size_t len = b.len;
			buf_adds(&b, " ");
			buf_adds(&b, x->background ? "b" : "");
			buf_adds(&b, x->in_function ? "f" : "");
			buf_adds(&b, x->in_eval ? "e" : "");
			buf_adds(&b, x->excludes ? "x" : "");
			buf_adds(&b, x->broken != SH_NONE ? "c" : "");
			if (x->last_pipe)
				buf_addf(&b, "p%d", x->pipe_index);
			if (b.len == len + 1)
				b.s[b.len = len] = '\0';
		}
		tap_is(b.s, cases[i].want, cases[i].script);
		launch_free(&l);
		shcmd_free(&cmd);
		buf_free(&b);
	}
}

static void
test_options(void)
{
	struct launches l;
	struct shcmd cmd;
	struct buf b = { 0 };
	size_t n;

	find(&l, &cmd,
	    "A='--data-path a b --load=x --lr 1'\n"
	    "torchrun --nproc_per_node=8 --nnodes 2 train.py $A --lr 2 "
	    "--finetune --ranks -1 --tp-size 4");
	const struct launch *x = &l.launch[0];
	tap_ok(launch_npus(x) == 8 && launch_world(x) == 16,
	    "NPUs and world size");
	const struct shval *v = launch_option(x, "--data-path", &n);
	tap_ok(
	    v != NULL && n == 2 && shval_known(v, &b) && strcmp(b.s, "a") == 0,
	    "an option with two values");
	buf_reset(&b);
	v = launch_option(x, "--load", NULL);
	tap_ok(v != NULL && shval_known(v, &b) && strcmp(b.s, "x") == 0,
	    "a value behind =");
	buf_reset(&b);
	v = launch_option(x, "--lr", NULL);
	tap_ok(v != NULL && shval_known(v, &b) && strcmp(b.s, "2") == 0,
	    "the last one counts");
	buf_reset(&b);
	v = launch_option(x, "--ranks", NULL);
	tap_ok(v != NULL && shval_known(v, &b) && strcmp(b.s, "-1") == 0,
	    "a negative number is a value");
	tap_ok(
	    launch_option(x, "--finetune", &n) != NULL && n == 0, "a switch");
	tap_ok(
	    launch_option(x, "--tp_size", NULL) != NULL, "- and _ are alike");
	tap_ok(launch_option(x, "--nnodes", NULL) == NULL &&
		launch_option(x, "--save", NULL) == NULL,
	    "what is not there");
	launch_free(&l);
	shcmd_free(&cmd);
	buf_free(&b);
}

static void
test_scripts(void)
{
	struct launches l;
	struct shcmd cmd;
	struct buf b = { 0 };

	find(&l, &cmd, "cd x\nnohup bash -e other.sh a &\nsbatch -N 2 job.sh");
	tap_ok(l.n == 0 && l.nscript == 2 && l.script[0].line == 2,
	    "other scripts");
	tap_ok(shval_known(l.script[0].file, &b), "whose names are known");
	tap_is(b.s, "other.sh", "as given");
	launch_free(&l);
	shcmd_free(&cmd);
	buf_free(&b);
}

int
main(void)
{
	test_found();
	test_options();
	test_scripts();
	return tap_done();
}
