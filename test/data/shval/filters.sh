# Programs that read what is known.
# unknown: one
list=a,b,c hosts='n1:8 n2:8
n3:4'
c1=$(echo $list | cut -d, -f2) c2=$(echo "$list" | cut -d ',' -f 2-) c3=$(cut -d: -f1 <<<"$hosts") c4=$(echo none | cut -d, -f3)
c5=$(echo a,,c | cut -d, -f2) c6=$(echo a,b | cut -d, -f5) c7=$(printf 'x,y\nz\n' | cut -d, -f1-1)
t1=$(echo "$list" | tr , ' ') t2=$(echo "$list" | tr ',' '\n') t3=$(echo "$list" | tr -d ,) t4=$(echo Abc | tr a-z A-Z) t5=$(echo "$hosts" | tr '\n' ';')
h1=$(echo "$hosts" | head -1) h2=$(echo "$hosts" | head -n 1) h3=$(printf '1\n2\n3' | tail -n1) h4=$(printf '1\n2\n3' | tail -n 2 | head -n1)
w1=$(echo "$hosts" | wc -l) w2=$(echo $list | tr , ' ' | wc -w) w3=$(printf abc | wc -c)
a1=$(echo one two three | awk '{print $2}') a2=$(echo $list | awk -F, '{print $3}') a3=$(echo "$hosts" | awk -F ':' '{ print $1; }')
a4=$(echo '  x  y ' | awk '{print $1}') a5=$(echo a | awk '{print $2}')
p1=$(echo x | cat | cat) p2=$(cat <<<"$list" | cut -d, -f1)
n=0; for x in $(echo $list | tr , ' '); do n=$((n + 1)); done
IFS=, read -r r1 r2 <<<"$list"; read -r q1 q2 q3 q4 <<<' x  y z '; IFS=: read -ra parts <<<"1:2::4:"
read -r whole <<<"  a  b  "; IFS= read -r exact <<<"  a  b  "; read one <<<'a\b' ; read -r e1 e2 <<<''; rs=$?
IFS=', ' read -r -a mixed <<<'a, b ,c'; read -r g1 g2 <<<'* ?'
