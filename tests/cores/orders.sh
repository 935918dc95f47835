#!/bin/bash
# orders.sh PROGRAM ROUNDS: Oplog and the merger on machines whose clocks differ by up to SKEW ticks, while CPUs stall at
# random and stores stay in their buffers. With the boundary SKEW no operation is applied out of order, no reader misses
# an operation that was before it, and no event comes too late or is called certainly after one that it was before: for
# ROUNDS rounds on 512 CPUs, and for 20 times as many on a few of them. With the boundary SKEW - 1 both are violated:
# the exact bound, as txn.sh argues.
#
# The merger is violated with few producers only: it visits one after the other, and with many of them the reading of
# its clock is many ticks old when it asks the last one. With the seed 2 the merger's CPU is SKEW ticks ahead; stalls keep
# the producers from repeating one schedule in all rounds.
set -u
program=$1
rounds=$2
skew=3
clock=(hz=2000000 skew=$skew pause=250)
stalls=(stall=2000 stall-each=20000)
failed=0

# Without random addresses each run is the same.
run() {
    setarch -R "$program" "$@" || failed=1
}

for machine in epyc-512 arm-512; do
    for boundary in $skew $((skew - 1)); do
        expect=$((boundary < skew))
        few=$((expect ? 2000 : 20 * rounds))
        run "$machine" oplog "${clock[@]}" boundary=$boundary threads=64 items=8 each=10 rounds=$few expect=$expect
        run "$machine" merge "${clock[@]}" "${stalls[@]}" boundary=$boundary threads=8 each=20 rounds=$few seed=2 expect=$expect
    done
    run "$machine" oplog "${clock[@]}" "${stalls[@]}" boundary=$skew items=8 each=10 rounds="$rounds"
    run "$machine" oplog "${clock[@]}" boundary=$((skew - 1)) items=8 each=10 rounds=20 expect=1
    run "$machine" merge "${clock[@]}" "${stalls[@]}" boundary=$skew each=10 rounds="$rounds"
done
exit "$failed"
