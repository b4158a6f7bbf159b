X=`cat <<E
a b
E
`
torchrun a.py --x "$X"
