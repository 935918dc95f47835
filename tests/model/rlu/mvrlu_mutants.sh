#!/bin/bash
# mvrlu_mutants.sh SOURCE COMPILER [ARGUMENT]: the conditions of MV-RLU, taken out one at a time: the model must find each
# missing.
set -u
source=$1 compiler=$2 engine=mvrlu folder=$1/tests/model/rlu argument=${3:-}
flags="-DTESTS_MVRLU -DORDO_MVRLU_CHUNK_BYTES=(size_t)320 -DORDO_MVRLU_SOON=0" # so that logs are soon used again
. "$1/tests/model/rlu/kit.sh"

# Those with a seed are found once in some 300,000 to 800,000 schedules: a change of the steps takes another seed.
mutant "C2: sees what is uncertain" \
    's/ordo_stamp_after\(&t->domain->stamp, section, ordo_mvrlu_time\(t, word\)\)/section.ticks > ordo_mvrlu_time(t, word).ticks/'
mutant "C2: never sees a version" 's/ordo_stamp_after\(&t->domain->stamp, section, ordo_mvrlu_time\(t, word\)\)/0/'
mutant "C2: replaces what it does not see" \
    's/    if \(ordo_stamp_after\(&t->domain->stamp, section, w\)\) \/\* C2 newest \*\//    if (w.ticks < ORDO_STAMP_LIMIT)/'
mutant "C3: takes its time before it announces" \
    's/(    \/\* C3 announce[^;]*;\n)(.*)(    time = time > t->time \? time : t->time; \/\* C6 \*\/\n)/\2\1\3/'
mutant "C4: takes its time before it announces" \
    's/(    \/\* C4 announce. As above)/    ordo_time w = ordo_mvrlu_take_by_floor(t);\n\1/; s/    return ordo_mvrlu_take_by_floor\(t\);\n/    return w;\n/'
mutant "C4: with its own clock it takes its time before it announces" \
    's/    uint64_t \*word = &t->commit->word;\n/    uint64_t *word = \&t->commit->word;\n    ordo_time w = ordo_stamp_now(\&t->domain->stamp);\n/; s/        return ordo_stamp_take_after_exchange\(&t->domain->stamp\);/        return w;/'
mutant "C4: takes what its clock shows" 's/            w.ticks = floor - boundary; \/\* C4 take \*\//            (void)0;/'
mutant "C4: goes by what the floor was when its section began" \
    's/        w = shown;\n        if \(floor > boundary && floor - boundary > w.ticks\)\n            w.ticks = floor - boundary;/        w = shown;\n        if (t->time > boundary \&\& t->time - boundary > w.ticks)\n            w.ticks = t->time - boundary;/; s/(w.ticks \+ boundary \+ 1)(, 0, __ATOMIC_SEQ_CST)/\1 > floor ? \1 : floor\2/'
mutant "C4: a helper does not wait for a time" 's/        w = ordo_mvrlu_stamp\(commit, ordo_mvrlu_take_for_another\(t\)\);/        w.ticks = UINT64_MAX;/'
mutant "C4: a helper takes what its clock shows" 's/ordo_mvrlu_stamp\(commit, ordo_mvrlu_take_for_another\(t\)\)/ordo_mvrlu_stamp(commit, ordo_mvrlu_clock(\&t->domain->stamp))/'
mutant "C4: with its own clock a helper reads it on the wrong side" 's/ordo_stamp_take_after\(&t->domain->stamp\) : /ordo_stamp_now_before(\&t->domain->stamp) : /'
mutant "C5: reads its own clock on the wrong side when it settles" \
    's/\(void\)ordo_stamp_settle\(&t->domain->stamp, w\);/{\n            ordo_time now, then = ordo_time_add(w, ordo_stamp_boundary(\&t->domain->stamp));\n            do\n                now = ordo_stamp_take_after(\&t->domain->stamp);\n            while (!ordo_stamp_after(\&t->domain->stamp, now, then));\n        }/'
mutant "C5: raises the floor as high as its time" 's/w.ticks \+ boundary \+ 1, 0/w.ticks + boundary, 0/'
mutant "C5: raises no floor" 's/w.ticks \+ boundary \+ 1, 0/floor, 0/'
mutant "C5: lowers the floor" 's/(w.ticks \+ boundary \+ 1)(, 0)/shown.ticks + boundary + 1\2/'
mutant "C5: waits for its own clock only" 's/\(void\)ordo_stamp_settle\(&t->domain->stamp, w\);/(void)ordo_stamp_wait(\&t->domain->stamp, w, \&w);/'
mutant "C6: takes the later time, not the larger" 's/time > t->time \? time : t->time/time/'
mutant "C7: does not look at sections" 's/if \(!\(__atomic_load_n\(&r->run, __ATOMIC_SEQ_CST\) & 1\)\)/if (1)/'
# (That the floor is read before the sections shows in no schedule: a thread settles what is its own, and the floor was above
# that before it looks; and what replaced it is kept by C9.)
# (That the horizon of sections with their own clock is the clock less B shows in none of 100,000 schedules: the commits that
# are near have waited for 2B before anybody collects them, but for one's own of this moment.)
mutant "C8: writes back what is uncertain" 's/!ordo_stamp_after\(&t->domain->stamp, horizon, w\)/horizon.ticks <= w.ticks/'
mutant "C8: writes back at once" 's/ \|\| !ordo_stamp_after\(&t->domain->stamp, horizon, w\)/ || w.ticks >= ORDO_STAMP_LIMIT/'
# (With the floor that follows from C9, since whoever knows the time above takes a later one; a clock of one's own may be behind.)
mutant "C8: keeps what was replaced no longer" 's/        return ordo_stamp_after\(&t->domain->stamp, horizon, above\);/        return 1;/' 198001
mutant "C8: takes what is locked for replaced" 's/(    if \(above.ticks\)\n)/    if (__atomic_load_n(\&version->object->copy, __ATOMIC_RELAXED) != ordo_mvrlu_shown(version))\n        return 1;\n\1/'
mutant "C8: collects outside its section" \
    's/    if \(t->run >= t->collect_due\)\n        ordo_mvrlu_collect_in\(t\);[^\n]*\n//; s/(    ordo_mvrlu_end\(t\);\n)(    if \(w.ticks\))/\1    if (t->run >= t->collect_due)\n        ordo_mvrlu_collect_in(t);\n\2/'
mutant "C8: commits when its section has ended" \
    's/        w = ordo_mvrlu_publish\(t\); \/\* C8 tell[^\n]*\n/        ordo_mvrlu_end(t);\n        w = ordo_mvrlu_publish(t);\n        (void)ordo_mvrlu_begin(t, t->own_clock);\n/'
mutant "C9: uses memory again at once" 's/if \(!ordo_stamp_after\(&t->domain->stamp, horizon, t->unlinked\)\)/if (0)/'
mutant "C9: counts from the horizon" 's/    t->unlinked.ticks = ORDO_MVRLU_OPEN;/    t->unlinked = horizon;/'
mutant "C9: takes what is uncertain for later" 's/!ordo_stamp_after\(&t->domain->stamp, horizon, t->unlinked\)/horizon.ticks <= t->unlinked.ticks/'
mutant "C9: frees an object when it is settled" 's/ordo_mvrlu_leave\(t, version\);/ordo_mvrlu_release(t->domain, version->object);/' 361001
mutant "C9: takes for empty what is settled" 's/(        t->settled = at;\n    \})/\1\n    if (t->settled.chunk == t->current \&\& t->settled.used == t->current->used) {\n        t->oldest = t->settled;\n        t->current->used = t->oldest.used = t->settled.used = sizeof(struct ordo_rlu_chunk);\n    }/'
mutant "C9: settles and reclaims in one step" 's/(void ordo_mvrlu_reclaim\([^\n]*\n\{\n)/\1    ordo_mvrlu_settle_all(t, ordo_mvrlu_horizon(t->domain));\n/; s/(\/\* Frees the objects that left, and)/static inline void ordo_mvrlu_settle_all(struct ordo_mvrlu_thread *t, ordo_time horizon);\n\1/'
mutant "C8: tells nobody below" 's/    if \(!t->replaces\)\n        return;/    return;/'
mutant "C9: does not say what time it is when its commit goes" 's/            ordo_mvrlu_tell\(t, commit\);\n//'
mutant "C9: tells what follows the commit, too" 's/ && entry->kind != ORDO_MVRLU_COMMIT\)/)/'
mutant "C9: tells the first that is left alone" 's/    while \(commit && \(entry = ordo_mvrlu_log_step/    if (commit \&\& (entry = ordo_mvrlu_log_step/'
mutant "C9: tells what was undone" 's/        if \(ordo_mvrlu_is_version\(entry\)\)\n            \/\* C9 tell/        if (1)\n            \/* C9 tell/'
mutant "C9: an abort gives its log back" 's/(    t->commit->kind = ORDO_MVRLU_NOTHING;\n)/\1    t->current = t->start.chunk;\n    t->current->used = t->start.used;\n/'
mutant "C11: a section writes to the version of an earlier one" 's/        return ordo_mvrlu_is_of_section\(t, version \+ 1\);/        return 1;/'
mutant "C11: a thread does not see what it has pending" 's/    return t->commit && ordo_mvrlu_commit_of\(word\) == t->commit;/    return t->writing \&\& ordo_mvrlu_commit_of(word) == t->commit;/'
mutant "C11: what was undone takes the commit with it" 's/    if \(t->pending > 0\)\n        return;[^\n]*\n//'
mutant "C11: the last section alone tells those below" 's/(void ordo_mvrlu_tell_below[^\n]*\n\{\n    struct ordo_rlu_position at = )t->first/\1t->start/'
mutant "C11: flushes outside a section" \
    's/    \(void\)ordo_mvrlu_begin\(t, t->own_clock\); \/\* C8 tell[^\n]*\n(    w = ordo_mvrlu_publish\(t\);\n)    ordo_mvrlu_end\(t\);\n[^\n]*\n/\1/' 431001
# (That a thread which is asked flushes shows in no schedule, since who asks gives up: tests/unit/mvrlu.c.)

whole
