cat <<-E"O"F >/dev/null
	$(
		EOF
torchrun a.py --x 1
