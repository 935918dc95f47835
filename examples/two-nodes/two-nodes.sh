#!/bin/sh
# two-nodes.sh HOSTS OUTPUT PROGRAM [WORD...]: records an MPI program on several nodes, brings its traces to one time, and draws them.
#
#     ./two-nodes.sh node1:2,node2:2 trace ./late-sender
#
# HOSTS is a list for mpirun: HOST:RANKS,HOST:RANKS. OUTPUT.csv has each event with its earliest and latest time, OUTPUT.svg the
# chart, and OUTPUT.txt the late ranks. $MPIRUN and $SSH replace the two programs, with options. Exit 64: wrong usage; otherwise the
# code of the first program that failed.
set -eu
[ $# -ge 3 ] || { echo "usage: two-nodes.sh HOST:RANKS,HOST:RANKS OUTPUT PROGRAM [WORD...]" >&2; exit 64; }
hosts=$1 output=$2
shift 2
ranks=$(echo "$hosts" | tr , '\n' | awk -F : '{ ranks += NF > 1 ? $NF : 1 } END { print ranks }')

# Each rank writes its trace on its own node, below the same path as here.
# shellcheck disable=SC2086
ordo-trace run --output "$PWD/$output" -- ${MPIRUN:-mpirun} --host "$hosts" -n "$ranks" "$@"

# Without a common file system the traces of the other nodes are fetched.
for host in $(echo "$hosts" | tr , '\n' | sed 's/:[0-9]*$//'); do
    # shellcheck disable=SC2086
    ${SSH:-ssh} "$host" "cd '$PWD' && tar cf - '$output'.*.otrace" | tar xf - --skip-old-files
done
count=$(find . -maxdepth 1 -name "$output.*.otrace" | wc -l)
[ "$count" -eq "$ranks" ] || { echo "two-nodes.sh: $count traces of $ranks ranks are here" >&2; exit 70; }

ordo-trace correct --to csv --output "$output.csv" "$output".*.otrace
ordo-trace plot --output "$output.svg" "$output".*.otrace
ordo-trace stats "$output".*.otrace >"$output.txt"
grep '^rank' "$output.txt" || echo "no rank is late to the collectives"
