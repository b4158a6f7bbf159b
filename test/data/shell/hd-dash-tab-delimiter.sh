cat <<-'	E' >/dev/null
	a
E
	E
torchrun a.py --x 1
