torchrun a.py --x 1 <<<"$(echo "a b" \
)"
