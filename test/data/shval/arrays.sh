# Arrays, their subscripts and operators.
a=(one "two three" four)
n=${#a[@]} l=${#a[1]} f=${a[0]} g=$a last=${a[-1]} s="${a[*]}"
b=("${a[@]}" five) c=(${a[@]}) d=("${a[@]:1}") e=("${a[@]:1:1}") ee=("${a[@]::2}")
a[5]=six k="${!a[*]}" m=${#a[@]}
a+=(seven) ; a[0]+=x
declare -A h=([x]=1 [y]="two 2"); h[z]=3; hx=${h[x]} hy=${h[y]} hn=${#h[@]}
i=1; q=${a[i]} r=${a[$((i+1))]} t=${a[i+1]}
u=("${a[@]/o/0}") v=("${a[@]%e}") w=("${a[@]^^}")
IFS=,; j="${a[*]}"; jj=${a[*]}; kk=${a[@]}; unset IFS
z=(); nz=${#z[@]} zz="${z[@]}" ; z+=("")
x=( [3]=c [1]=a b ) ; y=(x{1..3} {a,b}{c,d}) ; yy=(a"{b,c}"d {x} {1..} "{1..2}")
str=s; str+=(more); sc="${str[*]}"
emp=${nope[3]} ; un="${nope[@]:-dflt}"
