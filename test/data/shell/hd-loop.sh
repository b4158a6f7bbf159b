while read -r x; do torchrun a.py --x "$x"; done <<E
1
done
E
