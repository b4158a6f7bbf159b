torchrun a.py 1 2 >o 3 2>o; torchrun b.py a2>o 99999999999999999999>o
