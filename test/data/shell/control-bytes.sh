torchrun a.py  ab   --x 1
