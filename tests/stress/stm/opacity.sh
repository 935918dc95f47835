#!/bin/bash
# opacity.sh SOURCE COMPILER: that the history test sees what only transactions saw that never committed.
#
# A transaction that takes every unlocked word, however new, works on states that never were. If it writes, its commit
# still finds that out, so those that committed are serialisable: the recorded history is clean without the reads of the
# others, and must not be clean with them.
set -u
source=$1 compiler=$2
command -v "$compiler" >/dev/null || exit 77
. "$source/tests/mutate.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/ordo/cc" # before the project's own on the way
cp -r "$source/include/ordo/cc/." "$scratch/ordo/cc"
mutate "$source" "$scratch" stm 's/__builtin_expect\(version < t->limit, 1\)/__builtin_expect(!(version \& ORDO_STM_LOCKED), 1)/; s/\} else if \(!ordo_stm_is_past\(t, t->limit, stripe, version\)\)/} else if (0)/'
if [ "$(diff -r "$source/include/ordo/cc" "$scratch/ordo/cc" | grep -c '^>')" -ne 2 ]; then
    echo "what is taken out is not where it was looked for"
    exit 1
fi
"$compiler" -std=gnu11 -D_GNU_SOURCE -O1 -w -I"$scratch" -I"$source/include" -I"$source/lib" -I"$source/tests/stress" \
    -DORDO_CLOCK_HEADER='"skewed_clock.h"' "$source/tests/stress/stm/history.c" "$source"/lib/cc/history/*.c -pthread \
    -o "$scratch/mutant" || exit 1
"$scratch/mutant" writers=1 reads=0 skew=5000 || { echo "what committed is not serialisable"; exit 1; }
"$scratch/mutant" writers=1 skew=5000 expect=1 || { echo "what did not commit is not looked at"; exit 1; }
