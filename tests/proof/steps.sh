#!/bin/bash
# steps.sh SOURCE: compares the steps of the models with the tags in the code. A step names its functions, and the
# conditions that it keeps: "step: ordo_rlu_mark [C2 mark]". Each function must exist, and have the tag in it or in the
# comment above it; each tag in the code must be that of a step, or be listed below with the reason why it has none.
set -u
source=$(cd "$1" && pwd)
cd "$source" || exit 1
failures=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

reasons="rlu C1 watch: the models end where the boundary is broken; tests/stress/rlu/clock.c
rlu C1 undo: likewise
rlu C1 believe: likewise
rlu C9 turn: how long is waited, which is no order
rlu C10 free: the models have no allocation; tests/model/rlu
rlu C10 undo: the models do not use a log again after an abort; tests/model/rlu
txn C1: a wait in vain; tests/stress/txn_clock.c
txn C9: for counters; time passes by itself
mvrlu C1 undo: the models end where the boundary is broken; tests/unit/mvrlu.c
mvrlu C9 spare: the models have one memory, used again or given back; tests/model/rlu
stm C1 watch: the models end where the boundary is broken; tests/stress/stm
stm C9 turn: how long is waited, which is no order
stm C12 announce: the models keep saved values for ever; tests/model/stm
stm C12 scan: likewise
stm C12 trim: likewise
oplog C1 given: what options are refused; tests/unit/oplog.c
oplog C9 turn: how long is waited, which is no order
merge M9: what only a broken promise makes; tests/model/merge"

fail() {
    echo "$*"
    failures=$((failures + 1))
}

# body FUNCTION FILE...: prints the definition of FUNCTION with the comment above it.
body() {
    awk -v name="$1" '
        /^$/ { above = "" }
        inside { print; if (/^}/) inside = 0; next }
        $0 ~ "^[a-zA-Z].*[ *]" name "\\(" && !/;$/ { printf "%s", above; print; inside = 1; above = ""; next }
        { above = above $0 "\n" }' "${@:2}"
}

# tags: prints the tags, one a line, of comments such as "/* C3, C6 */", "/* C2 look. Pairs ..." or, in
# merge.h, "[M4 first]"
tags() {
    grep -oE '/\*\*? [CIMPV][0-9]+( [a-z]+)?(, [CP][0-9]+( [a-z]+)?)*( \*/|[.:,])|\[M[0-9]+( [a-z]+)?\]' |
        grep -oE '[CIMPV][0-9]+( [a-z]+)?' | sort -u
}

# family NAME MODELS FILE...
family() {
    local name=$1 models=$2 functions tag function where
    shift 2
    : >"$scratch/kept"
    while IFS= read -r line; do
        functions=$(sed -E 's/\[.*//; s/[;:].*//; s/ and .*//; s/,/ /g' <<<"$line")
        : >"$scratch/bodies"
        for function in $functions; do
            [ -e "$scratch/$function" ] || body "$function" "$@" >"$scratch/$function"
            [ -s "$scratch/$function" ] || fail "$models: the step \"$line\" is of $function, which is not in the code"
            cat "$scratch/$function" >>"$scratch/bodies"
        done
        while read -r tag; do
            [ -n "$tag" ] || continue
            echo "$tag" >>"$scratch/kept"
            tags <"$scratch/bodies" | grep -qxF "$tag" || fail "$models: the step \"$line\" lost its code: no $tag in $functions"
        done < <(grep -oE '\[[CIMPV][^]]*\]' <<<"$line" | tr -d '[]')
    done < <(cd tests/proof/spin && grep -ohE '/[*] step: [^*]*' $models | sed -E 's/^.. step: //; s/ *$//' | sort -u)
    [ -s "$scratch/kept" ] || fail "$models: no step has a tag"
    while read -r tag; do
        grep -qxF "$tag" "$scratch/kept" && continue
        grep -q "^$name $tag: " <<<"$reasons" && continue
        where=$(grep -lE "/\*\*? .*$tag|\[$tag\]" "$@" | head -n 1)
        fail "$where: $tag has no step in $models, and no reason"
    done < <(cat "$@" | tags)
}

family rlu rlu.pml include/ordo/cc/rlu/*.h
family mvrlu mvrlu.pml include/ordo/cc/mvrlu/*.h
family stm "stm.pml epoch.pml" include/ordo/cc/stm/*.h
family oplog oplog.pml include/ordo/cc/oplog/*.h
family merge merge.pml include/ordo/merge.h include/ordo/merge/*.h
family txn "hekaton.pml hazard.pml prune.pml home.pml tomb.pml single.pml" lib/cc/txn/*.h lib/cc/txn/*/*.h
exit $((failures > 0))
