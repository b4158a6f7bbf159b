# $(( )), (( )), let and integers.
a=3 b=4
c=$((a+b)) d=$((a*b-2)) e=$((a**b)) f=$((b/a)) g=$((b%a)) h=$((-a)) i=$((a<b)) j=$((a<b?10:20)) k=$((a==3&&b==4)) l=$((0x1f)) m=$((010)) n=$((2#101)) o=$((~5)) p=$((1<<4)) q=$((5&3|8)) r=$((!a)) s=$((a++)) t=$((++a)) u=$((a--)) v=$((a+=10)) w=$(( (a,b) )) x=$((unset_one)) y="$((7/2))" z=$[1+2]
((aa=5, bb=aa*2)); ((cc+=bb)); let dd=5+5 "ee = 6 * 7"
declare -i ii=2+3; ii+=4; ii=ii*2
ff=$(( ${a} * ${#a} )) gg=$((a^b)) hh=$((-7/2)) jj=$((-7%3)) kk=$((1?2:3?4:5)) ll=$(( a > 2 || (b=99) )) mm=$b
nn=$(( 0 && (b=77) )) oo=$b; pp=$((a=b=6)) qq=$a; arr=(1 2 3); rr=$((arr[1]+arr[2])) ; ((arr[1]++)); ss=${arr[*]}
expr='a+1'; tt=$((expr*2)) uu=$((36#z)) vv=$((64#_)) ww=$((1>0)) xx=$((10>=10)) yy=$((a<<=2)) zz=$((a|=1))
if ((a>3)); then br=yes; else br=no; fi
# a carriage return is no blank there
cr=$'8\r'
crx=$((cr*2))
cry=$((1+1))
