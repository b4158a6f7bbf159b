cat <<'' >/dev/null
a ' b

torchrun a.py --x 1
