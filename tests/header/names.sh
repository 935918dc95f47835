#!/bin/sh
# names.sh SOURCE COMPILER: a transaction of hekaton that fences its names names by an exchange, and one that does not by a
# store, with nothing that costs. Whoever looks at names has a fence of its own first. No test shows these by running: tests run
# on one thread, the simulated machines have no store buffers, and the model of Spin is not the code.
set -eu
. "${0%/*}/assembly.sh"

cat >"$scratch/names.c" <<'END'
#define ORDO_STAMP_ORDO
#include "cc/txn/hekaton/engine.h"

void show(struct cc_worker *worker, struct hk_version **at, struct hk_version *version)
{
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

of show | awk '
    !over { count++; over = $1 ~ /^ret/; dear = dear || $1 ~ /^(call|xchg|lock|mfence)/ }
    $1 == "xchg" && /\(/ { exchanges++ }
    END { exit dear || count > 6 || exchanges != 1 }' || { echo "$compiler: how a version is named"; exit 1; }
of order | awk '
    $1 == "xchg" && /\(/ { fenced = 1 }
    $1 ~ /^(j|call)/ && $1 != "jmp" && !fenced { exit 1 }
    END { exit !fenced }' || { echo "$compiler: no fence before the look at names"; exit 1; }
