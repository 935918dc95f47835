#!/bin/bash
# skew.sh ORDO PRELOAD [TICKS...]: the shipped tool on clocks that really disagree.
#
# A trapped read takes 2 to 10 us, so an interval is 10,000 to 60,000 ticks wide: a skew is certain to be *proved* from 10^5 ticks on,
# and must be *contained* from 0 on. No message travels under such a clock in less than 1,000 ticks: that skew cannot be proved.
# Boundaries are implausibly large then, and are asked for with --force.
set -u
ordo=$1 library=$2
shift 2
skews=${*:-10000 -10000 300000 -300000 100000000 -100000000}
[ "$(nproc)" -ge 2 ] || { echo "one CPU: nothing can be skewed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
preload=$scratch/skew.so # LD_PRELOAD knows no blanks in a path
cp "$library" "$preload"
export ORDO_RECORD=$scratch/boundary
{ read -r first && read -r second; } < <("$ordo" calibrate --dry-run --json --quiet --runs 30 --repeat 2 --force | jq '.cpus[]')
brief="--runs 1500 --repeat 2" # sweeps are a second apart, for drifts; a third shows nothing more of a skew
failures=0

fail() {
    echo "FAILED: $*"
    sed 's/^/    /' "$scratch/out" "$scratch/err"
    failures=$((failures + 1))
}

# skewed SPEC ARGUMENT...: runs ordo on the machine skewed by SPEC; its exit code.
skewed() {
    env ORDO_SKEW="$1" LD_PRELOAD="$preload" "$ordo" "${@:2}" >"$scratch/out" 2>"$scratch/err"
}

# contained S: calibrates under a skew of S on the second CPU, and looks for the truth in the result.
contained() {
    skewed "$second:$1" calibrate $brief --json --force || fail "skew $1: exit $?"
    jq -e --argjson s "$1" '
        (.offset_interval_ticks[0][1] | .[0] <= $s and $s <= .[1]) and
        (.offset_interval_ticks[1][0] | .[0] <= -$s and -$s <= .[1]) and
        .boundary_ticks >= ($s | fabs) and
        .boundary_ticks == ([.delta_ticks[][] | select(. != null)] | max) + .granule_ticks + .margin_ticks and
        .drift_ppb[0] <= 0 and .drift_ppb[1] >= 0' "$scratch/out" >/dev/null || fail "skew $1: not in the result"
}

# eventually WHAT COMMAND...: beside other loads an interval is wide and proves little. What can be proved is, in one of some tries.
eventually() {
    local what=$1
    shift
    for _ in 1 2 3 4 5 6; do "$@" && return; done
    fail "$what"
}

# named S AHEAD BEHIND: the sentence says who is ahead.
named() {
    skewed "$second:$1" calibrate $brief --dry-run --force &&
        grep -q "^CPU $2 is ahead of CPU $3 by at least [0-9]* ticks" "$scratch/out"
}

# drifts PPM RATE: is refused with the pair and the rate. Otherwise it could not be told, and is not called well by that.
drifts() {
    rm -f "$ORDO_RECORD" "$ORDO_RECORD.json"
    skewed "$second:0:$1" calibrate --runs 3000
    [ $? -eq 1 ] && grep -Eq "cpu $second drifts against cpu $first by $2" "$scratch/err"
}

nothing_written() { [ -z "$(find "$scratch" -name 'boundary*' ! -name '*.lock')" ] || fail "drift $1 ppm: something was written"; }

is_exceeded() { skewed "$second:$1" check; [ $? -eq 1 ]; }

skewed "$first:0" calibrate $brief --force || fail "no skew: exit $?"
grep -q "^All clocks agree within" "$scratch/out" || fail "no skew: no agreement"
for skew in $skews; do
    contained "$skew"
done
eventually "skew 300000: does not name CPU $second" named 300000 "$second" "$first"
eventually "skew -300000: does not name CPU $first" named -300000 "$first" "$second"
eventually "drift 50 ppm: not refused and named" drifts 50 '(4[0-9]|5[0-9]|60)\.[0-9] ppm' && nothing_written 50
eventually "drift -50 ppm: not refused and named" drifts -50 '-(4[0-9]|5[0-9]|60)\.[0-9] ppm' && nothing_written -50

# Calibrated on agreeing clocks, then skewed: the check proves it, marks the record, and did not cry wolf before.
calibrated() { "$ordo" calibrate --quiet --runs 3000 --repeat 2 --force >"$scratch/out" 2>"$scratch/err" || fail "calibration: exit $?"; }
calibrated
skewed "$second:0" check --mark || fail "check without skew: exit $?"
skewed "$second:1000" check --mark || fail "check of a skew too small to be proved: exit $?"
for skew in 300000 -300000 100000000 -100000000; do
    eventually "check under skew $skew: not proved" is_exceeded $skew
done
on_a_full_disk() {
    calibrated
    env ORDO_SKEW="$second:300000" LD_PRELOAD="$preload" "$ordo" check --mark >/dev/full 2>"$scratch/err"
    [ $? -eq 70 ] && ! "$ordo" show >"$scratch/out" 2>>"$scratch/err"
}
eventually "a full stdout is not noticed, or a record that is proved wrong lives on because nobody could be told" on_a_full_disk
marked() {
    calibrated
    skewed "$second:300000" check --mark --json
    jq -e '.verdict == "exceeded" and .confirmed == false and .pairs[0].verdict == "exceeded"' "$scratch/out" >/dev/null
}
eventually "check --json" marked
"$ordo" check >"$scratch/out" 2>"$scratch/err"
[ $? -eq 2 ] || fail "a disrupted record is still used"
grep -q disrupted "$scratch/err" || fail "a disrupted record does not say so"
exit $((failures > 0))
