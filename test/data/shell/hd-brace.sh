unset u; cat <<E >/dev/null
${u:-"a"} ${u:-'}
E
torchrun a.py --x 1
