#!/bin/bash
# simulate.sh TOOL COUNT SEED ALGORITHM...: checks that the output of `simulate` is complete for every algorithm at
# every size, as text and as JSON, and that every bound holds. Then checks the bounds in COUNT random clusters, drawn
# from SEED.
set -u
tool=$1 count=$2 RANDOM=$3
shift 3
algorithms=("$@")
command -v jq >/dev/null || exit 77
. "$(dirname "$0")/../kit.sh"

# simulate OPTION...: runs `simulate`, which must exit with 0 and print no complaint.
simulate() {
    "$tool" simulate "$@" >"$scratch/out" 2>"$scratch/err"
    local code=$?
    [ $code -eq 0 ] && [ ! -s "$scratch/err" ] || fail "simulate $*: exit $code"
}

# complete NAME... -- OPTION...: text and JSON must contain every algorithm with all its figures, and all bounds must
# hold.
complete() {
    local names=() name options=()
    while [ "$1" != -- ]; do
        names+=("$1") options+=(--alg "$1")
        shift
    done
    simulate "${options[@]}" "${@:2}"
    diff <(printf '%s 12 hold\n' "${names[@]}") <(awk 'NR > 3 { print $1, NF, $NF }' "$scratch/out") ||
        fail "simulate ${*:2}: the text is not complete"
    simulate "${options[@]}" "${@:2}" --json
    jq -e --arg names "${names[*]}" '.schema == "ordo-simulation/1" and ([.algorithms[].algorithm] | join(" ")) == $names and
        all(.algorithms[]; .duration_s >= 0 and .messages >= 0 and .bounds_broken == 0 and
            ([.worst_error_ns, .worst_bound_ns] | transpose | length == 2 and all(.[0] >= 0 and .[0] <= .[1])))' \
        "$scratch/out" >/dev/null || fail "simulate ${*:2}: the JSON is not complete"
}

# Copies of models: clockprop needs one clock for all ranks, the other algorithms need one clock for each node.
measuring=()
for name in "${algorithms[@]}"; do
    [ "$name" = clockprop ] || measuring+=("$name")
done
[ ${#measuring[@]} -gt 0 ] && [ ${#measuring[@]} -lt ${#algorithms[@]} ] || fail "algorithms: ${algorithms[*]}"
for ranks in 1 2 3 4 5 6 7 8 9 10 15 16 17 31 32 33 63 64; do
    complete "${algorithms[@]}" -- --ranks $ranks --ranks-per-socket 64
    complete "${measuring[@]}" -- --ranks $ranks --ranks-per-socket 2
done

# any WORD...: sets REPLY to one of the words; for a word @N, to a number from 1 to N. For speed, this and the functions
# below do not fork.
any() {
    REPLY=${*:RANDOM % $# + 1:1}
    [[ $REPLY != @* ]] || REPLY=$(((RANDOM * 32768 + RANDOM) % ${REPLY#@} + 1))
}

# draw OPTION WORD...: adds the option with one of the words.
draw() {
    any "${@:2}"
    options+=("$1" "$REPLY")
}

# level OPTION ALGORITHM...: adds the option with one of the algorithms, and the numbers of its measurements.
level() {
    draw "$@"
    options[-1]+=:fit=$((RANDOM % 30 + 1)),pingpong=$((RANDOM % 20 + 1)),window=$((RANDOM % 300))ms
    any skampi mean-rtt
    options[-1]+=,intercept=$((RANDOM % 2)),offset=$REPLY
}

# Draws one cluster and one algorithm; models are copied only if the clock is shared.
draw_cluster() {
    local clocks ranks=$((RANDOM % 64 + 1)) socket=$((RANDOM % 16 + 1)) node=$((RANDOM % 4 + 1)) among=("${measuring[@]}")
    any node socket rank
    clocks=$REPLY options=(--ranks $ranks --ranks-per-socket $socket --sockets-per-node $node --clocks "$clocks")
    [ "$clocks" != node ] || [ $ranks -gt $((socket * node)) ] || among=("${algorithms[@]}")
    level --alg "${among[@]}"
    case $clocks-${options[-1]} in
    *-h2hca:* | *-h3hca:*) level --inter jk hca hca2 hca3 ;;&
    rank-h2hca:* | socket-h2hca:* | rank-h3hca:*) level --intra jk hca hca2 hca3 ;;
    esac
    draw --seed @1000000000
    draw --later 0 1 10 100
    draw --skew-ppb 0 20000 @400000
    draw --wander-ppb 0 100 @2000
    draw --latency-ns @20000
    draw --node-latency-ns @2000
    draw --asymmetry 0% "@99"
    draw --jitter-ns 0 200 @20000
    draw --granule-ns 1 25 @1000
}

for _ in $(seq "$count"); do
    draw_cluster
    simulate "${options[@]}" --json
    [[ $(<"$scratch/out") == *'"bounds_broken": 0'* ]] || fail "simulate ${options[*]}: a bound is broken"
done
echo "$count random clusters, $failures failures"
exit $((failures > 0))
