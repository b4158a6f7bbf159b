# msp-scan-paths: what is judged, and how it is said.
load lib

# "status name" of each path record but those in order.
findings() {
	msp-scan-paths -F tsv "$@" | awk -F'\t' \
		'$1 == "path" && $2 != "ok" && $2 != "create" { print $2, $4 }' | sort
}

# expect STATUS FINDINGS ARG...: the exit status and the findings.
expect() {
	local want=$1 found=$2 status=0
	shift 2
	msp-scan-paths "$@" >/dev/null 2>err || status=$?
	[ "$status" = "$want" ] || {
		echo "status $status, not $want, for $*"
		msp-scan-paths "$@"
		return 1
	}
	same "$found" "$(findings "$@")"
}

# The training's script with changes: changed SED writes mine.sh.
changed() {
	sed -E "$1" train.sh >mine.sh
}

# A launch of few words: small [ARGUMENT ...] writes small.sh.
small() {
	: >pretrain_gpt.py
	printf 'torchrun --nproc_per_node 1 pretrain_gpt.py --bf16 %s\n' \
		"$*" >small.sh
}

@test "a script whose paths are there is complete" {
	train
	run -0 --separate-stderr msp-scan-paths train.sh
	same "msp-scan-paths: complete
  4 paths ok, 2 outputs can be made" "$output"
	[ -z "$stderr" ]
}

@test "behind -g the script goes on, with its closing comment" {
	train
	run -0 --separate-stderr msp-scan-paths -g train.sh
	same "$(cat train.sh)
# msp: end script=train.sh" "$output"
	[ -z "$stderr" ]
	rm data/text_document.idx
	run -1 --separate-stderr msp-scan-paths -g train.sh
	[ -z "$output" ]
	has "$stderr" "msp-scan-paths: train.sh:11: error: missing: --data-path data/text_document: not there, though the .bin file"
	has "$stderr" "[no-data]"
}

@test "what is taken away is what is missing" {
	train
	cp -r . "$BATS_TEST_TMPDIR/whole"
	while read -r path status name; do
		rm -rf "$path"
		expect 1 "$status $name" train.sh
		cp -r "$BATS_TEST_TMPDIR/whole/." .
	done <<-LIST
		ckpt missing --load
		ckpt/load missing --load
		ckpt/load/iter_0000001 missing --load
		ckpt/load/iter_0000001/mp_rank_00 missing --load
		ckpt/load/iter_0000001/mp_rank_00/model_optim_rng.pt missing --load
		data missing --data-path
		data/text_document.bin missing --data-path
		data/text_document.idx missing --data-path
		pretrain_gpt.py missing entry
	LIST
}

@test "a tokenizer's directory that is gone may be a hub's name" {
	train
	rm -r tokenizer
	expect 0 "hub --tokenizer-name-or-path" train.sh
	changed 's|="tokenizer"|="./tokenizer"|'
	msp-scan-paths mine.sh >out || true
	has "$(cat out)" "no such directory; TOKENIZER_PATH is set on line 12"
}

@test "the report says which line to change to what" {
	train
	changed 's|="ckpt/load"|="/data/ckpt/qwen3-8b-tp1pp2"|
		s|="data/text_document"|="your data path"|
		s|="tokenizer"|="tokenizer/tokenizer.json"|'
	run -1 msp-scan-paths mine.sh
	same "msp-scan-paths: incomplete
  missing      mine.sh:9   --load                    /data/ckpt/qwen3-8b-tp1pp2
      no such directory; CKPT_LOAD_DIR is set on line 9
  wrong-kind   mine.sh:12  --tokenizer-name-or-path  tokenizer/tokenizer.json
      a file; PretrainedFromHF takes the directory $PWD/tokenizer; TOKENIZER_PATH is set on line 12
  placeholder  mine.sh:11  --data-path               \"your data path\"
      put the prefix of your preprocessed data here, for example /data/enwiki_text_document; DATA_PATH is set on line 11
  1 path ok, 2 outputs can be made, 1 missing, 1 wrong, 1 still to be filled in" "$output"
}

@test "in a Chinese locale the text is Chinese, records are not" {
	train
	rm -r ckpt/load
	msp-scan-paths -F tsv train.sh >en.tsv || true
	export LC_ALL=zh_CN.UTF-8
	run -1 msp-scan-paths train.sh
	has "$output" "msp-scan-paths: 不完整"
	has "$output" "没有这个目录；CKPT_LOAD_DIR 在第 9 行设置"
	has "$output" "3 个路径正常，2 个输出可以创建，1 个缺失"
	msp-scan-paths -F tsv train.sh >zh.tsv || true
	cmp en.tsv zh.tsv
	run -1 --separate-stderr msp-scan-paths -g train.sh
	has "$stderr" "error: missing：--load ckpt/load：没有这个目录"
}

@test "records for machines" {
	train
	rm -r ckpt/load
	msp-scan-paths -F tsv train.sh >out || true
	same "$PWD/ckpt/load" \
		"$(awk -F'\t' '$1=="path" && $2=="missing" {print $7}' out)"
	same "path	missing	checkpoint	--load	9	ckpt/load	$PWD/ckpt/load	no such directory" \
		"$(head -n 1 out)"
	same "sum	incomplete	ok=3	create=2	hub=0	unknown=0	warn=0	missing=1	unreadable=0	wrong-kind=0	placeholder=0	ignored=0" \
		"$(tail -n 1 out)"
	msp-scan-paths -F json train.sh >out || true
	has "$(head -n 1 out)" \
		'{"record":"path","status":"missing","kind":"checkpoint","name":"--load","line":"9"'
}

@test "a full report beside the gate" {
	train
	rm -r ckpt/load
	run -1 --separate-stderr msp-scan-paths -g --report r.txt train.sh
	has "$(cat r.txt)" "msp-scan-paths: incomplete"
	run -1 msp-scan-paths -g -F tsv --report r.tsv train.sh
	has "$(cat r.tsv)" "sum	incomplete"
	run -2 msp-scan-paths -g --report none/r train.sh
	has "$output" "none/r"
}

@test "-f passes on, -W counts warnings, --ignore leaves out, -q is brief" {
	train
	rm ckpt/load/latest_checkpointed_iteration.txt
	expect 0 "warn --load" train.sh
	expect 1 "warn --load" -W train.sh
	expect 0 "ignored --load" -W --ignore no-tracker train.sh
	expect 0 "ignored --load" -W --ignore '*/ckpt/load' train.sh
	rm -r ckpt
	expect 1 "missing --load" train.sh
	expect 0 "missing --load" -f train.sh
	expect 0 "ignored --load" --ignore -- --load train.sh ||
		expect 0 "ignored --load" --ignore=--load train.sh
	run -0 --separate-stderr msp-scan-paths -fg train.sh
	has "$output" "# msp: end script=train.sh"
	has "$stderr" "warning: missing: --load"
	run -1 msp-scan-paths -q train.sh
	same "msp-scan-paths: incomplete" "$output"
	run -0 msp-scan-paths -n train.sh
	has "$output" "msp-scan-paths: nothing was looked at (-n)"
	same 1 "$(grep -c "looked at" <<<"$output")"
	run -0 msp-scan-paths -v --ignore 'no-*' train.sh
	has "$output" "  ok           train.sh:11  --data-path"
}

@test "placeholders, quoted and not" {
	while read -r value; do
		small --data-path "$value"
		expect 1 "placeholder --data-path" small.sh
	done <<-'LIST'
		your data path
		"your data path"
		/path/to/data_text_document
		'<data-path>'
		./xxx/data
		请填写数据路径
		None
		""
	LIST
	small --save '"your model save ckpt path"'
	expect 1 "placeholder --save" small.sh
	small --load None --save '""'
	expect 0 "" small.sh
	small '--load $NOT_SET --save x'
	expect 1 "placeholder --load" small.sh
	printf 'DATA=<data-path>\n' >small2.sh
	cat small.sh >>small2.sh
	run -1 msp-scan-paths small2.sh
	has "$output" "small2.sh:1"
	has "$output" "<data-path>"
	# bash may read it without an error
	printf 'V=<path to file>/v.json\nD=<data>_text\nE=<list sort\n' >left.sh
	run -1 msp-scan-paths -F tsv left.sh
	same "missing file < 3 list
placeholder syntax D 2 <data>
placeholder syntax V 1 <path to file>" "$(grep ^path <<<"$output" |
		cut -f2-6 | tr '\t' ' ' | sort)"
}

@test "a value with blanks and no quotes" {
	mkdir -p 'a b/iter_0000001/mp_rank_00'
	small '--load a b'
	expect 1 "wrong-kind --load" small.sh
}

@test "what depends on the run is unknown, and no failure" {
	mkdir data
	small '--load $WEIGHTS/$(date +%F)/x --save /none/$(date)/y --data-path data/$RANDOM'
	sed -i '1i WEIGHTS=$(cat list)' small.sh
	expect 0 "unknown --data-path
unknown --load" small.sh
	expect 1 "unknown --data-path
unknown --load" -W small.sh
	small '--data-path gone/$RANDOM'
	expect 1 "missing --data-path" small.sh
}

@test "arguments and environment of the script" {
	mkdir -p c/iter_0000003/mp_rank_00
	: >c/iter_0000003/mp_rank_00/a.pt
	echo 3 >c/latest_checkpointed_iteration.txt
	small '--load ${1:-none/there}'
	expect 1 "missing --load" small.sh
	expect 0 "" small.sh c
	small '--load ${CKPT:-none/there}'
	CKPT=c expect 0 "" small.sh
	expect 1 "missing --load" small.sh
}

@test "a variable that is not set is named" {
	small '--load $NOWHERE/ckpt'
	run -1 msp-scan-paths small.sh
	has "$output" "no such directory; NOWHERE is not set"
}

@test "an argument that is not given is named, an empty value reported" {
	small '--load $1/x'
	run -1 msp-scan-paths small.sh
	has "$output" '$1 is not given: put the script'
	small '--data-path $NONE --save s'
	expect 1 "placeholder --data-path" small.sh
}

@test "a helper that is stopped does not hang the scan" {
	small
	for ((i = 0; i < 30000; i++)); do
		printf 'echo %d >logs/%d.log\n' "$i" "$i"
	done >many.sh
	cat small.sh >>many.sh
	msp-scan-paths many.sh >out 2>err &
	pid=$! child=
	while [ -z "$child" ] && kill -0 "$pid"; do
		read -r child _ </proc/$pid/task/$pid/children || true
	done
	kill -STOP "$child"
	status=0 SECONDS=0
	wait "$pid" || status=$?
	[ "$SECONDS" -ge 2 ]
	# It was stopped before its first step, while it read the script, or
	# while it looked at a file: that one is unknown then.
	case $status in
	0) has "$(cat out)" "msp-scan-paths: complete" ;;
	3) has "$(cat err)" "does not answer" ;;
	*) return 1 ;;
	esac
}

@test "relative paths go by the directory in which the script runs" {
	mkdir -p run/data
	: >run/data/x.bin
	: >run/data/x.idx
	small '--data-path data/x'
	mv pretrain_gpt.py run
	expect 1 "missing --data-path
missing entry" small.sh
	sed -i '1i cd run' small.sh
	expect 0 "" small.sh
	sed -i '1s/.*/cd "$(dirname "$0")"/' small.sh
	mkdir deep
	mv small.sh run
	cd deep
	expect 0 "" ../run/small.sh
	sed -i '1s/.*/cd "$(cd "$(dirname "${BASH_SOURCE[0]}")" \&\& pwd)"/' ../run/small.sh
	expect 0 "" ../run/small.sh
	sed -i '1s/.*/cd nowhere/' ../run/small.sh
	run -1 msp-scan-paths ../run/small.sh
	has "$output" "nowhere"
}

@test "sourced files: followed, missing, guarded, optional" {
	mkdir -p d
	: >d/x.bin
	: >d/x.idx
	echo 'DATA=d/x' >env.sh
	small '--data-path $DATA'
	cp small.sh rest
	for line in 'source ./env.sh' '. ./env.sh' 'source env.sh'; do
		{ echo "$line" && cat rest; } >small.sh
		expect 0 "" small.sh
	done
	{ echo 'source ./gone.sh' && echo 'DATA=d/x' && cat rest; } >small.sh
	expect 1 "missing source" small.sh
	{ echo '[ -f gone.sh ] && source gone.sh' && echo 'DATA=d/x' && cat rest; } >small.sh
	expect 0 "" small.sh
	{ echo 'if [ -f gone.sh ]; then source gone.sh; fi' && echo 'DATA=d/x' && cat rest; } >small.sh
	expect 0 "" small.sh
	{ echo 'source ./gone.sh || true' && echo 'DATA=d/x' && cat rest; } >small.sh
	expect 0 "warn source" small.sh
	{ echo 'bash ./gone.sh' && echo 'DATA=d/x' && cat rest; } >small.sh
	expect 1 "missing bash" small.sh
	echo 'DATA=d/none' >env.sh
	{ echo 'source ./env.sh' && cat rest; } >small.sh
	run -1 msp-scan-paths small.sh
	has "$output" "env.sh:1"
}

@test "what the script writes and reads itself" {
	small '--num-layers 2 2>&1 | tee logs/new/train.log'
	run -0 msp-scan-paths -v small.sh
	has "$output" "create       small.sh:1  tee    logs/new/train.log"
	small '>>out.log <config.txt 2>&1'
	expect 1 "missing <" small.sh
	: >file
	small '| tee file/train.log'
	expect 1 "wrong-kind tee" small.sh
	small '>/dev/null 2>&1 </dev/null'
	run -0 msp-scan-paths -v small.sh
	hasnt "$output" /dev/null
}

@test "what an earlier command may make is not missing" {
	small '--load out/ckpt --data-path prep/x_text_document'
	cp small.sh rest
	{ echo 'python convert_ckpt_v2.py --load-dir hf --save-dir out/ckpt' &&
		echo 'python preprocess_data.py --input raw --output-prefix prep/x' &&
		cat rest; } >small.sh
	expect 0 "unknown --data-path
unknown --load" small.sh
	{ echo 'ls out/ckpt' && echo 'mkdir -p out prep' && cat rest; } >small.sh
	expect 1 "missing --data-path
missing --load" small.sh
	small '--save out'
	cat small.sh >two
	small '--load out'
	cat small.sh >>two
	expect 0 "unknown --load" two
}

@test "a loop, a function called again: each of its values is looked at" {
	mkdir -p b/iter_0000001/mp_rank_00 d
	: >b/iter_0000001/mp_rank_00/a.pt
	echo 1 >b/latest_checkpointed_iteration.txt
	small
	T='torchrun pretrain_gpt.py'
	# each ARG...: the values of --load that are missing, in one line
	each() {
		printf '%s\n' "$@" >loop.sh
		msp-scan-paths -F tsv loop.sh | awk -F'\t' \
			'$2 == "missing" { print $5 ":" $6 }' | sort | tr '\n' ' '
	}
	same "1:a 1:c 1:e " "$(each 'for f in a b c e; do' "$T --load \$f" done)"
	same "1:a 2:c " "$(each 'for f in a b; do' 'for g in b c; do' \
		"$T --load \$f --data-path \$g --mock-data" \
		"$T --load \$g" done done)"
	same "2:x/a 2:x/c " "$(each 'for f in a c; do' 'W=x/$f' \
		"$T --load \$W | tee \$f.log" done)"
	same "4:n 5:m 6:o " "$(each 'go() {' "$T --load \$1 --save \$2" '}' \
		'go n s' 'go m t' 'go o u' 'go b v')"
	# an iteration that is written before it is read is none
	same "2:a " "$(each "go() { $T --load \$1 --save \$2; }" \
		'go a one' 'go one two' 'go two three')"
	# one that is chosen by looking for it need not be the others
	same "" "$(each 'for f in a b; do' 'if grep -q x "$f.txt"; then' \
		"$T --load \$f" 'fi' done)"
	same "" "$(each 'for f in a b; do [ -d $f ] || continue' \
		"$T --load \$f" 'break; done')"
}

@test "save that is load" {
	train
	changed 's|="ckpt/save"|="ckpt/load"|'
	expect 0 "warn --save" mine.sh
	rm -r ckpt
	expect 0 "warn --load
warn --save" mine.sh
	sed -i 's|--load |--lora-load lora --load |' mine.sh
	expect 1 "missing --lora-load
warn --load
warn --save" mine.sh
}

@test "weights against the script's TP and PP" {
	train
	changed 's/^PP=1/PP=2/'
	expect 1 "wrong-kind --load" mine.sh
	run -1 msp-scan-paths mine.sh
	has "$output" "the weights are cut for TP 1 PP 1, the script trains with TP 1 PP 2 (mine.sh:14)"
	mv ckpt/load/iter_0000001/mp_rank_00 ckpt/load/iter_0000001/mp_rank_00_000
	cp -r ckpt/load/iter_0000001/mp_rank_00_000 ckpt/load/iter_0000001/mp_rank_00_001
	expect 0 "" mine.sh
}

@test "a message says which line to change, and to what" {
	train
	mkdir -p data
	: >data/raw.jsonl
	# said SED TEXT: with the script changed so, the report says this.
	said() {
		changed "$1"
		run -1 msp-scan-paths mine.sh
		has "$output" "$2"
	}
	said 's|="data/text_document"|="none/text_document"|' \
		"there is no directory $PWD/none; DATA_PATH is set on line 11"
	said 's|="data/text_document"|="data/raw.json"|' \
		"no such file; did you mean $PWD/data/raw.jsonl?"
	said 's|="data/text_document"|="data/Text_document"|' \
		"no data of this prefix; did you mean $PWD/data/text_document?"
	said 's|="tokenizer"|="~/tokenizer"|' '~ is not expanded here'
	said 's/^TP=1/TP=4/; s/^PP=1/PP=2/' \
		"trains with TP 4 (mine.sh:13) PP 2 (mine.sh:14)"
	# what is empty names its variable, in a string of arguments, too
	said 's|="data/text_document"|=""|' \
		"mine.sh:11  --data-path  \"\""
	has "$output" "expands to nothing; DATA_PATH is set on line 11"
	said 's|="tokenizer"|=|' \
		"expands to nothing; TOKENIZER_PATH is set on line 12"
	said '/^DATA_PATH/d' "expands to nothing; DATA_PATH is not set"
	echo 7 >ckpt/load/latest_checkpointed_iteration.txt
	said s/x/x/ "but $PWD/ckpt/load/iter_0000007 is not there"
}

@test "data: weights, blends, instruction, mock" {
	mkdir d
	for n in a b; do : >d/$n.bin && : >d/$n.idx; done
	while read -r status found args; do
		small "$args"
		expect "$status" "$(echo "${found#-}" | tr : ' ')" small.sh
	done <<-'LIST'
		0 - --data-path 0.3 d/a 0.7 d/b
		0 - --data-path d/a d/b
		0 - --data-path d/a
		1 missing:--data-path --data-path 0.3 d/a 0.7 d/c
		1 missing:--data-path --data-path d/a d/b d/c
		1 missing:--data-path --data-path=d/c
		0 - --data-path d/c --mock-data
		1 wrong-kind:--data-path --data-path d/a.bin
		1 wrong-kind:--data-path --data-path d
	LIST
	: >posttrain_gpt.py
	: >d/s_packed_input_ids_document.bin
	: >d/s_packed_input_ids_document.idx
	small '--data-path d/s --is-instruction-dataset'
	sed -i s/pretrain_gpt/posttrain_gpt/ small.sh
	expect 0 "" small.sh
	sed -i 's|d/s|d/a|' small.sh
	expect 1 "wrong-kind --data-path" small.sh
	sed -i 's|d/a|0.3 d/s 0.7 d/none|' small.sh
	expect 1 "missing --data-path" small.sh
}

# An FSDP2 training all of whose paths are there.
fsdp2() {
	mkdir -p model data conf
	: >train_fsdp2.py
	echo '{}' >model/config.json
	: >model/model.safetensors
	: >model/tokenizer.json
	: >data/a.parquet
	printf '{"alpaca": {"file_name": "../data/a.parquet"}}' >conf/dataset_info.json
	cat >c.yaml <<-'YAML'
		model:
		  model_name_or_path: ./model
		  tokenizer_name_or_path: None
		data:
		  dataset:
		    file_name: data/a.parquet
		  dataset_dir: .
		training:
		  output_dir: ./output
	YAML
	printf 'torchrun train_fsdp2.py c.yaml %s\n' "$*" >small.sh
}

@test "FSDP2: the YAML and the paths in it, the command line first" {
	fsdp2
	expect 0 "" small.sh
	fsdp2 --model.model_name_or_path ./none
	expect 1 "missing --model.model_name_or_path" small.sh
	fsdp2 --data.dataset "'{\"file_name\": \"data/none.parquet\"}'"
	expect 1 "missing --data.dataset" small.sh
	fsdp2 --data.dataset "'{\"file_name\": \"data/a.parquet\", \"formatting\": \"alpaca\"}'"
	expect 0 "" small.sh
	fsdp2 --data.dataset alpaca --data.dataset_dir conf
	expect 0 "" small.sh
	fsdp2 --data.dataset alpaca,other --data.dataset_dir conf
	expect 1 "missing --data.dataset" small.sh
	fsdp2 --data.dataset "'{\"file_name\": \"your origin data path.example: /home/t.parquet\"}'"
	expect 1 "placeholder --data.dataset" small.sh
	run -1 msp-scan-paths small.sh
	has "$output" "put your data file here"
	fsdp2
	sed -i 's|./model|./gone|' c.yaml
	run -1 msp-scan-paths small.sh
	has "$output" "c.yaml:2"
	has "$output" "./gone"
	fsdp2
	rm model/model.safetensors
	expect 1 "missing --model.model_name_or_path" small.sh
	sed -i 's|^data:|  train_from_scratch: True\n&|' c.yaml
	expect 0 "" small.sh
	rm c.yaml
	expect 1 "missing yaml" small.sh
}

@test "FSDP2 with Megatron data" {
	fsdp2
	sed -i 's|  dataset_dir: .|  data_manager_type: mg|' c.yaml
	expect 0 "" small.sh
	sed -i 's|data/a.parquet|data/p|' c.yaml
	expect 1 "missing --data.dataset" small.sh
	: >data/p.bin
	: >data/p.idx
	expect 0 "" small.sh
}

@test "another root" {
	train
	mkdir -p "tree$PWD"
	mv ckpt data tokenizer pretrain_gpt.py "tree$PWD"
	expect 1 "hub --tokenizer-name-or-path
missing --data-path
missing --load
missing entry" train.sh
	expect 0 "" --root tree train.sh
	ln -s / "tree/link"
	changed "s|=\"data/|=\"/link$PWD/data/|"
	expect 0 "" --root tree mine.sh
}

@test "branches: of two values one is enough, of two launches too" {
	mkdir d
	: >d/x.bin
	: >d/x.idx
	small '--data-path $DATA'
	{ echo 'if grep -q A3 hardware; then DATA=d/x; else DATA=d/y; fi' &&
		cat small.sh; } >two
	expect 0 "warn --data-path" two
	{ echo 'if grep -q A3 hardware; then DATA=d/z; else DATA=d/y; fi' &&
		cat small.sh; } >two
	expect 1 "missing --data-path
missing --data-path" two
	{ echo 'if grep -q A3 hardware; then' && sed 's/$DATA/d\/x/' small.sh &&
		echo else && sed 's/$DATA/d\/y/' small.sh && echo fi; } >two
	expect 0 "warn --data-path" two
}

@test "scripts that bash reads otherwise" {
	train
	sed 's/$/\r/' train.sh >crlf.sh
	run msp-scan-paths crlf.sh
	has "$output" "CRLF"
	hasnt "$output" '""'
	run --separate-stderr msp-scan-paths -g crlf.sh
	has "$stderr" "crlf.sh:1: warning: the lines end"
	{ printf '#！/bin/bash\n' && cat train.sh; } >bang.sh
	expect 0 "warn bang" bang.sh
	sed 's/--distributed-backend nccl \\/--distributed-backend nccl \\  /' train.sh >blank.sh
	run msp-scan-paths blank.sh
	has "$output" "blanks behind the backslash"
	sed 's/--distributed-backend nccl \\/--distributed-backend nccl/' train.sh >early.sh
	run msp-scan-paths early.sh
	has "$output" "is a backslash missing?"
	chmod -x blank.sh
	run -0 msp-scan-paths blank.sh
}

@test "a host file, and a launch that runs elsewhere" {
	small
	{ echo 'HOSTFILE=./hosts' && echo 'NNODES=$(cat $HOSTFILE | wc -l)' &&
		cat small.sh; } >two
	expect 1 "missing HOSTFILE" two
	echo n1 >hosts
	expect 0 "" two
	small '--load /only/there'
	sed -i "s/.*/ssh n1 '&'/" small.sh
	run -0 msp-scan-paths small.sh
	has "$output" "another host"
}

@test "no launch: a note, and the script goes on" {
	echo 'echo hello' >none.sh
	run -0 --separate-stderr msp-scan-paths -g none.sh
	same "echo hello
# msp: end script=none.sh" "$output"
	has "$stderr" "note: no training launch in none.sh"
	run -0 --separate-stderr msp-scan-paths -gq none.sh
	[ -z "$stderr" ]
	: >mine.py
	echo 'torchrun mine.py --load none/there' >none.sh
	expect 1 "missing --load" --entry 'mine*' none.sh
}

@test "nothing arrives, nothing goes on" {
	run -2 --separate-stderr msp-scan-paths -g </dev/null
	[ -z "$output" ]
	has "$stderr" "nothing arrived"
	run -2 --separate-stderr msp-scan-paths -F xml train.sh
	has "$stderr" "xml"
	train
	run -2 bash -c 'msp-scan-paths -g train.sh >/dev/full'
	run -2 bash -c 'msp-scan-paths train.sh >/dev/full'
}

@test "scripts of a container or another host are not looked for here" {
	cat >t.sh <<-'END'
	docker exec box bash /w/t.sh
	ssh h "cd /w; bash u.sh"
	bash -c "cd /w && bash v.sh"
	END
	run -0 --separate-stderr msp-scan-paths t.sh
	hasnt "$output" "missing"
	echo 'bash w.sh <z.sh' >>t.sh
	run -1 --separate-stderr msp-scan-paths -F tsv t.sh
	same 2 "$(grep -c "^path.missing" <<<"$output")"
}

@test "names from outside are escaped" {
	printf 'torchrun pretrain_gpt.py --load "a\x1b[31m\xff"\n' >small.sh
	: >pretrain_gpt.py
	run -1 msp-scan-paths small.sh
	has "$output" '\x1B[31m\xFF'
}
