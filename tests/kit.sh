# kit.sh: the functions that the tests of a program share. Source it with `bin` set: it puts `bin` first in PATH, makes $scratch and
# counts $failures.
# shellcheck shell=bash disable=SC2154
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

# run EXIT[|EXIT] COMMAND...: leaves the exit status in `code`.
run() {
    local expected=$1
    shift
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    code=$?
    [[ "|$expected|" == *"|$code|"* ]] || fail "$*: exit $code, expected $expected"
}

says() { grep -Fq -- "$1" "$scratch/out" || fail "stdout lacks '$1'"; }
complains() {
    grep -Fq -- "$1" "$scratch/err" || fail "stderr lacks '$1'"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "more than one line"
}
json() { jq -e "$1" "$scratch/out" >/dev/null || fail "JSON: $1"; }

# golden NAME: compares the last run's output with the text of this name in the test's folder golden/. `mode` --write: replaces the
# text.
golden() {
    local kept
    kept=$(dirname "$0")/golden/$1.txt
    if [ "${mode:-}" = --write ]; then
        cp "$scratch/out" "$kept"
    else
        diff -u "$kept" "$scratch/out" || fail "golden $1 differs"
    fi
}

# manual PAGE: describes every option of the golden helps.
manual() {
    local option
    for option in $(grep -ohE -- '--[a-z-]+' "$(dirname "$0")"/golden/help-*.txt | sort -u); do
        case $option in --usage | --version | --help) continue ;; esac
        grep -qE "(Fl|,) ${option#-}( |$)" "$1" || fail "${1##*/} lacks $option"
    done
}
