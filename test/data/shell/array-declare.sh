f() { local -a a=(1 "2 )"); declare -r b=(3); export c=4 d; readonly e=(5); torchrun a.py "${a[@]}" "${b[@]}" $c "${e[@]}"; }
f
