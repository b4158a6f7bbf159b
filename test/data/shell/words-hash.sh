torchrun a#b \#c "#d" '#e' $# ${#} x;#f
torchrun b.py #g
(#h
torchrun c.py)
