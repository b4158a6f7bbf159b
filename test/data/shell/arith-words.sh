X=$((16#ff + (1<<2) + 010)); torchrun a.py $X $(( (1) ? 2 : (3) )) $[1 + 1] 2>/dev/null
