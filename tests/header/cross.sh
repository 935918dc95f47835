#!/bin/sh
# cross.sh SOURCE COMPILER EMULATOR: compiles runtime.c, pressure.c and merge.c for another architecture, or for an
# older processor of this one, and runs them.
set -eu
source=$1 compiler=$2 emulator=$3
command -v "$compiler" >/dev/null && command -v "${emulator%% *}" >/dev/null ||
    { echo "$compiler or ${emulator%% *} is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo 'int main(void) { return 0; }' >"$scratch/probe.c"
"$compiler" -static "$scratch/probe.c" -o "$scratch/probe" 2>/dev/null ||
    { echo "$compiler has no static C library"; exit 77; }

"$compiler" -D_GNU_SOURCE -c "$source/tests/guard/program.c" -o "$scratch/guard.o" # an early end is no success
for program in runtime pressure merge; do
    for options in -O0 -O2 "-O2 -DORDO_CLOCK_POSIX"; do
        "$compiler" -static -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wundef -Wcast-align -Werror $options \
            -I"$source/include" "$source/tests/header/$program.c" "$scratch/guard.o" -Wl,--wrap=main -o "$scratch/$program"
        # shellcheck disable=SC2086 # EMULATOR is a command with options
        $emulator "$scratch/$program" || { echo "$compiler $options $program: fails"; exit 1; }
    done
done
