let "i = (1 << 2)" j=i+1; torchrun a.py $i $j
