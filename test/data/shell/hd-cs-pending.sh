X=$(cat <<E); torchrun a.py --x "$X"
body
E
