#!/bin/sh
# two-nodes.sh HOSTS OUTPUT PROGRAM [WORD...]: records an MPI program on several nodes, brings its traces to one time, and draws them.
#
#     ./two-nodes.sh node1:2,node2:2 trace ./late-sender
#
# HOSTS is a list for mpirun: HOST:RANKS,HOST:RANKS. OUTPUT is a name without a folder; the files appear in this folder, which must
# exist on every node: OUTPUT.csv has each event with its earliest and latest time, OUTPUT.svg the chart, OUTPUT.txt the late ranks,
# and OUTPUT-TIME.RANK.otrace the traces, which are new for each run. $MPIRUN and $SSH replace the two programs, with options.
# Exit 64: wrong usage; 70: a trace is missing; otherwise the code of the first program that failed.
set -eu
case $#:${2:-} in [012]:* | *:*/* | *:) echo "usage: two-nodes.sh HOST:RANKS,HOST:RANKS OUTPUT PROGRAM [WORD...]; OUTPUT has no folder" >&2; exit 64 ;; esac
hosts=$1 output=$2 run=$2-$(date +%Y%m%d-%H%M%S)
shift 2
ranks=$(echo "$hosts" | tr , '\n' | awk -F : '{ ranks += NF > 1 ? $NF : 1 } END { print ranks }')
count() { find . -maxdepth 1 -name "$run.*.otrace" | wc -l; }

# Each rank writes its trace on its own node, below the same path as here.
# shellcheck disable=SC2086
ordo-trace run --output "$PWD/$run" -- ${MPIRUN:-mpirun} --host "$hosts" -n "$ranks" "$@"

# Without a common file system the traces of the other nodes are fetched.
for host in $(echo "$hosts" | tr , '\n' | sed 's/:[0-9]*$//'); do
    [ "$(count)" -lt "$ranks" ] || break
    # shellcheck disable=SC2086
    ${SSH:-ssh} "$host" "cd '$PWD' && tar cf - '$run'.*.otrace" >"$run.tar" && tar xf "$run.tar" --skip-old-files
done
rm -f "$run.tar"
[ "$(count)" -eq "$ranks" ] || { echo "two-nodes.sh: $(count) traces of $ranks ranks are here" >&2; exit 70; }

ordo-trace correct --to csv --output "$output.csv" "$run".*.otrace
ordo-trace plot --output "$output.svg" "$run".*.otrace
ordo-trace stats "$run".*.otrace >"$output.txt"
grep '^rank' "$output.txt" || echo "no rank is late to the collectives"
