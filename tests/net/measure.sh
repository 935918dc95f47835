#!/bin/bash
# measure.sh SOURCE BIN NETWORK: tests ordo-net agent and measure, between network namespaces whose clocks are 12,345 s apart,
# over a network that loses, doubles, delays, repeats, cuts and stretches datagrams. Exit 77 if namespaces are refused.
set -u
source=$1 bin=$2 network=$3
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

# again COMMAND...: the command must succeed in one of five tries. A busy machine may leave a window empty.
again() {
    for _ in 1 2 3 4; do
        timeout 120 "$@" >"$scratch/out" 2>"$scratch/err" </dev/null && return
    done
    run 0 "$@"
}

# begin LOG COMMAND...: runs the command in the background. Its process is $!, its output is in LOG.out and LOG.err.
begin() {
    local log=$1
    shift
    "$@" >"$scratch/$log.out" 2>"$scratch/$log.err" </dev/null &
    running+=($!)
}

# until_says FILE REGEX: a line of the file must match within half a minute.
until_says() { wait_for 30 grep -q -- "$2" "$1" || fail "$1 has no match of '$2'"; }

new_key() { od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n' >"$1" && chmod 600 "$1"; }
key=$scratch/key
new_key "$key"
new_key "$scratch/other"

# --- usage, and refused keys
run 64 ordo-net agent && complains_once "no key: give --key FILE"
run 64 ordo-net measure --key "$key" && complains_once "no hosts: give --peers"
run 64 ordo-net measure --peers a,b && complains_once "no key: give --key FILE"
run 64 ordo-net measure --peers 127.0.0.1 --key "$key" && complains_once "names 1 host, but at least two are needed"
run 64 ordo-net measure --peers 127.0.0.1,127.0.0.1 --key "$key" && complains_once "is given twice"
run 64 ordo-net measure --peers 127.0.0.1:0,127.0.0.2 --key "$key" && complains_once "not an address"
run 64 ordo-net measure --peers 127.0.0.1,127.0.0.2 --key "$key" --window 2h && complains_once "--window '2h': not a time"
run 64 ordo-net measure --peers 127.0.0.1,127.0.0.2 --key "$key" --window 60s --every-us 100 && complains_once "take 19532 or more"
run 64 ordo-net measure --peers 127.0.0.1,127.0.0.2 --key "$key" --patience 500ms && complains_once "--patience '500ms': not a time with a unit, such as 250us or 1.5s, from 5 s to 600 s"
run 64 ordo-net measure --peers 127.0.0.1,127.0.0.2 --key "$key" --liars 17 && complains_once "--liars"
many=$(printf '127.0.0.%d,' $(seq 19))127.0.0.20
run 64 ordo-net measure --peers "$many" --key "$key" --liars 5 && complains_once "--liars 5 of 20 hosts: more than 10000 possible sets of liars"
run 64 ordo-net agent --key "$key" --clock sundial && complains_once "not one of realtime, monotonic, hardware"
run 70 ordo-net agent --key "$scratch/absent" && complains_once "there is no key: make one"
chmod 640 "$scratch/other" && run 70 ordo-net agent --key "$scratch/other" && complains_once "has mode 0640"
chmod 600 "$scratch/other"
echo "not a key" >"$scratch/short" && chmod 600 "$scratch/short"
run 70 ordo-net agent --key "$scratch/short" && complains_once "not a key of 64 hexadecimal digits"
head -c 20000 /dev/zero | tr "\0" "\n" >"$scratch/long" && chmod 600 "$scratch/long"
run 70 ordo-net agent --key "$scratch/long" && complains_once "longer than 16384 bytes, so not a file of keys: name another"
run 70 ordo-net agent --key "$scratch" && complains_once "not a regular file"
new_key "$scratch/more"
keys=$scratch/keys
{
    echo "# ours"
    echo "3 $(cat "$key")"
    echo "8 $(cat "$scratch/more")"
} >"$keys" && chmod 600 "$keys"
{ cat "$keys" && echo "3 $(cat "$key")"; } >"$scratch/twice" && chmod 600 "$scratch/twice"
run 70 ordo-net agent --key "$scratch/twice" && complains_once "twice, line 4: key 3 stands there twice: leave one out"
echo "0 $(cat "$key")" >"$scratch/zero" && chmod 600 "$scratch/zero"
run 70 ordo-net agent --key "$scratch/zero" && complains_once "zero, line 1: not a key of 64 hexadecimal digits behind a number from 1 to 65535"
run 64 ordo-net measure --peers 5@127.0.0.1,127.0.0.2 --key "$keys" && complains_once "'5@127.0.0.1': $keys has no key 5: add it"
run 64 ordo-net measure --peers x@127.0.0.1,127.0.0.2 --key "$keys" && complains_once "is not the number of a key"
run 64 ordo-net measure --peers 3@127.0.0.1,8@127.0.0.1 --key "$keys" && complains_once "is given twice"
run 2 ordo-net agent --key "$key" --clock hardware --listen 127.0.0.1:21999 && complains_once "does not stamp datagrams by itself"

# --- as the user nobody, in namespaces; the rest needs them
[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && unshare --net --time --monotonic 1 --fork true 2>/dev/null || {
    echo "measure: needs root, setpriv, and namespaces of network and time"
    exit $((failures > 0 ? 1 : 77))
}
chmod 755 "$scratch"
cp "$key" "$scratch/agents-key"
chown 65534:65534 "$scratch/agents-key"
plainly=(setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all --pdeathsig KILL)
run 70 "${plainly[@]}" "$bin/ordo-net" agent --key "$key" && complains_once "this user may not read it: chown it"
hosts=()
for host in 0 1 2 3; do
    begin "agent$host" unshare --net --time --monotonic $((12345 * host)) --boottime $((12345 * host)) --fork --kill-child \
        "${plainly[@]}" "$bin/ordo-net" agent --key "$scratch/agents-key" --clock monotonic
    hosts+=("${running[-1]}")
done
begin measurer unshare --net --fork --kill-child sleep 1000
hosts+=("${running[-1]}")
for host in 0 1 2 3; do until_says "$scratch/agent$host.err" "clock monotonic, stamps by the process"; done
begin network "$network" --loss 20 --duplicate 5 --delay 20 --replay 2 --cut 2 --stretch 2 "${hosts[@]}"
until_says "$scratch/network.out" ready
inside=(nsenter "--net=/proc/${hosts[4]}/ns/net")
peers=127.0.0.1:21080,127.0.0.1:21081,127.0.0.1:21082,127.0.0.1:21083

# Every interval contains the truth. Bad datagrams change only the counts.
again "${inside[@]}" ordo-net measure --peers $peers --key "$key" --window 1s --json
json '.sound and ([.hosts[].host] | length == 4) and all(.hosts[]; .answers and .clock == "monotonic" and .stamps == "process")'
for host in 0 1 2 3; do
    json ".hosts[$host] | .proved_offset_ns[0] <= 12345000000000 * $host and .proved_offset_ns[1] >= 12345000000000 * $host"
    json ".hosts[$host] | .offset_ns >= .proved_offset_ns[0] and .offset_ns <= .proved_offset_ns[1]"
    json ".hosts[$host] | .proved_drift_ppb[0] <= 0 and .proved_drift_ppb[1] >= 0"
    json ".hosts[$host] | .proved_offset_ns[1] - .proved_offset_ns[0] < 1e9" # a busy machine is slow, but never wrong
done
json '[.edges[] | select(.used)] | length >= 3 and all(.[]; .pairs >= .came and .pairs >= .pure_there)'
json 'all(.edges[]; .used == (.reason == null))'
json '.contradiction == null and all(.hosts[]; .slow == false) and .promised.liars == 0 and all(.hosts[]; .unproved == null)'
for reason in replayed truncated oversized; do json "[.hosts[].refused.$reason] | add > 0"; done
json 'all(.hosts[]; .refused.key == 0 and .refused.field == 0 and .refused.version == 0)'
jq -r '[.hosts[1:][] | .proved_offset_ns[1] - .proved_offset_ns[0]] | "widest interval: \(max) ns"' "$scratch/out"

# All hosts have an edge to the reference, so the proofs hold even if any two hosts lie.
again "${inside[@]}" ordo-net measure --peers $peers --key "$key" --window 1s --liars 2 --json
json '.sound and .promised.liars == 2'
for host in 0 1 2 3; do
    json ".hosts[$host] | .proved_offset_ns[0] <= 12345000000000 * $host and .proved_offset_ns[1] >= 12345000000000 * $host"
done

# No agent answers a host with another key. The agents count the refusals.
run 2 "${inside[@]}" ordo-net measure --peers $peers --key "$scratch/other" --window 100ms && complains_once "does not answer: see that an agent runs there with this key"
again "${inside[@]}" ordo-net measure --peers $peers --key "$key" --window 300ms --json
json '[.hosts[].refused.key] | add > 0'

# Measures window after window, with the figures of the last one in a file.
again "${inside[@]}" ordo-net measure --peers $peers --key "$key" --window 300ms --windows 2 --metrics "$scratch/metrics"
matches '^20[0-9-]+T[0-9:]+Z 4 of 4 hosts proved if none lies, [0-9]+ of 6 edges'
grep -qx 'ordo_net_windows_total 2' "$scratch/metrics" && [ "$(tail -n 1 "$scratch/metrics")" = "# EOF" ] || fail "the metrics are not whole"
grep -q 'ordo_net_offset_seconds{host="127.0.0.1:21081"} 1234[45]' "$scratch/metrics" ||
    fail "no offset among the metrics"
again "${inside[@]}" ordo-net measure --peers $peers --key "$key" --window 300ms && matches 'host +offset, ns' && matches 'edge +pairs'

# The agents have a single key, which has the number 1. They refuse a key with another number as unknown.
run 2 "${inside[@]}" ordo-net measure --peers $peers --key "$keys" --window 100ms && complains_once "does not answer"
again "${inside[@]}" ordo-net measure --peers $peers --key "$key" --window 300ms --json
json '[.hosts[].refused.unknown] | add > 0'

# One of the hosts does not exist: its result is unknown, and the other hosts are measured.
run 2 "${inside[@]}" ordo-net measure --peers $peers,127.0.0.1:9 --key "$key" --window 1s --json
json '.error != null or (.hosts[4] | .answers == false and .proved_offset_ns == null and .refused == null)'
json '.error != null or (.hosts[4].host as $absent | [.edges[] | select(.a == $absent or .b == $absent)] | length > 0 and all(.[]; .reason == "no-answer"))'

# An agent runs without privileges, and reports its refusals when it ends.
pid=$(tr -d " " <"/proc/${hosts[0]}/task/${hosts[0]}/children")
grep -q '^Uid:.65534.65534' "/proc/$pid/status" && grep -q '^CapEff:.0*$' "/proc/$pid/status" || fail "the agent has privileges"
kill -TERM "$pid"
until_says "$scratch/agent0.out" 'accepted [1-9][0-9]*, refused truncated'
grep -qE 'key [1-9]' "$scratch/agent0.out" || fail "the agent does not say what it refused: $(cat "$scratch/agent0.out")"

# --- two keys: one host has both, one has only the second; a host without another's key cannot probe it
grep "^8" "$keys" >"$scratch/second" && chmod 600 "$scratch/second"
begin both "$bin/ordo-net" agent --key "$keys" --listen 127.0.0.1:21203
begin second "$bin/ordo-net" agent --key "$scratch/second" --listen 127.0.0.1:21204
until_says "$scratch/both.err" listens && until_says "$scratch/second.err" listens
again ordo-net measure --peers 127.0.0.1:21203,8@127.0.0.1:21204 --key "$keys" --window 500ms --every-us 2000 --json
json '.hosts[1] | .host == "8@127.0.0.1:21204" and .proved_offset_ns[0] <= 0 and .proved_offset_ns[1] >= 0'
json '[.hosts[].refused | .unknown + .key] | add == 0'
run 2 ordo-net measure --peers 8@127.0.0.1:21204,3@127.0.0.1:21203 --key "$keys" --window 100ms &&
    complains_once " 8@127.0.0.1:21204 has no key 3, with which 3@127.0.0.1:21203 is probed: add it to the file of its agent"
run 2 ordo-net measure --peers 8@127.0.0.1:21204,3@127.0.0.1:21203 --key "$keys" --window 100ms --json
json '.error.text | test("has no key 3")'
run 2 ordo-net measure --peers 3@127.0.0.1:21203,3@127.0.0.1:21204 --key "$keys" --window 100ms
pid=${running[-1]}
kill -TERM "$pid"
until_says "$scratch/second.out" 'unknown [1-9]'

# --- by the kernel's stamps, over IPv6, on one clock: the true offset is 0
for port in 21201 21202; do
    begin "kernel$port" "$bin/ordo-net" agent --key "$key" --listen "[::1]:$port"
    sleep 0.1
done
if grep -q 'Cannot assign\|not supported' "$scratch"/kernel*.err; then
    echo "measure: no IPv6 here"
else
    until_says "$scratch/kernel21202.err" "stamps by the kernel"
    printf '# two agents\n[::1]:21201\n[::1]:21202\n' >"$scratch/peers"
    again ordo-net measure --peers "$scratch/peers" --key "$key" --window 500ms --every-us 2000 --json
    json '.hosts[1] | .stamps == "kernel" and .clock == "realtime"'
    json '.hosts[1] | .proved_offset_ns[0] <= 0 and .proved_offset_ns[1] >= 0'
    jq -r '.hosts[1].proved_offset_ns | "interval by the stamps of the kernel: \(.[0]) to \(.[1]) ns"' "$scratch/out"
fi
exit $((failures > 0))
