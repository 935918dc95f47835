#!/bin/bash
# mutants.sh SOURCE COMPILER [PREEMPTIONS]: the conditions of the transaction engines, taken out one at a time: the schedules
# of txn.c must find each missing, but for those that the file `beyond` names. `hazards` is hekaton with -DHAZARDS, and one
# preemption more; `deletions ENGINE` is deletions.c, and two more. 0: only whether each edit changes its file.
set -u
source=$1 compiler=$2 preemptions=${3:-1} folder=$1/tests/proof/schedule
command -v "$compiler" >/dev/null || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

build() { # LIB ENGINE PROGRAM
    local program=txn engine=("-DENGINE=${2^^}")
    case $2 in
    hazards) engine=(-DENGINE=HEKATON -DHAZARDS) ;;
    'deletions '*) program=deletions engine=("-DENGINE=$(tr a-z A-Z <<<"${2#* }")") ;;
    esac
    "$compiler" -std=gnu11 -D_GNU_SOURCE -O2 -w -I"$source/include" -I"$1" -I"$folder" "${engine[@]}" \
        -DORDO_CLOCK_HEADER='"model_clock.h"' "$folder/$program.c" "$source/lib/base/error.c" \
        "$source/lib/base/coroutine.c" -o "$3"
}

# mutant ENGINE WHAT FILE SED: a file of lib/cc/txn, edited, which must change it, must be found wrong: by what the program
# says is violated. A crash shows nothing of the condition.
mutant() {
    local file=cc/txn/$3 code count most=$preemptions
    case $1 in
    hazards) most=$((preemptions + 1)) ;;
    deletions*) most=$((preemptions + 2)) ;;
    esac
    if sed -E -z "$4" "$source/lib/$file" | cmp -s - "$source/lib/$file"; then
        echo "$1, $2: what it takes out is not where it was looked for"
        failures=$((failures + 1))
        return
    fi
    [ "$preemptions" -gt 0 ] || return
    rm -rf "${scratch:?}/lib"
    cp -r "$source/lib" "$scratch/lib"
    sed -E -z "$4" "$source/lib/$file" >"$scratch/lib/$file"
    if grep -qxF "$1, $2" "$folder/beyond"; then
        return # not found so: most of them by tests/proof/searches
    elif ! build "$scratch/lib" "$1" "$scratch/mutant"; then
        echo "$1, $2: does not compile"
        failures=$((failures + 1))
    else
        for ((count = 1; count <= most; count++)); do # most are found with the fewest, which is soonest
            timeout 3000 prlimit --cpu=300 "$scratch/mutant" "$count" >"$scratch/out" 2>&1
            code=$?
            [ $code -eq 1 ] && break
        done
        echo "$1, $2: $code, $(tail -n 1 "$scratch/out")"
        [ $code -eq 1 ] && grep -qE '^schedule [0-9]+: ' "$scratch/out" || { echo "$1, $2: is not found"; failures=$((failures + 1)); }
    fi
}

mutant hekaton "C2: takes its time before it announces itself" core/times.h \
    's/(    __atomic_store_n\(&worker->active, CC_ANNOUNCED \| marks, ORDO_STAMP_ANNOUNCE\);\n)(    now = ordo_stamp_now\(&db->stamp\);\n)/\2\1/'
mutant hekaton "C3: takes an identity for a time" hekaton/chain.h \
    's/if \(!\(\*begin & HK_TAG\)\)/if (1)/'
mutant hekaton "C4: takes its end before it announces" hekaton/end.h \
    's/(    hk_set_state\(worker, HK_PREPARING\); \/\* C4 \*\/\n)(    \*end = ordo_stamp_take\(&db->stamp\);[^\n]*\n)/\2\1/'
mutant hekaton "C5: validates before every clock has passed the end" hekaton/end.h \
    's/return waits \? hk_pass\(worker, \*end\) : ORDO_OK;/return (void)waits, ORDO_OK;/'
mutant hekaton "C5: e is settled for B in place of 2B" hekaton/end.h \
    's/hk_pass\(worker, ordo_time_add\(end, ordo_stamp_boundary\(&db->stamp\)\)\)/hk_pass(worker, end)/'
mutant hekaton "C5: e is not settled" hekaton/end.h \
    's/if \(db->options.external_consistency &&/if (0 \&\&/'
mutant hekaton "C6: a snapshot compares without the boundary" hekaton/chain.h \
    's/if \(ordo_stamp_after\(&db->stamp, now, hk_time\(begin\)\)\) \/\* C6/if (now.ticks > begin) \/* C6/'
mutant hekaton "C7: compares the times of versions" hekaton/validate.h \
    's/\|\| version != txn->reads\[i\].version\)/|| !version || hk_begin_of(version) != hk_begin_of(txn->reads[i].version))/'
mutant hekaton "C8: a begin may be before the last one" hekaton/end.h \
    's/    begin = cc_max\(begin, hk_time\(txn->last_begin\)\); \/\* C8 \*\/\n//'
mutant hekaton "C2: who reads what is newest takes a time that it has not read yet" core/times.h \
    's/now = (ordo_stamp_relaxed\(&worker->base.db->stamp\));/now = ordo_time_add(\1, 4 * ordo_stamp_boundary(\&worker->base.db->stamp));/'
mutant hekaton "C8: a snapshot does not wait for its worker's last end" hekaton/snapshots.h \
    's/cc_max\(least, hk_time\(txn->era_begin\)\)/hk_time(txn->era_begin)/g'
mutant hekaton "C9: does not let time go on" hekaton/validate.h \
    's/    ordo_stamp_move_on\(&worker->base.db->stamp\); \/\* C9 \*\/\n//'
mutant hekaton "C10: frees at once" core/reclaim.h \
    's/if \(retired.end >= worker->horizon\)/if (0)/'
mutant hekaton "argument 1: a snapshot does not wait for PREPARING" hekaton/chain.h \
    's/if \(status == HK_ACTIVE \|\| status == HK_ABORTED\)/if (1)/'
mutant hekaton "argument 2: does not validate" hekaton/end.h \
    's/&& !hk_validate\(worker\)\)\n        return cc_doom/\&\& 0)\n        return cc_doom/'
mutant hekaton "extends blindly" hekaton/validate.h \
    's/if \(!hk_validate\(worker\)\) \/\* by/if (0) \/* by/'
mutant hekaton "drops its claim before it gives the time" hekaton/end.h \
    's/(        __atomic_store_n\(&write->fresh->begin, end, __ATOMIC_RELEASE\);\n)(        hk_unclaim\(write->anchor\);\n)/\2\1/'
mutant hekaton "inline: copies beside a claim" hekaton/inline.h \
    's/    if \(__atomic_load_n\(&anchor->writer, __ATOMIC_ACQUIRE\)\)\n        return false;\n//'
mutant hekaton "inline: looks at nothing again" hekaton/inline.h \
    's/!= begin.ticks\)/== 0)/; s/return hk_head\(anchor\) == \*version;/return true;/'
mutant hekaton "inline: takes a time beside a claim" hekaton/inline.h \
    's/if \((__atomic_load_n\(&anchor->writer, __ATOMIC_ACQUIRE\))\)/if (record \&\& \1)/'
mutant hekaton "inline: takes a time and looks at nothing again" hekaton/inline.h \
    's/(!= begin.ticks)\)/\1 \&\& record)/; s/return hk_head\(anchor\) == \*version;/return !record || hk_head(anchor) == *version;/'
mutant hekaton "inline, C6: compares without the boundary" hekaton/inline.h \
    's/if \(!ordo_stamp_after\(&worker->base.db->stamp, hk_time\(hk_txn\(worker\)->begin\), begin\)\)/if (hk_txn(worker)->begin <= begin.ticks)/'
mutant hekaton "inline: drops its claim before the copy" hekaton/end.h \
    's/(        hk_inline\([^\n]*\n)([^\n]*\n[^\n]*\n)(        hk_unclaim\(write->anchor\);\n)/\2\3\1/'
mutant hazards "C10: a name without a second look" hekaton/chain.h \
    's/    return hk_head\(anchor\) == head;/    return true;/'
mutant hazards "C10: what is below, without a second look at the head" hekaton/chain.h \
    's/ & HK_TAG\) && hk_head\(anchor\) == head;/ \& HK_TAG);/'
mutant hazards "C10: what is below, without a second look at the time" hekaton/chain.h \
    's/return \(hk_begin_of\(head\) & HK_TAG\) && /return /'
mutant hazards "C10: what is below, named after the look at the time" hekaton/chain.h \
    's/(    hk_show_name\(worker, &hk_txn\(worker\)->at\[1\], below\);\n    return )\(hk_begin_of\(head\) & HK_TAG\)/    bool tagged = hk_begin_of(head) \& HK_TAG;\n\1tagged/'
mutant hazards "C10: that nothing is below, without a second look" hekaton/chain.h \
    's/if \(hk_name_below\(/if (!*result || hk_name_below(/'
mutant hazards "C10: a name that would be fenced is left out" hekaton/fence.h \
    's/\(void\)__atomic_exchange_n\(at, version, __ATOMIC_SEQ_CST\);/(void)version;/'
mutant hazards "C10: a record in its anchor, without a name" hekaton/inline.h \
    's/    if \(!hk_name\(worker, anchor, \*version\)\)\n        return false;\n//'
mutant hazards "C10: a version by its anchor, without a name" hekaton/inline.h \
    's/if \((!hk_name\(worker, anchor, \*version\))\)/if (record \&\& \1)/'
mutant hazards "C10: a snapshot looks at a version without a walk" hekaton/read.h \
    's/    hk_walk\(worker\);\n(    int answer = hk_read_anchor)/\1/'
mutant hazards "C10: frees what is named" hekaton/hazards.h \
    's/!hk_is_unnamed\(candidates, retired.item\)/!hk_candidate(candidates, retired.item)/'
mutant hazards "C10: does not look at the reads" hekaton/hazards.h \
    's/for \(size_t i = 0; i < count; i\+\+\)/for (size_t i = count; i < count; i++)/'
mutant hazards "C10: does not look at what is looked at" hekaton/hazards.h \
    's/    hk_mark_named\(candidates, head\);\n    hk_mark_named\(candidates, below\);\n//'
mutant hazards "C10: does not look at what is below" hekaton/hazards.h \
    's/    hk_mark_named\(candidates, below\);\n//'
mutant hazards "C10: frees beside those that read by time" hekaton/hazards.h \
    's/until = hk_ended_until\(queue, view.unnamed\)/until = queue->tail/'
mutant hazards "C10, P8: frees what was cut and is named" hekaton/prune.h \
    's/!hk_is_unnamed\(round->candidates, retired->item\)/!hk_candidate(round->candidates, retired->item)/'
mutant occ "C4: takes its time before it locks" single/commit.h \
    's/    uint64_t value;\n(    sv_txn\(worker\)->locked = sv_lock_all\(worker\);\n)(.*)    int code = sv_commit_value\(worker, &value\);\n(    if \(!code && sv_validate)/    uint64_t value;\n    int code = sv_commit_value(worker, \&value);\n\1\2\3/'
mutant occ "C6: compares without the boundary" single/occ.h \
    's/ordo_stamp_after\(&worker->base.db->stamp, \(ordo_time\)\{sv_txn\(worker\)->start\}, sv_time\(word\)\); \/\* C6/(sv_txn(worker)->start > sv_time(word).ticks); \/* C6/; s/if \(ordo_stamp_after\(&db->stamp, \(ordo_time\)\{txn->start\}, sv_time\(word\)\)\)/if (txn->start > sv_time(word).ticks)/'
mutant occ "C8: a start may be before the last one" single/commit.h \
    's/txn->start = txn->start < start \? start : txn->start;/txn->start = start;/'
mutant occ "does not validate" single/commit.h \
    's/if \(!code && sv_validate\(worker, value\)\)/if (!code)/'
mutant occ "what is locked counts as unchanged" single/whole.h \
    's/return !\(word & SV_LOCK\) \|\| sv_holds_lock\(worker, read->record\);/return true;/'
mutant occ "extends blindly" single/occ.h \
    's/if \(!sv_validate\(worker, 0\)\)/if (0)/'
mutant occ "takes its new start when it has validated" single/occ.h \
    's/(    if \(ordo_stamp_later_before\([^;]*cc_disrupt\(worker\);\n    counts->stamps\+\+;\n    counts->extensions\+\+;\n)(    if \(!sv_validate\(worker, 0\)\)\n        return cc_doom[^\n]*\n)/\2\1/'
mutant occ "does not look again after the copy" single/execute.h \
    's/if \(sv_version\(sv_word\(record\)\) == sv_version\(word\)\)\n/if (1)\n/'
mutant occ "a time that is not after what is overwritten" single/occ.h \
    's/int code = ordo_stamp_issue\(stamp, &worker->stamp, \(ordo_time\)\{latest\}, &now\);/int code = 0; (void)latest; now = ordo_stamp_take(stamp);/'
for engine in silo tictoc; do
    mutant $engine "does not validate" single/commit.h \
        's/if \(!code && sv_validate\(worker, value\)\)/if (!code)/'
done
for engine in silo tictoc; do
    mutant $engine "a reader does not validate" single/commit.h \
        's/else if \(!sv_validate\(worker, value\)\)\n/else if (0)\n/'
done
for engine in silo tictoc; do
    mutant $engine "does not look again after the copy" single/execute.h \
        's/if \(sv_version\(sv_word\(record\)\) == sv_version\(word\)\)\n/if (1)\n/'
done
mutant silo "what is locked counts as unchanged" single/whole.h \
    's/return !\(word & SV_LOCK\) \|\| sv_holds_lock\(worker, read->record\);/return true;/'
mutant "deletions hekaton" "argument 8: does not look whether the anchor has left" hekaton/read.h \
    's/if \(hk_has_left\(anchor\)\) \/\* argument 8/if (0) \/* argument 8/'
mutant "deletions hekaton" "does not validate what was not there" hekaton/validate.h \
    's/if \(!hk_still_missing\(worker, &txn->misses\[i\]\)\)/if (0)/'
mutant "deletions hekaton" "does not validate a range" hekaton/validate.h \
    's/if \(!hk_same_range\(worker, &txn->scans\[i\]\)\)/if (0)/'
mutant "deletions hekaton" "takes out of the index what is there again" hekaton/retire.h \
    's/ \|\| !head->tomb\)/)/'
mutant "deletions hekaton" "takes an anchor out of the index without its claim" hekaton/retire.h \
    's/if \(!hk_try_claim\(worker, anchor\)\)/if (0)/; s/hk_unclaim\(anchor\);//'
mutant "deletions hekaton" "claims an anchor that has left the index" hekaton/write.h \
    's/if \(holder == HK_DEAD && !hk_holds\(worker\)\)/if (holder == HK_DEAD)\n            return ORDO_OK;\n        if (0)/'
mutant "deletions hekaton" "inline: a deletion leaves its time, and forgets those that wait" hekaton/inline.h \
    's/bool tells = !newest->tomb && tombs == 0;/bool tells = true;/'
mutant "deletions hekaton" "C10: takes an anchor out of the index at once" hekaton/end.h \
    's/(        if \(write->old\) \{\n)(.*)(        if \(buried\)\n            cc_retire\(worker, write->table, write->anchor, HK_TOMB, )end\);\n/\30);\n\1\2/'
mutant "deletions hekaton" "C10: frees an anchor at once" hekaton/retire.h \
    's/cc_retire\(worker, table, anchor, HK_ANCHOR, cc_retire_time\(worker\).ticks\);/cc_retire_item(worker, (struct cc_retired){cc_retire_time(worker).ticks, HK_TAG, head, table, HK_VERSION});\n    hk_anchor_free(table, anchor);/'
mutant "deletions hekaton" "C10: frees the anchor of an aborted insert at once" hekaton/end.h \
    's/cc_retire\(worker, write->table, write->anchor, HK_ANCHOR, now\)/hk_anchor_free(write->table, write->anchor)/'
mutant "deletions hekaton" "anchor: its key comes first" hekaton/anchor.h \
    's/(    hk_anchor_fill\(worker, home, head\);\n)(    cc_home_settle\(&table->hash, key\);\n)/\2\1/'
mutant "deletions hekaton" "anchor: a miss is of the key that the anchor has by then" hekaton/read.h \
    's/hk_add_miss\(worker, table, key, \*found\)/hk_add_miss(worker, table, anchor->node.key, *found)/'
for engine in hekaton occ silo tictoc; do
    mutant "deletions $engine" "a home is never vacant again" core/home.h \
        's/    __atomic_store_n\(claim, 0, __ATOMIC_RELEASE\);\n//'
    mutant "deletions $engine" "takes a home that is only left" core/home.h \
        's/(cc_hash_is_at\(home, CC_NO_KEY\)) &&[^;]*;/\1;/'
    mutant "deletions $engine" "does not look again whether the home is vacant" core/home.h \
        's/if \(cc_home_is_vacant\(home, claim\) && !cc_hash_find/if (!cc_hash_find/'
    mutant "deletions $engine" "who takes a home does not look for the key in the chain" core/home.h \
        's/ && !cc_hash_find\(hash, key\)\)/)/'
    mutant "deletions $engine" "takes the home without the lock" core/home.h \
        's/    cc_hash_lock\(bucket\);\n//; s/    cc_hash_unlock\(bucket, cc_hash_first\(bucket\)\);\n//g'
    mutant "deletions $engine" "a removal leaves the key" index.h \
        's/        __atomic_store_n\(&node->key, CC_NO_KEY, __ATOMIC_RELAXED\);\n//'
    mutant "deletions $engine" "who adds to the chain does not look at the home" index.h \
        's/\*found = cc_hash_find\(hash, node->key\);/*found = first; while (found \&\& found->key != node->key) found = found->next;/'
done
for engine in occ silo tictoc; do
    mutant "deletions $engine" "C10: frees a record at once" single/commit.h \
        's/cc_retire\(worker, table, record, 0, cc_retire_time\(worker\).ticks\);/sv_free_item(worker, \&(struct cc_retired){0, 0, record, table, 0});/'
    mutant "deletions $engine" "its key comes first" single/record.h \
        's/(    home->id = sv_unwritten\(table->db\);.*)(    cc_home_settle\(&table->hash, key\);\n)/\2\1/'
    mutant "deletions $engine" "H1: takes out of the index what another holds" single/hold.h \
        's/next = id == \(SV_HELD \| 1\) \? SV_GONE : id - 1;/next = SV_GONE;/'
    mutant "deletions $engine" "H1: does not hold what is absent" single/execute.h \
        's/ \|\| sv_hold\(record\)\)/ || sv_writer(record->id) == 0)/'
    mutant "deletions $engine" "H2: holds what is leaving the index" single/hold.h \
        's/    return id != SV_GONE;/    return true;/'
    mutant "deletions $engine" "H4: takes out of the index what is there" single/commit.h \
        's/(&& sv_let_go\(read->record\))\)/\&\& (sv_let_go(read->record) || !(sv_word(read->record) \& SV_DEAD)))/'
    mutant "deletions $engine" "does not mark what leaves the index" single/commit.h \
        's/SV_ABSENT \| SV_DEAD\)/SV_ABSENT)/'
    mutant "deletions $engine" "reads what has left the index" single/execute.h \
        's/\(\(word & SV_DEAD\) \|\| /(0 || /'
done
for engine in silo tictoc; do # occ locks the record twice then, and waits for itself
    mutant "deletions $engine" "sees its own writes by their records" single/types.h \
        's/if \(sv_txn\(worker\)->writes\[i\].key == key && /if (sv_txn(worker)->writes[i].record == (struct sv_record *)cc_hash_find(\&table->hash, key) \&\& /'
done
for engine in occ tictoc; do
    mutant "deletions $engine" "a record that comes again forgets when it was last there" single/record.h \
        's/SV_ABSENT \| __atomic_load_n\(&table->floor, __ATOMIC_RELAXED\)/SV_ABSENT/g'
done
exit $((failures > 0))
