#!/bin/sh
# instructions.sh SOURCE COMPILER: ordo_cmp_time executes at most 4 instructions more than a comparison of integers.
set -eu
source=$1 compiler=$2
command -v "$compiler" >/dev/null && command -v objdump >/dev/null || exit 77
case $("$compiler" -dumpmachine) in x86_64-*) ;; *) exit 77 ;; esac

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$compiler" -std=c11 -O2 -fcf-protection=none -I"$source/include" -c "$source/tests/header/compare.c" \
    -o "$scratch/compare.o"

# The longest way from the first instruction of a function to its return.
longest() {
    objdump -d --no-show-raw-insn "--disassemble=$1" "$scratch/compare.o" | awk '
        $1 ~ /^[0-9a-f]+:$/ { name[++count] = $2; target[count] = $3 ":"; at[$1] = count }
        function way(i,   next_one, jump) {
            if (name[i] ~ /^ret/)
                return 1
            if (i in walked || !(i in name) || name[i] ~ /^(call|loop)/)
                return 1000 # a way back or out, which nobody can count
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
