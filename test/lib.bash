# What all bats tests share.
#
#	user FILE ...      registers scripts of the user: teardown fails the test
#	                   when one of their bytes has changed
#	train [NAME]       writes a plain Mcore launch script (default train.sh),
#	                   all whose paths exist, and registers it
#	stand_in           puts the stand-ins for npu-smi, torchrun, ... on PATH
#	                   and loads one for CANN
#	same WANT GOT      fails with a diff unless both strings are equal
#	has TEXT PART      fails, showing TEXT, unless PART is in it
#	hasnt TEXT PART    the opposite
#
# BUILD is the directory with the tools, TOP the project. Each test runs in a
# directory of its own, in the C locale, without variables of its caller that
# the tools read.

bats_require_minimum_version 1.5.0

setup() {
	TOP=$(cd "$BATS_TEST_DIRNAME" && pwd)
	while [ ! -f "$TOP/VERSION" ]; do TOP=${TOP%/*}; done
	BUILD=${BUILD:-$TOP/build}
	case $BUILD in /*) ;; *) BUILD=$TOP/$BUILD ;; esac
	PATH=$BUILD:$PATH
	export TOP BUILD PATH
	unset "${!PROFILE_@}" "${!ASCEND_@}" "${!MSP_STANDIN_@}" \
		BASH_ENV ENV LANG LC_MESSAGES PROFILING_MODE \
		PROFILER_SAMPLECONFIG
	export LC_ALL=C
	mkdir -p "$BATS_TEST_TMPDIR/work" "$BATS_TEST_TMPDIR/user"
	cd "$BATS_TEST_TMPDIR/work" || return
	if declare -F prepare >/dev/null; then prepare; fi
}

teardown() {
	local f status=0
	if declare -F finish >/dev/null; then finish || status=1; fi
	for f in "$BATS_TEST_TMPDIR"/user/*; do
		case $f in *.path | *'*') continue ;; esac
		if ! cmp "$f" "$(cat "$f.path")"; then status=1; fi
	done 2>&1
	return "$status"
}

user() {
	local f n
	for f; do
		n=$(find "$BATS_TEST_TMPDIR/user" -name '*.path' | wc -l)
		cp "$f" "$BATS_TEST_TMPDIR/user/$n"
		(cd "$(dirname "$f")" &&
			printf '%s/%s' "$PWD" "$(basename "$f")") \
			>"$BATS_TEST_TMPDIR/user/$n.path"
	done
}

train() {
	local name=${1:-train.sh}
	mkdir -p ckpt/load/iter_0000001/mp_rank_00 data tokenizer
	echo 1 >ckpt/load/latest_checkpointed_iteration.txt
	: >ckpt/load/iter_0000001/mp_rank_00/model_optim_rng.pt
	: >data/text_document.bin
	: >data/text_document.idx
	echo '{}' >tokenizer/tokenizer_config.json
	echo '{}' >tokenizer/tokenizer.json
	: >pretrain_gpt.py
	cat >"$name" <<'SCRIPT'
#!/bin/bash
NPUS_PER_NODE=2
MASTER_ADDR=localhost
MASTER_PORT=6000
NNODES=1
NODE_RANK=0
WORLD_SIZE=$(($NPUS_PER_NODE*$NNODES))

CKPT_LOAD_DIR="ckpt/load"
CKPT_SAVE_DIR="ckpt/save"
DATA_PATH="data/text_document"
TOKENIZER_PATH="tokenizer"
TP=1
PP=1

DISTRIBUTED_ARGS="
    --nproc_per_node $NPUS_PER_NODE \
    --nnodes $NNODES \
    --node_rank $NODE_RANK \
    --master_addr $MASTER_ADDR \
    --master_port $MASTER_PORT
"

GPT_ARGS="
    --use-mcore-models \
    --tensor-model-parallel-size ${TP} \
    --pipeline-model-parallel-size ${PP} \
    --num-layers 2 \
    --micro-batch-size 1 \
    --global-batch-size 16 \
    --tokenizer-type PretrainedFromHF \
    --tokenizer-name-or-path ${TOKENIZER_PATH} \
    --train-iters 2000 \
    --lr 1e-6
"

DATA_ARGS="
    --data-path $DATA_PATH \
    --split 100,0,0
"

OUTPUT_ARGS="
    --log-interval 1 \
    --save-interval 2000 \
    --eval-interval 2000 \
    --eval-iters 0
"

torchrun $DISTRIBUTED_ARGS pretrain_gpt.py \
    $GPT_ARGS \
    $DATA_ARGS \
    $OUTPUT_ARGS \
    --distributed-backend nccl \
    --load ${CKPT_LOAD_DIR} \
    --save ${CKPT_SAVE_DIR} \
    | tee logs/train_demo.log
SCRIPT
	user "$name"
}

stand_in() {
	PATH=$BUILD:$TOP/test/stand-in:${PATH#"$BUILD":}
	"$TOP/test/stand-in/cann" "$BATS_TEST_TMPDIR/cann"
	. "$BATS_TEST_TMPDIR/cann/set_env.sh"
}

same() {
	[ "$1" = "$2" ] || {
		diff <(printf '%s\n' "$1") <(printf '%s\n' "$2")
		return 1
	}
}

has() {
	case $1 in *"$2"*) ;; *)
		printf 'not there: %s\nin:\n%s\n' "$2" "$1"
		return 1
		;;
	esac
}

hasnt() {
	case $1 in *"$2"*)
		printf 'there: %s\nin:\n%s\n' "$2" "$1"
		return 1
		;;
	esac
}
