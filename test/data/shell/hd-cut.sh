torchrun a.py --x 1 <<E
body
