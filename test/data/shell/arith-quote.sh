V=2; torchrun a.py $(( "1" + ${V:-$(echo ")")} )) --x 1
