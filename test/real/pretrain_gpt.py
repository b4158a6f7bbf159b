# A small training with the command line of Mcore: the profiling options have
# the framework's names, defaults and choices, and unknown options are fatal.
import argparse

from realtrain import stamp, train


def parse():
    p = argparse.ArgumentParser(allow_abbrev=False)
    p.add_argument("--train-iters", type=int, default=10)
    p.add_argument("--exit-interval", type=int)
    p.add_argument("--global-batch-size", type=int, default=16)
    p.add_argument("--micro-batch-size", type=int, default=1)
    for name in ("--save", "--load", "--data-path", "--tokenizer-name-or-path"):
        p.add_argument(name)
    for name in ("--save-interval", "--eval-interval", "--eval-iters", "--log-interval"):
        p.add_argument(name, type=int)
    p.add_argument("--distributed-backend", default="nccl", choices=["nccl", "gloo"])
    p.add_argument("--profile", action="store_true")
    p.add_argument("--profile-step-start", type=int, default=10)
    p.add_argument("--profile-step-end", type=int, default=12)
    p.add_argument("--profile-ranks", nargs="+", type=int, default=[0])
    p.add_argument("--profile-level", default="level0",
                   choices=["level_none", "level0", "level1", "level2"])
    p.add_argument("--profile-save-path", default="./profile_dir")
    p.add_argument("--profile-export-type", default="text", choices=["text", "db"])
    p.add_argument("--profile-data-simplification", action="store_true")
    p.add_argument("--profile-with-cpu", action="store_true")
    p.add_argument("--profile-with-memory", action="store_true")
    p.add_argument("--profile-with-stack", action="store_true")
    p.add_argument("--profile-record-shapes", action="store_true")
    return p.parse_args()


def main():
    a = parse()
    if a.profile_step_start < 1:
        raise AssertionError(
            "profile_step_start should be greater than 0 "
            f"but now it is {a.profile_step_start}")

    def report(rank, world, step, iters, loss):
        if rank == world - 1:
            print(f" [{stamp()}] iteration {step:8d}/{iters:8d} |"
                  f" consumed samples: {step * a.global_batch_size:12d} |"
                  f" elapsed time per iteration (ms): 1.0 | lm loss: {loss:.6E} |"
                  " number of skipped iterations:   0 |"
                  " number of nan iterations:   0 |", flush=True)

    profile = None
    if a.profile:
        profile = dict(ranks=a.profile_ranks, save_path=a.profile_save_path,
                       level=a.profile_level, cpu=a.profile_with_cpu,
                       memory=a.profile_with_memory, stack=a.profile_with_stack,
                       shapes=a.profile_record_shapes, export=a.profile_export_type,
                       start=a.profile_step_start, end=a.profile_step_end)
    skip = max(a.profile_step_start - 2, 0)
    warm = 0 if a.profile_step_start == 1 else 1
    train(a.train_iters, a.exit_interval, report, profile,
          (a.profile_step_start, a.profile_step_end - 1, skip, warm))


main()
