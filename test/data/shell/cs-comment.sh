X=$(echo a # it's )
); torchrun a.py --x "$X"
