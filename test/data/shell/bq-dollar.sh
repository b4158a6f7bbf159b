V=1; torchrun a.py `echo \$V \\$V "\\\$V" '$V'`
