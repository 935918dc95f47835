#!/bin/bash
# txn.sh PROGRAM COUNT [ROUNDS [MACHINE...]]: histories of the engines, on machines of 512 CPUs whose clocks differ by up to SKEW ticks,
# while CPUs stall at random. The checker finds no anomaly in COUNT transactions if the boundary is SKEW. If the boundary
# is SKEW - 1, it finds one in every engine that compares times of clocks. A run has 5120 transactions in each of its
# ROUNDS rounds; its seed decides the skews and the stalls.
#
# SKEW is the exact bound. All counters are read from one virtual time, so that they change at the same moment: CPU c
# shows floor(t / tick) + skew(c), with 0 <= skew(c) <= SKEW. If the read x is before the read y, then x - y <= SKEW,
# because floor is monotone; so the granule adds nothing, and "x > y + SKEW" proves that x is after y. The bound is
# reached: x on a CPU with skew SKEW and y on a CPU with skew 0, later in the same tick, differ by exactly SKEW. With
# the boundary SKEW - 1, x > y + boundary then says "x is after y", which is wrong. A tick of 500 ns is longer than a
# transfer between two CPUs, so that conflicting transactions often meet within one tick.
set -u
program=$1
count=$2
rounds=${3:-2}
machines=(epyc-512 arm-512)
[ $# -le 3 ] || machines=("${@:4}")
skew=3
clock=(hz=2000000 skew=$skew pause=250)
failed=0

# Addresses decide which lines share a set of a cache: without random addresses each run is the same.
run() {
    setarch -R "$program" "$@" || failed=1
}

# Sums up the transactions of the runs on standard input.
sum() {
    sed -n 's/.*: \([0-9]*\) operations, no anomaly$/\1/p' | awk '{ sum += $1 } END { print sum + 0 }'
}

out=$(mktemp)
trap 'rm -f "$out"' EXIT
seed=1
while [ "$failed" = 0 ] && [ "$(sum <"$out")" -lt "$count" ]; do
    for machine in "${machines[@]}"; do
        for engine in hekaton/ordo occ/ordo silo/- tictoc/-; do
            run "$machine" txn engine="${engine%/*}" stamp="${engine#*/}" "${clock[@]}" boundary=$skew items=4096 each=10 \
                rounds="$rounds" seed=$seed stall=2000 stall-each=20000 | tee -a "$out"
        done
    done
    seed=$((seed + 1))
done
[ "$(sum <"$out")" -ge "$count" ] || failed=1
printf '%s transactions without an anomaly\n' "$(sum <"$out")"

for machine in "${machines[@]}"; do
    for engine in hekaton occ; do
        run "$machine" txn engine=$engine "${clock[@]}" pause=60 boundary=$((skew - 1)) threads=48 items=48 each=20 \
            rounds=1000 expect=1
    done
done
exit "$failed"
