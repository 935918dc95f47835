#!/bin/bash
# mutants.sh SOURCE COMPILER: the conditions of Oplog, taken out one at a time: the model must find each missing.
set -u
source=$1 compiler=$2
command -v "$compiler" >/dev/null || exit 77
. "$source/tests/mutate.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
cp -r "$source/include" "$scratch/include"

build() { # HEADERS PROGRAM
    "$compiler" -std=gnu11 -D_GNU_SOURCE -O0 -w -I"$1" -I"$source/tests/model/machine" -I"$source/lib" \
        -DORDO_CLOCK_HEADER='"model_clock.h"' "$source/tests/model/oplog/oplog.c" "$source/lib/base/coroutine.c" -o "$2"
}

# mutant WHAT SED: Oplog, changed by SED, must be found wrong: by a rule that the model says is violated. A crash shows
# nothing of the condition.
mutant() {
    if ! mutate "$source" "$scratch/include" oplog "$2"; then
        echo "$1: what it takes out is not where it was looked for"
        failures=$((failures + 1))
    elif ! build "$scratch/include" "$scratch/mutant"; then
        echo "$1: does not compile"
        failures=$((failures + 1))
    else
        timeout 1000 prlimit --cpu=100 "$scratch/mutant" 100000 >"$scratch/out" 2>&1
        code=$?
        echo "$1: $code, $(tail -n 1 "$scratch/out")"
        [ $code -eq 1 ] && grep -q '^seed [0-9]*: ' "$scratch/out" || { echo "$1: is not found"; failures=$((failures + 1)); }
    fi
}

mutant "C2: looks when it has published" \
    's/    ordo_oplog_look\(t\);\n(    ordo_oplog_write\(t, t->count, time[^;]*;\n    ordo_oplog_publish\(t, 1\);\n)/\1    ordo_oplog_look(t);\n/'
mutant "C2: does not look" 's/    ordo_oplog_look\(t\);\n(    ordo_oplog_write\(t, t->count, time)/\1/'
mutant "C2: does not advance the number" \
    's/next = __atomic_add_fetch\(&oplog->cut, 1, __ATOMIC_SEQ_CST\);/next = __atomic_load_n(\&oplog->cut, __ATOMIC_SEQ_CST) + 1;/'
mutant "C2: advances the number when it has looked at the logs" \
    's/    next = __atomic_add_fetch\(&oplog->cut, 1, __ATOMIC_SEQ_CST\);/    next = oplog->cut + 1;/; s/(    ordo_oplog_merge\(oplog, heap\);)/    (void)__atomic_add_fetch(\&oplog->cut, 1, __ATOMIC_SEQ_CST);\n\1/'
mutant "C2: takes a log that has something for an empty one" 's/(__atomic_load_n\(&r->published, __ATOMIC_ACQUIRE\)) !=/\1 > 2 +/'
mutant "C3: takes what looked at the new number" 's/    if \(__atomic_load_n\(&r->cut, __ATOMIC_ACQUIRE\) != next\)/    if (1)/'
mutant "C3: marks one too late" 's/(__atomic_store_n\(&t->first, t->count)(, __ATOMIC_RELAXED\);)/\1 + 1\2/'
mutant "C3: publishes before it writes" \
    's/(    ordo_oplog_write\(t, t->count, time, object, op, argument\);\n)(    ordo_oplog_publish\(t, 1\);\n)/    ordo_oplog_write(t, t->count, time, object, op, 0);\n\2    t->oplog->read_only_end[0] = (char)__atomic_load_n(\&t->cut, __ATOMIC_RELAXED);\n    ordo_oplog_write(t, t->count - 1, time, object, op, argument);\n/'
mutant "C3: publishes a batch one by one" 's/    ordo_oplog_publish\(t, n\);/    for (i = 0; i < n; i++)\n        ordo_oplog_publish(t, 1);/'
mutant "C4: reads without the lock" \
    's/(static inline void ordo_oplog_read_lock[^{]*\{[^}]*\n    ordo_oplog_lock\(t->oplog\);\n    ordo_oplog_take\(t->oplog\);\n)/\1    ordo_oplog_unlock(t->oplog);\n/'
mutant "C4: makes room without the lock" 's/        if \(ordo_oplog_try_lock\(oplog\)\) \{/        if (1) {/'
mutant "C4: empties its own log of what does not commute" 's/t->count, 0\); \/\* C4 own/t->count, UINT64_MAX); \/* C4 own/'
mutant "C5: applies one log after the other" 's/heap \? heap->key : UINT64_MAX/UINT64_MAX/'
mutant "C5: takes the later time, not the larger" 's/if \(now.ticks > t->last\)/if (1)/'
mutant "C5: does not settle" 's/    if \(!last.ticks\)/    if (1)/'
mutant "C5: settles on its own clock only" \
    's/code = ordo_stamp_later_before\(&t->oplog->stamp, last, &now\);/do\n        now = ordo_stamp_now(\&t->oplog->stamp);\n    while (now.ticks <= last.ticks);\n    code = ORDO_OK;/'
mutant "C5: settles by a clock that is read on the wrong side" \
    's/code = ordo_stamp_later_before\(&t->oplog->stamp, last, &now\);/do\n        now = ordo_stamp_take_after(\&t->oplog->stamp);\n    while (!ordo_stamp_after(\&t->oplog->stamp, now, last));\n    code = ORDO_OK;/'
mutant "C5: takes its time on the wrong side" 's/ordo_stamp_take_after\(&t->oplog->stamp\)/ordo_stamp_now_before(\&t->oplog->stamp)/'
mutant "C6: takes any time" 's/int code = ordo_stamp_commit\(&t->oplog->stamp, last, &now\);/int code = ORDO_OK;\n        now = ordo_stamp_take(\&t->oplog->stamp);/'
mutant "C6: does not leave its time with the object" \
    's/while \(!__atomic_compare_exchange_n\(&object->last[^;]*;/while (0);/'
mutant "C7: has room for one too many" 's/(__atomic_load_n\(&t->head, __ATOMIC_ACQUIRE\) \+ t->mask) \+ 1/\1 + 2/; s/if \(t->room - t->count >= n\)/if ((int64_t)(t->room - t->count) >= (int64_t)n)/'
mutant "C7: frees entries before they are applied" \
    's/(uint64_t at = __atomic_load_n\(&r->head, __ATOMIC_RELAXED\), start = at;[^\n]*\n)/\1    __atomic_store_n(\&r->head, limit, __ATOMIC_RELEASE);\n/'
mutant "C8: reads the list before it advances the number" \
    's/(    uint64_t next;\n    if \(!ordo_oplog_pending\(oplog\)\)\n)/    const struct ordo_cc_thread *early = ordo_cc_threads_scan(\&oplog->threads);\n\1/; s/for \(common = ordo_cc_threads_scan\(&oplog->threads\);/for (common = early;/'
mutant "what is pending on a forgotten object is not dropped" 's/    object->forgotten = 1;\n    ordo_oplog_take[^\n]*\n/    object->forgotten = 1;\n/'

build "$source/include" "$scratch/whole" && "$scratch/whole" 2000 || failures=$((failures + 1))
exit $((failures > 0))
