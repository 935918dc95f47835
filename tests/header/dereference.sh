#!/bin/sh
# dereference.sh SOURCE COMPILER: a reader that meets no writer executes few instructions, calls nothing and reads no clock, with
# every stamp. A reader of MV-RLU branches on rare events only, and not on whether another thread has committed. A section begin or
# a commit that reads the clock reads it in order. A removal from a list prefetches the lines of two objects for writing, before it
# locks the first.
set -eu
. "${0%/*}/assembly.sh"
status=0

# way FUNCTION LIMIT: the instructions up to the first return, if no branch is taken.
way() {
    objdump -d --no-show-raw-insn "--disassemble=$1" "$scratch/reader.o" | awk -v name="$1" -v limit="$2" '
        $1 ~ /^[0-9a-f]+:$/ && !over { count++; over = $2 ~ /^ret/; bad = bad || $2 ~ /^(call|jmp|rdtsc|lfence|mfence)/ }
        END { print name ": " count " instructions"; exit !over || bad || count > limit }'
}

# guesses FUNCTION LIMIT: the conditional branches on that way.
guesses() {
    objdump -d --no-show-raw-insn "--disassemble=$1" "$scratch/reader.o" | awk -v name="$1" -v limit="$2" '
        $1 ~ /^[0-9a-f]+:$/ && !over { over = $2 ~ /^ret/; count += $2 ~ /^j/ && $2 != "jmp" }
        END { print name ": " count + 0 " branches"; exit !over || count > limit }'
}

# ordered READ COUNT [FUNCTION]: the function, or all together, have at least COUNT reads of the kind: full, which wait for earlier
# stores and delay later loads; before, which delay later loads; after, which wait for earlier loads. A compiler appends to the
# name of a specialised function: function.isra.0
ordered() {
    case $1 in full) read=" lock lfence rdtsc lfence" ;; before) read=" rdtsc lfence" ;; after) read=" lfence rdtsc" ;; esac
    shift
    symbol=$(nm "$scratch/reader.o" | awk -v name="${2:-}" '$3 == name || index($3, name ".") == 1 { print $3; exit }')
    objdump -d --no-show-raw-insn ${2:+"--disassemble=$symbol"} "$scratch/reader.o" | awk -v name="${2:-all}" -v least="$1" -v read="$read" '
        $1 !~ /^[0-9a-f]+:$/ { next }
        { way = way " " $2; unordered += $2 == "rdtscp" }
        END { count = gsub(read, "", way)
              print name ": " count " reads of the clock as" read; exit unordered || count < least }'
}

# asks FUNCTION: for two lines to write, before it locks the first object, whether or not that is a call.
asks() {
    objdump -d --no-show-raw-insn "--disassemble=$1" "$scratch/reader.o" | awk '
        $1 !~ /^[0-9a-f]+:$/ { next }
        $2 == "prefetchw" && !locked { asked++ }
        $2 == "lock" || /try_lock/ { locked = 1 }
        END { exit asked != 2 || !locked }'
}

for stamp in ORDO LOGICAL TSC; do
    "$compiler" -std=c11 -O2 -fcf-protection=none -DORDO_STAMP_$stamp -I"$source/include" -c \
        "$source/tests/header/dereference.c" -o "$scratch/reader.o"
    way read_object 5 && way start_section 8 && way end_section 6 && way read_versions 5 && way start_multi 16 &&
        guesses start_multi 2 && way end_multi 9 && way follow_link 5 && way follow_multi 5 || { echo "$compiler, $stamp: too much"; status=1; }
    asks remove_key && asks remove_version || { echo "$compiler, $stamp: does not ask for what it will lock"; status=1; }
    [ $stamp = LOGICAL ] || { ordered before 2 ordo_rlu_refresh && ordered after 6 && ordered full 3; } ||
        { echo "$compiler, $stamp: a time is taken out of order"; status=1; }
done
exit $status
