#!/bin/bash
# prove.sh SOURCE [--short] [--jobs N] [--report DIR] [--table FILE] [--lemmas DIR]: proves the lemmas in z3, searches
# the protocols and their mutants in Spin and Murphi, and prints a row for each: verdict, model, states, time, memory,
# property.
#
# A row of the table:  WHEN VERDICT MODEL SWITCHES | property
#   WHEN     short: also with --short; long: only without
#   MODEL    of tests/proof/spin, or a file of tests/proof/murphi (.m) or tests/proof/schedule (.c)
#   VERDICT  holds: no state has an error; ends: moreover, in no state does a thread wait for ever;
#            caught: a counter-example is found, and kept as text in DIR
# Exit 0: every row has the verdict of the table; 1: a row has another verdict, or a search was cut off; 77: a tool is missing.
set -u
source=$(cd "$1" && pwd)
shift
short=no jobs=2 report="" table=$source/tests/proof/searches lemmas=$source/tests/proof/lemma
while [ $# -gt 0 ]; do
    case $1 in
    --short) short=yes ;;
    --jobs) jobs=$2 && shift ;;
    --report) report=$2 && shift ;;
    --table) table=$2 && shift ;;
    --lemmas) lemmas=$2 && shift ;;
    *)
        echo "prove.sh: '$1' is not an option" >&2
        exit 64
        ;;
    esac
    shift
done
for tool in spin rumur z3 gcc; do
    command -v $tool >/dev/null || { echo "$tool is not installed" && exit 77; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
report=${report:-$scratch/report}
mkdir -p "$report" "$scratch/rows"
report=$(cd "$report" && pwd)
export source scratch report short
export limit=1500 memory=7500 optimise=-O2 # seconds of CPU time and MB for one search
[ $short = no ] || export limit=240 memory=1500 optimise=-O1
export limited="timeout $((10 * limit)) prlimit --cpu=$limit" # a search is not cut off because it waits for a CPU

# row FILE VERDICT MODEL STATES SECONDS MB WHAT
row() { printf '%-8s %-9s %11s %7s %6s  %s\n' "${@:2}" | tee "$1" >&2; } # stderr shows the progress

# lemma FILE NUMBER: each (check-sat) of FILE must be unsatisfiable if it is marked as valid; otherwise it must have a
# model.
lemma() {
    local name expected answers verdict
    name=$(basename "$1" .smt2)
    expected=$(sed -nE 's/^\(check-sat\) ; valid.*/unsat/p; t; s/^\(check-sat\).*/sat/p' "$1" | xargs)
    timeout 100 z3 "$1" >"$report/lemma-$name.txt" 2>&1
    answers=$(grep -xE 'sat|unsat|unknown|timeout|\(error ".*' "$report/lemma-$name.txt" | xargs)
    verdict=proved
    [ "$answers" = "$expected" ] && [[ $expected == unsat*\ sat ]] || verdict=WRONG
    row "$scratch/rows/$2" $verdict z3 - - - "$name: $(sed -n '1s/^; //p' "$1")"
}

# interleaving MODEL SWITCHES...: prints the counter-example, a line for each step.
interleaving() {
    printf 'thread\ttime\tstep\n'
    spin -t -k "$1.pml.trail" -T "${@:2}" "$1.pml" | grep -P '^[0-9]\t|assertion violated|text of failed' | sed 's/^9\t/-\t/'
}

# measured COMMAND...: runs COMMAND, and writes its memory in MB to the file `peak`.
measured() {
    local pid peak code
    $limited "$@" >out 2>&1 &
    pid=$!
    while sleep 0.2 && kill -0 $pid 2>/dev/null; do
        peak=$(awk '/^VmHWM/ { print int($2 / 1024) }' "/proc/$(pgrep -P $pid | head -n 1)/status" 2>/dev/null)
        [ -z "$peak" ] || echo "$peak" >peak
    done
    wait $pid
    code=$?
    return $code
}

# in_spin EXPECTED MODEL SWITCHES: prints the verdict, and writes states, seconds and MB to the file `cost`.
in_spin() {
    local switches=$3 ends=-E code=0 optimise=$optimise verdict=CUT_OFF
    cp "$source"/tests/proof/spin/*.pml .
    [ "$1" != ends ] || switches="$switches -DDEADLOCK"
    [[ $switches != *-DDEADLOCK* ]] || ends=
    [ "$1" != caught ] || optimise=-O0 # to find a counter-example takes less time than to compile an optimised search
    # shellcheck disable=SC2086
    if spin -a $switches "$2.pml" >build 2>&1 && ! grep -q rror build &&
        gcc $optimise -w -DSAFETY -DCOLLAPSE -DMEMLIM=$memory -o pan pan.c >build 2>&1; then
        $limited ./pan -m200000 $ends >out 2>&1 || code=$?
    else
        cp build out
        code=70
    fi
    if grep -q '^pan:1: \(assertion violated\|invalid end state\)' out; then
        verdict=caught
        # shellcheck disable=SC2086
        interleaving "$2" $switches >text
    elif [ $code -eq 0 ] && grep -q 'errors: 0' out && ! grep -qE 'too small|not completed|out of memory|truncat' out; then
        verdict=holds
        [ "$1" != ends ] || verdict=ends
    fi
    echo "$(sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p' out | head -n 1) $(sed -nE 's/^pan: elapsed time ([0-9.]+) .*/\1/p' out) $(
        sed -nE 's/^ *([0-9]+)\.[0-9]+.*total actual memory usage.*/\1/p' out)" >cost
    echo $verdict
}

# in_murphi EXPECTED MODEL SWITCHES: does the same as in_spin, by Murphi.
in_murphi() {
    local code=0 verdict=CUT_OFF begin=$EPOCHREALTIME optimise=$optimise
    [ "$1" != caught ] || optimise=-O1
    # shellcheck disable=SC2086
    if gcc -E -P -x c $3 "$source/tests/proof/murphi/$2" >model.m 2>build &&
        rumur --deadlock-detection off --output model.c model.m >build 2>&1 &&
        gcc -w $optimise -std=gnu11 -march=native -o model model.c -pthread -latomic >build 2>&1; then
        measured ./model || code=$?
    else
        cp build out
        code=70
    fi
    if [ $code -eq 1 ] && grep -q '1 error(s) found' out; then
        verdict=caught
        sed -n '/^The following is the error trace/,/^End of the error trace/p; /ssertion\|nvariant/p' out >text
    elif [ $code -eq 0 ] && grep -q 'No error found' out; then
        verdict=holds
    fi
    echo "$(sed -nE 's/^\t([0-9]+) states, .*/\1/p' out | tail -n 1) $(
        awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $begin }") $(cat peak 2>/dev/null || echo -)" >cost
    echo $verdict
}

# in_schedule EXPECTED PROGRAM [DEFINITION] PREEMPTIONS: runs the unmodified code, at every schedule of two threads.
in_schedule() {
    local code=0 verdict=CUT_OFF begin=$EPOCHREALTIME folder=$source/tests/proof/schedule defined=
    [[ $3 != *' '* ]] || defined=${3% *}
    # shellcheck disable=SC2086
    gcc -std=gnu11 -D_GNU_SOURCE -O2 -w -I"$source/include" -I"$source/lib" -I"$folder" $defined \
        -DORDO_CLOCK_HEADER='"model_clock.h"' "$folder/$2" "$source"/lib/base/{error,coroutine}.c -o model >out 2>&1 || code=70
    [ $code -ne 0 ] || $limited ./model "${3##* }" >out 2>&1 || code=$?
    [ $code -ne 1 ] || verdict=caught
    [ $code -ne 0 ] || verdict=holds
    echo "$(sed -nE 's/^([0-9]+) schedules.*/\1/p' out) $(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $begin }") -" >cost
    echo $verdict
}

# search NUMBER WHEN VERDICT MODEL SWITCHES | WHAT
search() {
    local number=$1 expected=$3 model=$4 switches what verdict states seconds mb
    switches=$(xargs <<<"${5%%|*}")
    what=${5#*| }
    mkdir "$scratch/$number" && cd "$scratch/$number" || return
    case $model in
    *.c) verdict=$(in_schedule "$expected" "$model" "$switches") ;;
    *.m) verdict=$(in_murphi "$expected" "$model" "$switches") ;;
    *) verdict=$(in_spin "$expected" "$model" "$switches") ;;
    esac
    [ ! -f text ] || mv text "$report/$number-$model$(tr -d ' ' <<<"$switches").txt"
    [ "$verdict" = "$expected" ] || verdict=WRONG:$verdict
    read -r states seconds mb <cost
    row "$scratch/rows/$number" "$verdict" "$model" "${states:--}" "${seconds:--}" "${mb:--}" "$what [$switches]"
    [[ $verdict != WRONG* ]] || tail -n 3 out >"$scratch/rows/$number.why"
    cd / && rm -rf "${scratch:?}/$number"
}
export -f lemma search in_spin in_murphi in_schedule measured interleaving row

number=1000
while read -r file; do
    number=$((number + 1))
    printf 'lemma\0%s\0%s\0-\0-\0' "$file" $number
done < <(ls "$lemmas"/*.smt2 2>/dev/null) >"$scratch/jobs"
while read -r when verdict model line; do
    case $when in '' | '#'*) continue ;; esac
    [ $short = no ] || [ "$when" = short ] || continue
    number=$((number + 1))
    printf 'search\0%s\0%s\0%s\0%s\0' "$number" "$verdict" "$model" "$line"
done <"$table" >>"$scratch/jobs"
[ -s "$scratch/jobs" ] || { echo "nothing to prove" && exit 1; }
set -m # each search has its own process group, so that it can be ended as a whole
# shellcheck disable=SC2016
xargs -0 -n 5 -P "$jobs" bash -c 'if [ "$0" = lemma ]; then lemma "$1" "$2"; else search "$1" - "$2" "$3" "$4"; fi' <"$scratch/jobs" &
searching=$!
trap 'kill -- -$searching; exit 143' TERM INT HUP
wait $searching

printf '%-8s %-9s %11s %7s %6s  %s\n' verdict model states seconds MB "what is checked"
cat "$scratch"/rows/????
wanted=$((number - 1000)) found=$(find "$scratch/rows" -type f -name '????' | wc -l)
wrong=$(grep -lE '^(WRONG|CUT_OFF)' "$scratch"/rows/???? | wc -l)
cat "$scratch"/rows/*.why 2>/dev/null
echo "$found of $wanted searches ended, $wrong are not as they should be"
[ "$found" -eq "$wanted" ] && [ "$wrong" -eq 0 ]
