# Quotes of all kinds, escapes, tildes.
# unknown: v
a='single $x `y` \n' b="dq \$x \`y\` \\ \" \n" c=$'tab\there\x41\101\u4e2d\e' d=a\ b\$c e="multi
line" f="cont\
inued" g=con\
tinued h="a"'b'$'c'd i=$"locale" j="it's" k='say "hi"' l="nested $(echo "in $(echo "deep  x")")" m=`echo back \`echo nested\`` n="`echo "dq in bq"`" o=`echo \$HOME '\\x' \\\\` p="${a}x${b}"
q=~ r=~/x s="~" t=a~ u=x:~/y:~ v=~nosuchuser/x w="a"~ y=\~ z=~+/k
aa={a,b} bb=$HOME/{x} cc="tab	tab" dd=$'a\'b' ee=$'\cA' ff="a\$b\c" gg='' hh="" ii=""x'' jj=$'\x' kk=$'\1234'
