# comment \
torchrun a.py --x 1 \
  --y 2
