#!/bin/bash
# alarm.sh BIN APART: tests the limits and alarms of ordo-net measure, between hosts in network namespaces of their own,
# joined by a bridge, whose clocks are 49 s, 1 ms and 100 us ahead of that of the first. Exit 77 if namespaces are refused.
set -u
bin=$1 apart=$2
. "$(dirname "$0")/../kit.sh"
seconds=120
PATH=$bin:$PATH
running=()

finish() {
    [ ${#running[@]} -eq 0 ] || kill -9 "${running[@]}" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$scratch"
}
trap finish EXIT

[ "$(id -u)" = 0 ] && "$apart" 1 true 2>/dev/null || { echo "alarm: needs root, and namespaces of network and time"; exit 77; }
command -v ip >/dev/null || { echo "alarm: needs ip (iproute2)"; exit 77; }
key=$scratch/key
(umask 077 && od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n' >"$key")

unshare --net sleep 1000 &
hub=$! && running+=("$hub")
inside=(nsenter "--net=/proc/$hub/ns/net")
wait_for 10 sh -c "! [ /proc/$hub/ns/net -ef /proc/self/ns/net ]" || fail "no namespace"
"${inside[@]}" ip link add br0 type bridge && "${inside[@]}" ip addr add 10.77.0.254/24 dev br0 && "${inside[@]}" ip link set br0 up ||
    { echo "alarm: needs a bridge of the kernel"; exit 77; }

# begin_host NUMBER NS: an agent at 10.77.0.NUMBER, whose clock is NS ahead. The process that made its namespaces is
# host[NUMBER]; a guard is the parent of each program of the tests.
begin_host() {
    : >"$scratch/agent$1" # an earlier agent's line must not be taken for this one's
    "$apart" "$2" ordo-net agent --key "$key" --clock monotonic >"$scratch/agent$1" 2>&1 </dev/null &
    local guard=$!
    running+=("$guard")
    wait_for 30 grep -q listens "$scratch/agent$1" || fail "agent $1 does not listen: $(cat "$scratch/agent$1")"
    local pid
    pid=$(tr -d ' ' <"/proc/$guard/task/$guard/children")
    host[$1]=$pid && running+=("$pid")
    wait_for 30 sh -c "! nsenter --net=/proc/$hub/ns/net ip link show v$1" || fail "an earlier v$1 remains"
    "${inside[@]}" ip link add "v$1" type veth peer name e0 netns "$pid" && "${inside[@]}" ip link set "v$1" master br0 up &&
        nsenter "--net=/proc/$pid/ns/net" sh -c "ip link set lo up; ip addr add 10.77.0.$1/24 dev e0; ip link set e0 up" ||
        fail "host $1 has no network"
}
host=()
begin_host 1 0
begin_host 2 49000000000
begin_host 3 1000000
begin_host 4 100000
measure=("${inside[@]}" ordo-net measure --key "$key")
one=10.77.0.1 all=10.77.0.1,10.77.0.2,10.77.0.3,10.77.0.4

# again CODE COMMAND...: the command must exit with this code, and may before be undecided four times, because a busy machine
# makes intervals wide. It never makes them wrong, so a false verdict is not tried again.
again() {
    local expected=$1
    shift
    for _ in 1 2 3 4; do
        code=0
        timeout 120 "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || code=$?
        [ $code -eq "$expected" ] && return
        [ $code -eq 2 ] || [ $code -eq 124 ] || { fail "$*: exit $code, expected $expected"; return; }
    done
    run "$expected" "$@"
}

# --- two hosts: the limit is exceeded, and the pair is named; a larger limit is not exceeded
while read -r number exceeded kept; do
    began=$(date +%s%N)
    again 1 "${measure[@]}" --peers $one,10.77.0.$number --max-offset "$exceeded"
    echo "10.77.0.$number exceeds $exceeded: found in $((($(date +%s%N) - began) / 1000000)) ms"
    matches "^10.77.0.1 and 10.77.0.$number: certainly .* apart, more than --max-offset .*: 10.77.0.$number is ahead by "
    again 0 "${measure[@]}" --peers $one,10.77.0.$number --max-offset "$kept"
    says "0 of 1 pairs exceed --max-offset"
done <<EOF
2 48s 50s
3 500us 5ms
4 20us 5ms
EOF

measure+=(--window 600ms)

# --- four hosts: the pairs without the reference count too
again 1 "${measure[@]}" --peers $all --max-offset 10s --svg "$scratch/pairs.svg"
says "3 of 6 pairs exceed --max-offset 10 s, 0 cannot be told, 3 are within; all of these have 10.77.0.2"
matches '^10.77.0.2 and 10.77.0.3: certainly 48.99.* apart'
python3 -c 'import sys, xml.dom.minidom as m; d = m.parse(sys.argv[1]); sys.exit(len(d.getElementsByTagName("title")) != 6)' "$scratch/pairs.svg" ||
    fail "the drawing is not whole"
again 0 "${measure[@]}" --peers $all --pairs --json
json '.limits == null and (.pairs.listed | length) == 6 and .pairs.count == 6'
for pair in "1 2 49000000000" "1 3 1000000" "1 4 100000" "2 3 -48999000000" "2 4 -48999900000" "3 4 -900000"; do
    read -r a b truth <<<"$pair"
    json ".pairs.listed[] | select(.a == \"10.77.0.$a\" and .b == \"10.77.0.$b\") | .proved_offset_ns[0] <= $truth and $truth <= .proved_offset_ns[1]"
done
again 1 "${measure[@]}" --peers $all --max-bound 1ns --json
json '.pairs.max_bound.exceeds == 6 and .pairs.max_offset == null'
again 1 "${measure[@]}" --peers $all --max-offset 10s --liars 1 --json
json '.promised.liars == 1 and .pairs.max_offset.exceeds == 3'

# --- a host that does not exist: its pairs are undecided; a pair that exceeds comes first
again 2 "${measure[@]}" --peers $one,10.77.0.3,10.77.0.9 --max-offset 5ms
says "cannot be told, for --max-offset 5 ms: 10.77.0.9 does not answer" && says "0 of 3 pairs exceed --max-offset 5 ms, 2 cannot be told, 1 are within"
again 1 "${measure[@]}" --peers $one,10.77.0.2,10.77.0.9 --max-offset 10s
run 2 "${measure[@]}" --peers $one,10.77.0.9 --max-offset 10s && complains_once "no host but 10.77.0.1, the reference, answers"

# --- followed: an alarm rises, and outlives the host that disappears
"${measure[@]}" --peers $all --max-offset 10s --follow --log "$scratch/log" --metrics "$scratch/metrics" \
    --svg "$scratch/followed.svg" >"$scratch/followed" 2>&1 </dev/null &
follower=$! && running+=("$follower")
wait_for 60 grep -q '"event": "exceeds"' "$scratch/log" || fail "no alarm: $(tail -n 3 "$scratch/followed")"
kill -9 "${host[2]}"
wait_for 60 grep -q '"event": "silent".*"host": "10.77.0.2"' "$scratch/log" || fail "the silent host is not reported"
wait_for 60 grep -q 'ordo_net_pairs{limit="offset",finding="undecided"} 3' "$scratch/metrics" || fail "the pairs of the silent host are not undecided"
grep -q '^ordo_net_alarms{limit="offset"} 3$' "$scratch/metrics" || fail "an alarm ended with its host"
grep -q '^ordo_net_host_alarms{host="10.77.0.2",limit="offset"} 3$' "$scratch/metrics" || fail "the host has no alarms"
# tests/cli/alerts.py judges the alerts by recorded metrics: the same names and types, in the same order
diff <(grep '^# TYPE' "${0%/*}/measure.prom") <(grep '^# TYPE' "$scratch/metrics") || fail "tests/net/measure.prom is old: record it anew"
# The host comes back with a right clock, and after five windows its alarms clear.
begin_host 2 0
wait_for 120 grep -q '"event": "cleared".*"10.77.0.2"' "$scratch/log" || fail "the alarm does not clear: $(tail -n 3 "$scratch/followed")"
kill -TERM "$follower"
code=0
wait "$follower" || code=$?
[ $code -eq 0 ] || fail "the follower ends with $code"
[ "$(grep -c '"event": "exceeds"' "$scratch/log")" -eq 3 ] || fail "not three alarms: $(cat "$scratch/log")"
[ "$(grep -c '"event": "cleared"' "$scratch/log")" -eq 3 ] || fail "not three alarms cleared: $(cat "$scratch/log")"
tail -n 1 "$scratch/log" | grep -q '"event": "stop"' || fail "no last event"
exit $((failures > 0))
