#!/bin/bash
# invariants.sh SOURCE COMPILER [CXX]: tests the checks of the engines (domain/invariant.h).
#
# - Without ORDO_DEBUG the checks generate no code: the objects equal, byte for byte, those of sources without the
#   checks.
# - With ORDO_DEBUG the checks generate code, and compile as C and as C++ without a warning.
# - A test violates each check: tests/unit/invariant.c or tests/model/invariants.sh contains its claim.
set -eu
. "${0%/*}/assembly.sh"
cxx=${3:-}
status=0

fail() {
    echo "$compiler: $*"
    status=1
}

cp -r "$source/include" "$source/lib" "$scratch"
grep -rlZ 'ORDO_INVARIANT(' "$scratch/include/ordo/cc" "$scratch/lib/cc" | grep -vzF domain/invariant.h |
    xargs -0 sed -i -E -z 's/\n *ORDO_INVARIANT\([^;]*\);//g'
! grep -rn 'ORDO_INVARIANT(' "$scratch/include" "$scratch/lib" --include='*.h' | grep -v domain/invariant.h || fail "checks are left in the copy"

cat >"$scratch/headers.c" <<'END'
#include <ordo/cc/mvrlu/hash.h>
#include <ordo/cc/mvrlu/tree.h>
#include <ordo/cc/oplog.h>
#include <ordo/cc/rlu/hash.h>
#include <ordo/cc/rlu/tree.h>
#include <ordo/cc/stm/hash.h>
#include <ordo/cc/stm/skip.h>
#include <ordo/cc/stm/tree.h>
END
# Refers to every function, because a compiler drops functions without a reference.
{
    cat "$scratch/headers.c"
    echo 'void *const functions[] = {'
    grep -rhoE '^(static inline|ORDO_CC_SLOW|ORDO_MVRLU_CALL) .*\bordo_(rlu|mvrlu|stm|oplog|cc)_[a-z_]+\(' "$source/include/ordo/cc" |
        grep -oE 'ordo_[a-z_]+\($' | tr "(" , | grep -v word_text | sort -u
    echo '};'
} >"$scratch/rlu.c"
for engine in hekaton occ silo tictoc; do
    printf '#define ORDO_STAMPED(stem, ...) stem##_test\n#include "cc/txn/%s.c"\n' $engine >"$scratch/$engine.c"
done

# compile ROOT UNIT OUTPUT OPTION...: compiles UNIT with the headers below ROOT.
compile() {
    local root=$1 unit=$2 output=$3
    shift 3
    "$compiler" -std=gnu11 -D_GNU_SOURCE -O2 -w -I"$root/include" -I"$root/lib" "$@" -c "$scratch/$unit.c" -o "$output"
}

for unit in rlu hekaton occ silo tictoc; do
    compile "$scratch" $unit "$scratch/without.o"
    compile "$source" $unit "$scratch/off.o"
    compile "$source" $unit "$scratch/on.o" -DORDO_DEBUG=1 -O0
    for value in "" -DORDO_DEBUG=0; do
        # shellcheck disable=SC2086
        compile "$source" $unit - -E -P $value >"$scratch/text$value"
    done
    [ "$(objdump -d "$scratch/off.o" | wc -l)" -gt 1000 ] || fail "$unit: the objects have no functions to compare"
    cmp -s "$scratch/without.o" "$scratch/off.o" || fail "$unit: a check is code without ORDO_DEBUG"
    cmp -s "$scratch/text" "$scratch/text-DORDO_DEBUG=0" || fail "$unit: a check is code if ORDO_DEBUG is 0"
    ! strings "$scratch/off.o" | grep -q 'broken:' || fail "$unit: has the text of a check"
    strings "$scratch/on.o" | grep -q 'broken:' || fail "$unit: has no check with ORDO_DEBUG=1"
done

warnings="-Wall -Wextra -Wpedantic -Werror -Wconversion -Wsign-conversion -Wshadow -Wundef -Wcast-qual -Wcast-align -Wformat=2"
for stamp in ORDO LOGICAL ANY CORRECTED; do
    "$compiler" -x c -std=c11 $warnings -DORDO_DEBUG -DORDO_STAMP_$stamp -I"$source/include" -fsyntax-only "$scratch/headers.c" || fail "C, $stamp"
    [ -z "$cxx" ] || "$cxx" -x c++ -std=c++11 $warnings -DORDO_DEBUG -DORDO_STAMP_$stamp -I"$source/include" -fsyntax-only "$scratch/headers.c" ||
        fail "C++, $stamp"
done

# claims: prints "ENGINE [TAG] CLAIM" for each check in the sources, one a line. The code shared by the single-version
# engines learns its engine's name at run time; here it counts as occ.
claims() {
    grep -rlZ 'ORDO_INVARIANT(' "$source/include/ordo/cc" "$source/lib/cc" | grep -vzF domain/invariant.h | xargs -0 cat | tr '\n' ' ' |
        grep -oE 'ORDO_INVARIANT\([^;]*;' | tr -s ' ' |
        sed -E 's/^ORDO_INVARIANT\("?([^,"]*)"?, "([A-Za-z0-9]*)".* "([^"]*)", .*/\1 [\2] \3/; s/^worker->base.engine->name/occ/' | sort -u
}
claims >"$scratch/claims"
[ "$(wc -l <"$scratch/claims")" -ge 25 ] || fail "the sources have only $(wc -l <"$scratch/claims") checks"
while read -r claim; do
    grep -qF "\"$claim\"" "$source/tests/unit/invariant.c" "$source/tests/model/invariants.sh" || fail "no test breaks $claim"
done <"$scratch/claims"
exit $status
