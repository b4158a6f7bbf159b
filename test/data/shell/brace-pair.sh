unset u; torchrun a.py "${u:-'}'}" "${u:-'$HOME}'}" --x 1
