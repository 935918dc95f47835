#!/bin/sh
# dereference.sh SOURCE COMPILER: checks the instructions of sections, with every stamp.
#
# - A reader that meets no writer executes few instructions, calls no function and reads no clock.
# - A reader of MV-RLU branches only on rare events, and not on commits of other threads.
# - Every read of the clock by a section's begin or by a commit is ordered.
# - A removal from a list prefetches the cache lines of two objects for writing before it locks the first object.
set -eu
. "${0%/*}/assembly.sh"
status=0

# way FUNCTION LIMIT: prints the number of instructions up to the first return, if no branch is taken. It must be at
# most LIMIT.
way() {
    objdump -d --no-show-raw-insn "--disassemble=$1" "$scratch/reader.o" | awk -v name="$1" -v limit="$2" '
        $1 ~ /^[0-9a-f]+:$/ && !over { count++; over = $2 ~ /^ret/; bad = bad || $2 ~ /^(call|jmp|rdtsc|lfence|mfence)/ }
        END { print name ": " count " instructions"; exit !over || bad || count > limit }'
}

# guesses FUNCTION LIMIT: prints the number of conditional branches up to the first return. It must be at most LIMIT.
guesses() {
    objdump -d --no-show-raw-insn "--disassemble=$1" "$scratch/reader.o" | awk -v name="$1" -v limit="$2" '
        $1 ~ /^[0-9a-f]+:$/ && !over { over = $2 ~ /^ret/; count += $2 ~ /^j/ && $2 != "jmp" }
        END { print name ": " count + 0 " branches"; exit !over || count > limit }'
}

# ordered READ COUNT [FUNCTION]: FUNCTION, or all functions together, must contain at least COUNT clock reads of the
# kind READ, and no
# RDTSCP:
#
#   full      waits for earlier stores and delays later loads
#   before    delays later loads
#   after     waits for earlier loads
#
# (A compiler may append to the name of a specialised function: function.isra.0)
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

# asks FUNCTION: the function must prefetch two lines for writing before it locks the first object, inline or by a call.
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
