# Corners that expansion once got wrong.
# unknown: jumble dup el tl out kept keyed OLDPWD
declare -n ref=target; ref=through; declare -n ref=other; ref=second
function name/with#odd { eval -- "$1=(\"\${$1[@]:$((${2:-1}))}\")"; }
list=({1..6}); name/with#odd list 2
declare -A sizes=([a]=1 [b]=2 [c]=3); count=${#sizes[@]}
declare -a same=([xx]=1 [yy]=2)
list2=(1 2); list2[0]=(3 4); list2[-1]+=(5)
keyed=(x [1]=y{a,b} z)
i=1; jumble=([10 + i++]=$((i++)) [20 + i++]=$((i++)))
holder='sizes[b]' el=${!holder}; whole='list2[@]' all=("${!whole}") one='list2[1]' el1=${!one}
local nowhere=1; nowhere=${nowhere-unset}
while break; do looped=1; done
for a in 1 2; do while break; do :; done; turns=$turns$a; done
set -e; middle=$(false; echo after); set +e
cd missing-directory/.. 2>/dev/null || kept=$PWD
cd . . 2>/dev/null || many=1
HOME=/home/other; readonly fixed=~/x; export moved=~/y:~/z; tl=(~{/a,/b})
n=0; noise() { echo "$n"; } >/dev/null; noise
m=0; { :; } >"/dev/null$((m++))" 2>/dev/null; m2=$m
exec 5>&1; out=$(echo seen; echo aside >&5); exec 5>&-
{ echo; } {dup}</dev/null
w5="${nope-$(echo "$(cat <<END
deep "$HOME" \$x
END
)")}"
