#!/bin/bash
# guard.sh PROGRAM TESTS: checks that a program that ends early fails, in whichever way it ends, as a plain program and
# as a test of Criterion, and that a skipped test is named with its reason.
set -u
program=$1 tests=${2:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# expect pass|fail COMMAND...: the command must have this outcome.
expect() {
    local outcome=fail
    "${@:2}" >"$scratch/out" 2>&1 && outcome=pass
    [ $outcome = "$1" ] && return
    echo "FAILED: ${*:2}: a $outcome"
    cat "$scratch/out"
    failures=$((failures + 1))
}

expect fail timeout 5 "$program" thread # the program may hang instead of ending, so it has a timeout
for way in exit underscore kernel exec coroutine signal; do
    expect fail "$program" $way
    [ -z "$tests" ] || expect fail "$tests" --filter "early/$way"
done
for way in none child; do
    expect pass "$program" $way
    [ -z "$tests" ] || expect pass "$tests" --filter "early/$way"
done
if [ -n "$tests" ]; then
    expect pass "$tests" --filter early/skipped
    grep -qx "\[SKIP\] early::skipped: not on this machine" "$scratch/out" || expect pass false # the skipped test is not named
fi
for way in setup teardown crash_in_teardown; do
    [ -z "$tests" ] || expect fail "$tests" --filter "early/$way"
done
# A test that hangs ends with its runner.
running() { find /proc -maxdepth 2 -name exe -lname "$tests" 2>/dev/null | wc -l; }
if [ -n "$tests" ]; then
    "$tests" --filter early/hang >"$scratch/out" 2>&1 &
    runner=$!
    for _ in {1..600}; do
        begun=$(running)
        [ "$begun" -ge 2 ] && break
        sleep 0.1
    done
    sleep 1 # by now the test hangs
    kill -KILL $runner
    wait $runner 2>/dev/null
    for _ in {1..600}; do
        left=$(running)
        [ "$left" -eq 0 ] && break
        sleep 0.1
    done
    [ "$begun" -ge 2 ] && [ "$left" -eq 0 ] || { echo "FAILED: a test that hangs: $begun begun, $left left"; failures=1; }
fi
exit $((failures > 0))
