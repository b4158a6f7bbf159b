torchrun a.py --x 1 >|o 2>>o; torchrun b.py &>>o; torchrun c.py >&o; torchrun d.py <>o {fd}<o
