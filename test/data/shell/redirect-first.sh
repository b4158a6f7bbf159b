>/dev/null A=1 2>&1 B=2 torchrun a.py --x 1
< /dev/null torchrun b.py --x 1
