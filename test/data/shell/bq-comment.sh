X=`echo a # b
`; torchrun a.py --x "$X"
