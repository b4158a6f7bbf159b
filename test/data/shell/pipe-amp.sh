torchrun a.py --x 1|&cat
