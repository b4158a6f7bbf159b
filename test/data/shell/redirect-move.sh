{ torchrun a.py --x 1 5>&1- 1>&5-; } >/dev/null
torchrun b.py >&2>/dev/null
torchrun c.py 2>&-<&0
