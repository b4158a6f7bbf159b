X=$(case a in a) echo 1;; b) echo 2; esac); torchrun a.py --x "$X"
