#!/bin/bash
# kernel_clock.sh BIN MAKE_RECORD: tests the record of the kernel's clock, which lies next to the record of the counter:
# it is calibrated, shown, checked, watched and withdrawn.
set -u
PATH=$1:$PATH make_record=$2
. "$(dirname "$0")/../kit.sh"
tries=3
export ORDO_RECORD=$scratch/boundary COLUMNS=80
beside=$ORDO_RECORD.monotonic

kernel() { "$make_record" "$beside" 1e9 clock=monotonic "$@" || fail "make_record $*"; }
generation() { ordo show --json "$beside" | jq .generation; }

# --- calibrate: both records, and nothing of either with --dry-run
run 0 ordo calibrate --runs 3000 --repeat 2 --force --dry-run
matches "^the kernel's clock: ORDO_BOUNDARY [0-9]+ ns\$"
[ ! -e "$beside" ] || fail "--dry-run publishes"
for _ in 1 2 3; do # other load may disturb the measurement of the kernel's clock, which is then reported and not published
    run 0 ordo calibrate --runs 3000 --repeat 2 --force
    [ -e "$beside" ] && break
done
matches "^the kernel's clock: ORDO_BOUNDARY [0-9]+ ns, published in $beside \(generation 1\)"
hz=$(ordo show --json | jq .tick_hz)

# --- show: with the counter's record, and alone; whichever is missing
run 0 ordo show && matches "^kernel's clock ORDO_BOUNDARY [0-9]+ ns, generation 1, holds here and now"
run 0 ordo show --json && json ".monotonic | .path == \"$beside\" and .usable and .boundary_ns > 0 and .generation == 1"
run 0 ordo show "$beside" && matches "^clock +monotonic, 1000000000 Hz" && matches "holds here and now"
run 0 ordo show --json "$beside" && json '.clock == "monotonic" and .trust == "vouched" and .monotonic == null'
kernel valid_s=0
run 0 ordo show && matches "^kernel's clock void-after: the record has expired"
run 0 ordo show --json && json '.monotonic.usable == false and (.monotonic.reason | contains("expired"))'
rm "$beside"
run 0 ordo show && matches "^kernel's clock none"
run 0 ordo show --json && json '.monotonic == null'
kernel
mv "$ORDO_RECORD" "$scratch/counter"
run 2 ordo show
complains "the kernel's clock has a record that holds: ordo show $beside"

# --- a record of one clock is none of the other
run 2 ordo show "$scratch/none"
cp "$scratch/counter" "$ORDO_RECORD"
cp "$scratch/counter" "$beside"
run 0 ordo show --json && json '.usable and .monotonic.usable == false and (.monotonic.reason | contains("another clock"))'

# --- check: the pairs of both; a clock that jumped is marked, and mended with --recalibrate
kernel boundary=1000000
run 0 ordo check --json && json '.verdict == "ok" and .monotonic.verdict == "ok" and (.monotonic.pairs | length) == (.pairs | length)'
run 0 ordo check "--record=$beside" --json && json '.verdict == "ok" and .monotonic == null'
run 0 ordo check --quick && matches "$beside: holds here and now; --quick measures no pair"
run 64 ordo check "--record=$beside" --recalibrate
kernel boundary=1000000 ahead_ms=500
run 1 ordo check --json
json '.verdict == "ok" and .monotonic.verdict == "refuted" and (.monotonic.reason | contains("has not run at the record"))'
run 1 ordo check && matches "$beside: monotonic: the clock has not run at the record's rate"
run 0 ordo show "$scratch/counter"
run 1 ordo check --mark && complains "$beside: marked DISRUPTED"
run 2 ordo show "$beside" && matches "marked disrupted"
run 0 ordo check && matches "$beside: not checked: .*marked disrupted"
run 0 ordo check --recalibrate && complains "$beside: calibrated anew: ORDO_BOUNDARY"
run 0 ordo show "$beside"
kernel boundary=1000000 ahead_ms=500
run 0 ordo check --recalibrate && complains "$beside: calibrated anew: ORDO_BOUNDARY"

# --- watch: makes a record that is missing or has expired, and withdraws one whose clock jumped
for state in missing valid_s=0 ahead_ms=500 status=disrupted; do
    rm -f "$beside"
    [ $state = missing ] || kernel $state
    run 0 ordo watch --once
    grep -q '"event": "kernel-clock", "text": ".*: generation ' "$scratch/out" || fail "$state: no event"
    run 0 ordo show "$beside"
done
generation=$(generation)
run 0 ordo watch --once
[ "$(generation)" = "$generation" ] || fail "a record that holds was replaced"

[ $failures -eq 0 ] || echo "$failures failed"
[ $failures -eq 0 ]
