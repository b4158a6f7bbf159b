torchrun a.py "a

b" 'c
# d' --x 1
