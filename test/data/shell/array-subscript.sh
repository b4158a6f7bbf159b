declare -A M=(["a b"]=1 [c]="x y" [$(echo d)]=2)
a=([2]=c [0]=a); a[1]+=b; a[ 1 + 2 ]=d; a[${#a[@]}]=e
torchrun a.py "${M[a b]}" "${M[$(echo c)]}" "${a[@]}" ${a[-1]} "${a[@]:1:2}" "${!a[@]}" ${a[a[9]]}
