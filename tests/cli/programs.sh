#!/bin/bash
# programs.sh SOURCE BIN: checks that the C blocks of the README and the documents compile, and that those with a main
# run. readme.sh checks their commands.
set -u
source=$1 bin=$2
documents=("$source"/README.md "$source"/CONTRIBUTING.md "$source"/doc/*.md "$source"/doc/lab/*.md "$source"/examples/README.md)
. "$(dirname "$0")/../kit.sh"
export ORDO_RECORD=$scratch/boundary

# blocks DOCUMENT: prints the lines of its fenced blocks of C, with a form feed after each block.
blocks() {
    awk '/^```c$/ {inside = 1; next} /^```/ {if (inside) print "\f"; inside = 0} inside' "$1"
}

"$bin/ordo" calibrate --runs 1000 --repeat 2 --force --quiet >"$scratch/out" 2>&1 || fail "no record: $(cat "$scratch/out")"

programs=0
for document in "${documents[@]}"; do
    while IFS= read -r -d $'\f' program; do
        case $program in *[!$' \n']*) ;; *) continue ;; esac
        echo "$program" >"$scratch/example.c"
        programs=$((programs + 1))
        cc -std=c11 -Wall -Wextra -Werror -I"$source/include" -c "$scratch/example.c" -o "$scratch/example.o" ||
            fail "$document: a C block does not compile"
        case $program in *"int main(void)"*) ;; *) continue ;; esac
        cc "$scratch/example.o" -o "$scratch/example" && "$scratch/example" | grep -q '^boundary [0-9]* ns$' ||
            fail "$document: the example does not print the boundary"
    done < <(blocks "$document")
done
[ $programs -ge 2 ] || fail "only $programs C blocks were found"

[ "$(wc -l <"$source/README.md")" -le 120 ] || fail "README.md has more than 120 lines"
exit $((failures > 0))
