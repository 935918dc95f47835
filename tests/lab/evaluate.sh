#!/bin/bash
# evaluate.sh SOURCE BIN: tests ordo-lab evaluate with the real daemons, and checks that it leaves no process or file
# behind. Exit 77 if namespaces are refused.
set -u
source=$1 bin=$2
. "$(dirname "$0")/../kit.sh"
export COLUMNS=80
PATH=$bin:$PATH
PATH=$PATH:/usr/sbin:/sbin

# --- usage
run 64 ordo-lab evaluate && complains_once "no daemon: name one of "
run 64 ordo-lab evaluate ntpd && complains_once "'ntpd' is not a daemon that can be run; take one of "
run 64 ordo-lab evaluate chrony linuxptp && complains_once "one daemon at a time"
run 64 ordo-lab evaluate chrony --rate 3 && complains_once "not a power of 2"
run 64 ordo-lab evaluate chrony --json --csv

# --- refusals: without namespaces, and without the daemon
unshare --net --mount --pid --fork true 2>/dev/null || { [ $failures -eq 0 ] && echo "no namespaces can be had here" && exit 77; exit 1; }
run 2 setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$bin/ordo-lab" evaluate chrony --seconds 1
complains_once "namespaces are not allowed here: unshare:"
for daemon in chrony:chronyd linuxptp:ptp4l; do
    # shellcheck disable=SC2016
    run 2 unshare --mount sh -c 'mount --bind /dev/null "$(command -v "$2")" && exec ordo-lab evaluate "$1" --seconds 1' sh "${daemon%:*}" "${daemon#*:}"
    complains_once "${daemon#*:}: not found: install it, on Debian the package ${daemon%:*}"
done

# --- both daemons. If a busy machine reports nothing in the time, they get more time.
evaluate() {
    local seconds
    for seconds in "$1" 10 60; do
        ordo-lab evaluate "${@:2}" --seconds "$seconds" >"$scratch/out" 2>"$scratch/err" </dev/null && return
        grep -q "reported no offset" "$scratch/err" || break
    done
    fail "evaluate ${*:2}"
}

evaluate 1 chrony --rate 8 --json
json '.daemon == "chrony" and .offsets >= 1 and .error_ns.p50 <= .error_ns.p99 and .error_ns.p99 <= .error_ns.max'
json '([.histogram[].offsets] | add) == .offsets and (.cdf_ns | length) == 101 and .cdf_ns[100] == .error_ns.max'
json '.error_ns.p50 < 1e9' # both ends have one clock, so even on a busy machine the measured offset is below a second
picture=()
command -v gnuplot >/dev/null && picture=(--svg "$scratch/curve.svg")
evaluate 4 linuxptp --csv "${picture[@]}"
[ "$(grep -c '^histogram_ns,' "$scratch/out")" -eq 20 ] && [ "$(grep -c '^cdf_percent_ns,' "$scratch/out")" -eq 101 ] || fail "CSV"
[ ${#picture[@]} -eq 0 ] || grep -q '</svg>' "$scratch/curve.svg" || fail "the picture is not whole"

# --- nothing is left, however it ends
descendants() {
    local child
    for child in $(pgrep -P "$1"); do
        echo "$child"
        descendants "$child"
    done
}

# start DAEMON PROGRAM: waits until server and client run; sets pid and family. (A shell makes its background processes ignore
# SIGINT.)
start() {
    env --default-signal=INT ordo-lab evaluate "$1" --seconds 300 >"$scratch/out" 2>"$scratch/err" </dev/null &
    pid=$!
    for _ in $(seq 600); do
        family=$(descendants $pid)
        [ "$(wc -w <<<"$family")" -ge 4 ] &&
            [ "$(ps -o comm= -p "$(tail -n 2 <<<"$family" | paste -sd,)" | grep -c "^$2$")" -eq 2 ] && return
        sleep 0.1
    done
    fail "$1 did not start"
}

gone() {
    local process
    for _ in $(seq 600); do
        for process in $family; do
            [ -d "/proc/$process" ] && ! grep -q '^State:.*Z' "/proc/$process/status" 2>/dev/null && break
            process=
        done
        [ -z "$process" ] && return
        sleep 0.1
    done
    fail "$1: something is left"
}

for signal in INT TERM KILL; do
    start chrony chronyd
    kill -$signal $pid
    wait $pid 2>/dev/null
    gone "chrony after SIG$signal"
done
for which in 1 2; do
    start linuxptp ptp4l
    kill -KILL "$(tail -n $which <<<"$family" | head -n 1)"
    wait $pid
    [ $? -eq 2 ] || fail "a killed daemon: the exit code is not 2"
    complains_once "ptp4l ended before its time"
    gone "linuxptp after the end of a daemon"
done
[ ! -e /run/ordo-lab ] || fail "/run/ordo-lab is left"

exit $((failures > 0))
