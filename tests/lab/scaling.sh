#!/bin/bash
# scaling.sh SOURCE BIN: lab/cores/scaling.sh computes points once, writes them into the page, and draws them.
set -u
source=$1 bin=$2
. "$(dirname "$0")/../kit.sh"
[ -x "$bin/ordo-bench-cores" ] || { echo "no ordo-bench-cores: not tested"; exit 0; }
scaling() { run "$1" env SECONDS_OF_TRIAL=0.00005 bash "$source/lab/cores/scaling.sh" "${@:2}"; }
write() { run 0 python3 "$source/lab/cores/scaling.py" "$@"; }
points=$scratch/points.csv

scaling 64 run "$bin" "$points" && complains "run BIN FILE.csv MACHINE WORKLOADS THREADS"
scaling 64 run "$bin" "$points" nowhere rlu-hash-2 1 && complains "'nowhere': no such machine"
scaling 64 run "$bin" "$points" arm-96 rlu-sieve 1 && complains "'rlu-sieve': not one of"
scaling 64 compute /nonexistent "$scratch/all" && complains "/nonexistent: no ordo-lab"
scaling 0 run "$bin" "$points" arm-96 rlu-hash-2,stm-hash-20 8
[ "$(wc -l <"$points")" = 4 ] || fail "not a header and 3 ratios: $(cat "$points")"
awk -F, 'NR > 1 && !($6 <= $7 && $7 <= $8 && $5 == 8 && NF == 12) { exit 1 }' "$points" || fail "no interval"
cp "$points" "$scratch/before.csv"
scaling 0 run "$bin" "$points" arm-96 rlu-hash-2,stm-hash-20 8
cmp -s "$points" "$scratch/before.csv" || fail "a point is computed twice"
# A point that does not end in time is named, and leaves no line.
run 2 env SECONDS_OF_POINT=0.01 bash "$source/lab/cores/scaling.sh" run "$bin" "$points" arm-96 rlu-hash-2 8 &&
    complains "no result of arm-96 rlu-hash-2 8 in 0.01 s"
cmp -s "$points" "$scratch/before.csv" || fail "a point without a result has a line"

# `compute` makes predictions, points and lists of lines, and finds them again. The sources of a test may differ from the last commit.
mkdir -p "$scratch/all/predictions" "$scratch/all/kept" "$scratch/all/lines" && cp "$points" "$scratch/all/"
scaling 2 state "$bin" "$scratch/all" && says "missing: lines epyc-512 stm 64" && says "missing: superdome-28-ratio" && says "missing: epyc-512 merge 64"
for words in skylake-4-add "xeon-512 rlu-hash-2 1" "lines arm-512 rlu 64"; do
    # shellcheck disable=SC2086
    scaling 0 unit "$bin" "$scratch/all" $words && says "done $words"
    # shellcheck disable=SC2086
    scaling 0 unit "$bin" "$scratch/all" $words
    [ ! -s "$scratch/out" ] || fail "$words is computed twice: $(cat "$scratch/out")"
done
UNITS='^skylake-4-add$|^xeon-512 rlu-hash-2 1$|^lines arm-512 rlu ' scaling 0 state "$bin" "$scratch/all" && says "3 of 3 are there"
jq -e '.schema == "ordo-cores-lines/1"' "$scratch/all/lines/arm-512-rlu-64.json" >/dev/null || fail "no list of lines"
[ "$(find "$scratch/all/kept" -name '*.json' | wc -l)" = 4 ] || fail "not 4 kept runs"
for kept in "$scratch"/all/kept/*.json; do
    jq '.results[].thread_ns_per_op.median = 1e9' "$kept" >"$scratch/changed" && cp "$scratch/changed" "$kept"
done
run 2 "$bin/ordo-lab" cores predict skylake-4-add --keep "$scratch/all/kept" && complains_once "skylake-4-add at 1 cores: the result has no"
for kept in "$scratch"/all/kept/*.json; do echo "{" >"$kept"; done # damaged results are computed again
run 0 "$bin/ordo-lab" cores predict skylake-4-add --keep "$scratch/all/kept"
cmp -s <(jq .points "$scratch/out") <(jq .points "$scratch/all/predictions/skylake-4-add.json") || fail "a prediction does not repeat"
jq -e .results "$scratch"/all/kept/*.json >/dev/null || fail "a damaged result stays"
run 70 "$bin/ordo-lab" cores predict skylake-4-add --keep "$scratch/none/none" && complains_once "$scratch/none"

# The page has the figures of the points, and of predictions.
printf '%s\n' "# Page" "<!-- begin short -->" "<!-- end short -->" "<!-- begin table -->" "<!-- end table -->" "<!-- begin versions -->" "<!-- end versions -->" >"$scratch/page.md"
write write "$points" "$scratch/page.md"
grep -Eq '^\| \[RLU\]\(rlu\.md\), hash, 2% updates \| arm-96 \|  \| [0-9.]+ \[[0-9.]+, [0-9.]+\] \|' "$scratch/page.md" || fail "no row: $(cat "$scratch/page.md")"
write check "$points" "$scratch/page.md"
jq -n '{machine: "arm-96", points: [{cores: 64, low: 1.5, likely: 2, high: 2.2}], constants: {spread_percent: 10}, commit: "abcdefabcdefabcd",
    inputs: {command: "stm", of: "stm/ordo", over: "stm/logical", boundary_ns: 1100, seconds: "0.0001"}}' >"$scratch/arm-96-tl2.json"
write collect "$points" "$scratch" && write collect "$points" "$scratch"
[ "$(grep -c '^arm-96,stm-hash-20,stm/ordo,stm/logical,64,1.65,2,2,1100,0.0001,,abcdefabcdef$' "$points")" = 1 ] || fail "collected: $(cat "$points")"
run 1 python3 "$source/lab/cores/scaling.py" check "$points" "$scratch/page.md" && complains "run 'lab/cores/scaling.py write'"
printf '%s\n' "<!-- begin lines -->" "<!-- end lines -->" >"$scratch/note.md"
write lines "$scratch/all/lines" "$scratch/note.md"
grep -Eq '^\| rlu \| arm-512, 64 \| [0-9.]+ \| [0-9]+% \| [0-9]+% \| [0-9., %]+ \| `ordo_[a-z_`, ]+ \|$' "$scratch/note.md" || fail "no row: $(cat "$scratch/note.md")"
printf '%s\n' "| workload | a |" "" "Without contention: 2 cells" >"$scratch/validation.md"
printf '%s\n' "<!-- begin validation -->" "<!-- end validation -->" | tee "$scratch/first.md" >"$scratch/second.md"
write validation "$scratch/validation.md" "$scratch/first.md" "$scratch/second.md"
grep -q "^| workload | a |" "$scratch/first.md" && grep -q "Without contention: 2 cells\.$" "$scratch/second.md" || fail "the validation is not written"
run 1 python3 "$source/lab/cores/scaling.py" validation "$scratch/first.md" "$scratch/first.md" "$scratch/second.md" && complains "not the output"
if command -v gnuplot >/dev/null; then
    scaling 0 draw "$points" "$scratch/pictures"
    for name in rlu stm; do
        grep -q "</svg>" "$scratch/pictures/$name.svg" || fail "$name.svg is not a picture"
    done
    [ ! -e "$scratch/pictures/oplog.svg" ] || fail "a picture without points"
fi
exit $((failures > 0))
