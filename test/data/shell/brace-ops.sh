V=abcabc; torchrun a.py ${V:1:2} ${V: -2} ${V/b/x} ${V//b} ${V/#a/} ${V/%c/} ${V^^[ab]} ${V,} ${V@Q}
