torchrun a.py "`echo "a b"`" "`echo \"a b\"`" "`echo 'a"b'`"
