#!/bin/bash
# mutants.sh SOURCE COMPILER: without what orders operations in time, a skew of exactly the boundary must be noticed by real
# threads too: one of seconds, so that it is noticed at the first change of threads on a CPU. (The model finds many more: tests/model/oplog.)
set -u
source=$1 compiler=$2
command -v "$compiler" >/dev/null || exit 77
. "$source/tests/mutate.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0 seconds=10000000000

# mutant WHAT SED KEY=VALUE...: Oplog, changed by SED, must be found wrong.
mutant() {
    rm -rf "$scratch/include"
    cp -r "$source/include" "$scratch/include"
    if ! mutate "$source" "$scratch/include" oplog "$2"; then
        echo "$1: what it takes out is not where it was looked for"
        failures=$((failures + 1))
    elif ! "$compiler" -std=gnu11 -D_GNU_SOURCE -O2 -w -I"$scratch/include" -I"$source/tests/stress" -pthread \
        -DORDO_CLOCK_HEADER='"skewed_clock.h"' -Wl,--wrap=main "$source/tests/guard/program.c" \
        "$source/tests/stress/oplog/oplog.c" -o "$scratch/mutant" ||
        ! "$scratch/mutant" timed "${@:3}" operations=20000 expect=1 >"$scratch/out" 2>&1; then
        cat "$scratch/out"
        echo "$1: is not found"
        failures=$((failures + 1))
    fi
}

mutant "no settlement" 's/    if \(!last.ticks\)/    if (1)/' boundary=$seconds skew=$seconds
mutant "a settlement on the own clock only" \
    's/code = ordo_stamp_later_before\(&t->oplog->stamp, last, &now\);/do\n        now = ordo_stamp_now(\&t->oplog->stamp);\n    while (now.ticks <= last.ticks);\n    code = ORDO_OK;/' boundary=$seconds skew=$seconds
mutant "one log after the other" 's/heap \? heap->key : UINT64_MAX/UINT64_MAX/' boundary=5000 skew=5000
exit $((failures > 0))
