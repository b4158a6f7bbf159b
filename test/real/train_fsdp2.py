# A small training with the command line of FSDP2: a YAML, then dotted options
# that win over it; unknown options are ignored.
import argparse
import sys

import yaml

from realtrain import stamp, train

GROUPS = {
    "model": {"model_name_or_path": ""},
    "training": {
        "max_steps": 10, "save_steps": 500, "save_hf_weights": True,
        "output_dir": "", "profile": False, "profile_step_start": 0,
        "profile_step_end": -1, "profile_ranks": [-1], "profile_level": "level0",
        "profile_export_type": "text", "profile_data_simplification": False,
        "profile_with_cpu": False, "profile_with_stack": False,
        "profile_with_memory": False, "profile_record_shapes": False,
        "profile_save_path": "./profile",
    },
}


def boolean(s):
    if s.lower() in ("yes", "true", "t", "y", "1"):
        return True
    if s.lower() in ("no", "false", "f", "n", "0"):
        return False
    raise argparse.ArgumentTypeError(f"{s} is no boolean")


def parser():
    p = argparse.ArgumentParser()
    for group, fields in GROUPS.items():
        for name, default in fields.items():
            option = f"--{group}.{name}"
            if isinstance(default, bool):
                p.add_argument(option, nargs="?", const=True, type=boolean, default=default)
            elif isinstance(default, list):
                p.add_argument(option, nargs="+", type=int, default=default)
            else:
                p.add_argument(option, type=type(default), default=default)
    return p


def parse():
    words = sys.argv[1:]
    if words and words[0].endswith((".yaml", ".yml")):
        with open(words[0]) as f:
            tree = yaml.safe_load(f) or {}
        words = words[1:]
        said = "=".join(words) + "="
        for group, fields in tree.items():
            for name, value in (fields or {}).items():
                if f"{group}.{name}=" in said:
                    continue
                words.append(f"--{group}.{name}")
                words += map(str, value) if isinstance(value, list) else [str(value)]
    known, unknown = parser().parse_known_args(words)
    if unknown:
        print(f"Some specified arguments are not used by the ArgumentParser: {unknown}",
              flush=True)
    return {k.split(".")[1]: v for k, v in vars(known).items()}


def main():
    a = parse()
    start, end = a["profile_step_start"], a["profile_step_end"]
    if a["profile"] and (start < 0 or (end != -1 and end <= start)):
        raise ValueError("`profile_step_end` must be > profile_step_start or -1")

    def report(rank, world, step, iters, loss):
        if rank == 0:
            print(f"INFO [{stamp()}] >> iteration: {step} | consumed samples: {step * 16} |"
                  f" elapsed time per iteration (ms): 1.0 | lm loss: {loss:.4f}", flush=True)

    profile = None
    if a["profile"]:
        profile = dict(ranks=a["profile_ranks"], save_path=a["profile_save_path"],
                       level=a["profile_level"], cpu=a["profile_with_cpu"],
                       memory=a["profile_with_memory"], stack=a["profile_with_stack"],
                       shapes=a["profile_record_shapes"], export=a["profile_export_type"],
                       start=start, end=end)
    train(a["max_steps"], None, report, profile,
          (start + 1, end, max(0, start - 1), 0 if start == 0 else 1))


main()
