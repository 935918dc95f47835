#!/bin/bash
# net.sh SOURCE BIN: ordo-net as a person calls it. `--write` as a third argument writes the golden texts anew.
set -u
source=$1 bin=$2 mode=${3:-}
here=$source/tests/net
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export COLUMNS=80
PATH=$bin:$PATH
failures=0

fail() {
    echo "FAILED: $*"
    head -n 20 "$scratch/out" "$scratch/err" | sed 's/^/    /'
    failures=$((failures + 1))
}

# run EXIT COMMAND...
run() {
    local expected=$1 code
    shift
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    code=$?
    [ $code -eq "$expected" ] || fail "$*: exit $code, expected $expected"
}

complains() {
    grep -Fq -- "$1" "$scratch/err" || fail "stderr lacks '$1'"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "more than one line"
}
golden() {
    if [ "$mode" = --write ]; then
        cp "$scratch/out" "$here/golden/$1.txt"
    else
        diff -u "$here/golden/$1.txt" "$scratch/out" || fail "golden $1 differs"
    fi
}

run 0 ordo-net --help && golden help
for command in agent measure cores; do
    run 0 ordo-net $command --help && golden help-$command
done
for option in $(grep -ohE -- '--[a-z-]+' "$here"/golden/help-*.txt | sort -u); do
    case $option in --usage | --version | --help) continue ;; esac
    grep -qE "(Fl|,) ${option#-}( |$)" "$source/calib/ordo-net/ordo-net.1" || fail "ordo-net.1 lacks $option"
done
run 64 ordo-net cores --estimator mean && complains "--estimator mean: not one of "
for command in measure cores; do
    run 0 ordo-net $command --list
    for estimator in lp min-rtt ols svm; do
        grep -q "^$estimator " "$scratch/out" || fail "$command --list lacks $estimator"
    done
done
run 64 ordo-net cores --runs 2 --sweeps 3 && complains "--runs: fewer than the 3 sweeps"

exit $((failures > 0))
