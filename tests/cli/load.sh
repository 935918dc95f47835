#!/bin/bash
# load.sh ORDO TIMES: checks under load that no calibration and no check reports a disagreement of clocks that agree.
set -u
ordo=$1 times=$2
scratch=$(mktemp -d)
export ORDO_RECORD=$scratch/boundary
hogs=()
for _ in $(seq $(($(nproc) * 2))); do
    sh -c 'while :; do :; done' &
    hogs+=($!)
done
trap 'kill "${hogs[@]}"; rm -rf "$scratch"' EXIT
failures=0
for i in $(seq "$times"); do
    # --force: under this load the result of a few runs is mostly implausible
    "$ordo" calibrate --quiet --runs $((30 * (i % 10 + 1))) --repeat 2 --force 2>/dev/null || failures=$((failures + 1))
    "$ordo" check --runs 100 || failures=$((failures + 1))
done
echo "$failures failures in $times calibrations and checks"
exit $((failures > 0))
