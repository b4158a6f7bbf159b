# comment
:
true # x
torchrun a.py --x 1
