#!/bin/bash
# perfetto.sh BIN: traces in Perfetto's form whose events are known, written here by the description of the format, and read by
# ordo-trace: names that are introduced once, clocks of sequences and of the day, compressed and lost packets.
set -u
bin=$1 here=$(cd "$(dirname "$0")" && pwd)
. "$here/../kit.sh"
shown=()
cd "$scratch" || exit 1

trace() { "$bin/ordo-trace" "$@"; }
# refused WORDS ARGUMENT...: ordo-trace must end with 64 and one line that has the words.
refused() {
    local words=$1 said code
    shift
    said=$(trace "$@" 2>&1 >/dev/null)
    code=$?
    [ $code = 64 ] && [ "$(wc -l <<<"$said")" = 1 ] && [[ $said == *"$words"* ]] ||
        fail "$*: exit $code, and '$words' is not in: $said"
}

files=(small small.gz)
printf 'rank,time_ns\n0,1\n' | gzip >x.csv.gz
if trace info x.csv.gz 2>&1 | grep -q "unpack it with gunzip$"; then
    echo "compressed packets: left out: built without zlib"
    export ORDO_PACKED=no
    files=(small)
fi
for seed in $(seq "${ORDO_SEEDS:-10}"); do
    python3 "$here/perfetto.py" make "$seed" . || fail "no trace"
    trace correct --to chrome -o chrome.json trace.pftrace >log 2>&1 || fail "seed $seed: refused: $(cat log)"
    python3 "$here/perfetto.py" judge . chrome.json >log 2>&1 || fail "seed $seed: $(cat log)"
    lost=$(python3 -c 'import json; print(json.load(open("expected.json"))["lost"])')
    told=$(trace info trace.pftrace | sed -n 's/.*packets were lost when the trace was recorded: \([0-9]*\),.*/\1/p')
    [ "${told:-0}" = "$lost" ] || fail "seed $seed: $told places with lost packets, and not $lost"
done

# The trace is known by its content, also when it is compressed as a whole; from a pipe, events are read with the clocks before them.
python3 "$here/perfetto.py" fixed small >small
gzip -k small
for file in "${files[@]}"; do
    trace info $file | grep -q "perfetto, 4 events of rank 0, 0.000000040 s from 110 ns on" || fail "$file: $(trace info $file)"
done
cat small | trace info /dev/stdin | grep -q "perfetto, 4 events" || fail "it is not read from a pipe"
refused "leave out --strict" stats --strict trace.pftrace

# A file that ends early is refused, or read up to its end, with few lines in both cases.
size=$(wc -c <small)
for ((torn = 40; torn < size; torn += 3)); do
    head -c $torn small >torn
    said=$(trace stats --from perfetto torn 2>&1 >/dev/null)
    [ "$(wc -l <<<"$said")" -le 6 ] || fail "torn at $torn: $said"
    trace info --from perfetto torn >/dev/null 2>&1 || fail "torn at $torn, its whole part cannot be read: $(trace info --from perfetto torn 2>&1)"
done
head -c 100 small >torn
refused "take what is whole with --partial" stats --from perfetto torn

# Two ranks whose barriers are aligned.
for rank in 0 1; do
    PYTHONPATH=$here python3 - $rank >rank.$rank.pftrace <<'END'
import sys
from perfetto import *
rank = int(sys.argv[1])
out = packet(number(10, 2), number(13, CLEARED), data(59, data(11, number(11, 8))), descriptor(8, "t", 4, 5))
for i in range(20):
    at = 10**9 + i * 10**7 + rank * 3 * 10**9
    out += packet(number(8, at + rank * 500), number(10, 2), event(BEGIN, data(23, "MPI_Barrier")))
    out += packet(number(8, at + 20000 + rank * 300), number(10, 2), event(END))
sys.stdout.buffer.write(out)
END
done
trace correct --to csv -o aligned.csv rank.0.pftrace rank.1.pftrace >log 2>&1 || fail "two ranks: $(cat log)"
grep -q "collectives: 20, left before all had entered: 20 before, 0 after" log || fail "two ranks are not aligned: $(cat log)"
exit $((failures > 0))
