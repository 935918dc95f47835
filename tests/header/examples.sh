#!/bin/bash
# examples.sh SOURCE COMPILER: checks that the example in the first comment of each contract in include/ordo/cc compiles
# without a warning. The declarations that an example omits are below.
set -u
source=$1 compiler=$2 failures=0
command -v "$compiler" >/dev/null || { echo "$compiler is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# example HEADER: prints the lines of code in its first comment, all of which are above the first heading.
example() { sed -nE '/^ \* [A-Z: ]+$|\*\//q; s/^ \*     //p' "$source/include/ordo/cc/$1"; }

# outside: prints the functions and types of the example on stdin. inside: prints its other lines. A function ends with
# a brace in the first column.
outside() { awk '/^(static|struct [a-z]+ \{)/ { in_it = !/;$/; print; next } in_it { print; if (/^\}/) in_it = 0 }'; }
inside() { awk '/^(static|struct [a-z]+ \{)/ { in_it = !/;$/; next } !in_it { print } /^\}/ { in_it = 0 }'; }

# compiles HEADER OUTSIDE INSIDE: the header's example must compile with the declarations OUTSIDE and INSIDE of a
# function.
compiles() {
    example "$1" >"$scratch/example"
    {
        printf '#include <stdio.h>\n#include <ordo/ordo.h>\n#include <ordo/cc/%s>\n%s\n' "$1" "$2"
        outside <"$scratch/example"
        printf 'void example(void);\nvoid example(void)\n{\n%s\n' "$3"
        inside <"$scratch/example"
        echo '}'
    } >"$scratch/example.c"
    [ "$(wc -l <"$scratch/example")" -gt 5 ] || { echo "$1: has no example"; failures=$((failures + 1)); }
    "$compiler" -std=c11 -Wall -Wextra -Wno-unused-but-set-variable -Wno-unused-variable -Werror -fsyntax-only -I"$source/include" "$scratch/example.c" ||
        { echo "$1: its example does not compile"; failures=$((failures + 1)); }
}

compiles rlu.h "" 'struct ordo_rlu_options options = {0}; struct node *head = 0, *other = 0, *before = 0; int code;'
compiles mvrlu.h 'struct ordo_mvrlu_thread; int change(struct ordo_mvrlu_thread *t, void *object);' \
    'struct ordo_mvrlu_options options = {0}; void *object = 0; int result;'
compiles stm.h 'struct move { uint64_t *from, *to, amount; };' \
    'struct ordo_stm_options options = {0}; struct move m = {0}; int moved;'
compiles oplog.h "" 'struct ordo_oplog_options options = {0}; struct ordo_oplog_object object; uint64_t count = 0;'
compiles txn.h 'struct account { int64_t balance; };' \
    'struct ordo o = {0}; struct ordo_memory memory = {0}; struct ordo_table *table; struct ordo_worker *worker; void *record; int code;'
exit $((failures > 0))
