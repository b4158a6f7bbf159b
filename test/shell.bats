# The reader, judged by bash: an argument is added where shdump says that a
# launch's arguments end; run under bash with launchers that record what they
# are given, each launch has that argument more, and nothing else changes.

load lib
load verdict

prepare() {
	mkdir bin one two
	cat >bin/torchrun <<'RECORD'
#!/bin/bash
printf '%q ' "${0##*/}" "$@" >>"$RECORD"
echo >>"$RECORD"
RECORD
	chmod +x bin/torchrun
	ln -s torchrun bin/python
}

# ends SCRIPT: the offsets behind the arguments of launches, in order. The
# text is in $text; the locale is C, so that it is one of bytes.
ends() {
	local start end head
	"$BUILD/test/unit/shdump" <"$1" |
		while read -r start end _; do
			head=${text:start:40}
			head=${head//$'\\\n'/} head=${head//[\'\"\\\`]/}
			case $head in
			torchrun[!_a-z]* | python[!_a-z]*) echo "$end" ;;
			esac
		done | sort -n
}

# add OFFSET ...: $text with --added N at the N-th offset.
add() {
	local at=0 n=0 next
	for next; do
		printf '%s --added %d' "${text:at:next-at}" $((n += 1))
		at=$next
		case ${text:at:1} in
		[\<\>]) printf ' ' ;;
		esac
	done
	printf %s "${text:at}"
}

# records SCRIPT DIRECTORY: what its launches are given, sorted.
records() {
	: >"$2.log"
	(cd "$2" && env -i PATH="$PWD/../bin:/usr/bin:/bin" HOME=/ \
		RECORD="$PWD/../$2.log" timeout 20 bash "$1" </dev/null \
		>/dev/null 2>&1) || true
	sort "$2.log"
}

# judge SCRIPT [OFFSETS]: prints what is wrong.
judge() {
	local file=$1 name=${1##*/} offsets n text
	IFS= read -rd '' text <"$file" || true
	offsets=$(ends "$file" | tr '\n' ' ')
	[ -n "$offsets" ] || echo "$name: no launch found"
	[ -z "${2-}" ] || [ "$offsets" = "${2//,/ } " ] ||
		echo "$name: arguments end at $offsets, not at $2"
	[ "$("$BUILD/test/unit/shdump" -v <"$file" | head -n 1)" = complete ] ||
		echo "$name: not complete"
	bash -O extglob -n "$file" 2>/dev/null ||
		echo "$name: bash cannot read it"
	# shellcheck disable=SC2086
	add $offsets >added.sh
	records "$file" one >one.rec
	records "$PWD/added.sh" two >two.rec
	sed -E 's/ --added [0-9]+ $/ /' two.rec | sort | cmp -s - one.rec ||
		echo "$name: launches are given $(tr '\n' ';' <two.rec), not $(
			tr '\n' ';' <one.rec
		)"
	[ "$(grep -c -- ' --added [0-9]* $' two.rec)" = "$(wc -l <two.rec)" ] ||
		echo "$name: a launch without the argument: $(
			tr '\n' ';' <two.rec
		)"
	n=$(sed -nE 's/.* --added ([0-9]+) $/\1/p' two.rec | sort -u | wc -l)
	[ "$n" = "$(wc -w <<<"$offsets")" ] ||
		echo "$name: $n of the places $offsets are reached"
	rm -rf one two && mkdir one two
}

@test "an argument reaches each launch of the hard scripts" {
	local f
	for f in "$TOP"/test/data/shell/*.sh; do
		case $f in
		*-5.3.sh)
			((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 503)) ||
				continue
			;;
		esac
		judge "$f"
	done >bad
	same "" "$(cat bad)"
}

@test "an argument reaches each launch of the shared hard scripts" {
	local dir=$TOP/../shared/cases/shell file expect at
	[ -d "$dir" ] || skip "not there"
	while IFS=$'\t' read -r file expect at _; do
		case $expect in
		edit) judge "$dir/$file" "$at" ;;
		edit-parse)
			IFS= read -rd '' text <"$dir/$file" || true
			[ "${at//,/ } " = "$(ends "$dir/$file" | tr '\n' ' ')" ] ||
				echo "$file: not $at"
			;;
		esac
	done <"$dir/cases.tsv" >bad
	same "" "$(cat bad)"
}

@test "a text is complete, incomplete or invalid as bash -n says" {
	local text ours
	while IFS= read -r text; do
		printf %b "$text" >text
		ours=$(our_verdict text)
		[ "$ours" = "$(bash_verdict text)" ] ||
			[ "$ours" = "$(bash_verdict text -O extglob)" ] ||
			echo "$text: $ours, not $(bash_verdict text)"
	done < <(grep -v '^# ' "$TOP/test/data/verdicts") >bad
	same "" "$(cat bad)"
}
