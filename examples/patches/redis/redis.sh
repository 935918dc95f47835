#!/bin/bash
# redis.sh: tries redis.patch; see README.md, and ../patch.sh for the options.
package=redis version=5:7.0.15-1~deb12u7
. "$(dirname "$0")/../patch.sh"

build_tree() {
    nice -n 10 make -C "$1" -j2 MALLOC=libc REDIS_CFLAGS="${2:+-DUSE_ORDO_RECORD $2}" redis-server redis-benchmark redis-cli
}

# start_server TREE, stop_server: a server on a socket, without files.
start_server() {
    local tries
    "$1/src/redis-server" --port 0 --unixsocket "$work/socket" --save '' >"$work/server" 2>&1 </dev/null &
    server=$!
    trap 'kill "$server" 2>/dev/null && wait "$server"' EXIT # the end of the subshell in which a test runs
    for ((tries = 0; tries < 100; tries++)); do
        ask "$1" PING 2>/dev/null | grep -q PONG && return
        sleep 0.1
    done
    stop 70 "the server of $1 does not answer; see $work/server"
}
stop_server() { trap - EXIT && kill "$server" && wait "$server"; }
ask() { # ask TREE COMMAND...
    local tree=$1
    shift
    "$tree/src/redis-cli" -s "$work/socket" "$@"
}

uses_record() {
    start_server "$1"
    ask "$1" INFO server | grep '^monotonic_clock:.*by record'
    local result=$?
    stop_server
    return $result
}
falls_back() { # without a record, and with a withdrawn one
    copy_record "$work/record" && withdraw "$work/record"
    local record
    for record in "$work/none" "$work/record"; do
        ORDO_RECORD=$record start_server "$1"
        ask "$1" INFO server | grep '^monotonic_clock:POSIX clock_gettime' || return
        stop_server
    done
}
survives_withdrawal() { # keys that expire, a blocked client and the timer go on as the kernel's clock says
    local begin took
    copy_record "$work/record"
    ORDO_RECORD=$work/record start_server "$1"
    ask "$1" SET k v PX 1500
    begin=$(date +%s%N)
    (sleep 0.5 && withdraw "$work/record") &
    ask "$1" BLPOP nothing 1
    took=$((($(date +%s%N) - begin) / 1000000))
    sleep 1
    [ "$(ask "$1" EXISTS k)" = 0 ] && [ $took -ge 999 ] && [ $took -lt 1500 ] &&
        [ "$(ask "$1" INFO clients | sed -n 's/^blocked_clients:\([0-9]*\).*/\1/p')" = 0 ]
    local result=$?
    stop_server
    return $result
}
own_tests() {
    cd "$1" && ./runtest --clients 2 --single unit/slowlog --single unit/latency-monitor --single unit/expire \
        --single unit/pause --single unit/info --single unit/type/list-2 --single unit/introspection-2
}

test_tree() {
    passes "the server takes its clock from the record" uses_record "$1"
    passes "without a record, and with a withdrawn one, it takes the kernel's" falls_back "$1"
    passes "timers go on if the record is withdrawn" survives_withdrawal "$1"
    passes "redis's tests of slow log, latency, expiry, pauses, blocking and INFO" own_tests "$1"
}

# command_time TREE: prints the nanoseconds of the server's CPU time for a pipelined PING.
command_time() {
    local before after
    start_server "$1"
    before=$(awk '{ print $14 + $15 }' "/proc/$server/stat")
    "$1/src/redis-benchmark" -s "$work/socket" -q -P 64 -c 4 -n 1000000 -t ping_mbulk >"$work/bench" 2>&1
    after=$(awk '{ print $14 + $15 }' "/proc/$server/stat")
    stop_server
    echo $(((after - before) * (1000000000 / $(getconf CLK_TCK)) / 1000000))
}
stock_command() { command_time "$stock"; }
patched_command() { command_time "$patched"; }

# reading_time TREE: prints the nanoseconds of a call of getMonotonicUs.
reading_time() {
    [ -x "$1/reading" ] || {
        cat >"$1/reading.c" <<'EOF'
#include "monotonic.h"
#include <stdio.h>
#include <time.h>
int main(void)
{
    struct timespec a, b;
    volatile monotime sink;
    monotonicInit();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (int i = 0; i < 3000000; i++)
        sink = getMonotonicUs();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    (void)sink;
    return printf("%.3f\n", ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / 3e6) < 0;
}
EOF
        cc -O2 -I"$1/src" "$1/reading.c" "$1/src/monotonic.o" -o "$1/reading" || return
    }
    "$1/reading"
}
stock_reading() { reading_time "$stock"; }
patched_reading() { reading_time "$patched"; }

measure_trees() {
    compare "ns a call of getMonotonicUs" stock_reading patched_reading
    compare "ns of CPU a pipelined PING" stock_command patched_command
}

try_patch "$@"
