# What is not known decides: both ways are walked.
# unknown: *
u=$(id -u) ; if [ "$u" = 12 ]; then x=1; y=same; z=one; else y=same; x=2; fi
if [ "$u" = 99 ]; then k=1; exit 3; fi
f() { if [ $u = 7 ]; then r=early; return; fi; r=late; }; f
for i in a b c; do [ $u = $i ] && break; s=$i; done
for i in a b c; do [ $u = $i ] && continue; s2=$i; done
n=0; while [ $n -lt $u ]; do n=$((n+1)); m=fix; if [ $n = 3 ]; then q=3; fi; done
case $u in 1) c=1;; 2*) c=2;; *) c=3;; esac
[ $u = 5 ] && a=1 || a=2
arr=(base); if [ $u = 1 ]; then arr+=(--x 1); fi; arr+=(tail); first=${arr[0]}; last=${arr[-1]}
while read -r line; do v=$line; cnt=$((cnt+1)); done < /etc/hostname; fin=done
e=${u:-z}; d=x${u}y; l=${#arr[@]}; [ -z "$u" ] || nz=1; t="pre-$u"; [ -n "$t" ] && tn=1
test "$u" && tu=1; cd /tmp && w=$PWD; cd /nonexistent-dir; w2=$PWD; g() { echo $u; return $u; }; g >/dev/null; gs=$?
X=0; if grep -q root /etc/hostname; then X=1; fi; Y=$X; for k in 1 2; do if [ $u = 1 ]; then Z=$k; fi; done
until [ -n "$done1" ]; do if [ $u -ge 0 ]; then done1=1; fi; done; after=1
h() { local v=$1; [ $u = 3 ] && v=other; out=$v; }; h val; ov=${v0-unset}
