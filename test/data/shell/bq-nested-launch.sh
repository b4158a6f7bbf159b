X=`echo \`torchrun a.py --x 1\``
