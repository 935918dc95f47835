#!/bin/bash
# corrected.sh ORDO MACHINE LITMUS [TICKS...]: tests corrected clocks on a machine whose clocks disagree. The boundary
# of plain times contains the skew. The boundary of corrected times need not contain it, and messages are still never in
# the wrong order. If a correction is wrong by twice the boundary of corrected times, some messages are in the wrong
# order.
set -u
ordo=$1 skew_machine=$2 litmus=$3
. "$(dirname "$0")/common.sh"
shift 3
skews=${*:-1000 -100000 100000000}
tries=6
find_cpus "$ordo"

# skewed TICKS COMMAND...: runs the command on the first two CPUs. The clock of the second one is ahead by TICKS.
skewed() {
    machine "$second:$1"
    taskset -c "$first,$second" "${@:2}" >"$scratch/out" 2>"$scratch/err"
}

# calibrated TICKS: calibrates under this skew, and publishes the record. The JSON output is in $scratch/out.
calibrated() {
    skewed "$1" "$ordo" calibrate --cpus "$first,$second" --runs 1200 --repeat 2 --json --force || fail "skew $1: exit $?"
}

# small S: true if the boundary of corrected times under a skew of S is at most 2.2 times the plain boundary without a
# skew. Both boundaries consist of latencies, which other load sometimes makes longer; the test therefore tries twice.
small() {
    calibrated 0
    local without
    without=$(jq .boundary_ticks "$scratch/out")
    calibrated "$1"
    jq -e --argjson s "$1" --argjson without "$without" '
        .boundary_ticks >= ($s | fabs) and .corrected_boundary_ticks <= .boundary_ticks and
        (.corrections_ticks | length == 2 and min == 0 and max > 0)' "$scratch/out" >/dev/null || fail "skew $1: the record"
    jq -e --argjson without "$without" '10 * .corrected_boundary_ticks <= 22 * $without' "$scratch/out" >/dev/null
}

# in_order S: sends messages under a skew of S, first with the record as it is, then with one correction changed.
in_order() {
    local boundary
    boundary=$(jq .corrected_boundary_ticks "$scratch/out")
    skewed "$1" "$litmus" "$ORDO_RECORD" 1 || fail "skew $1: litmus, exit $?"
    grep -Eq '^[1-9][0-9]* messages, 0 in the wrong order, boundary '"$boundary"'$' "$scratch/out" || fail "skew $1: order"
    for off in $((2 * boundary)) $((-2 * boundary)); do
        skewed "$1" "$litmus" "$ORDO_RECORD" 40 "$second" "$off" || fail "skew $1: litmus, exit $?"
        grep -Eq ' messages, [1-9][0-9]* in the wrong order' "$scratch/out" ||
            fail "skew $1: a correction that is off by $off is not noticed"
    done
}

for skew in $skews; do
    for try in $(seq $tries); do
        small "$skew" && break
        [ "$try" -lt $tries ] || fail "skew $skew: the corrected boundary is not small"
    done
    echo "skew $skew: boundary $(jq .boundary_ticks "$scratch/out"), corrected $(jq .corrected_boundary_ticks "$scratch/out") ticks"
    in_order "$skew"
done
exit $((failures > 0))
