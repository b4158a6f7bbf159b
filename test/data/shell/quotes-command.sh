"torchrun" a.py --x 1
torch'run' a.py --x 2
tor""chrun a.py --x 3
\torchrun a.py --x 4
