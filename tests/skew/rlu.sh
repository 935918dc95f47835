#!/bin/bash
# rlu.sh ORDO PRELOAD STRESS: RLU on clocks that really disagree: nothing is torn with a boundary calibrated there, and
# without one the skew tears.
set -u
ordo=$1 library=$2 stress=$3
[ "$(nproc)" -ge 2 ] || { echo "one CPU: nothing can be skewed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$library" "$scratch/skew.so" # LD_PRELOAD knows no blanks in a path
export ORDO_RECORD=$scratch/boundary
mapfile -t cpus < <("$ordo" calibrate --dry-run --json --quiet --runs 30 --repeat 2 --force | jq '.cpus[]')
failures=0

# skewed TICKS COMMAND...: on the first two CPUs, of which the second is ahead.
skewed() {
    taskset -c "${cpus[0]},${cpus[1]}" env ORDO_SKEW="${cpus[1]}:$1" LD_PRELOAD="$scratch/skew.so" "${@:2}"
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
