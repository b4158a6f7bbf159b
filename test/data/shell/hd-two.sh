cat <<A <<B >/dev/null; torchrun a.py --x 1
B
A
A
B
