#!/bin/bash
# How hardware time scales: runs the engines with ordo and with shared counters on simulated machines, and draws the ratios.
#   bash lab/cores/scaling.sh run BIN FILE.csv MACHINE WORKLOAD[,WORKLOAD...] THREADS[,THREADS...]
#       adds a line for each point and each ratio; points that FILE.csv already has are left out
#   bash lab/cores/scaling.sh all BIN FILE.csv       the points of doc/scaling.md
#   bash lab/cores/scaling.sh paper BIN FILE.csv     the points of the predictions
#   bash lab/cores/scaling.sh draw FILE.csv FOLDER   FOLDER/WORKLOADS.svg, with gnuplot
#   bash lab/cores/scaling.sh predict FILE.csv FOLDER   FOLDER/MACHINE-WORKLOAD.json, schema ordo-prediction/1
# BIN is the folder of ordo-bench-cores. SECONDS_OF_TRIAL is the virtual duration of a trial (default 0.0003),
# CORES_BOUNDARY multiplies the assumed boundary (default 1); CORES_MACHINES and CORES_WORKLOADS choose among those of all and paper.
set -euo pipefail

machines=$(dirname "$0")/machine
seconds=${SECONDS_OF_TRIAL:-0.0003}
times=${CORES_BOUNDARY:-1}
header="machine,workload,of,over,threads,low,likely,high,boundary_ns,seconds,cpu_seconds,commit"
workloads="rlu-hash-2 rlu-hash-20 rlu-list-2 rlu-list-20 rlu-tree-2 rlu-tree-20 mvrlu-hash-2 mvrlu-hash-20 stm-hash-20 oplog-map-1
txn-ycsb-2 txn-ycsb-16 txn-tpcc stamp-1 stamp-2"

die() {
    echo "scaling.sh: $*" >&2
    exit 64
}

# The largest transfer between two CPUs in ns: the least boundary that a calibration can find, which it finds if the clocks agree.
largest_transfer() {
    local file name=$machines/$1.json
    file=$(jq -r '.matrix.file // empty' "$name")
    {
        jq '.far.transfer_ns, .packages.near_ns[], (.matrix.levels_ns // [])[]' "$name"
        if [ "$(jq '.packages.count' "$name")" = 1 ] && [ -n "$file" ]; then
            tr ',' '\n' <"$machines/published/$file"
        fi
    } | awk '$1 + 0 > most { most = $1 + 0 } END { printf "%.1f", most }'
}

# The least and the largest transfer between two cores in ps, as "[LEAST,MOST]".
transfers_of() {
    local name=$machines/$1.json
    {
        jq -r '.matrix.pick // [] | .[] | "pick \(.[0]) \(.[1])"' "$name"
        tr ',' ' ' <"$machines/published/$(jq -r .matrix.file "$name")"
    } | awk -v most="$(largest_transfer "$1")" '
        $1 == "pick" { for (i = $2; i <= $3; i++) in_use[i] = 1; picks++; next }
        { for (i = 1; i <= NF; i++) if (i - 1 != row && $i + 0 > 0 && (!picks || (i - 1 in in_use && row in in_use)) && (!least || $i + 0 < least)) least = $i + 0; row++ }
        END { printf "[%d,%d]", least * 1000, most * 1000 }'
}

# The boundary in ns. Of the three machines of the published measurement, the offsets that lab/figures/ordo/machines.c recalls.
boundary_of() {
    case $1 in
    xeon-120) echo 276 ;;
    phi-64) echo 270 ;;
    arm-96) echo 1100 ;;
    *) largest_transfer "$1" ;;
    esac
}

# The CPUs of a machine whose first threads come first in each socket: one CPU a core while they suffice.
first_cpus() {
    case $1:$(($2 > 120)) in
    xeon-120:0) echo "--cpus 0-14,30-44,60-74,90-104,120-134,150-164,180-194,210-224" ;;
    esac
}

# The time of a transaction of 2 requests on one CPU in ns, divided by the number of stamps that it takes.
work_of() {
    "${bin:-false}" "$1" -- txn --engine occ --workload ycsb-c --requests 2 --rows 16384 --stamp logical --threads 1 \
        --seconds 0.0003 --runs 3 --boundary 1 --json |
        jq --argjson stamps "$2" '[.results[] | select(.algorithm == "occ") | .ns_per_op][0] / $stamps | round'
}

# stamp-N stands for an engine that takes N stamps for each transaction of 2 requests, also if the transaction only reads.
command_of() {
    case $1 in
    stamp-*) echo "contention --algorithm add,clock --work $(work_of "$2" "${1#*-}")" ;;
    rlu-* | mvrlu-*)
        IFS=- read -r algorithm structure updates <<<"$1"
        echo "rlu --algorithm $algorithm --structure $structure --update-percent $updates --stamp ordo,logical --baseline none"
        ;;
    stm-*) echo "stm --structure hash --update-percent 20 --stamp ordo,logical,gv4 --baseline none" ;;
    oplog-*) echo "oplog --structure map --read-permille 1 --stamp ordo,logical,batch --baseline none" ;;
    txn-ycsb-*) echo "txn --engine occ,hekaton --workload ycsb-c --requests ${1##*-} --rows 16384 --stamp ordo,logical" ;;
    txn-tpcc) echo "txn --engine occ,hekaton --workload tpcc --stamp ordo,logical" ;;
    *) die "'$1': not one of $workloads" ;;
    esac
}

# Adds the ratios of one point. A point that fails or takes more than 5 minutes is named on stderr and left out.
run_point() {
    local bin=$1/ordo-bench-cores csv=$2 machine=$3 workload=$4 threads=$5 ticks used out
    grep -q "^$machine,$workload,.*,$threads,.*,$boundary_ns,$seconds,.*,$commit\$" "$csv" && return
    ticks=$(awk -v ns="$boundary_ns" -v hz="$(jq .clock_hz "$machines/$machine.json")" \
        'BEGIN { t = ns * hz / 1e9; if (t > int(t)) t++; printf "%d", t }')
    out=$(mktemp)
    # shellcheck disable=SC2046 # the words are options
    if ! used=$({ TIMEFORMAT='%U'; time timeout 300 nice -n 12 "$bin" "$machine" -- $(command_of "$workload" "$machine") \
        --threads "$threads" --seconds "$seconds" --runs 3 --boundary "$ticks" $(first_cpus "$machine" "$threads") \
        --json >"$out" 2>"$out.text"; } 2>&1); then
        echo "scaling.sh: no result: $machine $workload $threads: $(head -c 200 "$out.text")" >&2
    else
        jq -r --arg head "$machine,$workload" --arg tail "$boundary_ns,$seconds,$used,$commit" '
            def family: split("/") | if length == 2 and .[0] != "stamp" then .[0] else null end;
            def stamp: split("/")[1];
            .ratios[] | select((.of | stamp) == "ordo" and (.of | family) and (.of | family) == (.over | family) or
                               .of == "clock" and .over == "add") |
            "\($head),\(.of),\(.over),\(.threads),\(.low),\(.median),\(.high),\($tail)"' "$out" >>"$csv"
    fi
    rm -f "$out" "$out.text"
}

run() {
    local bin=$1 csv=$2 machine=$3 workload threads
    [ -f "$machines/$machine.json" ] || die "'$machine': no such machine"
    boundary_ns=$(awk -v ns="$(boundary_of "$machine")" -v times="$times" 'BEGIN { print ns * times }')
    commit=$(git -C "$(dirname "$0")" rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
    [ -s "$csv" ] || echo "$header" >"$csv"
    for workload in ${4//,/ }; do
        for threads in ${5//,/ }; do
            run_point "$bin" "$csv" "$machine" "$workload" "$threads"
        done
    done
}

threads_of_paper() {
    case $1 in
    arm-96) echo 32,64,96 ;;
    xeon-120) echo 32,64,120,240 ;;
    phi-64) echo 32,64,128,256 ;;
    esac
}

run_paper() {
    local workload machine
    for workload in ${CORES_WORKLOADS:-rlu-hash-2 stm-hash-20 stamp-1 stamp-2 oplog-map-1 txn-ycsb-2 rlu-hash-20}; do
        for machine in ${CORES_MACHINES:-arm-96 phi-64 xeon-120}; do
            run "$1" "$2" "$machine" "$workload" "$(threads_of_paper "$machine")"
        done
    done
}

run_all() {
    local workload machine
    for workload in ${CORES_WORKLOADS:-$workloads}; do
        for machine in ${CORES_MACHINES:-epyc-512 xeon-512 arm-512}; do
            run "$1" "$2" "$machine" "$workload" 1,16,64,256,512
        done
    done
}

# The newest value of each point, as "machine engine threads low likely high"; the engine is that of the ratio.
points() {
    awk -F, 'NR > 1 { key = $1 " " $2 " " $3 " " $4 " " $5; if (!(key in line)) order[++n] = key; line[key] = $6 " " $7 " " $8 }
        END { for (i = 1; i <= n; i++) print order[i], line[order[i]] }' "$1"
}

draw_picture() {
    local csv=$1 output=$2 title=$3 machine plots="" data
    data=$(mktemp -d)
    shift 3
    for curve in "$@"; do # WORKLOAD:OF:OVER
        IFS=: read -r workload of over <<<"$curve"
        for machine in $(cut -d, -f1 "$csv" | tail -n +2 | sort -u); do
            points "$csv" | awk -v m="$machine" -v w="$workload" -v of="$of" -v over="$over" \
                '$1 == m && $2 == w && $3 == of && $4 == over { print $5, $7, $6, $8 }' | sort -n >"$data/$machine-$workload-${of%%/*}"
            [ -s "$data/$machine-$workload-${of%%/*}" ] &&
                plots+="'$data/$machine-$workload-${of%%/*}' with yerrorlines lw 1.5 title '$machine', "
        done
    done
    [ -n "$plots" ] && gnuplot <<END
set terminal svg size 760,420 dynamic font 'sans-serif,12' background '#ffffff'
set output '$output'
set title '$title'
set xlabel 'threads'
set ylabel 'speed with ordo / speed with the counter'
set logscale x 2
set logscale y
set yrange [0.5:*]
set ytics (0.5, 1, 2, 4, 8, 16, 32)
set grid
set key outside right
plot ${plots%, }, 1 with lines lc 'black' dt 2 notitle
END
    rm -rf "$data"
}

draw() {
    local csv=$1 folder=$2
    mkdir -p "$folder"
    draw_picture "$csv" "$folder/rlu.svg" "RLU, hash, 2% updates" rlu-hash-2:rlu/ordo:rlu/logical
    draw_picture "$csv" "$folder/stm.svg" "STM, hash, 20% updates" stm-hash-20:stm/ordo:stm/logical
    draw_picture "$csv" "$folder/stamps.svg" "An engine that takes one stamp for each short transaction" stamp-1:clock:add
    draw_picture "$csv" "$folder/oplog.svg" "Oplog, map, 0.1% reads" oplog-map-1:oplog/ordo:oplog/logical
}

predict_one() {
    local csv=$1 folder=$2 machine=$3 name=$4 workload=$5 of=$6 over=$7 quantity=$8 rows
    rows=$(awk -F, -v m="$machine" -v w="$workload" -v of="$of" -v over="$over" \
        '$1 == m && $2 == w && $3 == of && $4 == over { line[$5] = $0 } END { for (t in line) print line[t] }' "$csv" | sort -t, -k5n)
    [ -n "$rows" ] || return 0
    jq -Rn --arg machine "$machine" --arg quantity "$quantity" --arg command "$(command_of "$workload" "$machine" | sed "s/--work.*/--work W: time of a transaction of 2 requests on one CPU, by the simulated OCC, over the number of stamps/")" \
        --slurpfile file "$machines/$machine.json" --argjson transfers "$(transfers_of "$machine")" \
        --arg version "$(sed -n 's/^#define ORDO_VERSION *"\(.*\)".*/\1/p' "$machines/../../../include/ordo/version.h")" '
        [inputs | split(",")] as $rows | $file[0] as $m |
        {schema: "ordo-prediction/1", tool_version: $version, machine: $machine, quantity: $quantity, unit: "1",
         points: [$rows[] | {cores: (.[4] | tonumber), low: (.[5] | tonumber), likely: (.[6] | tonumber), high: (.[7] | tonumber)}],
         constants: ({transfer_ps: $transfers} + ($m | {transfer_percent, overlap, cycle_ps, instruction_ps, update_ps, pause_ps,
             clock_ps, call_ps, wake_ps, switch_ps, smt_percent}) + {spread_percent: 0}),
         inputs: {processor: $m.title, command: $command, seconds: ($rows[0][9] | tonumber), boundary_ns: ($rows[0][8] | tonumber),
                  sources: "The boundary is an assumption: the largest offset of two clocks that lab/figures/ordo/machines.c recalls; the simulated clocks agree. One thread a core as long as there are cores."},
         commit: $rows[0][11]}' <<<"$rows" >"$folder/$machine-$name.json"
}

predict() {
    local csv=$1 folder=$2 machine
    mkdir -p "$folder"
    for machine in arm-96 xeon-120 phi-64; do
        predict_one "$csv" "$folder" "$machine" rlu rlu-hash-2 rlu/ordo rlu/logical \
            "throughput of RLU with ordo over that with a counter: hash of 10000 elements, 2% updates"
        predict_one "$csv" "$folder" "$machine" rlu-20 rlu-hash-20 rlu/ordo rlu/logical \
            "throughput of RLU with ordo over that with a counter: hash of 10000 elements, 20% updates"
        predict_one "$csv" "$folder" "$machine" tl2 stm-hash-20 stm/ordo stm/logical \
            "throughput of TL2 with ordo over that with a counter (GV1): hash of 10000 elements, 20% updates"
        predict_one "$csv" "$folder" "$machine" tl2-gv4 stm-hash-20 stm/ordo stm/gv4 \
            "throughput of TL2 with ordo over that with a counter that fails together (GV4): hash of 10000 elements, 20% updates"
        predict_one "$csv" "$folder" "$machine" oplog oplog-map-1 oplog/ordo oplog/logical \
            "throughput of Oplog with ordo over that with a counter: reverse map, 0.1% reads"
        for engine in occ hekaton; do
            predict_one "$csv" "$folder" "$machine" "$engine-silent" txn-ycsb-2 "$engine/ordo" "$engine/logical" \
                "throughput of $engine with ordo over that with a counter: YCSB, reads only, 2 requests; readers do not increment the counter"
        done
        predict_one "$csv" "$folder" "$machine" occ stamp-1 clock add \
            "a stand-in for OCC, not the engine: a loop with the work of one OCC transaction (YCSB, 2 reads) that takes one stamp, clock over fetch_add"
        predict_one "$csv" "$folder" "$machine" hekaton stamp-2 clock add \
            "a stand-in for Hekaton, not the engine: a loop with the work of half an OCC transaction (YCSB, 2 reads) for each stamp, clock over fetch_add"
    done
}

case ${1:-} in
run) [ $# = 6 ] || die "run BIN FILE.csv MACHINE WORKLOADS THREADS" && run "${@:2}" ;;
all | paper) [ $# = 3 ] || die "$1 BIN FILE.csv" && "run_$1" "${@:2}" ;;
draw | predict) [ $# = 3 ] || die "$1 FILE.csv FOLDER" && "$1" "${@:2}" ;;
*) die "run, all, paper, draw or predict: the first lines of this file say more" ;;
esac
