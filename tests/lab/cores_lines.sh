#!/bin/bash
# cores_lines.sh SOURCE BIN PLANTED: a false sharing that was planted in a program is the line that costs most.
set -u
source=$1 bin=$2 planted=$3
. "$(dirname "$0")/../kit.sh"
PATH=$bin:$PATH
lines="ordo-lab cores lines --program $planted"
run_options="--threads 1,2 --seconds 0.0002 --runs 3 --boundary 300"
alone=$(grep -n "/\* alone \*/" "$source/tests/lab/planted.c" | cut -d: -f1)
together=$(grep -n "/\* together \*/" "$source/tests/lab/planted.c" | cut -d: -f1)

# shellcheck disable=SC2086
{
    run 0 $lines --json here -- planted $run_options
    json '.schema == "ordo-cores-lines/1" and .command == "planted" and .line_bytes == 64 and .operations > 1000'
    json '.lines[0] | .false_sharing and .cpus == 2 and .object == {kind: "variable", name: "planted_counts", size_bytes: 1024, offset_bytes: 0}'
    json '.lines[0].bytes == [{first: 0, last: 7, cpus: 1, readers: 0, writers: 1}, {first: 8, last: 15, cpus: 1, readers: 0, writers: 1}]'
    json ".lines[0].places[0] | .file == \"tests/lab/planted.c\" and .line == $alone and .function == \"count_alone\" and .access == \"update\""
    json ".lines[1] | .object.name == \"planted_meetings\" and (.false_sharing | not) and .places[0].line == $together"
    json '.lines[0].share > .lines[1].share and .lines[0].share < 1 and .lines[0].invalidations == 0 and .lines[0].transfers > 1000'
    cp "$scratch/out" "$scratch/first"
    run 0 $lines --json here -- planted $run_options
    cmp -s "$scratch/out" "$scratch/first" || fail "the same seed gives another report"
    run 0 $lines here -- planted $run_options && says "FALSE SHARING" && says "of planted_counts" && says "planted.c:$alone count_alone"

    # with the counters on lines of their own, the line that all use is first
    run 0 $lines --json here -- planted --padded $run_options
    json '.lines[0] | .object.name == "planted_meetings" and (.false_sharing | not) and .cpus == 2 and .share > 0.5'
    json 'any(.lines[]; .false_sharing) | not'
}

prints_schema() {
    for python in python3 /usr/bin/python3 none; do
        "$python" -c 'import jsonschema' 2>/dev/null && break
    done
    [ $python != none ] || { echo "python3-jsonschema is not installed: the check of the schema is left out"; return; }
    echo "$scratch/first" | "$python" "$source/tests/cli/schema.py" "$source/doc/schemas" >"$scratch/out"
    says "ordo-cores-lines/1" && ! grep -q "ordo-cores-lines/1:" "$scratch/out" || fail "not of its schema: $(cat "$scratch/out")"
}
prints_schema

run 0 ordo-lab cores lines --help && says "Exit status: 0 measured; 1 an audit failed"
run 64 ordo-lab cores lines && complains_once "name a machine and a command"
run 64 ordo-lab cores lines nowhere -- rlu && complains_once "nowhere"
run 64 ordo-lab cores lines --json here -- nothing && json ".error.code == 64"
run 64 ordo-lab cores lines here -- nothing && complains_once "'nothing' is not a command"
if [ -x "$bin/ordo-bench-cores" ]; then
    # the command of this message, with the defaults of ordo-lab cores
    run 0 timeout 60 ordo-lab cores lines here -- rlu --threads 2 && says "simulated: "
fi
run 70 ordo-lab cores lines --program /nonexistent here -- rlu && complains_once "/nonexistent: cannot be started"

# A report that is ended, or whose reader ends, leaves no file and no simulation behind.
mkdir "$scratch/temporary" && export TMPDIR=$scratch/temporary
# shellcheck disable=SC2086
$lines here -- planted --threads 2 --seconds 5 --runs 3 --boundary 300 >/dev/null 2>&1 &
report=$!
wait_for 10 pgrep -P $report || fail "no simulation starts"
simulation=$(pgrep -P $report | head -n 1)
ended() { ! kill -0 "$simulation"; }
kill $report
wait $report 2>/dev/null
wait_for 5 ended || { fail "the simulation continues without its report" && kill "$simulation"; }
# shellcheck disable=SC2086
$lines here -- planted $run_options | true
[ -z "$(ls "$TMPDIR")" ] || fail "files remain: $(ls -R "$TMPDIR")"
exit $((failures > 0))
