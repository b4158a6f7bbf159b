unset u; torchrun a.py "${u:-\}}" ${u:-\}} ${u:-'}'}
