V=a}b}; torchrun a.py "${V#*'}'}" "${V%%"}"*}" ${V/'}'/\}}
