X=$(echo case a in esac); torchrun a.py --x "$X" # )
