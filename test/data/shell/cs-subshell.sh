X=$( (echo a; torchrun a.py --x 1) ); X=$((echo a); (torchrun b.py))
