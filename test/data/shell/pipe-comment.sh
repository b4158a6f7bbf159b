torchrun a.py --x 1 | # c

# torchrun no.py
cat &&
# d
torchrun b.py
