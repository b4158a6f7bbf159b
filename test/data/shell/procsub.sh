torchrun a.py <(echo ")") --x 1 >/dev/null
cat < <(torchrun b.py --x 1) > >(cat)
wait
