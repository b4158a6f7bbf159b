# Operators of ${ }.
x=hello; e=; unset u
a1=${x:-d} a2=${e:-d} a3=${u:-d} a4=${x-d} a5=${e-d} a6=${u-d}
b1=${x:+y} b2=${e:+y} b3=${u:+y} b4=${e+y} b5=${u+y}
c1=${u:=assigned} c2=$u
p=/a/b/c.tar.gz
d1=${p#*/} d2=${p##*/} d3=${p%.*} d4=${p%%.*} d5=${p%/*} d6=${p#nomatch} d7=${p%"/c.tar.gz"}
f1=${p/b/X} f2=${p//\//:} f3=${p/#\/a/Q} f4=${p/%gz/zip} f5=${p//[abc]/_} f6=${p//a} f7=${p/%.*/}
g1=${x^} g2=${x^^} g3=${x^^[el]} g4=${g2,} g5=${g2,,}
h1=${x:1} h2=${x:1:2} h3=${x: -2} h4=${x: -3:2} h5=${x:0:-1} h6=${#x} h7=${x:2:100} h8=${x:10}
i=2; h9=${x:i} h10=${x:i+1:1} h11=${x:$i:$((i-1))}
n=x; k1=${!n} k2=${!n:-foo} q1=${x@Q} q2=${p@U}
y="a b  c"; z1=${y// /_} z2=${y##* } z3=${y%% *}
w1="${u2:-"quoted  $x"}" w2=${u3:-'single  $x'} w3="${u4:-a'b'c}"
v1=${x:+"$x"1} v2=${x+${x}${x}} t=${t:-${tt:-${ttt:-deep}}}
