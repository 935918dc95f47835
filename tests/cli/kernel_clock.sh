#!/bin/bash
# kernel_clock.sh BIN MAKE_RECORD: the record of the kernel's clock, next to that of the counter: calibrated, shown, checked, watched
# and withdrawn.
set -u
PATH=$1:$PATH make_record=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export ORDO_RECORD=$scratch/boundary COLUMNS=80
beside=$ORDO_RECORD.monotonic
failures=0

fail() {
    echo "FAILED: $*"
    head -n 20 "$scratch/out" "$scratch/err" | sed 's/^/    /'
    failures=$((failures + 1))
}

# run EXIT COMMAND...: the command must exit so. What says that it could not be told, and to measure again, is measured again.
run() {
    local expected=$1 code
    shift
    for _ in 1 2 3; do
        "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
        code=$?
        [ "$code:$expected" = 2:0 ] && grep -Eq "measure again|did not answer" "$scratch/err" || break
    done
    [ "$code" -eq "$expected" ] || fail "$*: exit $code, expected $expected"
}

says() { grep -Eq -- "$1" "$scratch/out" || fail "stdout lacks '$1'"; }
complains() { grep -Fq -- "$1" "$scratch/err" || fail "stderr lacks '$1'"; }
json() { jq -e "$1" "$scratch/out" >/dev/null || fail "JSON: $1"; }
kernel() { "$make_record" "$beside" 1e9 clock=monotonic "$@" || fail "make_record $*"; }
generation() { ordo show --json "$beside" | jq .generation; }

# --- calibrate: both records, and nothing of either with --dry-run
run 0 ordo calibrate --runs 3000 --repeat 2 --force --dry-run
says "^the kernel's clock: ORDO_BOUNDARY [0-9]+ ns\$"
[ ! -e "$beside" ] || fail "--dry-run publishes"
for _ in 1 2 3; do # another load may disturb the second measurement alone, which is then told of and left out
    run 0 ordo calibrate --runs 3000 --repeat 2 --force
    [ -e "$beside" ] && break
done
says "^the kernel's clock: ORDO_BOUNDARY [0-9]+ ns, published in $beside \(generation 1\)"
hz=$(ordo show --json | jq .tick_hz)

# --- show: with the counter's record, and alone; whichever is missing
run 0 ordo show && says "^kernel's clock ORDO_BOUNDARY [0-9]+ ns, generation 1, holds here and now"
run 0 ordo show --json && json ".monotonic | .path == \"$beside\" and .usable and .boundary_ns > 0 and .generation == 1"
run 0 ordo show "$beside" && says "^clock +monotonic, 1000000000 Hz" && says "holds here and now"
run 0 ordo show --json "$beside" && json '.clock == "monotonic" and .trust == "vouched" and .monotonic == null'
kernel valid_s=0
run 0 ordo show && says "^kernel's clock void-after: the record has expired"
run 0 ordo show --json && json '.monotonic.usable == false and (.monotonic.reason | contains("expired"))'
rm "$beside"
run 0 ordo show && says "^kernel's clock none"
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
run 0 ordo check --quick && says "$beside: holds here and now; --quick measures no pair"
run 64 ordo check "--record=$beside" --recalibrate
kernel boundary=1000000 ahead_ms=500
run 1 ordo check --json
json '.verdict == "ok" and .monotonic.verdict == "refuted" and (.monotonic.reason | contains("has not run at the record"))'
run 1 ordo check && says "$beside: monotonic: the clock has not run at the record's rate"
run 0 ordo show "$scratch/counter"
run 1 ordo check --mark && complains "$beside: marked DISRUPTED"
run 2 ordo show "$beside" && says "marked disrupted"
run 0 ordo check && says "$beside: not checked: .*marked disrupted"
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
