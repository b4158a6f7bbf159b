torchrun a.py "a'b"'c"d'"$(echo "e'f" 'g"h')"$'i\'j'$"k"\ l
