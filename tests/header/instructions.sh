#!/bin/sh
# instructions.sh SOURCE COMPILER: checks the instructions of times:
#
# - ordo_cmp_time executes at most 4 instructions more than a comparison of integers.
# - A plain read has exactly the instructions of its copy in compare.c, and a corrected read at most 8 more.
# - A read ordered on one side has its fence on this side only, and no more instructions than the read ordered on both
#   sides.
set -eu
. "${0%/*}/assembly.sh"
"$compiler" -std=c11 -O2 -fcf-protection=none -I"$source/include" -c "$source/tests/header/compare.c" \
    -o "$scratch/compare.o"

# longest FUNCTION: prints the number of instructions on the longest path from the first one to the return.
longest() {
    objdump -d --no-show-raw-insn "--disassemble=$1" "$scratch/compare.o" | awk '
        $1 ~ /^[0-9a-f]+:$/ { name[++count] = $2; target[count] = $3 ":"; at[$1] = count }
        function way(i,   next_one, jump) {
            if (name[i] ~ /^ret/)
                return 1
            if (i in walked || !(i in name) || name[i] ~ /^(call|loop)/)
                return 1000 # a loop or a call: the path has no known length
            walked[i] = 1
            next_one = name[i] == "jmp" ? 0 : way(i + 1)
            jump = name[i] ~ /^j/ ? way(at[target[i]]) : 0
            delete walked[i]
            return 1 + (jump > next_one ? jump : next_one)
        }
        END { print way(1) }'
}

integers=$(longest compare_integers)
times=$(longest compare_times)
echo "$compiler -O2: comparing integers takes $integers instructions, ordo_cmp_time at most $times"
[ "$integers" -gt 2 ] && [ "$times" -gt "$integers" ] && [ "$times" -le $((integers + 4)) ]

# code FUNCTION: prints its instructions, with jump targets relative to the function, without the padding behind it.
code() {
    objdump -d --no-show-raw-insn "--disassemble=$1" "$scratch/compare.o" | awk -v name="$1" '
        $1 ~ /^[0-9a-f]+:$/ {
            sub(/^ *[0-9a-f]+:[ \t]*/, "")
            gsub(name, "f")
            sub(/[0-9a-f]+ <f/, "<f")
            held = held $0 "\n"
            if ($0 !~ /nop|^xchg *%ax,%ax|^data16/) { printf "%s", held; held = "" }
        }'
}

for call in get_time get_time_full new_time; do
    code frozen_$call >"$scratch/frozen"
    code plain_$call >"$scratch/plain"
    grep -q rdtsc "$scratch/frozen" && cmp "$scratch/frozen" "$scratch/plain" ||
        { diff "$scratch/frozen" "$scratch/plain"; echo "ordo_$call is not what it was"; exit 1; }
done
plain=$(longest plain_get_time)
corrected=$(longest corrected_get_time)
echo "$compiler -O2: ordo_get_time takes $plain instructions, ordo_get_time_corrected $corrected"
[ "$plain" -ge 5 ] && [ "$corrected" -gt "$plain" ] && [ "$corrected" -le $((plain + 8)) ]

# side FUNCTION FENCES BOTH: the fences and the clock read of FUNCTION must be FENCES, in this order, and FUNCTION must
# not have more instructions than BOTH, the read ordered on both sides.
side() {
    found=$(code "$1" | grep -oE '^(lock|lfence|mfence|rdtscp?)' | paste -sd,)
    [ "$found" = "$2" ] || { echo "$1: $found, not $2"; exit 1; }
    [ "$(longest "$1")" -le "$(longest "$3")" ] || { echo "$1 is longer than $3"; exit 1; }
}

side side_after lfence,rdtsc plain_get_time
side side_after_full lock,lfence,rdtsc plain_get_time_full
side side_before rdtsc,lfence plain_get_time
