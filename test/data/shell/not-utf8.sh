torchrun a.py ÿþ€ "Ã" 'ä¸' --x 1 # °¡
