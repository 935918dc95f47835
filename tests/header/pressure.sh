#!/bin/sh
# pressure.sh SOURCE COMPILER: runs pressure.c at every level of optimisation. On x86-64 it also builds pressure.c with
# a clock read that writes a register without declaring it; the program must then fail.
set -eu
source=$1 compiler=$2
command -v "$compiler" >/dev/null || { echo "$compiler is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$compiler" -D_GNU_SOURCE -c "$source/tests/guard/program.c" -o "$scratch/guard.o" # an early end is no success

# run INCLUDE LEVEL: compiles pressure.c with the headers in INCLUDE, and runs it.
run() {
    "$compiler" -std=c11 "$2" -I"$1" "$source/tests/header/pressure.c" "$scratch/guard.o" -Wl,--wrap=main -o "$scratch/pressure" || exit 1
    timeout 20 "$scratch/pressure"
}

for level in -O0 -O1 -O2 -O3; do
    run "$source/include" $level || { echo "$compiler $level: fails"; exit 1; }
done

case $("$compiler" -dumpmachine) in x86_64-*) ;; *) exit 0 ;; esac
cp -r "$source/include" "$scratch/include"
header=ordo/clock/x86_64.h
sed 's/"lfence\\n\\trdtsc\\n\\tlfence"/"xorl %%ecx, %%ecx\\n\\tlfence\\n\\trdtsc\\n\\tlfence"/' "$source/include/$header" >"$scratch/include/$header"
if cmp -s "$source/include/$header" "$scratch/include/$header"; then
    echo "the read is not where it was looked for"
    exit 1
fi
for level in -O1 -O2 -O3; do
    if run "$scratch/include" $level; then
        echo "$compiler $level: a lost register is not noticed"
        exit 1
    fi
done
