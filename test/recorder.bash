# Running published launch scripts under bash with recorders in the place of
# every program. For the checks against a clone of Ascend/MindSpeed-LLM, of
# which nothing is changed: the scripts run in a copy, with no other program
# on their PATH, as nobody where this runs as root.
#
#	recorder_start CORPUS DIR   the scripts and what they read, in a new DIR
#	recorder_run SCRIPT         runs one there; sets words to the training's
#	                            arguments from its .py on, where to the
#	                            directory in which it ran
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
		{
			printf '%s\0' "$PWD" "$name" "$@"
			printf '\036\0'
		} >>"$RECORD"
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
	: >"$recorder/calls"
	chmod 666 "$recorder/calls"
	recorder_clean=(env -i PATH="$recorder/bin" HOME=/home/nobody
		RECORD="$recorder/calls")
	if [ "$(id -u)" = 0 ]; then
		recorder_clean=(setpriv --reuid=65534 --regid=65534
			--clear-groups "${recorder_clean[@]}")
	fi
}

recorder_run() {
	local field call=() i
	words=() where=
	: >"$recorder/calls"
	(cd "$tree" && timeout 20 "${recorder_clean[@]}" /bin/bash "$1" \
		</dev/null >/dev/null 2>&1)
	while IFS= read -r -d '' field; do
		if [ "$field" != $'\036' ]; then
			call+=("$field")
			continue
		fi
		case ${call[1]} in
		torchrun | msrun | python* | accelerate | deepspeed)
			for ((i = 2; i < ${#call[@]}; i++)); do
				case ${call[i]##*/} in
				pretrain*.py | posttrain*.py | train*.py)
					words=("${call[@]:i}")
					where=${call[0]}
					return
					;;
				*.py) break ;;
				esac
			done
			;;
		esac
		call=()
	done <"$recorder/calls"
}

recorder_given() {
	local i w
	value=() given=0
	for ((i = 1; i < ${#words[@]}; i++)); do
		w=${words[i]}
		if [ "${w//_/-}" = "${1//_/-}" ]; then
			value=() given=1
			while ((i + 1 < ${#words[@]})) &&
				[[ ${words[i + 1]} != -[!0-9.]* ]]; do
				value+=("${words[++i]}")
			done
		elif [[ $w == "$1="* ]]; then
			value=("${w#*=}") given=1
		fi
	done
}
