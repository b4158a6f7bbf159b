unset u; torchrun a.py "${u:-$(echo "}")}" ${u:-`echo "}"`}
