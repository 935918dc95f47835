#!/bin/bash
# trapped.sh ORDO PRELOAD TRAP: tests the unmodified shipped tool on clocks that disagree: each of its readings of the
# clock faults, and the handler returns another time. A trapped reading takes 2 to 10 us, so an interval is 10,000 to
# 60,000 ticks wide. The other tests of this folder run a second build of the tool; this test shows that the shipped
# build reads no other clock.
set -u
ordo=$1 library=$2 trap_program=$3
[ "$(nproc)" -ge 2 ] || { echo "one CPU: nothing can be skewed"; exit 77; }
"$trap_program" || { echo "reads of the TSC cannot be trapped here: the shipped binary is tested elsewhere"; exit 77; }
. "$(dirname "$0")/../kit.sh"
preload=$scratch/skew.so # LD_PRELOAD cannot take a path with blanks
cp "$library" "$preload"
export ORDO_RECORD=$scratch/boundary
{ read -r first && read -r second; } < <("$ordo" calibrate --dry-run --json --quiet --runs 30 --repeat 2 --force | jq '.cpus[]')

# skewed SPEC ARGUMENT...: runs ordo on the machine skewed by SPEC; returns its exit code.
skewed() {
    env ORDO_SKEW="$1" LD_PRELOAD="$preload" "$ordo" "${@:2}" >"$scratch/out" 2>"$scratch/err"
}

for skew in 10000 -300000 100000000; do
    skewed "$second:$skew" calibrate --runs 1500 --repeat 2 --json --force || fail "skew $skew: exit $?"
    jq -e --argjson s "$skew" '(.offset_interval_ticks[0][1] | .[0] <= $s and $s <= .[1]) and .boundary_ticks >= ($s | fabs)' \
        "$scratch/out" >/dev/null || fail "skew $skew: the result does not contain it"
done
"$ordo" calibrate --quiet --runs 3000 --repeat 2 --force >"$scratch/out" 2>"$scratch/err" || fail "calibration: exit $?"
for _ in 1 2 3 4 5 6; do
    skewed "$second:100000000" check --mark
    code=$?
    [ $code -ne 1 ] || break
done
[ $code -eq 1 ] || fail "check of a skewed CPU $second against CPU $first: exit $code"
exit $((failures > 0))
