coproc P { torchrun a.py --x 1; }
wait
