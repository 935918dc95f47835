#!/bin/bash
# smpi.sh RUN TOOL PLATFORMS small|large: tests ordo-mpi.smpi, which is ordo-mpi with its transport on SimGrid's
# messages. small: 32 ranks on hosts of the cluster Jupiter, and refusals. large: 512 ranks on Jupiter, compared with
# the published figures.
set -u
run=$1 tool=$2 platforms=$3 size=$4
command -v smpirun >/dev/null && command -v jq >/dev/null || exit 77
. "$(dirname "$0")/../kit.sh"

# simulate STATUS HOSTS SLOTS OPTION...: runs SLOTS ranks on each of HOSTS hosts. The exit code must be STATUS.
simulate() {
    "$run" "$tool" "$platforms/jupiter.xml" "$2" "$3" simulate "${@:4}" >"$scratch/out" 2>"$scratch/err"
    local code=$?
    [ $code -eq "$1" ] || fail "simulate ${*:2}: exit $code and not $1"
}

# holds FILTER: the jq filter must be true for the JSON.
holds() {
    jq -e "$1" "$scratch/out" >/dev/null || fail "it does not hold that $1"
}

# error ALGORITHM PLACE: prints the worst error, in ns.
error='def error($name; $place): .algorithms[] | select(.algorithm | startswith($name)) | .worst_error_ns[$place];'

if [ "$size" = small ]; then
    quick=fit=10,pingpong=5,window=20ms
    algorithms=()
    for name in jk hca hca2 hca3 h2hca h3hca; do
        algorithms+=(--alg $name:$quick)
    done
    simulate 0 4 8 "${algorithms[@]}" --later 1,2 --wander-ppb 20 --json
    holds '[.algorithms[].algorithm | sub(":.*"; "")] == ["jk", "hca", "hca2", "hca3", "h2hca", "h3hca"]'
    holds '.judged_after_ns == [0, 1000000000, 2000000000]'
    holds 'all(.algorithms[]; .bounds_broken == 0 and .messages > 0 and .duration_s > 0.02 and
        ([.worst_error_ns, .worst_bound_ns] | transpose | length == 3 and all(.[0] >= 0 and .[0] <= .[1])))'
    # Clocks that began 1 s apart agree to microseconds after a synchronisation, but not exactly.
    holds 'all(.algorithms[]; .worst_error_ns[0] < 5000 and .worst_error_ns[2] > 0)'
    # Copies within a node cost fewer messages than measurements; a tree needs fewer rounds than a list.
    holds '[.algorithms[].messages] | .[4] < .[3] / 4 and .[4] < .[5]'
    holds '[.algorithms[].duration_s] | .[4] < .[3]'
    cp "$scratch/out" "$scratch/first"
    simulate 0 4 8 "${algorithms[@]}" --later 1,2 --wander-ppb 20 --json
    cmp -s "$scratch/first" "$scratch/out" || fail "it does not print the same again"

    # The judge finds a clock that wanders more than declared. Each node has a clock of its own.
    simulate 1 4 2 --alg hca3:fit=10,pingpong=5 --later 10 --wander-ppb 100000 --max-wander-ppb 0 && grep -q BROKEN "$scratch/out" || fail "no bound is broken"
    simulate 1 4 2 --alg h2hca:$quick --clocks rank --json && holds '.algorithms[0].refused'
    # The latencies of the platform: messages to distant hosts take longer, and software adds to every message.
    simulate 0 2 1 --alg jk:fit=2,pingpong=50,window=0ms --jitter-ns 0 --json && slow=$(jq '.algorithms[0].duration_s' "$scratch/out")
    simulate 0 1 2 --alg jk:fit=2,pingpong=50,window=0ms --jitter-ns 0 --clocks rank --json && holds "3 * .algorithms[0].duration_s < $slow"
    # 303 messages one after another, each of 2.5 us on the wire and 500 ns in software.
    awk -v slow="$slow" 'BEGIN { exit !(slow > 303 * 3.0e-6 && slow < 303 * 3.2e-6) }' || fail "messages take $slow s"

    simulate 64 2 2 --sockets-per-node 3 && complains "--sockets-per-node 3: the 2 ranks of a host cannot be shared evenly"
    simulate 64 2 2 --later 5,1 && complains "--later: at most 4 numbers, ascending"
    simulate 64 2 2 --latency-ns 5
    "$run" "$tool" "$platforms/hydra.xml" 2 2 simulate --alg hca3:$quick >"$scratch/out" 2>"$scratch/err" || fail "hydra"
    "$run" "$tool" "$platforms/titan.xml" 3 2 simulate --alg hca3:$quick --software-ns 1400 >"$scratch/out" 2>"$scratch/err" || fail "titan"
else
    simulate 0 32 16 --alg h2hca:window=200ms --alg h3hca:window=200ms --alg hca3:window=200ms --alg jk:window=0ms --later 10,20 --wander-ppb 10 --json
    holds 'all(.algorithms[]; .bounds_broken == 0)'
    holds "$error"' error("h2hca"; 1) < 1500'
    holds '[.algorithms[].duration_s] | .[0] < 1.2 and .[2] < 2.2 and .[3] > 1.5 * .[2]'
fi
exit $((failures > 0))
