torchrun a=b c[1]=d e+=f --g=h i=
