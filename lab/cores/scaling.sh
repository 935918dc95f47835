#!/bin/bash
# How hardware time scales: computes the predictions and the points of doc/scaling.md on simulated machines, and writes the page.
#   bash lab/cores/scaling.sh compute BIN FOLDER
#       all predictions into FOLDER/predictions, all other points into FOLDER/points.csv, all lists of lines into FOLDER/lines; what FOLDER
#       has from these sources is left out, so that an interrupted command continues. $JOBS runs at a time (default 2)
#   bash lab/cores/scaling.sh state BIN FOLDER       names the missing results, and exits with 2 if there are any
#   bash lab/cores/scaling.sh document FOLDER        copies the results into the tree, and writes the tables and pictures of doc/scaling.md
#   bash lab/cores/scaling.sh run BIN FILE.csv MACHINE WORKLOAD[,WORKLOAD...] THREADS[,THREADS...]
#       adds a line for each ratio of other points; points that FILE.csv already has are left out
#   bash lab/cores/scaling.sh draw FILE.csv FOLDER   FOLDER/WORKLOADS.svg, with gnuplot
# BIN is the folder of ordo-bench-cores. $UNITS, a regular expression, chooses among the results of compute and state. SECONDS_OF_TRIAL is the virtual duration of a trial (default 0.0001), SECONDS_OF_POINT ends
# a point that takes longer (default 600), and CORES_BOUNDARY multiplies the assumed boundary of `run` (default 1).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
machines=$here/machine
seconds=${SECONDS_OF_TRIAL:-0.0001}
most_seconds=${SECONDS_OF_POINT:-600}
times=${CORES_BOUNDARY:-1}
header="machine,workload,of,over,threads,low,likely,high,boundary_ns,seconds,cpu_seconds,commit"
workloads="rlu-hash-2 rlu-hash-20 rlu-list-2 rlu-list-20 rlu-tree-2 rlu-tree-20 mvrlu-hash-2 mvrlu-hash-20 stm-hash-20 oplog-map-1 \
txn-ycsb-2 txn-updates-2 txn-tpcc txn-tictoc merge stamp-1 stamp-2"

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

# The time of a transaction of 2 requests on one CPU in ns, divided by the number of stamps that it takes: one by OCC, two by Hekaton.
work_of() {
    local engine=occ
    [ "$2" = 1 ] || engine=hekaton
    "$bin" "$1" -- txn --engine "$engine" --workload ycsb-c --requests 2 --rows 16384 --stamp logical --threads 1 \
        --seconds 0.0003 --runs 3 --boundary 1 --json |
        jq --arg engine "$engine" --argjson stamps "$2" \
            '[.results[] | select(.algorithm == $engine and .stamp == "logical") | .ns_per_op][0] / $stamps | round'
}

# stamp-N stands for an engine that takes N stamps for each transaction of 2 requests, also if the transaction only reads.
command_of() {
    local algorithm structure updates
    [[ " $workloads " == *" $1 "* ]] || die "'$1': not one of $workloads"
    case $1 in
    stamp-*) echo "contention --algorithm add,clock --work $(work_of "$2" "${1#*-}")" ;;
    rlu-* | mvrlu-*)
        IFS=- read -r algorithm structure updates <<<"$1"
        echo "rlu --algorithm $algorithm --structure $structure --update-percent $updates --stamp ordo,logical --baseline none"
        ;;
    stm-*) echo "stm --structure hash --update-percent 20 --stamp ordo,logical,gv4 --baseline none" ;;
    oplog-*) echo "oplog --structure map --read-permille 1 --stamp ordo,logical,batch --baseline none" ;;
    txn-ycsb-*) echo "txn --engine occ,hekaton --workload ycsb-c --requests ${1##*-} --rows 16384 --stamp ordo,logical" ;;
    txn-updates-*) echo "txn --engine occ,hekaton --workload ycsb-a --requests ${1##*-} --rows 16384 --theta 0 --stamp ordo,logical" ;;
    txn-tictoc) echo "txn --engine occ,tictoc --workload ycsb-a --requests 2 --rows 16384 --theta 0 --stamp ordo" ;;
    txn-tpcc) echo "txn --engine occ,hekaton --workload tpcc --warehouses 4 --stamp ordo,logical" ;; # loading takes longest
    merge) echo "merge --streams 64 --producers 0" ;;
    esac
}

# The version of the sources that decide the results: the last commit that changed them, unless a merge combined them later.
version() {
    local sources=(include lib bench calib lab/cores cmake ':!lab/cores/predictions/*.json' ':!lab/cores/scaling.*') last
    last=$(git -C "$tree" log -1 --format=%H -- "${sources[@]}" 2>/dev/null) && [ -n "$last" ] || { echo unknown; return; }
    git -C "$tree" diff --quiet "$last" HEAD -- "${sources[@]}" || last=$(git -C "$tree" rev-parse HEAD)
    echo "$last"
}

declare -A boundaries=() # of machines, in ns and in ticks: computing one takes several processes
use_machine() {
    [ -f "$machines/$1.json" ] || die "'$1': no such machine"
    [ -n "${boundaries[$1]:-}" ] || boundaries[$1]=$(compute_boundary "$1")
    read -r boundary_ns boundary_ticks <<<"${boundaries[$1]}"
}

compute_boundary() {
    local boundary_ns
    boundary_ns=$(awk -v ns="$(boundary_of "$1")" -v times="$times" 'BEGIN { print ns * times }')
    awk -v ns="$boundary_ns" -v hz="$(jq .clock_hz "$machines/$1.json")" \
        'BEGIN { t = ns * hz / 1e9; if (t > int(t)) t++; printf "%s %d", ns, t }'
}

has_point() {
    [ -s "$csv" ] && grep -q "^$1,$2,[^,]*,[^,]*,$3,[^,]*,[^,]*,[^,]*,$boundary_ns,$seconds,[^,]*,$commit\$" "$csv"
}

# Adds the ratios of one point. A point that fails or takes too long is named on stderr and left out, with status 2.
run_point() {
    local machine=$1 workload=$2 threads=$3 used out words rows
    has_point "$machine" "$workload" "$threads" && return
    words=$(command_of "$workload" "$machine") || exit
    out=$(mktemp)
    # shellcheck disable=SC2086,SC2046 # the words are options
    if ! used=$({ TIMEFORMAT='%U'; time timeout "$most_seconds" nice -n 12 "$bin" "$machine" -- $words \
        --threads "$threads" --seconds "$seconds" --runs 3 --boundary "$boundary_ticks" $(first_cpus "$machine" "$threads") \
        --json >"$out" 2>"$out.text"; } 2>&1); then
        echo "scaling.sh: no result of $machine $workload $threads in $most_seconds s: $(head -c 200 "$out.text")" >&2
        rm -f "$out" "$out.text"
        return 2
    fi
    rows=$(jq -r --arg head "$machine,$workload" --arg tail "$boundary_ns,$seconds,$used,$commit" '
        def family: split("/") | if length == 2 and .[0] != "stamp" then .[0] else null end;
        def stamp: split("/")[1];
        .ratios[] | select((.of | stamp) == "ordo" and (.of | family) and (.of | family) == (.over | family) or
            ([.of, .over] | . == ["clock", "add"] or . == ["occ/ordo", "tictoc"] or . == ["merge/ordo", "heap"])) |
        "\($head),\(.of),\(.over),\(.threads),\(.low),\(.median),\(.high),\($tail)"' "$out")
    rm -f "$out" "$out.text"
    [ -n "$rows" ] || { echo "scaling.sh: $machine $workload $threads: the result has no ratio" >&2; return 2; }
    printf '%s\n' "$rows" >>"$csv" # one write: another process may append, too
}

run() {
    local machine=$3 workload threads result=0
    bin=$1/ordo-bench-cores csv=$2
    use_machine "$machine"
    full=$(version)
    commit=${full:0:12}
    [ -s "$csv" ] || echo "$header" >"$csv"
    for workload in ${4//,/ }; do
        for threads in ${5//,/ }; do
            run_point "$machine" "$workload" "$threads" || result=$?
        done
    done
    return $result
}

# The units of `compute`, those that take longest first: a prediction by its name, a point as MACHINE WORKLOAD THREADS, a list of
# cache lines as "lines MACHINE COMMAND-OF-LINES CPUS".
page_units() {
    local machine threads
    for threads in 512 256 64 16 1; do
        for machine in epyc-512 xeon-512 arm-512; do
            for workload in stm-hash-20 rlu-hash-2 stamp-2 stamp-1; do
                echo "$machine $workload $threads"
            done
            case $threads in 256 | 64 | 16) echo "$machine oplog-map-1 $threads" ;; esac
        done
    done
    for machine in epyc-512 xeon-120; do
        for workload in txn-tictoc rlu-list-2 rlu-tree-2 merge; do
            echo "$machine $workload 64"
        done
    done
}

lines_units() {
    local machine
    for machine in epyc-512 xeon-512 arm-512; do
        for engine in stm rlu mvrlu oplog hekaton occ silo tictoc; do
            echo "lines $machine $engine 64"
        done
    done
    for engine in rlu-list rlu-tree merge; do
        echo "lines epyc-512 $engine 64"
    done
}

all_units() {
    every_unit | grep -E "${UNITS:-.}"
}

every_unit() {
    # Predictions that repeat the runs of another one come last: they read the kept results.
    "$lab" cores predict --list |
        awk '{ later = $1 ~ /-machine$|-gv4$|-counter$|4114-2-ratio$/; print later, $1 !~ /superdome/, $1 }' | sort | cut -d" " -f3
    page_units
    lines_units
}

lines_command_of() {
    case $1 in
    stm) echo "stm --structure hash --stamp ordo --baseline none" ;;
    rlu | mvrlu) echo "rlu --algorithm $1 --structure hash --update-percent 2 --stamp ordo --baseline none" ;;
    rlu-*) echo "rlu --structure ${1#rlu-} --update-percent 2 --stamp ordo --baseline none" ;;
    oplog) echo "oplog --structure map --read-permille 1 --stamp ordo --baseline none" ;;
    tpcc) echo "txn --engine occ --workload tpcc --warehouses 4 --stamp ordo" ;;
    merge) echo "merge --streams 64 --producers 0" ;;
    *) echo "txn --engine $1 --workload ycsb-a --rows 16384 --stamp ordo" ;;
    esac
}

compute_lines() {
    local path words
    path=$folder/lines/$1-$2-$3.json
    words=$(lines_command_of "$2")
    # shellcheck disable=SC2086 # the words are options
    timeout "$most_seconds" "$lab" cores lines --json "$1" -- $words --threads "$3" --seconds "$seconds" --runs 1 \
        --boundary "$boundary_ticks" >"$path.new" 2>"$path.text" || {
        echo "scaling.sh: no result of lines $* in $most_seconds s: $(head -c 200 "$path.text")" >&2
        rm -f "$path.new" "$path.text"
        return 2
    }
    mv "$path.new" "$path"
    echo "$commit" >"$path.text"
}

# True if a unit has a result of these sources.
is_done() {
    case $1 in
    lines) [ -s "$folder/lines/$2-$3-$4.json" ] && [ "$(cat "$folder/lines/$2-$3-$4.json.text" 2>/dev/null)" = "$commit" ] ;;
    *)
        if [ $# = 3 ]; then
            use_machine "$1"
            has_point "$@"
        else
            grep -Fqs "\"commit\": \"$full\"" "$folder/predictions/$1.json"
        fi
        ;;
    esac
}

use_folder() {
    bin=$1/ordo-bench-cores lab=$1/ordo-lab folder=$2 csv=$2/points.csv
    [ -x "$bin" ] && [ -x "$lab" ] || die "$1: no ordo-lab and ordo-bench-cores: build them, or name the folder bin of the build"
    full=$(version)
    commit=${full:0:12}
}

# unit BIN FOLDER WORDS...: one unit of `compute`, in a process of its own.
unit() {
    local begin result=0
    use_folder "$1" "$2"
    shift 2
    is_done "$@" && return
    begin=$(date +%s)
    if [ "$1" = lines ]; then
        use_machine "$2"
        compute_lines "${@:2}" || result=$?
    elif [ $# = 3 ]; then
        use_machine "$1"
        run_point "$@" || result=$?
    else
        nice -n 12 "$lab" cores predict "$1" --output "$folder/predictions" --keep "$folder/kept" --commit "$full" || result=$?
    fi
    echo "$(($(date +%s) - begin)) s $([ $result = 0 ] && echo done || echo failed) $*" | tee -a "$folder/log"
}

check_sources() {
    git -C "$tree" rev-parse HEAD >/dev/null 2>&1 || return 0
    git -C "$tree" diff --quiet HEAD -- include lib bench calib lab cmake ':!lab/cores/predictions/*.json' ||
        die "the sources differ from the last commit, which the results name: commit them"
}

compute() {
    [ ! -f "$1/../CMakeCache.txt" ] || nice -n 10 cmake --build "$1/.." --target ordo-lab ordo-bench-cores -- -j2 >/dev/null
    use_folder "$@"
    check_sources
    mkdir -p "$folder"/{predictions,kept,lines}
    [ -s "$csv" ] || echo "$header" >"$csv"
    all_units | xargs -P "${JOBS:-2}" -L 1 bash "$0" unit "$1" "$2" || true # `state` names the units that failed
    state "$@"
}

state() {
    local words missing=0 all=0
    use_folder "$@"
    while read -ra words; do
        all=$((all + 1))
        is_done "${words[@]}" || { echo "missing: ${words[*]}"; missing=$((missing + 1)); }
    done < <(all_units)
    echo "$((all - missing)) of $all are there, of version $commit"
    [ $missing = 0 ] || exit 2
}

document() {
    local folder=$1
    [ -s "$folder/points.csv" ] || die "$folder: no points.csv: run compute"
    [ "$(cut -d, -f12 "$folder/points.csv" | tail -n +2 | sort -u | wc -l)" -le 1 ] ||
        echo "scaling.sh: $folder/points.csv has points of several versions; the newest of each is used" >&2
    cp "$folder"/predictions/*.json "$here/predictions/"
    cp "$folder/points.csv" "$tree/doc/scaling/points.csv"
    python3 "$here/scaling.py" collect "$tree/doc/scaling/points.csv" "$here/predictions"
    draw "$tree/doc/scaling/points.csv" "$tree/doc/scaling"
    python3 "$here/scaling.py" write "$tree/doc/scaling/points.csv" "$tree/doc/scaling.md"
    python3 "$here/scaling.py" lines "$folder/lines" "$tree/doc/lab/2026-11-cores-lines.md"
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

case ${1:-} in
run) [ $# = 6 ] || die "run BIN FILE.csv MACHINE WORKLOADS THREADS" && run "${@:2}" ;;
compute | state) [ $# = 3 ] || die "$1 BIN FOLDER" && "$1" "${@:2}" ;;
unit) unit "${@:2}" ;;
document) [ $# = 2 ] || die "document FOLDER" && document "$2" ;;
draw) [ $# = 3 ] || die "draw FILE.csv FOLDER" && draw "${@:2}" ;;
*) die "compute, state, document, run or draw: the first lines of this file say more" ;;
esac
