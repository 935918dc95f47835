#!/bin/bash
# scaling.sh SOURCE BIN: lab/cores/scaling.sh computes points once, draws them, and writes predictions from them.
set -u
source=$1 bin=$2
. "$(dirname "$0")/../kit.sh"
[ -x "$bin/ordo-bench-cores" ] || { echo "no ordo-bench-cores: not tested"; exit 0; }
scaling() { run "$1" env SECONDS_OF_TRIAL=0.00005 bash "$source/lab/cores/scaling.sh" "${@:2}"; }

scaling 64 run "$bin" "$scratch/points.csv" && complains "run BIN FILE.csv MACHINE WORKLOADS THREADS"
scaling 64 run "$bin" "$scratch/points.csv" nowhere rlu-hash-2 1 && complains "'nowhere': no such machine"
scaling 0 run "$bin" "$scratch/points.csv" arm-96 rlu-hash-2,stm-hash-20 2
[ "$(wc -l <"$scratch/points.csv")" = 4 ] || fail "not a header and 3 ratios: $(cat "$scratch/points.csv")"
awk -F, 'NR > 1 && !($6 <= $7 && $7 <= $8 && $5 == 2 && NF == 12) { exit 1 }' "$scratch/points.csv" || fail "no interval"
cp "$scratch/points.csv" "$scratch/before.csv"
scaling 0 run "$bin" "$scratch/points.csv" arm-96 rlu-hash-2,stm-hash-20 2
cmp -s "$scratch/points.csv" "$scratch/before.csv" || fail "a point is computed twice"
scaling 0 predict "$scratch/points.csv" "$scratch/predictions"
for name in rlu tl2 tl2-gv4; do
    jq -e '.schema == "ordo-prediction/1" and .machine == "arm-96" and .unit == "1" and .inputs.boundary_ns == 1100 and
        (.points | length == 1 and all(.cores == 2 and .low <= .likely and .likely <= .high))' \
        "$scratch/predictions/arm-96-$name.json" >/dev/null || fail "arm-96-$name.json is not a prediction"
done
if command -v gnuplot >/dev/null; then
    scaling 0 draw "$scratch/points.csv" "$scratch/pictures"
    for name in rlu stm; do
        grep -q "</svg>" "$scratch/pictures/$name.svg" || fail "$name.svg is not a picture"
    done
    [ ! -e "$scratch/pictures/oplog.svg" ] || fail "a picture without points"
fi
exit $((failures > 0))
