coproc torchrun a.py --x 1 2>/dev/null
wait
