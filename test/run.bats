# msp-run: what it makes, what it starts, what it says, what it leaves.

load lib

prepare() {
	stand_in
	: >pretrain_gpt.py
}

# closed: the script on standard input, kept and registered as the user's, and
# on standard output with the closing comment that a stage before writes.
closed() {
	local n=1
	while [ -e "train$n.sh" ]; do n=$((n + 1)); done
	cat >"train$n.sh"
	user "train$n.sh"
	cat "train$n.sh"
	printf '# msp: end script=train%d.sh\n' "$n"
}

# record KEY FILE: the values of "run" records.
record() {
	awk -F'\t' -v k="$1" '$1 == "run" && $2 == k {print $3}' "$2"
}

made() {
	find . -name 'run_profiling_*' | sort
}

# gone PATTERN: waits until no process has it in its command line.
gone() {
	local i
	for i in {1..60}; do
		[ -n "$(ours "$1")" ] || return 0
		sleep 0.1
	done
	ours "$1"
	return 1
}

# ours PATTERN: the processes that run in this test's directory.
ours() {
	local pid
	for pid in $(pgrep -f "$1"); do
		case $(readlink "/proc/$pid/cwd") in
		"$BATS_TEST_TMPDIR"/*) ps -o pid=,args= -p "$pid" ;;
		esac
	done
	return 0
}

@test "three files, exclusive, with the original's mode and its bytes" {
	printf '#!/bin/bash\necho hello\n' >train.sh
	chmod 750 train.sh
	user train.sh
	{
		cat train.sh
		echo '# msp: end script=train.sh'
	} >closed
	msp-run -q <closed >out 2>err
	sh=$(echo run_profiling_*.sh)
	[[ $sh =~ ^run_profiling_[0-9]{14}\.sh$ ]]
	cmp "$sh" closed
	same 750 "$(stat -c %a "$sh")"
	same hello "$(cat "${sh%.sh}.log")"
	cmp out "${sh%.sh}.tsv"
	same "$(tail -n 1 out)" "$(printf 'sum\tended')"
	same train.sh "$(record script out)"
	same "${sh%.sh}.log" "$(record log out)"
	same 0 "$(record exit out)"
}

@test "64 at once in one directory: nobody's files are lost" {
	echo 'echo $$' | closed >closed
	for i in {1..64}; do
		msp-run -q <closed >"out.$i" 2>"err.$i" &
	done
	wait
	same 64 "$(find . -name 'run_profiling_*.log' | wc -l)"
	same 64 "$(cat run_profiling_*.log | sort -u | wc -l)"
	same 64 "$(cat out.* | grep -c '^sum.ended$')"
	cat out.* | awk -F'\t' '$2 == "log" {print $3}' | sort -u >logs
	same 64 "$(wc -l <logs)"
}

@test "a script that was cut anywhere is not run" {
	printf 'touch started\necho "a b" | cat\n' | closed >closed
	size=$(wc -c <closed)
	for ((n = 0; n < size; n++)); do
		run -125 msp-run < <(head -c "$n" closed)
	done
	[ ! -e started ]
	same "" "$(made)"
	msp-run -q <closed >out 2>&1
	[ -e started ]
}

@test "no closing comment: refused, and run with -u" {
	echo 'touch started' >train.sh
	user train.sh
	run -125 msp-run train.sh
	has "$output" '[not-closed]'
	[ ! -e started ]
	msp-run -q -u train.sh >out
	[ -e started ]
}

@test "nothing arrives, a report arrives, a wrong option: 125, nothing made" {
	run -125 msp-run </dev/null
	has "$output" '[nothing-arrived]'
	run -125 msp-run < <(echo 'msp-inject: ready')
	has "$output" '[report]'
	run -125 msp-run --no-such </dev/null
	run -125 msp-run -t soon </dev/null
	run -125 msp-run no-such-file
	same "" "$(made)"
	run -0 msp-run --help
	run -0 msp-run --version
}

@test "the stage behind has ended: nothing is started" {
	echo 'touch started' | closed >closed
	{
		sleep 0.2
		msp-run <closed 2>err || echo $? >status
	} | true
	sleep 0.3
	same 125 "$(cat status)"
	has "$(cat err)" 'nothing was started [no-reader]'
	[ ! -e started ]
	same "" "$(made)"
}

@test "beside the script, with -p, with -d; nowhere when it cannot be written" {
	mkdir -p a/b elsewhere
	echo 'echo $0' >a/b/t.sh
	user a/b/t.sh
	msp-run -qu a/b/t.sh >out 2>err
	same "$(echo a/b/run_profiling_*.sh)" "$(cat a/b/run_profiling_*.log)"
	msp-run -qu -d elsewhere a/b/t.sh >out 2>err
	[ -f elsewhere/run_profiling_*.tsv ]
	msp-run -qu -p a/x.sh <a/b/t.sh >out 2>err
	[ -f a/run_profiling_*.sh ]
	run -125 msp-run -qu -d no/such a/b/t.sh
	has "$output" '[create]'
}

@test "a script that looks beside itself is refused where that is unknown" {
	cat >t.sh <<'S'
cd "$(dirname "${BASH_SOURCE[0]}")" && torchrun pretrain_gpt.py
S
	user t.sh
	run -125 msp-run -u < <(cat t.sh)
	has "$output" '[no-path]'
	mkdir d
	run -125 msp-run -u -d d t.sh
	has "$output" '[moved]'
	msp-run -qu -d . t.sh >out
	echo 'echo "usage: $0" >/dev/null; torchrun pretrain_gpt.py' >u.sh
	msp-run -qu < <(cat u.sh) >out
	same "" "$(find d -type f)"
}

@test "-n says what would be done and does nothing" {
	closed >closed <<'S'
#!/usr/bin/bash -eu
torchrun pretrain_gpt.py --profile --profile-save-path prof | tee logs/a/x.log
S
	run -0 msp-run -n <closed
	has "$output" 'bash -eu run_profiling_'
	has "$output" 'logs/a'
	has "$output" 'prof'
	has "$output" 'line 2'
	same "" "$(made)"
	[ ! -e logs ] && [ ! -e prof ]
}

@test "directories for tee, redirections and profiles are made; the script's own are not" {
	closed >closed <<'S'
set -e
mkdir own
torchrun pretrain_gpt.py --profile --profile-step-start 2 \
    --profile-step-end 4 --profile-save-path deep/prof 2>errors/e.log |
    tee "logs/a b/x.log" own/y.log
S
	msp-run -q <closed >out 2>err
	[ -f "logs/a b/x.log" ] && [ -f errors/e.log ] && [ -f own/y.log ]
	same 0 "$(record exit out)"
	same "$(echo deep/prof/*_ascend_pt)" "$(record output out)"
}

@test "output: only what this run has made" {
	T='torchrun pretrain_gpt.py --profile --profile-step-start 2 --profile-step-end 4 --profile-save-path p'
	$T >/dev/null
	old=$(echo p/*)
	echo "$T" | closed >closed
	msp-run -q <closed >out 2>err
	same 2 "$(find p -maxdepth 1 -name '*_ascend_pt' | wc -l)"
	new=$(record output out)
	[ -d "$new" ] && [ "$new" != "$old" ]
}

@test "output: not what another msp-run makes there at the same time" {
	mkdir bin
	cat >bin/torchrun <<-'S'
	#!/bin/bash
	sleep 0.3
	mkdir -p "p/a_b_$$_20260102030405678_ascend_pt/x"
	(mkdir "p/rank0_${BASHPID}_20260102030405679_ascend_pt")
	mkdir "p/rank1_ascend_pt$1"
	sleep 1 "$3"
	S
	chmod +x bin/torchrun
	PATH=$PWD/bin:$PATH
	# the first ends while the second runs, and before it
	for i in 1 2; do
		echo "torchrun \"\" pretrain_gpt.py $((i - 1)).8 --profile --profile-step-start 2 --profile-step-end 4 --profile-save-path p &
	echo \$! >pid.$i; wait" | closed >closed.$i
		msp-run -q <closed.$i >out.$i 2>err.$i &
	done
	wait
	for i in 1 2; do
		has "$(record output out.$i)" "p/a_b_$(cat pid.$i)_"
		hasnt "$(record output out.$i)" "p/a_b_$(cat pid.$((3 - i)))_"
		# whose the others are cannot be told: they stay
		has "$(record output out.$i)" "p/rank1_ascend_pt"
	done
}

# lacks WANT SCRIPT: msp-run without arguments warns of $WANT, or (-) not.
lacks() {
	local want=$1 got
	printf %s "$2" >lacks.sh
	msp-run -nu lacks.sh >/dev/null 2>err || true
	got=$(sed -n 's/.*the launch uses \(\$[0-9]*\) of the script.*/\1/p' err)
	[ "${got:--}" = "$want" ] || {
		printf 'warned of %s, not %s, in:\n%s\n' "${got:--}" "$want" "$2"
		return 1
	}
}

@test "arguments that reached the first stage only: the launch's place is empty" {
	T='torchrun --nproc_per_node 2 pretrain_gpt.py'
	lacks '$1' "$T --tp \$1"
	lacks '$1' "$T --tp \$1 --pp 2 --load \"\$2\""
	lacks '$2' "TP=\${1:-2} DATA=\$2
$T --tp \$TP --data-path \$DATA | tee log"
	lacks '$3' "shift 2; A=\$1; ARGS=\"--load x/\$A --save y\"
$T \$ARGS \"\$@\""
	lacks '$1' "go() { $T --tp \$1; }
go \$1"
	lacks '$1' "cat <<X >cfg
\$2
X
torchrun --node_rank \$1 pretrain_gpt.py"
	has "$(cat err)" 'warning: the launch uses $1'
	has "$(cat err)" '| msp-run - ARG ... | msp-verify'
	# what has a default, is tested, or may be empty
	lacks - "$T --tp 1"
	lacks - "$T --tp \${1:-1} --pp \${2-2}"
	lacks - "$T \"\$@\""
	lacks - "$T \$*"
	lacks - "shift; $T \$@ --tp 1"
	lacks - "TP=\$1; TP=\${TP:-8}; $T --tp \$TP"
	lacks - "if [ -z \"\$1\" ]; then TP=1; else TP=\$1; fi
$T --tp \$TP"
	lacks - "[ \$# -gt 0 ] && TP=\$1 || TP=2
$T --tp \$TP"
	lacks - "if [ \$# -ne 1 ]; then echo usage; exit 1; fi
$T --tp \$1"
	lacks - "[ -n \"\$1\" ] && MORE=\"--load \$1\"
$T \$MORE"
	lacks - "go() { $T --tp \$1; }
go 4"
	lacks - "set -- 1 2; $T --tp \$1"
	lacks - "while [ \$# -gt 0 ]; do case \$1 in --tp) TP=\$2; shift 2 ;; *) shift ;; esac; done
$T --tp \${TP:-1}"
	lacks - "while getopts t: o; do TP=\$OPTARG; done
$T --tp \${TP:-1}"
	lacks - "echo \$1; $T | awk '{print \$1}'"
	lacks - "$T --name msp-argument- --x msp-argument-0"
	lacks - 'case $1 in a) torchrun pretrain_gpt.py --a ;; *) torchrun pretrain_gpt.py ;; esac'
	# nor where one was given
	echo "$T --tp \$1 --pp \$2" >given.sh
	msp-run -nu given.sh 4 >/dev/null 2>err
	hasnt "$(cat err)" no-arguments
	msp-inject -q given.sh 4 2>/dev/null | msp-run -q >/dev/null 2>err || true
	has "$(cat err)" '[no-arguments]'
	same "" "$(msp-inject -q given.sh 4 2>/dev/null |
		msp-run -q - 4 2>&1 >/dev/null | grep no-arguments)"
}

@test "the record says what was asked for and which ranks are here" {
	train
	msp-inject -s 3:5 -r 0,1,9 -f train.sh >prof.sh
	msp-run -q <prof.sh >out 2>err || true
	has "$(cat out)" "$(printf 'want\tstep-start\t3')"
	has "$(cat out)" "$(printf 'want\tranks\t0,1,9')"
	same 0,1 "$(record ranks-here out)"
	same "$(hostname)" "$(record host out)"
}

@test "of several launches the one that profiles is followed" {
	stand_in
	cat >two.sh <<-'S'
	torchrun pretrain_gpt.py --train-iters 9 >a.log 2>&1
	torchrun pretrain_gpt.py --train-iters 9 2>&1 | tee b.log
	S
	for line in 1 2; do
		msp-inject -q -L $line two.sh 2>/dev/null |
			msp-run -q >out 2>err || true
		has "$(record output out)" _ascend_pt
		has "$(cat out)" "$(printf 'want\tstep-start\t2')"
	done
}

@test "the script runs as it would alone" {
	cat >env.sh <<'S'
FROM_ENV=yes
S
	cat >inner.sh <<'S'
#!/usr/bin/bash
echo "inner: ${BASH_ENV-unset} $(trap -p EXIT)"
S
	chmod +x inner.sh
	mkdir bin
	printf '#!/bin/sh\necho mine "$@"\nexit 3\n' >bin/torchrun
	chmod +x bin/torchrun
	cat >t.sh <<'S'
#!/usr/bin/bash
set -eu
set -x
PATH=$PWD/bin:$PATH
echo "args: $# <$1> <$2> $0"
echo "env: ${BASH_ENV-unset} ${FROM_ENV-no}"
cat
./inner.sh
bash inner.sh
set +x
sleep 0.01 &
wait $!
set -x
echo "options: $-"
if ! (exit 4); then echo "status: $?"; fi
set +x
torchrun pretrain_gpt.py 2>&1 | tee out.txt
S
	user t.sh
	for e in unset "$PWD/env.sh" "$PWD/none" ''; do
		if [ "$e" = unset ]; then unset BASH_ENV; else export BASH_ENV=$e; fi
		bash t.sh 'a b' '' </dev/null >want 2>&1 || true
		run -3 msp-run -qu t.sh 'a b' ''
		same pipe "$(record status-from <(echo "$output"))"
		diff <(sed 's/run_profiling_[0-9-]*\.sh/t.sh/' run_profiling_*.log) want
		rm run_profiling_*
	done
	unset BASH_ENV
}

@test "nothing of ours is left behind in TMPDIR" {
	mkdir tmp
	export TMPDIR=$PWD/tmp
	echo 'torchrun pretrain_gpt.py | tee x' | closed >closed
	msp-run -q <closed >out 2>err
	same pipe "$(record status-from out)"
	same "" "$(find tmp -mindepth 1)"
	echo 'torchrun pretrain_gpt.py | tee x; # pretrain' | closed >closed
	export TMPDIR=/no/such
	msp-run -q <closed >out 2>err
	same 0 "$(record exit out)"
}

# --- the table ------------------------------------------------------------

# row NAME FAIL EXIT FROM TEXT: runs the script on standard input with the
# stand-in failing in that way; TEXT is what standard error must have (- for
# no failure at all). $T is the training.
row() {
	local status got
	rows=$((rows + 1))
	rm -rf row && mkdir row && cd row
	: >pretrain_gpt.py
	{
		echo "T='torchrun --nproc_per_node 2 pretrain_gpt.py --train-iters 6 --profile --profile-step-start 2 --profile-step-end 4 --profile-ranks 0 --profile-level level1 --profile-with-cpu --profile-save-path prof'"
		cat
		echo '# msp: end script=train.sh'
	} >closed
	status=0
	MSP_STANDIN_BAIT=1 MSP_STANDIN_FAIL=$2 MSP_STANDIN_AT=${AT-5} \
		msp-run <closed >out 2>err || status=$?
	got="exit $status/$(record exit out) from $(record status-from out)"
	if [ "$got" != "exit $3/$3 from $4" ]; then
		printf '%s (%s): %s, want exit %s from %s\n' "$1" "$2" "$got" "$3" "$4"
		cat err
		bad=$((bad + 1))
	elif [ "$5" = - ] && grep -q 'error:.*\[failed\]' err; then
		printf '%s (%s): said to have failed\n' "$1" "$2"
		bad=$((bad + 1))
	elif [ "$5" != - ] && ! grep -qF -- "$5" err; then
		printf '%s (%s): not said: %s\n' "$1" "$2" "$5"
		cat err
		bad=$((bad + 1))
	fi
	cd ..
}

@test "trainings: what fails, how the script hides it, what the user is told" {
	rows=0 bad=0
	row plain '' 0 pipe - <<<'$T'
	row plain oom 1 pipe '[MEM01]' <<<'$T'
	row tee '' 0 pipe - <<<'$T | tee logs/x.log'
	row tee oom 1 pipe '[MEM01]' <<<'$T | tee logs/x.log'
	row tee oom 1 pipe 'itself ended with 0' <<<'$T | tee logs/x.log'
	row tee-2 disk 1 pipe '[DSK01]' <<<'$T 2>&1 | tee logs/x.log'
	row tee-last unknown 1 pipe '[EXC01]' <<<$'$T | cat | tee logs/x.log\n\n# the end'
	row tee-last silent 1 pipe 'no rule knows the cause' <<<'$T |& tee logs/x.log'
	row pipefail port 1 pipe '[NET01]' <<<$'set -o pipefail\n$T | tee x'
	row pipefail shape 1 pipe '[DAT01]' <<<$'set -eo pipefail\n$T | tee x'
	row arguments arguments 1 pipe '[ARG01]' <<<'$T | tee x'
	row import import 1 pipe '[IMP01]' <<<'$T | tee x'
	row killed killed 1 pipe '[MEM07]' <<<'$T | tee x'
	row crash crash 1 pipe '[PRC03]' <<<'$T | tee x'
	row elsewhere secondary 1 pipe 'only consequences are in this log' <<<'$T | tee x'
	row hides exit0 1 log '[MEM07]' <<<'$T | tee x'
	row hides exit0 1 log '[MEM07]' <<<'$T'
	row own oom 1 pipe 'line 22 of x, rank' <<<'$T >x 2>&1'
	row own-append oom 1 log 'line 24 of x, rank' <<<$'echo 1 >x\necho 2 >>x\n$T &>>x\necho done'
	row own-back oom 1 log 'of x, rank' <<<$'$T >x 2>&1 &\nwait\necho done'
	row own-silent silent 1 pipe 'read the end of x' <<<'$T >x 2>&1'
	row own-old '' 0 pipe - <<<'$T >x 2>&1'
	row or-true oom 1 log '[MEM01]' <<<'$T | tee x || true'
	row or-true '' 0 script - <<<'$T | tee x || true'
	row or-fail oom 7 script '[MEM01]' <<<'$T || exit 7'
	row several '' 0 script - <<<$'$T | tee x\nchmod 440 x\necho done'
	row several oom 1 log '[MEM01]' <<<$'$T | tee x\nchmod 440 x\necho done'
	row several silent 0 script - <<<$'$T | tee x\necho done'
	row status oom 1 script '[MEM01]' <<<$'$T | tee x\nexit ${PIPESTATUS[0]}'
	row status oom 1 script '[MEM01]' <<<$'$T | tee x ; exit ${PIPESTATUS[0]}'
	row status disk 1 script '[DSK01]' <<<$'set +e\n$T >x 2>&1\nRC=$?\ncat x\nexit $RC'
	row background '' 0 script - <<<$'$T &\nwait'
	row background oom 1 log '[MEM01]' <<<$'$T &\nwait'
	row background oom 1 script '[MEM01]' <<<$'$T &\nwait $!'
	row background unknown 1 log '[EXC01]' <<<$'nohup $T | tee x &\nsleep 0.1'
	row background '' 0 script - <<<'nohup $T >&2 &'
	row exec oom 1 script '[MEM01]' <<<'exec $T'
	row exec '' 0 script - <<<'exec $T'
	row function oom 1 log '[MEM01]' <<<$'go() { $T | tee x; }\ngo'
	row function killed 1 script '[MEM07]' <<<$'go() { $T; }\ngo'
	row trap oom 1 script '[MEM01]' <<<$'trap "echo bye" EXIT\n$T'
	row trap oom 1 log '[MEM01]' <<<$'trap "echo bye" EXIT\n$T | tee x'
	row trap oom 0 script - <<<$'trap "exit 0" EXIT\nMSP_STANDIN_FAIL=silent $T'
	row eval shape 1 script '[DAT01]' <<<$'C="$T"\neval "$C"'
	row eval shape 1 log '[DAT01]' <<<$'C="$T | tee x"\neval "$C"'
	row bash-c port 1 script '[NET01]' <<<'bash -c "$T"'
	row array import 1 pipe '[IMP01]' <<<$'C=($T)\n"${C[@]}" | tee x'
	row subshell oom 1 script '[MEM01]' <<<'( $T )'
	row loop oom 1 log '[MEM01]' <<<$'for i in 1; do $T | tee x; done'
	row condition oom 1 log '[MEM01]' <<<$'if $T; then echo good; else echo bad; fi'
	row env oom 1 pipe '[MEM01]' <<<'A=1 env B=2 timeout 60 $T | tee x'
	row after after 1 pipe '[MEM07]' <<<'$T | tee x'
	row late late 1 pipe 'what was asked for may be there' <<<'$T | tee x'
	row profiler profiler 0 pipe '[PRF13]' <<<'$T | tee x'
	row parse parse 0 pipe '[PRF07]' <<<'$T | tee x'
	row warmup warmup 0 pipe '[PRF02]' <<<'$T | tee x'
	row never never-reaching 0 pipe - <<<'$T | tee x'
	row own-term own 143 script '' <<<'$T | tee x'
	row shell '' 2 script '[SH07]' <<<'if $T; then ('
	row shell '' 127 pipe '[IMP10]' <<<$'PATH=/usr/bin:/bin\nmsrun pretrain_gpt.py | tee x'
	row shell '' 1 pipe '[SH08]' <<<$'set -u\necho $NO_SUCH\n$T'
	AT=1
	row first oom 1 pipe '[MEM01]' <<<'$T | tee x'
	row first crash 1 pipe '[PRC03]' <<<'$T | tee x'
	unset AT
	echo "$rows trainings, $bad wrong"
	[ "$rows" -ge 40 ] && [ "$bad" = 0 ]
}

@test "what is said of a failure, in the user's language" {
	echo 'torchrun --nproc_per_node 4 pretrain_gpt.py --train-iters 9 --micro-batch-size 2 | tee logs/x.log' | closed >closed
	export MSP_STANDIN_FAIL=oom MSP_STANDIN_RANK=3 MSP_STANDIN_AT=4
	run -1 --separate-stderr msp-run -q <closed
	log=$(echo run_profiling_*.log)
	has "$stderr" 'training script failed (exit 1); profiling needs a training that runs [failed]'
	has "$stderr" "of $log, rank 3:"
	has "$stderr" '      RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB'
	has "$stderr" "the NPU's memory is exhausted [MEM01]"
	has "$stderr" 'lower --micro-batch-size'
	has "$stderr" 'torchrun saw rank 3'
	has "$stderr" 'ended after iteration 3, exit 1'
	has "$output" "$(printf 'cause\t1\tP\tMEM01\t%s' "$log")"
	LC_ALL=zh_CN.UTF-8 run -1 --separate-stderr msp-run -q <closed
	has "$stderr" '训练脚本失败（退出码 1）'
	has "$stderr" 'NPU 显存不足 [MEM01]'
	hasnt "$output" '显存'
}

@test "progress, line by line" {
	echo 'torchrun pretrain_gpt.py --train-iters 2000 --exit-interval 7 --profile --profile-step-start 2 --profile-step-end 4 --profile-ranks 0 --profile-save-path p' | closed >closed
	msp-run -q <closed >out 2>err
	sed -E 's/^[0-9]{2}:[0-9]{2}:[0-9]{2}/TIME/; s/ \([0-9]+ s\)/ (N s)/' err >got
	diff got - <<S
TIME started
TIME iteration 1 of 2000
TIME recording: iterations 2-3, rank 0
TIME trace being parsed
TIME trace written: $(echo p/*)
TIME ended after iteration 7, exit 0 (N s)
S
	msp-run <closed 2>err >out
	has "$(cat err)" "this is a stand-in"
	same 7 "$(grep -c 'consumed samples' err)"
}

@test "progress from the file that the script sends the training's output to" {
	stand_in
	echo "RuntimeError: NPU out of memory. Tried to allocate" >old.log
	for to in '>>old.log 2>&1' '&>old.log' '2>&1 >new.log'; do
		echo "torchrun pretrain_gpt.py --train-iters 9 $to" >t.sh
		MSP_STANDIN_DELAY=0.02 msp-inject -q t.sh 2>/dev/null |
			msp-run >out 2>err
		has "$(cat err)" "iteration 1 of 9"
		has "$(cat err)" "trace written: "
		has "$(cat err)" "ended after iteration 9, exit 0"
		hasnt "$(cat err out)" MEM01
	done
	lines=$(wc -l <old.log)
	echo "torchrun pretrain_gpt.py --train-iters 9 &>>old.log" |
		closed | MSP_STANDIN_FAIL=oom msp-run -q >out 2>err || true
	line=$(sed -n 's/^  first cause, line \([0-9]*\) of old.log.*/\1/p' err)
	[ "$line" -gt "$lines" ]
	has "$(sed -n "${line}p" old.log)" "out of memory"
}

@test "the user's own rules come first" {
	printf 'MOON\tP\tthe moon is\tthe moon\twait\n' >rules
	echo 'MSP_STANDIN_FAIL=unknown torchrun pretrain_gpt.py' | closed >closed
	run -1 msp-run -q --rules rules <closed
	has "$output" '[MOON]'
	echo 'bad' >rules
	run -125 msp-run -q --rules rules <closed
	has "$output" 'rules:1: error: not a rule'
}

# --- streams --------------------------------------------------------------

@test "a reader that pauses, quits or never reads changes nothing" {
	cat >t.sh <<'S'
for ((i = 0; i < 20000; i++)); do
	printf 'line %07d %0200d\n' $i 0
done
date +%s.%N >ended
S
	user t.sh
	msp-run -u t.sh >out 2>/dev/null
	mkfifo never
	exec 7<>never
	timeout 30 msp-run -u t.sh >out 2>never
	exec 7>&-
	same 0 "$(record exit out)"
	msp-run -u t.sh 2>&1 >out | head -n 1 >first
	same 0 "$(record exit out)"
	msp-run -u t.sh 2>&1 >out | {
		sleep 1
		cat >slow
	}
	same 0 "$(record exit out)"
	for log in run_profiling_*.log; do
		same 20000 "$(wc -l <"$log")"
	done
	same 4 "$(find . -name 'run_profiling_*.tsv' | wc -l)"
}

@test "any bytes, long lines, no newline at the end" {
	cat >t.sh <<'S'
head -c 3000000 /dev/zero
printf '\n\377\376 \033[31m\001 iteration      3/     9 | x |\n'
printf 'iteration %0300000d / 4 |' 7
S
	user t.sh
	msp-run -u t.sh >out 2>err
	same 0 "$(record exit out)"
	cmp run_profiling_*.log <(bash t.sh)
	has "$(tail -n 1 err)" 'ended after iteration'
	same 3000000 "$(tr -dc '\0' <err | wc -c)"
}

@test "standard output that cannot be written: said, and not 0" {
	echo 'echo x' | closed >closed
	status=0
	msp-run -q <closed >/dev/full 2>err || status=$?
	same 1 "$status"
	has "$(cat err)" 'unable to write standard output'
}

@test "the disk is full while it runs: said, and not 0" {
	mkdir small
	mount -t tmpfs -o size=128k tmpfs small 2>/dev/null || skip "no mount"
	cat >small/t.sh <<'S'
for i in {1..4000}; do printf 'line %060d\n' $i; done
sleep 0.2
rm filler
exit 0
S
	status=0
	(cd small && head -c 20000 /dev/zero >filler &&
		exec msp-run -qu t.sh) >out 2>err || status=$?
	umount small
	same 1 "$status"
	same 0 "$(record exit out)"
	has "$(cat err)" 'is not whole, and a trace may not be [disk]'
}

# --- the end --------------------------------------------------------------

@test "TERM: once to the group, then KILL after the grace" {
	cat >t.sh <<'S'
trap 'echo got term >>got' TERM
sleep 777.1 &
while :; do wait; done
S
	user t.sh
	status=0
	msp-run -qu -k 1 t.sh >out 2>err &
	pid=$!
	sleep 0.7
	kill -TERM $pid
	wait $pid || status=$?
	same 143 "$status"
	same 'got term' "$(cat got)"
	has "$(cat err)" 'ended by signal 15 [signal]'
	has "$(cat err)" '[killed]'
	same 143 "$(record exit out)"
	gone 'sleep 777.1'
}

@test "a second signal kills at once; HUP ends it, under nohup not" {
	echo 'trap "" TERM HUP; sleep 777.2' >t.sh
	user t.sh
	SECONDS=0
	msp-run -qu t.sh >out 2>err &
	pid=$!
	sleep 0.5
	kill -TERM $pid
	sleep 0.3
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	same 143 "$status"
	[ "$SECONDS" -lt 5 ]
	has "$(cat err)" 'killed at once by a second signal'
	gone 'sleep 777.2'
	echo 'sleep 0.8; echo done' >u.sh
	user u.sh
	msp-run -qu u.sh >out 2>err &
	pid=$!
	sleep 0.4
	kill -HUP $pid
	status=0
	wait $pid || status=$?
	same 129 "$status"
	(trap '' HUP && exec msp-run -qu u.sh >out 2>err) &
	pid=$!
	sleep 0.4
	kill -HUP $pid
	wait $pid
	same 0 "$(record exit out)"
}

@test "-t ends it: 124" {
	echo 'sleep 777.3' >t.sh
	user t.sh
	run -124 msp-run -qu -t 1 -k 1 t.sh
	has "$output" '[limit]'
	hasnt "$output" '[killed]'
	gone 'sleep 777.3'
}

@test "processes in sessions of their own are found and ended, too" {
	cat >t.sh <<'S'
trap '' TERM
setsid sleep 777.4 &
setsid bash -c 'trap "" TERM; setsid sleep 777.4 & wait' &
wait
sleep 777.4
S
	user t.sh
	run -124 msp-run -qu -t 1 -k 1 t.sh
	gone 'sleep 777.4'
}

@test "one that has left the group and the shell is told, too" {
	cat >t.sh <<'S'
setsid bash -c 'trap "echo told >>told; exit" TERM; while :; do sleep 0.1; done' 777.6 &
sleep 777.6
S
	user t.sh
	run -124 msp-run -qu -t 1 -k 5 t.sh
	hasnt "$output" '[killed]'
	same told "$(cat told)"
	gone 'sleep 777.6'
	rm told
	msp-run -qu -k 5 t.sh >out 2>err &
	sleep 0.6
	kill -KILL $!
	gone ' 777[.]6'
	same told "$(cat told)"
}

@test "KILL of msp-run: the guard ends the training, at any moment" {
	cat >t.sh <<'S'
trap '' TERM
sleep 777.5 &
setsid sleep 777.5 &
sleep 777.5
S
	user t.sh
	for delay in 0 0.002 0.004 0.006 0.01 0.02 0.5; do
		msp-run -qu -k 1 t.sh >out 2>err &
		pid=$!
		sleep $delay
		kill -KILL $pid
		wait $pid || true
	done
	gone 'sleep 777.5'
	gone msp-run
}

@test "what is left running at a normal end is named, not killed" {
	echo 'sleep 2.7 & until grep -q sleep /proc/$!/comm; do :; done' >t.sh
	user t.sh
	msp-run -qu t.sh >out 2>err
	has "$(cat err)" 'still running: '
	has "$(cat err)" '(sleep) [left]'
	pgrep -f 'sleep 2.7'
	pkill -f 'sleep 2.7'
}

@test "a launch in the background that nobody waits for is followed to its end" {
	closed >closed <<'S'
MSP_STANDIN_DELAY=0.2 nohup torchrun pretrain_gpt.py --train-iters 4 >x.log 2>&1 &
S
	msp-run -q <closed >out 2>err
	has "$(cat x.log)" 'after training is done'
}

# nothing_left: no file of the run is there, once the guard has seen to it.
nothing_left() {
	local i
	for i in {1..40}; do
		[ -n "$(made)" ] || return 0
		sleep 0.05
	done
	made
	return 1
}

@test "memory that ends before the start: said, and nothing is left" {
	[ -x "$BUILD/fault/msp-run" ] || skip "no build with FAULT=1"
	closed >closed <<'S'
touch started
torchrun pretrain_gpt.py --profile --profile-save-path prof | tee logs/x
S
	for ((n = 1; n < 3000; n++)); do
		status=0
		MSP_FAULT=mem:$n "$BUILD/fault/msp-run" -q <closed >out 2>err ||
			status=$?
		[ ! -e started ] || break
		same "125" "$status$(cat out)"
		has "$(cat err)" "out of memory"
		[ $((n % 10)) = 0 ] || continue
		# it may have been started, and ended before it did anything
		nothing_left || : "${late:=$n}"
		rm -f run_profiling_*
	done
	echo "$n allocations before the start, files left from ${late:=$n} on"
	[ "$n" -gt 20 ] && [ "$n" -lt 3000 ] && [ $((n - late)) -lt 40 ]
}

@test "a failure or a KILL before the start: nothing is left" {
	mkdir tmp bin
	export TMPDIR=$PWD/tmp
	echo 'touch started; torchrun pretrain_gpt.py | tee x' | closed >closed
	printf '\177ELF' >bin/bash
	chmod +x bin/bash
	PATH=$PWD/bin:$PATH run -125 msp-run -q <closed
	has "$output" '[no-bash]'
	nothing_left
	same "" "$(find tmp -mindepth 1)"
	command -v strace >/dev/null || skip "strace is not installed"
	# by then both files are made and the guard watches
	strace -qq -o trace -e trace='?pipe,pipe2' \
		-e inject='?pipe,pipe2:signal=KILL:when=2' \
		msp-run -q <closed >out 2>err || true
	grep -q KILL trace
	nothing_left
	[ ! -e started ]
	same "" "$(find tmp -mindepth 1)"
}

@test "no bash: 127; a profile directory that cannot be made: 125" {
	echo 'torchrun pretrain_gpt.py --profile --profile-save-path /proc/no' | closed >closed
	run -125 msp-run -q <closed
	has "$output" '[directory]'
	same "" "$(made)"
	echo 'echo x' | closed >closed
	run=$(command -v msp-run)
	PATH=/no/such run -127 "$run" -q <closed
	has "$output" '[no-bash]'
	same "" "$(made)"
}
