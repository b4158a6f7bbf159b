# Command substitutions whose output is known.
# unknown: kk ee
a=$(pwd) b=$(cd /tmp && pwd) c=$(cd /tmp; cd ..; pwd) d=$(dirname /a/b/c) e=$(basename /a/b/c.txt .txt) f=$(echo -n x; echo y) g=$(printf '%s-%03d|' a 7 b 8) h=$(echo "a  b") i=$(echo a  b)
j=$(dirname "$0") k=$(basename "$0") l=$(cd "$(dirname "$0")" && pwd) m=`cd \`dirname $0\`; cd ..; pwd` n=$(printf "%5s|%-5s|" ab cd) o=$(printf '%s\n' x y z) p=$(printf x%%y) q=$(echo -e plain) r=$(realpath /usr/../tmp) s=$(readlink -f /tmp/.)
t=$(basename a/b/) u=$(dirname x) v=$(dirname /x) w=$(dirname x/y/) x=$(basename /) y=$(cat <<EOT
body $HOME
 two
EOT
) z=$(if true; then echo yes; else echo no; fi)
aa=$(for i in 1 2; do echo $i; done) bb=$(f() { echo in $1; }; f arg) cc="$(echo '"q"')" dd=$(seq 3) ee=$(seq -s, 3) ff=$(echo $(echo $(echo deep))) gg=$(uname -s)
printf -v hh '%02d' 5; ii=$(echo "trail

"); jj=$(echo a; (echo b); { echo c; } ) kk=$(echo x | cat) ll=$(true) mm=$(echo one >&2; echo two) nn=$(echo a > /dev/null) oo=$(case x in x) echo cs;; esac) pp=$(x=5; echo $x) qq=${x}
rr=$(echo "$(cat <<< here)") ss=$(printf '%d %x %o %c' 12 255 8 xyz) tt=$(echo a\
b) uu=$(nproc) vv=$(hostname) ww=$((1+$(echo 2))) xx=$(pushd /tmp >/dev/null; pwd) yy=$(echo 'a\nb') zz=$(printf 'a\tb')
