#!/bin/bash
# can_fail.sh SOURCE: checks that prove.sh and steps.sh notice the faults that they look for.
set -u
source=$(cd "$1" && pwd)
for tool in spin z3 gcc; do
    command -v $tool >/dev/null || exit 77
done
. "$(dirname "$0")/../kit.sh"
mkdir "$scratch/lemma"
cp "$source/tests/proof/lemma/lemma.smt2" "$scratch/lemma"

# prove VERDICT WHAT ROW: checks that prove.sh ends with 1 and prints VERDICT, for a table with only ROW.
prove() {
    echo "$3" >"$scratch/searches"
    "$source/tests/proof/prove.sh" "$source" --short --table "$scratch/searches" --lemmas "$scratch/lemma" >"$scratch/out" 2>&1
    local code=$?
    [ $code -eq 1 ] && grep -q "$1" "$scratch/out" || {
        echo "$2: prove.sh ends with $code:"
        cat "$scratch/out"
        failures=$((failures + 1))
    }
}

small="-DPAIR -DO0=2 -DS1=0 -DO2=1 -DMAX=3"
prove WRONG:caught "a mutant that should hold" "short holds rlu -DPAIR -DO0=2 -DO1=1 -DO2=1 -DMAX=5 -DC2_NO_MARK | x"
prove WRONG:holds "a mutant that is not found" "short caught rlu $small | x"
prove WRONG:caught "a mutant of MV-RLU that should hold" "short holds mvrlu -DPAIR -DS2=0 -DC4_NO_HELP | x"
prove WRONG:holds "a Murphi mutant that is not found" "short caught mvrlu.m -DSLOTS=1 -DCOLLECTS=0 -DTIMES=1 | x"
prove WRONG:CUT_OFF "a switch that breaks the model" "short holds rlu $small -DINF=skip -DT=( | x"
sed -i 's/(>= y (- x B))/(>= y (- x B -1))/' "$scratch/lemma/lemma.smt2"
prove '^WRONG *z3' "a lemma that is false" "short holds rlu $small | x"
rm "$scratch/lemma/lemma.smt2"
prove 'nothing to prove' "an empty table" "# nothing"

# edit FILE SED: edits FILE in a copy of the tree. says WHAT TEXT: checks that steps.sh then prints TEXT.
mkdir -p "$scratch/tree/lib" "$scratch/tree/tests"
cp -r "$source/include" "$scratch/tree"
cp -r "$source/lib/cc" "$scratch/tree/lib"
cp -r "$source/tests/proof" "$scratch/tree/tests"
edit() { sed -E -i "$2" "$scratch/tree/include/ordo/$1"; }
says() {
    grep -q "$2" "$scratch/out" || {
        echo "steps.sh does not notice that $1:"
        cat "$scratch/out"
        failures=$((failures + 1))
    }
}
edit cc/rlu/commit.h 's|/\* C10 \*/||; s/ordo_rlu_write_back/ordo_rlu_write/; s|/\* C9 turn: |/* C9 new, C9 turn: |'
edit cc/mvrlu/reclaim.h 's|/\* C8 above \*/||; s|/\* C9 twice \*/|/* C9 once */|'
edit cc/stm/commit.h 's|/\* C7 up \*/||'
edit cc/oplog/time.h 's|/\* C5 settle \*/||'
edit merge.h 's|/\* \[M4 bound\] \*/||'
edit ../../lib/cc/txn/hekaton/prune.h 's|/\* P4 \*/||; s|/\* P7, P8 \*/|/* P7, P8, P9 */|'
"$source/tests/proof/steps.sh" "$scratch/tree" >"$scratch/out" && {
    echo "steps.sh notices nothing"
    failures=$((failures + 1))
}
says "a tag is gone" 'lost its code: no C10 in ordo_rlu_flush_log'
says "a function is gone" 'ordo_rlu_write_back, which is not in the code'
says "a tag is new" 'C9 new has no step'
says "a tag of MV-RLU is gone" 'lost its code: no C8 above in ordo_mvrlu_settle'
says "a tag of MV-RLU is new" 'C9 once has no step in mvrlu.pml'
says "a tag of TL2 is gone" 'lost its code: no C7 up in ordo_stm_commit_writes'
says "a tag of Oplog is gone" 'lost its code: no C5 settle in ordo_oplog_settle'
says "a condition of pruning is gone" 'lost its code: no P4 in hk_look'
says "a condition of pruning is new" 'P9 has no step'
says "a tag of merging is gone" 'lost its code: no M4 bound in ordo_merge_look'
exit $((failures > 0))
