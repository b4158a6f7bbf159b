ab=1 ac=2; set -- p q; torchrun a.py ${!a*} "${!a@}" ${#ab} ${#} ${#@} ${@:2} $# $- ${-} ${?}
