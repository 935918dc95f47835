#!/bin/bash
# mutants.sh SOURCE COMPILER [FOLDER [ARGUMENT]]: the conditions of RLU, taken out one at a time: the model in that folder
# (tests/model/rlu) must find each missing, but for those that its file `beyond` names.
set -u
source=$1 compiler=$2 engine=rlu folder=$1/${3:-tests/model/rlu} argument=${4:-} flags=
. "$1/tests/model/rlu/kit.sh"

mutant "C2: looks at the mark before it announces" \
    's/    ordo_rlu_announce\(t, t->run \+ 1\);\n([^;]*)\n    if \(__builtin_expect\(__atomic_load_n\(&t->mark, __ATOMIC_SEQ_CST\) != 0, 0\)\)/    uint64_t early = __atomic_load_n(\&t->mark, __ATOMIC_SEQ_CST);\n    ordo_rlu_announce(t, t->run + 1);\n    if (early)/'
mutant "C2: samples before it marks" \
    's/(        ordo_rlu_mark\(r, w.ticks\);\n)([^;]*run = __atomic_load_n\(&r->run, __ATOMIC_SEQ_CST\);\n)/\2\1/'
mutant "C2: does not mark" 's/        ordo_rlu_mark\(r, w.ticks\);\n//'
mutant "C2: does not mark itself" 's/    if \(!alone\)\n *ordo_rlu_mark[^\n]*\n//'
mutant "C2: marks do not add up" 's/if \(old >> 1 >= ticks\)/if (0)/'
mutant "C4: stamps before it announces" \
    's/(    w = )ordo_rlu_stamp\(log, [^\n]*;/    __atomic_store_n(\&log->word, w.ticks, __ATOMIC_RELEASE);/; s/(    \/\* C4. An exchange[^\n]*\n)    \(void\)__atomic_exchange_n\(&log->word, ORDO_RLU_ANNOUNCED, __ATOMIC_SEQ_CST\);/    w = ordo_stamp_now(\&t->rlu->stamp);/'
mutant "C4: a helper does not wait for a time" 's/        w = ordo_rlu_stamp\(log, ordo_stamp_take_after\(&t->rlu->stamp\)\);/        w.ticks = UINT64_MAX;/'
# The time is stored without a step, as into a store buffer: what the section loads need not wait for it.
mutant "C2: reads the clock on the wrong side" \
    's/now = ordo_stamp_now_before\(stamp\)/now = ordo_stamp_take_after((struct ordo_stamp *)stamp)/g; s/__atomic_store_n\(&t->time, now.ticks, __ATOMIC_RELEASE\);/t->time = now.ticks;/'
mutant "C4: reads the clock on the wrong side" 's/ordo_stamp_take_after_exchange\(&t->rlu->stamp\)/ordo_stamp_now_before(\&t->rlu->stamp)/'
mutant "C4: a helper reads the clock on the wrong side" 's/ordo_stamp_take_after\(&t->rlu->stamp\)/ordo_stamp_now_before(\&t->rlu->stamp)/'
mutant "C5: does not wait for sections" 's/        if \(run & 1\)\n *ordo_rlu_wait_reader[^\n]*\n//'
mutant "C5: does not wait for the boundary" 's/    if \(!ordo_stamp_after\(stamp, now, w\)\) \{/    if (0) {/'
mutant "C5: waits until W only" \
    's/while \(!ordo_stamp_after\(stamp, now, w\)\)/while (now.ticks <= w.ticks)/; s/if \(!ordo_stamp_after\(stamp, now, w\)\)/if (now.ticks <= w.ticks)/'
mutant "C5: who joins does not wait" 's/    ordo_rlu_mark\(t, now.ticks[^\n]*\n/    (void)now;\n/'
mutant "C5: who joins waits for his own time only" 's/now.ticks \+ ordo_stamp_boundary\(&rlu->stamp\)/now.ticks/'
mutant "C5: who joins reads the clock first" \
    's/    struct ordo_rlu_thread \*t = ordo_rlu_thread_reuse\(rlu\);\n    ordo_time now;/    ordo_time now = ordo_stamp_now(\&rlu->stamp);\n    struct ordo_rlu_thread *t = ordo_rlu_thread_reuse(rlu);/; s/    now = ordo_stamp_take\(&rlu->stamp\);[^\n]*\n//'
mutant "C6: steals what is uncertain" \
    's/if \(!ordo_stamp_after\(&t->rlu->stamp, section, w\)\)/if (section.ticks <= w.ticks)/'
mutant "C6: does not wait for a section that is uncertain" \
    's/ordo_stamp_after\(&t->rlu->stamp, reader, w\)/reader.ticks > w.ticks/g'
mutant "C6: never steals" 's/if \(!ordo_stamp_after\(&t->rlu->stamp, section, w\)\)/if (1)/'
mutant "C8: takes the later time, not the larger" 's/if \(now.ticks > t->time\)/if (1)/'
mutant "C10: one generation" 's/&t->logs\[log == &t->logs\[0\]\]/log/'
mutant "C10: an abort gives its log back" 's/(    t->writing = 0;\n    t->due = t->group_bytes)/    ordo_rlu_log_cut(t->log, t->start);\n\1/' 170001
# (That others are asked before what was undone is overwritten shows in none of 300,000 schedules: tests/unit/rlu.c.)
mutant "C10: a link that is locked shows what its owner has pending" 's/copy->master = old \? old->master : word/copy->master = copy->to/'

whole
