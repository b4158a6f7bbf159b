A=(
  --x 1   # torchrun )
  "--y" 'a
)'
  # "
  --z=$(echo ")")
)
torchrun a.py "${A[@]}"
