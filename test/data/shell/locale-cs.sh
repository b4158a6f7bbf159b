torchrun a.py $"a $(echo ")") b" --x 1
