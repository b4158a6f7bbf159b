X=$(torchrun a.py --x 1) Y="$(cd / && torchrun b.py)"; echo "${u:-$(torchrun c.py)}" >/dev/null
