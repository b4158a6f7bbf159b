alias torchrun='echo no' q="echo '"
torchrun a.py --x 1
