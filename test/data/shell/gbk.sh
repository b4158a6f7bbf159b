torchrun a.py 'Õ\ÄÏ' --²ÎÊı '½|°`' --x 1
