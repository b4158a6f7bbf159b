set -e; torchrun a.py --x 1 || true; torchrun b.py && true
