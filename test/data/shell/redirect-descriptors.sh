{ torchrun a.py 3>&1 1>&2 2>&3 3>&- --x 1; } 2>/dev/null
