#!/bin/bash
# kit.sh: takes the conditions out of the headers of $engine, one at a time; the model must find each missing. For the scripts
# of this folder, which set source, compiler, engine, folder (of the model), argument (of it) and flags (of the compiler).
set -u
. "$source/tests/mutate.sh"
command -v "$compiler" >/dev/null || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
level=-O0 # what is missing is found sooner than the model is optimised, but for long searches
[ -z "$argument" ] || level=-O1
cp -r "$source/include" "$scratch/include"

build() { # HEADERS PROGRAM
    "$compiler" -std=gnu11 -D_GNU_SOURCE $level -w -I"$1" -I"$folder" -I"$source/tests/model/machine" -I"$source/tests" -I"$source/lib" $flags \
        -DORDO_CLOCK_HEADER='"model_clock.h"' "$folder/rlu.c" "$source/lib/base/coroutine.c" -o "$2"
}

# mutant WHAT SED [SEED]: the headers edited, which must change one, must be found wrong: by what the model says is violated. A crash
# shows nothing of the condition. What is rare is looked for from SEED on.
mutant() {
    grep -qxF "$1" "$folder/beyond" 2>/dev/null && return # found by tests/proof/searches, or at random schedules
    if ! mutate "$source" "$scratch/include" "$engine" "$2"; then
        echo "$1: what it takes out is not where it was looked for"
        failures=$((failures + 1))
    elif ! build "$scratch/include" "$scratch/mutant"; then
        echo "$1: does not compile"
        failures=$((failures + 1))
    else
        timeout 1000 prlimit --cpu=100 "$scratch/mutant" "${argument:-100000}" "${3:-1}" >"$scratch/out" 2>&1
        code=$?
        echo "$1: $code, $(tail -n 1 "$scratch/out")"
        [ $code -eq 1 ] && grep -qE '^(seed|schedule) [0-9]+: ' "$scratch/out" || { echo "$1: is not found"; failures=$((failures + 1)); }
    fi
}

# whole: the headers as they are must hold, for as long as most of what is missing takes (the model itself runs for longer); then the
# number of failures is the exit code.
whole() {
    build "$source/include" "$scratch/whole" && "$scratch/whole" "${argument:-2000}" || failures=$((failures + 1))
    exit $((failures > 0))
}
