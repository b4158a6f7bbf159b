# A command that only sets variables and fails, alone on its line: the others
# stay.
# unknown: s t u
m1=before
export m2=$((m1 / 0))
m3=after
n1=1 n2=$((1/0)) n3=3
n4=$n1${n2-none}${n3-none}
declare o1=1 o2=$((5 % 0))
o3=${o1-unset}
export p1=$((  * 8 ))
q=q
s=(1 $((1/0)) 2)
t=(1 2)
t=(3 $((1/0)))
u=${t[0]}
i=1
w=$((i++ + 1/0))
x=$i
torchrun $m1 $m3 $n4 $o3 $q $x
