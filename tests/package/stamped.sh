#!/bin/bash
# stamped.sh SOURCE GENERATOR: checks that ordo_stamped makes one file for each stamp, and that it refuses a call that
# would leave out a stamp.
set -u
source=$1 generator=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
    echo "FAILED: $*"
    sed 's/^/    /' "$scratch/out"
    failures=$((failures + 1))
}

mkdir -p "$scratch/include/ordo/cc" "$scratch/lib"
cp -r "$source/include/ordo/cc/stamp" "$scratch/include/ordo/cc"
: >"$scratch/lib/engine.c"

# configured LINE...: configures a project that has these lines for lib/engine.c.
configured() {
    {
        printf '%s\n' 'cmake_minimum_required(VERSION 3.20)' 'project(scratch NONE)' "include($source/cmake/stamped.cmake)"
        printf '%s\n' "$@"
        # shellcheck disable=SC2016
        printf '%s\n' 'set(members ${PROJECT_SOURCE_DIR}/lib/engine.c)' 'ordo_expand_stamps(members)' 'message(STATUS "members ${members}")'
    } >"$scratch/CMakeLists.txt"
    rm -rf "$scratch/build"
    cmake -G "$generator" -S "$scratch" -B "$scratch/build" >"$scratch/out" 2>&1
}

# refused COMPLAINT LINE...: ordo_stamped must refuse these lines with COMPLAINT.
refused() {
    ! configured "${@:2}" || fail "${*:2}: accepted"
    tr -s ' \n' ' ' <"$scratch/out" | grep -qF -- "ordo_stamped: $1" || fail "${*:2}: not '$1'"
}

configured 'ordo_stamped(lib/engine.c STAMPS ordo logical ordo)' || fail "a right line"
[ "$(grep -o '[a-z_]*\.c' <(grep members "$scratch/out") | sort | paste -sd ' ')" = "engine_logical.c engine_ordo.c" ] || fail "not two files"
grep -qx '#define ORDO_STAMP_LOGICAL' "$scratch"/build/lib/engine_logical.c || fail "engine_logical.c is not on its stamp"
refused "lib/engine.c: name its STAMPS" 'ordo_stamped(lib/engine.c)'
refused "lib/engine.c: name its STAMPS" 'ordo_stamped(lib/engine.c ordo logical)'
refused "lib/engine.c: name its STAMPS" 'ordo_stamped(lib/engine.c ordo STAMPS logical)'
refused "lib/engine.c: 'sundial' is no stamp" 'ordo_stamped(lib/engine.c STAMPS ordo sundial)'
refused "lib/engine.c: has its stamps already" 'ordo_stamped(lib/engine.c STAMPS ordo)' 'ordo_stamped(lib/engine.c STAMPS logical)'
refused "$scratch/lib/motor.c: there is no such file" 'ordo_stamped(lib/motor.c STAMPS ordo)'
exit $((failures > 0))
