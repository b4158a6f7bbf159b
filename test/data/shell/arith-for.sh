for ((i=0; i<(1+1); i++)); do torchrun a.py $i; done
for (( ; ; )) { torchrun b.py; break; }
