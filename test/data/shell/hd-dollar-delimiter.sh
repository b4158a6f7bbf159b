cat <<$x >/dev/null
a
$x
torchrun a.py --x 1
