#!/usr/bin/env bats
# msp-verify: every tree of trees.bash, what is said of it, and the ways in.

load lib
load trees

# bats looks at each command of its own shell: trees grow faster in another.
tree() {
	bash -c '. "$TOP/test/trees.bash" && tree "$@"' tree "$@"
}

verify() {
	msp-verify -F tsv "$@"
}

# seen: the verdict and the ids of the findings in a TSV report.
seen() {
	printf '%s\n' "$1" | awk -F'\t' '
		$1 == "sum" { v = $2 }
		$1 == "find" && !had[$2]++ { id[n++] = $2 }
		END {
			for (i = 0; i < n; i++)
				for (j = i + 1; j < n; j++)
					if (id[j] < id[i]) {
						t = id[i]; id[i] = id[j]; id[j] = t
					}
			printf "%s|", v
			for (i = 0; i < n; i++)
				printf "%s%s", i ? " " : "", id[i]
		}'
}

status_of() {
	case $1 in
	complete | degraded | nothing-expected) echo 0 ;;
	running) echo 3 ;;
	unreadable) echo 2 ;;
	*) echo 1 ;;
	esac
}

# one_remedy ID OPTION ... DIR: what a report says first no remedy in it
# contradicts, in both languages
one_remedy() {
	local id=$1 lang first parse collect out
	shift
	for lang in C:'parse again':'collect again' \
		zh_CN.UTF-8:重新解析:重新采集; do
		parse=${lang#*:} collect=${lang##*:}
		parse=${parse%:*}
		out=$(LC_ALL=${lang%%:*} msp-verify "$@") || true
		first=$(tree_verdict "$id")
		case $first in
		unparsed) ! grep "$collect" <<<"$out" ;;
		incomplete | missing | running)
			! grep -e "$parse" -e 'command below' -e 下面的命令 <<<"$out"
			;;
		unreadable) ! grep -e "$parse" -e "$collect" <<<"$out" ;;
		esac || return
		# A command below is one.
		case $out in
		*"command below"* | *下面的命令*) has "$out" analyse\( ;;
		esac || return
	done
}

# trees_are PATTERN: all trees whose id matches give what they should
trees_are() {
	local id dir got status bad=0
	for id in $(tree_list | grep -E "$1"); do
		case $id in
		b36 | dRead) [ "$(id -u)" != 0 ] || continue ;;
		esac
		mkdir "$id"
		dir=$id/p
		tree "$id" "$dir"
		status=0
		# shellcheck disable=SC2046
		got=$(verify $(tree_args "$id") "$(tree_path "$id" "$dir")") ||
			status=$?
		if [ "$(seen "$got")" != "$(tree_verdict "$id")|$(tree_ids "$id")" ] ||
			[ "$status" != "$(status_of "$(tree_verdict "$id")")" ]; then
			printf '%s: %s, exit %s\n%s\n' "$id" \
				"$(seen "$got")" "$status" "$got"
			bad=1
		fi
		# shellcheck disable=SC2046
		one_remedy "$id" $(tree_args "$id") "$(tree_path "$id" "$dir")" || {
			echo "$id: remedies contradict each other"
			bad=1
		}
		chmod -R u+rwX "$id"
		rm -rf "$id"
	done
	return $bad
}

@test "good trees have no finding but what is noted" {
	trees_are '^g'
}

@test "bad trees have their findings and no other: b1 to b19" {
	trees_are '^b(1?[0-9])[a-z]?$'
}

@test "bad trees have their findings and no other: b20 to b48" {
	trees_are '^b[2-4][0-9][a-z]?$'
}

@test "the checks that these leave have a tree each" {
	trees_are '^c'
}

@test "several faults at once" {
	trees_are '^d'
	tree dEmpty p
	run -1 msp-verify p
	has "$output" "rank 1   empty: api_statistic.csv, communication.json, "
	same 1 "$(grep -c 'O15' <<<"$output")"
	run -1 msp-verify -F tsv p
	same 8 "$(grep -c '^find	O15' <<<"$output")"
	tree dQuote quote
	truncate -s -1 quote/*/*/operator_details.csv
	hasnt "$(msp-verify --deep quote)" times
	tree dSome q
	run -1 msp-verify q
	has "$output" "collect again, parsing cannot mend it"
	has "$output" "the ranks that were collected whole can be parsed:"
	run -1 msp-verify -r 0-2 p
	has "$output" "look for them on the other nodes"
	run -1 msp-verify -l level2 p
	has "$output" "it is not what was asked for: collect again"
}

@test "every check is hit by a test" {
	grep -oE '^CHECK\([A-Z][0-9]{2}' "$TOP/cmd/msp-verify/checks.def" |
		cut -d'(' -f2 | sort >all
	{
		for id in $(tree_list); do tree_ids "$id" | tr ' ' '\n'; done
		sed -nE 's/^[[:space:]]*(finds|hits) (.*)/\2/p' \
			"$BATS_TEST_FILENAME" | grep -oE '\b[A-Z][0-9]{2}\b'
	} | sort -u >hit
	same "" "$(comm -23 all hit)"
	# And each has its entry in the manual.
	for id in $(cat all); do
		grep -qE "^\.It.* $id( |\$)" "$TOP/man/msp-verify.1" ||
			echo "$id is not in the page"
	done >page
	same "" "$(cat page)"
}

# finds IDS: the ids in $output are these
finds() {
	same "$*" "$(seen "$output" | cut -d'|' -f2)"
}

# hits ID: the id is among those in $output
hits() {
	has " $(seen "$output" | cut -d'|' -f2) " " $1 "
}

# record EXIT RANKS-HERE [OUTPUT ...]: what msp-run says of a run
record() {
	local exit=$1 here=$2 o
	shift 2
	printf 'run\tscript\ttrain.sh\nrun\tlog\trun.log\n'
	for o; do printf 'run\toutput\t%s\n' "$o"; done
	printf 'run\thost\tnode-0\nrun\tstart\t1704449700\nrun\tseconds\t138\n'
	printf 'run\texit\t%s\nrun\tstatus-from\tpipe\nrun\tranks-here\t%s\n' \
		"$exit" "$here"
	printf 'want\t%s\t%s\n' step-start 2 step-end 4 ranks 0 level level1 \
		cpu on memory off stack off shapes off \
		save-path ./profiling_output backend mcore
	printf 'sum\tended\n'
}

@test "a record: what was asked beside what was recorded" {
	tree g2 profiling_output
	record 0 0 profiling_output/*_ascend_pt >run.tsv
	run -0 msp-verify <run.tsv
	has "$output" "msp-verify: complete"
	has "$output" "level1, CPU, steps 2-3 as asked"
	has "$output" "open profiling_output in MindStudio Insight"
	sed 's/level1/level2/; s/memory\toff/memory\ton/' run.tsv >other.tsv
	run -1 msp-verify -F tsv <other.tsv
	finds D06 D07
	has "$output" "asked for level2, recorded level1"
	sed 's/step-end\t4/step-end\t5/' run.tsv >other.tsv
	run -0 msp-verify -F tsv <other.tsv
	finds D09
	run -1 msp-verify -W -F tsv <other.tsv
}

@test "a record: only what the run wrote counts" {
	tree g2 profiling_output
	record 0 0 >none.tsv
	run -1 msp-verify -F tsv <none.tsv
	finds R07
	has "$output" "next	msp-inject -x train.sh | msp-run | msp-verify"
	mv profiling_output elsewhere
	run -1 msp-verify -F tsv <none.tsv
	finds R01
	# What is older than the run is an earlier one's.
	mv elsewhere profiling_output
	record 0 0 profiling_output/*_ascend_pt |
		sed 's/start\t[0-9]*/start\t9999999999/' >late.tsv
	run -0 msp-verify -F tsv <late.tsv
	finds D14
}

@test "a record: a training that failed, before and after the trace" {
	tree g2 profiling_output
	record 1 0 profiling_output/*_ascend_pt >run.tsv
	run -1 msp-verify <run.tsv
	has "$output" "msp-verify: complete"
	has "$output" "training failed (exit 1) after the trace was written"
	record 1 0 | sed '$d' >run.tsv
	printf 'cause\t1\tP\tMEM01\trun.log\t412\t1\tRuntimeError: NPU out of memory\tthe memory is exhausted\tlower --micro-batch-size\nsum\tended\n' >>run.tsv
	run -1 msp-verify <run.tsv
	has "$output" "msp-verify: missing"
	has "$output" "training failed (exit 1) before the trace was written"
	has "$output" "first cause, line 412 of run.log:"
	has "$output" "      RuntimeError: NPU out of memory"
	has "$output" "the memory is exhausted [MEM01]"
	run -1 msp-verify -F tsv <run.tsv
	has "$output" "cause	1	P	MEM01	run.log	412"
}

@test "a record: what was written is not there any more, or not as asked" {
	tree g4 profiling_output
	record 0 0-3 profiling_output/*_ascend_pt |
		sed 's/ranks\t0$/ranks\t0-3/' >run.tsv
	sed 's/exit\t0/exit\t1/' run.tsv >failed.tsv
	run -1 msp-verify <failed.tsv
	has "$output" "it is not what was asked for"
	has "$output" "training failed (exit 1) after the trace was written"
	rm -r profiling_output/*_254001_*
	run -1 msp-verify <run.tsv
	has "$output" "_254001_20240105101640123_ascend_pt is not there any more"
	has "$output" "moved? then name where it is now"
	hasnt "$output" "msp-inject"
	cd /
	run -1 msp-verify <"$OLDPWD/run.tsv"
	has "$output" "counts from where msp-run was started"
}

@test "a record: nothing is expected where no profiled rank lives" {
	record 0 "" >run.tsv
	run -0 msp-verify -F tsv <run.tsv
	same "nothing-expected" "$(seen "$output" | cut -d'|' -f1)"
	record 1 "" >run.tsv
	run -1 msp-verify <run.tsv
	has "$output" "training failed (exit 1)"
}

@test "a record: end_info that comes a little late is waited for" {
	tree g2 profiling_output
	d=$(echo profiling_output/*_ascend_pt/PROF_*/device_0)
	mv "$d/end_info.0" kept
	(sleep 1 && mv kept "$d/end_info.0") 3>&- &
	record 0 0 profiling_output/*_ascend_pt >run.tsv
	run -0 msp-verify <run.tsv
	has "$output" "msp-verify: complete"
	wait
}

@test "a record: waited for as long as is said" {
	tree g2 profiling_output
	d=$(echo profiling_output/*_ascend_pt/PROF_*/device_0)
	mv "$d/end_info.0" kept
	(sleep 6 && mv kept "$d/end_info.0") 3>&- &
	record 0 0 profiling_output/*_ascend_pt >run.tsv
	run -0 msp-verify --wait 20 <run.tsv
	has "$output" "msp-verify: complete"
	wait
}

@test "a record: cut, of nothing, of something else" {
	record 0 0 >whole.tsv
	size=$(wc -c <whole.tsv)
	for n in $((size - 1)) $((size - 4)) 300 40; do
		head -c "$n" whole.tsv >cut.tsv
		run -2 --separate-stderr msp-verify <cut.tsv
		[ -z "$output" ]
		has "$stderr" "record"
	done
	run -2 --separate-stderr msp-verify </dev/null
	has "$stderr" "nothing arrived"
	echo 'msp-check-env: ready' >other
	run -2 --separate-stderr msp-verify <other
	has "$stderr" "no record of msp-run"
	sed 's/^sum\tended/sum\tnot-started/' whole.tsv >not.tsv
	run -2 --separate-stderr msp-verify <not.tsv
	has "$stderr" "not started"
}

@test "running: touched within the last seconds, and --wait" {
	tree b6f p
	run -3 msp-verify p
	has "$output" "msp-verify: running"
	has "$output" "msp-verify --wait 600 p"
	cp -r p/*_ascend_pt ./-x_ascend_pt
	run -3 msp-verify -- -x_ascend_pt
	has "$output" "msp-verify --wait 600 -- -x_ascend_pt"
	run -3 msp-verify --deep -r 0-3 -l 1 -s 2:4 -b fsdp2 \
		--no-profile-with-cpu -m p
	has "$output" "msp-verify --wait 600 --deep -s 2:4 -r 0-3 -l level1 -b fsdp2 --no-profile-with-cpu --profile-with-memory p"
	# Not for ever, where a clock was wrong.
	find p -exec touch -d '2 days' {} +
	run -1 msp-verify p
	has "$output" "msp-verify: incomplete"
	# It is written to its end while it is waited for.
	mv p late
	tree g2 whole
	(sleep 1 && mv whole p) 3>&- &
	run -0 msp-verify --wait 20 p
	has "$output" "msp-verify: complete"
	wait
	# So is what is parsed just now.
	o=$(echo p/*/*/op_statistic.csv)
	mv "$o" kept
	(sleep 1 && mv kept "$o") 3>&- &
	run -0 msp-verify --wait 20 p
	has "$output" "msp-verify: complete"
	wait
	rm "$o"
	run -0 msp-verify --wait 1 p
	has "$output" "msp-verify: degraded"
	# The other ranks may still come, too.
	rm -r p
	tree b6f p
	run -3 msp-verify -r 0,1 -F tsv p
	finds
	run -1 msp-verify --wait 1 never
	has "$output" "msp-verify: missing"
}

@test "the next command has the path in quotes that hold it" {
	mkdir 'a $HOME dir' "it's"
	tree b17 'a $HOME dir/p'
	run -1 msp-verify -F tsv 'a $HOME dir/p'
	next=$(printf '%s\n' "$output" | sed -n 's/^next\t\(python3.*\)/\1/p')
	python3() {
		printf '%s\n' "${@: -1}"
	}
	same 'a $HOME dir/p' "$(eval "$next")"
	tree b17 "it's/p"
	run -1 msp-verify -F tsv "it's/p"
	next=$(printf '%s\n' "$output" |
		sed -n 's/\\\\/\\/g; s/^next\t\(python3.*\)/\1/p')
	same "it's/p" "$(eval "$next")"
	# Nothing in it acts on a terminal; bash reads it as the path.
	tree b17 $'n\nl\e[31m'
	msp-verify $'n\nl\e[31m' >out || true
	! grep -q $'\e' out
	next=$(sed -n 's/^ *\(python3.*\)/\1/p' out)
	same $'n\nl\e[31m' "$(eval "$next")"
	tree b17 plain
	run -1 msp-verify plain
	has "$output" "source /usr/local/Ascend/ascend-toolkit/set_env.sh"
	has "$output" "python3 -c \"from torch_npu.profiler.profiler import analyse; analyse('plain')\""
}

@test "parse again: only the ranks that need it" {
	defaults
	DP=2
	ranks p 2
	rm -r "$O"
	age p
	run -1 msp-verify -F tsv p
	has "$output" "analyse('$R')"
	# All of a directory by its name.
	rm -r p
	defaults
	OUTPUT=false DP=2
	ranks p 2
	age p
	run -1 msp-verify -F tsv p
	has "$output" "analyse('p')"
	same 2 "$(grep -c '^next' <<<"$output")"
	# Nothing to parse from: no command.
	rm -r p/*/PROF_* p/*/FRAMEWORK
	age p
	run -1 msp-verify --parsed-only -F tsv p
	same unparsed "$(seen "$output" | cut -d'|' -f1)"
	hasnt "$output" "next	"
}

@test "several directories are one run, collected from its nodes" {
	defaults
	WORLD=4 PP=2 DP=2 RANK=0
	rank a
	RANK=1 PID=254001
	rank a
	RANK=2 PID=254002
	rank b
	age a && age b
	run -1 msp-verify -r 0-3 -F tsv a b
	finds R11
	has "$output" "ranks without a directory: 3"
	run -1 msp-verify -r all -F tsv a b
	finds R11
	RANK=3 PID=254003
	rank b
	age b
	run -0 msp-verify -r all -F tsv a b
	finds
	# The same directory twice is once.
	run -0 msp-verify -r all -F tsv a b a/ ./b
	finds
}

@test "steps and ranks: what a person wants to know of a good one" {
	tree g4 p
	run -0 msp-verify p
	has "$output" "rank 3, 119 KiB"
	hasnt "$output" "computes longest"
	run -0 msp-verify -F tsv p
	same 8 "$(grep -c '^step' <<<"$output")"
	has "$output" "step	0	1	410100.500	61000.000	9300.000"
	has "$output" "page	Communication	yes	-"
	run -0 msp-verify -s 2:4 -b mcore -F tsv p
	has "$output" "step	3	3	411100.500"
	run -0 msp-verify -s 2:4 p
	has "$output" "steps 2-3 as asked (ProfilerStep#1-2)"
	run -0 msp-verify -s 2:4 -b fsdp2 -F tsv p
	finds D09
	run -0 msp-verify -F json p
	has "$output" '"record":"page","name":"Summary","usable":"yes","why":null'
	tree g1 q
	run -0 msp-verify -F tsv q
	has "$output" "page	Operator	yes	-"
	has "$output" "page	Memory	no	not recorded"
	has "$output" "page	Communication	no	one rank"
}

@test "pages: why they will not be shown" {
	page() {
		output=$(verify "$3" | sed -n "s/^page	$2	//p")
		same "$1" "$output"
	}
	tree b23 b23
	page "no	kernel_details.csv is broken" Operator b23
	tree cO16 cO16
	page "no	kernel_details.csv is broken" Operator cO16
	tree cO24 cO24
	page "no	communication.json is broken: rank 1" Communication cO24
	tree cO14 cO14
	page "no	no communication_matrix.json: rank 1" Communication cO14
	tree b26 b26
	page "no	no communication data: rank 1" Communication b26
	tree cO25 cO25
	page "no	the database is broken" Operator cO25
	tree b27 b27
	page "no	no operator_memory.csv" Memory b27
	tree b21 b21
	page "no	trace_view.json is broken" Timeline b21
	tree cO06 cO06
	page "no	no trace_view.json" Timeline cO06
}

@test "the slowest rank, where there is one" {
	tree g4 p
	hasnt "$(msp-verify p)" "computes longest"
	sed -i 's/,41[01]100/,425100/' p/*_254002_*/*/step_trace_time.csv
	has "$(msp-verify p)" \
		"rank 2 computes longest: 425.1 ms a step, the median rank 410.6 ms"
}

@test "what to open" {
	opens() {
		same "$1" "$(msp-verify "${@:2}" | tail -n 1 | sed 's/^ *//')"
	}
	tree g3 p
	opens "open p in MindStudio Insight" p
	opens "open ./p in MindStudio Insight" .
	first=$(echo p/*_254000_*)
	opens "open $first in MindStudio Insight" "$first"
	opens "open p in MindStudio Insight" p/*_ascend_pt
	(cd p && opens "open . in MindStudio Insight" *_ascend_pt)
	# As its nodes wrote it.
	mkdir both both/b
	mv p both/a
	mv both/a/*_254001_* both/b/
	opens "open both in MindStudio Insight" both
	opens "put the directories of all ranks into one, then open that in MindStudio Insight" both/a both/b
	# Links are not taken.
	ln -s both link
	opens "open $PWD/both in MindStudio Insight" link
	# Nor two of one rank, or an earlier run, which is said.
	tree b31 q
	opens "move what was left aside out of q, then open that in MindStudio Insight" q
	tree cR21 r
	opens "open $(echo r/*_254000_*) in MindStudio Insight" r
	has "$(msp-verify r)" \
		"note: directories of earlier runs left aside: 1 [R21]"
	tree b31 twice
	has "$(msp-verify twice)" "rank 1: there is another directory"
	tree b34 s
	opens "open $(echo s/*_254000_*_pt) in MindStudio Insight" s
}

@test "parse again: as what can be of use" {
	tree b38 'a b$'
	run -1 msp-verify 'a b$'
	has "$output" "analyse(sys.argv[1], export_type=[\"db\"])'"
	tree cO26 p
	run -1 msp-verify p
	has "$output" "analyse('p', export_type=['text'])\""
	# Each as it should be.
	defaults
	DP=2
	EXPORT=text+db
	ranks q 2
	rm "$O"/*.db
	rm -r q/*_254000_*/ASCEND_PROFILER_OUTPUT
	age q
	run -1 msp-verify q
	has "$output" "analyse('$(echo q/*_254000_*)')\""
	has "$output" "analyse('$(echo q/*_254001_*)', export_type=['text'])\""
}

# fails WHAT OPTION ...: status 2, one line that says WHAT, no report
fails() {
	local what=$1 status=0
	shift
	"$@" 2>err || status=$?
	same 2 "$status"
	same 1 "$(wc -l <err)"
	has "$(cat err)" "$what"
}

@test "bad output and bad input are said, and a failure" {
	tree g2 p
	for f in text tsv json; do
		fails "No space left on device" msp-verify -F $f p >/dev/full
	done
	fails "standard output" msp-verify p >&-
	fails "standard input" msp-verify <&- >out
	fails "Is a directory" msp-verify </ >>out
	head -c 5000 "$BUILD/msp-verify" >binary
	fails "no record" msp-verify <binary >>out
	head -c 80000000 /dev/zero >huge
	fails "no record" msp-verify <huge >>out
	yes "run	output	p" | head -c 80000000 >huge
	fails "before its last line" msp-verify <huge >>out
	fails "unable to read p" msp-verify --log p >>out
	[ ! -s out ]
	rc=0
	msp-verify never 2>&- >out || rc=$?
	same 1 "$rc"
}

@test "steps that cannot have been asked for" {
	tree g2 p
	for steps in 4:2 2:2 2:-2 x:3 2; do
		run -2 --separate-stderr msp-verify -s "$steps" p
		[ -z "$output" ]
		has "$stderr" "steps: "
	done
	run -0 msp-verify -s 2:4 p
}

@test "a part of a profile, a link to nothing, standard input by name" {
	tree g2 p
	for part in ASCEND_PROFILER_OUTPUT 'PROF_*' 'PROF_*/device_0/data'; do
		run -1 msp-verify p/*_ascend_pt/$part
		has "$output" "is a part of a rank's directory [R07]"
		has "$output" "msp-verify $PWD/$(echo p/*_ascend_pt)"
		hasnt "$output" "R10"
	done
	ln -s nowhere link
	run -1 msp-verify -F tsv link
	finds R01
	record 0 0 p/*_ascend_pt | msp-verify - >out
	has "$(cat out)" "msp-verify: complete"
}

@test "findings say what they count, and of whom" {
	tree cR16 r16
	has "$(msp-verify r16)" "profiler_info_1.json: record_shapes"
	tree cR18 r18
	has "$(msp-verify r18)" "warning: rank 1: the ranks recorded different"
	tree cR15 r15
	has "$(msp-verify r15)" "800 s"
	tree cD11l d11
	has "$(msp-verify d11)" "1000001 s (<= 300 s expected)"
	tree cP08 p08
	has "$(msp-verify p08)" "15 KiB (>= 64 KiB expected)"
	tree b39 b39
	has "$(msp-verify --deep b39)" "trace_view.json: byte 609"
}

@test "findings alike are one line, with their ranks" {
	tree b48 p
	run -1 msp-verify p
	has "$output" "rank 1234"
	[ "$(wc -l <<<"$output")" -lt 40 ]
	rm p/*/PROF_*/host/end_info
	age p
	run -1 msp-verify p
	has "$output" "ranks 0-1999 (2000 of 2000)"
	[ "$(grep -c P10 <<<"$output")" = 1 ]
}

@test "commands for many ranks: a few, all with -v" {
	defaults
	OUTPUT=false LEVEL=0 CPU=false
	ranks p 8
	OUTPUT=true RANK=8 PID=254008 WORLD=9
	rank p
	age p
	run -1 msp-verify p
	same 4 "$(grep -c analyse\( <<<"$output")"
	has "$output" "      4 more: -v"
	run -1 msp-verify -v p
	same 8 "$(grep -c analyse\( <<<"$output")"
	run -1 msp-verify -F tsv p
	same 9 "$(grep -c '^next	' <<<"$output")"
}

@test "--ignore and -W" {
	tree b35 p
	run -1 msp-verify -W -F tsv p
	run -0 msp-verify -W --ignore X02 -F tsv p
	has "$output" "find	X02	ignored"
	has "$output" "sum	complete"
	run -0 msp-verify -W --ignore 'p/*' -F tsv p
	tree b23 q
	run -0 msp-verify --ignore kernel_details.csv -F tsv q
	has "$output" "find	O15	ignored"
}

@test "permissions" {
	[ "$(id -u)" = 0 ] || skip "needs root to look as another user"
	command -v setpriv >/dev/null || skip "no setpriv"
	tree b36 p
	tree b17 q
	chmod -R a+rX . && chmod 000 p/*/ASCEND_PROFILER_OUTPUT/kernel_details.csv
	chmod a+rx "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/.."
	other() {
		setpriv --reuid 65534 --regid 65534 --clear-groups msp-verify -F tsv "$@"
	}
	if ! other g >/dev/null 2>&1 && [ $? -gt 3 ]; then
		skip "another user cannot come here"
	fi
	run -2 other p
	hits X01
	hits X03
	run -1 other q
	hits X04
	chmod 700 q
	run -2 other q
	hits R02
	chmod 744 q
	run -2 other q
	hits R02
}

@test "permissions: what cannot be seen is not called missing" {
	[ "$(id -u)" = 0 ] || skip "needs root to look as another user"
	command -v setpriv >/dev/null || skip "no setpriv"
	other() {
		setpriv --reuid 65534 --regid 65534 --clear-groups \
			msp-verify -F tsv --ignore X03 "$@"
	}
	tree g4 p
	chmod -R a+rX . && chmod a+rx "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/.."
	chmod 000 p/*_254000_*/ASCEND_PROFILER_OUTPUT
	chmod 711 p/*_254001_*/PROF_*/device_0
	chmod 744 p/*_254002_*/PROF_*/host
	if ! other p >out && [ $? -gt 3 ]; then
		skip "another user cannot come here"
	fi
	same "unreadable|X01 X03" "$(seen "$(cat out)")"
	chmod 000 p/*_254003_*
	run -2 other p
	same "unreadable|X01 X03" "$(seen "$output")"
	# The one without a number is named beside the ranks.
	has "$output" "find	X01	fail	0-2	"
	has "$output" "find	X01	fail	node-0_254003_"
	# Who does not mind has to know what is left.
	run -1 other --ignore X01 p
	hits D02
}

@test "hostile: names are escaped, links and fifos are not followed" {
	tree b45 p
	ln -s /etc/passwd "$(echo p/*_ascend_pt)/profiler_info_9.json"
	mkfifo "$(echo p/*_ascend_pt)/ASCEND_PROFILER_OUTPUT/trace_view2.json"
	mkdir "$(echo p/*_ascend_pt)/$(printf 'a\033[31mb')"
	: >"$(echo p/*_ascend_pt)/$(printf 'a\033[31mb')/x"
	chmod o+w "$(echo p/*_ascend_pt)/$(printf 'a\033[31mb')/x"
	run -0 timeout 20 msp-verify -v p
	! grep -q $'\033' <<<"$output"
	run -0 timeout 20 msp-verify -F tsv p
	finds X02 X05 X06
	has "$output" 'a\x1B[31mb/x'
	run -0 timeout 20 msp-verify -F json p
	! grep -q $'\033' <<<"$output"
}

@test "hostile: 200,000 entries, deep trees" {
	# In memory where that can be had: disks take a minute.
	many=$(mktemp -d /dev/shm/msp.XXXXXX) || many=$(mktemp -d)
	tree g2 "$many/p"
	d=$(echo "$many"/p/*_ascend_pt)
	mkdir "$d/many"
	(cd "$d/many" && seq 200001 | xargs -n 5000 touch)
	(cd "$d" && for ((i = 0; i < 40; i++)); do mkdir d && cd d || exit; done)
	status=0
	output=$(timeout 60 msp-verify -F tsv "$many/p") || status=$?
	rm -rf "$many"
	same 0 "$status"
	finds X07
}

@test "hostile: 40,000 rank directories cost no more each than a few" {
	many=$(mktemp -d /dev/shm/msp.XXXXXX) || many=$(mktemp -d)
	mkdir "$many/p"
	(cd "$many/p" && seq -f 'h_%g_20240105101640123_ascend_pt' \
		100001 140000 | xargs -n 5000 mkdir)
	status=0
	timeout 60 msp-verify -F tsv "$many/p" >out || status=$?
	rm -rf "$many"
	same 3 "$status"
	same 40000 "$(grep -c '^rank	running' out)"
}

@test "hostile: files that change while they are read" {
	tree g2 p
	o=$(echo p/*_ascend_pt/ASCEND_PROFILER_OUTPUT)
	cp "$o/trace_view.json" kept
	(
		end=$((SECONDS + 4))
		while [ $SECONDS -lt $end ]; do
			: >"$o/trace_view.json"
			head -c 200 kept >"$o/trace_view.json"
			rm -f "$o/kernel_details.csv"
			cat kept >"$o/trace_view.json"
			echo x >"$o/kernel_details.csv"
		done
	) 3>&- &
	for _ in $(seq 60); do
		status=0
		timeout 20 msp-verify --deep -F tsv p >/dev/null || status=$?
		[ "$status" -le 3 ]
	done
	wait
}

@test "Chinese for people; records are the same in all languages" {
	tree b21 p
	LC_ALL=zh_CN.UTF-8 msp-verify p >zh || true
	has "$(cat zh)" "未解析"
	has "$(cat zh)" "[O07]"
	for f in tsv json; do
		LC_ALL=zh_CN.UTF-8 msp-verify -F "$f" p >zh || true
		LC_ALL=C msp-verify -F "$f" p >en || true
		diff en zh
	done
}

@test "a log beside the directory; rules of one's own" {
	echo 'RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB' >train.log
	mkdir empty
	run -1 msp-verify --log train.log empty
	has "$output" "msp-verify: missing"
	has "$output" "[MEM01]"
	run -1 msp-verify --log train.log -F tsv empty
	has "$output" "cause	1	P	MEM01	train.log	1"
	tree g2 good
	run -0 msp-verify --log train.log good
	hasnt "$output" "MEM01"
	run -0 msp-verify --log train.log -F tsv
	has "$output" "cause	1	P	MEM01"
	seq 100 >dull.log
	run -1 msp-verify --log dull.log
	run -2 --separate-stderr msp-verify --log no-such.log
	[ -z "$output" ]
	has "$stderr" "no-such.log"
	echo 'the cat sat on the keyboard' >cat.log
	printf 'CAT01\tP\tcat sat on\ta cat\tmove the cat\n' >rules
	run -0 msp-verify --rules rules --log cat.log
	has "$output" "[CAT01]"
}

@test "each allocation and read may fail" {
	[ -x "$BUILD/fault/msp-verify" ] || skip "no build with FAULT=1"
	tree g3 p
	record 0 0-1 p/*_ascend_pt >run.tsv
	msp-verify --deep -F tsv p >want
	for kind in mem read; do
		for ((n = 1; n < 4000; n += 1 + n / 25)); do
			status=0
			MSP_FAULT=$kind:$n "$BUILD/fault/msp-verify" --deep \
				-F tsv p >out 2>err || status=$?
			if [ "$status" = 0 ]; then
				cmp want out
			elif [ "$kind" = mem ]; then
				[ "$status" = 2 ] && [ ! -s out ] && [ -s err ]
			else
				[ "$status" = 2 ] && grep -q '	X01	' out
			fi || {
				echo "$kind:$n: status $status"
				cat out err
				return 1
			}
		done
		MSP_FAULT=$kind:1 "$BUILD/fault/msp-verify" <run.tsv >out 2>err &&
			return 1
		[ ! -s out ] && [ -s err ]
	done
	MSP_FAULT=write:1 "$BUILD/fault/msp-verify" p >out 2>err && return 1
	has "$(cat err)" "No space left on device"
}

@test "real profiles" {
	r=$TOP/../shared/data/profiles
	[ -d "$r" ] || skip "no ../shared/data/profiles"
	real() {
		verify --ignore D01 --ignore R08 --ignore X03 "$@"
	}
	run -1 real "$r/text-level1"
	finds_real P01
	run -0 real --parsed-only --deep "$r/text-level1"
	finds_real P01
	run -1 real "$r/db-level1"
	finds_real P01
	run -0 real --parsed-only --deep "$r/db-level1"
	finds_real P01
	run -1 real --parsed-only --deep "$r/mcore-4ranks-no-trace"
	finds_real O06 P01
	same 4 "$(grep -c '^rank	unparsed' <<<"$output")"
	run -1 real --parsed-only "$r/format-2023/rank_0"
	finds_real O06 P01
	run -1 real --parsed-only --deep "$r/format-2023"
	finds_real O06 O19 P01
	has "$output" "line 17"
}

# As finds, without those that are ignored.
finds_real() {
	same "$*" "$(seen "$(grep -v '^find	[A-Z0-9]*	ignored' <<<"$output")" |
		cut -d'|' -f2)"
}
