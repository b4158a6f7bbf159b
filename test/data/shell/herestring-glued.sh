torchrun a.py --x 1 <<<a --y 2
