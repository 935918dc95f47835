#!/bin/bash
# record.sh ORDO MACHINE WATCH: checks that programs that have the record open learn when it no longer holds, even if
# another user tries to prevent this.
set -u
ordo=$1 skew_machine=$2 watch=$3
. "$(dirname "$0")/common.sh"
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
export ORDO_RECORD=$scratch/run/boundary
watcher='' blocker=''
shown+=("$scratch/watched")

# calibrated: makes a new record, and starts a program that has it open.
calibrated() {
    "$ordo" calibrate --quiet --runs 3000 --repeat 2 >"$scratch/out" 2>"$scratch/err" || fail "calibration: exit $?"
    : >"$scratch/watched"
    "$watch" "$ORDO_RECORD" 25 >"$scratch/watched" &
    watcher=$!
    wait_for 5 grep -q open "$scratch/watched" || fail "the record cannot be opened"
}

# skewed EXIT SPEC ARGUMENT...: runs ordo on the machine skewed by SPEC. It must exit with EXIT. A check that is
# inconclusive, because the machine is busy, is repeated.
skewed() {
    local code
    machine "$2"
    for _ in 1 2 3 4 5 6; do
        "$ordo" "${@:3}" >"$scratch/out" 2>"$scratch/err"
        code=$?
        [ $code -eq 2 ] && [ "$1" -ne 2 ] && grep -q "measure again" "$scratch/err" || break
    done
    machine
    [ $code -eq "$1" ] || fail "${*:3} under $2: exit $code, expected $1"
}

# told STATUS: the program that has the record open must see this status.
told() {
    wait "$watcher"
    grep -q "^$1 " "$scratch/watched" || fail "a program that has the record open does not see $1"
}

find_cpus "$ordo"

# --- any user may open the directory and lock it; a record proved wrong is marked even while it is locked
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

# --- a counter that stood still, or jumped: no program can open the record again, and those that have it open learn of it
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

# --- a change below the tolerance has no effect; the check notes that the clock is right
calibrated
skewed 0 "all:-1000000" check --mark --runs 300
"$ordo" show >"$scratch/out" 2>"$scratch/err" || fail "a check that finds nothing withdraws the record"
kill "$watcher"
wait "$watcher" 2>/dev/null

# --- a CPU that was added since, played by a library: the covered CPUs are measured, and the record is still withdrawn
cat >"$scratch/added.c" <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
    long got = syscall(SYS_sched_getaffinity, pid, bytes, set);
    if (got < 0)
        return -1;
    memset((char *)set + got, 0, bytes - (size_t)got);
    if (bytes > 4090 / 8) /* a reader of records asks with room for 65536 CPUs */
        ((unsigned char *)set)[4090 / 8] |= 1 << 4090 % 8;
    return 0;
}
END
if "${CC:-cc}" -shared -fPIC "$scratch/added.c" -o "$scratch/added.so"; then
    calibrated
    LD_PRELOAD=$scratch/added.so "$ordo" show >"$scratch/out" 2>"$scratch/err" && fail "no CPU was added"
    grep -q "cpu 4090: the record does not cover every CPU" "$scratch/out" || fail "show does not name the CPU that was added"
    for quick in "--runs 300" --quick; do
        # shellcheck disable=SC2086
        LD_PRELOAD=$scratch/added.so skewed 0 true check $quick --json
        jq -e '.covers_caller == false and (.pairs | length > 0) and .verdict == "ok"' "$scratch/out" >/dev/null || fail "$quick: JSON"
    done
    LD_PRELOAD=$scratch/added.so skewed 0 true check --runs 300
    grep -q "it does not cover all CPUs of this process" "$scratch/out" || fail "check does not say that a CPU was added"
    LD_PRELOAD=$scratch/added.so skewed 1 "$second:1000000" check --mark --runs 1000
    told DISRUPTED
fi

# --- no CPU answers another, played by a library: there is no verdict
echo '#include <errno.h>
int sem_clockwait(void *semaphore, int clock, const void *until) { (void)semaphore, (void)clock, (void)until; return errno = ETIMEDOUT, -1; }' >"$scratch/silent.c"
if "${CC:-cc}" -shared -fPIC "$scratch/silent.c" -o "$scratch/silent.so"; then
    calibrated
    kill "$watcher"
    wait "$watcher" 2>/dev/null
    LD_PRELOAD=$scratch/silent.so skewed 2 true check --quick # a walk over the CPUs is never as narrow as a boundary
    grep -q "no CPU answered another" "$scratch/err" || fail "check --quick does not say that no CPU answered"
    LD_PRELOAD=$scratch/silent.so skewed 1 "$second:1000000000" check --quick
fi

# --- a calibration that proves the record wrong marks it for the programs that have it open, whether its own result is
# published or refused. The skew is so large that an interval proves it even on a busy machine.
end_watch() {
    kill "$watcher" 2>/dev/null
    wait "$watcher" 2>/dev/null
}
refutes() { # EXIT SPEC ARGUMENT...
    calibrated
    machine "$2"
    "$ordo" calibrate --quiet --runs 3000 --repeat 2 "${@:3}" >"$scratch/out" 2>"$scratch/err"
    local code=$?
    sleep 0.1
    machine
    end_watch
    [ $code -eq "$1" ] && grep -q '^DISRUPTED' "$scratch/watched"
}
calibrated
end_watch
beyond=$((1000000 + $("$ordo" show --json | jq .boundary_ticks)))
eventually "a calibration refutes the record, and a program that has it open is not told" refutes 0 "$second:$beyond" --force
grep -q "warning: .* is proved wrong, and marked DISRUPTED: the clock of cpu $second is ahead of that of cpu $first" "$scratch/err" ||
    fail "a calibration refutes the record, and does not say so"
eventually "a calibration that is refused refutes the record, and a program that has it open is not told" refutes 2 "$second:1000000"
grep -q "the present record is proved wrong, and marked" "$scratch/err" || fail "a refused calibration refutes the record, and does not say so"
"$ordo" show >"$scratch/out" 2>"$scratch/err" && fail "a record that a refused calibration refutes can still be opened"

# A calibration that cannot write its header also says so.
eventually "a calibration whose header cannot be written refutes the record, and a program that has it open is not told" \
    refutes 70 "$second:$beyond" --force --emit-header /dev/full
grep -q "No space left.*the present record is proved wrong, and marked" "$scratch/err" || fail "a calibration that cannot write refutes, and does not say so"

# --- a new calibration that finds nothing against the record leaves its handles their boundary
calibrated
"$ordo" calibrate --quiet --runs 3000 --repeat 2 >"$scratch/out" 2>"$scratch/err" || fail "calibration: exit $?"
told SUPERSEDED

# --- a checker that is overtaken by a publisher marks the record that it measured
overtaken() {
    calibrated
    cp "$ORDO_RECORD" "$scratch/earlier" # its generation differs from that of the checked record
    end_watch
    calibrated
    machine "$second:$beyond"
    "$ordo" check --mark --quiet --runs 200000 >"$scratch/out" 2>"$scratch/err" &
    local checker=$! code
    while kill -0 $checker 2>/dev/null && ! grep -q "$ORDO_RECORD" /proc/$checker/maps; do sleep 0.01; done
    mv "$scratch/earlier" "$ORDO_RECORD"
    wait $checker
    code=$?
    sleep 0.1
    machine
    end_watch
    [ $code -eq 1 ] && grep -q '^DISRUPTED' "$scratch/watched"
}
eventually "a checker that is overtaken does not mark the record that it measured" overtaken

# --- a record that does not hold any more is replaced by one that is made in the same way
"$ordo" calibrate --quiet --runs 3003 --repeat 2 --margin 77 --valid-for 9 --cpus "$(echo $cpus | tr ' ' ,)" >"$scratch/out" 2>"$scratch/err" ||
    fail "calibration: exit $?"
"$ordo" check --recalibrate --quiet >"$scratch/out" 2>"$scratch/err" || fail "a record that holds: exit $?"
generation=$("$ordo" show --json | jq .generation)
skewed 1 "$second:1000000" check --mark --runs 1000
"$ordo" check --recalibrate >"$scratch/out" 2>"$scratch/err" || fail "check --recalibrate: exit $?"
grep -q "calibrated anew: ORDO_BOUNDARY .*, generation $((generation + 1))" "$scratch/err" || fail "check --recalibrate does not say what it did"
"$ordo" show --json >"$scratch/out"
jq -e ".usable and .generation == $((generation + 1)) and .margin_ticks == 77 and .runs == 3003 and
       (.void_after_ns - .as_of_ns) == 9 * 86400 * 1000000000" "$scratch/out" >/dev/null || fail "the new record is not made as the old one"
rm "$ORDO_RECORD"
"$ordo" check --recalibrate --quiet >"$scratch/out" 2>"$scratch/err" || fail "check --recalibrate without a record: exit $?"
[ ! -s "$scratch/out" ] && [ ! -s "$scratch/err" ] || fail "check --recalibrate --quiet prints something"
"$ordo" show --json | jq -e '.usable and .runs == 100000' >/dev/null || fail "without a record it is not calibrated as by default"
exit $((failures > 0))
