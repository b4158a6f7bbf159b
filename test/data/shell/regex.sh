[[ "a (b" =~ ^a\ (\(|x)b$ ]] && torchrun a.py "${BASH_REMATCH[1]}"
[[ a,b =~ (^|,)b( |$) ]] && torchrun b.py
[[ x =~ [[:alpha:]]{1,2} && a < b ]] && torchrun c.py
