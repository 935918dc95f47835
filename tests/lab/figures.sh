#!/bin/bash
# figures.sh SOURCE BIN: repeats the quick figures of the documents by `ordo-lab figures` with a fixed seed, and expects
# their verdicts. Figures with a simulated network or cluster give the same numbers each time.
set -u
source=$1 bin=$2
. "$(dirname "$0")/../kit.sh"
PATH=$bin:$PATH

# figure DOCUMENT FIGURE VERDICT: the figure must have the verdict, values or claims, and only finite numbers.
figure() {
    run '0|1' ordo-lab figures "$1" "$2" --seed 1 --json
    jq -e --arg name "$2" --arg verdict "$3" '.figures | length == 1 and (.[0] | .figure == $name and .verdict == $verdict and
        (.values | length) + (.claims | length) > 0 and all(.values[]; .ours > 0))' "$scratch/out" >/dev/null ||
        fail "$1 $2 is not $3: $(jq -c '.figures[0] | [.verdict, .because, (.claims[] | select(.holds | not) | .what)]' "$scratch/out")"
}

# same DOCUMENT FIGURE: two runs with the same seed must give the same numbers.
same() {
    run '0|1' ordo-lab figures "$1" "$2" --seed 7 --json
    jq 'del(.figures[].seconds)' "$scratch/out" >"$scratch/first"
    run '0|1' ordo-lab figures "$1" "$2" --seed 7 --json
    jq 'del(.figures[].seconds)' "$scratch/out" | cmp -s - "$scratch/first" || fail "$1 $2: two runs differ"
}

# --- clocks of MPI ranks, and sessions of traces
for name in fig1 table1 fig2 fig10; do
    figure hca3 $name reproduced
done
same hca3 fig10
figure itc regression reproduced
figure itc spline reproduced
same itc spline
if command -v mpirun >/dev/null && [ -x "$bin/ordo-mpi" ] && [ -x "$bin/record-program-mpi" ]; then
    figure itc sessions reproduced
    figure itc spawned reproduced
fi

exit $((failures > 0))
