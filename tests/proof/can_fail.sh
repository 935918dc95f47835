#!/bin/bash
# can_fail.sh SOURCE: prove.sh and steps.sh notice what they are for.
set -u
source=$(cd "$1" && pwd)
for tool in spin z3 gcc; do
    command -v $tool >/dev/null || exit 77
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
mkdir "$scratch/lemma"
cp "$source/tests/proof/lemma/lemma.smt2" "$scratch/lemma"

# prove VERDICT WHAT ROW: prove.sh ends with 1 and says so, of a table with that row.
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
prove WRONG:CUT_OFF "a switch that breaks the model" "short holds rlu $small -DINF=skip -DT=( | x"
sed -i 's/(>= y (- x B))/(>= y (- x B -1))/' "$scratch/lemma/lemma.smt2"
prove '^WRONG *z3' "a lemma that is false" "short holds rlu $small | x"
rm "$scratch/lemma/lemma.smt2"
prove 'nothing to prove' "an empty table" "# nothing"

# steps WHAT SED: steps.sh ends with 1 and says so, where rlu.h is edited.
mkdir -p "$scratch/tree/lib"
cp -r "$source/include" "$scratch/tree"
cp -r "$source/lib/cc" "$scratch/tree/lib"
mkdir "$scratch/tree/tests"
cp -r "$source/tests/proof" "$scratch/tree/tests"
steps() {
    sed -E "$2" "$source/include/ordo/cc/rlu.h" >"$scratch/tree/include/ordo/cc/rlu.h"
    "$source/tests/proof/steps.sh" "$scratch/tree" >"$scratch/out" && {
        echo "steps.sh does not notice: $1"
        failures=$((failures + 1))
    }
    grep -q "$3" "$scratch/out" || {
        echo "steps.sh says of $1:"
        cat "$scratch/out"
        failures=$((failures + 1))
    }
}
steps "a tag is gone" 's|/\* C10 \*/||' 'lost its code: no C10 in ordo_rlu_flush_log'
steps "a function is gone" 's/ordo_rlu_write_back/ordo_rlu_write/' 'ordo_rlu_write_back, which is not in the code'
steps "a new tag" 's|/\* C10 \*/|/* C10, C10 new */|' 'C10 new has no step'
exit $((failures > 0))
