#!/bin/bash
# calibrated.sh ORDO STRESS: tests RLU with the boundary of this machine, without added skew. 100 million sections must
# read consistent pairs, with 1 and 4 times the boundary, with and without interruptions. With half of the boundary the
# result is only reported. Finally, eight threads run on two CPUs for a minute.
set -u
ordo=$1 stress=$2
command -v jq >/dev/null && [ "$(nproc)" -ge 2 ] || exit 77
calibration=$("$ordo" calibrate --dry-run --quiet --json) || { [ $? -eq 2 ] && exit 77 || exit 1; } # 2: inconclusive
boundary=$(jq .boundary_ticks <<<"$calibration")
pair=$(jq -r '.cpus[:2] | join(",")' <<<"$calibration")
failures=0
for factor in 1 4; do
    for preempt in 0 20; do
        "$stress" pair boundary=$((factor * boundary)) threads=2 preempt=$preempt sections=25000000 milliseconds=1000 ||
            failures=$((failures + 1))
    done
done
for preempt in 0 20; do
    "$stress" pair boundary=$((boundary / 2)) threads=2 preempt=$preempt milliseconds=20000
    echo "reported only: half the boundary, exit $?"
done
for case in pair hash tree; do
    taskset -c "$pair" "$stress" $case boundary="$boundary" threads=8 preempt=20 milliseconds=60000 ||
        failures=$((failures + 1))
done
exit $((failures > 0))
