# Sourced by training: writes the tree of rank $r below $path for $level, $cpu,
# $memory, $stack, $shapes, $export, and iterations $first to $iteration;
# leaves its name in $tree. With MSP_STANDIN_FAIL=killed-collecting what a
# killed collection leaves, with parse and killed-parsing what is there when
# only the collection was complete.
# shellcheck shell=sh disable=SC2154

umask 027
pid=$$
ms=$((100 + r % 900))
digits=$(date +%Y%m%d%H%M%S)
tree=$path/$(uname -n)_${pid}_$digits${ms}_ascend_pt
prof=$tree/PROF_000001_$digits$((ms + 40))_$(printf %08d "$pid")BIRQQPCN
ns=1796020900000000000
count=$((iteration - first + 1))
id=$((skip + warm))
case $level in
level_none | none) Level=Level_none number=-1 ;;
level0 | 0) Level=Level0 number=0 ;;
level2 | 2) Level=Level2 number=2 ;;
*) Level=Level1 number=1 ;;
esac
bool() {
	if [ "$1" = 1 ]; then echo true; else echo false; fi
}
size_of() {
	set -- "$1" "$(wc -c <"$1")"
	echo $(($2))
}
# done FILE: the mark of a file that was written to its end.
finished() {
	printf 'filesize:%d\n' "$(size_of "$1")" >"$1.done"
}
ctrl() {
	printf '%s\n' "$2" >"$1"
	printf 'filesize:%d\n' $((${#2} + 1)) >"$1.done"
}
slice() {
	head -c "$2" /dev/zero >"$1"
	printf 'filesize:%d\nstarttime:%d\nendtime  :%d\n' "$2" "$ns" \
		$((ns + 1000000)) >"$1.done"
}
collected() {
	d=$prof/device_0
	h=$prof/host
	mkdir -p "$d/data" "$h/data"
	sample='{"prof_level": "l'$number'", "devices": "0", "storageLimit": "0MB"}'
	begin='{"collectionDateBegin": "2026-11-30 10:00:00.000000", "collectionTimeBegin": "1796020900000000", "clockMonotonicRaw": "1000000000"}'
	info='{"DeviceInfo": [{"id": 0, "env_type": 3, "ai_core_num": 24}], "hostname": "node", "pid": "'$pid'", "rank_id": '$r', "version": "1.0"}'
	ctrl "$d/sample.json" "$sample"
	ctrl "$h/sample.json" "$sample"
	ctrl "$d/start_info.0" "$begin"
	ctrl "$h/start_info" "$begin"
	ctrl "$d/info.json.0" "$info"
	ctrl "$h/info.json" "$info"
	ctrl "$d/host_start.log.0" "[Host]
clock_monotonic_raw: 1000000000"
	ctrl "$d/dev_start.log.0" "clock_monotonic_raw: 1000000000"
	ctrl "$h/host_start.log" "[Host]
clock_monotonic_raw: 1000000000"
	slice "$d/data/stars_soc.data.0.slice_0" 98304
	slice "$d/data/ts_track.data.0.slice_0" 8192
	slice "$d/data/ffts_profile.data.0.slice_0" 4096
	for s in aging.api_event.data unaging.api_event.data \
		aging.compact.task_track unaging.additional.hash_dic \
		unaging.additional.type_info_dic aging.compact.node_basic_info; do
		slice "$h/data/$s.slice_0" 512
	done
	if [ "$cpu" = 1 ]; then
		mkdir -p "$tree/FRAMEWORK"
		head -c 600 /dev/zero >"$tree/FRAMEWORK/torch.op_range"
		head -c 300 /dev/zero >"$tree/FRAMEWORK/torch.op_mark"
		[ "$memory" = 0 ] ||
			head -c 300 /dev/zero >"$tree/FRAMEWORK/torch.memory_usage"
		[ "$stack" = 0 ] || {
			head -c 300 /dev/zero >"$tree/FRAMEWORK/torch.python_tracer_func"
			head -c 300 /dev/zero >"$tree/FRAMEWORK/torch.python_tracer_hash"
		}
	fi
}
closed() {
	finish='{"collectionDateEnd": "2026-11-30 10:00:01.000000", "collectionTimeEnd": "1796020901059129", "clockMonotonicRaw": "2059129580"}'
	ctrl "$prof/device_0/end_info.0" "$finish"
	ctrl "$prof/host/end_info" "$finish"
	activities='"ProfilerActivity.NPU"'
	[ "$cpu" = 0 ] ||
		activities='"ProfilerActivity.CPU", "ProfilerActivity.NPU"'
	cat >"$tree/profiler_info_$r.json" <<JSON
{
    "config": {
        "common_config": {
            "activities": [$activities],
            "schedule": {"wait": 0, "active": $((end - start)), "warmup": $warm, "repeat": 1, "skip_first": $skip, "skip_first_wait": 0},
            "record_shapes": $(bool "$shapes"),
            "profile_memory": $(bool "$memory"),
            "with_stack": $(bool "$stack"),
            "with_flops": false,
            "with_modules": false
        },
        "experimental_config": {
            "_profiler_level": "$Level",
            "_aic_metrics": "ACL_AICORE_PIPE_UTILIZATION",
            "_l2_cache": false,
            "_msprof_tx": false,
            "_data_simplification": false,
            "_export_type": ["$export"]
        }
    },
    "start_info": {
        "syscnt_enable": true,
        "freq": 100.0,
        "start_cnt": 1000,
        "start_monotonic": 1000000000
    },
    "end_info": {
        "collectionTimeEnd": 1796020901059129580,
        "MonotonicTimeEnd": 2059129580
    },
    "torch_npu_version": "2.7.1",
    "cann_version": "8.3.RC2",
    "rank_id": "$r"
}
JSON
	cat >"$tree/profiler_metadata.json" <<JSON
{"distributed_args": {"tensor_model_parallel_size": 1, "pipeline_model_parallel_size": 1, "data_parallel_size": $world, "context_parallel_size": 1, "expert_model_parallel_size": 1, "rank": $r, "world_size": $world}, "ENV_VARIABLES": {"ASCEND_GLOBAL_LOG_LEVEL": "", "HCCL_EXEC_TIMEOUT": ""}, "parallel_group_info": {"group_0": {"group_name": "default_group", "group_rank": $r, "global_ranks": [$r]}}}
JSON
}
# The ids of the recorded steps, one a line.
ids() {
	seq "$id" $((id + count - 1))
}
parsed_trace() {
	{
		printf '[{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "Python"}}'
		printf ',{"ph": "M", "name": "process_labels", "pid": 1, "args": {"labels": "CPU"}}'
		[ "$number" -lt 1 ] ||
			printf ',{"ph": "M", "name": "process_name", "pid": 2, "args": {"name": "CANN"}}'
		printf ',{"ph": "M", "name": "process_name", "pid": 3, "args": {"name": "Ascend Hardware"}}'
		printf ',{"ph": "M", "name": "process_labels", "pid": 3, "args": {"labels": "NPU"}}'
		printf ',{"ph": "M", "name": "process_name", "pid": 4, "args": {"name": "Overlap Analysis"}}'
		for i in $(ids); do
			[ "$cpu" = 0 ] ||
				printf ',{"ph": "X", "name": "ProfilerStep#%d", "pid": 1, "tid": 1, "ts": "17960209000%02d000.000", "dur": 482000.0}' "$i" "$i"
			printf ',{"ph": "X", "name": "MatMulV2", "pid": 3, "tid": 7, "ts": "17960209000%02d100.000", "dur": 41.5}' "$i"
		done
		printf ']'
	} >"$out/trace_view.json"
}
parsed_tables() {
	step='' cell=''
	[ "$cpu" = 0 ] || step='Step Id,'
	{
		printf 'Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,Communication(Not Overlapped and Exclude Receive),Preparing\r\n'
		for i in $(ids); do
			[ "$cpu" = 0 ] || cell=$i
			printf '0,%s,%d.1,61000.2,1000.0,62000.2,%d.3,482400.6,0,61000.2,120.5\r\n' \
				"$cell" $((412000 + i * 90)) $((9300 - i * 20))
			[ "$cpu" = 1 ] || break
		done
	} >"$out/step_trace_time.csv"
	{
		printf '%sDevice_id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Num,Mix Block Num,HF32 Eligible,Input Shapes\r\n' "$step"
		for i in $(ids); do
			[ "$cpu" = 0 ] || cell=$i,
			printf '%s0,4294967295,%d,7,MatMulV2,MatMulV2,dynamic,AI_CORE,1796020900%06d.000\t,41.5,0.3,24,0,NO,"""32,1024;1024,1024"""\r\n' \
				"$cell" "$i" "$i"
		done
	} >"$out/kernel_details.csv"
	[ "$number" -lt 1 ] || {
		printf 'Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%%)\r\n0,MatMulV2,AI_CORE,%d,83.0,41.5,41.5,41.5,100\r\n' "$count" >"$out/op_statistic.csv"
		printf 'Device_id,Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance\r\n0,acl,aclnnMatmul,90.0,2,45.0,44.0,46.0,1.0\r\n' >"$out/api_statistic.csv"
	}
	[ "$cpu" = 0 ] ||
		printf 'Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self Duration(us),Device Total Duration(us),Device Self Duration With AICore(us),Device Total Duration With AICore(us)\r\naten::matmul,"""32,1024;1024,1024""","model.py(10): forward;\r\ntrain.py(20): step",12.0,15.0,41.5,41.5,41.5,41.5\r\n' >"$out/operator_details.csv"
	[ "$memory" = 0 ] || {
		printf 'Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device Type\r\nPTA,1796020900000000.000\t,10.0,20.0,10.0,1,NPU:0\r\n' >"$out/memory_record.csv"
		printf 'Device_id,Component,Timestamp(us),Total Reserved(MB),Device\r\n0,HCCL,1796020900000000.000\t,200.0,NPU:0\r\n' >"$out/npu_module_mem.csv"
		[ "$cpu" = 0 ] ||
			printf 'Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),Active Duration(us),Allocation Total Allocated(MB),Allocation Total Reserved(MB),Allocation Total Active(MB),Release Total Allocated(MB),Release Total Reserved(MB),Release Total Active(MB),Stream Ptr,Device Type\r\naten::empty,512,1796020900000000.000\t,,,,,10,20,10,,,,1,NPU:0\r\n' >"$out/operator_memory.csv"
	}
}
parsed_communication() {
	[ "$number" -ge 1 ] && [ "$world" -gt 1 ] || return 0
	key=step
	sep=''
	{
		printf '{'
		for i in $(ids); do
			[ "$cpu" = 0 ] || key=step$i
			printf '%s"%s": {"p2p": {}, "collective": {"hcom_allReduce__586_0_1@group_0": {"Communication Time Info": {"Elapse Time(ms)": 61.0}, "Communication Bandwidth Info": {"HCCS": {"Transit Size(MB)": 64.0}}}, "Total Op Info": {}}}' "$sep" "$key"
			sep=', '
			[ "$cpu" = 1 ] || break
		done
		printf '}'
	} >"$out/communication.json"
	sep=''
	key=step
	{
		printf '{'
		for i in $(ids); do
			[ "$cpu" = 0 ] || key=step$i
			printf '%s"%s": {"p2p": {}, "collective": {"allreduce-top1@group_0": {"0-1": {"Transport Type": "HCCS", "Transit Size(MB)": 64.0, "Transit Time(ms)": 60.0, "Bandwidth(GB/s)": 1.07, "Op Name": "hcom_allReduce"}}}}' "$sep" "$key"
			sep=', '
			[ "$cpu" = 1 ] || break
		done
		printf '}'
	} >"$out/communication_matrix.json"
}
# An SQLite file of one empty page.
database() {
	{
		printf 'SQLite format 3\000\020\000\001\001\000\100\040\040\000\000\000\001\000\000\000\001'
		head -c 60 /dev/zero
		printf '\000\000\000\000\000\000\000\001\000\056\077\331\015\000\000\000'
		head -c 3984 /dev/zero
	} >"$1"
}
parser_logs() {
	mkdir -p "$tree/logs"
	log=$tree/logs/profiler_${digits}_$pid
	now="[2026-11-30-10:00:02.000] [INFO]"
	{
		printf '%s [_profiling_parser.py:100] _ProfilingParser start.\n' "$now"
		[ "$fail" = killed-parsing ] ||
			printf '%s [_profiling_parser.py:150] _ProfilingParser finish.\n' "$now"
	} >"${log}__ProfilingParser.log"
	for p in CANNExportParser CANNTimelineParser CANNAnalyzeParser \
		TraceViewParser KernelViewParser TraceStepTimeParser IntegrateParser; do
		printf '%s [%s.py:40] %s start.\n' "$now" "$p" "$p"
		[ "$fail" != killed-parsing ] && [ "$fail" != parse ] || {
			[ "$fail" = killed-parsing ] ||
				printf '[2026-11-30-10:00:02.000] [ERROR] [%s.py:50] Failed to export CANN Profiling data.\n' "$p"
			break
		}
		printf '%s [%s.py:90] %s finish.\n' "$now" "$p" "$p"
	done >"${log}_CANNExportParser.log"
}
parsed() {
	out=$tree/ASCEND_PROFILER_OUTPUT
	mkdir -p "$out"
	if [ "$export" = db ]; then
		database "$out/ascend_pytorch_profiler_$r.db"
		database "$out/analysis.db"
	else
		parsed_trace
		[ "$number" -lt 0 ] || parsed_tables
		parsed_communication
	fi
	if [ "$fail" = killed-parsing ]; then
		rm -f "$out"/*.csv "$out"/*.json
		printf '[{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "Python"}}' >"$out/trace_view.json"
		mkdir -p "$prof/device_0/sqlite"
		return
	fi
	: >"$out/analyse.done"
}
collected
if [ "$fail" = killed-collecting ]; then
	rm "$prof/device_0/data/ts_track.data.0.slice_0.done"
else
	closed
	parser_logs
	[ "$fail" = parse ] || parsed
fi
umask 022
