#!/bin/bash
# invariants.sh SOURCE COMPILER: tests the checks of ORDO_DEBUG (ordo/cc/domain/invariant.h) that no wrong value in memory can
# break, but only a wrong program. Each test changes the engine; its model must then end by abort(), with the line that names the
# condition. tests/unit/invariant.c tests the other checks.
set -u
source=$1 compiler=$2
command -v "$compiler" >/dev/null || { echo "$compiler is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
cp -r "$source/include" "$scratch/include"

# edit ENGINE SED: copies the headers of an engine anew to $scratch/include, and edits the copies. False if SED changes none.
edit() {
    local headers=$source/include/ordo/cc copy=$scratch/include/ordo/cc file changed=
    while read -r file; do
        sed -E -z "$2" "$headers/$file" >"$copy/$file"
        cmp -s "$headers/$file" "$copy/$file" || changed=yes
    done < <(cd "$headers" && find . \( -path "./$1.h" -o -path "./$1/*.h" -o -path './domain/*.h' \))
    [ -n "$changed" ]
}

# build ENGINE: builds the engine's model with the changed headers, as $scratch/mutant
build() {
    local folder=$1 flags=()
    [ "$1" != mvrlu ] || { folder=rlu && flags=(-DTESTS_MVRLU '-DORDO_MVRLU_CHUNK_BYTES=(size_t)320' -DORDO_MVRLU_SOON=0); }
    "$compiler" -std=gnu11 -D_GNU_SOURCE -O1 -w -DORDO_DEBUG=1 -I"$scratch/include" -I"$source/tests/model/machine" -I"$source/tests" \
        -I"$source/lib" "${flags[@]}" -DORDO_CLOCK_HEADER='"model_clock.h"' "$source/tests/model/$folder/$folder.c" \
        "$source/lib/base/coroutine.c" -o "$scratch/mutant"
}

# breaks LINE SED: LINE begins with an engine. Its model must print LINE after SED has changed the engine.
breaks() {
    local engine=${1%% *} code
    if ! edit "$engine" "$2"; then
        echo "$1: the line that it changes is in no header"
    elif ! build "$engine"; then
        echo "$1: does not compile"
    else
        { (ulimit -c 0 && timeout 300 prlimit --cpu=60 "$scratch/mutant" 100000 >"$scratch/out" 2>&1); } 2>/dev/null
        code=$?
        [ $code -ne 134 ] || code="by abort()"
        grep -qF "ordo: ${1/]/] broken:}: " "$scratch/out" && [ "$code" = "by abort()" ] && echo "$1: found" && return
        echo "$1: is not found; ended $code with $(tail -n 1 "$scratch/out")"
    fi
    failures=$((failures + 1))
}

breaks "rlu [C8] L is at least the section's time" 's/    if \(now.ticks > t->time\) \/\* C8 \*\//    if (0)/'
breaks "rlu [C5] a section is after the mark that it took in" 's/    if \(!ordo_stamp_after\(stamp, now, w\)\) \{/    if (0) {/'
breaks "rlu [C4] the first time of a commit counts" \
    's/w = ordo_rlu_stamp\(log, ordo_stamp_take_after_exchange\(&t->rlu->stamp\)\);/w = ordo_stamp_take_after_exchange(\&t->rlu->stamp), (void)ordo_rlu_stamp(log, w);/'
breaks "mvrlu [C4] the first time of a commit counts" 's/w = ordo_mvrlu_stamp\(t->commit, offered\);/w = (ordo_mvrlu_stamp(t->commit, offered), offered);/'
breaks "mvrlu [C5] the floor is after every commit that has a time" 's/w.ticks \+ boundary \+ 1, 0/w.ticks + boundary, 0/'
breaks "mvrlu [C6] the L of a thread does not go back" 's/    time = time > t->time \? time : t->time; \/\* C6 \*\/\n//'
breaks "mvrlu [C7] the horizon is not after a section that is left" 's/        if \(time < horizon.ticks\)/        if (time > horizon.ticks)/'
breaks "mvrlu [C10] a log does not outgrow its limit" 's/    if \(filled \+ whole > most\)\n        return 0;/    if (filled + whole > most)\n        return 1;/'
breaks "oplog [C5] an operation has happened when its time is over" \
    's/code = ordo_stamp_later_before\(&t->oplog->stamp, last, &now\);/now = ordo_stamp_now_before(\&t->oplog->stamp), code = ORDO_OK;/'
breaks "oplog [C6] the time of an operation is after the last one of its object" \
    's/int code = ordo_stamp_commit\(&t->oplog->stamp, last, &now\);/int code = (now = ordo_stamp_take(\&t->oplog->stamp), ORDO_OK);/'
breaks "stm [C2] a commit has locked every stripe that it writes" 's/        if \(version == t->mine\)\n/        if (1)\n/'
breaks "stm [C5] a new begin is after the version that was met" \
    's/    if \(ordo_stamp_later_before\(&t->stm->stamp, met, &now\)\)/    if ((now = ordo_stamp_now_before(\&t->stm->stamp), 0))/'
breaks "stm [C7] the versions of a stripe go up" 's/now.ticks > latest \? now.ticks : latest \+ 1;/now.ticks;/'
exit $((failures > 0))
