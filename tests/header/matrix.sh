#!/bin/sh
# matrix.sh SOURCE COMPILER LANGUAGE STANDARD...
#
# Compiles runtime.c without a warning and runs it, by every standard, for the machine's own clock and for the portable
# clock. Optimised code is tested by the first and the last standard only: the script checks that headers distinguish C
# and C++, but no standards. The last program has another path for the system's record, so that it can test the whole
# search for records.
# Exit 77: COMPILER is not installed.
set -eu
source=$1 compiler=$2 language=$3
shift 3
command -v "$compiler" >/dev/null || { echo "$compiler is not installed"; exit 77; }

warnings="-Wall -Wextra -Wpedantic -Werror -Wconversion -Wsign-conversion -Wshadow -Wundef -Wcast-qual -Wcast-align
          -Wformat=2"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"${CC:-cc}" -D_GNU_SOURCE -O2 -c "$source/tests/guard/program.c" -o "$scratch/guard.o" # an early end is no success

# try WHAT INCLUDE OPTIONS...: compiles runtime.c with the headers in INCLUDE and these options, and runs it.
try() {
    what=$1 include=$2
    shift 2
    if ! "$compiler" "$scratch/guard.o" -Wl,--wrap=main -x "$language" "$@" $warnings -I"$include" "$source/tests/header/runtime.c" -o "$scratch/runtime"
    then
        echo "$what: does not compile"
        status=1
    elif ! "$scratch/runtime" >"$scratch/output"; then
        cat "$scratch/output"
        echo "$what: fails"
        status=1
    fi
}

status=0
first=$1
for last; do :; done
if grep -rE '__STDC_VERSION__|__cplusplus *[<>=!]' "$source/include/ordo" --include='*.h'; then
    echo "a header asks for a standard: optimise runtime.c in all of them"
    status=1
fi
for standard; do
    levels=-O0
    case $standard in "$first" | "$last") levels="-O0 -O2" ;; esac
    for level in $levels; do
        for clock in "" -DORDO_CLOCK_POSIX; do
            try "$compiler -std=$standard $level $clock" "$source/include" "-std=$standard" $level $clock
        done
    done
done

mkdir "$scratch/system"
chmod 755 "$scratch" # another user must be able to search it
cp -r "$source/include" "$scratch/include"
sed "s:\"/run/ordo/boundary\":\"$scratch/system/boundary\":" "$source/include/ordo/record.h" \
    >"$scratch/include/ordo/record.h"
try "$compiler, with a place of its own" "$scratch/include" "-std=$1"
if ! grep -q "a system's place of our own" "$scratch/output" 2>/dev/null; then
    echo "the search in the system's place was not tested"
    status=1
fi
exit $status
