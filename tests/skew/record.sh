#!/bin/bash
# record.sh ORDO MACHINE WATCH: programs that have the record open are told when it does not hold any more, whoever tries to
# prevent that.
set -u
ordo=$1 skew_machine=$2 watch=$3
. "$(dirname "$0")/common.sh"
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
export ORDO_RECORD=$scratch/run/boundary
watcher='' blocker=''

fail() {
    echo "FAILED: $*"
    sed 's/^/    /' "$scratch/out" "$scratch/err" "$scratch/watched"
    failures=$((failures + 1))
}

# calibrated: a new record, and a program that has it open.
calibrated() {
    "$ordo" calibrate --quiet --runs 3000 --repeat 2 >"$scratch/out" 2>"$scratch/err" || fail "calibration: exit $?"
    : >"$scratch/watched"
    "$watch" "$ORDO_RECORD" 25 >"$scratch/watched" &
    watcher=$!
    for _ in $(seq 500); do
        grep -q open "$scratch/watched" && return
        sleep 0.01
    done
    fail "the record cannot be opened"
}

# skewed EXIT SPEC ARGUMENT...: ordo on the machine skewed by SPEC.
skewed() {
    machine "$2"
    "$ordo" "${@:3}" >"$scratch/out" 2>"$scratch/err"
    local code=$?
    machine
    [ $code -eq "$1" ] || fail "${*:3} under $2: exit $code, expected $1"
}

# told STATUS: the program that has the record open sees it.
told() {
    wait "$watcher"
    grep -q "^$1 " "$scratch/watched" || fail "a program that has the record open is not told $1"
}

find_cpus "$ordo"

# --- anybody may open the directory and lock it; what is proved wrong is marked while that lasts
if [ "$(id -u)" -eq 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$scratch"; then
    calibrated
    setpriv --reuid 65534 --regid 65534 --clear-groups flock -sF "$scratch/run" sleep 60 &
    blocker=$!
    while flock -n "$scratch/run" true; do sleep 0.01; done
    machine "$second:1000000"
    timeout 30 "$ordo" check --mark --runs 1000 >"$scratch/out" 2>"$scratch/err"
    code=$?
    machine
    [ $code -eq 1 ] || fail "check --mark beside a locked directory: exit $code"
    told DISRUPTED
    timeout 30 "$ordo" calibrate --quiet --runs 300 --repeat 2 >"$scratch/out" 2>"$scratch/err" ||
        fail "calibrate beside a locked directory: exit $?"
    kill "$blocker"
    wait "$blocker" 2>/dev/null
else
    echo "not root: nobody else can lock the directory"
fi

# --- a counter that stood still, or jumped: nobody will open the record again, and those who have it open are told
for ticks in -1000000000 1000000000; do
    calibrated
    skewed 1 "all:$ticks" check --runs 300
    grep -q "has not run at the record's rate" "$scratch/out" || fail "$ticks ticks: check does not say why"
    "$ordo" show >"$scratch/out" 2>"$scratch/err" || fail "check without --mark marks"
    skewed 1 "all:$ticks" check --mark --json --runs 300
    jq -e '.verdict == "refuted" and (.reason | length > 0) and .confirmed == false' "$scratch/out" >/dev/null ||
        fail "$ticks ticks: JSON"
    told DISRUPTED
    "$ordo" show >"$scratch/out" 2>"$scratch/err" && fail "$ticks ticks: the record can still be opened"
done

# --- less than is tolerated changes nothing; the check notes that the clock is right
calibrated
skewed 0 "all:-1000000" check --mark --runs 300
"$ordo" show >"$scratch/out" 2>"$scratch/err" || fail "a check that finds nothing withdraws the record"
kill "$watcher"
wait "$watcher" 2>/dev/null

# --- what does not hold any more gives way to a record that is made in the same way
"$ordo" calibrate --quiet --runs 3003 --repeat 2 --margin 77 --valid-for 9 --cpus "$(echo $cpus | tr ' ' ,)" >"$scratch/out" 2>"$scratch/err" ||
    fail "calibration: exit $?"
"$ordo" check --recalibrate --quiet >"$scratch/out" 2>"$scratch/err" || fail "a record that holds: exit $?"
generation=$("$ordo" show --json | jq .generation)
skewed 1 "$second:1000000" check --mark --runs 1000
"$ordo" check --recalibrate >"$scratch/out" 2>"$scratch/err" || fail "check --recalibrate: exit $?"
grep -q "calibrated anew: ORDO_BOUNDARY .*, generation $((generation + 1))" "$scratch/err" || fail "check --recalibrate does not say what it did"
"$ordo" show --json >"$scratch/out"
jq -e ".usable and .generation == $((generation + 1)) and .margin_ticks == 77 and .runs == 3003 and
       (.void_after_ns - .as_of_ns) == 9 * 86400 * 1000000000" "$scratch/out" >/dev/null || fail "calibrated in another way"
rm "$ORDO_RECORD"
"$ordo" check --recalibrate --quiet >"$scratch/out" 2>"$scratch/err" || fail "check --recalibrate without a record: exit $?"
[ ! -s "$scratch/out" ] && [ ! -s "$scratch/err" ] || fail "check --recalibrate --quiet has something to say"
"$ordo" show --json | jq -e '.usable and .runs == 100000' >/dev/null || fail "without a record it is not calibrated as by default"
exit $((failures > 0))
