function a-b.c:d { torchrun a.py "$@"; }
function g () ( torchrun b.py )
h()

{ torchrun c.py; } 2>/dev/null
i() for x in 1; do torchrun d.py; done
a-b.c:d 1; g; h; i
