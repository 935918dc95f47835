#!/bin/bash
# fault.sh ORDO: tests a kernel that does not list the counter as a clock source, and kernels that report a fault of the
# counter while programs use it. Runs in a mount namespace, in which files of this test replace the kernel's lists and
# log.
set -u
if [ "${ORDO_FAULT_INSIDE:-}" != 1 ]; then
    [ "$(uname -m)" = x86_64 ] || { echo "only the TSC is ever refused by a kernel"; exit 77; }
    ORDO_FAULT_INSIDE=1 unshare -m true 2>/dev/null || { echo "no mount namespace can be had here"; exit 77; }
    ORDO_FAULT_INSIDE=1 exec unshare -m "$0" "$@"
fi
ordo=$1
. "$(dirname "$0")/../kit.sh"
seconds=120 tries=5 shown+=("$scratch/log")
watcher=''
trap '[ -z "$watcher" ] || kill -KILL $watcher; rm -rf "$scratch"' EXIT
export ORDO_RECORD=$scratch/run/boundary

says() { grep -Eq -- "$1" "$scratch/out" "$scratch/err" || fail "it does not say '$1'"; }

# kernel AVAILABLE LINE...: from now on the kernel lists the clock sources AVAILABLE, and its log ends with these lines.
sources=/sys/devices/system/clocksource/clocksource0
kernel() {
    echo "$1" >"$scratch/available"
    shift
    printf '[    0.000000] Linux version 6.1.0\n[    0.1] clocksource: Switched to clocksource x\n' >"$scratch/kmsg"
    printf '%s\n' "$@" >>"$scratch/kmsg"
}
kernel kvm-clock
mount --bind "$scratch/available" $sources/available_clocksource && mount --bind "$scratch/available" $sources/current_clocksource &&
    mount --bind "$scratch/kmsg" /dev/kmsg || { echo "the lists of the kernel cannot be replaced here"; exit 77; }
grep -qw constant_tsc /proc/cpuinfo && grep -qw nonstop_tsc /proc/cpuinfo || { echo "the processor promises no constant rate"; exit 77; }
few="--runs 3000 --quiet"

# watch_begins: starts a watcher. disrupted WHAT: the watcher must withdraw the record within 2 s.
watch_begins() {
    : >"$scratch/log"
    "$ordo" watch --log "$scratch/log" >"$scratch/out" 2>"$scratch/err" &
    watcher=$!
    wait_for 20 grep -q '"start"' "$scratch/log"
    sleep 1.5 # the watcher has finished a round
    run 0 "$ordo" show
}
disrupted() {
    sleep 2
    run 2 "$ordo" show && says "disrupted"
    grep -q "$1" "$scratch/log" || fail "the watcher does not say '$1'"
    grep -q "boundary.monotonic: withdrawn with the counter's" "$scratch/log" || fail "the kernel's clock is not withdrawn"
    wait_for 10 "$ordo" show "$ORDO_RECORD.monotonic"
    run 0 "$ordo" show "$ORDO_RECORD.monotonic"
    kill $watcher
    wait $watcher
    watcher=''
}

# --- not listed, and no fault: the measurement carries the trust, over 10 s, and says so
begin_s=$(date +%s)
run 0 "$ordo" calibrate --runs 3000 && says "^Trust in the clock: measured: the kernel does not list it \(available: kvm-clock\)"
[ $(($(date +%s) - begin_s)) -ge 10 ] || fail "it was measured for less than 10 s"
says "The measurement is the evidence: 5 sweeps" && ! grep -q FORCED "$scratch/out" || fail "it was forced"
run 0 "$ordo" show --json && json '.trust == "measured" and (.forced | not) and (.void_after_ns - .as_of_ns) == 7 * 86400 * 1e9'
run 0 "$ordo" check --json && json '.trust == "measured" and .verdict == "ok"'
run 0 "$ordo" check --quick --json && json '.trust == "measured"'
run 0 "$ordo" topology --cpus 0 && says "measured: the kernel does not list it"

# --- a fault in the log, found by the watcher, by a check and by the next calibration
watch_begins
echo "[  314.2] tsc: Marking TSC unstable due to clocksource watchdog" >>"$scratch/kmsg"
disrupted "the kernel saw a fault: Marking TSC unstable due to clocksource watchdog"
rm -f "$ORDO_RECORD.monotonic"
run 1 "$ordo" calibrate $few && says "faulted: the kernel saw a fault: Marking TSC unstable due to clocksource watchdog"
says "the kernel's clock can order events instead: ORDO_BOUNDARY [0-9]+ ns, published in $ORDO_RECORD.monotonic"
run 0 "$ordo" show "$ORDO_RECORD.monotonic"
rm "$ORDO_RECORD"
run 1 "$ordo" check --quick && says "faulted: the kernel saw a fault"
kernel kvm-clock
run 0 "$ordo" calibrate $few
kernel kvm-clock "[    1.0] TSC synchronization [CPU#0 -> CPU#1]: Measured 55060 cycles TSC warp between CPUs, turning off TSC clock."
run 1 "$ordo" check --json && json '.verdict == "refuted" and .trust == "faulted" and (.reason | contains("55060 cycles"))'
run 1 "$ordo" check --mark && says "marked DISRUPTED"
run 2 "$ordo" show

# --- listed, and taken off the list of the running kernel, whose log says nothing
kernel "tsc kvm-clock"
run 0 "$ordo" calibrate $few
run 0 "$ordo" show --json && json '.trust == "vouched"'
watch_begins
kernel "hpet acpi_pm"
disrupted "taken it off its list"

run 1 "$ordo" check --recalibrate --quiet
run 2 "$ordo" show && says disrupted # a delisted counter differs from one that was never listed
run 1 "$ordo" calibrate $few && says "taken it off its list"

# --- a fault while it is measured
rm -f "$ORDO_RECORD"
kernel kvm-clock
(sleep 4; echo "[  314.2] tsc: Marking TSC unstable due to clocksource watchdog" >>"$scratch/kmsg") &
run 1 "$ordo" calibrate $few && says "faulted: the kernel saw a fault"
[ ! -e "$ORDO_RECORD" ] || fail "a clock that became faulted was published"

# --- a record whose gates were overridden is withdrawn for a fault like any other, and stays so
kernel kvm-clock
run 0 "$ordo" calibrate $few --repeat 2 --force
run 0 "$ordo" show --json && json '.trust == "measured" and .forced'
watch_begins
echo "[  314.2] tsc: Marking TSC unstable due to clocksource watchdog" >>"$scratch/kmsg"
sleep 7 # by now the watcher has tried again
disrupted "the kernel saw a fault"

# --- a forced record states the overridden reason
kernel kvm-clock "[    1.0] tsc: Marking TSC unstable due to clocksource watchdog"
run 0 "$ordo" calibrate $few --repeat 2 --force
run 0 "$ordo" show --json && json '.trust == "faulted" and .forced'
exit $((failures > 0))
