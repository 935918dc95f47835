#!/bin/bash
# mutants.sh SOURCE COMPILER [SCHEDULES]: the conditions of the transactions, taken out one at a time: the model must find each missing.
set -u
source=$1 compiler=$2 schedules=${3:-20000}
command -v "$compiler" >/dev/null || exit 77
. "$source/tests/mutate.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
mkdir -p "$scratch/ordo/cc" # before the project's own on the way
cp -r "$source/include/ordo/cc/." "$scratch/ordo/cc"

build() { # PROGRAM [STAMP]
    "$compiler" -std=gnu11 -D_GNU_SOURCE -O0 -w -I"$scratch" -I"$source/include" -I"$source/tests/model/machine" -I"$source/lib" \
        -DORDO_CLOCK_HEADER='"model_clock.h"' ${2:+-D"$2"} "$source/tests/model/stm/stm.c" "$source/lib/base/coroutine.c" -o "$1"
}

# mutant WHAT SED [STAMP]: the engine, changed by SED, must be found wrong: by a rule that the model says is violated. A
# crash shows nothing of the condition.
mutant() {
    if ! mutate "$source" "$scratch" stm "$2"; then
        echo "$1: what it takes out is not where it was looked for"
        failures=$((failures + 1))
    elif ! build "$scratch/mutant" "${3:-}"; then
        echo "$1: does not compile"
        failures=$((failures + 1))
    else
        timeout 1000 prlimit --cpu=100 "$scratch/mutant" "$schedules" >"$scratch/out" 2>&1
        code=$?
        echo "$1: $code, $(tail -n 1 "$scratch/out")"
        [ $code -eq 1 ] && grep -q '^seed [0-9]*: ' "$scratch/out" || { echo "$1: is not found"; failures=$((failures + 1)); }
    fi
}

time='    now = ordo_stamp_take_after_exchange\(&stm->stamp\);[^\n]*\n'
mutant "C2: takes its time before it locks" \
    "s/$time//; s/    if \(!ordo_stm_lock_all/    now = ordo_stamp_take(\&stm->stamp);\n&/"
mutant "C2: takes its time before it locks, after an exchange of another kind" \
    "s/$time//; s/    if \(!ordo_stm_lock_all/    now = ordo_stamp_take_after_exchange(\&stm->stamp);\n&/"
mutant "C2: begins with a clock that may be read after its first look" \
    's/ordo_stamp_now_before\(&stm->stamp\)\); \/\* C2 begin/ordo_stamp_take_after_exchange(\&stm->stamp)); \/* C2 begin/'
mutant "C2: begins with a clock that is read on the wrong side" \
    's/ordo_stamp_now_before\(&stm->stamp\)\); \/\* C2 begin/ordo_stamp_take_after(\&stm->stamp)); \/* C2 begin/'
mutant "C2: takes its time on the wrong side" "s/$time/    now = ordo_stamp_now_before(\&stm->stamp);\n/"
mutant "C5: renews its begin by a clock that is read on the wrong side" \
    's/    if \(ordo_stamp_later_before\(&t->stm->stamp, met, &now\)\)/    do\n        now = ordo_stamp_take_after(\&t->stm->stamp);\n    while (!ordo_stamp_after(\&t->stm->stamp, now, met));\n    if (0)/'
mutant "C2: does not lock" 's/    if \(!ordo_stm_lock_all\(t, &latest\)\)/    if (0)/'
mutant "C3: takes a locked stripe for an old one" 's/#define ORDO_STM_LOCKED[^\n]*/#define ORDO_STM_LOCKED UINT64_C(1)/; s/ORDO_STM_LOCKED \| \(uintptr_t\)t/(uintptr_t)t->statistics.commits \* 0 + 1/'
mutant "C4: looks once, before" 's/__builtin_expect\(__atomic_load_n\(stripe, __ATOMIC_RELAXED\) == version, 1\)/1/'
mutant "C4: looks once, after" \
    's/(    version = __atomic_load_n\(stripe, __ATOMIC_ACQUIRE\);\n)([^;]*    read = __atomic_load_n\(word, __ATOMIC_ACQUIRE\);\n)/\2\1/'
mutant "C4: unlocks before it writes" \
    's/    ordo_stm_write_back\(t\);\n    ordo_stm_unlock_all\(t, version\);\n/    ordo_stm_unlock_all(t, version);\n    ordo_stm_write_back(t);\n/'
mutant "C5: takes what is uncertain" 's/return t->begin > boundary \? t->begin - boundary : 0;/(void)boundary;\n    return t->begin;/'
mutant "C5: allows for half of the boundary" 's/uint64_t boundary = ordo_stamp_boundary\(&t->stm->stamp\);/&\n    boundary \/= 2;/'
mutant "C5: renews its begin and forgets the boundary" \
    's/    t->limit = ordo_stm_limit\(t\);\n    return ORDO_OK;/    t->limit = t->begin;\n    return ORDO_OK;/'
mutant "C5: renews its begin and does not look back" 's/if \(!ordo_stm_stands\(t, limit, 0\)\) \/\* C5/if (0) \/* C5/'
mutant "C5: a read-only one goes on where it cannot look back" 's/if \(!t->keeps && t->last_read\)\n/if (0)\n/'
mutant "C6: does not validate" 's/if \(t->keeps && !ordo_stm_stands\(t, t->limit, latest >= t->limit\)\)/if (0)/'
mutant "C6: validates before it locks" \
    's/    if \(!ordo_stm_lock_all\(t, &latest\)\)/    if (t->keeps \&\& !ordo_stm_stands(t, t->limit, 0))\n        return ordo_stm_commit_fails(t, ORDO_STM_AGAIN, \&sum->aborts_changed);\n&/; s/(carry\(t, now\);\n)    if \(t->keeps && !ordo_stm_stands\(t, t->limit, latest >= t->limit\)\)/\1    if (0)/'
mutant "C6: trusts what it has locked itself" 's/latest >= t->limit\)/0)/'
mutant "C7: versions do not go up" 's/version = now.ticks > latest \? now.ticks : latest \+ 1;/version = now.ticks;/'
mutant "C7: own by the version alone" 's/        if \(t->own\[i\] == stripe\)/        if (1)/'
mutant "C7: own by the stripe alone" 's/for \(i = 0; version == t->own_version && i/for (i = 0; i/'
mutant "C8: carries a time that no clock has shown" 's/(        now->ticks = 0;)?    ordo_stm_carry\(t, now\);\n    if \(t->keeps/    now.ticks = version + 1;\n    ordo_stm_carry(t, now);\n    if (t->keeps/' ORDO_STAMP_GV5
mutant "C10: does not announce" 's/    \(void\)__atomic_exchange_n\(&t->announced,[^;]*;/    ;/'
mutant "C10: does not scan" 's/if \(announced && announced != \(epoch << 1 \| 1\)\)/if (0)/'
mutant "C10: frees at once" 's/epoch >= retired\[i\].epoch \+ 3/1/'
mutant "C10: frees after one epoch" 's/epoch >= retired\[i\].epoch \+ 3/epoch >= retired[i].epoch + 1/'
mutant "C10: retires with the epoch that it announced" \
    's/(    uint64_t epoch = )__atomic_load_n\(&t->stm->epoch, __ATOMIC_SEQ_CST\);\n    size_t i;/\1t->announced >> 1;\n    size_t i;/'
mutant "C10: does not wait for others" 's/    while \(epoch < start \+ 3\)/    while (0)/'
mutant "C10: waits for one epoch" 's/    while \(epoch < start \+ 3\)/    while (epoch < start + 1)/'
mutant "C11: commits beside the token" 's/__atomic_load_n\(&t->stm->token, __ATOMIC_SEQ_CST\) == 0, 1\)/1, 1)/'
mutant "C11: looks at the token before its flag is up" \
    's/        \(void\)__atomic_exchange_n\(&t->committing, 1, __ATOMIC_SEQ_CST\);\n        if \(__builtin_expect\(__atomic_load_n\(&t->stm->token, __ATOMIC_SEQ_CST\) == 0, 1\) \|\| t->irrevocable\)/        uint64_t early = __atomic_load_n(\&t->stm->token, __ATOMIC_SEQ_CST);\n        (void)__atomic_exchange_n(\&t->committing, 1, __ATOMIC_SEQ_CST);\n        if (early == 0 || t->irrevocable)/'
mutant "C11: does not wait for those that commit" 's/for \(turn = 0; __atomic_load_n\(&r->committing, __ATOMIC_SEQ_CST\); turn\+\+\)/for (turn = 0; 0;)/'
mutant "C11: does not look whether what it read stands" 's/    if \(\(!t->keeps && t->last_read\) \|\| !ordo_stm_stands\(t, t->limit, 0\)\)/    if (0)/'

rm -r "$scratch/ordo"
build "$scratch/whole" && "$scratch/whole" 1000 || failures=$((failures + 1))
exit $((failures > 0))
