#include <string.h>

#include "launchin.h"

#define LAUNCH_SUB (PROGRAM_LENIENT | PROGRAM_SUB)
#define LAUNCH_PSSH "-h -H -l -p -o -e -t -O -x"
#define LAUNCH_DOCKER                                                        \
	"-e -w -u -f -H -c --env --env-file --workdir --user --detach-keys " \
	"--host --context --config --log-level --file --project-name "       \
	"--profile --project-directory"
#define LAUNCH_SINGULARITY                                                     \
	"-B -H -W -o -S --bind --home --workdir --pwd --cwd --env --env-file " \
	"--overlay --scratch --app --mount --security --network"

static const struct launch_program launch_programs[] = {
	{ "torchrun", KIND_TORCHRUN, NULL, 0, 0 },
	{ "msrun", KIND_MSRUN, NULL, 0, 0 },
	{ "accelerate", KIND_ACCELERATE, NULL, 0, 0 },
	{ "accelerate-launch", KIND_TORCHRUN, NULL, 0, 0 },
	{ "deepspeed", KIND_DEEPSPEED, NULL, 0, 0 },
	{ "bash", KIND_SHELL, NULL, 0, 0 }, { "sh", KIND_SHELL, NULL, 0, 0 },
	{ "dash", KIND_SHELL, NULL, 0, 0 }, { "zsh", KIND_SHELL, NULL, 0, 0 },
	{ "ksh", KIND_SHELL, NULL, 0, 0 },
	{ "source", KIND_SOURCE, NULL, 0, 0 }, { ".", KIND_SOURCE, NULL, 0, 0 },
	{ "su", KIND_SU, NULL, 0, 0 }, { "runuser", KIND_SU, NULL, 0, 0 },
	{ "script", KIND_SU, NULL, 0, 0 },
	{ "sshpass", KIND_PREFIX, "-p -f -d -P", 0, 0 },
	{ "ssh", KIND_SSH,
	    "-p -i -l -o -F -J -b -c -D -E -e -I -L -m -O -Q -R -S -W -w -B", 1,
	    PROGRAM_REMOTE },
	{ "pdsh", KIND_SSH, "-w -x -R -l -t -u -f -g -X", 0, PROGRAM_REMOTE },
	{ "pssh", KIND_SSH, LAUNCH_PSSH, 0, PROGRAM_REMOTE },
	{ "parallel-ssh", KIND_SSH, LAUNCH_PSSH, 0, PROGRAM_REMOTE },
	{ "clush", KIND_SSH, "-w -x -g -X -f -l -t -u -o", 0, PROGRAM_REMOTE },
	{ "docker", KIND_EXEC, LAUNCH_DOCKER, 1, 0 },
	{ "docker-compose", KIND_EXEC, LAUNCH_DOCKER, 1, 0 },
	{ "podman", KIND_EXEC, LAUNCH_DOCKER, 1, 0 },
	{ "nerdctl", KIND_EXEC, LAUNCH_DOCKER, 1, 0 },
	{ "kubectl", KIND_EXEC,
	    "-n -c --namespace --container --context --kubeconfig", 1,
	    PROGRAM_REMOTE },
	{ "sbatch", KIND_SUBMIT,
	    "-A -a -B -b -C -c -D -d -e -F -G -i -J -L -M -m -N -n -o -p -q -S "
	    "-t -w -x",
	    0, PROGRAM_LENIENT | PROGRAM_REMOTE | PROGRAM_STRING },
	{ "qsub", KIND_SUBMIT, "-A -e -j -l -M -m -N -o -P -p -q -t -v -W", 0,
	    PROGRAM_REMOTE },
	{ "bsub", KIND_SSH, "-q -n -J -o -e -i -m -M -P -R -W -w -x", 0,
	    PROGRAM_REMOTE },
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
	{ "msprof", KIND_PREFIX, NULL, 0, PROGRAM_LENIENT | PROGRAM_STRING },
	{ "nsys", KIND_PREFIX, "-o -t -s -c -f -w", 0, LAUNCH_SUB },
	{ "hipprof", KIND_PREFIX, NULL, 0, PROGRAM_LENIENT },
	{ "ray", KIND_PREFIX, NULL, 0,
	    LAUNCH_SUB | PROGRAM_REMOTE | PROGRAM_BARE },
	{ "uv", KIND_PREFIX, NULL, 0, LAUNCH_SUB },
	{ "poetry", KIND_PREFIX, NULL, 0, LAUNCH_SUB },
	{ "pipenv", KIND_PREFIX, NULL, 0, LAUNCH_SUB },
	{ "pdm", KIND_PREFIX, NULL, 0, LAUNCH_SUB },
	{ "conda", KIND_PREFIX, "-n -p", 0, LAUNCH_SUB },
	{ "mamba", KIND_PREFIX, "-n -p", 0, LAUNCH_SUB },
	{ "micromamba", KIND_PREFIX, "-n -p", 0, LAUNCH_SUB },
	{ "singularity", KIND_EXEC, LAUNCH_SINGULARITY, 1, PROGRAM_LENIENT },
	{ "apptainer", KIND_EXEC, LAUNCH_SINGULARITY, 1, PROGRAM_LENIENT },
	{ "debugpy-run", KIND_PYTHON, "-p -W -X", 0, 0 },
	{ "py-spy", KIND_PREFIX, "-o -d -r -f", 0, LAUNCH_SUB },
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

	if (name[0] == '-') /* as most words of a launch do */
		return NULL;
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
