A\
B=1 torchrun "$AB"
C\
+\
=2 D\
[1]=3 torchrun one
L=\
(4 $(torchrun two) 5)
M[1]\
+=6
torchrun "${L[@]}" "${M[1]}"
declare N\
O=7
torchrun "$NO"
