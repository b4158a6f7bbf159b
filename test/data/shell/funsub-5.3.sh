X=${ echo a; }; torchrun a.py --x "${ echo "b }"; }" ${| REPLY=c; }
