# Completion of the msp tools for bash. The options are those that the tool's
# own --help lists, so that nothing has to be kept in step with it.

_msp() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local tool=${COMP_WORDS[0]} words i
	COMPREPLY=()
	case $prev in
	-F | --format) words='text tsv json' ;;
	-l | --profile-level) words='level_none level0 level1 level2' ;;
	-b | --backend) words='auto mcore mcore-old mindspeed fsdp2' ;;
	--profile-export-type) words='text db' ;;
	-r | --profile-ranks) words='0 each-node all' ;;
	*)
		case $cur in
		-*) words=$(LC_ALL=C "$tool" --help 2>/dev/null |
			grep -oE '^ +(-[A-Za-z0-9], )?--[a-z0-9-]+' |
			grep -oE -e '--?[A-Za-z0-9-]+') ;;
		*) return ;;
		esac
		;;
	esac
	while read -r i; do
		COMPREPLY+=("$i")
	done < <(compgen -W "$words" -- "$cur")
}

complete -o default -F _msp \
	msp-check-env msp-scan-paths msp-inject msp-run msp-verify
