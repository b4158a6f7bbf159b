X=`torchrun a.py --x 1`; torchrun b.py "`torchrun c.py --x "a b"`"
