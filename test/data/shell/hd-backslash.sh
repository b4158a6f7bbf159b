cat <<E >/dev/null
\$(torchrun no.py) \`a\` \\
E
torchrun a.py --x 1
