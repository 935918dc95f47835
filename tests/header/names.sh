#!/bin/sh
# names.sh SOURCE COMPILER: checks how a transaction of hekaton announces the name of a version, which is a hazard
# pointer. A transaction that fences its names announces by an exchange. One that does not fence announces by a plain
# store, without a call, a branch or a locked instruction. A scan of names executes a fence of its own before it reads
# the announcements. Running tests would show a violation only by luck: simulated machines have no store buffers, and
# the model for Spin is not the code.
set -eu
. "${0%/*}/assembly.sh"

cat >"$scratch/names.c" <<'END'
#define ORDO_STAMP_ORDO
#include "cc/txn/hekaton/engine.h"

/* Announces a name in a transaction that fences its names. */
void fenced(struct cc_worker *worker, struct hk_version **at, struct hk_version *version)
{
    if ((worker->active & CC_FENCED) != CC_FENCED)
        __builtin_unreachable();
    hk_show_name(worker, at, version);
}

void unfenced(struct cc_worker *worker, struct hk_version **at, struct hk_version *version)
{
    if ((worker->active & CC_FENCED) != CC_HAZARDS)
        __builtin_unreachable();
    hk_show_name(worker, at, version);
}

bool order(struct cc_worker *worker)
{
    return hk_order_names(worker);
}

#if defined CALLS
bool mark(struct cc_worker *worker)
{
    return hk_mark_names(worker);
}

bool below(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version *head, struct hk_version *version)
{
    return hk_name_below(worker, anchor, head, version);
}

bool head(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version *version)
{
    return hk_name(worker, anchor, version);
}
#endif

ordo_time enter(struct cc_worker *worker)
{
    return cc_enter_newest(worker, CC_HAZARDS);
}
END
"$compiler" -std=gnu11 -D_GNU_SOURCE -O2 -w -fcf-protection=none -I"$source/include" -I"$source/lib" -c "$scratch/names.c" \
    -o "$scratch/names.o"

# of FUNCTION: prints its instructions, one a line.
of() {
    objdump -d --no-show-raw-insn "--disassemble=$1" "$scratch/names.o" | awk '$1 ~ /^[0-9a-f]+:$/ { $1 = ""; print }'
}

# names FUNCTION COUNT: the function must announce with COUNT exchanges: 1, or 0 for a plain store.
names() {
    of "$1" | awk -v fenced="$2" '
        $1 == "xchg" && /\(/ { exchanges++ }
        $1 ~ /^(call|lock|mfence|j)/ { dear = 1 }
        END { exit dear || exchanges != fenced }' || { echo "$compiler: how a version is named, $1"; exit 1; }
}

names fenced 1
names unfenced 0
of order | awk '
    $1 == "xchg" && /\(/ { fenced = 1 }
    $1 ~ /^(j|call)/ && $1 != "jmp" && !fenced { exit 1 }
    END { exit !fenced }' || { echo "$compiler: no fence before the look at names"; exit 1; }
of enter | awk '$1 == "xchg" && /\(/ { exit 1 }' && { echo "$compiler: a begin without an exchange"; exit 1; }

"$compiler" -std=gnu11 -D_GNU_SOURCE -O1 -fno-inline -w -DCALLS -I"$source/include" -I"$source/lib" -c "$scratch/names.c" -o "$scratch/names.o"

# calls FUNCTION FIRST THEN: the function must call FIRST and THEN, in this order. (A compiler may append to the name of
# a specialised function.)
calls() {
    symbol=$(nm "$scratch/names.o" | awk -v name="$1" '$3 == name || index($3, name ".") == 1 { print $3; exit }')
    objdump -dr --no-show-raw-insn "--disassemble=$symbol" "$scratch/names.o" |
        grep -oE "(<|[[:space:]])($2|$3)(\.[a-z0-9.]*)?(>|-0x|\$)" | grep -oE "$2|$3" | awk -v first="$2" -v then="$3" '
        $1 == first && !seen { asked = 1 }
        $1 == then { seen = 1; early = early || !asked }
        END { exit !asked || !seen || early }' || { echo "$compiler: $1 does not call $2 before $3"; exit 1; }
}

calls hk_mark_names hk_order_names hk_mark_names_of
calls hk_name_below hk_show_name hk_head
calls hk_name_below hk_show_name hk_begin_of
calls hk_name hk_show_name hk_head
