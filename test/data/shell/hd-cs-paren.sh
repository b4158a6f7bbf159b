X=$(cat <<E
a (
E)
torchrun a.py --x "$X"
