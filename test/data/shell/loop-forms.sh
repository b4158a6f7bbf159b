set -- 1
for x do torchrun a.py $x; done
for x; do torchrun b.py; done
for x in 1
do torchrun c.py
done
for x in 1; { torchrun d.py; }
while ((i++ < 1)) do torchrun e.py; done
until ! false; do :; done
