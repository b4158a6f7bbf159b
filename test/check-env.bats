#!/usr/bin/env bats
# msp-check-env: the verdict and the message for each state of a host. Hosts
# are directories (--root), npu-smi is a stand-in.
load lib

prepare() {
	stand_in
	table=$TOP/test/data/npu-smi
	R=$BATS_TEST_TMPDIR/host
	A=$R/usr/local/Ascend
	host 8
	CANN=/usr/local/Ascend/ascend-toolkit/latest
	unset "${!ASCEND_@}" TOOLCHAIN_HOME CUDA_VISIBLE_DEVICES LD_LIBRARY_PATH \
		PYTHONPATH VIRTUAL_ENV CONDA_PREFIX KUBERNETES_SERVICE_HOST
}

# host N: a bare host with N NPUs on which nothing is wrong.
host() {
	local i u p
	rm -rf "$R"
	mkdir -p "$R"/{dev/shm,etc,proc/self,proc/net,proc/1,sys/bus/pci/devices} \
		"$R"/proc/sys/kernel "$R"/root/ascend/log
	mkdir -p "$A"/driver/lib64/{common,driver} "$A"/firmware
	u=$(uname -m)
	for ((i = 0; i < $1; i++)); do
		: >"$R/dev/davinci$i"
		p=$R/sys/bus/pci/devices/0000:0$i:00.0
		mkdir -p "$p"
		echo 0x19e5 >"$p/vendor"
		echo 0xd802 >"$p/device"
	done
	: >"$R/dev/davinci_manager"
	: >"$R/dev/hisi_hdc"
	: >"$R/dev/devmm_svm"
	: >"$A/driver/lib64/driver/libascend_hal.so"
	cat >"$A/driver/version.info" <<-'X'
		Version=25.2.0
		Innerversion=V100R001C23SPC002B212
		compatible_version=[V100R001C19],[V100R001C20],[V100R001C23]
		compatible_version_fw=[7.0.0,8.9.9]
	X
	echo 'Version=7.5.0.1.129' >"$A/firmware/version.info"
	cat >"$R/etc/ascend_install.info" <<-'X'
		UserName=HwHiAiUser
		UserGroup=HwHiAiUser
		Driver_Install_Path_Param=/usr/local/Ascend
		Driver_Install_Status=complete
	X
	echo 'root:x:0:0:root:/root:/bin/bash' >"$R/etc/passwd"
	echo "me:x:$(id -u):$(id -g)::/root:/bin/bash" >>"$R/etc/passwd"
	printf 'root:x:0:\nHwHiAiUser:x:987654:\n' >"$R/etc/group"
	printf 'drv_davinci_intf_host 1 0 - Live 0x0\n' >"$R/proc/modules"
	printf 'MemTotal: 900000000 kB\nMemAvailable: 800000000 kB\n' \
		>"$R/proc/meminfo"
	printf 'Name:\tmsp\nPPid:\t77\nCapEff:\t000001ffffffffff\n' \
		>"$R/proc/self/status"
	echo '22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw' \
		>"$R/proc/self/mountinfo"
	echo '  sl  local_address rem_address   st' >"$R/proc/net/tcp"
	echo '0.10 0.10 0.10 1/100 1' >"$R/proc/loadavg"
	echo 0 >"$R/proc/sys/kernel/perf_event_paranoid"
	cann ascend-toolkit/8.3.RC2 8.3.RC2 V100R001C23SPC001B150
	ln -s 8.3.RC2 "$A/ascend-toolkit/latest"
	cp "$A/ascend-toolkit/8.3.RC2/set_env.sh" "$A/ascend-toolkit/set_env.sh"
}

# cann DIR VERSION INNER: an installation below /usr/local/Ascend.
cann() {
	local d=$A/$1 u
	u=$(uname -m)
	mkdir -p "$d"/{lib64,runtime,compiler,opp/built-in,tools/profiler/bin} \
		"$d/$u-linux"
	: >"$d/lib64/libascendcl.so"
	: >"$d/lib64/libhccl.so"
	: >"$d/set_env.sh"
	: >"$d/tools/profiler/bin/msprof"
	printf 'version=%s\ninnerversion=%s\ncompatible_version=[V100R001C15],[V100R001C23]\n' \
		"$2" "$3" >"$d/$u-linux/ascend_toolkit_install.info"
}

# loaded: the variables that set_env.sh would have set.
loaded() {
	export ASCEND_HOME_PATH=$CANN ASCEND_TOOLKIT_HOME=$CANN
	export ASCEND_OPP_PATH=$CANN/opp
	export LD_LIBRARY_PATH=$CANN/lib64:/usr/local/Ascend/driver/lib64/driver
}

# check ARG ...: status in $rc, report in $out, the rest in $err.
check() {
	rc=0
	out=$(msp-check-env --root "$R" "$@" 2>"$BATS_TEST_TMPDIR/err") || rc=$?
	err=$(cat "$BATS_TEST_TMPDIR/err")
}

# status ID: the status of a check in a TSV report.
status() {
	awk -F'\t' -v id="$1" '$1 == "check" && $2 == id { print $3 }' <<<"$out"
}
message() {
	awk -F'\t' -v id="$1" '$1 == "check" && $2 == id { print $5 }' <<<"$out"
}

# judged ID STATUS ARG ...: one check alone has this status.
judged() {
	local id=$1 want=$2
	shift 2
	check -F tsv --check "$id" "$@"
	[ "$(status "$id")" = "$want" ] || {
		echo "$id is $(status "$id"), not $want: $(message "$id")"
		return 1
	}
}

@test "a host on which nothing is wrong is ready, and quiet with -q" {
	loaded
	check --ignore 'lim.*,py.*,mem.shm,out.*'
	same "$rc" 0
	has "$out" "msp-check-env: ready"
	has "$out" "8 NPUs (Ascend 910B3, driver 25.2.0), all idle and healthy"
	has "$out" "CANN 8.3.RC2, loaded"
	hasnt "$out" warning:
	hasnt "$out" error:
	check -q --ignore 'lim.*,py.*,mem.shm,out.*'
	same "$rc$out$err" 0
	check -W --ignore 'lim.*,py.*,mem.shm,out.*'
	same "$rc" 0
}

@test "no npu-smi, its errors and tables: verdict, exit and message" {
	loaded
	local table status want exit message
	while IFS='|' read -r table status want exit message; do
		[ -n "$table" ] || continue
		MSP_STANDIN_NPUSMI_TABLE=$table MSP_STANDIN_NPUSMI_STATUS=$status \
			check -F tsv --check 'smi.*,npu.*' --npus 8
		echo "$table $status: $out"
		same "$rc" "$exit"
		has "$out" "sum	$want"
		has "$out" "$message"
	done <<-'X'
		910b3-x8|0|ready|0|npus=8
		950-x8|0|not-ready|1|1 of 8 NPUs are busy
		a3-x16|0|ready|0|chips=16
		910a-x8|0|ready|0|free=0
		310p3-x4|0|not-ready|1|only 4 of the 8 NPUs that --npus needs are here (2 cards
		910b3-x1|0|not-ready|1|only 1 of the 8 NPUs that --npus needs are here
		alarm|0|not-ready|1|NPU 6 is not healthy: Alarm
		warning|0|ready|0|NPU 3 is not healthy: Warning
		orphan|0|not-ready|1|lack the row with their NPU and health
		no-heartbeat|0|not-ready|1|heartbeat is lost: 1
		busy|0|not-ready|1|2 of 8 NPUs are busy, --npus needs 8
		all-busy|0|not-ready|1|8 of 8 NPUs are busy
		hidden-use|0|ready|0|without a process visible here: 1
		empty|0|no-npu|1|no NPU detected here; run on a host with an Ascend NPU
		/dev/null|0|no-npu|1|no NPU detected here
		/dev/null|211|unknown|3|ended with status 211 and said nothing
		error-8005|187|no-npu|1|the driver does not answer npu-smi (-8005)
		error-8020|172|no-npu|1|used by another container (-8020)
		error-8255|193|no-npu|1|another generation of cards (-8255)
		error-loader|127|no-npu|1|libdcmi.so cannot be loaded
		/dev/null|127|no-npu|1|ended with status 127
		error-card|211|no-npu|1|a card fell off
		910b3-x8|9|ready|0|printed its table and ended with status 9
		garbage|0|unknown|3|printed no table that is understood, but: hello
		cut|0|unknown|3|cut off after 5 chips
	X
	check -F tsv --npu-smi /nowhere/npu-smi
	same "$rc" 1
	has "$out" "sum	no-npu"
	has "$out" "/nowhere/npu-smi was not found"
}

@test "without npu-smi the cause is told, as far as files can tell" {
	loaded
	local want
	cause() {
		want=$1
		shift
		check "$@"
		same "$rc" 1
		has "$out" "no NPU detected here; run on a host with an Ascend NPU"
		has "$out" "$want"
	}
	smi="--npu-smi /nowhere/npu-smi"
	# shellcheck disable=SC2086
	cause "Ascend devices are on the PCI bus" $smi
	# a driver that is installed and not loaded
	rm "$R/dev/davinci_manager"
	: >"$R/proc/modules"
	cause "not loaded: /dev/davinci_manager is not there" $smi
	mkdir -p "$R/lib/modules/$(uname -r)"
	cause "the kernel was changed" $smi
	# no driver
	rm -r "$A/driver"
	cause "no driver is installed" $smi
	# a container
	: >"$R/.dockerenv"
	cause "not mapped into this container" $smi
	has "$out" "docker run --device=/dev/davinci0"
	: >"$R/dev/davinci_manager"
	cause "is not mounted into this container" $smi
	mkdir -p "$A/driver"
	cause "npu-smi is not mounted into this container" $smi
	# codes
	export MSP_STANDIN_NPUSMI_TABLE
	MSP_STANDIN_NPUSMI_TABLE=error-8020
	cause "mapped into another container"
	has "$out" "docker ps"
	MSP_STANDIN_NPUSMI_TABLE=error-8255
	cause "another generation of cards"
	host 8
	MSP_STANDIN_NPUSMI_TABLE=error-8005
	touch -d '+1 hour' "$A/driver/version.info"
	printf 'cpu 1\nbtime %s\n' "$(date +%s)" >"$R/proc/stat"
	cause "upgraded after the last boot"
	# nothing at all
	rm -rf "$R"
	mkdir "$R"
	cause "no Ascend device on the PCI bus, no device node and no driver" $smi
}

@test "permission: not in the group, or not logged in again" {
	[ "$(id -u)" != 0 ] || skip "root may use every node"
	loaded
	chmod 0 "$R/dev/davinci_manager"
	MSP_STANDIN_NPUSMI_TABLE=error-8005 check
	has "$out" "usermod -aG HwHiAiUser"
	echo 'HwHiAiUser:x:987654:me' >"$R/etc/group"
	MSP_STANDIN_NPUSMI_TABLE=error-8005 check
	has "$out" "newgrp HwHiAiUser"
	judged dev.access fail
	judged dev.group warn
}

@test "npu-smi that hangs, ignores TERM or leaves a child is not waited for" {
	local from=$SECONDS
	printf '#!/bin/sh\ntrap "" TERM INT HUP\nsleep 30\n' >deaf
	printf '#!/bin/sh\nsleep 30 &\ncat "%s"\n' "$table/910b3-x8.txt" >forks
	chmod +x deaf forks
	MSP_STANDIN_NPUSMI_DELAY=30 check -F tsv --limit 1 --check 'smi.*,npu.*'
	same "$rc" 3
	has "$out" "sum	unknown"
	has "$out" "did not end within 1 s"
	hasnt "$out" "no NPU detected"
	check -F tsv --limit 1 --check 'smi.*,npu.*' --npu-smi ./deaf
	same "$rc" 3
	check -F tsv --limit 9 --check 'smi.*,npu.*' --npu-smi ./forks
	same "$rc" 0
	has "$out" "chips=8"
	[ $((SECONDS - from)) -lt 8 ]
	# what is not ready yet is asked twice
	MSP_STANDIN_NPUSMI_TABLE=error-8006 MSP_STANDIN_NPUSMI_STATUS=186 \
		MSP_STANDIN_NPUSMI_LOG=$PWD/calls check -F tsv --check smi.run
	same "$rc$(grep -c info calls)" 12
	has "$out" "the driver timed out (-8006)"
	# a single check asks whether there is a table at all
	MSP_STANDIN_NPUSMI_DELAY=30 check --limit 1 --check npu.count --npus 1
	same "$rc" 3
	has "$out" "cannot be told whether there is an NPU"
	MSP_STANDIN_NPUSMI_TABLE=empty check --check npu.count --npus 1
	same "$rc" 1
	has "$out" "no NPU detected here"
	# -f goes on, and says so
	MSP_STANDIN_NPUSMI_DELAY=30 check -f --limit 1 --check 'smi.*,npu.*'
	same "$rc" 0
	has "$out" "warning: npu-smi did not end within 1 s"
}

@test "npu-smi runs once, and not at all where no check asks it" {
	loaded
	export MSP_STANDIN_NPUSMI_LOG=$PWD/calls
	check
	same "$(cat calls)" info
	check --check 'cann.*,lim.*'
	check --input "$table/910b3-x8.txt"
	check -n
	same "$(cat calls)" info
	has "$out" "would run: $TOP/test/stand-in/npu-smi info"
}

@test "a recorded error is told as well as a live one" {
	loaded
	recorded() {
		check --input "$table/$1.txt" --check 'smi.*,npu.*'
		same "$rc" 1
		has "$out" "no NPU detected here"
		has "$out" "$2"
	}
	recorded error-8005 "no reboot after an upgrade"
	recorded error-card "a card fell off"
	recorded error-8020 "mapped into another container"
	recorded error-8255 "another generation"
	recorded error-loader "cannot load the driver's library libdcmi.so"
	echo 'bash: npu-smi: command not found' >typed
	check --input typed --check 'smi.*,npu.*'
	same "$rc" 1
	has "$out" "npu-smi was not found on PATH"
	check --input - --check 'npu.*' <"$table/910b3-x8.txt"
	same "$rc" 0
	check --input - - <"$table/910b3-x8.txt"
	same "$rc" 2
}

@test "CANN: each state has its verdict and remedy" {
	local id
	judged cann.loaded fail
	has "$out" "source /usr/local/Ascend/ascend-toolkit/set_env.sh"
	loaded
	for id in loaded relative opp parts libs stub mixed msprof; do
		judged cann.$id pass
	done
	ASCEND_HOME_PATH=. judged cann.relative fail
	ASCEND_HOME_PATH=/nowhere judged cann.loaded fail
	ASCEND_OPP_PATH= judged cann.opp fail
	ASCEND_OPP_PATH=/nowhere judged cann.opp fail
	LD_LIBRARY_PATH=/lib judged cann.libs fail
	LD_LIBRARY_PATH=$CANN/devlib:$LD_LIBRARY_PATH judged cann.stub warn
	LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$CANN/devlib judged cann.stub pass
	PATH=$PATH:/x:/x:/x:/x judged cann.dup info
	cann cann-9.1.0 9.1.0 V100R001C25
	judged cann.many info
	ASCEND_OPP_PATH=/usr/local/Ascend/cann-9.1.0/opp judged cann.mixed warn
	rm -r "$A/ascend-toolkit/8.3.RC2/runtime"
	judged cann.parts fail
	rm "$A"/ascend-toolkit/8.3.RC2/tools/profiler/bin/msprof
	judged cann.msprof warn
	rmdir "$A/ascend-toolkit/8.3.RC2/opp/built-in"
	judged cann.opp fail
	printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\363\0' \
		>"$A/ascend-toolkit/8.3.RC2/lib64/libascendcl.so"
	judged cann.arch skip
	printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\267\0' \
		>"$A/ascend-toolkit/8.3.RC2/lib64/libascendcl.so"
	case $(uname -m) in
	aarch64) judged cann.arch pass ;;
	*) judged cann.arch fail ;;
	esac
}

@test "CANN: versions are read where each layout keeps them" {
	loaded
	local d=$A/ascend-toolkit/8.3.RC2 v
	version() {
		check -F tsv --check cann.loaded
		same "$(awk -F'\t' '$1 == "ver" && $2 == "cann" { print $3 }' <<<"$out")" "$1"
	}
	version 8.3.RC2
	rm -r "$d/$(uname -m)-linux"
	version 8.3.RC2 # by the directory's name
	printf '# x\nruntime_running_version=[7.6.0.1.220:8.0.0]\n' >"$d/version.cfg"
	version 8.0.0
	printf 'Version=8.5.0.2.220\nversion_dir=8.5.0\n' >"$d/compiler/version.info"
	version 8.5.0
	mkdir -p "$d/share/info/runtime"
	printf 'version_dir=9.1.0\n' >"$d/share/info/runtime/version.info"
	version 9.1.0
}

@test "CANN that is not loaded: -F sh gives the line, the newest cann-* wins" {
	rm -r "$A/ascend-toolkit"
	cann cann-8.5.0 8.5.0 V100R001C25
	cann cann-9.1.0 9.1.0 V100R001C27
	cann cann-9.0.0 9.0.0 V100R001C26
	check -F sh --check 'cann.*'
	same "$rc" 0
	has "$out" ". '/usr/local/Ascend/cann-9.1.0/set_env.sh'"
	hasnt "$out" error
	# a candidate is older than its release, and newer than the one before
	cann cann-9.1.0.rc2 9.1.0.rc2 V100R001C27
	cann cann-9.1.RC3 9.1.RC3 V100R001C27
	check -F sh
	has "$out" ". '/usr/local/Ascend/cann-9.1.0/set_env.sh'"
	rm -r "$A/cann-9.1.0"
	check -F sh
	has "$out" ". '/usr/local/Ascend/cann-9.1.0.rc2/set_env.sh'"
	cann cann-9.10.0 9.10.0 V100R001C28
	check -F sh
	has "$out" ". '/usr/local/Ascend/cann-9.10.0/set_env.sh'"
	cann cann 8.5.0 V100R001C25
	check -F sh
	has "$out" ". '/usr/local/Ascend/cann/set_env.sh'"
	loaded
	export ASCEND_HOME_PATH=/usr/local/Ascend/cann
	export ASCEND_TOOLKIT_HOME=$ASCEND_HOME_PATH
	export ASCEND_OPP_PATH=$ASCEND_HOME_PATH/opp
	export LD_LIBRARY_PATH=/usr/local/Ascend/cann/lib64
	check -F sh
	same "$out" "# CANN is loaded: nothing to do"
	export LD_LIBRARY_PATH=
	check -F sh --check "cann.*"
	same "$err" ""
	same "$rc" 0
	has "$out" ". '/usr/local/Ascend/cann/set_env.sh'"
	unset ASCEND_HOME_PATH ASCEND_TOOLKIT_HOME
	rm -r "$A"/cann*
	check -F sh --check cann.loaded
	same "$rc" 1
	has "$err" "error: CANN is not loaded"
	eval "$out"
}

@test "driver, firmware and CANN: what goes together, and what does not" {
	loaded
	judged ver.driver-cann pass
	judged ver.driver-fw pass
	judged ver.reboot pass
	sed -i 's/C23SPC001/C99SPC001/; s/,.V100R001C23.//' \
		"$A"/ascend-toolkit/8.3.RC2/*-linux/ascend_toolkit_install.info
	judged ver.driver-cann warn
	# CANN that names the driver's line is enough
	echo 'compatible_version=[V100R001C15],[V100R001C23]' \
		>"$BATS_TEST_TMPDIR/c"
	sed -i '/^compatible/d' \
		"$A"/ascend-toolkit/8.3.RC2/*-linux/ascend_toolkit_install.info
	cat "$BATS_TEST_TMPDIR/c" \
		>>"$(echo "$A"/ascend-toolkit/8.3.RC2/*-linux/ascend_toolkit_install.info)"
	judged ver.driver-cann pass
	sed -i 's/fw=.*/fw=[7.0.0,7.2.99]/' "$A/driver/version.info"
	judged ver.driver-fw warn
	sed -i 's/fw=.*/fw=[7.0.0,7.2.99],[7.5,7.5.]/' "$A/driver/version.info"
	judged ver.driver-fw pass
	local range want
	while read -r range want; do
		sed -i "s/fw=.*/fw=$range/" "$A/driver/version.info"
		echo "Version=${want#* }" >"$A/firmware/version.info"
		judged ver.driver-fw "${want% *}"
	done <<-'X'
		[7.1.0,7.3.0] pass 7.3.0.rc1
		[7.1.0,7.3.0] warn 7.1.rc1
		[7.1.0,7.3.rc1] warn 7.3.0
		[7.1.0,7.3.0.] pass 7.3.0.rc1
		[7.3.,7.3.] pass 7.3.rc1
		[7.3,7.3] pass 7.3.rc1
		[7.1.0,7.3] pass 7.3.0.1.231
		[7.1.0,7.3] warn 7.30.0
		[7.1.rc1,7.1.0] pass 7.1.RC2
		[7.1.0] warn 7.1.1
	X
	sed -i 's/^Version=.*/Version=25.5.0/' "$A/driver/version.info"
	judged ver.reboot warn
	echo 'Driver_Install_Status=failed' >"$R/etc/ascend_install.info"
	judged driver.complete warn
}

@test "visible devices: what the runtime will use of them" {
	local value set syntax range count uses
	while IFS='|' read -r value syntax range count uses; do
		[ -n "$count" ] || continue
		export ASCEND_RT_VISIBLE_DEVICES=$value
		check -F tsv --check 'vis.*' --npus 2
		echo "[$value] $out"
		same "$(status vis.set)" warn
		same "$(status vis.syntax)" "$syntax"
		same "$(status vis.range)" "$range"
		same "$(status vis.count)" "$count"
		has "$out" "$uses"
	done <<-'X'
		0,1|pass|pass|pass|profiling does not support it
		0,1,2,3,4,5,6,7|pass|pass|pass|profiling does not support it
		1,0|fail|pass|fail|the runtime uses 1
		0, 1|fail|pass|fail|the runtime uses 0
		0,9|pass|fail|fail|the runtime uses 0
		8|pass|fail|fail|the runtime uses none
		0,0|fail|pass|fail|not in ascending order
		|fail|pass|fail|is set and empty
		0,1,|fail|pass|pass|the runtime uses 0,1
		a|fail|pass|fail|the runtime uses none
		-1|fail|pass|fail|the runtime uses none
	X
	unset ASCEND_RT_VISIBLE_DEVICES
	check -F tsv --check 'vis.*' --npus 2
	for id in set syntax range count other; do
		same "$(status vis.$id)" pass
	done
	CUDA_VISIBLE_DEVICES=0 judged vis.other info
	# what is not selected may be ill
	MSP_STANDIN_NPUSMI_TABLE=alarm judged npu.health warn --npus 4
	MSP_STANDIN_NPUSMI_TABLE=alarm ASCEND_RT_VISIBLE_DEVICES=0,6 \
		judged npu.health fail --npus 2
	ASCEND_RT_VISIBLE_DEVICES=0,1,2,3 judged npu.need-multiple warn --npus 2
}

@test "the matrix: npu-smi x CANN x visible devices" {
	local smi cann vis n=0
	for smi in none:1 error-loader=127:1 error-8005=187:1 error-8020=172:1 \
		empty:1 alarm:1 busy:1 950-x8:1 910b3-x8:0; do
		for cann in not relative two stub; do
			for vis in unset 1,0 '0, 1' 0,9; do
				matrix "$smi" "$cann" "$vis" || {
					echo "$smi, $cann, $vis: $rc, $out"
					return 1
				}
				n=$((n + 1))
			done
		done
	done
	same "$n" 144
}
matrix() (
	local want=${1##*:} table=${1%:*} program=npu-smi
	export MSP_STANDIN_NPUSMI_STATUS=0 MSP_STANDIN_NPUSMI_TABLE
	case $table in *=*) MSP_STANDIN_NPUSMI_STATUS=${table#*=} ;; esac
	MSP_STANDIN_NPUSMI_TABLE=${table%=*}
	[ "$table" != none ] || program=/nowhere/npu-smi
	loaded
	case $2 in
	not) unset "${!ASCEND_@}" LD_LIBRARY_PATH want && want=1 ;;
	relative) ASCEND_HOME_PATH=. want=1 ;;
	stub) LD_LIBRARY_PATH=$CANN/devlib:$LD_LIBRARY_PATH ;;
	two)
		cann cann-9.1.0 9.1.0 V100R001C25
		ASCEND_OPP_PATH=/usr/local/Ascend/cann-9.1.0/opp
		;;
	esac
	case $3 in
	unset) ;;
	*) export ASCEND_RT_VISIBLE_DEVICES=$3 want=1 ;;
	esac
	check -F tsv --npu-smi "$program" --npus 2 \
		--check 'smi.*,npu.*,cann.*,vis.*'
	case $table in
	alarm) # NPU 6, which 2 NPUs from 0 on do not reach
		[ "$want$rc" = 11 ] || [ "$rc" = 0 ] || return
		;;
	busy | 950-x8) # others are free
		[ "$want$rc" = 11 ] || [ "$rc" = 0 ] || return
		;;
	*) [ "$rc" = "$want" ] || return ;;
	esac
	case $table in
	none | error-* | empty)
		has "$out" "sum	no-npu"
		has "$out" "no NPU detected here; run on a host with an Ascend NPU"
		;;
	esac
	case $2 in
	not) [ "$(status cann.loaded)" = fail ] ;;
	relative) [ "$(status cann.relative)" = fail ] ;;
	two) [ "$(status cann.mixed)" = warn ] ;;
	stub) [ "$(status cann.stub)" = warn ] ;;
	*) [ "$(status cann.loaded)" = pass ] ;;
	esac || return
	case $3 in
	unset) [ "$(status vis.set)" = pass ] ;;
	1,0 | '0, 1') [ "$(status vis.syntax)" = fail ] ;;
	0,9)
		[ "$table" = "${table#[9ab]}" ] ||
			[ "$(status vis.range)" = fail ]
		;;
	esac
)

@test "devices: PCI bus, nodes, the container's mounts" {
	loaded
	judged pci.count pass
	judged dev.nodes pass
	cp -r "$R"/sys/bus/pci/devices/0000:0{0,9}:00.0
	judged pci.count warn
	rm "$R/dev/davinci7"
	judged dev.nodes warn
	rm "$R/dev/hisi_hdc"
	judged dev.nodes fail
	: >"$R/dev/hisi_hdc"
	rm "$R/dev/devmm_svm"
	: >"$R/dev/davinci7"
	judged dev.nodes fail
	: >"$R/dev/asdrv_svm"
	MSP_STANDIN_NPUSMI_TABLE=950-x8 judged dev.nodes pass
	judged ctr.kind pass
	: >"$R/.dockerenv"
	judged ctr.kind info
	judged ctr.privileged pass
	sed -i 's/CapEff.*/CapEff:\t00000000a80425fb/' "$R/proc/self/status"
	judged ctr.privileged info
	judged ctr.mounts warn
	has "$out" "-v /usr/local/dcmi:/usr/local/dcmi"
	judged ctr.driver-ro pass
	echo '23 1 8:1 / /usr/local/Ascend/driver ro,nosuid - ext4 /dev/sda1 rw' \
		>>"$R/proc/self/mountinfo"
	judged ctr.driver-ro info
	judged dev.nodes fail
	has "$out" "docker run --device=/dev/davinci0"
}

@test "no device node is ever opened" {
	command -v strace >/dev/null || skip "strace is not installed"
	loaded
	strace -f -o trace -e trace=open,openat msp-check-env >/dev/null || true
	[ -s trace ]
	! grep -E '"/dev/(davinci|devmm|asdrv|hisi)' trace
	strace -f -o trace -e trace=open,openat \
		msp-check-env --root "$R" >/dev/null || true
	! grep -E 'host/dev/(davinci|devmm|asdrv|hisi)[^"]' trace
}

@test "busy: by processes, by memory, and whose they are" {
	loaded
	local me=me
	[ "$(id -u)" != 0 ] || me=root
	check --npus 8 --check npu.busy
	same "$rc" 0
	export MSP_STANDIN_NPUSMI_TABLE=busy
	mkdir -p "$R/proc/41201" "$R/proc/41203"
	echo train >"$R/proc/41201/comm"
	printf 'Name:\ttrain\nPPid:\t77\n' >"$R/proc/41203/status"
	check --npus 8 --check npu.busy
	same "$rc" 1
	has "$out" "2 of 8 NPUs are busy, --npus needs 8 [npu.busy]"
	has "$out" "NPU 2  pid 41201  train  37709 MB  user "
	has "$out" "NPU 5  pid 41202  python  37709 MB"
	hasnt "$out" "pid 41203" # it is the caller's own
	has "$out" "end these processes or lower NPUS_PER_NODE to 6"
	check --npus 6 --check npu.busy
	same "$rc" 0
	has "$out" "free logic ids: 0,1,3,4,6,7"
	check -F tsv --check 'npu.*'
	same "$(awk -F'\t' '$1 == "npu" && $17 == "no" { print $4 }' <<<"$out" |
		tr '\n' ' ')" "0 1 3 4 6 7 "
	has "$out" "proc	5	0	41203	-	12	pytest: w	$me	yes"
	MSP_STANDIN_NPUSMI_TABLE=910a-x8 check --check 'npu.*'
	has "$out" "all healthy; whether they are idle is not known"
	MSP_STANDIN_NPUSMI_TABLE=hidden-use judged npu.hidden-use warn
	MSP_STANDIN_NPUSMI_TABLE=310p3-x4 judged npu.hugepages info
	MSP_STANDIN_NPUSMI_TABLE=no-heartbeat check --check npu.hbm-total
	has "$out" "npu-smi set -t reset -i 3 -c 0"
	MSP_STANDIN_NPUSMI_TABLE=a3-x16 check --npus 17 --check npu.count
	has "$out" "only 16 of the 17 NPUs that --npus needs are here (8 cards, each die counts)"
}

@test "Python: packages by their names, shadows, versions" {
	local s=$R/opt/py/lib/python3.10/site-packages
	mkdir -p "$s/torch-2.1.0+cpu.dist-info" \
		"$s/torch_npu-2.1.0.post12.dist-info" "$R/opt/py/bin"
	: >"$R/opt/py/bin/python3.10"
	ln -s python3.10 "$R/opt/py/bin/python3"
	PATH=/opt/py/bin:$PATH
	for id in torch-npu match shadow version; do
		judged py.$id pass
	done
	mv "$s"/torch-2.1.0+cpu.dist-info "$s"/torch-2.6.0.dist-info
	judged py.match warn
	rm -r "$s"/torch_npu-*
	judged py.torch-npu warn
	judged py.match skip
	mkdir torch_npu
	judged py.shadow warn
	mv "$R"/opt/py/bin/python3{.10,.6}
	ln -sf python3.6 "$R/opt/py/bin/python3"
	judged py.version warn
}

@test "variables, collectors, leftovers, ports" {
	for id in env.slow env.prof prof.running prof.shm-stale net.port; do
		judged $id pass
	done
	ASCEND_LAUNCH_BLOCKING=1 judged env.slow warn
	TASK_QUEUE_ENABLE=0 judged env.slow warn
	ASCEND_GLOBAL_LOG_LEVEL=3 judged env.slow pass
	PROFILING_MODE=true judged env.prof warn
	mkdir "$R/proc/55"
	echo msprof >"$R/proc/55/comm"
	judged prof.running warn
	: >"$R/dev/shm/DynamicProfileNpuShm1"
	judged prof.shm-stale pass
	touch -d '1 hour ago' "$R/dev/shm/DynamicProfileNpuShm1"
	judged prof.shm-stale warn
	mkdir -p "$R/proc/56/fd"
	ln -s 'socket:[4711]' "$R/proc/56/fd/3"
	echo python >"$R/proc/56/comm"
	echo '   0: 00000000:733C 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1' \
		>>"$R/proc/net/tcp"
	judged net.port warn
	has "$out" "port 29500 of the launch is taken"
	has "$out" "pid 56  python"
	MASTER_PORT=6000 judged net.port pass
	echo '   1: 0100007F:EA62 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4712 1' \
		>>"$R/proc/net/tcp"
	MASTER_PORT=6000 judged net.port warn
	MASTER_PORT=6000 HCCL_IF_BASE_PORT=50000 judged net.port pass
}

@test "destination, memory, limits, the kernel's side" {
	judged out.dir pass -o "$PWD/new/dir"
	ln -s . link
	judged out.dir fail -o "$PWD/link"
	judged out.dir warn -o "$PWD/link/below"
	: >file
	judged out.dir fail -o "$PWD/file"
	for id in out.space out.inodes; do
		check -F tsv --check $id
		[ -n "$(status $id)" ]
	done
	judged out.fs pass
	sed -i 's/ext4/nfs4/' "$R/proc/self/mountinfo"
	judged out.fs warn
	judged mem.avail pass
	echo 'MemAvailable: 1000 kB' >"$R/proc/meminfo"
	judged mem.avail warn
	(ulimit -n 1024 && judged lim.nofile warn)
	mkdir -p "$R/sys/fs/cgroup"
	echo 500 >"$R/sys/fs/cgroup/pids.max"
	judged lim.nproc warn
	(umask 022 && judged lim.umask info)
	(umask 027 && judged lim.umask pass)
	judged host.kernel pass
	: >"$R/proc/modules"
	judged host.kernel warn
	echo '99.0 1 1 1/1 1' >"$R/proc/loadavg"
	judged host.load info
	echo 2 >"$R/proc/sys/kernel/perf_event_paranoid"
	judged host.paranoid info
	if [ "$(id -u)" != 0 ]; then
		mkdir -m 555 shut
		judged out.dir fail -o "$PWD/shut/x"
	fi
}

@test "selection: --check, --ignore, --list; each check is in the manual" {
	local id n=0
	check --list
	same "$rc" 0
	while read -r id _; do
		n=$((n + 1))
		grep -qF "It Li $id" "$TOP/man/msp-check-env.1" || {
			echo "$id is not in the manual"
			return 1
		}
	done <<<"$out"
	[ "$n" -ge 70 ]
	check --check npu.x
	same "$rc" 2
	has "$err" "no check has such a name"
	for id in '' , ,,; do # a variable that is not set passes nothing on
		check --check "$id"
		same "$rc$out" 2
		has "$err" "--check names no check"
	done
	check -F tsv --check 'npu.*,cann.loaded'
	same "$(awk -F'\t' '$1 == "check" { print $2 }' <<<"$out" |
		sed 's/\..*//' | sort -u | tr '\n' ' ')" "cann npu "
	same "$rc" 1
	check -F tsv --check 'npu.*,cann.loaded' --ignore 'cann.*'
	same "$rc" 0
	same "$(status cann.loaded)" ignored
	has "$out" "ignored=1"
	# a warning counts with -W
	MSP_STANDIN_NPUSMI_TABLE=warning check --check npu.health
	same "$rc" 0
	MSP_STANDIN_NPUSMI_TABLE=warning check -W --check npu.health
	same "$rc" 1
	for bad in "--npus 0" "--npus x" "--limit 0" "-F xml" "--root /nowhere" \
		"--input /nowhere"; do
		# shellcheck disable=SC2086
		check $bad
		same "$rc" 2
		same "$out" ""
	done
}

# script NPUS [LINE ...]: a launch script, its lines before the launch.
script() {
	local n=$1
	shift
	printf '%s\n' '#!/bin/bash' "$@" >train.sh
	cat >>train.sh <<-X
		torchrun --nproc_per_node $n --nnodes 1 --node_rank 0 \\
		    --master_addr localhost --master_port 6123 pretrain_gpt.py \\
		    --train-iters 10 | tee log
	X
	: >pretrain_gpt.py
	changed
}
# changed: train.sh as it is now is the user's.
changed() {
	rm -rf "$BATS_TEST_TMPDIR/user"
	mkdir "$BATS_TEST_TMPDIR/user"
	user train.sh
}

@test "one of a kind is no plural" {
	local table=$TOP/test/data/npu-smi/310p3-x4.txt
	run -1 msp-check-env --check npu.present,npu.count --npus 16 \
		--input "$table"
	has "$output" "1 check passed, 1 failed"
	# the two chips of the first card alone
	sed '12,$d' "$table" >card
	echo "+======+" >>card
	run msp-check-env --check 'npu.present,npu.count' --npus 1 --input card
	has "$output" "2 NPUs on 1 card ("
}

@test "a script: how many NPUs it needs, and where it says so" {
	loaded
	script 4
	check train.sh --ignored-as-its-argument
	same "$rc" 0
	has "$out" "8 NPUs (Ascend 910B3, driver 25.2.0), 4 needed by train.sh"
	script 16
	check train.sh
	same "$rc" 1
	has "$out" "only 8 of the 16 NPUs that train.sh:2 needs are here [npu.count]"
	has "$out" "lower NPUS_PER_NODE to 8"
	check --npus 8 train.sh
	same "$rc" 0
	has "$out" "--npus says 8, train.sh needs 16 [npu.need-multiple]"
	script '$N' 'N=${1:-2}' 'N=$((N * 2))'
	check train.sh
	has "$out" "4 needed by train.sh"
	check train.sh 5
	has "$out" "only 8 of the 10 NPUs that train.sh:4 needs are here"
	script '$NPUS_OF_THE_CLUSTER'
	check train.sh
	same "$rc" 0
	has "$out" "note: 8 NPUs here; how many train.sh needs is not known"
	printf 'echo no launch\n' >none.sh
	check none.sh
	same "$rc" 0
	has "$out" "note: no training launch in none.sh"
	# what is busy counts against the need
	script 8
	MSP_STANDIN_NPUSMI_TABLE=busy check train.sh
	has "$out" "2 of 8 NPUs are busy, train.sh:2 needs 8 [npu.busy]"
	script 6
	MSP_STANDIN_NPUSMI_TABLE=busy check train.sh
	same "$rc" 0
}

@test "a script: CANN that it loads, or does not" {
	local set_env=/usr/local/Ascend/ascend-toolkit/set_env.sh
	script 8
	check -F tsv train.sh
	same "$(status cann.loaded)" fail
	script 8 '' "source $set_env"
	check train.sh
	same "$rc" 0
	has "$out" "CANN 8.3.RC2, loaded by train.sh:3"
	cann cann-9.1.0 9.1.0 V100R001C27
	script 8 'cd /usr/local/Ascend/cann-9.1.0' 'source ./set_env.sh' 'cd -'
	check train.sh
	same "$rc" 0
	has "$out" "CANN 9.1.0, loaded by train.sh:3"
	# a file of the user's own that does it
	mkdir -p "$R/opt"
	printf 'export ASCEND_HOME_PATH=%s\nexport ASCEND_OPP_PATH=%s/opp\n' \
		/usr/local/Ascend/cann-9.1.0{,} >"$R/opt/set_env.sh"
	script 8 'source /opt/set_env.sh'
	check train.sh
	same "$rc" 0
	has "$out" "CANN 9.1.0, loaded by train.sh:2"
	script 8 "source /nowhere/set_env.sh"
	check train.sh
	same "$rc" 1
	has "$out" "CANN is not loaded"
	has "$out" "train.sh:2 sources /nowhere/set_env.sh, which is not there"
	# behind the launch it comes too late
	script 8
	echo "source $set_env" >>train.sh
	changed
	check -F tsv train.sh
	same "$(status cann.loaded)" fail
	# what cannot be followed may load it
	for line in 'conda activate llm' 'module load cann' \
		'source "$(cluster-env)/env.sh"'; do
		script 8 "$line"
		check -F tsv train.sh
		same "$(status cann.loaded)$rc" warn0
		same "$(status script.env)" info
	done
}

@test "a script: devices that it makes visible, its port, its directory" {
	loaded
	script 2 'export ASCEND_RT_VISIBLE_DEVICES=0'
	check -F tsv train.sh
	same "$(status vis.set)$(status vis.count)$rc" warnfail1
	script 2
	sed -i 's/^torchrun/ASCEND_RT_VISIBLE_DEVICES=1,0 torchrun/' train.sh
	changed
	check -F tsv train.sh
	same "$(status vis.syntax)" fail
	sed -i 's/^ASCEND_RT/env ASCEND_RT/' train.sh
	changed
	check -F tsv train.sh
	same "$(status vis.syntax)" fail
	script 2 'export ASCEND_RT_VISIBLE_DEVICES=1,0' \
		'source /usr/local/Ascend/ascend-toolkit/set_env.sh'
	check -F tsv train.sh
	same "$(status vis.syntax)" fail
	script 2 'unset ASCEND_RT_VISIBLE_DEVICES'
	ASCEND_RT_VISIBLE_DEVICES=1,0 check -F tsv train.sh
	same "$(status vis.syntax)" pass
	echo '   0: 0100007F:17EB 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4712 1' \
		>>"$R/proc/net/tcp"
	check -F tsv train.sh
	has "$(message net.port)" "port 6123 of the launch is taken"
	sed -i 's/node_rank 0/node_rank 1/' train.sh
	changed
	check -F tsv train.sh
	same "$(status net.port)" pass
	mkdir sub
	script 2 'cd sub'
	out=$(msp-check-env -F tsv --check out.dir train.sh)
	has "$out" "check	out.dir	pass	./sub/profiling_output"
}

@test "the gate: the script and its closing comment, or nothing" {
	loaded
	script 8
	check -g train.sh
	same "$rc" 0
	same "$out" "$(cat train.sh && echo '# msp: end script=train.sh')"
	check -g -p over/there.sh <train.sh
	same "$(tail -n 1 <<<"$out")" "# msp: end script=over/there.sh"
	MSP_STANDIN_NPUSMI_TABLE=alarm check -g train.sh
	same "$rc$out" 1
	has "$err" "msp-check-env: error: NPU 6 is not healthy: Alarm [npu.health]"
	has "$err" "    npu-smi info -t health -i 6"
	MSP_STANDIN_NPUSMI_TABLE=warning check -gW train.sh
	same "$rc$out" 1
	has "$err" "warning: NPU 3 is not healthy: Warning [npu.health]"
	MSP_STANDIN_NPUSMI_TABLE=garbage check -g train.sh
	same "$rc$out" 3
	check -g </dev/null
	same "$rc$out" 2
	has "$err" "nothing arrived"
	check train.sh >report
	rc=0
	printf '%s\n' "$out" | msp-check-env -g >again 2>err || rc=$?
	same "$rc$(cat again)" 2
	has "$(cat err)" "add -g"
	check -g train.sh --report full.tsv -F tsv
	check -g --report full.tsv -F tsv train.sh
	same "$out" "$(cat train.sh && echo '# msp: end script=train.sh')"
	has "$(cat full.tsv)" "sum	ready"
	check -g --report /nowhere/full.tsv train.sh
	same "$rc$out" 2
	rc=0
	msp-check-env -g --root "$R" train.sh >/dev/full 2>err || rc=$?
	same "$rc" 2
}

@test "a launch that runs elsewhere cannot be judged; -f passes it on" {
	local how
	for how in 'ssh node7 torchrun' 'docker exec -it trainer torchrun'; do
		script 8
		sed -i "s/^torchrun/$how/; s/ | tee log//" train.sh
		changed
		MSP_STANDIN_NPUSMI_TABLE=empty check -g train.sh
		same "$rc$out" 3
		has "$err" "[script.where]"
		has "$err" "-f"
		hasnt "$err" "no NPU"
		MSP_STANDIN_NPUSMI_TABLE=empty check -gf train.sh
		same "$rc" 0
		has "$out" "# msp: end script=train.sh"
		has "$err" "warning: the launch at train.sh:2"
	done
}

@test "formats: json is the records, nothing changes with the locale" {
	loaded
	export MSP_STANDIN_NPUSMI_TABLE=busy
	check -F tsv --npus 8
	local tsv=$out
	LC_ALL=zh_CN.UTF-8 check -F tsv --npus 8
	same "$(grep -v -e mem.avail -e host.load -e out. <<<"$out")" \
		"$(grep -v -e mem.avail -e host.load -e out. <<<"$tsv")"
	LC_ALL=zh_CN.UTF-8 check --npus 8
	has "$out" "msp-check-env: 不可用"
	has "$out" "error: 8 个 NPU 中有 2 个被占用"
	check -F json --npus 8
	same "$(grep -c . <<<"$out")" "$(grep -c . <<<"$tsv")"
	has "$out" '{"record":"sum","verdict":"not-ready"'
	[ "$(tail -n 1 <<<"$tsv" | cut -f1)" = sum ]
	check --npus 8 --report full.json -F json
	same "$(cat full.json)" "$out"
	# one screen for a busy host
	check --npus 8
	[ "$(wc -l <<<"$out")" -le 24 ]
}
