#!/bin/bash
# steps.sh SOURCE: compares the steps of the models with the tags in the code. A step names its functions, and the
# conditions that it keeps: "step: ordo_rlu_mark [C2 mark]". Each function must exist, and have the tag in it or in the
# comment above it; each tag in the code must be that of a step, or be listed below with the reason why it has none.
set -u
source=$(cd "$1" && pwd)
cd "$source" || exit 1
failures=0

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

# Tags are in comments such as "/* C3, C6 */", "/* C2 look. Pairs ..." or, in merge.h, "[M4 first]".
export comment_form='/[*][*]? [CIMPV][0-9]+( [a-z]+)?(, [CP][0-9]+( [a-z]+)?)*( [*]/|[.:,])|[[]M[0-9]+( [a-z]+)?[]]' tag_form='[CIMPV][0-9]+( [a-z]+)?'

# tags FILE...: prints each tag of the files, and for each function "FUNCTION:" and "FUNCTION:TAG" for the tags in its definition and
# in the comment above it.
tags() {
    awk '
        function tell(name, text, part) {
            if (name) print name ":"
            for (; match(text, ENVIRON["comment_form"]); text = rest) {
                part = substr(text, RSTART, RLENGTH)
                rest = substr(text, RSTART + RLENGTH)
                for (; match(part, ENVIRON["tag_form"]); part = substr(part, RSTART + RLENGTH))
                    print (name ? name ":" : "") substr(part, RSTART, RLENGTH)
            }
        }
        function names(line, name) { # all words before a parenthesis, because an attribute may stand before the name
            for (; match(line, /[ *][a-zA-Z_0-9]+\(/); line = substr(line, RSTART + RLENGTH)) {
                name = substr(line, RSTART + 1, RLENGTH - 2)
                called = called " " name
            }
        }
        { tell("", $0) }
        /^$/ { above = "" }
        inside { body = body $0 "\n"; if (/^}/) { count = split(called, list, " "); for (i = 1; i <= count; i++) tell(list[i], body); inside = 0 } next }
        /^[a-zA-Z].*[ *][a-zA-Z_0-9]+\(/ && !/[;}]$/ && !/^(typedef|ORDO_STATIC_ASSERT)/ { called = ""; names($0); body = above $0 "\n"; inside = 1; above = ""; next }
        { above = above $0 "\n" }' "$@" | sort -u
}

# family NAME MODELS FILE...
family() {
    local name=$1 models=$2 code kept='' functions function tag rest have where
    shift 2
    code=$'\n'$(tags "$@")$'\n'
    while IFS= read -r line; do
        functions=${line%%[\[;:]*} have=''
        functions=${functions%% and *}
        for function in ${functions//,/ }; do
            [[ $code == *$'\n'"$function:"$'\n'* ]] || fail "$models: the step \"$line\" is of $function, which is not in the code"
            have+=" $function"
        done
        rest=$line
        while [[ $rest =~ \[([CIMPV][^]]*)\](.*) ]]; do
            tag=${BASH_REMATCH[1]} rest=${BASH_REMATCH[2]}
            kept+=$'\n'$tag$'\n'
            for function in $have; do
                [[ $code != *$'\n'"$function:$tag"$'\n'* ]] || continue 2
            done
            fail "$models: the step \"$line\" lost its code: no $tag in $functions"
        done
    done < <(cd tests/proof/spin && grep -ohE '/[*] step: [^*]*' $models | sed -E 's/^.. step: //; s/ *$//' | sort -u)
    [ -n "$kept" ] || fail "$models: no step has a tag"
    while read -r tag; do
        [[ -n $tag && $tag != *:* && $kept != *$'\n'"$tag"$'\n'* && $'\n'$reasons != *$'\n'"$name $tag: "* ]] || continue
        where=$(grep -lE "/\*\*? .*$tag|\[$tag\]" "$@" | head -n 1)
        fail "$where: $tag has no step in $models, and no reason"
    done <<<"$code"
}

family rlu rlu.pml include/ordo/cc/rlu/*.h
family mvrlu mvrlu.pml include/ordo/cc/mvrlu/*.h
family stm "stm.pml epoch.pml" include/ordo/cc/stm/*.h
family oplog oplog.pml include/ordo/cc/oplog/*.h
family merge merge.pml include/ordo/merge.h include/ordo/merge/*.h
family txn "hekaton.pml hazard.pml prune.pml home.pml tomb.pml single.pml" lib/cc/txn/*.h lib/cc/txn/*/*.h
exit $((failures > 0))
