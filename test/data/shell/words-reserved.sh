torchrun if then fi do done case esac in { } ! [[ ]] function time
A=if torchrun a.py fi
