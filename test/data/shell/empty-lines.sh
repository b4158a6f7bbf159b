

   
	# c

  torchrun a.py --x 1   

