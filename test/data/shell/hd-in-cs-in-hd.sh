cat <<A >/dev/null
$(cat <<B
$(torchrun a.py --x 1)
B
)
A
