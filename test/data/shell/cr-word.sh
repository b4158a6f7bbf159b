torchrun a.py --x 1
torchrun b.py "a
b"
