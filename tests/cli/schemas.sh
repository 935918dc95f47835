#!/bin/bash
# schemas.sh SOURCE BIN [MPIRUN]: checks that every --json output of every program conforms to its schema in doc/schemas
# and has no member beyond the schema.
set -u
source=$1 bin=$2 mpirun=${3:-mpirun}
schemas=$source/doc/schemas
. "$(dirname "$0")/../kit.sh"
shown=("$scratch/complaints" "$scratch/err")
export ORDO_RECORD=$scratch/boundary PATH=$bin:$PATH
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
: >"$scratch/met"

# Debian installs jsonschema for its own interpreter, which may not be the first one on the path.
for python in python3 /usr/bin/python3 none; do
    "$python" -c 'import jsonschema' 2>/dev/null && break
done
[ $python != none ] || { echo "python3-jsonschema is not installed"; exit 77; }

# One interpreter validates all documents, so that it starts only once.
coproc validator { "$python" "$source/tests/cli/schema.py" "$schemas"; }

# valid FILE: the document must conform to its schema. Adds the name of the schema to the file `met`.
valid() {
    local answer="none: no answer"
    echo "$1" >&"${validator[1]}" && read -r answer <&"${validator[0]}"
    echo "${answer%%: *}" >>"$scratch/met"
    echo "$answer" >"$scratch/complaints"
    [[ $answer != *": "* ]]
}

# prints SCHEMA EXIT COMMAND...: the command must exit with EXIT ("A|B": either), and its output must have the schema.
# If the exit code means that there is no result (2, 64, 70), the output may be empty.
prints() {
    local schema=$1 expected=$2 code
    shift 2
    : >"$scratch/complaints"
    for _ in 1 2 3; do # 2: inconclusive, because the machine was busy
        timeout 120 "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
        code=$?
        [[ $code -eq 2 && "|$expected|" != *"|2|"* ]] || break
    done
    [[ "|$expected|" == *"|$code|"* ]] || fail "$*: exit $code, expected $expected"
    [ -s "$scratch/out" ] || [[ $code != @(2|64|70) ]] || return
    valid "$scratch/out" || fail "$*: not of its schema"
    [ "$(tail -n 1 "$scratch/met")" = "$schema" ] || fail "$*: schema $(tail -n 1 "$scratch/met"), expected $schema"
}

prints ordo-advise/1 0 ordo advise --json
prints ordo-advise/1 0 ordo advise --json --machine "$source/tests/machines/firecracker"
prints ordo-advise/1 2 ordo advise --json --machine "$scratch/none"
prints ordo-clocks/1 0 ordo clocks --seconds 0.1 --json
prints ordo-calibration/1 0 ordo calibrate --runs 300 --repeat 2 --force --dry-run --json
prints ordo-calibration/1 0 ordo calibrate --runs 300 --repeat 2 --force --json --margin 1000
valid "$ORDO_RECORD.json" || fail "boundary.json: not of its schema"
prints ordo-record/1 0 ordo show --json
prints ordo-advise/1 0 ordo advise --json
prints ordo-run/1 0 ordo run --measure --json -- true
prints ordo-run/1 0 ordo run --measure --json --record "$scratch/none" -- true
prints ordo-run/1 127 ordo run --measure --json -- ./no-such-program
prints ordo-check/1 0 ordo check --all --runs 300 --json

# A refused record is printed in JSON too.
ordo calibrate --runs 300 --repeat 2 --force --quiet --output "$scratch/other" --cpus 0 >/dev/null 2>&1
prints ordo-record/1 "0|2" ordo show --json "$scratch/other"

prints ordo-record/1 2 ordo show --json "$scratch/none"
prints ordo-check/1 64 ordo check --json --nonsense
prints ordo-check/1 0 ordo check --quick --json
prints ordo-check/1 "0|1" env ORDO_RECORD="$scratch/none" ordo check --quick --json

# Reports of this machine, then of larger machines in every degree of detail.
prints ordo-report/1 0 ordo report
cp "$scratch/out" "$scratch/a"
for machine in "pack:1 core:1 pu:1" "pack:2 l3:1 core:2 pu:2" "pack:2 numa:1 l3:8 core:8 pu:2" "pack:8 numa:1 l3:8 core:8 pu:1"; do
    prints ordo-report/1 0 "$bin/make-report" "$machine"
    cp "$scratch/out" "$scratch/b"
    prints ordo-report-comparison/1 0 ordo report --compare "$scratch/a" "$scratch/b" --json
done
prints ordo-report-comparison/1 2 ordo report --compare "$scratch/a" "$scratch/none" --json
prints ordo-report-comparison/1 64 ordo report --json

# Each line of a watcher's log is a document: the lines of a real watcher, and prepared lines for the other kinds of
# events.
ordo watch --once >"$scratch/events" 2>"$scratch/err"
cat "$source/tests/cli/events.jsonl" >>"$scratch/events"
while read -r line; do
    echo "$line" >"$scratch/out"
    valid "$scratch/out" || fail "ordo watch: $line"
done <"$scratch/events"

prints ordo-lab-simulate/1 0 ordo-lab simulate huygens:peers=3,huygens:coding=no,ntp,ptp:sync-ms=5 --hosts 8 --seconds 0.2 --json
prints ordo-lab-simulate/1 2 ordo-lab simulate ntp --hosts 8 --seconds 0.01 --delay-ns 100000000 --json
prints ordo-lab-simulate/1 64 ordo-lab simulate nothing --json
prints ordo-lab-evaluate/1 "0|2" ordo-lab evaluate chrony --rate 8 --seconds 2 --json
prints ordo-lab-evaluate/1 64 ordo-lab evaluate ntpd --json
prints ordo-lab-testbed/1 "0|1" ordo-lab testbed --seconds 3000 --json # so short a run may miss some predictions
prints ordo-lab-testbed/1 64 ordo-lab testbed --seconds 1 --json
prints ordo-lab-figures/1 "0|1" ordo-lab figures hca3 table1 --json
prints ordo-lab-figures/1 64 ordo-lab figures hca3 fig99 --json
prints ordo-lab-cores/1 0 ordo-lab cores --list --json
prints ordo-lab-cores/1 64 ordo-lab cores --json
if [ -x "$bin/ordo-bench-cores" ]; then
    prints ordo-bench/1 0 ordo-lab cores graviton2 -- rlu --threads 1,2 --seconds 0.00002 --json
    prints ordo-bench/1 0 ordo-lab cores here -- contention --threads 1,2 --seconds 0.00002 --json
    prints ordo-bench/1 64 ordo-lab cores absent -- rlu --json
    prints ordo-prediction/1 0 ordo-lab cores predict skylake-4-add
    prints ordo-cores-lines/1 0 ordo-lab cores lines --json here -- contention --algorithm add --threads 2 --seconds 0.00002
fi

# Two agents on this host. The second one is ended later, and then does not answer.
(umask 077 && od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n' >"$scratch/key")
agents=()
for port in 21301 21302; do
    ordo-net agent --quiet --key "$scratch/key" --listen 127.0.0.1:$port >/dev/null &
    agents+=($!)
done
ORDO_TIME=$scratch/time ordo-timed publish --quiet --key "$scratch/key" --reference 127.0.0.1:21301=1ms >/dev/null &
publisher=$!
for _ in $(seq 100); do
    ! ordo-timed show --page "$scratch/time" >/dev/null 2>&1 || break
    sleep 0.1
done
prints ordo-time/1 0 ordo-timed show --page "$scratch/time" --json
kill "$publisher" && wait "$publisher"
measure="ordo-net measure --peers 127.0.0.1:21301,127.0.0.1:21302 --key $scratch/key --window 200ms --json"
prints ordo-measure/1 "0|2" $measure
prints ordo-measure/1 "0|2" $measure --pairs
prints ordo-measure/1 1 $measure --max-bound 1ns --max-offset 1s --windows 1 --log "$scratch/alarms"
audit="ordo-net audit --peers 127.0.0.1:21301,127.0.0.1:21302 --key $scratch/key --window 200ms --json"
prints ordo-audit/1 "0|1|2" $audit # the programs of this host may claim anything
prints ordo-audit/1 "0|1|2" $audit --authority 127.0.0.1:21301=1ms
prints ordo-audit/1 64 $audit --authority 127.0.0.1
kill "${agents[1]}"
prints ordo-measure/1 "0|2" $measure
prints ordo-measure/1 2 $measure --max-offset 1s --windows 2 --log "$scratch/alarms"
cat "$source/tests/net/events.jsonl" >>"$scratch/alarms" # further kinds of events
while read -r line; do
    echo "$line" >"$scratch/out"
    valid "$scratch/out" || fail "ordo-net measure --log: $line"
done <"$scratch/alarms"
prints ordo-measure/1 64 $measure --window 2h
kill "${agents[0]}"
wait "${agents[@]}"
{
    for ((i = 0; i < 99; i++)); do
        echo "ptp4l[$((5000 + i)).000]: master offset $((i % 9)) s2 freq -25246 path delay 624"
    done
    echo "ptp4l[5100.000]: port 1: SLAVE to UNCALIBRATED on SYNCHRONIZATION_FAULT"
    echo "ptp4l[5100.100]: master offset x s2 freq -25246 path delay 624"
    echo "2026-11-29 06:00:01 10.0.0.1 2 -3.5 0.07 1.0e-06 N 2 2e-03 -2e-04 1e-02 3e-04 8e-03"
} >"$scratch/log"
prints ordo-judge/1 1 ordo-net judge "$scratch/log" --max-offset 1ns --max-lost 0 --max-bound 1s --json
prints ordo-judge/1 2 ordo-net judge /dev/null --json
prints ordo-time/1 2 ordo-timed show --page "$scratch/none" --json
prints ordo-cores/1 64 ordo-net cores --estimator none --json
[ "$(nproc)" -eq 1 ] || prints ordo-cores/1 "0|2" ordo-net cores --runs 3000 --sweeps 2 --force --json

if [ -x "$bin/ordo-bench" ]; then
    brief="--runs 1 --seconds 0.002 --json"
    # shellcheck disable=SC2086
    {
        prints ordo-bench/1 0 ordo-bench clock $brief
        prints ordo-bench/1 0 env ORDO_RECORD="$scratch/none" ordo-bench clock $brief
        prints ordo-bench/1 0 ordo-bench clock $brief --boundary 300
        prints ordo-bench/1 0 ordo-bench contention $brief
        prints ordo-bench/1 0 ordo-bench contention $brief --algorithm cas,strict --work 100 --boundary 300
        prints ordo-bench/1 0 ordo-bench rlu $brief --structure list,hash,tree --buckets 20
        prints ordo-bench/1 0 ordo-bench stm $brief --structure list,hash,tree,skip,bank,reservations,packets --buckets 20 --stamp ordo,gv5,dctl
        prints ordo-bench/1 0 ordo-bench rlu $brief --stamp ordo --baseline none --defer 16 --sweep
        prints ordo-bench/1 0 ordo-bench rlu $brief --algorithm rlu,mvrlu --buckets 20 --threads 1,32 --oversubscribe --defer 1,auto
        prints ordo-bench/1 0 ordo-bench rlu $brief --algorithm rlu,mvrlu,stm --buckets 20 --threads 1 --multi-get 2,20
        prints ordo-bench/1 0 ordo-bench merge $brief --streams 1,5 --lag-seconds 0.01
        prints ordo-bench/1 0 ordo-bench trace $brief --events 1000
        prints ordo-bench/1 0 ordo-bench oplog $brief --structure map,counter,set --stamp ordo,logical,batch,tsc
        txn="ordo-bench txn $brief --rows 2000 --record-bytes 64 --requests 4"
        prints ordo-bench/1 0 $txn --stamp ordo,logical,batch,tsc
        prints ordo-bench/1 0 $txn --workload smallbank --engine hekaton --stamp ordo --long-reader 0.05 --memory-every 0.02
        if [ "$(nproc)" -gt 1 ]; then
            prints ordo-bench/1 0 $txn --engine hekaton --threads 1,2 --model
        fi
    }
fi

prints ordo-lab-simulate/1 0 ordo-lab simulate dtp,osmosis,osmosis:cuts=2 --shape line --hosts 5 --seconds 0.02 --json
seq 0 8000 1600000 >"$scratch/edges"
prints ordo-jitter/1 0 ordo-net jitter "$scratch/edges" --json
prints ordo-jitter/1 0 ordo-net jitter --absolute-ps 300 --period-ps 8000 --span-ps 3536000 --json
prints ordo-jitter/1 2 ordo-net jitter /dev/null --json

if [ -x "$bin/ordo-trace" ]; then
    printf 'rank,time_ns,kind,peer\n0,5,send,1\n1,500,recv,0\n' >"$scratch/trace.csv"
    printf 'session,rank,send_ns,master_ns,receive_ns\n0,1,100,100,200\n' >"$scratch/sync.csv"
    prints ordo-trace/1 0 ordo-trace correct --json --causal --sync "$scratch/sync.csv" -o "$scratch/global.csv" "$scratch/trace.csv"
    prints ordo-trace/1 64 ordo-trace correct --json -o "$scratch/global.csv" "$scratch/absent.csv"
    prints ordo-trace/1 1 ordo-trace correct --json -o "$scratch/global.csv" "$scratch/trace.csv"
    printf 'rank,time_ns,kind,name\n0,100,begin,MPI_Barrier\n0,250,end,MPI_Barrier\n1,1150,begin,MPI_Barrier\n1,1260,end,MPI_Barrier\n' >"$scratch/barrier.csv"
    prints ordo-trace/1 0 ordo-trace correct --json -o "$scratch/global.csv" "$scratch/barrier.csv"
    mkdir "$scratch/made" && "$bin/make-trace" "$scratch/made" ranks=2 seconds=2 messages=20 collectives=2 split=1
    prints ordo-trace-stats/1 0 ordo-trace stats --json --sync "$scratch/sync.csv" "$scratch/trace.csv"
    prints ordo-trace-stats/1 0 ordo-trace stats --json --raw "$scratch"/made/rank.*.otrace
    prints ordo-trace-stats/1 64 ordo-trace stats --json "$scratch/absent.csv"
    prints ordo-trace-info/1 0 ordo-trace info --json "$scratch/trace.csv" "$scratch/made/rank.1.otrace"
    printf '[{"ph":"X","name":"a","ts":1,"pid":1},{"ph":"X","name":"b","ts":2,"dur":-1,"pid":1},]' >"$scratch/odd.json"
    prints ordo-trace-info/1 0 ordo-trace info --json "$scratch/odd.json"
    prints ordo-trace/1 0 ordo-trace correct --json -o "$scratch/global.json" "$scratch/odd.json"
    prints ordo-trace-info/1 64 ordo-trace info --json "$scratch/trace.csv" "$scratch/absent.csv"
fi
if [ -x "$bin/ordo-mpi" ] && command -v "$mpirun" >/dev/null; then
    learn=fit=10,pingpong=5,window=5ms
    prints ordo-clocks/1 0 "$mpirun" -n 2 ordo-mpi clocks --seconds 0.1 --json
    jq -e '[.ranks[] | select(.clock == "tsc" or .clock == "monotonic_raw")] | all(.ranks == 2 and .theta_ns[0] <= 0 and .theta_ns[1] >= 0)' \
        "$scratch/out" >/dev/null || fail "ordo-mpi clocks: the ranks are not there"
    prints ordo-simulation/1 0 ordo-mpi simulate --ranks 16 --json
    prints ordo-simulation/1 1 ordo-mpi simulate --ranks 64 --clocks socket --alg h2hca --alg h3hca --json
    prints ordo-verify/1 "0|1|2" "$mpirun" -n 2 ordo-mpi verify --rounds 3 --seconds 0.2 --json
    prints ordo-verify/1 1 "$mpirun" -n 2 ordo-mpi verify --rounds 3 --seconds 0.2 --clock monotonic \
        --inject monotonic:1:1000000000 --require monotonic --json
    prints ordo-sync/1 0 "$mpirun" -n 2 ordo-mpi sync --alg "hca3:$learn" --json
    prints ordo-sync/1 "0|2" "$mpirun" -n 2 ordo-mpi sync --alg "h2hca:$learn" --tolerance 1000000000 --json
    prints ordo-global-check/1 0 "$mpirun" -n 2 ordo-mpi check --alg "hca3:$learn" --wait 0,0.1 --json
    prints ordo-comparison/1 0 "$mpirun" -n 2 ordo-mpi compare --alg "jk:$learn" --alg "hca3:$learn" --runs 2 --wait 0 --json
    prints ordo-drift/1 0 "$mpirun" -n 2 ordo-mpi drift --seconds 1 --interval 0.2 --json
    prints ordo-roundtime/1 "0|2" "$mpirun" -n 2 ordo-mpi roundtime --alg "hca3:$learn" --seconds 0.05 --rounds 50 --slack 50 \
        --op barrier,allreduce --barrier=mpi,tree --json
fi

for file in "$source"/lab/cores/predictions/*.json; do
    [ ! -e "$file" ] || valid "$file" || fail "$file: not of its schema"
done

# Every schema that the sources name has a file, a line in doc/json.md, and a command above. Every file belongs to such
# a schema.
grep -rhoE 'ordo_json_document\("[^"]+"\)' "$source/lib" "$source/calib" "$source/bench" "$source/lab" | grep -oE 'ordo-[a-z-]+/[0-9]+' |
    sort -u >"$scratch/named"
for file in "$schemas"/*.json; do
    basename "$file" .json | sed 's/-\([0-9]*\)$/\/\1/'
done | sort >"$scratch/there"
diff "$scratch/named" "$scratch/there" || fail "the schemas that the sources name and those in doc/schemas differ"
while read -r schema; do
    grep -Fq "\`$schema\`" "$source/doc/json.md" || fail "doc/json.md does not list $schema"
    case $schema in ordo-bench/*) [ -x "$bin/ordo-bench" ] || continue ;; ordo-cores-lines/* | ordo-prediction/*) [ -x "$bin/ordo-bench-cores" ] || continue ;; esac
    case $schema in ordo-advise/* | ordo-calibration/* | ordo-record/* | ordo-report*/* | ordo-check/* | ordo-watch/* | ordo-clocks/* | ordo-run/* | ordo-bench/* | ordo-trace*/*) ;; *)
        [ -x "$bin/ordo-mpi" ] && command -v "$mpirun" >/dev/null || continue ;;
    esac
    grep -qx "$schema" "$scratch/met" || fail "$schema: no command above printed it"
done <"$scratch/there"
exit $((failures > 0))
