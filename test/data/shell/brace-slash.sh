P=/a/b; torchrun a.py ${P//\//_} ${P/"/"/} ${P//[\/]/}
