# Running published launch scripts under bash with recorders in the place of
# every program. For the checks against a clone of Ascend/MindSpeed-LLM, of
# which nothing is changed: the scripts run in a copy, with no other program
# on their PATH, as nobody where this runs as root.
#
#	recorder_start CORPUS DIR   the scripts and what they read, in a new DIR
#	recorder_run SCRIPT         runs one there; sets words to the training's
#	                            arguments from its .py on, before to those
#	                            of its launcher, where to the directory
#	recorder_given OPTION       sets value to the arguments behind an option
#	                            of the training, given to 1 or 0
#	recorder_clean              the command that both run under
#
# shellcheck disable=SC2034

recorder_start() {
	recorder=$(mktemp -d) || exit 2
	trap 'rm -rf "$recorder"' EXIT
	chmod 755 "$recorder"
	mkdir "$recorder/bin"
	mkdir -p "$2"
	(cd "$1" && tar cf - --exclude=.git examples tests configs ./*.py) |
		tar xf - -C "$2"
	chmod -R a+rwX "$2"
	tree=$2
	cat >"$recorder/bin/.record" <<-'R'
		#!/bin/sh
		name=${0##*/}
		printf '%s\0' "$PWD" "$name" "$@" >"$RECORD/$$"
		case $name in
		date) echo 20260101_000000 ;;
		esac
	R
	chmod 755 "$recorder/bin/.record"
	local n
	for n in torchrun msrun python python3 python3.10 python3.11 \
		accelerate deepspeed date tee mkdir rm cp mv sed awk grep cat \
		head tail wc tr cut sort ls touch chmod npu-smi sleep hostname \
		ssh pip pip3 ip ps pkill kill find xargs ln bash sh timeout \
		nohup ray hccn_tool id env git; do
		ln -s .record "$recorder/bin/$n"
	done
	for n in dirname basename realpath readlink pwd uname nproc seq expr; do
		ln -s "$(type -P "$n")" "$recorder/bin/$n"
	done
	mkdir "$recorder/calls"
	chmod 777 "$recorder/calls"
	recorder_clean=(env -i PATH="$recorder/bin" HOME=/home/nobody
		RECORD="$recorder/calls")
	if [ "$(id -u)" = 0 ]; then
		recorder_clean=(setpriv --reuid=65534 --regid=65534
			--clear-groups "${recorder_clean[@]}")
	fi
}

recorder_run() {
	local call i f
	words=() before=() where=
	rm -rf "$recorder"/calls/*
	(cd "$tree" && timeout 20 "${recorder_clean[@]}" /bin/bash "$1" \
		</dev/null >/dev/null 2>&1)
	for f in "$recorder"/calls/*; do
		[ -f "$f" ] || return
		mapfile -d '' -t call <"$f"
		case ${call[1]} in
		torchrun | msrun | python* | accelerate | deepspeed) ;;
		*) continue ;;
		esac
		for ((i = 2; i < ${#call[@]}; i++)); do
			case ${call[i]##*/} in
			pretrain*.py | posttrain*.py | train*.py)
				words=("${call[@]:i}")
				before=("${call[@]:2:i-2}")
				where=${call[0]}
				return
				;;
			*.py) break ;;
			esac
		done
	done
}

recorder_given() {
	value=() given=0
	recorder_search "$1" "" "${before[@]}"
	recorder_search "$1" "${words[@]}"
}

# recorder_search OPTION FIRST [WORD ...]
recorder_search() {
	local option=${1//_/-}
	shift 2
	while [ $# != 0 ]; do
		case ${1//_/-} in
		"$option")
			value=() given=1
			while [ $# -gt 1 ] && [[ $2 != -[!0-9.]* ]]; do
				value+=("$2")
				shift
			done
			;;
		"$option="*) value=("${1#*=}") given=1 ;;
		esac
		shift
	done
}
