# bash_verdict FILE [OPTION ...]: what bash -n finds: complete, incomplete or
# invalid. What is wrong in [[ ]] is said but does not make its status.
bash_verdict() {
	local file=$1 said status=0
	shift
	said=$(bash "$@" -n "$file" 2>&1) || status=$?
	said=$(LC_ALL=C grep -av -e ': warning: ' -e '^$' <<<"$said" | head -n 1)
	case $said in
	*'unexpected end of file'* | *'unexpected EOF'* | \
		*'unexpected token `EOF'*)
		echo incomplete
		;;
	'') if [ "$status" = 0 ]; then echo complete; else echo invalid; fi ;;
	*) echo invalid ;;
	esac
}

# our_verdict FILE
our_verdict() {
	"$BUILD/test/unit/shdump" -v <"$1" | head -n 1
}
