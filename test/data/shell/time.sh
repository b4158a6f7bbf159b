time -p torchrun a.py --x 1
time -- torchrun b.py
! time torchrun c.py
