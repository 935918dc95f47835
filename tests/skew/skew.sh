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
first=$("$ordo" calibrate --dry-run --json --quiet --runs 30 --force | jq '.cpus[0]')
second=$("$ordo" calibrate --dry-run --json --quiet --runs 30 --force | jq '.cpus[1]')
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
    skewed "$second:$1" calibrate --runs 1500 --json --force || fail "skew $1: exit $?"
    jq -e --argjson s "$1" '
        (.offset_interval_ticks[0][1] | .[0] <= $s and $s <= .[1]) and
        (.offset_interval_ticks[1][0] | .[0] <= -$s and -$s <= .[1]) and
        .boundary_ticks >= ($s | fabs) and
        .boundary_ticks == ([.delta_ticks[][] | select(. != null)] | max) + .granule_ticks + .margin_ticks and
        .drift_ppb[0] <= 0 and .drift_ppb[1] >= 0' "$scratch/out" >/dev/null || fail "skew $1: not in the result"
}

# named S AHEAD BEHIND: the sentence says who is ahead.
named() {
    skewed "$second:$1" calibrate --runs 1500 --dry-run --force || fail "skew $1: exit $?"
    grep -q "^CPU $2 is ahead of CPU $3 by at least [0-9]* ticks" "$scratch/out" || fail "skew $1: does not name CPU $2"
}

# drifts PPM: must be refused with the pair and the rate, and nothing written.
drifts() {
    rm -f "$ORDO_RECORD" "$ORDO_RECORD.json"
    skewed "$second:0:$1" calibrate --runs 3000
    [ $? -eq 1 ] || fail "drift $1 ppm: not refused"
    grep -Eq "cpu $second drifts against cpu $first by $2" "$scratch/err" || fail "drift $1 ppm: not named"
    [ -z "$(find "$scratch" -name 'boundary*' ! -name '*.lock')" ] || fail "drift $1 ppm: something was written"
}

skewed "$first:0" calibrate --runs 1500 --force || fail "no skew: exit $?"
grep -q "^All clocks agree within" "$scratch/out" || fail "no skew: no agreement"
for skew in $skews; do
    contained "$skew"
done
named 300000 "$second" "$first"
named -300000 "$first" "$second"
drifts 50 '(4[0-9]|5[0-9]|60)\.[0-9] ppm'
drifts -50 '-(4[0-9]|5[0-9]|60)\.[0-9] ppm'

# Calibrated on agreeing clocks, then skewed: the check proves it, marks the record, and did not cry wolf before.
"$ordo" calibrate --quiet --runs 3000 --force >"$scratch/out" 2>"$scratch/err" || fail "calibration: exit $?"
skewed "$second:0" check --mark || fail "check without skew: exit $?"
skewed "$second:1000" check --mark || fail "check of a skew too small to be proved: exit $?"
for skew in 300000 -300000 100000000 -100000000; do
    skewed "$second:$skew" check
    [ $? -eq 1 ] || fail "check under skew $skew: not proved"
done
"$ordo" calibrate --quiet --runs 3000 --force >"$scratch/out" 2>"$scratch/err" || fail "calibration: exit $?"
env ORDO_SKEW="$second:300000" LD_PRELOAD="$preload" "$ordo" check --mark >/dev/full 2>"$scratch/err"
[ $? -eq 70 ] || fail "a full stdout is not noticed"
"$ordo" show >"$scratch/out" 2>"$scratch/err" && fail "a record that is proved wrong lives on because nobody could be told"
"$ordo" calibrate --quiet --runs 3000 --force >"$scratch/out" 2>"$scratch/err" || fail "calibration: exit $?"
skewed "$second:300000" check --mark --json
jq -e '.verdict == "exceeded" and .confirmed == false and .pairs[0].verdict == "exceeded"' "$scratch/out" >/dev/null ||
    fail "check --json"
"$ordo" check >"$scratch/out" 2>"$scratch/err"
[ $? -eq 2 ] || fail "a disrupted record is still used"
grep -q disrupted "$scratch/err" || fail "a disrupted record does not say so"
exit $((failures > 0))
