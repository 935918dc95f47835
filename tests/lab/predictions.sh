#!/bin/bash
# predictions.sh SOURCE BIN: each file of lab/cores/predictions is a prediction of the table, by sources of this history.
# tests/cli/schemas.sh checks the schema.
set -u
source=$1 bin=$2
. "$(dirname "$0")/../kit.sh"
run 0 "$bin/ordo-lab" cores predict --list
sed -E 's/ +/\t/' "$scratch/out" >"$scratch/list"

# True if the sources of a version are in the history of this tree, or if the history is not there.
is_ancestor() {
    git -C "$source" rev-parse HEAD >/dev/null 2>&1 || return 0
    if ! git -C "$source" cat-file -e "$1^{commit}" 2>/dev/null; then
        [ "$(git -C "$source" rev-parse --is-shallow-repository)" = true ]
        return
    fi
    git -C "$source" merge-base --is-ancestor "$1" HEAD
}

# Prints the faults of a file.
faults_of() {
    local name commit quantity
    name=$(basename "$1" .json)
    quantity=$(awk -F'\t' -v name="$name" '$1 == name { print $2 }' "$scratch/list")
    [ -n "$quantity" ] || { echo "$name: not of the table"; return; }
    jq -e '.schema == "ordo-prediction/1" and (.points | length > 0)' "$1" >/dev/null || { echo "$name: no prediction"; return; }
    jq -e --arg quantity "$quantity" '.quantity == $quantity' "$1" >/dev/null || echo "$name: another quantity"
    jq -e --arg name "$name" '.machine as $m | $name | startswith($m + "-")' "$1" >/dev/null || echo "$name: another machine"
    jq -e 'all(.points[]; 0 < .low and .low <= .likely and .likely <= .high)' "$1" >/dev/null || echo "$name: no interval"
    jq -e '[.points[].cores] | . == (sort | unique)' "$1" >/dev/null || echo "$name: cores do not ascend"
    commit=$(jq -r .commit "$1")
    [[ $commit =~ ^[0-9a-f]{40}$ ]] && is_ancestor "$commit" || echo "$name: commit $commit is not in the history"
}

judge() {
    local file count=0 listed
    for file in "$1"/*.json; do
        [ ! -e "$file" ] || { faults_of "$file"; count=$((count + 1)); }
    done
    listed=$(wc -l <"$scratch/list")
    [ $count = 0 ] || [ $count = "$listed" ] || echo "$count of $listed predictions"
}

[ "$(wc -l <"$scratch/list")" -ge 60 ] || fail "the table is short: $(wc -l <"$scratch/list")"
found=$(judge "$source/lab/cores/predictions")
[ -z "$found" ] || fail "$found"

# The checks find faults: each damage of a right file is named.
if [ -x "$bin/ordo-bench-cores" ]; then
    run 0 "$bin/ordo-lab" cores predict skylake-4-add --commit "$(git -C "$source" rev-parse HEAD 2>/dev/null || printf '0%.0s' {1..40})"
    cp "$scratch/out" "$scratch/skylake-4-add.json"
    found=$(faults_of "$scratch/skylake-4-add.json")
    [ -z "$found" ] || fail "a right file: $found"
    while IFS=';' read -r name change fault; do
        mkdir -p "$scratch/damaged"
        jq "$change" "$scratch/skylake-4-add.json" >"$scratch/damaged/$name.json"
        found=$(faults_of "$scratch/damaged/$name.json")
        [ "$found" = "$name: $fault" ] || fail "'$change' gives '$found', not '$fault'"
    done <<'END'
skylake-4-sum;.;not of the table
skylake-4-add;.schema = "ordo-bench/1";no prediction
skylake-4-add;.points = [];no prediction
skylake-4-add;.quantity = "another";another quantity
skylake-4-add;.machine = "icelake-4";another machine
skylake-4-add;.points[1].low = 1e9;no interval
skylake-4-add;.points[1].high = 0.001;no interval
skylake-4-add;.points |= reverse;cores do not ascend
skylake-4-add;.commit = null;commit null is not in the history
END
    jq '.commit = "deadbeefdeadbeefdeadbeefdeadbeefdeadbeef"' "$scratch/skylake-4-add.json" >"$scratch/damaged/skylake-4-add.json"
    git -C "$source" rev-parse HEAD >/dev/null 2>&1 && [ "$(git -C "$source" rev-parse --is-shallow-repository)" = false ] &&
        [ -z "$(faults_of "$scratch/damaged/skylake-4-add.json")" ] && fail "a version that does not exist is accepted"
    [ "$(judge "$scratch/damaged" | tail -n 1)" = "2 of $(wc -l <"$scratch/list") predictions" ] || fail "missing files are accepted"
fi

# The tables of the page are those of its data.
run 0 python3 "$source/lab/cores/scaling.py" check "$source/doc/scaling/points.csv" "$source/doc/scaling.md"
awk -F, -v OFS=, 'NR > 1 { $7 *= 2 } 1' "$source/doc/scaling/points.csv" >"$scratch/points.csv"
run 1 python3 "$source/lab/cores/scaling.py" check "$scratch/points.csv" "$source/doc/scaling.md"
exit $((failures > 0))
