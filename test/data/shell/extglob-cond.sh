[[ ab == @(a|"(")b && ab != !(ab) ]] && torchrun a.py --x 1
