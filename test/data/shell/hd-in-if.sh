if cat <<E >/dev/null
then
E
then torchrun a.py --x 1; fi
