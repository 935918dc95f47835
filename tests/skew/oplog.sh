#!/bin/bash
# oplog.sh ORDO MACHINE STRESS: tests Oplog on clocks that disagree. With a boundary calibrated on these clocks,
# operations are applied in the order in which they happened; without a boundary, some are not.
set -u
ordo=$1 skew_machine=$2 stress=$3
. "$(dirname "$0")/common.sh"
find_cpus "$ordo"

# skewed TICKS COMMAND...: runs the command on the first two CPUs. The clock of the second one is ahead by TICKS.
skewed() {
    machine "$second:$1"
    taskset -c "$first,$second" "${@:2}"
}

for skew in 300000 -300000; do
    skewed $skew "$ordo" calibrate --runs 500 --repeat 2 --quiet --json --force >"$scratch/out" || failures=$((failures + 1))
    boundary=$(jq .boundary_ticks "$scratch/out")
    for case in timed mixed; do
        skewed $skew "$stress" $case agree=0 boundary="$boundary" operations=3000 || failures=$((failures + 1))
    done
    skewed $skew "$stress" timed agree=0 boundary=0 operations=3000 expect=1 || failures=$((failures + 1))
done
exit $((failures > 0))
