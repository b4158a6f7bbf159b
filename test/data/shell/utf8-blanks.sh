torchrun a.py b 　 --x​ 1
