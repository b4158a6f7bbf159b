f() (( 1 )); function g if true; then torchrun a.py; fi
f && g
