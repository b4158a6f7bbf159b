torchrun a.py --f=<(echo) --x 1
