#!/bin/bash
# mutants.sh SOURCE COMPILER: with the wait for the boundary cut, or in the wrong order with the mark, a skew of exactly
# the boundary must tear pairs. (The model finds many more: tests/model/rlu.)
set -u
source=$1 compiler=$2
command -v "$compiler" >/dev/null && [ "$(nproc)" -ge 2 ] || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

cp -r "$source/include" "$scratch/include"
. "$source/tests/mutate.sh"

# mutant WHAT SED: the headers of RLU edited, which must change one, must be found wrong.
mutant() {
    if ! mutate "$source" "$scratch/include" rlu "$2"; then
        echo "$1: what it takes out is not where it was looked for"
        failures=$((failures + 1))
    elif ! "$compiler" -std=gnu11 -D_GNU_SOURCE -O2 -w -I"$scratch/include" -I"$source/tests/stress" -I"$source/tests" -pthread \
        -DORDO_CLOCK_HEADER='"skewed_clock.h"' -Wl,--wrap=main "$source/tests/guard/program.c" "$source/tests/stress/rlu/rlu.c" -o "$scratch/mutant" ||
        ! "$scratch/mutant" pair boundary=5000 skew=-5000 threads=8 preempt=20 milliseconds=90000 expect=1; then
        echo "$1: is not found"
        failures=$((failures + 1))
    fi
}

mutant "no wait for the boundary" 's/    if \(!ordo_stamp_after\(stamp, now, w\)\) \{/    if (0) {/'
mutant "a wait until W only" \
    's/while \(!ordo_stamp_after\(stamp, now, w\)\)/while (now.ticks <= w.ticks)/; s/if \(!ordo_stamp_after\(stamp, now, w\)\)/if (now.ticks <= w.ticks)/'
mutant "a sample before the mark" \
    's/(        ordo_rlu_mark\(r, w.ticks\);\n)([^;]*run = __atomic_load_n\(&r->run, __ATOMIC_SEQ_CST\);\n)/\2\1/'
exit $((failures > 0))
