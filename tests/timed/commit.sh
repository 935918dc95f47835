#!/bin/bash
# commit.sh SOURCE BIN READER COMMIT-ORDER LEASE-ONCE [TRANSACTIONS]: tests the examples of <ordo/now.h> on two hosts: network namespaces, joined
# by a bridge with a third that has the reference, and time namespaces, in which the clocks are 3 ms apart. With the commit
# wait no transaction is inverted; without it, some are. A lease is never held twice. Exit 77 if namespaces are refused.
set -u
source=$1 bin=$2 reader=$3 commit=$4 lease=$5 transactions=${6:-100000}
. "$(dirname "$0")/../kit.sh"
PATH=$bin:$PATH
running=()

finish() {
    [ ${#running[@]} -eq 0 ] || kill -9 "${running[@]}" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$scratch"
}
trap finish EXIT

[ "$(id -u)" = 0 ] && unshare --mount --net --time --monotonic 1 --fork true 2>/dev/null || {
    echo "commit: needs root, and namespaces of mounts, network and time"
    exit 77
}
[ -n "${ORDO_COMMIT_INSIDE:-}" ] || {
    rm -rf "$scratch"
    trap - EXIT
    ORDO_COMMIT_INSIDE=yes exec unshare --mount --net --kill-child --fork "$0" "$@"
}

# begin LOG COMMAND...: runs the command in the background.
begin() {
    local log=$1
    shift
    "$@" >"$scratch/$log.out" 2>"$scratch/$log.err" </dev/null &
    running+=($!)
}

od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n' >"$scratch/key" && chmod 600 "$scratch/key"
ip link set lo up
ip link add name bridge type bridge && ip addr add 10.99.0.1/24 dev bridge && ip link set bridge up || {
    echo "commit: no bridge of network namespaces"
    exit 77
}
begin agent ordo-net agent --key "$scratch/key" --listen 10.99.0.1:21000 --clock monotonic
for host in 2 3; do
    begin "keeper$host" unshare --net sleep 1000
    keeper=${running[-1]}
    wait_for 10 sh -c "[ \"\$(readlink /proc/$keeper/ns/net)\" != \"\$(readlink /proc/self/ns/net)\" ]" || fail "no network namespace"
    quietly ip link add "host$host" type veth peer name inside netns "$keeper"
    quietly ip link set "host$host" master bridge up
    inside=(nsenter "--net=/proc/$keeper/ns/net")
    quietly "${inside[@]}" sh -c "ip addr add 10.99.0.$host/24 dev inside && ip link set inside up && ip link set lo up"
    # The clocks of host 3 are 3 ms ahead. Host 2 knows its reference less well, so that its latest time is about 1 ms
    # later than that of host 3.
    host_shell[host]="nsenter --net=/proc/$keeper/ns/net $reader ahead $(((host - 2) * 3000000))"
    begin "timed$host" ${host_shell[host]} ordo-timed publish --key "$scratch/key" --clock kernel --reference 10.99.0.1:21000=$((host == 2 ? 1000 : 2))us \
        --output "$scratch/time$host" --vmclock none
done
for host in 2 3; do
    wait_for 30 ${host_shell[host]} ordo-timed show --page "$scratch/time$host" || fail "host $host publishes nothing"
    ${host_shell[host]} ordo-timed show --page "$scratch/time$host" | sed "s/^/host $host: /"
done
[ $failures -eq 0 ] || exit 1

# drive PORT OPTION...: runs the transactions on servers with these options.
drive() {
    local port=$1 host
    shift
    for host in 2 3; do
        begin "server$host-$port" env "ORDO_TIME=$scratch/time$host" ${host_shell[host]} "$commit" serve "$port" "$@"
        wait_for 10 grep -q serves "$scratch/server$host-$port.out" || fail "host $host does not serve"
    done
    "$commit" drive "$transactions" 32 "10.99.0.2:$port" "10.99.0.3:$port" >"$scratch/out" 2>"$scratch/err"
    code=$?
    cat "$scratch/out"
}

began=$(date +%s%N)
drive 7001
[ $code -eq 0 ] || fail "with the wait: exit $code"
says ", 0 inversions"
echo "$transactions transactions in $((($(date +%s%N) - began) / 1000000)) ms"
transactions=$((transactions / 4))
drive 7002 --no-wait
[ $code -eq 1 ] || fail "without the wait no inversion was found: exit $code"

# The lease: the times for which each host held it do not overlap. Both programs print outside of any time namespace.
for host in 2 3; do
    begin "lease$host" env "ORDO_TIME=$scratch/time$host" ${host_shell[host]} "$lease" "$scratch/register" "host$host" 3
done
wait "${running[-1]}" "${running[-2]}"
awk '{ print $1, $2, 2 }' "$scratch/lease2.out" >"$scratch/held"
awk '{ printf "%.0f %.0f 3\n", $1 - 3000000, $2 - 3000000 }' "$scratch/lease3.out" >>"$scratch/held"
sort -n "$scratch/held" | awk '$1 <= last && $3 != who { print "held twice: " last " " $0; wrong = 1 } { if ($2 > last) last = $2; who = $3; times[$3]++ }
    END { print "the lease was held " times[2] + 0 " and " times[3] + 0 " times"; exit wrong || !times[2] || !times[3] }' >"$scratch/out" || fail "the lease"
cat "$scratch/out"
exit $((failures > 0))
