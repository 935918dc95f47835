#!/bin/bash
# bench_jobs.sh SOURCE BENCH: tests what `./bootstrap bench --all` and `--guard` do with results, by a stand-in for
# ordo-bench that records its arguments and prints prepared results; and tests `ordo-bench compare`.
set -u
source=$1 real=$2
. "$(dirname "$0")/../kit.sh"
cd "$scratch" || exit 1
echo 2 >breaks

# result FILE SPEED: writes the result of one measurement.
result() {
    cat >"$1" <<JSON
{"schema": "ordo-bench/1", "tool_version": "0", "command": "clock", "provenance": {}, "ratios": [], "results": [
 {"algorithm": "a", "stamp": "ordo", "workload": "w", "threads": 2, "ops_per_s": {"median": $2, "low": $2, "high": $2}},
 {"algorithm": "b", "stamp": null, "workload": "w", "threads": 2, "ops_per_s": {"median": 10, "low": 10, "high": 10}}]}
JSON
}

# build DIRECTORY SPEED: makes a build whose ordo-bench reports SPEED. If the file `broken` contains the name of the
# command, ordo-bench fails with the exit code in the file `breaks`.
build() {
    mkdir -p "$1/bin"
    result "$1/result.json" "$2"
    cat >"$1/bin/ordo-bench" <<SH
#!/bin/sh
case \$1 in
compare) exec "$real" "\$@" ;;
plot) echo "<svg/>" >"\$3"; exit 0 ;;
--version) echo "ordo-bench 0"; exit 0 ;;
esac
echo "\$*" >>"$scratch/calls"
[ "\$1" != "\$(cat "$scratch/broken" 2>/dev/null)" ] || { echo "its reason" >&2; exit "\$(cat "$scratch/breaks")"; }
cat "$1/result.json"
SH
    chmod +x "$1/bin/ordo-bench"
}

# ---- compare
for round in 1 2 3 4 5 6; do
    result before.$round 100
    result after.$round $((100 + round))
    result slow.$round $((78 + round))
done
pairs() { for i in 1 2 3 4 5 6; do echo "before.$i $1.$i"; done; }
"$real" compare $(pairs after) >out || fail "compare: what is faster is not well: $(cat out)"
code=0
"$real" compare $(pairs slow) >out || code=$?
[ $code -eq 1 ] && grep -q '^w: a/ordo .*SLOWER$' out && ! grep -q '^w: b .*SLOWER' out || fail "compare: $code: $(cat out)"
"$real" compare --tolerance 30 $(pairs slow) >out || fail "compare: a tolerance of 30% does not allow for 21%: $(cat out)"
"$real" compare before.1 slow.1 >out 2>&1
[ $? -eq 2 ] && ! grep -q SLOWER out && grep -q 'fewer than 6 rounds' out || fail "compare: one round tells: $(cat out)"
"$real" compare before.1 >out 2>&1
[ $? -eq 64 ] || fail "compare: an odd number of files is taken"
for round in 1 2 3 4 5 6; do
    sed 's/"threads": 2/"audit": "failed", &/' after.$round >wrong.$round
    sed 's/"threads": 2/"parameters": {"buckets": '$((1000 - round / 6))', "boundary_ticks": '$round'}, &/' after.$round >unlike.$round
done
"$real" compare $(pairs wrong) >out 2>&1
[ $? -eq 1 ] && [ "$(cat out)" = "ordo-bench compare: wrong.1: w: a/ordo: its audit failed: repair that build, or measure again" ] ||
    fail "compare: an audit that failed: $(cat out)"
"$real" compare unlike.{1,2,3,4,5,6} unlike.{1,2,3,4,5,6} >out 2>&1
[ $? -eq 64 ] && [ "$(cat out)" = "ordo-bench compare: unlike.6: w: a/ordo: parameter buckets differs from unlike.1: give results of one command" ] ||
    fail "compare: unlike parameters: $(cat out)"
"$real" compare unlike.{1,2,3,4,5,1,2,3,4,5,1,2} >out 2>&1 || fail "compare: boundaries differ: $(cat out)"
echo '{}' >not
"$real" compare before.1 not >out 2>&1
[ $? -eq 64 ] && grep -q '^ordo-bench compare: not: .*--json' out || fail "compare: $(cat out)"

# ---- all
build now 100
"$source/bench/all.sh" now here --runs 1 >out 2>err || fail "all: $(cat err)"
[ "$(cat out)" = here.tar.gz ] || fail "all: does not say where the archive is: $(cat out)"
for name in clock rlu txn txn-skewed stm oplog merge trace; do
    tar -tzf here.tar.gz | grep -qx "here/$name.json" || fail "all: no $name.json in the archive"
    tar -tzf here.tar.gz | grep -qx "here/$name.svg" || fail "all: no $name.svg in the archive"
done
tar -tzf here.tar.gz | grep -qx here/provenance.txt || fail "all: no provenance in the archive"
grep -q '^clock --runs 1 --json$' calls || fail "all: options do not reach the command: $(cat calls)"
rm here/stm.json calls
"$source/bench/all.sh" now here --runs 1 >out 2>err || fail "all again: $(cat err)"
[ "$(cat calls)" = "stm --runs 1 --json" ] || fail "all: measures what is there: $(cat calls)"
"$source/bench/all.sh" now here --runs 2 >out 2>err
[ $? -eq 64 ] && grep -q 'other options' err || fail "all: mixes options: $(cat err)"
rm here/oplog.json
echo oplog >broken
"$source/bench/all.sh" now here --runs 1 >out 2>err
[ $? -eq 2 ] && [ ! -e here/oplog.json ] && [ ! -e here/oplog.part ] || fail "all: keeps what was not measured"
rm broken
mkdir -p other/taken.tar.gz
for name in . here/.. /dev/null -x nowhere/ taken /; do
    (
        cd other && : >nowhere
        "$source/bench/all.sh" ../now "$name" --runs 1 >../out 2>../err
    )
    [ $? -eq 64 ] && [ "$(wc -l <err)" = 1 ] && grep -q "^bench --all: directory '" err || fail "all: takes $name: $(cat out err)"
done
"$source/bench/all.sh" now there/// --runs 1 >out 2>err || fail "all: a slash at the end: $(cat err)"
[ "$(cat out)" = there.tar.gz ] && tar -tzf there.tar.gz | grep -qx there/clock.json || fail "all: a slash at the end: $(cat out)"

for name in './-x' 'a b' 'host:c' 'd\n'; do
    "$source/bench/all.sh" now "$name" --runs 1 >out 2>err || fail "all: $name: $(cat err)"
    [ -s "$name.tar.gz" ] || fail "all: $name: no archive"
done

# ---- guard
build then 100
"$source/bench/guard.sh" now then rounds 6 >out 2>err || fail "guard: equal builds differ: $(cat out err)"
build now 80
code=0
"$source/bench/guard.sh" now then rounds 6 >out 2>err || code=$?
[ $code -eq 1 ] && grep -q 'SLOWER$' out || fail "guard: $code: $(cat out err)"
echo rlu >broken
code=0
"$source/bench/guard.sh" now then rounds 6 >out 2>err || code=$?
[ $code -eq 2 ] && grep -q 'rlu' err || fail "guard: $code: $(cat err)"
echo 1 >breaks
code=0
"$source/bench/guard.sh" now then rounds 6 >out 2>err || code=$?
[ $code -eq 1 ] && grep -q 'rlu.* ends with exit code 1: its reason$' err || fail "guard: an audit that fails: $code: $(cat err)"
exit $((failures > 0))
