#!/bin/bash
# withdrawing.sh ORDO MACHINE WATCH: checks that a watcher withdraws a record that is proved wrong, also while the
# watcher calibrates, and if the record cannot be marked at first.
set -u
ordo=$1 skew_machine=$2 watch=$3
. "$(dirname "$0")/common.sh"
watcher='' holder=''
trap '[ -z "$watcher$holder" ] || kill -KILL $watcher $holder; chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
mkdir "$scratch/run"
export ORDO_RECORD=$scratch/run/boundary
log=$scratch/log
shown=("$log" "$scratch/err" "$scratch/told")
machine
# File permissions do not stop root. If this test runs as root, the programs run as another user.
as=''
if [ "$(id -u)" -eq 0 ]; then
    as="setpriv --reuid 65534 --regid 65534 --clear-groups"
    cp "$ordo" "$watch" "$scratch" && chmod 755 "$scratch" && chown -R 65534:65534 "$scratch/run"
    ordo=$scratch/$(basename "$ordo") watch=$scratch/$(basename "$watch")
    $as "$ordo" --version >/dev/null 2>&1 || { echo "no other user can be taken on here"; exit 77; }
fi

# met FILE PATTERN: true if the file matches within 40 s.
met() { wait_for 40 grep -q "$2" "$1"; }
tells() { met "$log" "\"event\": \"$1\""; }

# begin RUNS REPEAT: makes a record, starts a program that opens it, runs `$prepare`, which may change the record, and
# starts a watcher.
prepare=true share=5
begin() {
    machine
    $as "$ordo" calibrate --quiet --runs "$1" --repeat "$2" --force >"$scratch/err" 2>&1 || fail "calibration: exit $?"
    : >"$log"
    [ -z "$as" ] || chown 65534:65534 "$log"
    $as "$watch" "$ORDO_RECORD" 120 >"$scratch/told" &
    holder=$!
    met "$scratch/told" open || fail "the record cannot be opened"
    $prepare
    $as "$ordo" watch --log "$log" --quiet --share $share 2>"$scratch/err" &
    watcher=$!
    met "$log" '"start"' || fail "the watcher does not start"
}

end() {
    kill $holder 2>/dev/null
    kill $watcher
    wait $watcher || fail "the watcher ends with $?"
    wait $holder
    watcher='' holder=''
}
# on_disk FILE: true if the file is marked DISRUPTED within 40 s.
on_disk() { wait_for 40 is_marked "$1"; }
is_marked() { [ "$(od -An -tx8 -j16 -N8 "$1" | tr -d ' ')" = d15c0bb1ea95b66c ]; }
handled() { grep -q '^ShdPnd:.*[02468ace]$' "/proc/$watcher/status"; } # no SIGHUP is pending

find_cpus "$ordo"

# --- a mark that fails is repeated as soon as the record can be written; nothing new is published meanwhile
prepare="chmod 444 $ORDO_RECORD $ORDO_RECORD.monotonic"
begin 1000 2
prepare=true
chmod 555 "$scratch/run"
machine "$second:100000000"
tells disrupted || fail "a jump is not noticed"
tells trouble || fail "a mark that fails is not reported"
grep -q '^DISRUPTED' "$scratch/told" && fail "the record could be marked: nothing is tested"
[ "$(grep -c '"recovered"' "$log")" -eq 0 ] || fail "it has not recovered"
chmod 644 "$ORDO_RECORD"
met "$scratch/told" '^DISRUPTED' || fail "a mark that failed is not repeated"
on_disk "$ORDO_RECORD" || fail "the record on the disk is not marked"
chmod 644 "$ORDO_RECORD.monotonic"
on_disk "$ORDO_RECORD.monotonic" || fail "the record of the kernel's clock is not withdrawn with it"
met "$log" 'proved wrong is now marked' || fail "the late mark is not reported"
chmod 755 "$scratch/run"
tells published || fail "nothing is published after publishing is possible again"
end

# --- a record that cannot be opened for writing any more was opened before
begin 1000 2
chmod 444 "$ORDO_RECORD"
chmod 555 "$scratch/run"
machine "$second:100000000"
met "$scratch/told" '^DISRUPTED' || fail "a record that lost its rights later is not marked"
chmod 755 "$scratch/run"
end

# --- a jump during a calibration is noticed between two pairs, and not at its end
begin 1000 3
kill -HUP $watcher
while ! handled; do sleep 0.01; done
sleep 0.5
machine "$second:100000000"
tells disrupted || fail "a jump during a calibration is not noticed"
met "$scratch/told" '^DISRUPTED' || fail "a program does not see a jump during a calibration"
[ "$(grep -cE '"(refused|published)"' "$log")" -eq 0 ] || [ "$(grep -nE '"(refused|published)"' "$log" | head -n 1 | cut -d : -f 1)" -gt \
    "$(grep -n '"disrupted"' "$log" | head -n 1 | cut -d : -f 1)" ] || fail "the calibration was over first"
tells published || fail "the clocks are not calibrated again"
end

# --- a calibration after a SIGHUP proves the record wrong. A walk cannot see so small a skew.
meanwhile=true
signalled() {
    begin 3000 2
    local by=$((3000 + $($as "$ordo" show --json | jq .boundary_ticks)))
    machine "$second:$by"
    $meanwhile
    kill -HUP $watcher
    tells published && met "$scratch/told" '^[A-Z]* [0-9]' || fail "a signal is not answered"
    end
    grep -q '^DISRUPTED' "$scratch/told"
}
eventually "a watcher that refutes the record by a calibration does not withdraw it" signalled
tells disrupted || fail "a refutation by the calibration is not reported"
meanwhile="chmod 444 $ORDO_RECORD" # the watcher still has the record open for writing
eventually "a watcher does not mark a record that its publisher cannot open" signalled
tells disrupted || fail "a refutation of a record that lost its rights is not reported"

# --- a refused calibration proves the record wrong. Looks are rare here, so that a signal is faster.
share="0.02 --metrics $scratch/run/looks"
refusing() {
    rm -f "$scratch/run/looks"
    begin 3000 2
    chmod 444 "$ORDO_RECORD" # the watcher has it open
    wait_for 10 grep -q '^ordo_looks_total [1-9]' "$scratch/run/looks" || fail "the watcher does not look"
    machine "$second:60000"
    kill -HUP $watcher
    met "$log" '"event": "\(refused\|published\)"' || fail "a signal is not answered" # published: a look has withdrawn the record first
    end
    grep -q '^DISRUPTED' "$scratch/told" && grep -E '"(disrupted|refused)"' "$log" | head -n 1 | grep -q 'a calibration refutes'
}
eventually "a watcher does not mark a record that a refused calibration proves wrong" refusing
share=5

# --- a watcher does not claim a disruption that is older than itself
machine
$as "$ordo" calibrate --quiet --runs 3000 --repeat 2 --force >"$scratch/err" 2>&1 || fail "calibration: exit $?"
machine "$second:$((3000 + $($as "$ordo" show --json | jq .boundary_ticks)))"
disrupts() { $as "$ordo" check --mark --runs 3000 >/dev/null 2>&1; [ $? -eq 1 ]; }
eventually "a check does not refute the record" disrupts
: >"$log"
$as "$ordo" watch --once --log "$log" --metrics "$scratch/run/metrics" --quiet 2>"$scratch/err"
tells published || fail "a withdrawn record is not replaced"
grep -q '"disrupted"' "$log" && fail "a disruption by another process is reported"
grep -q '^ordo_disruptions_total 0' "$scratch/run/metrics" || fail "a disruption by another process is counted"
exit $((failures > 0))
