true &\
& torchrun a.py --x 1 2\
>&\
1 &\
& false |\
| torchrun b.py
