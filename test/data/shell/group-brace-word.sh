{ torchrun a.py }; }
