# The pipe: what goes through it, and that it stays closed.
# npu-smi, torchrun and the training behind it are stand-ins.
load lib

prepare() {
	train
	stand_in
	export MSP_STANDIN_NPUSMI_TABLE=910b3-x8
	mkdir -p bin
}

pipe() {
	msp-check-env -g train.sh | msp-scan-paths -g | msp-inject -x |
		msp-run | msp-verify
}

# Nothing was started: no new script, no log, no profile.
nothing_started() {
	local found
	found=$(find . -name 'run_profiling_*' -o -name profiling_output -o \
		-path './logs*')
	same "" "$found"
}

@test "from a launch script to a verified profile" {
	run -0 --separate-stderr pipe
	has "$output" "msp-verify: complete"
	has "$stderr" "trace written"
	[ -s logs/train_demo.log ]
	[ -n "$(find profiling_output -maxdepth 1 -name '*_ascend_pt')" ]
}

@test "the script that runs is the user's with exactly the arguments more" {
	run -0 --separate-stderr pipe
	diff train.sh run_profiling_*.sh >changes || true
	same "> # msp: end script=train.sh" "$(tail -n 1 changes)"
	grep -qE '^> +--profile --profile-step-start 2 --profile-step-end 4 --profile-ranks 0 --profile-level level1 --profile-with-cpu --profile-save-path ./profiling_output' changes
	same 2 "$(grep -c '^>' changes)"
}

@test "no NPU: nothing is started" {
	export MSP_STANDIN_NPUSMI_TABLE=empty MSP_STANDIN_NPUSMI_STATUS=1
	run -2 --separate-stderr pipe
	[ -z "$output" ]
	has "$stderr" "no NPU"
	nothing_started
}

@test "too few NPUs: nothing is started" {
	sed -i 's/^NPUS_PER_NODE=2/NPUS_PER_NODE=16/' train.sh
	user train.sh && rm "$BATS_TEST_TMPDIR"/user/0*
	run -2 --separate-stderr pipe
	nothing_started
}

@test "a missing path: nothing is started, and it is named" {
	rm data/text_document.idx
	run -2 --separate-stderr pipe
	has "$stderr" "data/text_document"
	nothing_started
}

@test "no launch: nothing is started" {
	printf '#!/bin/bash\necho no training here\n' >quiet.sh
	user quiet.sh
	run -2 --separate-stderr bash -c \
		'msp-check-env -g quiet.sh | msp-scan-paths -g | msp-inject -x | msp-run | msp-verify'
	nothing_started
}

@test "empty input: every stage says so and fails" {
	for t in msp-check-env msp-scan-paths msp-inject msp-verify; do
		args=
		case $t in msp-check-env | msp-scan-paths) args=-g ;; esac
		run -2 --separate-stderr $t $args </dev/null
		[ -z "$output" ]
		has "$stderr" "nothing arrived"
	done
	run -125 --separate-stderr msp-run </dev/null
	[ -z "$output" ]
	has "$stderr" "nothing arrived"
	nothing_started
}

@test "a profiled script that was cut is not run, wherever it was cut" {
	msp-inject -x train.sh >prof.sh
	size=$(wc -c <prof.sh)
	step=1
	# Every byte from the start of the last lines on, and a sample before.
	for ((n = 0; n < size; n += step)); do
		if ((n > 40 && n < size - 120)); then step=37; else step=1; fi
		head -c "$n" prof.sh | msp-run >out 2>err && status=0 || status=$?
		[ "$status" = 125 ] || {
			echo "cut at $n: exit $status"
			cat err
			return 1
		}
		[ ! -s out ]
	done
	nothing_started
}

@test "msp-inject killed: nothing is started" {
	mkdir -p bin
	run --separate-stderr bash -c \
		'bash -c "kill -9 \$\$" | msp-run | msp-verify'
	[ "$status" = 2 ]
	nothing_started
}

@test "the stage behind msp-run is gone before it starts: nothing is started" {
	msp-inject -x train.sh >prof.sh
	(sleep 1 && cat prof.sh) | {
		msp-run 2>err || echo $? >rc
	} | true
	same 125 "$(cat rc)"
	has "$(cat err)" "the stage after me has ended"
	nothing_started
}

@test "a training that fails behind tee is reported with its status" {
	export MSP_STANDIN_FAIL=oom
	run -1 --separate-stderr pipe
	has "$stderr" "training script failed (exit 1)"
	has "$stderr" "out of memory"
	has "$output" "msp-verify: missing"
}

@test "a report in the pipe is told from a script" {
	run -2 --separate-stderr bash -c 'msp-scan-paths train.sh | msp-inject'
	has "$stderr" "-g"
	[ -z "$output" ]
}

@test "the ten lines of the manual" {
	# 1 is the first test. 2 and 3:
	run -0 msp-inject -n train.sh
	has "$output" "msp-inject: ready"
	run -1 bash -c 'msp-inject train.sh | diff train.sh -'
	has "$output" "--profile-step-start 2"
	# 4: a batch system.
	printf '#!/bin/sh\ncat >submitted\n' >bin/sbatch && chmod +x bin/sbatch
	cp train.sh job.sbatch && user job.sbatch
	PATH=$PWD/bin:$PATH
	msp-inject -x <job.sbatch | sbatch
	has "$(cat submitted)" "--exit-interval"
	same "# msp: end script=$PWD/job.sbatch" "$(tail -n 1 submitted)"
	# 5: two ranks with memory, the node's rank put in by sed.
	N=0
	msp-inject -xm -s 10:12 -r 0,1 train.sh |
		sed "s/NODE_RANK=0/NODE_RANK=$N/" | msp-run 2>err | msp-verify >out
	has "$(cat out)" "msp-verify: complete"
	# 6: the missing paths.
	rm data/text_document.idx
	same "$(printf 'data/text_document.idx')" \
		"$(msp-scan-paths -F tsv train.sh | awk -F'\t' '$1=="path" && $2=="missing" {print $7}' | sed "s|^$PWD/||")"
	: >data/text_document.idx
	# 7: on another host.
	printf '#!/bin/sh\nshift\nexec sh -c "$*"\n' >bin/ssh && chmod +x bin/ssh
	msp-inject -x train.sh >prof.sh
	mkdir -p MindSpeed-LLM && cp -r ckpt data tokenizer pretrain_gpt.py MindSpeed-LLM/
	run -0 --separate-stderr bash -c \
		"ssh n7 'cd MindSpeed-LLM && msp-run | msp-verify' <prof.sh"
	has "$output" "msp-verify: complete"
	# 8: CANN into this shell.
	run bash -c 'env=$(msp-check-env -F sh) && eval "$env"'
	# 9 and 10: an earlier run, and a log alone.
	record=$(find . -maxdepth 1 -name 'run_profiling_*.tsv' | head -n 1)
	run -0 msp-verify <"$record"
	has "$output" "msp-verify: complete"
	printf 'RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB\n' >train.log
	run -0 msp-verify --log train.log
	has "$output" "MEM01"
}

@test "a Makefile recipe" {
	cat >Makefile <<'MAKE'
.DELETE_ON_ERROR:
prof.sh: train.sh; msp-inject -x $< >$@
MAKE
	make -s prof.sh
	has "$(cat prof.sh)" "--profile-step-start 2"
	rm prof.sh && echo 'echo nothing' >train2.sh
	sed 's/train.sh/train2.sh/' Makefile >Makefile.2
	run -2 make -s -f Makefile.2 prof.sh
	[ ! -e prof.sh ]
}

@test "Chinese for people, the same records for machines" {
	run -0 env LC_ALL=zh_CN.UTF-8 msp-inject -n train.sh
	has "$output" "msp-inject: "
	LC_ALL=C grep -q '[^ -~]' <<<"$output"
	rm data/text_document.idx
	for command in "msp-check-env -F tsv train.sh" "msp-scan-paths -F tsv train.sh" \
		"msp-inject -n -F tsv train.sh" "msp-scan-paths -F json train.sh" \
		"msp-verify -F tsv ."; do
		# Space and memory differ from one look to the next.
		LC_ALL=zh_CN.UTF-8 $command 2>/dev/null | sed 's/[0-9]\+/N/g' >zh
		LC_ALL=C $command 2>/dev/null | sed 's/[0-9]\+/N/g' >en
		[ -s en ]
		diff en zh
	done
}
