a=(x\ y \# \) z#w); torchrun a.py "${a[@]}"
