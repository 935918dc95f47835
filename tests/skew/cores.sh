#!/bin/bash
# cores.sh ORDO-NET MACHINE: tests ordo-net cores on clocks that disagree. The intervals always contain the skew. A skew
# above the time of a message is proved.
set -u
tool=$1 skew_machine=$2
. "$(dirname "$0")/common.sh"
machine

# measure SPEC OPTION...: runs ordo-net cores on the machine skewed by SPEC. Returns its exit code.
measure() {
    machine "$1"
    "$tool" cores --runs 400 --sweeps 2 --force "${@:2}" >"$scratch/out" 2>"$scratch/err"
}

"$tool" cores --runs 60 --sweeps 2 --force --json >"$scratch/out" 2>"$scratch/err" || fail "without a skew: exit $?"
first=$(jq '.cores[0].cpu' "$scratch/out") second=$(jq '.cores[1].cpu' "$scratch/out")

# skewed TICKS ESTIMATOR: both intervals must contain the truth. The estimate must be near the truth and in the proved
# interval.
skewed() {
    measure "$second:$1" --json --estimator "$2" || fail "skew $1, $2: exit $?"
    jq -e --argjson ticks "$1" '
        ($ticks / .tick_hz * 1e9) as $truth | .cores[1] |
        .proved_ns[0] <= $truth and $truth <= .proved_ns[1] and
        .pair_ns[0] <= $truth + 1 and $truth - 1 <= .pair_ns[1] and
        .likely_ns >= .proved_ns[0] and .likely_ns <= .proved_ns[1] and
        (.likely_ns - $truth | fabs) <= (.proved_ns[1] - .proved_ns[0])' "$scratch/out" >/dev/null ||
        fail "skew $1, $2: the result does not contain it"
}

skewed 100 svm
skewed 300000 svm
skewed -5000 min-rtt

# proves TICKS WORDS: the tool must prove the skew in one of six tries. Under other load an interval is wide and proves
# little.
proves() {
    for _ in 1 2 3 4 5 6; do
        measure "$second:$1" && grep -q "^CPU $second is $2 CPU $first by at least [0-9]" "$scratch/out" && return
    done
    fail "skew $1: it does not say that CPU $second is $2 CPU $first"
}
proves -5000 behind

# A clock with another rate is refused, by the calibration as a drift, or because the offsets of several sweeps
# contradict each other.
drifts() {
    for _ in 1 2 3 4 5 6; do
        measure "$second:0:50"
        [ $? -eq 1 ] && grep -Eq "drift|contradict" "$scratch/err" && return
    done
    fail "drift: not refused"
}
drifts
exit $((failures > 0))
