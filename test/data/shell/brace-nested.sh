unset u v w; torchrun a.py ${u:-${v:-${w:-"x}"}}} --x 1
