#!/bin/bash
# bootstrap.sh SOURCE: what ./bootstrap makes of tests that fail: those that measure the real clocks get a second chance, alone and
# said aloud; others get none, and nothing gets a third. Of the trees that it builds beside them: their failure is not passed over,
# and they end with it. Of the soak: a failure keeps nothing else from running, and is not forgotten.
set -u
export LC_ALL=C
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
    echo "FAILED: $*"
    sed 's/^/    /' "$scratch/out"
    failures=$((failures + 1))
}

# A project whose test NAME fails as often as the file NAME has lines.
mkdir "$scratch/project" && cd "$scratch/project" || exit 1
cat >CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(chance LANGUAGES NONE)
enable_testing()
foreach(name clock.1 clock-2 clock-20 plain)
  add_test(NAME ${name} COMMAND sh ${CMAKE_SOURCE_DIR}/fail.sh ${CMAKE_SOURCE_DIR}/${name})
endforeach()
set_tests_properties(clock.1 clock-2 clock-20 PROPERTIES LABELS "cli;clocks")
set_tests_properties(plain PROPERTIES LABELS cli)
TEXT
cat >fail.sh <<'TEXT'
echo "$(basename "$1") runs" >>"${1%/*}/runs"
[ ! -s "$1" ] || { sed -i 1d "$1"; echo "$(basename "$1") is spoilt"; exit 1; }
TEXT
cat >CMakePresets.json <<'TEXT'
{"version": 6,
 "configurePresets": [{"name": "release", "binaryDir": "${sourceDir}/build"}],
 "testPresets": [{"name": "release", "configurePreset": "release", "output": {"outputOnFailure": true}}]}
TEXT
sed '/^job=/,$d; /^cd /d' "$1/bootstrap" >functions.sh
grep -q '^run_tests()' functions.sh || fail "bootstrap has no run_tests"
cmake --preset release >"$scratch/out" 2>&1 || fail "the project cannot be configured"

# try CODE TEST=TIMES...: run_tests must end so where these tests fail so often.
try() {
    local expected=$1 code
    shift
    rm -f clock.1 clock-2 clock-20 plain runs
    for one; do yes | head -n "${one#*=}" >"${one%=*}"; done
    sh -c 'set -eu; . ./functions.sh; run_tests release -L cli' >"$scratch/out" 2>&1
    code=$?
    [ $((code != 0)) -eq "$expected" ] || fail "$*: exit $code"
}
runs() { [ "$(sort runs | uniq -c | awk '{print $2 "=" $1}' | paste -sd ' ')" = "$1" ] || fail "the runs were not: $1"; }
says() { grep -Fq -- "$1" "$scratch/out" || fail "it does not say '$1'"; }

try 0 && runs "clock-2=1 clock-20=1 clock.1=1 plain=1"
! grep -q "once more" "$scratch/out" || fail "it says that something was run again"
try 0 clock-2=1 clock.1=1 && runs "clock-2=2 clock-20=1 clock.1=2 plain=1" && says "once more, alone" && says "clock-2 is spoilt" && says "passed alone"
try 1 clock-2=2 && runs "clock-2=2 clock-20=1 clock.1=1 plain=1" && says "failed twice"
try 1 plain=1 && runs "clock-2=1 clock-20=1 clock.1=1 plain=1"
try 1 clock-2=1 plain=1 && runs "clock-2=1 clock-20=1 clock.1=1 plain=1"
! grep -q "once more" "$scratch/out" || fail "a failure is passed over"
sh -c 'set -eu; . ./functions.sh; run_tests release -L nothing' >"$scratch/out" 2>&1 && fail "it passes where there are no tests"

# trees CODE COMMANDS SCRIPT: trees are built by these commands, beside a script, which must end so.
trees() {
    printf '#!/bin/sh\necho $PPID >group\n[ "$1" = trees ] || exit 1\n%s\n' "$2" >bootstrap && chmod +x bootstrap
    rm -f group
    local code
    timeout 60 sh -c "set -eu; . ./functions.sh; begin_trees; until [ -s group ]; do sleep 0.1; done; $3" >"$scratch/out" 2>&1
    code=$?
    [ $code -eq "$1" ] || fail "trees by '$2' beside '$3': exit $code"
}
gone() { for _ in $(seq 100); do kill -0 -- "-$(cat group)" 2>/dev/null || return 0; sleep 0.1; done; return 1; }

trees 0 'chrt --pid $$ >policy' end_trees
! chrt --idle 0 true 2>/dev/null || grep -q SCHED_IDLE policy || fail "trees are not built by what is left of the CPUs"
trees 1 'echo a missing semicolon; exit 1' end_trees && says "a missing semicolon" && says "could not be built"
trees 3 'sleep 60; true' 'exit 3'
gone || fail "the building of trees outlives bootstrap"
trees 143 'sleep 60; true' 'kill -TERM $$; sleep 1'
gone || fail "the building of trees outlives bootstrap that is told to end"
trees=1 sh -c 'set -eu; . ./functions.sh; end_trees' >"$scratch/out" 2>&1 || fail "the caller's environment says what trees there are"

# soak CODE PATTERN: it must end so where the calls of cmake and ctest that match fail; `calls` has them all.
mkdir fake
printf '#!/bin/sh\necho "${0##*/} $*" >>calls\n! echo "${0##*/} $*" | grep -Eq -- "$FAILING"\n' >fake/cmake
cp fake/cmake fake/ctest && chmod +x fake/*
soak() {
    local expected=$1 code
    rm -f calls
    FAILING=$2 PATH=$PWD/fake:$PATH sh -c 'set -eu; . ./functions.sh; soak; echo passed' >"$scratch/out" 2>&1
    code=$?
    [ $((code != 0)) -eq "$expected" ] || fail "soak, where '$2' fails: exit $code"
    [ "$expected" -eq 0 ] || says "these have failed"
}
called() { [ "$(grep -Ec -- "$2" calls)" -eq "$1" ] || fail "not $1 calls of $2: $(cat calls)"; }

soak 0 '^$' && says passed
called 1 'ctest --preset asan .*-L unit[|]fuzz[|]stress'
called 1 'ctest --preset clang .*-L unit[|]fuzz[|]stress'
called 1 'ctest --preset clang .*-C soak'
[[ $(tail -n 1 calls) == *"--preset release"*"-C soak"* ]] || fail "the long runs are not last"
soak 1 'ctest --preset asan' && called 4 ctest && says "test_in_full asan"
soak 1 'cmake --preset clang' && called 0 'cmake --build --preset clang' && called 0 'ctest --preset clang .*unit' && called 1 'ctest .*release'
soak 1 'cmake --build --preset asan' && called 0 'ctest --preset asan' && called 3 ctest
soak 1 'ctest --preset release'

# A tree remembers its options: each one is named.
for option in BUILD_SHARED_LIBS $(sed -n 's/^option(\(ORDO_[A-Z_]*\).*/\1/p' "$1/CMakeLists.txt" "$1/tests/CMakeLists.txt"); do
    grep -q "cmake --preset asan .*-D$option=" calls || fail "nothing says whether a tree of tests has $option"
done
exit $((failures > 0))
