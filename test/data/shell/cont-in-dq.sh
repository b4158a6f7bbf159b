torchrun a.py "a \
 b\
" 'c \
' --x 1
