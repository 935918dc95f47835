#!/bin/bash
# snapshots.sh PROGRAM ROUNDS: RLU, MV-RLU and the transactional memory on machines of 512 CPUs whose clocks differ by up
# to SKEW ticks, while CPUs stall at random and stores stay in their buffers. No section and no transaction reads a torn
# snapshot in ROUNDS rounds if the boundary is SKEW. Each of the three tears one on both machines if the boundary is
# SKEW - 1: the exact bound, as txn.sh argues.
set -u
program=$1
rounds=$2
skew=3
clock=(hz=2000000 skew=$skew pause=250)
failed=0

# Without random addresses each run is the same.
run() {
    setarch -R "$program" "$@" || failed=1
}

for machine in epyc-512 arm-512; do
    for oracle in rlu mvrlu stm; do
        run "$machine" $oracle "${clock[@]}" boundary=$skew items=512 each=4 rounds="$rounds" stall=2000 stall-each=20000
    done
    for oracle in rlu mvrlu stm; do
        run "$machine" $oracle "${clock[@]}" boundary=$((skew - 1)) threads=64 items=32 each=10 rounds=200 expect=1
    done
done
exit "$failed"
