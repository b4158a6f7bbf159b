[[ -n a &&
  ( a == a || b == c )
  && ! -f /nonexistent ]] && torchrun a.py
