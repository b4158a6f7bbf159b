# Functions, loops, conditions, statuses, scopes.
f() { local a=1 b; b=$1; c=$2; g "$b" inner; return 5; }
g() { b=changed; d=$1; local c=loc; }
f x y; st=$?; outer=${b-unset}
if f p q; then r=t; else r=f$?; fi
false || or=1; true && an=1; false && no=1; ! false && neg=1
for i in 1 2 3; do [ $i = 2 ] && continue; s="$s$i"; done
for i in 1 2 3; do [ $i = 2 ] && break; t="$t$i"; done; li=$i
for ((k=0;k<10;k++)); do ((k==5)) && break; ((k%2)) || continue; u+=$k; done
n=0; while [ $n -lt 4 ]; do n=$((n+1)); done; until [[ $n -le 1 ]]; do ((n--)); done
while :; do while :; do break 2; done; bad=1; done
case abc in a) x=1;; a*) x=2;; *) x=3;; esac
case "a*" in "a*") y=1;; esac; case ab in "a*") z=1;; a?) z=2;& b) z=$z-ft;; esac
case $x in 1|2) w=12;;& 2) w=$w-2;; *) w=$w-no;; esac
[[ -z $u0 && -n $x ]] && aa=1; [[ abc == a* ]] && bb=1; [[ abc == "a*" ]] || cc=1; [[ abc =~ ^a(b)c$ ]] && dd=${BASH_REMATCH[1]}
[[ 5 -gt 3 && ( a = b || c != d ) ]] && ee=1; [ -n "$x" -a "$y" = 1 ] && ff=1; [ ! -z "$x" ] && gg=1; test 3 -eq 3 && hh=1
[ ] ; i0=$?; [ x ] ; i1=$?; [ "" ] ; i2=$?; [ a = a ] ; i3=$?; [ -z ] ; i4=$?; [ ! ] ; i5=$?
(sub=1; x=subshell); { grp=1; }; sub2=${sub-none}
x2=1 true; env1=${x2-none}; x3=v eval 'x4=$x3'; x5=${x3-gone}
rec() { [ $1 -gt 0 ] && { R=$R$1; rec $(($1-1)); }; }; rec 4
set -- a b c; shift; p1=$1 p2=$#; shift 5; p3=$#; fa() { echo "$#:$1"; }; o=$(fa "$@" z); fb() { shift; set -- new; }; fb q; p4=$1
if false; then :; elif true; then el=1; else el=2; fi; if ! true; then nt=1; else nt=2; fi
e1=$(exit 3); es=$?; e2=$(false); e3=$?; e4=x$(true); e5=$?
