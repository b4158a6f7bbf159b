# msp-inject: the arguments, where they land, and what is refused.
load lib

plain="--profile --profile-step-start 2 --profile-step-end 4 --profile-ranks 0 --profile-level level1 --profile-with-cpu --profile-save-path ./profiling_output"
dotted="--training.profile true --training.profile_step_start 2 --training.profile_step_end 4 --training.profile_ranks 0 --training.profile_level level1 --training.profile_with_cpu true --training.profile_save_path ./profiling_output"

# The script on standard input, injected, without its closing comment.
inject() {
	msp-inject "$@" 2>err | sed '${/^# msp: end script=/d;}'
	return "${PIPESTATUS[0]}"
}

# forms: pairs of files in and want, one after the other in the test's text:
# "IN => WANT" a line each, {M} and {F} stand for the arguments, ~ for a newline.
forms() {
	local line in want got
	while IFS= read -r line; do
		[ -n "$line" ] || continue
		in=${line%% => *} want=${line##* => }
		in=${in//'~'/$'\n'} want=${want//'~'/$'\n'}
		want=${want//'{M}'/$plain} want=${want//'{F}'/$dotted}
		got=$(printf '%s\n' "$in" | inject "${options[@]}") || {
			echo "refused: $in"
			cat err
			return 1
		}
		same "$want" "$got" || return 1
	done
}

@test "the default arguments, before | tee, everything else byte for byte" {
	train
	run -0 --separate-stderr msp-inject train.sh
	diff train.sh <(printf '%s\n' "$output") >changes || true
	same "2" "$(grep -c '^>' changes)"
	same "0" "$(grep -c '^<' changes || true)"
	same ">     $plain \\" "$(grep -- --profile changes)"
	same "# msp: end script=train.sh" "${lines[-1]}"
}

@test "where the arguments go" {
	options=()
	forms <<'FORMS'
torchrun pretrain_gpt.py => torchrun pretrain_gpt.py {M}
torchrun pretrain_gpt.py --x 1 | tee log => torchrun pretrain_gpt.py --x 1 {M} | tee log
torchrun pretrain_gpt.py 2>&1 | tee log => torchrun pretrain_gpt.py {M} 2>&1 | tee log
torchrun pretrain_gpt.py>log => torchrun pretrain_gpt.py {M} >log
torchrun pretrain_gpt.py >log 2>&1 & => torchrun pretrain_gpt.py {M} >log 2>&1 &
torchrun pretrain_gpt.py # end => torchrun pretrain_gpt.py {M} # end
torchrun pretrain_gpt.py; RC=$? => torchrun pretrain_gpt.py {M}; RC=$?
(torchrun pretrain_gpt.py) => (torchrun pretrain_gpt.py {M})
torchrun pretrain_gpt.py \~  --x 1 \~  | tee log => torchrun pretrain_gpt.py \~  --x 1 \~  {M} \~  | tee log
torchrun pretrain_gpt.py \~	$A\~	| tee log => torchrun pretrain_gpt.py \~	$A \~	{M}\~	| tee log
A="--x 1"~torchrun pretrain_gpt.py $A => A="--x 1"~torchrun pretrain_gpt.py $A {M}
>log torchrun pretrain_gpt.py => >log torchrun pretrain_gpt.py {M}
torchrun pretrain_gpt.py <<<x => torchrun pretrain_gpt.py {M} <<<x
FORMS
}

@test "launchers and prefixes" {
	options=()
	forms <<'FORMS'
python -m torch.distributed.launch --nproc_per_node 8 pretrain_gpt.py => python -m torch.distributed.launch --nproc_per_node 8 pretrain_gpt.py {M}
python3.10 -m torch.distributed.run pretrain_gpt.py => python3.10 -m torch.distributed.run pretrain_gpt.py {M}
msrun --worker_num=8 --join=True pretrain_gpt.py => msrun --worker_num=8 --join=True pretrain_gpt.py {M}
accelerate launch train.py => accelerate launch train.py {M}
deepspeed --num_gpus 8 pretrain_gpt.py => deepspeed --num_gpus 8 pretrain_gpt.py {M}
python -u pretrain_gpt.py => python -u pretrain_gpt.py {M}
"$VENV/bin/torchrun" pretrain_gpt.py => "$VENV/bin/torchrun" pretrain_gpt.py {M}
L=torchrun~$L pretrain_gpt.py => L=torchrun~$L pretrain_gpt.py {M}
A=1 nohup torchrun pretrain_gpt.py & => A=1 nohup torchrun pretrain_gpt.py {M} &
exec torchrun pretrain_gpt.py => exec torchrun pretrain_gpt.py {M}
time torchrun pretrain_gpt.py => time torchrun pretrain_gpt.py {M}
env -u A B=1 torchrun pretrain_gpt.py => env -u A B=1 torchrun pretrain_gpt.py {M}
timeout -k 5 60 stdbuf -oL -eL torchrun pretrain_gpt.py => timeout -k 5 60 stdbuf -oL -eL torchrun pretrain_gpt.py {M}
numactl --cpunodebind=0 taskset -c 0-7 torchrun pretrain_gpt.py => numactl --cpunodebind=0 taskset -c 0-7 torchrun pretrain_gpt.py {M}
srun -N 2 --ntasks-per-node 1 torchrun pretrain_gpt.py => srun -N 2 --ntasks-per-node 1 torchrun pretrain_gpt.py {M}
mpirun -np 8 -x PATH python pretrain_gpt.py => mpirun -np 8 -x PATH python pretrain_gpt.py {M}
docker exec -e A=1 box torchrun pretrain_gpt.py => docker exec -e A=1 box torchrun pretrain_gpt.py {M}
kubectl exec pod -c main -- torchrun pretrain_gpt.py => kubectl exec pod -c main -- torchrun pretrain_gpt.py {M}
torchrun train_fsdp2.py x.yaml --model.a b => torchrun train_fsdp2.py x.yaml --model.a b {F}
Y=x.yml~torchrun train_fsdp2.py $Y "$@" => Y=x.yml~torchrun train_fsdp2.py $Y "$@" {F}
torchrun train_fsdp2.py --num-layers 2 => torchrun train_fsdp2.py --num-layers 2 {M}
FORMS
}

@test "commands in strings, arrays, functions, branches, loops" {
	options=()
	forms <<'FORMS'
CMD="torchrun pretrain_gpt.py --x 1"~$CMD | tee log => CMD="torchrun pretrain_gpt.py --x 1"~$CMD {M} | tee log
cmd=(torchrun~  pretrain_gpt.py)~"${cmd[@]}" => cmd=(torchrun~  pretrain_gpt.py)~"${cmd[@]}" {M}
bash -c 'torchrun pretrain_gpt.py --d '\''a b'\'' | tee log' => bash -c 'torchrun pretrain_gpt.py --d '\''a b'\'' {M} | tee log'
CMD="torchrun pretrain_gpt.py"~eval "$CMD" => CMD="torchrun pretrain_gpt.py"~eval "$CMD" {M}
CMD="torchrun pretrain_gpt.py | tee log"~eval $CMD => CMD="torchrun pretrain_gpt.py {M} | tee log"~eval $CMD
bash -c "torchrun pretrain_gpt.py --x 1" => bash -c "torchrun pretrain_gpt.py --x 1 {M}"
bash -lc 'cd x && torchrun pretrain_gpt.py | tee log' => bash -lc 'cd x && torchrun pretrain_gpt.py {M} | tee log'
ssh n1 "cd /w; torchrun pretrain_gpt.py" => ssh n1 "cd /w; torchrun pretrain_gpt.py {M}"
su - me -c "torchrun pretrain_gpt.py" => su - me -c "torchrun pretrain_gpt.py {M}"
docker exec box bash -c 'torchrun pretrain_gpt.py' => docker exec box bash -c 'torchrun pretrain_gpt.py {M}'
ssh n1 "bash -c 'torchrun pretrain_gpt.py'" => ssh n1 "bash -c 'torchrun pretrain_gpt.py {M}'"
bash <<END~torchrun pretrain_gpt.py | tee log~END => bash <<END~torchrun pretrain_gpt.py {M} | tee log~END
ssh n1 bash -s <<'END'~torchrun pretrain_gpt.py~END => ssh n1 bash -s <<'END'~torchrun pretrain_gpt.py {M}~END
run() { torchrun pretrain_gpt.py "$@"; }~run --x 1 => run() { torchrun pretrain_gpt.py "$@" {M}; }~run --x 1
run() { echo "$@"; "$@"; }~run mkdir x~run torchrun pretrain_gpt.py => run() { echo "$@"; "$@"; }~run mkdir x~run torchrun pretrain_gpt.py {M}
if a; then torchrun pretrain_gpt.py; else python pretrain_gpt.py; fi => if a; then torchrun pretrain_gpt.py {M}; else python pretrain_gpt.py {M}; fi
for i in 1 2; do torchrun pretrain_gpt.py $i; done => for i in 1 2; do torchrun pretrain_gpt.py $i {M}; done
[ "$1" ] && torchrun train.py a || torchrun train.py b => [ "$1" ] && torchrun train.py a {M} || torchrun train.py b {M}
torchrun train.py || { sleep 1; torchrun train.py b; } => torchrun train.py {M} || { sleep 1; torchrun train.py b {M}; }
case $1 in a) torchrun pretrain_gpt.py ;; *) torchrun posttrain_gpt.py ;; esac => case $1 in a) torchrun pretrain_gpt.py {M} ;; *) torchrun posttrain_gpt.py {M} ;; esac
X=$(torchrun pretrain_gpt.py) => X=$(torchrun pretrain_gpt.py {M})
CMD="torchrun pretrain_gpt.py"; CMD+=" --x"; bash -c "$CMD" => CMD="torchrun pretrain_gpt.py"; CMD+=" --x {M}"; bash -c "$CMD"
ssh $h "cd x; torchrun pretrain_gpt.py --a $A $(b)" & => ssh $h "cd x; torchrun pretrain_gpt.py --a $A $(b) {M}" &
E=; CMD="torchrun pretrain_gpt.py $E"; eval "$CMD | tee log" => E=; CMD="torchrun pretrain_gpt.py $E {M}"; eval "$CMD | tee log"
C="cd x; torchrun pretrain_gpt.py"; ssh $HOST "$C" => C="cd x; torchrun pretrain_gpt.py {M}"; ssh $HOST "$C"
$PYTHON -m torch.distributed.run pretrain_gpt.py => $PYTHON -m torch.distributed.run pretrain_gpt.py {M}
if [ ! -f pretrain_gpt.py ]; then exit 1; fi; torchrun pretrain_gpt.py => if [ ! -f pretrain_gpt.py ]; then exit 1; fi; torchrun pretrain_gpt.py {M}
cat hosts | xargs -P 8 -I {} ssh {} "torchrun pretrain_gpt.py --x" => cat hosts | xargs -P 8 -I {} ssh {} "torchrun pretrain_gpt.py --x {M}"
cat args | xargs nohup torchrun pretrain_gpt.py => cat args | xargs nohup torchrun pretrain_gpt.py {M}
tmux new-session -d "torchrun pretrain_gpt.py" => tmux new-session -d "torchrun pretrain_gpt.py {M}"
cat >r.sh <<'END'~torchrun pretrain_gpt.py $1~END~bash r.sh a => cat >r.sh <<'END'~torchrun pretrain_gpt.py $1 {M}~END~bash r.sh a
read -r -d '' C <<E~torchrun train.py~  --x~E~$C | tee l => read -r -d '' C <<E~torchrun train.py~  --x~E~$C {M} | tee l
if a; then L="torchrun --nnodes 2"; else L=torchrun; fi; $L pretrain_gpt.py => if a; then L="torchrun --nnodes 2"; else L=torchrun; fi; $L pretrain_gpt.py {M}
FORMS
}

@test "wrappers and their options" {
	options=()
	forms <<'FORMS'
sudo -iu me torchrun pretrain_gpt.py => sudo -iu me torchrun pretrain_gpt.py {M}
taskset --cpu-list 0-7 torchrun pretrain_gpt.py => taskset --cpu-list 0-7 torchrun pretrain_gpt.py {M}
conda run -p /opt/env --cwd /w python pretrain_gpt.py => conda run -p /opt/env --cwd /w python pretrain_gpt.py {M}
uv run --active train.py => uv run --active train.py {M}
nsys profile -t cuda --force-overwrite true -o r torchrun pretrain_gpt.py => nsys profile -t cuda --force-overwrite true -o r torchrun pretrain_gpt.py {M}
msprof --output=p --application="torchrun pretrain_gpt.py" => msprof --output=p --application="torchrun pretrain_gpt.py {M}"
su - me --command="torchrun pretrain_gpt.py" => su - me --command="torchrun pretrain_gpt.py {M}"
su - me -lc "torchrun pretrain_gpt.py" => su - me -lc "torchrun pretrain_gpt.py {M}"
script -qec "torchrun pretrain_gpt.py" log => script -qec "torchrun pretrain_gpt.py {M}" log
flock l -c "torchrun pretrain_gpt.py" => flock l -c "torchrun pretrain_gpt.py {M}"
sshpass -p x ssh h -p 22 "torchrun pretrain_gpt.py" => sshpass -p x ssh h -p 22 "torchrun pretrain_gpt.py {M}"
pdsh -w a,b cd /w \\; torchrun pretrain_gpt.py => pdsh -w a,b cd /w \\; torchrun pretrain_gpt.py {M}
sbatch -N 2 --wrap="srun torchrun pretrain_gpt.py" => sbatch -N 2 --wrap="srun torchrun pretrain_gpt.py {M}"
bsub -q q "torchrun pretrain_gpt.py" => bsub -q q "torchrun pretrain_gpt.py {M}"
docker --context c exec -itu me box bash -c "torchrun pretrain_gpt.py" => docker --context c exec -itu me box bash -c "torchrun pretrain_gpt.py {M}"
docker exec $BOX bash -c "torchrun pretrain_gpt.py" => docker exec $BOX bash -c "torchrun pretrain_gpt.py {M}"
docker run --rm -itd -v /a:/a --gpus all --ulimit x=1 i torchrun pretrain_gpt.py => docker run --rm -itd -v /a:/a --gpus all --ulimit x=1 i torchrun pretrain_gpt.py {M}
docker run --privileged --entrypoint bash i -c "torchrun pretrain_gpt.py" => docker run --privileged --entrypoint bash i -c "torchrun pretrain_gpt.py {M}"
docker compose -f c.yml exec -T box torchrun pretrain_gpt.py => docker compose -f c.yml exec -T box torchrun pretrain_gpt.py {M}
singularity exec --nv -B /a:/a --bind /b i.sif torchrun pretrain_gpt.py => singularity exec --nv -B /a:/a --bind /b i.sif torchrun pretrain_gpt.py {M}
FORMS
}

@test "what a shell reads, files that the script writes" {
	options=()
	forms <<'FORMS'
bash <<<"torchrun pretrain_gpt.py" => bash <<<"torchrun pretrain_gpt.py {M}"
cat <<E | bash~torchrun pretrain_gpt.py~E => cat <<E | bash~torchrun pretrain_gpt.py {M}~E
echo "torchrun pretrain_gpt.py" | ssh h bash -s => echo "torchrun pretrain_gpt.py {M}" | ssh h bash -s
ssh h 'bash -s' <<E~torchrun pretrain_gpt.py~E => ssh h 'bash -s' <<E~torchrun pretrain_gpt.py {M}~E
ssh h <<E~cd /w~bash~torchrun pretrain_gpt.py~E => ssh h <<E~cd /w~bash~torchrun pretrain_gpt.py {M}~E
cat >r.sh <<E~torchrun pretrain_gpt.py~E~chmod +x r.sh && ./r.sh => cat >r.sh <<E~torchrun pretrain_gpt.py {M}~E~chmod +x r.sh && ./r.sh
O=o; cat >$O/r <<E~torchrun pretrain_gpt.py~E~source $O/r => O=o; cat >$O/r <<E~torchrun pretrain_gpt.py {M}~E~source $O/r
F=$(mktemp); cat >$F <<E~torchrun pretrain_gpt.py~E~bash $F => F=$(mktemp); cat >$F <<E~torchrun pretrain_gpt.py {M}~E~bash $F
echo "cd w" >r; echo "torchrun pretrain_gpt.py" >>r; sh r => echo "cd w" >r; echo "torchrun pretrain_gpt.py {M}" >>r; sh r
tee r.sh >/dev/null <<E~torchrun pretrain_gpt.py~E~ssh h "bash r.sh" => tee r.sh >/dev/null <<E~torchrun pretrain_gpt.py {M}~E~ssh h "bash r.sh"
cat >r$$.sh <<E~torchrun train.py~E~nohup ./r$$.sh & => cat >r$$.sh <<E~torchrun train.py {M}~E~nohup ./r$$.sh &
S=$(date).sh; cat >$S <<E~torchrun train.py~E~nohup "$S" & => S=$(date).sh; cat >$S <<E~torchrun train.py {M}~E~nohup "$S" &
bash bind.sh python train.py => bash bind.sh python train.py {M}
torchrun --no-python ./bind.sh python train.py => torchrun --no-python ./bind.sh python train.py {M}
if [ "$1" ]; then cat >r <<E~torchrun train.py~E~else cat >r <<E~torchrun train.py b~E~fi; sh r => if [ "$1" ]; then cat >r <<E~torchrun train.py {M}~E~else cat >r <<E~torchrun train.py b {M}~E~fi; sh r
echo "torchrun train.py" >r; if false; then echo "torchrun train.py b" >r; fi; sh r => echo "torchrun train.py {M}" >r; if false; then echo "torchrun train.py b" >r; fi; sh r
cat <<E | tee r.sh~torchrun pretrain_gpt.py~E~sbatch -N 2 r.sh => cat <<E | tee r.sh~torchrun pretrain_gpt.py {M}~E~sbatch -N 2 r.sh
FORMS
}

@test "files that are sourced, arguments and variables of a shell" {
	echo 'run() { torchrun --nnodes 1 "$@"; }; all() { torchrun train.py; }' >f
	echo 'C="torchrun train.py"; D="$C | tee log"; L=torchrun' >v
	options=()
	forms <<'FORMS'
. ./f; run train.py --x => . ./f; run train.py --x {M}
. ./v; $C => . ./v; $C {M}
. ./v; bash -c "$C" => . ./v; bash -c "$C {M}"
. ./v; ssh h "cd x; $C" => . ./v; ssh h "cd x; $C {M}"
. ./v; srun bash -c "$L --node_rank \$R train.py" => . ./v; srun bash -c "$L --node_rank \$R train.py {M}"
export E=train.py; srun sh -c 'torchrun $E --x' => export E=train.py; srun sh -c 'torchrun $E --x {M}'
bash -c 'torchrun "$@"' _ train.py --x => bash -c 'torchrun "$@" {M}' _ train.py --x
cat >r <<'E'~torchrun "$@"~E~bash r train.py => cat >r <<'E'~torchrun "$@" {M}~E~bash r train.py
cat >r.sh <<'E'~exec "$@"~E~mpirun -n 2 bash r.sh python train.py => cat >r.sh <<'E'~exec "$@" {M}~E~mpirun -n 2 bash r.sh python train.py
FORMS
	for script in '. ./f; all' '. ./v; eval "$D"' '. ./v; ssh h "cd x; $D"'; do
		run -3 --separate-stderr msp-inject <<<"$script"
		[ -z "$output" ]
		has "$stderr" "[sourced]"
	done
	run -3 --separate-stderr msp-inject <<-'END'
	cat >r <<'E'
	torchrun "$@"
	E
	bash r train.py
	bash r inference.py
	END
	has "$stderr" "[not-safe]"
}

@test "other scripts are named wherever they are called" {
	while IFS='|' read -r names script; do
		run -1 --separate-stderr msp-inject <<<"$script"
		has "$stderr" "(line): $names [only-scripts]"
	done <<'SCRIPTS'
t.sh (1)|ssh h "cd /w; bash t.sh"
t.sh (1)|ssh h 'bash -s' <t.sh
t.sh (1)|bash -c "docker exec b bash t.sh"
t.sh (1)|sbatch -N 2 -J n t.sh
t.sh (1)|for h in a b; do ssh $h "bash t.sh"; done
SCRIPTS
}

@test "a string that several commands run, or that is put together of others" {
	options=()
	forms <<'FORMS'
L=torchrun; A="--x 1"; srun bash -c "$L --node_rank \$R pretrain_gpt.py $A" | tee l => L=torchrun; A="--x 1"; srun bash -c "$L --node_rank \$R pretrain_gpt.py $A {M}" | tee l
L=torchrun; P="pretrain_gpt.py --x 1"; srun bash -c "$L --node_rank \$R $P" => L=torchrun; P="pretrain_gpt.py --x 1"; srun bash -c "$L --node_rank \$R $P {M}"
L=torchrun; S=pretrain_gpt.py; C="$L $S"; ssh h "cd x; $C" => L=torchrun; S=pretrain_gpt.py; C="$L $S {M}"; ssh h "cd x; $C"
L=torchrun; S=pretrain_gpt.py; C="$L $S >log"; eval "$C" => L=torchrun; S=pretrain_gpt.py; C="$L $S {M} >log"; eval "$C"
L=torchrun; S=pretrain_gpt.py; C="$L $S"; D="cd x; $C --y | tee log"; eval "$D" => L=torchrun; S=pretrain_gpt.py; C="$L $S"; D="cd x; $C --y {M} | tee log"; eval "$D"
C="torchrun pretrain_gpt.py"; if a; then srun bash -c "$C"; else $C; fi => C="torchrun pretrain_gpt.py"; if a; then srun bash -c "$C {M}"; else $C {M}; fi
C="torchrun pretrain_gpt.py"; if a; then eval "$C"; else ssh h "$C"; fi => C="torchrun pretrain_gpt.py {M}"; if a; then eval "$C"; else ssh h "$C"; fi
C="torchrun pretrain_gpt.py"; [ "$1" ] && C="$C | tee $1"; eval "$C" => C="torchrun pretrain_gpt.py {M}"; [ "$1" ] && C="$C | tee $1"; eval "$C"
C="torchrun pretrain_gpt.py"; [ "$1" ] && C="nohup $C &"; eval "$C" => C="torchrun pretrain_gpt.py {M}"; [ "$1" ] && C="nohup $C &"; eval "$C"
if [ "$1" ]; then C="torchrun train.py | tee a"; else C="python train.py | tee b"; fi; eval "$C" => if [ "$1" ]; then C="torchrun train.py {M} | tee a"; else C="python train.py {M} | tee b"; fi; eval "$C"
A=" --x"; I="torchrun inference.py$A"; T="torchrun pretrain_gpt.py$A"; sh -c "$I"; sh -c "$T" => A=" --x"; I="torchrun inference.py$A"; T="torchrun pretrain_gpt.py$A {M}"; sh -c "$I"; sh -c "$T"
if [ "$1" ]; then C="torchrun pretrain_gpt.py"; else C="torchrun inference.py"; fi; eval "$C" => if [ "$1" ]; then C="torchrun pretrain_gpt.py {M}"; else C="torchrun inference.py"; fi; eval "$C"
FORMS
}

@test "a command that trains in one branch only is not touched" {
	while IFS= read -r script; do
		script=${script//'~'/$'\n'}
		run -3 --separate-stderr msp-inject <<<"$script"
		[ -z "$output" ]
		has "$stderr" "trains nothing: torchrun pretrain_gpt.py [not-safe]"
		echo "$script" >t.sh
		run -0 --separate-stderr msp-inject t.sh a
		has "$output" "$plain"
		run -1 --separate-stderr msp-inject t.sh b
	done <<'SCRIPTS'
case $1 in a) E=pretrain_gpt.py ;; b) E=inference.py ;; esac~torchrun $E --x
case $1 in a) C="torchrun pretrain_gpt.py" ;; b) C="torchrun inference.py" ;; esac~$C
E=inference.py; if [ "$1" = a ]; then E=pretrain_gpt.py; fi~torchrun "$E"
SCRIPTS
	run -1 --separate-stderr msp-inject <<<'torchrun $1 --x'
	has "$stderr" "is not known: 1: torchrun ... [no-launch]"
	run -0 msp-inject - pretrain_gpt.py <<<'torchrun $1 --x'
}

@test "a command put together from variables" {
	options=()
	forms <<'FORMS'
A="--a 1"; CMD="torchrun pretrain_gpt.py $A 2>&1 | tee log"; eval $CMD => A="--a 1 {M}"; CMD="torchrun pretrain_gpt.py $A 2>&1 | tee log"; eval $CMD
P="numactl -N 0"; C="torchrun pretrain_gpt.py $X"; srun bash -c "R=\$ID $P $C" => P="numactl -N 0"; C="torchrun pretrain_gpt.py $X"; srun bash -c "R=\$ID $P $C {M}"
L="torchrun --n 8"; C="pretrain_gpt.py --a 1"; eval "$L $C 2>&1 | tee log" => L="torchrun --n 8"; C="pretrain_gpt.py --a 1"; eval "$L $C {M} 2>&1 | tee log"
L="torchrun --n 8"; C="pretrain_gpt.py --a 1"; CMD="$L $C --b 2 | tee log"; eval "$CMD" => L="torchrun --n 8"; C="pretrain_gpt.py --a 1"; CMD="$L $C --b 2 {M} | tee log"; eval "$CMD"
L="torchrun --n 8"; E=pretrain_gpt.py; A="--a 1"; ssh n1 "cd /w; $L $E $A | tee log" => L="torchrun --n 8"; E=pretrain_gpt.py; A="--a 1"; ssh n1 "cd /w; $L $E $A {M} | tee log"
L="torchrun --n 8"; E=pretrain_gpt.py; A="--a 1"; C="$L $E $A"; bash -c "cd /w; $C" => L="torchrun --n 8"; E=pretrain_gpt.py; A="--a 1"; C="$L $E $A {M}"; bash -c "cd /w; $C"
A="--a 1 "; L="torchrun "; C=" $(pwd)/pretrain_gpt.py $A "; srun bash -c "$L --node_rank \$ID $C" => A="--a 1 "; L="torchrun "; C=" $(pwd)/pretrain_gpt.py $A "; srun bash -c "$L --node_rank \$ID $C {M}"
cd $(d); L="torchrun"; C=" `pwd`/pretrain_gpt.py "; srun bash -c "$L --node_rank \$ID $C" => cd $(d); L="torchrun"; C=" `pwd`/pretrain_gpt.py "; srun bash -c "$L --node_rank \$ID $C {M}"
D=$(d); C="torchrun pretrain_gpt.py --a 1"; C="$C $D"; bash -c "$C | tee log" => D=$(d); C="torchrun pretrain_gpt.py --a 1"; C="$C $D {M}"; bash -c "$C | tee log"
FORMS
}

@test "wrappers that are given the launch" {
	options=()
	forms <<'FORMS'
srun sh -c "cd $D && $D/bind.sh --cpu=$D/x.sh python -u pretrain_gpt.py" => srun sh -c "cd $D && $D/bind.sh --cpu=$D/x.sh python -u pretrain_gpt.py {M}"
bash wrap.sh 3 torchrun pretrain_gpt.py | tee log => bash wrap.sh 3 torchrun pretrain_gpt.py {M} | tee log
python -m debugpy --listen 0.0.0.0:5678 --wait-for-client pretrain_gpt.py => python -m debugpy --listen 0.0.0.0:5678 --wait-for-client pretrain_gpt.py {M}
python -m cProfile -o out pretrain_gpt.py --a => python -m cProfile -o out pretrain_gpt.py --a {M}
C="python pretrain_gpt.py"; deepspeed --no_python bash -c "$C" => C="python pretrain_gpt.py {M}"; deepspeed --no_python bash -c "$C"
torchrun --no-python bash -c 'python pretrain_gpt.py' => torchrun --no-python bash -c 'python pretrain_gpt.py {M}'
FORMS
	run -1 msp-inject <<<'bash wrap.sh python convert_ckpt.py'
	run -1 msp-inject <<<'python -m py_compile pretrain_gpt.py'
}

@test "a training of another framework, by its arguments" {
	while IFS= read -r script; do
		run -3 --separate-stderr msp-inject <<<"$script"
		[ -z "$output" ]
		has "$stderr" "[other-framework]"
	done <<'SCRIPTS'
torchrun train.py --model_name_or_path x --output_dir y
accelerate launch train.py --output-dir y "$@"
torchrun finetune.py --micro_batch_size 1 --num_epochs 2
python train.py model.lr=3 trainer.n=$N
python train_dpo.py --config-name x
torchrun train.py --config x.yaml
accelerate launch src/train.py $D/x.yaml
torchrun pretrain_own.py --mm-model $M --micro-batch-size 1
SCRIPTS
	options=()
	forms <<'FORMS'
torchrun train.py --micro-batch-size 1 --own_option => torchrun train.py --micro-batch-size 1 --own_option {M}
torchrun train.py $ARGS => torchrun train.py $ARGS {M}
deepspeed pretrain_gpt.py $ARGS --deepspeed_config x => deepspeed pretrain_gpt.py $ARGS --deepspeed_config x {M}
FORMS
	options=(--entry train.py)
	forms <<<'torchrun train.py --own_option => torchrun train.py --own_option {M}'
}

@test "a string whose parts the job's shell reads" {
	options=()
	forms <<'FORMS'
export C="torchrun pretrain_gpt.py --a $X"; srun bash -c '$C' => export C="torchrun pretrain_gpt.py --a $X"; srun bash -c '$C {M}'
export L="torchrun --h $(h)" C="pretrain_gpt.py --a 1"; srun -l bash -c '$L --node_rank $SLURM_PROCID $C' | tee log => export L="torchrun --h $(h)" C="pretrain_gpt.py --a 1"; srun -l bash -c '$L --node_rank $SLURM_PROCID $C {M}' | tee log
export C="torchrun pretrain_gpt.py"; mpirun -np 2 bash -c '$C' => export C="torchrun pretrain_gpt.py"; mpirun -np 2 bash -c '$C {M}'
FORMS
	run -1 msp-inject <<<'export C="torchrun pretrain_gpt.py"; ssh h '"'\$C'"
}

@test "a string that a branch changes" {
	options=()
	forms <<'FORMS'
D=$(d); C="torchrun pretrain_gpt.py"; if [ $D ]; then C="$C --a"; else C="$C --b"; fi; bash -c "x; $C | tee log" => D=$(d); C="torchrun pretrain_gpt.py"; if [ $D ]; then C="$C --a {M}"; else C="$C --b {M}"; fi; bash -c "x; $C | tee log"
D=$(d); C="torchrun pretrain_gpt.py"; if [ $D ]; then C="$C --a"; fi; ssh h "bash -c \"$C\"" => D=$(d); C="torchrun pretrain_gpt.py"; if [ $D ]; then C="$C --a"; fi; ssh h "bash -c \"$C {M}\""
D=$(d); C="torchrun pretrain_gpt.py"; if [ $D ]; then C="$C --a"; fi; eval "$C" => D=$(d); C="torchrun pretrain_gpt.py"; if [ $D ]; then C="$C --a"; fi; eval "$C" {M}
D=$(d); C="torchrun pretrain_gpt.py"; if [ $D ]; then C="$C | tee log"; fi; eval "$C" => D=$(d); C="torchrun pretrain_gpt.py {M}"; if [ $D ]; then C="$C | tee log"; fi; eval "$C"
D=$(d); C="torchrun pretrain_gpt.py"; if [ $D ]; then C="$C --a | tee log"; else C="$C --b"; fi; eval $C => D=$(d); C="torchrun pretrain_gpt.py"; if [ $D ]; then C="$C --a {M} | tee log"; else C="$C --b {M}"; fi; eval $C
D=$(d); C="torchrun pretrain_gpt.py"; if [ $D ]; then C="$C --a >log"; else C="$C --b"; fi; bash -c "$C" => D=$(d); C="torchrun pretrain_gpt.py"; if [ $D ]; then C="$C --a {M} >log"; else C="$C --b {M}"; fi; bash -c "$C"
FORMS
}

@test "many branches leave of a string what they have in common" {
	local k sets='C="torchrun pretrain_gpt.py --z 1"'
	for k in 1 2 3 4 5 6; do
		sets+="; if [ -n \"\$(x)\" ]; then C=\"\$C --a $k\"; fi"
	done
	options=()
	forms <<<"$sets; bash -c \"\$C --b 1\" => $sets; bash -c \"\$C --b 1 {M}\"
$sets; C=\"x; \$C\"; eval \$C => $sets; C=\"x; \$C\"; eval \$C {M}"
	# not where they differ in what ends the command
	run -3 msp-inject <<<"$sets; if [ -n \"\$(x)\" ]; then C=\"\$C | tee log\"; fi
C=\"x; \$C\"; eval \$C"
}

@test "what trains nothing is not touched" {
	while IFS= read -r script; do
		run -1 --separate-stderr msp-inject <<<"$script"
		[ -z "$output" ]
		has "$stderr" "[no-launch]"
		has "$stderr" "$plain"
	done <<'SCRIPTS'
torchrun inference.py --load x
torchrun evaluation.py
python convert_ckpt.py
python preprocess_data.py --input x
python train_tokenizer.py --input x
python pretrain_data_preprocess.py
echo torchrun pretrain_gpt.py
# torchrun pretrain_gpt.py
for w in torchrun pretrain_gpt.py; do :; done
X="torchrun pretrain_gpt.py"
command -v torchrun pretrain_gpt.py
sed -i s/a/b/ pretrain_gpt.py
pkill -f pretrain_gpt.py
python - pretrain_gpt.py <x
python -c 'x' pretrain_gpt.py
torchrun --nproc_per_node 8 -m own.cli --config ${C:-pretrain_own.py}
SCRIPTS
}

@test "commands without a name, empty words: nothing breaks" {
	while IFS= read -r line; do
		for form in "$line" "E=; $line" "$line | tee log" "eval '$line'" \
			"bash -c '$line'" "ssh h '$line'" "f() { $line; }; f"; do
			run -0 msp-inject <<<"$form"$'\ntorchrun pretrain_gpt.py'
			has "$output" "torchrun pretrain_gpt.py $plain"
		done
	done <<'LINES'
"" x
"" -p x
$E x
"$E" x
"" ""
nohup "" x
env "" x
bash "" x
bash -c ""
python "" x
python -m "" x
eval "" x
ssh "" ""
docker exec "" ""
tee ""
cat >"" <<<x
source ""
cd ""
LINES
}

@test "what trains nothing is named" {
	run -1 --separate-stderr msp-inject <<<$'P=tools\ntorchrun $X inference.py\n\npython $P/a.py\npython $(x)/b.py x.py\n'
	has "$stderr" 'stdin:2: error:'
	has "$stderr" 'by their names: 2: torchrun inference.py; 4: python tools/a.py; 5: python ... [no-launch]'
	has "$stderr" 'with --entry inference.py, or'
	run -0 msp-inject --entry inference.py <<<$'torchrun inference.py\npython a.py'
	has "$output" "torchrun inference.py $plain"
	run -1 --separate-stderr msp-inject <<<$'for i in 1 2 3 4 5; do echo; done\npython a.py; python b.py; python c.py; python d.py; python e.py'
	has "$stderr" '2: python d.py; ... [no-launch]'
	run -1 --separate-stderr msp-inject <<<'false && python a.py'
	hasnt "$stderr" 'a.py'
}

@test "refusals: id, status, nothing on standard output" {
	while IFS='|' read -r status id options script; do
		# shellcheck disable=SC2086
		run -"$status" --separate-stderr msp-inject $options \
			<<<"${script//'~'/$'\n'}"
		[ -z "$output" ] || { echo "output for $script"; return 1; }
		has "$stderr" "[$id]"
	done <<'CASES'
3|several||torchrun pretrain_gpt.py~torchrun posttrain_gpt.py
1|only-scripts||bash other.sh
1|only-scripts||source setenv.sh; nohup bash train.sh &
3|other-framework||python rlhf_gpt.py
3|other-framework||torchrun pretrain_vlm.py
3|other-framework||python3 -m verl.trainer.main_ppo
3|dashdash||torchrun pretrain_gpt.py -- --x
3|not-safe|-f|C="torchrun pretrain_gpt.py --~a 1"; C=$D$C ""; bash -c "$C~| tee log"
3|profiled||torchrun pretrain_gpt.py --profile
3|profiled||A="--x 1 --profile-level level2"~torchrun pretrain_gpt.py $A
3|placeholder||A=<master>~torchrun pretrain_gpt.py
3|open-heredoc||cat <<END~torchrun pretrain_gpt.py
3|no-command|-L 9|torchrun pretrain_gpt.py
3|no-end|-s 2:-1|torchrun pretrain_gpt.py
3|many-steps|-s 2:20|torchrun pretrain_gpt.py
3|path-characters|-o a(b)|torchrun pretrain_gpt.py
3|no-rank|-r 8|torchrun --nproc_per_node 8 pretrain_gpt.py
3|few-iters|-b mcore -s 5:7|torchrun pretrain_gpt.py --train-iters 3
3|stop|-x|torchrun pretrain_gpt.py --save x --enable-mg2hf-convert
3|each-node|-r each-node|torchrun pretrain_gpt.py
2|step-start|-s 0:2|torchrun pretrain_gpt.py
2|step-end|-s 4:4|torchrun pretrain_gpt.py
2|ranks|-r x|torchrun pretrain_gpt.py
2|level|-l 3|torchrun pretrain_gpt.py
2|usage|--keep --override|torchrun pretrain_gpt.py
2|list-word|--profile-ranks 0 8|torchrun pretrain_gpt.py
2|switch-word|--profile-with-memory true|torchrun pretrain_gpt.py
CASES
}

@test "the request in options and environment" {
	echo 'torchrun pretrain_gpt.py' >t.sh
	export PROFILE_LEVEL=level2 PROFILE_STEP_START=3 PROFILE_STEP_END=5 \
		PROFILE_RANKS=0,1 PROFILE_WITH_CPU=no PROFILE_WITH_MEMORY=yes \
		PROFILE_WITH_STACK=1 PROFILE_RECORD_SHAPES=on \
		PROFILE_SAVE_PATH="a b" PROFILE_EXPORT_TYPE=db \
		PROFILE_DATA_SIMPLIFICATION=true
	want="torchrun pretrain_gpt.py --profile --profile-step-start 3 --profile-step-end 5 --profile-ranks 0 1 --profile-level level2 --profile-with-memory --profile-with-stack --profile-record-shapes --profile-save-path 'a b' --profile-export-type db --profile-data-simplification"
	same "$want" "$(inject t.sh)"
	same "torchrun pretrain_gpt.py $plain --profile-export-type text" \
		"$(inject -s 2:4 -r 0 -l 1 --no-profile-with-memory --no-profile-with-stack \
			--profile-with-cpu --no-profile-record-shapes -o ./profiling_output \
			--profile-export-type text --no-profile-data-simplification --profile t.sh)"
	PROFILE_WITH_CPU=maybe run -2 --separate-stderr msp-inject t.sh
	has "$stderr" PROFILE_WITH_CPU
}

# Runs each form of launch with this save path; torchrun prints its last word.
quoting() {
	local path=$1 script
	while IFS= read -r script; do
		printf '%s\n' "${script//'~'/$'\n'}" >q.sh
		msp-inject -f -o "$path" q.sh >p.sh 2>err || {
			cat err
			return 1
		}
		bash p.sh >out
		[ ! -s out ] || mv out got
		printf '%s\0' "$path" | cmp - got || {
			cat p.sh
			return 1
		}
	done <<'SCRIPTS'
torchrun pretrain_gpt.py
bash -c "torchrun pretrain_gpt.py"
bash -c 'torchrun pretrain_gpt.py'
bash -c $'torchrun pretrain_gpt.py'
eval "torchrun pretrain_gpt.py"
eval torchrun pretrain_gpt.py
CMD="torchrun pretrain_gpt.py; true"; eval "$CMD"
CMD=(torchrun pretrain_gpt.py); "${CMD[@]}"
ssh h torchrun pretrain_gpt.py
ssh h "bash -c 'torchrun pretrain_gpt.py'"
bash -c "bash -c 'torchrun pretrain_gpt.py'"
bash -c 'bash -c "torchrun pretrain_gpt.py"'
bash <<END~torchrun pretrain_gpt.py~END
bash <<'END'~torchrun pretrain_gpt.py~END
f() { "$@"; }; f true; f torchrun pretrain_gpt.py
f() { bash -c "$1"; }; f true; f "torchrun pretrain_gpt.py"
bash -c 'torchrun pretrain_gpt.py --d '\''a b'\'''
ssh h bash <<END~eval "torchrun pretrain_gpt.py; true"~END
bash <<'END'~ssh h 'bash -c "torchrun pretrain_gpt.py"'~END
C=$'torchrun pretrain_gpt.py; true'; eval "$C"
C="ssh h 'torchrun pretrain_gpt.py'"; bash -c "$C"
ssh h bash <<-END~	C="torchrun pretrain_gpt.py"; eval "\$C"~	END
bash -c "bash <<'END'~torchrun pretrain_gpt.py~END"
X=`bash -c 'torchrun pretrain_gpt.py >got'`
bash <<<"torchrun pretrain_gpt.py"
bash <<<'torchrun pretrain_gpt.py'
echo "torchrun pretrain_gpt.py" | bash
echo 'torchrun pretrain_gpt.py' | ssh h bash -s
printf '%s\n' "torchrun pretrain_gpt.py" | bash
cat <<END | bash~torchrun pretrain_gpt.py~END
ssh h 'bash -s' <<'END'~torchrun pretrain_gpt.py~END
echo 'torchrun pretrain_gpt.py' >r; bash r
echo "true" >r; echo "torchrun pretrain_gpt.py" >>r; . ./r
cat >r <<END~torchrun pretrain_gpt.py~END~ssh h "bash r"
L=torchrun S=pretrain_gpt.py; C="$L $S"; bash -c "$C"
L=torchrun S=pretrain_gpt.py; C="$L $S"; bash -c "bash -c '$C; true'"
L=torchrun S='pretrain_gpt.py'; bash -c "$L $S"
C="torchrun pretrain_gpt.py"; if false; then bash -c "$C"; else $C; fi
C='torchrun pretrain_gpt.py'; if true; then bash -c "$C"; else $C; fi
C="torchrun pretrain_gpt.py"; true && C="$C | cat"; eval "$C"
C=(torchrun pretrain_gpt.py "a b"); ssh h "$(printf '%q ' "${C[@]}")"
ssh h "docker() { shift 2; \"\$@\"; }; docker exec c bash -c \"torchrun pretrain_gpt.py\""
cat >r <<'END'~C="torchrun pretrain_gpt.py"~eval "$C" | cat~END~bash r
[ "$1" ] && C="x" || C=true; C="$C; torchrun pretrain_gpt.py"; eval "$C"
SCRIPTS
}

@test "a save path survives every quoting" {
	mkdir -p bin
	printf '#!/bin/bash\nprintf "%%s\\0" "${@: -1}"\n' >bin/torchrun
	printf '#!/bin/bash\nshift\nexec bash -c "$*"\n' >bin/ssh
	chmod +x bin/*
	PATH=$PWD/bin:$PATH
	quoting $'it\'s "a" $HOME `x` \\ ;&|<>(){}*?~#!\tend\n$(x)'
	RANDOM=7
	for _ in 1 2 3 4 5 6 7 8; do
		path=.
		while ((${#path} < 12)); do
			printf -v byte '\\x%02x' $((RANDOM % 127 + 1))
			printf -v byte "$byte"
			path+=$byte
			((RANDOM % 3)) || path+=\'
			((RANDOM % 3)) || path+=\\
		done
		quoting "$path"
	done
}

@test "what profiles already: keep, override, the same bytes again" {
	train
	msp-inject -x train.sh >once.sh 2>err
	run -3 --separate-stderr msp-inject -x once.sh
	has "$stderr" "[profiled]"
	has "$stderr" "--profile-step-start 2"
	msp-inject --keep once.sh >kept.sh 2>err
	cmp <(sed '$d' once.sh) <(sed '$d' kept.sh)
	msp-inject -x --override once.sh >twice.sh 2>err
	cmp <(sed '$d' once.sh) <(sed '$d' twice.sh)
	msp-inject train.sh >plain.sh 2>err
	msp-inject --override plain.sh >again.sh 2>err
	cmp <(sed '$d' plain.sh) <(sed '$d' again.sh)
	msp-inject >once.sh 2>err <<<'torchrun train.py b\\'
	msp-inject --override once.sh >again.sh 2>err
	cmp <(sed '$d' once.sh) <(sed '$d' again.sh)
	msp-inject -x >once.sh 2>err <<<'torchrun train_fsdp2.py a.yaml --x'
	msp-inject -x --override once.sh >again.sh 2>err
	cmp <(sed '$d' once.sh) <(sed '$d' again.sh)
	msp-inject --override once.sh >again.sh 2>err
	same "torchrun train_fsdp2.py a.yaml --x $dotted" "$(sed '$d' again.sh)"
	options=(--override)
	forms <<'FORMS'
torchrun pretrain_gpt.py --profile --profile-ranks 0 8 --x 1 => torchrun pretrain_gpt.py --x 1 {M}
A="--profile --profile-level=level2 --x 1"~torchrun pretrain_gpt.py $A => A=" --x 1"~torchrun pretrain_gpt.py $A {M}
A=(--profile~  --profile-save-path "a b"~  --x 1)~torchrun pretrain_gpt.py "${A[@]}" => A=(~~  --x 1)~torchrun pretrain_gpt.py "${A[@]}" {M}
torchrun train_fsdp2.py x.yaml --training.profile true --training.profile_ranks 0 1 => torchrun train_fsdp2.py x.yaml {F}
D=./p~A="~ --profile \~ --profile-save-path ${D} \~"~torchrun pretrain_gpt.py $A~rm -rf ${D} => D=./p~A="~ \~"~torchrun pretrain_gpt.py $A {M}~rm -rf ${D}
S=5; torchrun pretrain_gpt.py --profile-step-start ${S} --profile-step-end $((S+2)) --x => S=5; torchrun pretrain_gpt.py --x {M}
A="--profile-step-start ${S:-5} --profile-level $L --x"~torchrun pretrain_gpt.py $A => A=" --x"~torchrun pretrain_gpt.py $A {M}
R="0 1"; torchrun pretrain_gpt.py --profile-ranks $R --x => R="0 1"; torchrun pretrain_gpt.py --x {M}
R=1; A=--y; torchrun pretrain_gpt.py --profile-ranks 0 $R $A => R=1; A=--y; torchrun pretrain_gpt.py $A {M}
torchrun pretrain_gpt.py --x --profile-ranks 0 "$@" => torchrun pretrain_gpt.py --x "$@" {M}
torchrun pretrain_gpt.py --profile-save-path="./p_$(date)/x y" --x => torchrun pretrain_gpt.py --x {M}
torchrun pretrain_gpt.py --profile-save-path "${D:-./p}/x y" --x => torchrun pretrain_gpt.py --x {M}
A=("--profile" "--x")~torchrun pretrain_gpt.py "${A[@]}" => A=( "--x")~torchrun pretrain_gpt.py "${A[@]}" {M}
for l in level0 level1; do torchrun pretrain_gpt.py --profile-level $l --x; done => for l in level0 level1; do torchrun pretrain_gpt.py --x {M}; done
for a in --x "--profile --y"; do torchrun pretrain_gpt.py $a; done => for a in --x " --y"; do torchrun pretrain_gpt.py $a {M}; done
if [ "$1" ]; then A="--profile --a"; else A="--profile-level level2"; fi~torchrun pretrain_gpt.py $A => if [ "$1" ]; then A=" --a"; else A=""; fi~torchrun pretrain_gpt.py $A {M}
CMD="torchrun pretrain_gpt.py --profile --x | cat"; echo "$CMD"; eval "$CMD" => CMD="torchrun pretrain_gpt.py --x {M} | cat"; echo "$CMD"; eval "$CMD"
ssh h 'torchrun pretrain_gpt.py --profile-ranks 0 1 --x; true' => ssh h 'torchrun pretrain_gpt.py --x {M}; true'
A=--profile; bash -c "torchrun pretrain_gpt.py $A --x" => A=; bash -c "torchrun pretrain_gpt.py $A --x {M}"
C="bash -c \"torchrun pretrain_gpt.py --profile-level level0\""; eval "$C" => C="bash -c \"torchrun pretrain_gpt.py {M}\""; eval "$C"
C="torchrun pretrain_gpt.py --profile-save-path \"a b\" --x"; eval "$C" => C="torchrun pretrain_gpt.py --x"; eval "$C" {M}
torchrun pretrain_gpt.py --profile-level level1 --exit-interval 500 => torchrun pretrain_gpt.py --exit-interval 500 {M}
FORMS
}

@test "an old argument whose text is used elsewhere is not removed" {
	echo 'A=--profile' >args.inc
	while IFS= read -r script; do
		run -3 --separate-stderr msp-inject --override \
			<<<"${script//'~'/$'\n'}"
		same "" "$output"
		has "$stderr" "[cannot-remove]"
	done <<'SCRIPTS'
A="--x --profile"~python convert.py $A~torchrun pretrain_gpt.py $A
A="--x --profile"~echo "$A"~torchrun pretrain_gpt.py $A
A="--x --profile"~bash -c "python convert.py $A; torchrun pretrain_gpt.py $A"
A=--profile~[[ $A ]] && rm -rf x~torchrun pretrain_gpt.py $A
A=--profile~torchrun pretrain_gpt.py "$A" --x
A=--profile~torchrun pretrain_gpt.py $A | tee $A.log
S="5 --x"~torchrun pretrain_gpt.py --profile-step-start $S
torchrun pretrain_gpt.py --profile-{ranks,level} 0
source args.inc~torchrun pretrain_gpt.py $A
SCRIPTS
	run -3 --separate-stderr msp-inject -L 2 --override \
		<<<$'A=--profile\ntorchrun pretrain_gpt.py $A\ntorchrun pretrain_gpt.py $A'
	has "$stderr" "[cannot-remove]"
	run -3 --separate-stderr msp-inject -L 1 <<<'runner my.py --profile --x'
	has "$stderr" "1: --profile [profiled]"
	run -3 --separate-stderr msp-inject \
		<<<'torchrun pretrain_gpt.py --profile-save-path=$(hostname)/x'
	has "$stderr" "[profiled]"
}

@test "a string that another command is given, too, is not changed" {
	while IFS= read -r script; do
		run -3 --separate-stderr msp-inject <<<"${script//'~'/$'\n'}"
		same "" "$output"
		has "$stderr" "[not-safe]"
	done <<'SCRIPTS'
C="torchrun pretrain_gpt.py; true"~python notify.py "$C"~eval "$C"
C="torchrun pretrain_gpt.py; true"~[[ $C == *py\;* ]] && rm -rf x~eval "$C"
SCRIPTS
	options=()
	forms <<'FORMS'
C="torchrun pretrain_gpt.py; true"~echo "$C" >>log~eval "$C" => C="torchrun pretrain_gpt.py {M}; true"~echo "$C" >>log~eval "$C"
FORMS
}

@test "what was injected is replaced in every nesting" {
	while IFS= read -r script; do
		for path in p 'a b' "it's"; do
			msp-inject -q -f -x -o "$path" \
				<<<"${script//'~'/$'\n'}" >once.sh 2>err
			msp-inject -q -f -x -o "$path" --override once.sh \
				>twice.sh 2>err || { cat err once.sh; return 1; }
			same "$(sed '$d' once.sh)" "$(sed '$d' twice.sh)"
			msp-inject -q <<<"${script//'~'/$'\n'}" >plain.sh 2>err
			msp-inject -q --override once.sh >other.sh 2>err
			same "$(sed '$d' plain.sh)" "$(sed '$d' other.sh)"
		done
	done <<'SCRIPTS'
torchrun pretrain_gpt.py --save a >log
bash -c "torchrun pretrain_gpt.py --save a; true"
bash -c 'cd x && torchrun pretrain_gpt.py | tee log'
ssh h "bash -c 'torchrun pretrain_gpt.py --save a'"
eval "torchrun pretrain_gpt.py | cat"
C="torchrun pretrain_gpt.py --save a"; eval "$C"
C="torchrun pretrain_gpt.py; true"; eval "$C"
C=(torchrun pretrain_gpt.py); "${C[@]}"
bash <<END~torchrun pretrain_gpt.py --save a | tee log~END
ssh h bash <<'END'~torchrun pretrain_gpt.py \~  --save a~END
f() { bash -c "$1"; }; f "torchrun pretrain_gpt.py --save a"
x=`torchrun pretrain_gpt.py`
torchrun pretrain_gpt.py \ ~  --save a
SCRIPTS
}

@test "what the YAML of a launch says about profiling" {
	printf 'training:\n  profile: true\n' >on.yaml
	printf 'training:\n  profile: false\n  profile_with_stack: true\n  profile_export_type: db\n  profile_with_memory: false\n' >off.yaml
	echo 'torchrun train_fsdp2.py on.yaml' >on.sh
	run -3 --separate-stderr msp-inject on.sh
	has "$stderr" "on.yaml:2: profile: true"
	same "torchrun train_fsdp2.py on.yaml $dotted" "$(inject --override on.sh)"
	same "torchrun train_fsdp2.py on.yaml" "$(inject --keep on.sh)"
	same "torchrun train_fsdp2.py on.yaml $dotted" "$(inject --override \
		<<<'torchrun train_fsdp2.py on.yaml --training.profile true')"
	# What a merge or flow style may hide is switched off.
	printf 'b: &b {profile_with_stack: true}\ntraining:\n  <<: *b\n' >m.yaml
	has "$(inject <<<'torchrun train_fsdp2.py m.yaml')" \
		"$dotted --training.profile_with_memory false --training.profile_with_stack false"
	printf 'training:\n  profile: y\n' >y.yaml
	run -3 --separate-stderr msp-inject <<<'torchrun train_fsdp2.py y.yaml'
	has "$stderr" "y.yaml:2: profile: y"
	same "torchrun train_fsdp2.py off.yaml $dotted --training.profile_with_stack false --training.profile_export_type text" \
		"$(inject <<<'torchrun train_fsdp2.py off.yaml')"
}

@test "each launch has what it needs of -x" {
	printf 'torchrun pretrain_gpt.py --save a\ntorchrun pretrain_gpt.py\n' >t.sh
	same "torchrun pretrain_gpt.py --save a $plain --exit-interval 7 --save ''
torchrun pretrain_gpt.py $plain --exit-interval 7" "$(inject -a -x t.sh)"
}

@test "-a, -L, --entry" {
	printf 'torchrun pretrain_gpt.py\ntorchrun posttrain_gpt.py\nrunner my.py a\n' >t.sh
	same 2 "$(inject -a t.sh | grep -c -- --profile-ranks)"
	same "torchrun posttrain_gpt.py $plain" "$(inject -L 2 t.sh | sed -n 2p)"
	same "runner my.py a $plain" "$(inject -L 3 t.sh | sed -n 3p)"
	printf 'eval "torchrun train.py --a; torchrun train.py --b"\n' >o.sh
	run -3 --separate-stderr msp-inject o.sh
	hasnt "$stderr" "-L"
	run -0 --separate-stderr msp-inject -a o.sh
	same 1 "$(grep -c runs-on <<<"$stderr")"
	printf 'torchrun my.py\n' >e.sh
	run -1 --separate-stderr msp-inject e.sh
	same "torchrun my.py $plain" "$(inject --entry 'my*.py' e.sh)"
}

@test "-L: what the line starts, also in a string; never behind a string" {
	while IFS='|' read -r n script want; do
		script=${script//'~'/$'\n'} want=${want//'~'/$'\n'}
		same "${want//'{M}'/$plain}" "$(inject -L "$n" <<<"$script")"
	done <<'CASES'
1|bash -c "torchrun my.py --x; date"|bash -c "torchrun my.py --x {M}; date"
2|C="python my.py"~ssh h "$C"|C="python my.py {M}"~ssh h "$C"
1|torchrun "$E" --x|torchrun "$E" --x {M}
2|E=a.py; [ "$1" ] && E=train.py~torchrun $E|E=a.py; [ "$1" ] && E=train.py~torchrun $E {M}
1|bash run.sh x|bash run.sh x {M}
CASES
	for script in 'bash -c "runner my.py"' 'ssh h "runner my.py"' \
		'docker exec c sh -lc "runner"' $'bash <<E\nrunner\nE'; do
		run -3 --separate-stderr msp-inject -L 1 <<<"$script"
		[ -z "$output" ]
		has "$stderr" "run a string"
	done
}

@test "-x ends the training behind the trace and saves nothing" {
	same "torchrun pretrain_gpt.py --save x --train-iters 20 $plain --exit-interval 7 --save ''" \
		"$(inject -x <<<'torchrun pretrain_gpt.py --save x --train-iters 20')"
	same "torchrun pretrain_gpt.py --eval-interval 5 $plain --exit-interval 7 --eval-iters 0" \
		"$(inject -x <<<'torchrun pretrain_gpt.py --eval-interval 5')"
	same "torchrun train_fsdp2.py a.yaml $dotted --training.max_steps 7 --training.save_steps 0 --training.save_hf_weights false --training.save_epochs 0" \
		"$(inject -x <<<'torchrun train_fsdp2.py a.yaml')"
	same "torchrun train_fsdp2.py a.yaml --training.save_epochs 8 \"\$@\" $dotted --training.max_steps 7 --training.save_steps 0 --training.save_hf_weights false --training.save_epochs 0" \
		"$(inject -x <<<'torchrun train_fsdp2.py a.yaml --training.save_epochs 8 "$@"')"
	mkdir c && echo 1000 >c/latest_checkpointed_iteration.txt
	has "$(inject -x -s +2:+4 -b mcore <<<'torchrun pretrain_gpt.py --load c')" \
		"--profile-step-start 1002 --profile-step-end 1004"
	has "$(inject -x -s +2:+4 -b mcore <<<'torchrun pretrain_gpt.py --load c')" \
		"--exit-interval 1007"
	has "$(inject -x -b mcore-old <<<'torchrun pretrain_gpt.py --load c')" \
		"--exit-interval 1007"
}

@test "warnings do not stop it, unless -W" {
	while IFS='|' read -r id options script; do
		# shellcheck disable=SC2086
		run -0 --separate-stderr msp-inject $options \
			<<<"${script//'~'/$'\n'}"
		has "$stderr" "[$id]"
		# shellcheck disable=SC2086
		run -1 --separate-stderr msp-inject -W $options \
			<<<"${script//'~'/$'\n'}"
		[ -z "$output" ]
	done <<'CASES'
runs-on||torchrun pretrain_gpt.py
some-steps|-s 2:7|torchrun pretrain_gpt.py
without-cpu|-m --no-profile-with-cpu|torchrun pretrain_gpt.py
ends-early||torchrun pretrain_gpt.py \ ~  --x 1
backslash-blank||torchrun pretrain_gpt.py \ ~  --x 1
ends-early||torchrun pretrain_gpt.py~  $GPT_ARGS
comment-inside||torchrun pretrain_gpt.py \~  # c~  --x 1
node-rank||torchrun --nnodes 2 --node_rank 0 pretrain_gpt.py
evaluation||torchrun pretrain_gpt.py --eval-interval 2
window-cut|-b mcore|torchrun pretrain_gpt.py --train-iters 2
iters-maybe||torchrun pretrain_gpt.py --train-iters 3
mindspore||msrun --worker_num 8 pretrain_gpt.py
rejected|-b mindspeed --profile-export-type db|torchrun pretrain_gpt.py
CASES
}

@test "the log of the last run" {
	mkdir logs && echo x >logs/t.log
	run -0 --separate-stderr msp-inject <<<'torchrun pretrain_gpt.py | tee logs/t.log'
	has "$stderr" "[log-overwritten]"
	run -0 --separate-stderr msp-inject <<<'torchrun pretrain_gpt.py >logs/t.log 2>&1'
	has "$stderr" "[log-overwritten]"
	: >logs/empty
	for to in '-a logs/t.log' '-ia logs/t.log' logs/empty /dev/null; do
		run -0 --separate-stderr msp-inject \
			<<<"torchrun pretrain_gpt.py | tee $to"
		hasnt "$stderr" "[log-overwritten]"
	done
}

@test "the framework beside the entry decides what is recorded" {
	echo 'torchrun pretrain_gpt.py' >t.sh
	has "$(msp-inject -n t.sh)" "2-3 (MindSpeed-LLM since"
	mkdir -p mindspeed_llm/training && : >pretrain_gpt.py
	echo 'skip_first = args.profile_step_start - args.iteration - 2' \
		>mindspeed_llm/training/training.py
	echo "__version__ = '2.3.0'" >setup.py
	has "$(msp-inject -n t.sh)" "MindSpeed-LLM 2.3.0"
	has "$(msp-inject -n -F tsv t.sh)" $'plan\trecords\t2-3'
	echo 'skip_first = args.profile_step_start' \
		>mindspeed_llm/training/training.py
	has "$(msp-inject -n -F tsv t.sh)" $'plan\trecords\t4-5'
	has "$(msp-inject -n -F tsv t.sh)" $'plan\tbackend\tmcore-old'
	echo "'--profile-level' '--profile-with-cpu' '--profile-save-path'" \
		>mindspeed_llm/training/arguments.py
	run -0 --separate-stderr msp-inject --profile-export-type db -m t.sh
	has "$stderr" "rejects --profile-export-type [rejected]"
	has "$stderr" "rejects --profile-with-memory [rejected]"
	hasnt "$stderr" "rejects --profile-level"
}

# plan WANT OPTIONS SCRIPT: the row of the plan that WANT begins with.
plan() {
	local got
	# shellcheck disable=SC2086
	got=$(msp-inject -n $2 <<<"$3")
	has "$got" "  $1"
}

# checkout: MindSpeed-LLM since September 2025 beside pretrain_gpt.py.
checkout() {
	mkdir -p mindspeed_llm/training && : >pretrain_gpt.py
	echo 'skip_first = args.profile_step_start - args.iteration - 2' \
		>mindspeed_llm/training/training.py
}

@test "what a script that was refused would record is not claimed" {
	checkout
	run -3 msp-inject -n <<<$'torchrun pretrain_gpt.py\ntorchrun pretrain_gpt.py'
	has "$output" "[several]"
	hasnt "$output" "records"
	hasnt "$output" "backend"
	run -3 msp-inject -n -F tsv <<<'torchrun pretrain_gpt.py --profile'
	has "$output" $'plan\tbackend\t-'
	has "$output" $'plan\trecords\t-'
}

@test "frameworks that cannot profile on NPUs, or not all ranks" {
	mkdir modellink ascendspeed && : >pretrain_gpt.py
	echo "group.add_argument('--profile-backward')" >ascendspeed/arguments.py
	run -0 msp-inject -n <<<'torchrun pretrain_gpt.py'
	has "$output" "backend        AscendSpeed from before it could profile"
	has "$output" "records        nothing"
	has "$output" "rejects --profile, --profile-step-start, "
	hasnt "$output" "[runs-on]"
	rm -r ascendspeed && echo "group.add_argument('--lr')" >modellink/arguments.py
	run -0 msp-inject -n <<<'torchrun pretrain_gpt.py'
	has "$output" "backend        ModelLink from before"
	has "$output" "rejects --profile-level, --profile-with-cpu, --profile-save-path [rejected]"
	printf '%s\n' "'--profile-level'" "'--profile-with-cpu'" \
		"'--profile-save-path'" >>modellink/arguments.py
	printf '%s\n' 'skip_first = args.profile_step_start' \
		'if get_rank() in args.profile_ranks:' >modellink/training.py
	echo "__version__ = '0.0.1'" >setup.py
	run -3 msp-inject -n -r all <<<'torchrun --nproc_per_node 4 pretrain_gpt.py'
	has "$output" "Mcore before September 2025, ModelLink (found beside"
	has "$output" "-1 is no rank"
	has "$output" "-r 0-3"
	echo 'if args.profile_ranks == [-1]:' >>modellink/training.py
	run -0 msp-inject -n -r all <<<'torchrun pretrain_gpt.py'
	run -0 msp-inject -n -b mcore <<<'torchrun pretrain_gpt.py'
	has "$output" "backend        Mcore (by -b)"
}

@test "where the training ends decides what is recorded and said" {
	checkout
	local t='torchrun pretrain_gpt.py'
	plan 'ends           after iteration 5 (--train-iters), no' -x "$t --train-iters 5"
	plan 'ends           after iteration 4' '' "$t --exit-interval 4 --train-iters 9"
	plan 'ends           after iteration 7 (--exit' -x "$t --exit-interval 4"
	plan 'records        iteration 2; the trace is written when' '' "$t --train-iters 2"
	plan 'records        nothing' '-f -s 5:7' "$t --exit-interval 3"
	plan 'steps          from 2, end -1' '-f -s 2:-1' "$t"
	plan 'ends           after iteration 9' '-f -x -s 2:-1' "$t --train-iters 9"
	plan 'records        iteration 2 (MindSpeed' '-s 2:3' 'torchrun x/pretrain_gpt.py'
	run -3 msp-inject -n -s 5:7 <<<"$t --train-iters 3"
	has "$output" "-s 2:4, or set --train-iters to 6 or more"
	run -0 msp-inject -n -s 2:4 <<<"$t --train-iters 3"
	run -3 msp-inject -n -s 5:7 <<<"$t --train-iters 1"
	hasnt "$output" "-s "
	mkdir c && echo 1000 >c/latest_checkpointed_iteration.txt
	run -3 msp-inject -n -s +2:+4 <<<"$t --load c --train-iters 1000"
	has "$output" "records        nothing"
	has "$output" "to 1003 or more"
	# The trace is the last that happens, or nothing is saved.
	run -0 msp-inject -n <<<"$t --train-iters 3"
	hasnt "$output" "[runs-on]"
	run -0 msp-inject -n <<<"$t --train-iters 3 --save s"
	has "$output" "writes a checkpoint to s [runs-on]"
	run -0 msp-inject -n <<<"$t --save ''"
	has "$output" "runs on after the trace is written [runs-on]"
}

@test "where the training resumes from" {
	local t='torchrun pretrain_gpt.py' f='torchrun train_fsdp2.py x.yaml'
	mkdir c && echo 1 >c/latest_checkpointed_iteration.txt
	plan 'records        iterations 4-5; the trace is written after iteration 5 (one more each' \
		'-b mcore-old' "$t --load c"
	# Steps of these back ends count from there: it need not be known.
	plan 'records        iterations 4-5; the trace is written after iteration 5 (counted from' \
		'-b mcore-old -s +2:+4' "$t --load \"\$(date)\""
	run -3 msp-inject -n -s +2:+4 -b mcore <<<"$t --load \"\$(date)\""
	has "$output" "[relative]"
	# FSDP2's max_steps counts from the first run on.
	has "$(inject -x <<<"$f --training.resume_from_checkpoint o/global_step_1000/")" \
		"--training.max_steps 1007"
	plan 'records        iterations 1003-1004' '' \
		"$f --training.resume_from_checkpoint o/global_step_1000"
	run -3 msp-inject -n -x <<<"$f --training.resume_from_checkpoint o/last"
	has "$output" "[stop]"
	printf 'training:\n  resume_from_checkpoint: o/global_step_20\n' >x.yaml
	has "$(inject -x <<<"$f")" "--training.max_steps 27"
	has "$(msp-inject --yaml -x x.yaml)" "max_steps: 27"
	printf 'training:\n  resume_from_checkpoint: null\n' >x.yaml
	has "$(inject -x <<<"$f")" "--training.max_steps 7"
	printf 'training:\n  resume_from_checkpoint: o/last\n' >x.yaml
	run -3 --separate-stderr msp-inject --yaml -x x.yaml
	has "$stderr" "[stop]"
	printf 'training:\n  a: 1\n' >x.yaml
	hasnt "$(msp-inject --yaml -x -f -s 2:-1 x.yaml 2>err)" "max_steps"
}

@test "the rank of a node: only what is written in the script, by its name" {
	local t='torchrun --nnodes 2 --nproc_per_node 8'
	while IFS='|' read -r named sed script; do
		script=${script//'~'/$'\n'}
		run -0 --separate-stderr msp-inject -q <<<"$script"
		[ -n "$named" ] || {
			hasnt "$stderr" "[node-rank]"
			continue
		}
		has "$stderr" "several nodes, and $named is 0 in the script"
		has "$stderr" "sed \"$sed\""
		# The remedy does what it says.
		N=3 bash -c "sed \"$sed\"" <<<"$output" >new
		[ "$(diff <(echo "$output") new | grep -c '^> .*[ =]3')" = 1 ]
	done <<CASES
NODE_RANK|s/NODE_RANK=0/NODE_RANK=\$N/|NODE_RANK=0~$t --node_rank \$NODE_RANK pretrain_gpt.py
NODE_RANK|s/NODE_RANK=0/NODE_RANK=\$N/|export NODE_RANK=0~$t --node_rank=\$NODE_RANK pretrain_gpt.py
R|s/R=.0./R=\$N/|R="0"~$t --node-rank \$R pretrain_gpt.py
--node_rank|s/--node_rank 0/--node_rank \$N/|$t --node_rank 0 pretrain_gpt.py
--node-rank|s/--node-rank=0/--node-rank=\$N/|A="--node-rank=0"~$t \$A pretrain_gpt.py
NODE_RANK|s/NODE_RANK=0/NODE_RANK=\$N/|NODE_RANK=0~msrun --worker_num 16 --local_worker_num 8 --node_rank \$NODE_RANK pretrain_gpt.py
||NODE_RANK=\${NODE_RANK:-0}~$t --node_rank \$NODE_RANK pretrain_gpt.py
||NODE_RANK=0~torchrun --nnodes 1 --nproc_per_node 8 --node_rank \$NODE_RANK pretrain_gpt.py
||NODE_RANK=\$(hostname)~$t --node_rank \$NODE_RANK pretrain_gpt.py
CASES
}

@test "nothing is said that is not so" {
	local t='torchrun --nproc_per_node 1 pretrain_gpt.py'
	run -0 msp-inject -n <<<"$t --eval-interval 2 --split 100,0,0"
	hasnt "$output" "[evaluation]"
	run -0 msp-inject -n <<<"$t --eval-interval 2 --split 949,50,1"
	has "$output" "[evaluation]"
	run -3 msp-inject -n -r 1 <<<"$t"
	has "$output" "starts one process, rank 0 [no-rank]"
	run -3 msp-inject -n -o 'a;b' <<<"$t"
	has "$output" 'the path "a;b" because of the ";" in it'
	run -0 msp-inject -n <<<"$t --tokenizer-model /d/llama-7b/tokenizer.model"
	has "$output" "model          llama-7b (--tokenizer-model)"
	run -0 msp-inject -n \
		<<<'torchrun train_fsdp2.py x.yaml --training.output_dir o --training.save_steps 0 --training.save_epochs 0'
	hasnt "$output" "checkpoints"
	run -0 msp-inject -n -a <<<"$t"$'\n'"$t"
	has "$output" "stdin, launches on lines 1, 2: torchrun"
	mkdir 'a b' && echo x >'a b/t.log'
	run -0 msp-inject -n <<<"$t >'a b/t.log'"
	has "$output" "a b/t.log is written anew"
	has "$output" "cp 'a b/t.log' 'a b/t.log.old'"
	LC_ALL=zh_CN.UTF-8 run -0 msp-inject -n -b mcore <<<"$t"
	has "$output" "（由 -b 指定）"
	checkout
	echo "__version__ = '2.3.0'" >setup.py
	LC_ALL=zh_CN.UTF-8 run -0 msp-inject -n <<<"$t"
	has "$output" "Mcore，MindSpeed-LLM 2.3.0（位于"
}

@test "the plan: text, tsv, json, refused" {
	train
	run -0 --separate-stderr msp-inject -n -x train.sh
	same "msp-inject: ready" "${lines[0]}"
	has "$output" "iteration 7 (--exit-interval), no checkpoint is written"
	run -0 msp-inject -n -F tsv train.sh
	for key in model script npus level step-start step-end ranks cpu memory \
		stack shapes save-path export-type backend line records \
		written-after ends-after checkpoint log; do
		has "$output" "plan"$'\t'"$key"$'\t'
	done
	same $'sum\tready' "$(cut -f 1,2 <<<"${lines[-1]}")"
	run -0 msp-inject -n -F json train.sh
	has "$output" '{"record":"plan","key":"npus","value":"2"}'
	run -3 msp-inject -n -r 9 train.sh
	same "msp-inject: refused" "${lines[0]}"
	has "$output" "[no-rank]"
}

@test "Chinese" {
	run -1 --separate-stderr env LC_ALL=zh_CN.UTF-8 msp-inject <<<true
	has "$stderr" "没有找到训练启动命令"
}

@test "a YAML configuration" {
	printf 'model:\n    a: 1 # c\ntraining:\n    lr: 1\n    max_steps: 100\n\ndata:\n    b: 2\n' >c.yaml
	user c.yaml
	run -0 --separate-stderr msp-inject --yaml c.yaml
	same "$(printf 'model:\n    a: 1 # c\ntraining:\n    lr: 1\n    max_steps: 100\n    profile: true\n    profile_step_start: 2\n    profile_step_end: 4\n    profile_ranks: [0]\n    profile_level: level1\n    profile_with_cpu: true\n    profile_save_path: ./profiling_output\n\ndata:\n    b: 2')" "$output"
	msp-inject --yaml c.yaml >once.yaml
	run -3 --separate-stderr msp-inject --yaml once.yaml
	has "$stderr" "[profiled]"
	msp-inject --yaml --override once.yaml | cmp - once.yaml
	msp-inject --yaml --keep once.yaml | cmp - once.yaml
	has "$(msp-inject --yaml -x c.yaml)" "max_steps: 7"
	has "$(msp-inject --yaml -x c.yaml)" "save_epochs: 0"
	run -0 --separate-stderr msp-inject --yaml -x c.yaml
	same 1 "$(grep -c max_steps <<<"$output")"
	# The plan, and what a script would be refused for.
	run -0 --separate-stderr msp-inject --yaml -n c.yaml
	has "$output" "ranks          0"
	has "$output" "iterations 3-4"
	has "$output" "after iteration 100"
	has "$(msp-inject --yaml -n -F tsv c.yaml)" $'plan\tbackend\tfsdp2'
	run -3 --separate-stderr msp-inject --yaml --keep -s 5:6 once.yaml
	has "$stderr" "profile_step_start: 2"
	has "$stderr" "[kept]"
	run -3 --separate-stderr msp-inject --yaml <<<$'training:\n max_steps: 2'
	has "$stderr" "[few-iters]"
	printf 'training:\n max_steps: 2\n profile: true\n' >short.yaml
	msp-inject --yaml --keep short.yaml | cmp - short.yaml
	# -x, then --override -x: the same bytes; quoted keys; a byte order mark
	# before a comment; the empty lines of |+ are its own.
	msp-inject --yaml -x c.yaml >once.yaml
	msp-inject --yaml -x --override once.yaml | cmp - once.yaml
	run -3 --separate-stderr msp-inject --yaml \
		<<<$'training:\n  "profile_level": level2\n  lr: 1'
	has "$stderr" '2: "profile_level": level2 [profiled]'
	same $'training:\n  lr: 1\n  profile: true' "$(msp-inject --yaml \
		--override <<<$'training:\n  \'profile\': false\n  lr: 1' |
		head -n 3)"
	same $'\xef\xbb\xbf# c\ntraining:\n lr: 1\n profile: true' \
		"$(msp-inject --yaml <<<$'\xef\xbb\xbf# c\ntraining:\n lr: 1' |
			head -n 4)"
	same $'training:\n lr: |+\n  x\n\n profile: true' "$(msp-inject --yaml \
		<<<$'training:\n lr: |+\n  x\n\ndata: 1' | head -n 5)"
	has "$(msp-inject --yaml -f -o $'a\xc2\x85b\xe2\x80\xa8' <<<'training:')" \
		'profile_save_path: "a\u0085b\u2028"'
	printf 'a: 1' >no.yaml
	same "$(printf 'a: 1\ntraining:\n  profile: true')" \
		"$(msp-inject --yaml no.yaml | head -n 3)"
	for bad in '{training: 1}' $'training:\n\tx: 1' $'a: 1\n---\nb: 2' \
		'training: {x: 1}' $'training: &a\n  x: 1' 'a: "'; do
		run -3 --separate-stderr msp-inject --yaml <<<"$bad"
		has "$stderr" "[yaml]"
		[ -z "$output" ]
	done
}

@test "what was asked for and cannot be had is said, not dropped" {
	train
	msp-inject -q -s 5:6 train.sh >once.sh
	# --keep leaves what is there: -x and the request would have no effect.
	for o in -x "-s 3:4" -m; do
		run -3 --separate-stderr msp-inject --keep $o once.sh
		same "" "$output"
		has "$stderr" "[kept]"
	done
	run -0 --separate-stderr msp-inject -n --keep once.sh
	has "$output" "--profile-step-start 5"
	hasnt "$output" "2 to 4"
	# Words of the other dialect start no profile.
	run -3 --separate-stderr msp-inject -b fsdp2 train.sh
	has "$stderr" "[not-fsdp2]"
	run -3 --separate-stderr msp-inject -b mcore - \
		<<<'torchrun train_fsdp2.py x.yaml'
	has "$stderr" "[not-mcore]"
	# A line whose command starts no program.
	printf 'export A=1\n' | cat - train.sh >with.sh
	run -3 --separate-stderr msp-inject -L 1 with.sh
	has "$stderr" "export"
	has "$stderr" "[no-command]"
	# A refused request says only why.
	run -3 --separate-stderr msp-inject -s 2:20 train.sh
	hasnt "$stderr" "[runs-on]"
	# The variable that nobody thinks of is named.
	PROFILE_STEP_START=0 run -2 --separate-stderr msp-inject train.sh
	has "$stderr" "PROFILE_STEP_START=0"
	run -2 --separate-stderr msp-inject --profile-with-cpu true train.sh
	has "$stderr" "write --profile-with-cpu alone"
	run -3 --separate-stderr msp-inject -s 4:-1 train.sh
	has "$stderr" "-s 4:6"
}

@test "a placeholder is no model and no directory" {
	train
	sed -i 's|^TOKENIZER_PATH=.*|TOKENIZER_PATH="your tokenizer path"|
		s|^CKPT_SAVE_DIR=.*|CKPT_SAVE_DIR="your model save ckpt path"|
		s|^CKPT_LOAD_DIR=.*|CKPT_LOAD_DIR="your model ckpt path"|' train.sh
	rm "$BATS_TEST_TMPDIR"/user/* && user train.sh
	run -0 --separate-stderr msp-inject -n train.sh
	has "$output" "model          not named by the script"
	has "$output" "writes checkpoints (--save) [runs-on]"
	run -0 --separate-stderr msp-inject -n -F tsv train.sh
	has "$output" "plan	model	-"
}

# used COMMAND: the processor time that it takes, in milliseconds.
used() {
	local TIMEFORMAT='%3U %3S'
	{ time "$@" >out 2>err; } 2>&1 | tr -d . | awk '{ print $1 + $2 }'
}

@test "many launches: the cost grows with their number, not faster" {
	for n in 2000 8000; do
		yes 'torchrun pretrain_gpt.py --x 1 | tee log' | head -n $n >t$n.sh
	done
	a=$(used msp-inject -a t2000.sh) b=$(used msp-inject -a t8000.sh)
	same 8000 "$(grep -c -- "--x 1 $plain | tee" out)"
	echo "$a ms for 2000, $b ms for 8000"
	[ "$b" -lt $((a * 8 + 50)) ]
	for n in 800 3200; do
		{
			echo "for i in $(seq -s' ' $((n / 50))); do for k in $(seq -s' ' 50); do"
			echo 'torchrun pretrain_gpt.py --x $i --y $k; done; done'
		} >t$n.sh
	done
	a=$(used msp-inject t800.sh) b=$(used msp-inject t3200.sh)
	same 1 "$(grep -c -- "--y \$k $plain" out)"
	echo "$a ms for 800 turns, $b ms for 3200"
	[ "$b" -lt $((a * 8 + 50)) ]
}
