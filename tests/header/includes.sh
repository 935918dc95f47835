#!/bin/sh
# includes.sh SOURCE COMPILER: checks which headers the runtime includes, and which libraries a program needs that uses
# the runtime.
set -eu
source=$1 compiler=$2
command -v "$compiler" >/dev/null || { echo "$compiler is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cp -r "$source/include" . # blanks in the path would break the output of -M
include=$scratch/include

# The headers that the runtime may include, of ISO C and of POSIX.
libc="errno.h fcntl.h poll.h stddef.h stdint.h stdio.h stdlib.h string.h sys/mman.h sys/stat.h sys/statvfs.h time.h unistd.h"
threads="pthread.h sched.h signal.h stdarg.h" # ordo/start.h may include these too

status=0
fail() {
    echo "$@"
    status=1
}

# reached STANDARD OPTIONS...: prints all headers that the unit on stdin includes, directly or not, without Ordo's own,
# one a line.
reached() {
    "$compiler" -x c -I"$include" "$@" -M - | tr -d '\\' | tr ' ' '\n' | grep '\.h$' |
        grep -v "^$include/ordo/" | sort -u
}

# 1. The runtime includes no header beyond those that these headers of libc include by themselves.
for header in $libc; do echo "#include <$header>"; done >libc.c
for options in -std=c11 "-std=c11 -DORDO_CLOCK_POSIX" "-std=gnu11 -D_GNU_SOURCE"; do
    echo '#include <ordo/ordo.h>' | reached $options >by-ordo
    reached $options <libc.c >by-libc
    [ -s by-ordo ] || fail "$options: nothing is reached, not even libc"
    others=$(comm -23 by-ordo by-libc)
    [ -z "$others" ] || fail "$options: reaches more than libc: $others"
    echo '#include <ordo/start.h>' | reached $options >by-start
    for header in $libc $threads; do echo "#include <$header>"; done | reached $options >by-libc
    others=$(comm -23 by-start by-libc)
    [ -z "$others" ] || fail "$options: ordo/start.h reaches more than libc: $others"
    grep -q '/pthread.h$' by-start || fail "$options: ordo/start.h reaches no threads"
    grep -q '/pthread.h$' by-ordo && fail "$options: ordo/ordo.h reaches threads"
done

# 2. Each header can be included alone, in C, in C++ and with each stamp. Exceptions are the headers of an architecture,
# of a stamp and of an engine's parts: they refuse.
for header in $(cd "$include" && find ordo -name '*.h' ! -path ordo/mpi.h | sort); do # mpi.h needs an MPI library
    grep -q "^#error \"include <${header%/*}.h>\"" "$include/$header" && kind=room || kind=$header
    for options in "c -std=c11" "c++ -std=c++11" "c -DORDO_STAMP_LOGICAL" "c -DORDO_STAMP_TSC" "c -DORDO_STAMP_CORRECTED" "c -DORDO_STAMP_ANY" "c -DORDO_STAMP_BATCH" \
        "c -DORDO_STAMP_GV4" "c -DORDO_STAMP_GV5" "c -DORDO_STAMP_DCTL"; do
        case $header-$options in ordo/cc/stamp/*STAMP* | ordo/cc/oplog/*STAMP*) continue ;; ordo/cc/*) ;; *STAMP*) continue ;; esac
        case $compiler-$kind-$options in clang-*STAMP* | *-room-*STAMP*) continue ;; esac # gcc covers these cases; a room refuses before it looks at the stamp
        case $header-$options in ordo/cc/*rlu*BATCH | ordo/cc/*rlu*GV5 | ordo/cc/*rlu*DCTL | ordo/cc/stm*BATCH) alone=no ;; *) alone=yes ;; esac # these engines would hang with this stamp, so their headers refuse it
        if printf '#include <%s>\nint unit;\n' "$header" | "$compiler" -x $options -Wall -Wextra -Wpedantic -Wconversion -Wshadow \
            -Wcast-qual -Wcast-align -Werror -fsyntax-only -I"$include" - 2>errors; then
            compiles=yes
        else
            compiles=no
        fi
        case $kind in
        ordo/cc/set/*)
            [ $compiles = no ] && grep -q "include <ordo/cc/rlu/" errors || fail "$header does not refuse to be included"
            ;;
        ordo/cc/stm/list.h | ordo/cc/stm/hash.h | ordo/cc/stm/skip.h | ordo/cc/stm/tree.h)
            [ $compiles = $alone ] || { cat errors; fail "$header, as $options: can be included alone: $compiles, and not $alone"; }
            ;;
        ordo/clock/* | ordo/cc/stamp/* | ordo/cc/oplog/* | ordo/cc/stm/* | room)
            [ $compiles = no ] && grep -q "include <${header%/*}.h>" errors || fail "$header does not refuse to be included"
            ;;
        *)
            [ $compiles = $alone ] || { cat errors; fail "$header, as $options: can be included alone: $compiles, and not $alone"; }
            ;;
        esac
    done
done

# A header of cc/ undefines its internal macros.
for header in mvrlu/list mvrlu/hash mvrlu/tree rlu/list rlu/hash rlu/tree stm/list stm/hash stm/skip stm/tree oplog; do
    echo "#include <ordo/cc/$header.h>"
done | "$compiler" -x c -std=c11 -I"$include" -dM -E - >macros
left=$(grep -oE '^#define ORDO_(SET[A-Z_]*|CC_[A-Z]+_ROOMS|STAMP_INCLUDED[A-Z_]*|STM_TREE_(READ|WRITE))\b' macros || true)
[ -z "$left" ] || fail "macros stay behind: $left"

# 3. At any level of optimisation a program needs no symbol of Ordo and no library except libc.
for level in -O0 -O2; do
    "$compiler" -std=c11 $level -I"$include" "$source/tests/header/runtime.c" -o program
    symbols=$(nm program | grep -i ' [uw] ordo_' || true)
    [ -z "$symbols" ] || fail "$level: undefined: $symbols"
    nm program | grep -q ' [tT] main$' || fail "$level: nm shows no main"
    libraries=$(readelf -d program | grep NEEDED | grep -v 'libc\.\|ld-linux' || true)
    [ -z "$libraries" ] || fail "$level: needs $libraries"
done
exit $status
