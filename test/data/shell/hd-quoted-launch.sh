cat <<'E' >/dev/null
$(torchrun no.py)
E
torchrun a.py --x 1
