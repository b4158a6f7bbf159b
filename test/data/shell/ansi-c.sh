torchrun a.py $'a\'b\\' $'\x41\t' --x 1
