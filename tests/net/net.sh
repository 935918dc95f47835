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
small="--hosts 12 --seconds 0.2 --quiet"

fail() {
    echo "FAILED: $*"
    head -n 20 "$scratch/out" "$scratch/err" | sed 's/^/    /'
    failures=$((failures + 1))
}

run() {
    local expected=$1 code
    shift
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    code=$?
    [ "$code" -eq "$expected" ] || fail "$*: exit $code, expected $expected"
}

says() { grep -Fq -- "$1" "$scratch/out" || fail "stdout lacks '$1'"; }
complains() {
    grep -Fq -- "$1" "$scratch/err" || fail "stderr lacks '$1'"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "more than one line"
}
json() { jq -e "$1" "$scratch/out" >/dev/null || fail "JSON: $1"; }
golden() {
    if [ "$mode" = --write ]; then
        cp "$scratch/out" "$here/golden/$1.txt"
    else
        diff -u "$here/golden/$1.txt" "$scratch/out" || fail "golden $1 differs"
    fi
}

# --- usage
run 0 ordo-net --help && golden help
run 0 ordo-net simulate --help && golden help-simulate
run 0 ordo-net cores --help && golden help-cores
for option in $(grep -ohE -- '--[a-z-]+' "$here/golden/"help-*.txt | sort -u); do
    case $option in --usage | --version | --help) continue ;; esac
    grep -qE "(Fl|,) ${option#-}( |$)" "$source/calib/ordo-net/ordo-net.1" || fail "ordo-net.1 lacks $option"
done
run 64 ordo-net simulate && complains "no protocol: name some"
run 64 ordo-net simulate huygen && complains "'huygen' is not a protocol; take one of firefly, huygens, ntp"
run 64 ordo-net simulate firefly:round-ms=0 && complains "'round-ms=0' is not an option of it; it takes peers=N, every-us=N, round-ms=N"
run 64 ordo-net simulate huygens:peers=none && complains "'peers=none' is not an option of it; it takes estimator="
run 64 ordo-net simulate ntp --shape torus && complains "--shape torus: not one of star, chain, ring, tree, clos"
run 64 ordo-net simulate ntp --load 100 && complains "--load"
run 64 ordo-net simulate ntp --json --csv
run 64 ordo-net cores --estimator mean && complains "--estimator mean: not one of svm, lp, ols, min-rtt"
run 64 ordo-net cores --runs 2 --sweeps 3 && complains "--runs: fewer than the 3 sweeps"
run 2 ordo-net simulate ntp --hosts 8 --seconds 0.01 --delay-ns 100000000 && complains "no claim in 0.01 s: simulate for longer"

# --- results: every shape and traffic, and the same once more
# shellcheck disable=SC2086
for shape in star chain ring tree clos; do
    for traffic in poisson bursty incast; do
        run 0 ordo-net simulate huygens:peers=4,ntp:poll-ms=10 $small --shape $shape --traffic $traffic --json
        json ".network.shape == \"$shape\" and .network.traffic == \"$traffic\""
        json '[.protocols[].protocol] == ["huygens:peers=4", "ntp:poll-ms=10"]'
        json 'all(.protocols[]; .bound_held and .bound_ns > .error_ns.max and .error_ns.p50 <= .error_ns.p99 and .bytes_per_second_per_host > 0)'
        json '.edges | length == 1'
    done
done
cp "$scratch/out" "$scratch/first"
# shellcheck disable=SC2086
run 0 ordo-net simulate huygens:peers=4,ntp:poll-ms=10 $small --traffic incast --json
cmp -s "$scratch/out" "$scratch/first" || fail "the same seed, and another result"
# shellcheck disable=SC2086
run 0 ordo-net simulate huygens:peers=4,ntp:poll-ms=10 $small --csv && [ "$(wc -l <"$scratch/out")" -eq 3 ] || fail "not three lines"
[ "$(awk -F, '{ print NF }' "$scratch/out" | sort -u)" = 14 ] || fail "not 14 fields a line"
# shellcheck disable=SC2086
run 0 ordo-net simulate huygens:peers=4 $small && says "12 hosts, clos of 10 Gbit/s" && says "held" && says "probes pure"
if command -v gnuplot >/dev/null; then
    # shellcheck disable=SC2086
    run 0 ordo-net simulate huygens:peers=4,ntp $small --svg "$scratch/curves.svg"
    grep -q '</svg>' "$scratch/curves.svg" || fail "the picture is not whole"
    grep -q 'huygens:peers=4' "$scratch/curves.svg" || fail "the picture has no name"
fi

exit $((failures > 0))
