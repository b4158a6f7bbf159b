shopt -s extglob
mkdir -p e; cd e; touch a b
torchrun a.py !(a) @(a|b) +([a-z]) ?(*)b *(x|"y)")z
