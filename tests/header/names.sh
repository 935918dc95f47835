#!/bin/sh
# names.sh SOURCE COMPILER: a transaction of hekaton that fences its names names by an exchange, and one that does not by a
# store, with nothing that costs. Whoever looks at names has a fence of its own before it looks at announcements. Tests that run
# show these by luck at best: simulated machines have no store buffers, and the model of Spin is not the code.
set -eu
. "${0%/*}/assembly.sh"

cat >"$scratch/names.c" <<'END'
#define ORDO_STAMP_ORDO
#include "cc/txn/hekaton/engine.h"

/* In a transaction that has announced so. */
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
END
"$compiler" -std=gnu11 -D_GNU_SOURCE -O2 -w -fcf-protection=none -I"$source/include" -I"$source/lib" -c "$scratch/names.c" \
    -o "$scratch/names.o"

# of FUNCTION: its instructions, one to a line.
of() {
    objdump -d --no-show-raw-insn "--disassemble=$1" "$scratch/names.o" | awk '$1 ~ /^[0-9a-f]+:$/ { $1 = ""; print }'
}

# names FUNCTION: by one exchange, or by a store alone
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
