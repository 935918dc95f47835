#!/bin/bash
# bootstrap.sh SOURCE: what ./bootstrap makes of tests that fail: those that measure the real clocks get a second chance, alone and
# said aloud; others get none, and nothing gets a third.
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
exit $((failures > 0))
