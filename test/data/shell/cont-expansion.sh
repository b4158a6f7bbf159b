V=1; torchrun a.py $\
{V} $\
(echo 2) ${\
V} "$\
{V}" $(\
echo 3)
