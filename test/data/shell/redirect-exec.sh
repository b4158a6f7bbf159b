exec 3>&1; torchrun a.py >&3 --x 1; exec 3>&-
