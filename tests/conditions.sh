#!/bin/bash
# conditions.sh SOURCE: checks that the numbered conditions of a correctness argument and their tags in the code match.
#
# The first comment of a header contains the list of conditions. Each condition C<n> begins a line; the numbers count
# from 1 without a gap. A condition names the tags of the code that meets it, as in [C5, C5 join]; a comment in that
# code begins with the tag: "C5 join:
# after ...". The conditions of an engine have the letter C, those of the domain below the engines have the letter D.
#
# "Pairs with f" in the headers of cc/ names the function f that contains the other access, not a caller of f.
set -u
cd "$1" || exit 1
failures=0

fail() {
    echo "$*"
    failures=$((failures + 1))
}

# head FILE: prints the first comment of the file. rest FILE: prints the text after the first comment.
head() { awk '{ print } /\*\// { exit }' "$1"; }
rest() { awk 'over { print } /\*\// { over = 1 }' "$1"; }

# tags: prints the tags in a text such as "C2 mark, C3", one a line.
tags() { grep -oE "$letter[0-9]+( [a-z]+)?" | sort -u; }

# family LETTER HEADER FILE...: compares the list in HEADER with the tags in the FILEs.
family() {
    local letter=$1 list=$2 numbers expected count number tag
    shift 2
    [ -s "$list" ] || { fail "$list: is not there"; return; }
    numbers=$(head "$list" | sed -nE "s/^ \\*  $letter([0-9]+) .*/\\1/p" | tr '\n' ' ')
    count=$(wc -w <<<"$numbers")
    expected=$(seq -s ' ' "$count")
    [ "$count" -gt 0 ] && [ "$numbers" = "$expected " ] ||
        fail "$list: the conditions that begin a line are ${numbers:-none}; they must be 1, 2, 3, ... in this order"
    head "$list" | sed -n "/^ \\*  ${letter}1 /,\$p" | tr '\n' ' ' | sed 's/ \*  *//g' | grep -oE "\[$letter[0-9][^]]*\]" | tags >"$scratch/named"
    for file in "$@"; do
        rest "$file" | grep -oE "/\*\*? $letter[0-9]+( [a-z]+)?(, $letter[0-9]+( [a-z]+)?)*( \*/|[.:,])"
    done | tags >"$scratch/tagged"
    while read -r tag; do
        fail "$list: [$tag] has no place in the code"
    done < <(comm -23 "$scratch/named" "$scratch/tagged")
    while read -r tag; do
        fail "$list: the code has a place for $tag, which no condition names"
    done < <(comm -13 "$scratch/named" "$scratch/tagged")
    for number in $numbers; do
        grep -qE "^$letter$number( |\$)" "$scratch/tagged" || fail "$list: nothing in the code is tagged with $letter$number"
    done
    while read -r number; do
        [ "$number" -le "$count" ] || [ "$number" = 11 ] || fail "$list: $letter$number is used, and is not in the list" # C11 is the language standard
    done < <(grep -ohE "\b$letter[0-9]+\b" "$@" | tr -d "$letter" | sort -un)
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
family D include/ordo/cc/domain.h include/ordo/cc/domain/*.h
family C include/ordo/cc/rlu/argument.h include/ordo/cc/rlu.h include/ordo/cc/rlu/*.h include/ordo/cc/set/*.h
family C include/ordo/cc/mvrlu/argument.h include/ordo/cc/mvrlu.h include/ordo/cc/mvrlu/*.h
family C include/ordo/cc/oplog/argument.h include/ordo/cc/oplog.h include/ordo/cc/oplog/*.h
family C include/ordo/cc/stm/argument.h include/ordo/cc/stm.h include/ordo/cc/stm/*.h
family C lib/cc/txn/core.h $(find lib/cc/txn -name "*.h")
while read -r file; do
    case $file in include/ordo/cc/domain.h | include/ordo/cc/rlu/argument.h | include/ordo/cc/mvrlu/argument.h | include/ordo/cc/oplog/argument.h | include/ordo/cc/stm/argument.h | lib/cc/txn/core.h) ;; *) fail "$file: has a list of conditions that is not held to its tags" ;; esac
done < <(grep -rlE '^ \*  C1 ' include lib bench --include='*.h'; grep -rlE '^ \*  D1 ' include --include='*.h')

# accesses FILE...: prints the functions that load, store, exchange or read the clock, one a line.
accesses() {
    awk '/^[a-zA-Z].*\(/ && match($0, /ordo_[a-z_]+\(/) { name = substr($0, RSTART, RLENGTH - 1) }
        /__atomic_|ordo_(stamp|clock)_/ { print name }' "$@" | sort -u
}

# pairs FILE...: prints the names of functions that follow "pairs with" in comments.
pairs() {
    cat "$@" | tr -s '\n *' ' ' | grep -oE '[Pp]airs with [^.:;/]*' | grep -oE 'ordo_[a-z_]+' | sort -u
}

mapfile -t headers < <(find include/ordo/cc -name '*.h')
while read -r function; do
    fail "a comment pairs an access with one in $function, which has none: $(grep -lrE "with $function\b" include/ordo/cc | tr '\n' ' ')"
done < <(comm -23 <(pairs "${headers[@]}") <(accesses "${headers[@]}"))
exit $((failures > 0))
