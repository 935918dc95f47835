#!/bin/bash
# snapshots.sh PROGRAM ROUNDS [MACHINE...]: RLU, MV-RLU and the transactional memory on machines of 512 CPUs whose clocks differ by up
# to SKEW ticks, while CPUs stall at random and stores stay in their buffers. If the boundary is SKEW, no section and no
# transaction reads a torn snapshot in ROUNDS rounds, nor in 4 times as many without stalls. If it is SKEW - 1, each of
# the three tears one on each machine, with the same threads and objects: the exact bound, as txn.sh argues. (With 512
# pairs in place of 32, sections meet so seldom that one round finds nothing at the boundary 0 either.)
set -u
program=$1
rounds=$2
machines=(epyc-512 arm-512)
[ $# -le 2 ] || machines=("${@:3}")
skew=3
clock=(hz=2000000 skew=$skew pause=250 items=32 each=4)
failed=0

# Without random addresses each run is the same.
run() {
    setarch -R "$program" "$@" || failed=1
}

for machine in "${machines[@]}"; do
    for oracle in rlu mvrlu stm; do
        run "$machine" $oracle "${clock[@]}" boundary=$skew rounds=$((4 * rounds))
        run "$machine" $oracle "${clock[@]}" boundary=$skew rounds="$rounds" stall=2000 stall-each=20000
    done
    for oracle in rlu mvrlu stm; do
        run "$machine" $oracle "${clock[@]}" boundary=$((skew - 1)) rounds=40 expect=1
    done
done
exit "$failed"
