#!/bin/sh
# amalgamated.sh SOURCE FILE: checks that FILE, the built ordo-amalgamated.h, includes only the C library, compiles in
# C11 and C++17 with every installed compiler, for other architectures and with musl, and that programs need no other
# file of Ordo.
set -eu
source=$1 built=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export ORDO_RECORD="$scratch/none" # there is no record, so the program calibrates
status=0
fail() {
    echo "$@"
    status=1
}

# 1. The file can be made again, byte for byte, in another folder and with any awk.
cp -r "$source/include" "$scratch/include"
version=$(sed -n 's/#define ORDO_VERSION "\(.*\)"/\1/p' "$source/include/ordo/version.h")
for awk in mawk gawk busybox original-awk; do
    command -v $awk >/dev/null || continue
    [ $awk = busybox ] && awk="busybox awk"
    $awk -v root="$scratch/include" -v version="$version" -v license="$source/LICENSE" -v to="$scratch/again.h" \
        -f "$source/cmake/amalgamate.awk" ordo/start.h
    cmp "$built" "$scratch/again.h" || fail "$awk makes another file"
done
[ -s "$scratch/again.h" ] || fail "no awk"
grep -q 'Copyright' "$built" && grep -q "Ordo $version" "$built" || fail "no licence, or no version"
# A header whose first #include is conditional is refused, because its text could not stand in the file just once.
printf '#ifdef X\n#include <ordo/ordo.h>\n#endif\n' >"$scratch/include/ordo/conditional.h"
if awk -v root="$scratch/include" -v version=0 -v license="$source/LICENSE" -v to=/dev/null -f "$source/cmake/amalgamate.awk" \
    ordo/conditional.h 2>/dev/null; then
    fail "a header under a condition is put in"
fi
rm -rf "$scratch/include" "$scratch/again.h"

# 2. The file includes only headers of the C library.
libc='errno|fcntl|poll|pthread|sched|signal|stdarg|stddef|stdint|stdio|stdlib|string|sys/mman|sys/stat|sys/statvfs|time|unistd'
others=$(grep -nE '^ *# *include' "$built" | grep -vE "include (<($libc)\\.h>|ORDO_CLOCK_HEADER)\$" || true)
[ -z "$others" ] || fail "it includes more than the C library: $others"

# 3. Alone in a folder, the file compiles without a warning, and a program of two units that include it orders two
# events.
cp "$built" "$source/tests/header/amalgamated.c" "$scratch"
cd "$scratch"
warnings="-Wall -Wextra -Wpedantic -Werror -Wconversion -Wsign-conversion -Wshadow -Wundef -Wcast-qual -Wcast-align"
"${CC:-cc}" -D_GNU_SOURCE -O2 -c "$source/tests/guard/program.c" -o guard.o # an early end is no success
tried=0

# compile WHAT COMMAND...: compiles both units with COMMAND.
compile() {
    what=$1
    shift
    tried=$((tried + 1))
    for unit in "" -DSECOND; do
        "$@" $warnings $unit -include ordo-amalgamated.h -c amalgamated.c -o "unit$unit.o" || {
            fail "$what: does not compile"
            return 1
        }
    done
}

# run WHAT COMMAND...: runs the program by COMMAND, which must succeed.
run() {
    what=$1
    shift
    "$@" >output 2>&1 && return
    [ $? -ne 77 ] || return 0 # this machine's counter may not be used
    cat output
    fail "$what: fails"
}

for compiler in gcc clang g++ clang++; do
    command -v $compiler >/dev/null || continue
    case $compiler in *++) language="-x c++ -std=c++17" ;; *) language=-std=c11 ;; esac
    for options in -O0 -O2 "-O2 -DORDO_CLOCK_POSIX"; do
        compile "$compiler $options" $compiler $language $options -pthread || continue
        $compiler -pthread unit.o unit-DSECOND.o guard.o -Wl,--wrap=main -o program || { fail "$compiler $options: does not link"; continue; }
        run "$compiler $options" ./program
    done
done
for architecture in aarch64 riscv64; do
    cross=$architecture-linux-gnu-gcc
    command -v $cross >/dev/null || continue
    $cross -D_GNU_SOURCE -O2 -c "$source/tests/guard/program.c" -o guard.o
    for options in -O2 "-O2 -DORDO_CLOCK_POSIX"; do
        compile "$cross $options" $cross -std=c11 $options -pthread || continue
        $cross -pthread -static unit.o unit-DSECOND.o guard.o -Wl,--wrap=main -o program || { fail "$cross $options: does not link"; continue; }
        # An emulator may read its clock unordered. The clock is then refused, and the exit code is 77.
        command -v "qemu-$architecture-static" >/dev/null && run "$cross $options" "qemu-$architecture-static" ./program
    done
    echo 'int unit;' | $cross -x c++ -std=c++17 $warnings -include ordo-amalgamated.h -fsyntax-only - 2>output ||
        grep -q 'cannot execute\|installation problem\|not found' output || { cat output; fail "$cross as C++17"; }
done
# musl: a program in C; in C++ only the syntax is checked, because Debian has no C++ library for musl.
if command -v musl-gcc >/dev/null; then
    compile "musl-gcc" musl-gcc -std=c11 -O2 && musl-gcc -static unit.o unit-DSECOND.o -o program && run "musl-gcc" ./program ||
        fail "musl-gcc: does not link"
    if command -v g++ >/dev/null; then
        echo 'int unit;' | musl-gcc -x c++ -std=c++17 $warnings -include ordo-amalgamated.h -fsyntax-only - || fail "musl-gcc as C++17"
    fi
fi
[ $tried -gt 0 ] || { echo "no compiler is installed"; exit 77; }
exit $status
