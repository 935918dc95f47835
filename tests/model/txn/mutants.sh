#!/bin/bash
# mutants.sh SOURCE COMPILER [SCHEDULES]: hekaton's conditions, taken out one at a time: the model must find each missing.
set -u
source=$1 compiler=$2 schedules=${3:-20000}
command -v "$compiler" >/dev/null || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
mkdir -p "$scratch/cc"
cp -r "$source/lib/cc/." "$scratch/cc" # before the project's own on the way

build() { # PROGRAM
    "$compiler" -std=gnu11 -D_GNU_SOURCE -O0 -w -I"$scratch" -I"$source/lib" -I"$source/include" -I"$source/tests/model/txn" \
        -DORDO_CLOCK_HEADER='"model_clock.h"' "$source/tests/model/txn/txn.c" "$source/lib/cc/txn/registry.c" \
        "$source/lib/base/error.c" "$source/lib/base/coroutine.c" -o "$1"
}

# mutant WHAT FILE SED [SEED]: the file edited, which must change it, must be found wrong: by what the model says is violated.
# Where that is rare, the edit also makes time pass in between, or it is looked for from SEED on.
mutant() {
    local file=cc/txn/$2
    sed -E -z "$3" "$source/lib/$file" >"$scratch/$file"
    if cmp -s "$source/lib/$file" "$scratch/$file"; then
        echo "$1: what it takes out is not where it was looked for"
        failures=$((failures + 1))
    elif ! build "$scratch/mutant"; then
        echo "$1: does not compile"
        failures=$((failures + 1))
    else
        timeout 1000 prlimit --cpu=100 "$scratch/mutant" "$schedules" "${4:-1}" >"$scratch/out" 2>&1
        code=$?
        echo "$1: $code, $(head -n 1 "$scratch/out")"
        [ $code -eq 1 ] && grep -q '^seed [0-9]*: ' "$scratch/out" || { echo "$1: is not found"; failures=$((failures + 1)); }
    fi
    cp "$source/lib/$file" "$scratch/$file"
}

# slowly WHAT FILE SED [SEED]: the same with readers that take long from one version to the next.
slowly() {
    sed -E -z 's/(hk_older\(struct hk_version \*version\)\n\{\n)/\1    for (int i = 0; i < 100; i++)\n        model_step();\n/' \
        "$source/lib/cc/txn/hekaton/chain.h" >"$scratch/cc/txn/hekaton/chain.h"
    mutant "$@"
    cp "$source/lib/cc/txn/hekaton/chain.h" "$scratch/cc/txn/hekaton/chain.h"
}

mutant "C2: who reads what is newest takes a time that it has not read yet" core/times.h \
    's/now = (ordo_stamp_relaxed\(&worker->base.db->stamp\));/now = ordo_time_add(\1, 4 * ordo_stamp_boundary(\&worker->base.db->stamp));/'
mutant "C4: takes its end before it announces" hekaton/end.h \
    's/(    hk_set_state\(worker, HK_PREPARING\);[^\n]*\n)(    \*end = [^\n]*\n)/\2\1/'
mutant "C5: nobody waits" hekaton/end.h 's/bool waits = /bool waits = false \&\& /' 1101
mutant "C5: waits until its own clock has passed the end" hekaton/end.h \
    's/return waits \? hk_pass\(worker, \*end\)/return 0 ? hk_pass(worker, *end)/'
mutant "C5 look: looks before it has its end" hekaton/end.h \
    's/(    hk_set_state\(worker, HK_PREPARING\);[^\n]*\n)(.*)(    bool waits = [^\n]*\n)/\3    for (int i = 0; i < 60; i++)\n        (void)ordo_stamp_now(\&db->stamp);\n\1\2/'
mutant "C5 come: a snapshot does not say that it comes" hekaton/snapshots.h 's/hk_enter_era\(worker, era\);/txn->era = era;/; s/ \|\| \(hk_waits\(db\) && !\(era & 1\)\)//'
mutant "C5 come: begins certainly after now" hekaton/snapshots.h \
    's/ordo_stamp_now\(&db->stamp\).ticks \+ ordo_stamp_boundary\(&db->stamp\)/ordo_stamp_now(\&db->stamp).ticks/'
mutant "C5 come: begins at once" hekaton/snapshots.h 's/(era_begin = )ordo_stamp_now[^;]*;/\10;/'
mutant "C5 come: trusts the time of an era that is over" hekaton/snapshots.h \
    's/if \(era != txn->era \|\| \(hk_waits\(db\) && !\(era & 1\)\)\)/if (hk_waits(db) \&\& !txn->era)/'
mutant "C5 come: does not look again when it has begun" hekaton/snapshots.h 's/(least, hk_time\(txn->era_begin\)\), begin\)\)\n            return ORDO_E_DISRUPTED;)/\1\n        return ORDO_OK;/' 1201
mutant "C5 come: who moves its begin keeps to the era of the first" hekaton/validate.h 's/    \*later = t;\n[^\n]*\n/    return ordo_stamp_later(\&worker->base.db->stamp, t, later);\n/' 2301
mutant "C5 go: the same era begins again" hekaton/snapshots.h 's/&era, era \+ 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED/\&era, era - 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED/' 7501
mutant "C6: a snapshot takes what is uncertain" hekaton/chain.h \
    's/if \(ordo_stamp_after\(&db->stamp, now, hk_time\(begin\)\)\)/if (now.ticks > begin)/'
mutant "inline: copies beside a claim" hekaton/inline.h \
    's/    if \(__atomic_load_n\(&anchor->writer, __ATOMIC_ACQUIRE\)\)\n        return false;\n//'
mutant "inline: looks at nothing again" hekaton/inline.h 's/!= begin.ticks\)/== 0)/; s/return hk_head\(anchor\) == \*version;/return true;/'
mutant "inline: takes a time beside a claim" hekaton/inline.h \
    's/if \((__atomic_load_n\(&anchor->writer, __ATOMIC_ACQUIRE\))\)/if (record \&\& \1)/'
mutant "inline: takes a time and looks at nothing again" hekaton/inline.h \
    's/(!= begin.ticks)\)/\1 \&\& record)/; s/return hk_head\(anchor\) == \*version;/return !record || hk_head(anchor) == *version;/'
mutant "inline: drops its claim before the copy" hekaton/end.h \
    's/(        hk_inline\([^\n]*\n)([^\n]*\n[^\n]*\n)(        hk_unclaim\(write->anchor\);\n)/\2\3\1/'
mutant "C10: frees what is named" hekaton/hazards.h 's/!hk_is_unnamed\(candidates, retired.item\)/!hk_candidate(candidates, retired.item)/'
mutant "C10: frees beside those that read by time" hekaton/hazards.h \
    's/until = hk_ended_until\(queue, view.unnamed\)/until = queue->tail/'
slowly "prune, P1: cuts what other transactions may come to" hekaton/prune.h \
    's/others = time < others && !cc_names\(db, active\) \? time : others;/(void)0;/'
mutant "prune, P1: cuts what a snapshot needs" hekaton/prune.h \
    's/if \(end >= round->others \|\| hk_needed\(db, round, begin, end\)\)/if (end >= round->others)/; s/ &&\n        !hk_needed\(worker->base.db, round, retired->begin, retired->end\)\)/)/'
mutant "prune, P3: does not announce its round" hekaton/prune.h \
    's/(&worker->active, )CC_PRUNES/\1CC_IDLE/; s/(        uint64_t begin = hk_begin_of\(version\);\n)(        if \(end >= round->others)/        for (int i = 0; i < 400; i++)\n            model_step();\n\1\2/'
slowly "prune, P6: gives what was cut the number of an earlier round" hekaton/prune.h 's/(__ATOMIC_RELEASE\)) \+ 1;/\1;/'
slowly "prune, P7: frees beside a walk" hekaton/prune.h 's/ \|\| round->walk < retired->begin//'
mutant "argument 2: who wrote does not validate" hekaton/end.h 's/worker->level == ORDO_TXN_SERIALIZABLE && !hk_validate\(worker\)/0/'

build "$scratch/whole" && "$scratch/whole" 1000 || failures=$((failures + 1))
exit $((failures > 0))
