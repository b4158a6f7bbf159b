# Bad input and bad output, for every tool: a clear error, nothing half done.
load lib

prepare() {
	train
	stand_in
	export MSP_STANDIN_NPUSMI_TABLE=910b3-x8
	msp-inject -x train.sh >prof.sh
}

# The tools as filters of a script, and the status of their failures.
filters="msp-check-env:-g:2 msp-scan-paths:-g:2 msp-inject:-x:2 msp-run:-q:125"

# each COMMAND: runs it with tool, option and status of each filter.
each() {
	local f rest
	for f in $filters; do
		tool=${f%%:*} rest=${f#*:}
		option=${rest%%:*} failed=${rest#*:}
		"$@" || {
			echo "(with $tool $option)"
			return 1
		}
	done
}

# quiet_failure: the last run failed with $failed, wrote nothing to standard
# output, and one line or a line and its remedy to standard error.
quiet_failure() {
	same "$failed" "$status" && same "" "$output" && [ -n "$stderr" ] &&
		[ "$(wc -l <<<"$stderr")" -le 2 ] && has "$stderr" "$tool: "
}

full_disk() {
	status=0
	"$tool" "$option" prof.sh >/dev/full 2>err || status=$?
	# msp-run has run the script by then: its own failure is 125 all the same.
	has "$(cat err)" "No space left on device"
	[ "$status" != 0 ]
}

@test "a full disk is said, and a failure" {
	each full_disk
	for t in msp-check-env msp-scan-paths msp-inject; do
		status=0
		"$t" -F tsv $([ $t = msp-inject ] && echo -n) train.sh \
			>/dev/full 2>err || status=$?
		same 2 "$status"
		has "$(cat err)" "No space left on device"
	done
	for o in --help --version; do
		status=0
		msp-inject $o >/dev/full 2>err || status=$?
		same 2 "$status"
	done
}

# no_room COMMAND ...: with a size limit, which is a full disk that needs no
# disk; what it says goes to out.
no_room() {
	(trap '' XFSZ && ulimit -f 0 && exec "$@") 2>&1 | cat >out
	return "${PIPESTATUS[0]}"
}

@test "--report on a full disk leaves what was there" {
	mkdir reports
	for t in msp-check-env msp-scan-paths; do
		report=(--report reports/file train.sh)
		for before in '' old; do
			[ -z "$before" ] || echo "$before" >reports/file
			status=0
			no_room "$t" "${report[@]}" || status=$?
			same 2 "$status"
			has "$(cat out)" "reports/file: File too large"
			same "$before" "$(cat reports/* 2>/dev/null)"
		done
		"$t" "${report[@]}" >out
		has "$(cat reports/file)" "$t: "
		same file "$(ls -A reports)"
		rm reports/file
		"$t" --report /dev/stdout -g train.sh >out 2>err
		has "$(cat out)" "$t: "
		has "$(cat out)" "# msp: end"
	done
}

@test "--report on a full disk that is one" {
	[ "$(id -u)" = 0 ] || skip "needs root to mount one"
	mkdir reports
	mount -t tmpfs -o size=16k none reports 2>/dev/null ||
		skip "nothing can be mounted here"
	echo old >reports/file
	head -c 100000 /dev/zero >reports/full 2>/dev/null || true
	status=0
	msp-scan-paths --report reports/file train.sh >out 2>err || status=$?
	left=$(cat reports/file)
	names=$(ls -A reports)
	umount reports
	same 2 "$status"
	has "$(cat err)" "No space left on device"
	same old "$left"
	same $'file\nfull' "$names"
}

closed_output() {
	status=0
	"$tool" "$option" prof.sh >&- 2>err || status=$?
	[ "$status" != 0 ] && [ -s err ]
}

@test "a closed standard output is said, and a failure" {
	each closed_output
	same "" "$(find . -name 'run_profiling_*')"
}

closed_input() {
	status=0
	"$tool" "$option" <&- >out 2>err || status=$?
	same "$failed" "$status" && [ ! -s out ] && [ -s err ]
}

@test "a closed standard input is a failure" {
	each closed_input
}

closed_error() {
	status=0
	"$tool" "$option" no-such-file >out 2>&- || status=$?
	same "$failed" "$status" && [ ! -s out ]
}

@test "a closed standard error changes no status" {
	each closed_error
}

unreadable() {
	run --separate-stderr "$tool" "$option" "$1"
	quiet_failure
}

@test "what cannot be read is named" {
	mkdir dir
	each unreadable no-such-file
	each unreadable dir
	: >empty
	each unreadable empty
	has "$stderr" "empty"
}

from_directory() {
	run --separate-stderr "$tool" "$option" <dir
	quiet_failure
}

@test "a directory on standard input" {
	mkdir dir
	each from_directory
}

binary() {
	run --separate-stderr "$tool" "$option" <binary
	same "" "$output" && [ "$status" != 0 ] && [ -n "$stderr" ]
}

@test "binary input is refused" {
	head -c 5000 "$BUILD/msp-inject" >binary
	each binary
}

huge() {
	run --separate-stderr "$tool" "$option" <huge
	quiet_failure && has "$stderr" "16 MiB"
}

@test "huge input is refused before it is read whole" {
	head -c 20000000 /dev/zero | tr '\0' '#' >huge
	each huge
}

@test "a reader that quits ends a filter by SIGPIPE, in silence" {
	{ cat train.sh; head -c 2000000 /dev/zero | tr '\0' '#'; echo; } >long.sh
	for t in msp-inject "msp-scan-paths -g"; do
		{
			rc=0
			$t long.sh 2>err || rc=$?
			echo $rc >rc
		} | head -c 10 >/dev/null
		same 141 "$(cat rc)"
		hasnt "$(cat err)" "error"
	done
}

hostile() {
	run --separate-stderr "$tool" "$option" "$1"
	LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' <<<"$stderr$output" && return 1
	return 0
}

@test "control characters in names are escaped before they are printed" {
	name=$'no\e[31m\x07such\rfile'
	each hostile "$name"
	has "$stderr" '\x1B[31m\x07such\rfile'
}

# until_fine KIND COMMAND ...: makes the n-th call fail until the command
# succeeds; each time it must fail as a whole.
until_fine() {
	local kind=$1 n want=${FAILED:-2}
	shift
	for ((n = 1; n < 3000; n++)); do
		status=0
		MSP_FAULT=$kind:$n "$@" >out 2>err || status=$?
		[ "$status" != 0 ] || break
		[ "$status" = "$want" ] || {
			echo "$kind:$n of $*: status $status"
			cat err
			return 1
		}
		[ ! -s out ] || {
			echo "$kind:$n of $*: wrote something"
			return 1
		}
		[ "$(grep -c ': error: ' err)" = 1 ] || {
			echo "$kind:$n of $*:"
			cat err
			return 1
		}
	done
	[ "$n" -gt 1 ] && [ "$n" -lt 3000 ]
}

# whole_or_nothing KIND COMMAND ...: whichever call fails, what comes out is
# all of it or nothing with a reason. (A file of the host that cannot be read
# may just leave a check undecided.)
whole_or_nothing() {
	local kind=$1 n
	shift
	"$@" >want 2>/dev/null
	for ((n = 1; n < 60; n++)); do
		status=0
		MSP_FAULT=$kind:$n "$@" >out 2>err || status=$?
		if [ "$status" = 0 ]; then
			cmp want out
		else
			# The write that fails may be that of the reason.
			[ ! -s out ] && { [ -s err ] || [ "$kind" = write ]; }
		fi || {
			echo "$kind:$n of $*: status $status"
			cat err
			return 1
		}
	done
}

@test "each allocation, read and write may fail" {
	[ -x "$BUILD/fault/msp-inject" ] || skip "no build with FAULT=1"
	PATH=$BUILD/fault:$PATH
	until_fine mem msp-scan-paths -g train.sh
	until_fine mem msp-check-env -g train.sh
	for kind in mem read write; do
		until_fine $kind msp-inject -x train.sh
	done
	for kind in read write; do
		whole_or_nothing $kind msp-scan-paths -g train.sh
		whole_or_nothing $kind msp-check-env -g train.sh
	done
	# A report file is whole, old or new; nothing is left beside it.
	mkdir reports
	for t in msp-scan-paths msp-check-env; do
		for ((n = 1; n < 4; n++)); do
			echo old >reports/file
			status=0
			MSP_FAULT=write:$n "$t" --report reports/file train.sh \
				>out 2>err || status=$?
			same file "$(ls -A reports)"
			if [ "$n" = 1 ]; then
				same "2 old" "$status $(cat reports/file)"
			else
				has "$(cat reports/file)" "$t: "
				hasnt "$(cat reports/file)" old
			fi
		done
	done
	for kind in mem read; do
		FAILED=125 until_fine $kind msp-run -n prof.sh
	done
}
