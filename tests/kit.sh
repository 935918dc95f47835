#!/bin/bash
# kit.sh: common parts of the tests in shell: a scratch folder, counted checks, and waiting. A test sources it at its
# head,
#     . "$(dirname "$0")/../kit.sh"
# and ends with `exit $((failures > 0))`. A failing check prints the last command of `run`, the expectation, and the
# last lines of the files in `shown`; the test continues, unless `at_once` is set. A test that sets its own trap must
# remove $scratch there.
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0 ran=''
shown=("$scratch/out" "$scratch/err")
at_once='' # yes: the first failure ends the test
tries=1    # number of times that `run` tries a command that asks to measure again, because the machine is busy
seconds='' # limit for a command of `run`, in seconds; functions have no limit

# excused WHAT: true if a failure shows nothing about the program. A test that measures may redefine this function, and
# must then print the reason.
excused() { return 1; }

# fail WHAT: counts a failure and prints it.
fail() {
    local file
    ! excused "$@" || return 0
    echo "FAILED: $*"
    [ -z "$ran" ] || echo "    the last command: $ran"
    for file in "${shown[@]}"; do
        [ ! -s "$file" ] || { echo "    the end of ${file##*/}:" && tail -n 25 "$file" | cut -c1-400 | sed 's/^/        /'; }
    done
    failures=$((failures + 1))
    [ -z "$at_once" ] || exit 1
}

# asks_again EXPECTED CODE: true if the last command of `run` was inconclusive (2), EXPECTED does not allow 2, and the
# command asks to measure again.
asks_again() { [ "$2" -eq 2 ] && [[ "|$1|" != *"|2|"* ]] && grep -Eq "measure again|did not answer" "$scratch/err"; }

# run CODE[|CODE] COMMAND...: the command must exit with one of the codes. Its output is in $scratch/out and
# $scratch/err, its exit code in `code`.
run() {
    local expected=$1 try limited=()
    shift
    ran=$*
    [ -z "$seconds" ] || declare -F "$1" >/dev/null || limited=(timeout "$seconds")
    for ((try = 1; try <= tries; try++)); do
        code=0
        "${limited[@]}" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || code=$?
        asks_again "$expected" "$code" || break
    done
    [[ "|$expected|" == *"|$code|"* ]] || fail "$*: exit $code, expected $expected"
}

# quietly COMMAND...: the command must succeed. Its output is in $scratch/log.
quietly() {
    local shown=("$scratch/log") code=0
    "$@" >"$scratch/log" 2>&1 || code=$?
    [ "$code" -eq 0 ] || fail "$*: exit $code, expected 0"
}

# says TEXT, matches REGEX: stdout of the last command must contain it. silent TEXT: stdout must not contain it.
says() { grep -Fq -- "$1" "$scratch/out" || fail "stdout lacks '$1'"; }
matches() { grep -Eq -- "$1" "$scratch/out" || fail "stdout has no match of '$1'"; }
silent() { ! grep -Fq -- "$1" "$scratch/out" || fail "stdout has '$1'"; }

# mentions TEXT: stdout or stderr of the last command must contain TEXT.
mentions() { cat "$scratch/out" "$scratch/err" | grep -F -- "$1" >/dev/null || fail "neither stdout nor stderr has '$1'"; }

# complains TEXT: stderr of the last command must contain TEXT. complains_once TEXT: stderr must also be a single line.
complains() { grep -Fq -- "$1" "$scratch/err" || fail "stderr lacks '$1'"; }
complains_once() {
    complains "$1"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "stderr has $(wc -l <"$scratch/err") lines, expected 1"
}

# one_line: the last command must have written one line to stderr, and nothing to stdout.
one_line() { [ "$(wc -l <"$scratch/err")" -eq 1 ] && [ ! -s "$scratch/out" ] || fail "not one line on stderr alone"; }

# json FILTER [ARGUMENT...]: stdout of the last command must be JSON for which the jq filter is true.
json() { jq -e "$@" "$scratch/out" >/dev/null || fail "JSON: not so: $*"; }

# wait_for SECONDS COMMAND...: repeats the command until it succeeds. False if it has not succeeded after SECONDS.
wait_for() {
    local count=$((10 * $1))
    shift
    for ((; count > 0; count--)); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    return 1
}

# golden NAME: compares stdout of the last command with golden/NAME.txt in the test's folder. If `mode` is --write,
# replaces this file.
golden() {
    local kept
    kept=$(dirname "$0")/golden/$1.txt
    if [ "${mode:-}" = --write ]; then
        cp "$scratch/out" "$kept"
    else
        diff -u "$kept" "$scratch/out" || fail "golden $1 differs"
    fi
}

# manual PAGE: the manual page must describe every option in the golden help texts.
manual() {
    local option
    for option in $(grep -ohE -- '--[a-z-]+' "$(dirname "$0")"/golden/help-*.txt | sort -u); do
        case $option in --usage | --version | --help) continue ;; esac
        grep -qE "(Fl|,) ${option#-}( |$)" "$1" || fail "${1##*/} lacks $option"
    done
}
