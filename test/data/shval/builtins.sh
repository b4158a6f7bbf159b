# Builtins that change variables or the shell.
# unknown: r1 r2 mf
export A=1 B="two words" C=$A$B; readonly D=ro; declare -x E=e F; declare -r G=$(echo g); typeset H=h; local_fail=1
declare -l low=ABC; declare -u up=abc; declare -n ref=A; ref=changed; rr=$ref; declare -a arr; arr[2]=x; unset A; nA=${A-unset}
eval 'ev=1; ew="$B"'; eval ev2=\$B; cmd='x1=5 x2=6'; eval $cmd; eval "for i in 1 2; do es=\$es\$i; done"
a=1 b=$a c=$b; d=$a e=5 f=$e$d; g=${a}${b:+$c}; unset -v a; h=${a:-none}; fn() { :; }; unset -f fn; 
IFS=, read -r r1 r2 <<< "a,b"; set -f; gl=*; set +f; pat='a*'; [[ abc = $pat ]] && pm=1; [[ abc = "$pat" ]] || pn=1
shopt -s extglob
v=foobar; eg1=${v/@(foo|x)/Y} eg2=${v##+([a-o])}; case $v in !(x*)) ne=1;; esac
x=5; x+=3; y=; y+=a; z+=new; s='a
b'; t=$s; set -- $t; n=$#; l="${s}"; printf -v pv '%s' "$s"; mapfile -t mf < /dev/null; : ${def:=dval} ${x:=no}; true $((inc=4))
tr() { return 1; }; tr || trr=1; { g1=1; g2=2; } > /dev/null; if { [ 1 = 1 ]; }; then gi=1; fi; (exit 4); se=$?; pushd /tmp >/dev/null; pd=$PWD; popd >/dev/null; pq=$PWD; cd - >/dev/null; cdm=$PWD; cd; home=$PWD
foo=bar true; foo2=${foo-unset}; set -u; su=${novar:-ok}; set +u; co=$(command echo cc) bu=$(builtin echo bb); let "lt = 3"; lr=$?; let 0; lr2=$?
read -r -d '' rw <<X
 torchrun  a
   --b c

X
IFS= read -rd '' rx <<<" a
b"; read -r -d '' ry rz <<<"one two three"; read -r -d '' -a ra <<<$'one\ntwo'
if read -r -d '' rr <<<x; then rs=0; else rs=1; fi
printf -v pq '%q ' a "b c" '#x' x#y "" '$(e)' 'a,b;c' "it's" '"!{}|&<>?*[]^`\' =:/.-_+%@; pr=$(printf '%q' "two words")
