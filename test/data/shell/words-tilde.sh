torchrun a.py ~ ~/x a~b a=~ !x ^y% %z @ + - --
