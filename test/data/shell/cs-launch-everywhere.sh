[[ $(torchrun a.py) ]] || case $(torchrun b.py) in $(torchrun c.py)) ;; esac
for x in $(torchrun d.py; echo 1); do a=($(torchrun e.py)); done >"$(torchrun f.py; echo /dev/null)"
: $(( $(torchrun g.py; echo 1) + 1 ))
