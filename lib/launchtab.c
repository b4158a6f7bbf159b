#include <string.h>

#include "launchin.h"

static const struct launch_program launch_programs[] = {
	{ "torchrun", KIND_TORCHRUN, NULL, 0, 0 },
	{ "msrun", KIND_MSRUN, NULL, 0, 0 },
	{ "accelerate", KIND_ACCELERATE, NULL, 0, 0 },
	{ "deepspeed", KIND_DEEPSPEED, NULL, 0, 0 },
	{ "bash", KIND_SHELL, NULL, 0, 0 }, { "sh", KIND_SHELL, NULL, 0, 0 },
	{ "dash", KIND_SHELL, NULL, 0, 0 }, { "zsh", KIND_SHELL, NULL, 0, 0 },
	{ "ksh", KIND_SHELL, NULL, 0, 0 },
	{ "su", KIND_SU, "-c --command -s --shell -g --group", 0, 0 },
	{ "runuser", KIND_SU, "-c --command -u --user -s --shell -g --group", 0,
	    0 },
	{ "script", KIND_SU, "-c --command -t -T -o", 0, 0 },
	{ "ssh", KIND_SSH,
	    "-p -i -l -o -F -J -b -c -D -E -e -I -L -m -O -Q -R -S -W -w -B", 1,
	    PROGRAM_REMOTE },
	{ "pdsh", KIND_SSH, "-w -x -R -l -t -u -f -g -X", 0, PROGRAM_REMOTE },
	{ "docker", KIND_EXEC,
	    "-e -w -u --env --workdir --user --env-file --detach-keys", 1, 0 },
	{ "podman", KIND_EXEC, "-e -w -u --env --workdir --user", 1, 0 },
	{ "nerdctl", KIND_EXEC, "-e -w -u --env --workdir --user", 1, 0 },
	{ "kubectl", KIND_EXEC,
	    "-n -c --namespace --container --context --kubeconfig", 1,
	    PROGRAM_REMOTE },
	{ "sbatch", KIND_SUBMIT, NULL, 0, PROGRAM_REMOTE },
	{ "qsub", KIND_SUBMIT, NULL, 0, PROGRAM_REMOTE },
	{ "bsub", KIND_SUBMIT, NULL, 0, PROGRAM_REMOTE },
	{ "tmux", KIND_STRINGS, NULL, 0, 0 },
	{ "screen", KIND_PREFIX, "-S -t -c -h -p -e -s", 0, PROGRAM_LENIENT },
	{ "env", KIND_PREFIX, "-u --unset -C --chdir", 0, PROGRAM_ASSIGN },
	{ "exec", KIND_PREFIX, "-a", 0, 0 },
	{ "nohup", KIND_PREFIX, NULL, 0, 0 },
	{ "time", KIND_PREFIX, "-o -f --output --format", 0, 0 },
	{ "command", KIND_PREFIX, NULL, 0, PROGRAM_QUERY },
	{ "builtin", KIND_PREFIX, NULL, 0, 0 },
	{ "numactl", KIND_PREFIX,
	    "-N -m -C -p -i -P --cpunodebind --membind --physcpubind "
	    "--interleave --preferred --cpubind --localalloc-policy",
	    0, 0 },
	{ "taskset", KIND_PREFIX, NULL, 1, PROGRAM_QUERY },
	{ "timeout", KIND_PREFIX, "-k -s --kill-after --signal", 1, 0 },
	{ "nice", KIND_PREFIX, "-n --adjustment", 0, 0 },
	{ "ionice", KIND_PREFIX, "-c -n --class --classdata", 0, 0 },
	{ "chrt", KIND_PREFIX, "-T -P -D", 1, 0 },
	{ "stdbuf", KIND_PREFIX, "-i -o -e --input --output --error", 0, 0 },
	{ "setsid", KIND_PREFIX, NULL, 0, 0 },
	{ "unbuffer", KIND_PREFIX, NULL, 0, 0 },
	{ "chronic", KIND_PREFIX, NULL, 0, 0 },
	{ "catchsegv", KIND_PREFIX, NULL, 0, 0 },
	{ "setpriv", KIND_PREFIX, NULL, 0, PROGRAM_LENIENT },
	{ "prlimit", KIND_PREFIX, NULL, 0, 0 },
	{ "systemd-run", KIND_PREFIX, "-p -u", 0, PROGRAM_LENIENT },
	{ "strace", KIND_PREFIX, "-o -e -s -p -u -E -O -S -P", 0, 0 },
	{ "flock", KIND_PREFIX, "-w -E --timeout --conflict-exit-code", 1, 0 },
	{ "sudo", KIND_PREFIX,
	    "-u -g -C -h -p -U -r -t -D -R -T --user --group", 0,
	    PROGRAM_ASSIGN },
	{ "unshare", KIND_PREFIX, NULL, 0, PROGRAM_LENIENT },
	{ "nsenter", KIND_PREFIX, "-t --target", 0, 0 },
	{ "chroot", KIND_PREFIX, NULL, 1, 0 },
	{ "xargs", KIND_PREFIX, "-a -d -E -I -L -n -P -s", 0, 0 },
	{ "xvfb-run", KIND_PREFIX, "-n -s -e -f -w", 0, 0 },
	{ "srun", KIND_PREFIX,
	    "-N -n -c -w -p -J -A -t -o -e -i -x -q -D -d -m -C -G -M -Q", 0,
	    PROGRAM_LENIENT | PROGRAM_REMOTE },
	{ "mpirun", KIND_PREFIX,
	    "-n -np -H -host -hostfile -machinefile -x -f -ppn -wdir -wd "
	    "-path -rf -N -npernode -genv",
	    0, PROGRAM_LENIENT | PROGRAM_REMOTE },
	{ "mpiexec", KIND_PREFIX,
	    "-n -np -H -host -hostfile -machinefile -x -f -ppn -wdir -wd "
	    "-path -rf -N -npernode -genv",
	    0, PROGRAM_LENIENT | PROGRAM_REMOTE },
	{ "horovodrun", KIND_PREFIX, "-np -H -p", 0, PROGRAM_LENIENT },
	{ "msprof", KIND_PREFIX, NULL, 0, PROGRAM_LENIENT },
	{ "nsys", KIND_PREFIX, "-o -t -s -c -f -w", 1, PROGRAM_LENIENT },
	{ "hipprof", KIND_PREFIX, NULL, 0, PROGRAM_LENIENT },
	{ "uv", KIND_PREFIX, NULL, 0, PROGRAM_LENIENT },
	{ "poetry", KIND_PREFIX, NULL, 0, PROGRAM_LENIENT },
	{ "pipenv", KIND_PREFIX, NULL, 0, PROGRAM_LENIENT },
	{ "pdm", KIND_PREFIX, NULL, 0, PROGRAM_LENIENT },
	{ "conda", KIND_PREFIX, "-n -p", 0, PROGRAM_LENIENT },
	{ "mamba", KIND_PREFIX, "-n -p", 0, PROGRAM_LENIENT },
	{ "micromamba", KIND_PREFIX, "-n -p", 0, PROGRAM_LENIENT },
	{ "singularity", KIND_PREFIX, "-B", 0, PROGRAM_LENIENT },
	{ "apptainer", KIND_PREFIX, "-B", 0, PROGRAM_LENIENT },
	{ "debugpy-run", KIND_PYTHON, "-p -W -X", 0, 0 },
	{ "py-spy", KIND_PREFIX, "-o -d -r -f", 1, PROGRAM_LENIENT },
	{ NULL, KIND_NONE, NULL, 0, 0 }
};

static const struct launch_program launch_python = { "python", KIND_PYTHON,
	"-W -X", 0, 0 };

/* python, python3, python3.10 */
static int
launch_is_python(const char *s)
{
	if (strncmp(s, "python", 6) != 0)
		return 0;
	return s[6 + strspn(s + 6, "0123456789.")] == '\0';
}

const struct launch_program *
launch_program(const char *name)
{
	const char *slash = strrchr(name, '/');

	if (slash != NULL)
		name = slash + 1;
	if (launch_is_python(name))
		return &launch_python;
	for (const struct launch_program *p = launch_programs; p->name; p++)
		if (p->name[0] == name[0] && strcmp(p->name, name) == 0)
			return p;
	return NULL;
}

int
launch_listed(const char *list, const char *option)
{
	size_t n = strlen(option), len;

	for (; list != NULL && *list != '\0'; list += len) {
		list += strspn(list, " ");
		len = strcspn(list, " ");
		if (len == n && memcmp(list, option, n) == 0)
			return 1;
	}
	return 0;
}
