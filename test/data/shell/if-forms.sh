if (true) then torchrun a.py; fi
if ((1)) then torchrun b.py; fi
if [[ a ]] then torchrun c.py; fi
if false; then :; elif true; then torchrun d.py; else :; fi
