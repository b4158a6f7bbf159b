X=`echo a # it is`; torchrun a.py --x "$X"
