# Errors that end what runs: nothing is known behind them.
# unknown: *
a=1 b=$((1 + )) c=3
f() { d=$((2 / 0)); e=5; }
f
x='a[$(echo 0)]=1'; g=$((x + 1))
h=${!a}
g() { i=$((1 + )); j=7; }
g
k=1 l[1+]=2 m=3
# a carriage return is no blank in arithmetic
cr=$'8\r'
crx=$((cr*2))
cry=$((1+1))
