X="$(cat <<'E'
it's ") here
E
)"; torchrun a.py --x "$X"
