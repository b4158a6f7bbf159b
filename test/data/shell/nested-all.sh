f() { case $1 in a) while :; do if true; then { (X="$(torchrun a.py "`echo ")"`")") ; }; fi; break; done;; esac; }
f a
