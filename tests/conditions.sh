#!/bin/bash
# conditions.sh SOURCE: the numbered conditions of a correctness argument and their tags in the code belong to each other.
#
# A list stands in the first comment of its header: each C<n> begins a line, numbered from 1 without a gap, and names the
# places in the code that keep it, as in [C5, C5 join]. There a comment begins with the same: "C5 join: after ...".
set -u
cd "$1" || exit 1
failures=0

fail() {
    echo "$*"
    failures=$((failures + 1))
}

# head FILE, rest FILE: its first comment, and what follows.
head() { awk '{ print } /\*\// { exit }' "$1"; }
rest() { awk 'over { print } /\*\// { over = 1 }' "$1"; }

# tags: of "C2 mark, C3", one to a line.
tags() { grep -oE 'C[0-9]+( [a-z]+)?' | sort -u; }

# family HEADER FILE...: the list in HEADER, and the files that it is about.
family() {
    local list=$1 numbers expected count number tag
    shift
    [ -s "$list" ] || { fail "$list: is not there"; return; }
    numbers=$(head "$list" | sed -nE 's/^ \*  C([0-9]+) .*/\1/p' | tr '\n' ' ')
    count=$(wc -w <<<"$numbers")
    expected=$(seq -s ' ' "$count")
    [ "$count" -gt 0 ] && [ "$numbers" = "$expected " ] ||
        fail "$list: the conditions that begin a line are ${numbers:-none}; they must be 1, 2, 3, ... in this order"
    head "$list" | sed -n '/^ \*  C1 /,$p' | tr '\n' ' ' | sed 's/ \*  *//g' | grep -oE '\[C[0-9][^]]*\]' | tags >"$scratch/named"
    for file in "$@"; do
        rest "$file" | grep -oE '/\*\*? C[0-9]+( [a-z]+)?(, C[0-9]+( [a-z]+)?)*( \*/|[.:,])'
    done | tags >"$scratch/tagged"
    while read -r tag; do
        fail "$list: [$tag] has no place in the code"
    done < <(comm -23 "$scratch/named" "$scratch/tagged")
    while read -r tag; do
        fail "$list: the code has a place for $tag, which no condition names"
    done < <(comm -13 "$scratch/named" "$scratch/tagged")
    for number in $numbers; do
        grep -qE "^C$number( |\$)" "$scratch/tagged" || fail "$list: nothing in the code is tagged with C$number"
    done
    while read -r number; do
        [ "$number" -le "$count" ] || [ "$number" = 11 ] || fail "$list: C$number is used, and is not in the list" # C11 is a language
    done < <(grep -ohE '\bC[0-9]+\b' "$@" | tr -d C | sort -un)
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
family include/ordo/cc/rlu.h include/ordo/cc/rlu*.h include/ordo/cc/set/*.h
family include/ordo/cc/mvrlu.h include/ordo/cc/mvrlu*.h
family include/ordo/cc/oplog.h include/ordo/cc/oplog.h
family include/ordo/cc/stm.h include/ordo/cc/stm.h include/ordo/cc/stm_*.h
family lib/cc/txn/core.h $(find lib/cc/txn -name "*.h")
while read -r file; do
    case $file in include/ordo/cc/rlu.h | include/ordo/cc/mvrlu.h | include/ordo/cc/oplog.h | include/ordo/cc/stm.h | lib/cc/txn/core.h) ;; *) fail "$file: has a list of conditions that is not held to its tags" ;; esac
done < <(grep -rlE '^ \*  C1 ' include lib bench --include='*.h')
exit $((failures > 0))
