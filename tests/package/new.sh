#!/bin/bash
# new.sh SOURCE: checks that ./bootstrap new refuses unusable kinds and names, with one line, exit code 64 and without
# changing a file. recipes.sh builds the parts that ./bootstrap new makes.
set -u
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/tree failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

mkdir "$tree"
folders=(cmake lib calib lab bench doc tests/cli tests/net tests/lab)
(cd "$source" && cp -r --parents bootstrap "${folders[@]}" "$tree") || exit 1

# refused COMPLAINT [KIND [NAME...]]: ./bootstrap new must refuse these arguments, in one line that contains COMPLAINT.
refused() {
    "$tree/bootstrap" new "${@:2}" >"$scratch/out" 2>&1
    local code=$?
    [ $code -eq 64 ] || fail "new ${*:2}: exit $code, expected 64"
    [ "$(wc -l <"$scratch/out")" -eq 1 ] && grep -qF -- "$1" "$scratch/out" || fail "new ${*:2}: not one line with '$1': $(head -n 3 "$scratch/out")"
}

refused "give KIND NAME"
refused "give KIND NAME" engine
refused "give KIND NAME" engine a b
for kind in nothing .\* "" engin "engine "; do
    refused "'$kind' is not a kind of part" "$kind" x
done
for name in "" Silo ../x x/y "a b" "a;b" 'a&b' 'a#b' '$HOME' 1a -x --help a- .; do
    refused "NAME '$name': give a word of a-z" form "$name"
done
for name in $'a\nb' $'a\e[2J' é; do
    refused "give a word of a-z" form "$name"
    ! grep -q '[^[:print:]]' "$scratch/out" || fail "the refusal repeats what is not printable"
done
refused "means something else" engine registry
refused "means something else" ordo-command help
refused "lib/cc/txn/silo.c exists" engine silo
refused "lib/net/offset/estimator/min_rtt.c exists" edge-estimator min-rtt
refused "lab/ordo-lab/command/simulate.c exists" ordo-lab-command simulate
refused "doc/schemas/ordo-verify-1.json exists" ordo-net-command verify
refused "tests/cli/golden/help-trace-run.txt exists" ordo-command trace-run
refused "has only a-z and -" ordo-command a1
refused "longer than 24 letters" form "$(printf 'a%.0s' {1..25})"
refused "longer than 24 letters" form "$(printf 'a%.0s' {1..3000})"
refused "may begin with mpi" form mpi-x
refused "may begin with mpi" ordo-command mpi-x
for folder in "${folders[@]}"; do
    diff -rq "$source/$folder" "$tree/$folder" || fail "a refusal left something behind"
done

# A keyword of C is allowed as a name, because the generated identifiers add to it. A name of the greatest length is
# allowed too.
for name in int "$(printf 'a%.0s' {1..24})"; do
    "$tree/bootstrap" new engine "$name" >"$scratch/out" 2>&1 && [ -s "$tree/lib/cc/txn/$name.c" ] || fail "new engine $name: $(cat "$scratch/out")"
done
exit $((failures > 0))
