#!/bin/bash
# mutants.sh SOURCE COMPILER: the conditions of merge.h, taken out one at a time: the model must find each missing.
set -u
source=$1 compiler=$2
command -v "$compiler" >/dev/null || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
cp -r "$source/include" "$scratch/include"

build() { # HEADERS PROGRAM
    "$compiler" -std=gnu11 -D_GNU_SOURCE -O0 -w -I"$1" -I"$source/tests/model/machine" \
        -DORDO_CLOCK_HEADER='"model_clock.h"' "$source/tests/model/merge/merge.c" -o "$2"
}

# found WHAT ARGUMENTS...: the program says what is violated. A crash shows nothing of the condition.
found() {
    local what=$1 code
    shift
    timeout 1000 prlimit --cpu=100 "$scratch/program" "$@" >"$scratch/out" 2>&1
    code=$?
    echo "$what: $code, $(tail -n 1 "$scratch/out")"
    [ $code -eq 1 ] && grep -q '^seed [0-9]*: ' "$scratch/out" || { echo "$what: is not found"; failures=$((failures + 1)); }
}

# mutant WHAT HEADER SED: the header edited, which must change it, must be found wrong.
mutant() {
    sed -E -z "$3" "$source/include/ordo/$2" >"$scratch/include/ordo/$2"
    if cmp -s "$source/include/ordo/$2" "$scratch/include/ordo/$2"; then
        echo "$1: what it takes out is not where it was looked for"
        failures=$((failures + 1))
    elif ! build "$scratch/include" "$scratch/program"; then
        echo "$1: does not compile"
        failures=$((failures + 1))
    else
        found "$1" 2000000
    fi
    cp "$source/include/ordo/$2" "$scratch/include/ordo/$2"
}

build "$source/include" "$scratch/program" || exit 1
"$scratch/program" 100000 || { echo "unchanged, it fails"; exit 1; }
found "C1: a skew one tick above the boundary" 10000000 1 21

mutant "M1: an event's key is not its time" merge.h 's/define ORDO_MERGE_KEY_EVENT\(ticks\) \(\(\(ticks\) \+ 1\) << 1\)/define ORDO_MERGE_KEY_EVENT(ticks) ((((ticks) | 7) + 1) << 1)/'
mutant "M2: times go back" merge/ring.h 's/slot->time.ticks = p->last_ticks;/slot->time.ticks = t.ticks;/'
mutant "M2: progress does not count" merge/ring.h 's/    p->last_ticks = t.ticks; [^\n]*\n//'
mutant "M3: progress is loaded after the events" merge.h \
    's/(    uint64_t progress = )(__atomic_load_n[^;]*;)\n(.*)(    s->tail = __atomic_load_n[^;]*;\n)/    uint64_t progress;\n\3\4    progress = \2\n/'
mutant "M3: the state is loaded after the events" merge.h \
    's/(    uint32_t state = )(__atomic_load_n[^;]*;)\n(.*)(    s->tail = __atomic_load_n[^;]*;\n)/    uint32_t state;\n\3\4    state = \2\n/'
mutant "M3: idle before its event" merge/ring.h \
    's/    if \(now.ticks < ORDO_MERGE_TIMES\)\n *ordo_merge_put\(p, now, data\);\n/    __atomic_store_n(\&p->state, (uint32_t)ORDO_MERGE_IDLE, __ATOMIC_RELEASE);\n    ordo_merge_put(p, now, data);\n/'
mutant "M4: the clock is read after the look" merge.h \
    's/    if \(m->clock && !m->looked\) \{.*\n    \}\n(    code = ordo_merge_turn\(m, k, &key\);\n)/\1/; s/    if \(s->tail != s->head\)\n        return ordo_merge_open\(m, s, key\);\n/&    if (!m->looked) {\n        m->now_ticks = ordo_get_time(m->clock).ticks;\n        m->looked = 1;\n    }\n/'
mutant "M4: reads the clock on the wrong side" merge.h 's/ordo_get_time_before\(m->clock\)/ordo_get_time_after_full(m->clock)/'
mutant "M4: without the boundary" merge.h 's/m->behind_ticks = boundary \+ options->slack_ticks;/m->behind_ticks = options->slack_ticks;/'
mutant "M4: one tick less than the boundary" merge.h 's/m->behind_ticks = boundary \+ options->slack_ticks;/m->behind_ticks = boundary - 1 + options->slack_ticks;/'
mutant "M4: without the slack" merge.h 's/m->behind_ticks = boundary \+ options->slack_ticks;/m->behind_ticks = boundary;/'
mutant "M4: without the flush delay" merge.h 's/state == ORDO_MERGE_IDLE \? 0 : s->flush_ticks/state == ORDO_MERGE_IDLE || s->flush_ticks != UINT64_MAX ? 0 : s->flush_ticks/'
mutant "M5: does not announce" merge/ring.h 's/    __atomic_store_n\(&p->state, \(uint32_t\)ORDO_MERGE_ANNOUNCED, __ATOMIC_RELAXED\);\n//'
mutant "M5: announces after it read the clock" merge/ring.h \
    's/(    __atomic_store_n\(&p->state, \(uint32_t\)ORDO_MERGE_ANNOUNCED, __ATOMIC_RELAXED\);\n)(    now = ordo_get_time_after_full\(o\);[^\n]*\n)/\2\1/'
mutant "M5: reads the clock on the wrong side" merge/ring.h 's/ordo_get_time_after_full\(o\)/ordo_get_time_before(o)/'
mutant "M5: does not wait for its announcement" merge/ring.h 's/ordo_get_time_after_full\(o\)/ordo_get_time_after(o)/'
mutant "M5: an announced producer counts as idle" merge.h 's/state == ORDO_MERGE_IDLE \? 0/state != ORDO_MERGE_SILENT ? 0/'
mutant "M6: what waits for a bound leaves" merge.h 's/            if \(code == ORDO_LATER\)\n *break;/            if (code == ORDO_LATER) {\n                tree.keys[k] = ORDO_MERGE_KEY_BOUND(ORDO_MERGE_TIMES);\n                ordo_merge_tree_replay(\&tree, k);\n                if (tree.keys[tree.losers[0]] \& 1)\n                    break;\n                code = ORDO_OK;\n            }/'
mutant "M7: certain without the boundary" merge.h 's/ticks - place->before_ticks > m->uncertain_ticks/ticks > place->before_ticks/'
mutant "M7: certain one tick too early" merge.h 's/ticks - place->before_ticks > m->uncertain_ticks/ticks - place->before_ticks >= m->uncertain_ticks/'
mutant "M7: certain with the slack of one side" merge.h 's/boundary \+ 2 \* options->slack_ticks/boundary + options->slack_ticks/'
mutant "M8: a slot is written again before it was read" merge/ring.h 's/p->tail - p->head_seen <= p->mask/p->tail - p->head_seen <= p->mask + 1/g'
mutant "M8: a slot is given back before it was read" merge.h 's/&s->producer->head, s->head, __ATOMIC_RELEASE/\&s->producer->head, s->head + (s->head < s->tail), __ATOMIC_RELEASE/'
mutant "M8: counted before it is written" merge/ring.h \
    's/(    slot->data = data;\n)(.*\n)(    __atomic_store_n\(&p->tail, p->tail \+ 1, __ATOMIC_RELEASE\);\n)/\3    (void)__atomic_load_n(\&p->tail, 0);\n\1/'
mutant "M9: late and not flagged" merge.h 's/        flags = ORDO_MERGE_LATE;\n//'
mutant "M9: dropped and not counted" merge.h 's/    place->dropped \+= \(uint64_t\)m->drops;\n//'
mutant "the tree: who loses the last game wins" merge/tree.h 's/winner \^= \(winner \^ other\) & \(uint32_t\)beaten;/winner ^= (winner ^ other) \& (uint32_t)beaten \& (0 - (uint32_t)(node > 3));/'
exit $((failures > 0))
