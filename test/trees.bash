# Profiles that never were: rank directories as torch_npu and CANN leave them,
# good ones (g1 to g18), ones with one fault each (b1 to b48),
# what hits the checks that those leave (c and the check's id), and several
# faults at once (d).
#
#	tree ID DIR        makes the tree ID in DIR (which must not exist)
#	tree_args ID       the options with which msp-verify is to look at it
#	tree_path ID DIR   what it is to look at
#	tree_verdict ID    the verdict, and
#	tree_ids ID        all ids of findings, sorted, on one line
#	tree_list          all ids of trees
#
# A rank directory is made by `rank DIR` from the variables that `defaults`
# sets; each tree says only what is different about it. Nothing but mkdir,
# touch and the like is run: printf of the shell writes the files.

defaults() {
	RANK=0 WORLD=1 LEVEL=1 CPU=true MEM=false STACK=false SHAPES=false
	EXPORT=text SIMPL=false SKIP=0 WARM=1 ACTIVE=2 PID=254000
	TIME=20240105101640123 WORKER=node-0 META=mcore FORMAT=new
	DEVICES=0 PROFNO=000001 PARSED=false NAME='' INFO='' TP=1 PP=1 DP=1
	OUTPUT=true RAW=true
}

# done_of FILE BYTES
done_of() {
	printf 'filesize:%s\n' "$2" >"$1.done"
}

# slice DIR NAME BYTES
slice() {
	printf '%*s' "$3" '' >"$1/$2"
	printf 'filesize:%s\nstarttime:%s\nendtime  :%s\n' "$3" \
		470000000000000 470000100000000 >"$1/$2.done"
}

# ctrl DIR NAME TEXT
ctrl() {
	printf '%s\n' "$3" >"$1/$2"
	done_of "$1/$2" $((${#3} + 1))
}

# side DIR SUFFIX: what host and device_N have in common
side() {
	local begin=1704449800123456 end=1704449801182585
	ctrl "$1" sample.json '{"prof_level":"l'"${LEVEL//[!0-9]/0}"'","devices":"0","storageLimit":""}'
	ctrl "$1" "start_info$2" '{"collectionDateBegin":"2024-01-05 10:16:40.123456","collectionTimeBegin":"'$begin'","clockMonotonicRaw":"4699801002845430"}'
	ctrl "$1" "end_info$2" '{"collectionDateEnd":"2024-01-05 10:16:41.182585","collectionTimeEnd":"'$end'","clockMonotonicRaw":"4699802061975030"}'
	ctrl "$1" "info.json$2" '{"DeviceInfo":[{"id":0,"env_type":3,"ai_core_num":24}],"hostname":"node-0","pid":"254000","rank_id":"0","version":"1.0"}'
	ctrl "$1" "host_start.log$2" 'clock_monotonic_raw: 4699801002845430'
}

# prof DIR: the collector's data
prof() {
	local p d base
	if [ "$FORMAT" = old ]; then
		base=PROF_${PROFNO}_${TIME}_KRPBOALLPQHOIAOA
	else
		base=$(printf 'PROF_%s_%s_%08d%s' "$PROFNO" "$TIME" "$PID" BIRQQPCN)
	fi
	p=$1/$base
	mkdir -p "$p/host/data"
	side "$p/host" ''
	slice "$p/host/data" aging.api_event.data.slice_0 4096
	slice "$p/host/data" unaging.api_event.data.slice_0 512
	slice "$p/host/data" aging.compact.task_track.slice_0 2048
	slice "$p/host/data" aging.compact.node_basic_info.slice_0 2048
	slice "$p/host/data" unaging.additional.hash_dic.slice_0 1024
	slice "$p/host/data" unaging.additional.type_info_dic.slice_0 256
	for d in $DEVICES; do
		mkdir -p "$p/device_$d/data"
		side "$p/device_$d" ".$d"
		ctrl "$p/device_$d" "dev_start.log.$d" 'cntvct: 470002538790308'
		slice "$p/device_$d/data" "stars_soc.data.$d.slice_0" 98304
		slice "$p/device_$d/data" "ts_track.data.$d.slice_0" 2048
		slice "$p/device_$d/data" "ffts_profile.data.$d.slice_0" 4096
		slice "$p/device_$d/data" "npu_module_mem.data.$d.slice_0" 128
	done
	if [ "$PARSED" = true ]; then
		mkdir -p "$p/mindstudio_profiler_output" "$p/analyze"
		printf '[]' >"$p/mindstudio_profiler_output/msprof_20240105101700.json"
		printf '{}' >"$p/analyze/communication.json"
	fi
}

# info DIR: profiler_info
info() {
	local file=profiler_info_$RANK.json acts='' u='' level=Level$LEVEL
	local export versions='' start='' id=\"$RANK\"
	[ "$LEVEL" != none ] || level=Level_none
	[ "$CPU" = false ] || acts='"ProfilerActivity.CPU", '
	case $EXPORT in
	text+db) export='["text", "db"]' ;;
	*) export="[\"$EXPORT\"]" ;;
	esac
	if [ "$FORMAT" = old ]; then
		u=_ id=$RANK
	else
		start='"start_info": {"syscnt_enable": true, "freq": 100, "start_cnt": 470002538790308, "start_monotonic": 4699801002845430},'
		versions='"torch_npu_version": "2.7.1", "cann_version": "8.3.RC1",'
	fi
	[ -z "$INFO" ] || file=$INFO
	printf '%s' '{
    "config": {
        "common_config": {
            "activities": ['"$acts"'"ProfilerActivity.NPU"],
            "schedule": {"'$u'wait": 0, "'$u'active": '"$ACTIVE"', "'$u'warmup": '"$WARM"', "'$u'repeat": 1, "'$u'skip_first": '"$SKIP"'},
            "record_shapes": '"$SHAPES"',
            "profile_memory": '"$MEM"',
            "with_stack": '"$STACK"',
            "with_flops": false,
            "with_modules": false
        },
        "experimental_config": {
            "_profiler_level": "'$level'",
            "_aic_metrics": "ACL_AICORE_PIPE_UTILIZATION",
            "_l2_cache": false,
            "_data_simplification": '"$SIMPL"',
            "_export_type": '"$export"'
        }
    },
    '"$start"'
    "end_info": {"collectionTimeEnd": 1704449801182585430, "MonotonicTimeEnd": 4699802061975030},
    '"$versions"'
    "rank_id": '"$id"'
}' >"$1/$file"
}

# meta DIR: profiler_metadata.json
meta() {
	local args='"rank": '$RANK', "world_size": '$WORLD
	[ "$META" != mcore ] ||
		args='"tensor_model_parallel_size": '$TP', "pipeline_model_parallel_size": '$PP', "data_parallel_size": '$DP', "context_parallel_size": 1, "expert_model_parallel_size": 1, "sequence_parallel": false, '$args
	printf '%s' '{"distributed_args": {'"$args"'}, "ENV_VARIABLES": {"ASCEND_GLOBAL_LOG_LEVEL": "", "HCCL_RDMA_TC": ""}, "parallel_group_info": {"group_name_0": {"group_name": "default_group", "group_rank": '"$RANK"', "global_ranks": [0]}}}' >"$1/profiler_metadata.json"
}

fwk() {
	mkdir -p "$1/FRAMEWORK"
	printf '%200s' op >"$1/FRAMEWORK/torch.op_range"
	printf '%200s' op >"$1/FRAMEWORK/torch.op_mark"
	[ "$MEM" = false ] || printf '%200s' op >"$1/FRAMEWORK/torch.memory_usage"
	[ "$STACK" = false ] ||
		printf '%200s' op >"$1/FRAMEWORK/torch.python_tracer_func"
}

# lane NAME PID
lane() {
	printf '{"ph": "M", "name": "process_name", "pid": %s, "tid": 0, "args": {"name": "%s"}}, ' "$2" "$1"
}

# trace FILE FIRST: trace_view.json
trace() {
	local i
	{
		printf '['
		if [ "$CPU" = true ]; then
			lane Python 1
			for ((i = 0; i < ACTIVE; i++)); do
				printf '{"ph": "X", "name": "ProfilerStep#%s", "pid": 1, "tid": 1, "ts": "17044498%s.930", "dur": 482.5, "cat": "cpu_op", "args": {}}, ' $(($2 + i)) $((10 + i))
			done
		fi
		case $LEVEL in
		none) ;;
		*)
			[ "$LEVEL" = 0 ] || lane CANN 2
			lane 'Ascend Hardware' 3
			lane 'Overlap Analysis' 4
			for i in 1 2 3; do
				printf '{"name": "MatMulV2", "pid": 3, "tid": 2, "ts": "1704449810.%s", "dur": 57.3, "ph": "X", "args": {"Model Id": 4294967295, "Task Type": "AI_CORE"}}, ' "$i"
			done
			;;
		esac
		printf '{"ph": "M", "name": "process_labels", "pid": 3, "tid": 0, "args": {"labels": "NPU"}}]'
	} >"$1"
}

# steps FILE FIRST: step_trace_time.csv; no ids without CPU
steps() {
	local i d
	{
		if [ "$FORMAT" = old ]; then
			printf 'Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,Communication(Not Overlapped and Exclude Receive)\r\n'
		else
			printf 'Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,Communication(Not Overlapped and Exclude Receive),Preparing\r\n'
		fi
		for d in $DEVICES; do
			for ((i = 0; i < ACTIVE; i++)); do
				[ "$FORMAT" = old ] || printf '%s,' "$d"
				[ "$CPU" = false ] || printf '%s' $(($2 + i))
				printf ',41%s100.5,40000.0,21000.0,61000.0,9300.0,482400.5,0.0,40000.0' "$i"
				[ "$FORMAT" = old ] || printf ',206.25'
				printf '\r\n'
				[ "$CPU" = true ] || break
			done
		done
	} >"$1"
}

kernels() {
	local id='' n='' more='' more_row='' i
	[ "$CPU" = false ] || id='Step Id,' n=$2,
	[ "$LEVEL" = 0 ] ||
		more=',Input Shapes,aicore_time(us)' more_row=',"""32,3,224,224""",41.2'
	{
		printf '%sDevice_id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Num%s\r\n' "$id" "$more"
		for i in 1 2 3; do
			printf '%s0,MatMulV2_%s,MatMulV2,AI_CORE,1704449810.%s\t,57.3,0.1,24%s\r\n' "$n" "$i" "$i" "$more_row"
		done
	} >"$1"
}

# db FILE: two pages, as SQLite's header says
db() {
	{
		printf 'SQLite format 3\0\020\0\001\001\0\100\040\040\0\0\0\005\0\0\0\002'
		printf '%*s' 60 '' | tr ' ' '\0'
		printf '\0\0\0\005\0\056\203\001'
		printf '%*s' 8092 '' | tr ' ' '\0'
	} >"$1"
}

# out DIR: ASCEND_PROFILER_OUTPUT
out() {
	local o=$1/ASCEND_PROFILER_OUTPUT first=$((SKIP + WARM))
	mkdir -p "$o"
	case $EXPORT in *db*)
		db "$o/ascend_pytorch_profiler_$RANK.db"
		[ "$WORLD" = 1 ] || db "$o/analysis.db"
		;;
	esac
	[ "$FORMAT" = old ] || : >"$o/analyse.done"
	case $EXPORT in *text*) ;; *) return ;; esac
	trace "$o/trace_view.json" $first
	if [ "$CPU" = true ]; then
		printf 'Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self Duration(us),Device Total Duration(us),Device Self Duration With AICore(us),Device Total Duration With AICore(us)\r\naten::add,"2,3","train.py(10): step;\r\ntrain.py(3): <module>",1.5,1.5,0,0,0,0\r\n' >"$o/operator_details.csv"
	fi
	[ "$MEM" = false ] || memory "$o"
	[ "$LEVEL" != none ] || return 0
	kernels "$o/kernel_details.csv" $first
	steps "$o/step_trace_time.csv" $first
	[ "$LEVEL" != 0 ] || return 0
	printf 'Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%%)\n0,MatMulV2,AI_CORE,3,171.9,57.3,57.3,57.3,100\n' >"$o/op_statistic.csv"
	printf 'Device_id,Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance\n0,acl,aclnnMatmul,30.8,3,10.2,7.6,14.5,9.2\n' >"$o/api_statistic.csv"
	if [ "$WORLD" -gt 1 ]; then
		printf '{"step%s": {"p2p": {}, "collective": {"hcom_allReduce__586_0_1@17522": {"Communication Time Info": {"Elapse Time(ms)": 79.0}}}}}' $first >"$o/communication.json"
		printf '{"step%s": {"p2p": {}, "collective": {"allreduce-top1@17522": {"0-1": {"Transport Type": "HCCS"}}}}}' $first >"$o/communication_matrix.json"
	fi
}

memory() {
	printf 'Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device Type\r\nAPP,1704449810.9\t,,2109.6,,,NPU:0\r\n' >"$1/memory_record.csv"
	[ "$CPU" = false ] ||
		printf 'Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),Active Duration(us),Allocation Total Allocated(MB),Allocation Total Reserved(MB),Allocation Total Active(MB),Release Total Allocated(MB),Release Total Reserved(MB),Release Total Active(MB),Stream Ptr,Device Type\r\naten::empty_strided,18816.5,1704449810.8\t,,,,,954.3,1452.0,954.3,,,,897357296,NPU:0\r\n' >"$1/operator_memory.csv"
	[ "$LEVEL" = none ] ||
		printf 'Device_id,Component,Timestamp(us),Total Reserved(MB),Device\n0,SLOG,1704449810.2\t,0.0,NPU:0\n' >"$1/npu_module_mem.csv"
}

logs() {
	local p l=$1/logs n=profiler_20240105101642_$PID
	mkdir -p "$l"
	{
		log ProfilingParser 'ProfilingParser start.'
		for p in CANNExportParser CANNTimelineParser CANNAnalyzeParser \
			TraceViewParser KernelViewParser TraceStepTimeParser; do
			log "$p" "$p start."
			log "$p" "$p finish."
		done
		log ProfilingParser 'ProfilingParser finish.'
	} >"$l/${n}_ProfilingParser.log"
}

log() {
	printf '[2024-01-05-10:16:42.123] [%s] [%s:37] %s\n' "${3:-INFO}" "$1" "$2"
}

# rank DIR: one rank directory below DIR, named by NAME or as torch_npu does;
# R is its path, O its parsed output, P its PROF directory, D the device's.
rank() {
	R=$1/${NAME:-${WORKER}_${PID}_${TIME}_ascend_pt}
	mkdir -p "$R"
	O=$R/ASCEND_PROFILER_OUTPUT
	info "$R"
	if [ "$RAW" = true ]; then
		prof "$R"
		P=$(echo "$R"/PROF_*)
		D=$P/device_0
		[ "$CPU" = false ] || fwk "$R"
	fi
	[ "$META" = none ] || meta "$R"
	[ "$OUTPUT" = false ] || out "$R"
	[ "$FORMAT" = old ] || [ "$OUTPUT" = false ] || logs "$R"
}

# ranks DIR N [FIRST]: N ranks of one world, each its own process
ranks() {
	local i
	WORLD=$2
	for ((i = 0; i < $2; i++)); do
		RANK=$i PID=$((254000 + i))
		rank "$1"
	done
}

# age DIR: untouched for an hour
age() {
	find "$1" -exec touch -h -d '1 hour ago' {} +
}

# id | options | verdict | ids of all findings
trees='
g1||complete|
g2||complete|
g3||complete|
g4||complete|
g5||complete|
g6||complete|
g7||complete|
g7n||complete|
g8||complete|
g9||complete|D01
g10|--parsed-only|degraded|P01
g11||complete|
g12||complete|
g13||complete|
g14||complete|
g15||complete|
g16||complete|O28
g17||complete|
g18||complete|R08
b1||missing|R01
b2||missing|R07
b3||missing|R03
b4||degraded|R04
b5||missing|R09
b6||incomplete|D02 P10 P13
b6f||running|
b7||incomplete|D02 P07
b8||incomplete|D04
b9||incomplete|P01
b10||incomplete|P05
b11||incomplete|P06
b12||incomplete|P07
b12z||incomplete|P07
b13||incomplete|P09
b14||incomplete|P14
b15||degraded|P15
b16||incomplete|P12
b17||unparsed|O01
b18||unparsed|O02 P16
b19||unparsed|O07
b20||unparsed|O07
b21||unparsed|O07
b22||unparsed|O08
b23||unparsed|O15
b24||unparsed|O17
b25||unparsed|O25
b26||degraded|O14
b26l||complete|
b27||degraded|O23
b28|-l level1|incomplete|D06
b29||degraded|O20
b30|-r 0-3|incomplete|R11
b31||degraded|R13
b32||degraded|R14
b33||degraded|R17
b34||degraded|R09
b35||degraded|X02
b36||unreadable|X01
b37||degraded|X06
b38||unparsed|O09
b39|--deep|unparsed|O10
b40|--deep|unparsed|O10
b41||degraded|O03 O04
b42||degraded|D08
b43|-s 2:-1|degraded|D09
b44||degraded|P03
b45||complete|
b45d||degraded|R05
b46||degraded|X05
b47||degraded|D11
b48||incomplete|O29 P10
cR04||degraded|R04
cR06||complete|R06
cR10o||missing|R07 R10
cR10||degraded|R10
cR12|-r 0|degraded|R12
cR15||degraded|R15
cR15v||degraded|R15
cR16||degraded|R16
cR18||degraded|R16 R18
cR19||degraded|R19
cR20||unparsed|O01 R20
cR21||complete|R21
cD02||degraded|D02
cD02n||degraded|D02 P01
cD03||degraded|D03
cD05||degraded|D05
cD07|-m|degraded|D07
cD10||complete|D10
cD11l||degraded|D11
cD12||complete|D12
cD13||complete|D13
cP02||degraded|P02
cP04||unparsed|O13 P04
cP07||degraded|P07
cP08||degraded|P08
cP09||degraded|P09
cP11||degraded|P11
cP12||degraded|P12
cP13||incomplete|P13
cP17||degraded|P17
cP18||complete|P18
cO03||degraded|O03 P16
cO05||degraded|O05
cO06||unparsed|O06
cO10|--deep|unparsed|O10
cO11|--deep|degraded|O11
cO12|--deep|degraded|O12
cO13||degraded|O13
cO14||complete|O14
cO16||degraded|O16
cO18||degraded|O18
cO19|--deep|degraded|O19
cO20||unparsed|O20
cO21||degraded|O21
cO22||degraded|O22
cO24||degraded|O24
cO25||degraded|O25
cO26||unparsed|O26
cO27||degraded|O27
cF01||unparsed|F01 O01
cF02||unparsed|F02 O01
cF03||unparsed|F03 O01
cF04||unparsed|F04 O01
dEmpty||unparsed|O15
dFull||incomplete|O15 P10
dSome||incomplete|O01 P10
dSlice||unparsed|O01 P13
dHost||unparsed|O01 P09
dCopy|--parsed-only|unparsed|O15 P01
dLevel|-l level2|incomplete|D06 O01
dOther|-r 0-2|incomplete|O15 R11
dRead||unreadable|O15 P14 X01
dQuote|--deep|unparsed|O17
'

tree_list() {
	printf '%s\n' "$trees" | sed -n 's/|.*//p'
}

tree_field() {
	printf '%s\n' "$trees" | awk -F'|' -v id="$1" -v n="$2" '$1 == id { print $n }'
}
tree_args() { tree_field "$1" 2; }
tree_verdict() { tree_field "$1" 3; }
tree_ids() { tree_field "$1" 4; }

tree_path() {
	case $1 in
	g18) echo "$2"/*_ascend_pt ;;
	b1) echo "$2/absent" ;;
	b3) echo "$2/file" ;;
	b4) echo "$2.link" ;;
	*) echo "$2" ;;
	esac
}

tree() {
	local umask
	umask=$(umask)
	umask 027
	mkdir -p "$2"
	defaults
	"tree_$1" "$2"
	umask "$umask"
	case $1 in b6f) ;; *) age "$2" ;; esac
}

tree_g1() { LEVEL=0 CPU=false; rank "$1"; }
tree_g2() { rank "$1"; }
tree_g3() { MEM=true STACK=true SHAPES=true DP=2; ranks "$1" 2; }
tree_g4() { LEVEL=2 PP=2 DP=2; ranks "$1" 4; }
tree_g5() { EXPORT=db; rank "$1"; }
tree_g6() { EXPORT=text+db DP=2; ranks "$1" 2; }
tree_g7() { SIMPL=true; rank "$1"; }
tree_g7n() { PARSED=true; rank "$1"; }
tree_g8() { FORMAT=old TIME=20230919101640 META=none; rank "$1"; }
tree_g9() { NAME=rank0_ascend_pt; rank "$1"; }
tree_g10() { RAW=false; rank "$1"; }
tree_g11() { LEVEL=none; rank "$1"; }
tree_g12() { META=fsdp2 WARM=1 SKIP=1; rank "$1"; }
tree_g13() {
	local n=0
	DP=5 WORLD=5
	for WORKER in a_b.c-d localhost.localdomain dp0_pp0_tp0 'my node' 节点一; do
		RANK=$n PID=$((254000 + n))
		rank "$1"
		n=$((n + 1))
	done
}
tree_g14() { PROFNO=000002; rank "$1"; }
tree_g15() { DEVICES='0 1'; rank "$1"; }
tree_g16() {
	rank "$1"
	: >"$O/mindstudio_insight_data.db"
	: >"$O/mindstudio_insight_data.db-wal"
}
tree_g17() {
	rank "$1"
	echo x >"$R/note.txt"
	printf 'A,B\r\n1,2\r\n' >"$O/brand_new.csv"
	printf 'Device_id,Step,Computing,Novel,Communication(Not Overlapped),Overlapped,Communication,Free,Stage\r\n0,1,1.5,9,1,1,1,1,5\r\n0,2,1.5,9,1,1,1,1,5\r\n' >"$O/step_trace_time.csv"
	mkdir "$P/device_0/novel"
	printf '{"a": NaN}' >"$O/novel.json"
}
tree_g18() { rank "$1"; }

tree_b1() { :; }
tree_b2() { :; }
tree_b3() { echo x >"$1/file"; }
tree_b4() {
	rank "$1"
	ln -s "${1##*/}" "$1.link"
}
tree_b5() {
	rank "$1"
	mv "$R" "${R%_pt}_ms"
}
tree_b6() {
	OUTPUT=false
	rank "$1"
	rm "$R"/profiler_info* "$P"/host/end_info* "$P"/device_*/end_info*
	printf 'xyz' >"$D/data/stars_soc.data.0.slice_1"
}
tree_b6f() { tree_b6 "$1"; }
tree_b7() {
	OUTPUT=false
	rank "$1"
	rm -r "$R"/profiler_info* "$P"/host "$D"/data/* "$D"/end_info* \
		"$D"/info.json* "$D"/*.log*
}
tree_b8() {
	rank "$1"
	head -c 150 "$R/profiler_info_0.json" >"$R/cut"
	mv "$R/cut" "$R/profiler_info_0.json"
}
tree_b9() { rank "$1"; rm -r "$P"; }
tree_b10() { rank "$1"; rm -r "$D"; }
tree_b11() { rank "$1"; rm -r "$D/data"; }
tree_b12() { rank "$1"; rm "$D"/data/*; }
tree_b12z() {
	rank "$1"
	rm "$D"/data/*
	: >"$D/data/stars_soc.data.0.slice_0"
	done_of "$D/data/stars_soc.data.0.slice_0" 0
	echo >"$D/data/all_file.complete"
}
tree_b13() { rank "$1"; rm "$P"/host/data/*; }
tree_b14() { rank "$1"; done_of "$D/data/stars_soc.data.0.slice_0" 98303; }
tree_b15() {
	rank "$1"
	slice "$D/data" stars_soc.data.0.slice_1 98304
	rm "$D"/data/stars_soc.data.0.slice_0*
}
tree_b16() { rank "$1"; rm "$D"/info.json*; }
tree_b17() { OUTPUT=false; rank "$1"; }
tree_b18() {
	rank "$1"
	rm "$O"/*
	mkdir "$D/sqlite"
	echo x >"$D/sqlite/ascend_task.db"
}
tree_b19() {
	rank "$1"
	printf '%s' "$(sed 's/]$//' "$O/trace_view.json")" >"$O/t"
	mv "$O/t" "$O/trace_view.json"
}
tree_b20() { rank "$1"; printf '[{"ph": "M"},]' >"$O/trace_view.json"; }
tree_b21() {
	rank "$1"
	head -c 300 "$O/trace_view.json" >"$O/t"
	mv "$O/t" "$O/trace_view.json"
}
tree_b22() { rank "$1"; printf '[]' >"$O/trace_view.json"; }
tree_b23() { rank "$1"; : >"$O/kernel_details.csv"; }
tree_b24() {
	rank "$1"
	head -c -12 "$O/kernel_details.csv" >"$O/t"
	mv "$O/t" "$O/kernel_details.csv"
}
tree_b25() {
	EXPORT=db
	rank "$1"
	truncate -s 4096 "$O/ascend_pytorch_profiler_0.db"
}
tree_b26() { DP=2; ranks "$1" 2; rm "$O"/communication*.json; }
tree_b26l() { LEVEL=0 DP=2; ranks "$1" 2; rm -f "$O"/communication*.json; }
tree_b27() { MEM=true; rank "$1"; rm "$O/operator_memory.csv"; }
tree_b28() { LEVEL=0; rank "$1"; }
tree_b29() {
	rank "$1"
	sed -i '$d' "$O/step_trace_time.csv"
}
tree_b30() { PP=2 DP=2; ranks "$1" 4; rm -r "$1"/*_254002_*; }
tree_b31() {
	DP=2
	ranks "$1" 2
	RANK=1 PID=255555 TIME=20240105101640999
	rank "$1"
}
tree_b32() {
	DP=2
	ranks "$1" 2
	mv "$R/profiler_info_1.json" "$R/profiler_info.json"
}
tree_b33() {
	DP=2
	WORLD=2
	rank "$1"
	RANK=1 PID=254001 EXPORT=db
	rank "$1"
}
tree_b34() {
	rank "$1"
	PID=254001
	rank "$1"
	mv "$R" "${R%_pt}_ms"
}
tree_b35() { rank "$1"; chmod -R 0777 "$R"; }
tree_b36() { rank "$1"; chmod 000 "$O/kernel_details.csv"; }
tree_b37() { rank "$1"; mkfifo "$O/pipe.csv"; }
tree_b38() {
	rank "$1"
	truncate -s 11811160062 "$O/trace_view.json"
	printf '}]' >>"$O/trace_view.json"
}
tree_b39() { rank "$1"; sed -i 's/}, {"name"/}],{"name"/' "$O/trace_view.json"; }
tree_b40() {
	rank "$1"
	sed -i 's/MatMulV2/Mat\x00MulV2/' "$O/trace_view.json"
}
tree_b41() {
	rank "$1"
	{
		log ProfilingParser 'ProfilingParser start.'
		log CANNExportParser 'CANNExportParser start.'
		log CANNExportParser 'Failed to export CANN Profiling data' ERROR
		log ProfilingParser 'ProfilingParser finish.'
	} >"$R/logs/profiler_20240105101742_254000_ProfilingParser.log"
}
tree_b42() { CPU=false MEM=true; rank "$1"; }
tree_b43() { ACTIVE=1; rank "$1"; }
tree_b44() {
	rank "$1"
	mv "$P" "${P/00254000/00254009}"
}
tree_b45() { rank "$1"; echo x >"$O/"$'new\nline \e[31mred\x07.txt'; }
tree_b45d() { WORKER=$'new\nline \e[31m'; rank "$1"; }
tree_b46() { rank "$1"; ln -s .. "$R/loop"; }
tree_b47() {
	rank "$1"
	sed -i 's/"MonotonicTimeEnd": 4699802061975030/"MonotonicTimeEnd": 4699801002845000/' "$R/profiler_info_0.json"
}
# 2000 ranks, as little in each as makes it complete; one was not stopped.
tree_b48() {
	local i side text suffix
	FORMAT=old LEVEL=0 CPU=false
	rank "$1"
	mv "$R" "$1/seed"
	for ((i = 0; i < 2000; i++)); do
		R=$1/n_$((300000 + i))_20240105101640123_ascend_pt
		P=$R/PROF_000001_20240105101640123_KRPBOALLPQHOIAOA
		printf '%s\0' "$P/host/data" "$P/device_0/data" \
			"$R/ASCEND_PROFILER_OUTPUT"
	done >"$1/names"
	xargs -0 mkdir -p <"$1/names"
	text=$(<"$1/seed/ASCEND_PROFILER_OUTPUT/trace_view.json")
	for ((i = 0; i < 2000; i++)); do
		R=$1/n_$((300000 + i))_20240105101640123_ascend_pt
		P=$R/PROF_000001_20240105101640123_KRPBOALLPQHOIAOA
		RANK=$i
		info "$R"
		O=$R/ASCEND_PROFILER_OUTPUT
		printf '%s' "$text" >"$O/trace_view.json"
		kernels "$O/kernel_details.csv" 1
		steps "$O/step_trace_time.csv" 1
		for side in host/: device_0/.0:.0; do
			side=$P/${side%:*}
			case $side in *.0) suffix=.0 side=${side%.0} ;; *) suffix= ;; esac
			printf '{}' >"$side/info.json$suffix"
			printf '{}' >"$side/sample.json"
			[ "$i" = 1234 ] || printf '{}' >"$side/end_info$suffix"
			printf x >"$side/data/a.slice_0"
			printf 'filesize:1\n' >"$side/data/a.slice_0.done"
		done
		printf '%s\0' "$P/device_0/data/b.data" >>"$1/names2"
	done
	xargs -0 truncate -s 65536 <"$1/names2"
	rm -r "$1/seed" "$1/names" "$1/names2"
}

tree_cR04() { rank "$1"; ln -s "${R##*/}" "$1/other_ascend_pt"; }
tree_cR10o() { mkdir "$1/PROF_000001_20240105101640123_KRPBOALLPQHOIAOA"; }
tree_cD02() { rank "$1"; rm "$R"/profiler_info*; }
tree_cD02n() { RAW=false; rank "$1"; rm "$R"/profiler_info*; }
tree_cP07() { LEVEL=none; rank "$1"; rm "$D"/data/*; }
tree_cP09() { LEVEL=0; rank "$1"; rm "$P"/host/data/*; }
tree_cP12() { rank "$1"; rm "$D"/start_info*; }
tree_cO03() { rank "$1"; mkdir "$P/host/sqlite"; }
tree_cR06() { WORKER=$(printf 'x%.0s' {1..200}); rank "$1"; }
tree_cR10() {
	rank "$1"
	mkdir -p "$1/other/PROF_000001_20240105101640123_KRPBOALLPQHOIAOA"
}
tree_cR12() { DP=2; ranks "$1" 2; }
tree_cR15() {
	DP=2 WORLD=2
	rank "$1"
	RANK=1 PID=254001 TIME=20240105103000123
	rank "$1"
}
tree_cR15v() {
	DP=2
	ranks "$1" 2
	sed -i 's/8.3.RC1/8.3.RC2/' "$R/profiler_info_1.json"
}
tree_cR16() {
	DP=2 WORLD=2
	rank "$1"
	RANK=1 PID=254001 SHAPES=true
	rank "$1"
}
tree_cR18() {
	DP=2 WORLD=2
	rank "$1"
	RANK=1 PID=254001 SKIP=5
	rank "$1"
}
tree_cR19() {
	local r
	DP=4
	ranks "$1" 4
	for r in 0 1 2; do
		slice "$1"/*_25400"$r"_*/PROF_*/device_0/data \
			stars_soc.data.0.slice_0 1200000
	done
}
tree_cR20() {
	OUTPUT=false
	rank "$1"
	truncate -s 8T "$D/data/stars_soc.data.0.slice_0"
	done_of "$D/data/stars_soc.data.0.slice_0" 8796093022208
}
tree_cR21() {
	rank "$1"
	PID=123000 TIME=20240105091640123 LEVEL=0
	rank "$1"
}
tree_cD03() { rank "$1"; cp "$R/profiler_info_0.json" "$R/profiler_info_1.json"; }
tree_cD05() { rank "$1"; sed -i 's/"rank_id": "0"/"rank_id": "3"/' "$R/profiler_info_0.json"; }
tree_cD07() { rank "$1"; }
tree_cD10() { rank "$1"; sed -i 's/"repeat": 1/"repeat": 2/' "$R/profiler_info_0.json"; }
tree_cD11l() {
	rank "$1"
	sed -i 's/"MonotonicTimeEnd": 4699802061975030/"MonotonicTimeEnd": 5699802061975030/' "$R/profiler_info_0.json"
}
tree_cD12() { rank "$1"; sed -i 's/"2.7.1"/"2.10.0.post4"/' "$R/profiler_info_0.json"; }
tree_cD13() { META=none; rank "$1"; }
tree_cP02() { rank "$1"; cp -r "$P" "${P/PROF_000001/PROF_000002}"; }
tree_cP04() {
	rank "$1"
	rm "$O"/kernel_details.csv "$O"/step_trace_time.csv
}
tree_cP08() { rank "$1"; slice "$D/data" stars_soc.data.0.slice_0 9000; }
tree_cP11() { rank "$1"; printf '{"collectionDateEnd": "20' >"$D/end_info.0"; }
tree_cP13() { rank "$1"; rm "$D/data/stars_soc.data.0.slice_0.done"; }
tree_cP17() { rank "$1"; sed -i 's/"l1"/"l2"/' "$D/sample.json"; }
tree_cP18() { rank "$1"; rm "$D"/data/*.done; }
tree_cO05() { DP=2; ranks "$1" 2; rm "$O/analyse.done"; }
tree_cO06() { rank "$1"; rm "$O/trace_view.json"; }
tree_cO10() { rank "$1"; sed -i 's/"dur": 57.3/"dur": NaN/' "$O/trace_view.json"; }
tree_cO11() { rank "$1"; sed -i 's/ProfilerStep#2/ProfilerStep 2/' "$O/trace_view.json"; }
tree_cO12() { rank "$1"; sed -i 's/Ascend Hardware/Other Hardware/' "$O/trace_view.json"; }
tree_cO13() { rank "$1"; rm "$O/op_statistic.csv"; }
tree_cO14() { DP=2; ranks "$1" 2; rm "$O/communication_matrix.json"; }
tree_cO16() { rank "$1"; sed -i '1s/Duration(us)/Lasting(us)/' "$O/kernel_details.csv"; }
tree_cO18() { rank "$1"; sed -i '2,$d' "$O/op_statistic.csv"; }
tree_cO19() { rank "$1"; sed -i '2s/,57.3//' "$O/kernel_details.csv"; }
tree_cO20() { rank "$1"; sed -i '2,$d' "$O/step_trace_time.csv"; }
tree_cO21() { rank "$1"; sed -i '2s/^0,1,/0,,/' "$O/step_trace_time.csv"; }
tree_cO22() { rank "$1"; sed -i '2s/,410100.5,/,0.0,/' "$O/step_trace_time.csv"; }
tree_cO24() { DP=2; ranks "$1" 2; printf '{"step1": {' >"$O/communication.json"; }
tree_cO25() {
	EXPORT=text+db
	rank "$1"
	truncate -s 4096 "$O/ascend_pytorch_profiler_0.db"
}
tree_cO26() { EXPORT=text+db; rank "$1"; rm "$O"/*.db; }
tree_cO27() {
	EXPORT=text+db
	rank "$1"
	mv "$O/ascend_pytorch_profiler_0.db" "$O/ascend_pytorch_profiler_7.db"
}
# The disk was full when the output was written.
empty_output() {
	local f
	for f in "$O"/*.*; do : >"$f"; done
}
tree_dEmpty() { DP=2; ranks "$1" 2; empty_output; }
tree_dFull() { rank "$1"; empty_output; rm "$P"/host/end_info*; }
tree_dSome() {
	DP=2
	ranks "$1" 2
	rm "$P"/host/end_info*
	rm -r "$1"/*_254000_*/ASCEND_PROFILER_OUTPUT
}
tree_dSlice() { OUTPUT=false; rank "$1"; rm "$D/data/ts_track.data.0.slice_0.done"; }
tree_dHost() { OUTPUT=false LEVEL=0; rank "$1"; rm "$P"/host/data/*; }
tree_dCopy() { RAW=false; rank "$1"; empty_output; }
tree_dLevel() { OUTPUT=false; rank "$1"; }
tree_dOther() { DP=2; ranks "$1" 2; empty_output; }
# Cut behind a line end, which stands between quotes.
tree_dQuote() {
	rank "$1"
	sed -i '$d' "$O/operator_details.csv"
}
tree_dRead() {
	rank "$1"
	empty_output
	done_of "$D/data/stars_soc.data.0.slice_0" 98303
	chmod 000 "$R/profiler_metadata.json"
}
tree_cF01() { OUTPUT=false; rank "$1"; rm -r "$R/FRAMEWORK"; }
tree_cF02() { OUTPUT=false; rank "$1"; rm "$R/FRAMEWORK/torch.op_range"; }
tree_cF03() { OUTPUT=false MEM=true; rank "$1"; rm "$R/FRAMEWORK/torch.memory_usage"; }
tree_cF04() { OUTPUT=false STACK=true; rank "$1"; rm "$R/FRAMEWORK/torch.python_tracer_func"; }
