function one (torchrun "$1" one)
function two ( cd / && torchrun two; false ) 2>/dev/null
function three \
	(
		for i in 1 2; do torchrun three $i; done
	)
one a
two || torchrun b
three
