! torchrun a.py || ! ! torchrun b.py
if !(torchrun c.py); then :; fi
