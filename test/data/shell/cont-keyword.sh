i\
f true; th\
en torchrun a.py --x 1; f\
i
