ARGS="
    --x 1 \
    --y \"a b\"

    # no comment \
"
torchrun a.py $ARGS \
    $EXTRA \
    2>&1 | cat
