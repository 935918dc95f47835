#!/bin/bash
# figures.sh SOURCE BIN: repeats the quick figures of the documents by `ordo-lab figures` with a fixed seed, and expects
# their verdicts. Figures with a simulated network or cluster give the same numbers each time.
set -u
source=$1 bin=$2
. "$(dirname "$0")/../kit.sh"
PATH=$bin:$PATH

# verdict WORD DOCUMENT FIGURE...: each figure must have the verdict, values or claims, and only finite numbers.
verdict() {
    local word=$1 document=$2 figure
    shift 2
    for figure; do
        run '0|1' ordo-lab figures "$document" "$figure" --seed 1 --json
        jq -e --arg name "$figure" --arg verdict "$word" '.figures | length == 1 and (.[0] | .figure == $name and
            .verdict == $verdict and (.values | length) + (.claims | length) > 0 and all(.values[]; .ours != null))' \
            "$scratch/out" >/dev/null ||
            fail "$document $figure is not $word: $(jq -c '.figures[0] | [.verdict, .because,
                (.claims[] | select(.holds | not) | .what)]' "$scratch/out")"
    done
}

# same DOCUMENT FIGURE: two runs with the same seed must give the same numbers.
same() {
    run '0|1' ordo-lab figures "$1" "$2" --seed 7 --json
    jq 'del(.figures[].seconds)' "$scratch/out" >"$scratch/first"
    run '0|1' ordo-lab figures "$1" "$2" --seed 7 --json
    jq 'del(.figures[].seconds)' "$scratch/out" | cmp -s - "$scratch/first" || fail "$1 $2: two runs differ"
}

# --- clocks of MPI ranks, and sessions of traces
verdict reproduced hca3 fig1 table1 fig2
verdict reproduced itc regression spline
same itc spline
# Figures run programs without the options of a sanitizer, which then refuses to be loaded after the recorder.
if command -v mpirun >/dev/null && [ -x "$bin/ordo-mpi" ] && [ -x "$bin/record-program-mpi" ] && [ -z "${ASAN_OPTIONS:-}" ]; then
    verdict reproduced itc sessions spawned
fi
# Nor may a sanitizer judge the MPI library of the two real ranks of fig10.
if [ -z "${ASAN_OPTIONS:-}" ]; then
    verdict reproduced hca3 fig10
    same hca3 fig10
fi

# --- dtp
verdict reproduced dtp steps device init beacon hops wire daemon programs ptp

# --- huygens, without the figures of 128 hosts
verdict reproduced huygens probes paths svm effect

# --- osmosis
verdict reproduced osmosis fig1 fig2 domains eq4 fig3 delay fig4 fig5

# --- libri
verdict reproduced libri fig1 fig3 fig4 fig5 fig6 fig7 fig8 fig9 fig10 scale
verdict differs libri table1
json '[.figures[0].values[] | select(.verdict == "differs") | .what] == ["standard deviation at 24 Hz"]'

# --- ordo, without the figures that measure
verdict reproduced ordo machines interface

exit $((failures > 0))
