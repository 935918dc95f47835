#!/bin/bash
# skew.sh ORDO MACHINE [TICKS...]: tests the tool on clocks that disagree, by more and by less than the time of a
# message. Every interval contains the true offset, and every boundary is at least this offset. An offset above the time
# of a message is proved and reported. Boundaries above 10 us are implausible within one package, so they need --force.
set -u
ordo=$1 skew_machine=$2
. "$(dirname "$0")/common.sh"
shift 2
skews=${*:--50 200 -3000 100000000}
brief="--runs 3000 --repeat 2" # two sweeps are a second apart, which shows drifts; a third sweep would not show more
find_cpus "$ordo"

# skewed SPEC ARGUMENT...: runs ordo on the machine skewed by SPEC; returns its exit code.
skewed() {
    machine "$1"
    "$ordo" "${@:2}" >"$scratch/out" 2>"$scratch/err"
}

# contained S: calibrates under a skew of S on the second CPU. The result must contain the skew.
contained() {
    skewed "$second:$1" calibrate $brief --json --force || fail "skew $1: exit $?"
    jq -e --argjson s "$1" '
        (.offset_interval_ticks[0][1] | .[0] <= $s and $s <= .[1]) and
        (.offset_interval_ticks[1][0] | .[0] <= -$s and -$s <= .[1]) and
        .boundary_ticks >= ($s | fabs) and
        .boundary_ticks == ([.delta_ticks[][] | select(. != null)] | max) + .granule_ticks + .margin_ticks and
        .drift_ppb[0] <= 0 and .drift_ppb[1] >= 0' "$scratch/out" >/dev/null || fail "skew $1: not in the result"
}

# named S AHEAD BEHIND: the message must say which CPU is ahead.
named() {
    skewed "$second:$1" calibrate $brief --dry-run --force &&
        grep -q "^CPU $2 is ahead of CPU $3 by at least [0-9]* ticks" "$scratch/out"
}

# drifts PPM RATE: the calibration must be refused, with a message that names the pair and the rate.
drifts() {
    rm -f "$ORDO_RECORD" "$ORDO_RECORD.json"
    skewed "$second:0:$1" calibrate --runs 3000 --repeat 2
    [ $? -eq 1 ] && grep -Eq "cpu $second drifts against cpu $first by $2" "$scratch/err"
}

nothing_written() { [ -z "$(find "$scratch" -name 'boundary*' ! -name '*.lock' ! -name '*.monotonic')" ] || fail "drift $1 ppm: something was written"; }

is_exceeded() { skewed "$second:$1" check; [ $? -eq 1 ]; }

skewed "$first:0" calibrate $brief --force || fail "no skew: exit $?"
grep -q "^All clocks agree within" "$scratch/out" || fail "no skew: no agreement"
for skew in $skews; do
    contained "$skew"
done
eventually "skew 3000: does not name CPU $second" named 3000 "$second" "$first"
eventually "skew -3000: does not name CPU $first" named -3000 "$first" "$second"
eventually "drift 50 ppm: not refused and named" drifts 50 '(49|50)\.[0-9] ppm' && nothing_written 50
eventually "drift -50 ppm: not refused and named" drifts -50 '-(49|50)\.[0-9] ppm' && nothing_written -50
eventually "drift 1 ppm: not refused and named" drifts 1 '(0\.[89]|1\.[012]) ppm' && nothing_written 1

# The clock steps during the calibration, before the last sweep, which begins a second after the first: the boundary
# contains the step, or the calibration is refused. calibrations.c aims steps at the last sweep.
for at in 0.02 0.04 0.3 0.9; do
    skewed "$second:400@$at" calibrate $brief --dry-run --json
    case $? in
    0) jq -e '.boundary_ticks >= 400' "$scratch/out" >/dev/null || fail "a step of 400 ticks after $at s: above the boundary" ;;
    1) grep -Eq "step|moved|before it was sent|drifts" "$scratch/err" || fail "a step after $at s: refused without the reason" ;;
    2) ;; # inconclusive
    *) fail "a step after $at s: exit $?" ;;
    esac
done

# The clocks agree during the calibration, and are skewed afterwards. `check --mark` marks the record when the skew can
# be proved, and not earlier.
calibrated() { skewed "$second:0" calibrate --quiet $brief --force || fail "calibration: exit $?"; }
calibrated
skewed "$second:0" check --mark || fail "check without skew: exit $?"
skewed "$second:30" check --mark || fail "check of a skew too small to be proved: exit $?"
beyond=$((3000 + $("$ordo" show --json | jq .boundary_ticks)))
for skew in $beyond -$beyond 100000000 -100000000; do
    eventually "check under skew $skew: not proved" is_exceeded $skew
done
on_a_full_disk() {
    calibrated
    machine "$second:300000"
    "$ordo" check --mark >/dev/full 2>"$scratch/err"
    [ $? -eq 70 ] && ! "$ordo" show >"$scratch/out" 2>>"$scratch/err"
}
eventually "a full stdout is not noticed, or a record that is proved wrong survives it" on_a_full_disk
marked() {
    calibrated
    skewed "$second:$beyond" check --mark --json
    jq -e '.verdict == "exceeded" and .confirmed == false and .pairs[0].verdict == "exceeded"' "$scratch/out" >/dev/null
}
eventually "check --json" marked
skewed "$second:0" check
[ $? -eq 2 ] || fail "a disrupted record is still used"
grep -q disrupted "$scratch/err" || fail "a disrupted record does not say so"
exit $((failures > 0))
