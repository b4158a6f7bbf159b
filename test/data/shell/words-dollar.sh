torchrun a.py $ a$ "$" $. "a$" $%
