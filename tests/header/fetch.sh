#!/bin/sh
# fetch.sh SOURCE COMPILER: what a transaction says ahead that it will read or update is fetched to read, or to write, by
# an engine of each kind; and Hekaton fetches the memory of the new versions, to write.
set -eu
source=$1 compiler=$2
command -v "$compiler" >/dev/null && command -v objdump >/dev/null || exit 77
case $("$compiler" -dumpmachine) in x86_64-*) ;; *) exit 77 ;; esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# fetches ENGINE FUNCTION INSTRUCTION LEAST: so many of them in the function, also in what a compiler made of it:
# function.part.0
fetches() {
    objdump -d --no-show-raw-insn "$scratch/$1.o" | awk -v name="$2" -v instruction="$3" -v least="$4" '
        /^[0-9a-f]+ <.*>:$/ { inside = index($2, "<" name ">") == 1 || index($2, "<" name ".") == 1 }
        inside && $2 == instruction { found++ }
        END { exit found < least }' || { echo "$compiler: $2 of $1 has fewer than $4 $3"; exit 1; }
}

for engine in hekaton_ordo tictoc; do
    "$compiler" -std=gnu11 -D_GNU_SOURCE -O2 -I"$source/include" -I"$source/lib" -c "$source/lib/cc/txn/$engine.c" \
        -o "$scratch/$engine.o"
done
fetches hekaton_ordo hk_prefetch prefetcht0 3 # buckets, anchors, versions
fetches hekaton_ordo hk_prefetch prefetchw 3 # new versions, anchors, old versions
fetches tictoc sv_prefetch prefetcht0 2 # buckets, records
fetches tictoc sv_prefetch prefetchw 1 # records
"$compiler" -std=gnu11 -D_GNU_SOURCE -O2 -fno-inline -I"$source/include" -I"$source/lib" -c \
    "$source/lib/cc/txn/hekaton_ordo.c" -o "$scratch/apart.o"
objdump -d --no-show-raw-insn "$scratch/apart.o" | awk '
    /^[0-9a-f]+ <.*>:$/ { inside = $2 ~ /^<hk_prefetch/ }
    inside && /call.*cc_pool_fetch/ { found = 1 }
    END { exit !found }' || { echo "$compiler: hk_prefetch does not fetch the memory of new versions"; exit 1; }
