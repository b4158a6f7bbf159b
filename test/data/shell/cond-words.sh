a=(1); [[ -v a[0] && a -ef . || -n "]]" ]] ; torchrun a.py ]] [[
