#!/bin/bash
# kit.sh: a folder of its own, counted checks and waiting, for the tests in shell. A test sources it at its head,
#     . "$(dirname "$0")/../kit.sh"
# and ends with `exit $((failures > 0))`. A failing check prints the last command of `run`, the expectation, and the ends of the files
# in `shown`; the test continues, unless `at_once` is set. A test with a trap of its own removes $scratch in it.
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0 ran=''
shown=("$scratch/out" "$scratch/err")
at_once='' # yes: the first failure ends the test
tries=1    # of `run`: more, for a program that may ask to measure again because the machine is busy
seconds='' # that a command of `run` may take; functions have no limit

# excused WHAT: true if a failure shows nothing about the program. A test that measures may define it anew, and say why.
excused() { return 1; }

# fail WHAT: counts a failure and shows it.
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

# asks_again EXPECTED CODE: true if the last command of `run` could not tell, was expected to, and asks to measure again.
asks_again() { [ "$2" -eq 2 ] && [[ "|$1|" != *"|2|"* ]] && grep -Eq "measure again|did not answer" "$scratch/err"; }

# run CODE[|CODE] COMMAND...: the command must exit so. Its output is in $scratch/out and $scratch/err, its exit code in `code`.
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

# says TEXT / matches REGEX / silent TEXT: what stdout of the last command has, or must not have.
says() { grep -Fq -- "$1" "$scratch/out" || fail "stdout lacks '$1'"; }
matches() { grep -Eq -- "$1" "$scratch/out" || fail "stdout has no match of '$1'"; }
silent() { ! grep -Fq -- "$1" "$scratch/out" || fail "stdout has '$1'"; }

# mentions TEXT: stdout or stderr of the last command has it.
mentions() { cat "$scratch/out" "$scratch/err" | grep -F -- "$1" >/dev/null || fail "neither stdout nor stderr has '$1'"; }

# complains TEXT: stderr of the last command has it. complains_once TEXT: and has no other line.
complains() { grep -Fq -- "$1" "$scratch/err" || fail "stderr lacks '$1'"; }
complains_once() {
    complains "$1"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "stderr has $(wc -l <"$scratch/err") lines, expected 1"
}

# one_line: the last command wrote one line to stderr, and nothing to stdout.
one_line() { [ "$(wc -l <"$scratch/err")" -eq 1 ] && [ ! -s "$scratch/out" ] || fail "not one line on stderr alone"; }

# json FILTER [ARGUMENT...]: stdout of the last command is JSON for which the filter of jq is true.
json() { jq -e "$@" "$scratch/out" >/dev/null || fail "JSON: not so: $*"; }

# wait_for SECONDS COMMAND...: true once the command succeeds, within that time; then it is tried no more.
wait_for() {
    local count=$((10 * $1))
    shift
    for ((; count > 0; count--)); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    return 1
}

# golden NAME: compares stdout of the last command with the text of this name in the test's folder golden/. `mode` --write: replaces
# the text.
golden() {
    local kept
    kept=$(dirname "$0")/golden/$1.txt
    if [ "${mode:-}" = --write ]; then
        cp "$scratch/out" "$kept"
    else
        diff -u "$kept" "$scratch/out" || fail "golden $1 differs"
    fi
}

# manual PAGE: describes every option of the golden helps.
manual() {
    local option
    for option in $(grep -ohE -- '--[a-z-]+' "$(dirname "$0")"/golden/help-*.txt | sort -u); do
        case $option in --usage | --version | --help) continue ;; esac
        grep -qE "(Fl|,) ${option#-}( |$)" "$1" || fail "${1##*/} lacks $option"
    done
}
