#!/bin/sh
# fetch.sh SOURCE COMPILER: checks that an engine with several versions and an engine with one execute PREFETCHW for
# records that a transaction announces to update, and PREFETCHT0 for records that it announces to read.
# tests/unit/txn_fetch.c checks the lines.
set -eu
. "${0%/*}/assembly.sh"

# fetches ENGINE FUNCTION: the function must contain both instructions, itself or in a split-off part: function.part.0
fetches() {
    "$compiler" -std=gnu11 -D_GNU_SOURCE -O2 '-DORDO_STAMPED(stem)=stem' -I"$source/include" -I"$source/lib" -c "$source/lib/cc/txn/$1.c" \
        -o "$scratch/$1.o"
    objdump -d --no-show-raw-insn "$scratch/$1.o" | awk -v name="$2" '
        /^[0-9a-f]+ <.*>:$/ { inside = index($2, "<" name ">") == 1 || index($2, "<" name ".") == 1 }
        inside { to_write += $2 == "prefetchw"; to_read += $2 == "prefetcht0" }
        END { exit !(to_write && to_read) }' || { echo "$compiler: $2 of $1 does not fetch to write, or to read"; exit 1; }
}

fetches hekaton hk_prefetch
fetches tictoc sv_prefetch
