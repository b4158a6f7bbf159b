unset u; torchrun a.py "${u:-"a b"}" "${u:-a "b c" d}"
