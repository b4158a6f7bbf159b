# Options of a script, with getopts and by hand.
set -- -a -bval -c val2 -de --long x --name=N -- rest
while getopts "abc:de" o; do seen="$seen $o${OPTARG-}"; done; i1=$OPTIND last=$o
set -- -x arg -zy -q; OPTIND=1
while getopts ":x:y" o; do case $o in x) x=$OPTARG ;; y) y=1 ;; \?) bad="$bad$OPTARG" ;; esac; done
shift $((OPTIND - 1)); left=$#
set -- -f; OPTIND=1; getopts :f: o; m1=$o m2=$OPTARG; getopts f: o; m3=$?
f() { local OPTIND=1 o r=; while getopts v:w o; do r=$r$o${OPTARG-}; done; echo "$r"; }
fr=$(f -w -v 1 -w); getopts ab o -b -a; m4=$o
set -- --data /d --load=/l -v pos --flag
while [[ $# -gt 0 ]]; do
	case $1 in
	--data) data=$2; shift 2 ;;
	--load=*) load=${1#*=}; shift ;;
	-v | --verbose) verbose=1; shift ;;
	--*) extra+=("$1"); shift ;;
	*) pos+=("$1"); shift ;;
	esac
done
for arg in a=1 b=2; do case $arg in a=*) va=${arg#*=} ;; b=*) vb=${arg##*=} ;; esac; done
