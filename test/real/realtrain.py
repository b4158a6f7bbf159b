# What the two small trainings share: ranks over gloo, steps with a collective,
# log lines in the grammar of the framework's, a synthetic trace per profiled
# rank, and failures on request (REAL_FAIL, REAL_RANK, REAL_AT).
import datetime
import os
import signal
import subprocess
import sys

import torch
import torch.distributed as dist


def stamp():
    return datetime.datetime.now().strftime("%Y-%m-%d %H:%M:%S")


class Trace:
    """Writes the tree of one rank with test/stand-in/profile.sh."""

    def __init__(self, rank, world, want):
        self.rank, self.world, self.want = rank, world, want

    def say(self, text):
        print(f"[{stamp()}] [INFO] [{os.getpid()}] profiler.py: {text}", flush=True)

    def write(self, first, last, skip, warm):
        w = self.want
        values = {
            "r": self.rank, "world": self.world, "path": w["save_path"],
            "level": w["level"], "cpu": int(w["cpu"]), "memory": int(w["memory"]),
            "stack": int(w["stack"]), "shapes": int(w["shapes"]),
            "export": w["export"], "start": w["start"], "end": w["end"],
            "first": first, "iteration": last, "skip": skip, "warm": warm,
            "fail": "",
        }
        script = "".join(f"{k}='{v}'\n" for k, v in values.items())
        script += f". '{os.environ['REAL_STANDIN']}/profile.sh'\nprintf %s \"$tree\"\n"
        tree = subprocess.run(
            ["sh", "-eu", "-c", script], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
        self.say(f"Start parsing profiling data in sync mode at: {os.path.abspath(tree)}")
        self.say("All profiling data parsed in a total time of 0:00:00.100000")


def fail_now(rank, step):
    how = os.environ.get("REAL_FAIL", "")
    if not how or rank != int(os.environ.get("REAL_RANK", "1")):
        return
    if step != int(os.environ.get("REAL_AT", "3")):
        return
    if how == "raise":
        raise RuntimeError("NPU out of memory. Tried to allocate 2.00 GiB (NPU 1)")
    if how == "unknown":
        raise ValueError("the moon is in the wrong quarter")
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)


def train(iters, exit_interval, report, profile, schedule):
    """profile: None or the request; schedule: first, last, skip, warm."""
    dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=60))
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(1)
    model = torch.nn.Linear(16, 16)
    trace = None
    if profile is not None and (profile["ranks"] == [-1] or rank in profile["ranks"]):
        os.makedirs(profile["save_path"], exist_ok=True)
        trace = Trace(rank, world, profile)
    first, last, skip, warm = schedule
    for step in range(1, iters + 1):
        fail_now(rank, step)
        loss = model(torch.ones(4, 16)).square().mean()
        loss.backward()
        for p in model.parameters():
            dist.all_reduce(p.grad)
        with torch.no_grad():
            for p in model.parameters():
                p -= 0.01 * p.grad / world
                p.grad = None
        report(rank, world, step, iters, float(loss))
        if delay := float(os.environ.get("REAL_DELAY", "0")):
            import time

            time.sleep(delay)
        if exit_interval and step % exit_interval == 0:
            if rank == 0:
                print(f"[exiting program at iteration {step}] datetime: {stamp()} ", flush=True)
            break
        if trace is not None and step == last:
            trace.write(first, last, skip, warm)
    else:
        if rank == 0:
            print(f"[after training is done] datetime: {stamp()} ", flush=True)
    dist.barrier()
    sys.stdout.flush()
