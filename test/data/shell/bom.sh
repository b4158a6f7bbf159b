: # not a colon
torchrun a.py --x 1
