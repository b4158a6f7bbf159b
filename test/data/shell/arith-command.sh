i=0; ((i++, i<<=2)); (( i > 1 && (i < 9) )) && torchrun a.py $i
