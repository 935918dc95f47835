#!/bin/bash
# rlu.sh ORDO MACHINE STRESS: tests RLU on clocks that disagree. With a boundary calibrated on these clocks, no section
# sees half of a commit; without a boundary, some sections do.
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
    for case in pair bank tree; do
        skewed $skew "$stress" $case boundary="$boundary" threads=4 milliseconds=300 || failures=$((failures + 1))
    done
    skewed $skew "$stress" pair boundary="$boundary" threads=4 defer=-1 milliseconds=300 || failures=$((failures + 1))
    skewed $skew "$stress" pair boundary=0 threads=4 milliseconds=60000 expect=1 || failures=$((failures + 1))
done
exit $((failures > 0))
