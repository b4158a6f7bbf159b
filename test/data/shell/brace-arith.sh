V=abcdef i=1; torchrun a.py ${V:i+1:$((i+1))} ${V:$(echo 1):(1)} ${V:i?2:3}
